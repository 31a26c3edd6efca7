//! What the model reads when a call does not succeed.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use crate::definition::Effect;
use crate::error::{ErrorCode, ToolError, contained};
use crate::output::{CallOutput, OutputError};
use crate::tool::{Failure, Tool};
use crate::value::quoted;

/// One text for what does not exist and what is hidden.
pub(super) fn unknown(name: &str, near: Option<&str>) -> String {
    let mut text = format!("Error: unknown tool {}", quoted(name));
    // One that came while this was looked up is as unknown as before.
    if let Some(near) = near.filter(|near| *near != name) {
        text.push_str("; did you mean \"");
        text.push_str(near);
        text.push_str("\"?");
    }
    text
}

pub(super) fn fail(tool: &Tool, failure: Failure) -> CallOutput {
    let (code, text) = explain(tool, &failure);
    let output = CallOutput::failure(code, text);
    match failure {
        Failure::Tool(error) => output.caused_by(error),
        _ => output,
    }
}

/// The code and the text that the model reads.
fn explain(tool: &Tool, failure: &Failure) -> (ErrorCode, String) {
    let name = tool.name();
    let panicked = || (ErrorCode::ToolPanicked, format!("Error: \"{name}\" failed unexpectedly"));
    if let Some(denied) = contained(|| failure.denied()).flatten() {
        return (denied.code(), denied.text(name));
    }
    let text = match failure {
        Failure::Arguments(text) | Failure::Limit(text) | Failure::Unknown(text) => text.clone(),
        Failure::Unavailable { server } => {
            format!("Error: \"{name}\" is not reachable at the moment ({server} is reconnecting)")
        }
        Failure::RateLimited { after } => {
            format!("Error: \"{name}\" is called too often; try again in {}", duration(*after))
        }
        Failure::State => format!("Error: \"{name}\" is not set up; the program lacks its state"),
        // The error is code of the tool's: its `Display` may panic.
        Failure::Tool(error) => match contained(|| model_text(&**error)) {
            Some(text) => return (ErrorCode::ToolFailed, format!("Error: {text}")),
            None => return panicked(),
        },
        Failure::Output(fault) => invalid_output(tool, fault),
        Failure::Panicked | Failure::Denied(_) => return panicked(),
        Failure::CancelledBefore => format!("Error: the call of \"{name}\" was cancelled before it started"),
        Failure::Cancelled => {
            format!(
                "Error: the call of \"{name}\" was cancelled{}",
                effect_text(tool, "; it may have taken effect")
            )
        }
        Failure::TimedOut { after, goes_on } => {
            let goes_on = if *goes_on { "; it may still be running" } else { "" };
            format!("Error: \"{name}\" did not finish within {}{goes_on}", duration(*after))
        }
    };
    (failure.code(), text)
}

fn effect_text<'a>(tool: &Tool, text: &'a str) -> &'a str {
    if tool.definition().effect() == Effect::Read { "" } else { text }
}

pub(super) fn invalid_output(tool: &Tool, fault: &OutputError) -> String {
    let effect = effect_text(tool, "; it ran and may have taken effect");
    format!("Error: \"{}\" returned an invalid result: {fault}{effect}", tool.name())
}

/// The text that was chosen for the model anywhere in the chain, else the error's own.
fn model_text(error: &(dyn Error + 'static)) -> String {
    if let Some(text) = ToolError::chosen_text(error) {
        return text.to_owned();
    }
    let mut text = String::new();
    // Not `to_string`, which panics where a `Display` returns an error.
    match write!(text, "{error}") {
        Ok(()) => text,
        Err(_) => "the tool failed".to_owned(),
    }
}

/// What a limit says.
pub(super) fn limit(what: &str, most: usize) -> String {
    format!("Error: {what} exceeds the limit of {most}")
}

/// A duration in the largest unit that keeps it whole.
pub(super) fn duration(duration: Duration) -> String {
    let milliseconds = duration.as_millis();
    if milliseconds == 0 && !duration.is_zero() {
        format!("{} µs", duration.as_micros().max(1))
    } else if milliseconds.is_multiple_of(1000) {
        format!("{} s", milliseconds / 1000)
    } else {
        format!("{milliseconds} ms")
    }
}
