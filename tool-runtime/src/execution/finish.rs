//! From an outcome to what the model reads: the output check, hooks, texts.

use super::life::Ending;
use super::{hook, texts};
use crate::error::{ErrorCode, contained};
use crate::output::{CallOutput, ContentBlock, OutputError};
use crate::registry::{Extension, Settings};
use crate::tool::{CallContext, Failure, MakeCaller, Outcome, OutputCheck, Produced, Tool};

/// What the end of a call makes of its outcome: a success that comes after a cancellation is none any more, a failure that says
/// more stays.
pub(super) fn ended(outcome: Outcome, ending: Ending) -> Outcome {
    match (ending, outcome) {
        (Ending::Cancelled | Ending::CancelledInBackground, Ok(_)) => Err(Failure::Cancelled),
        (_, outcome) => outcome,
    }
}

/// The outcome with a value that the output schema refuses made a failure.
pub(super) fn checked(tool: &Tool, settings: &Settings, outcome: Outcome) -> Outcome {
    let produced = outcome?;
    match &produced.value {
        Some(text) if produced.foreign || tool.is_checked() => {
            // What a set holds has no order, and the check is of what will be read.
            match contained(|| fault(tool, settings, text)) {
                Some(Some((OutputCheck::Error, fault))) => Err(Failure::output(fault)),
                Some(_) => Ok(produced),
                None => Err(Failure::Panicked),
            }
        }
        _ => Ok(produced),
    }
}

/// What is wrong with a value, and what is to happen then.
fn fault(tool: &Tool, settings: &Settings, text: &str) -> Option<(OutputCheck, OutputError)> {
    let check = tool.output_check().unwrap_or(settings.output_check);
    if check == OutputCheck::Off {
        return None;
    }
    Some((check, tool.output_fault(text)?))
}

/// What the model reads of an outcome, after every hook.
pub(super) fn finish(
    tool: &Tool,
    settings: &Settings,
    extensions: &[Extension],
    caller: &dyn MakeCaller,
    outcome: Outcome,
) -> CallOutput {
    let output = match outcome {
        Ok(produced) => succeed(tool, settings, produced),
        Err(failure) => texts::fail(tool, failure),
    };
    if hook::any(extensions) {
        hooked(tool, settings, extensions, &CallContext::new(caller.caller()), output)
    } else {
        output
    }
}

#[inline]
fn succeed(tool: &Tool, settings: &Settings, produced: Produced) -> CallOutput {
    let Produced { value, content, foreign } = produced;
    let value = value.map(|text| tool.settled(text));
    let fault = match &value {
        Some(text) if foreign || tool.is_checked() => fault(tool, settings, text),
        _ => None,
    };
    let fault = match fault {
        Some((OutputCheck::Error, fault)) => {
            return CallOutput::failure(ErrorCode::InvalidToolOutput, texts::invalid_output(tool, &fault));
        }
        fault => fault.map(|(_, fault)| fault),
    };
    let mut output = match (content, value) {
        (Some(content), value) => CallOutput::success(content.into_vec(), value),
        (None, value) => CallOutput::success_text(value.unwrap_or_default()),
    };
    output.note_fault(fault);
    output
}

fn hooked(
    tool: &Tool,
    settings: &Settings,
    extensions: &[Extension],
    context: &CallContext,
    mut output: CallOutput,
) -> CallOutput {
    for hook in hook::results(extensions) {
        output = match contained(|| hook(context, &output)) {
            Some(hook::HookVerdict::Accept) => output,
            Some(hook::HookVerdict::Value(value)) => {
                let value = Some(crate::value::canonical(&value));
                match checked(tool, settings, Ok(Produced { value, content: None, foreign: true })) {
                    Ok(produced) => succeed(tool, settings, produced),
                    Err(failure) => texts::fail(tool, failure),
                }
            }
            Some(hook::HookVerdict::Content(content)) => output.with_content(content),
            Some(hook::HookVerdict::Block(feedback)) => {
                CallOutput::failure(ErrorCode::ToolFailed, format!("Error: {feedback}"))
            }
            None => texts::fail(tool, Failure::Panicked),
        };
    }
    let content: Vec<ContentBlock> = output.content().to_vec();
    match hook::contents(extensions, context, content) {
        Some(content) if content == output.content() => output,
        Some(content) => output.with_content(content),
        None => texts::fail(tool, Failure::Panicked),
    }
}
