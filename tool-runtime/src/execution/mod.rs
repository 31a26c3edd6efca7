//! Execution: from a call to its one result.

mod contain;

use std::error::Error;
use std::fmt::Write as _;

pub(crate) use self::contain::contained;
use self::contain::contained_future;
use crate::arguments::ToolCall;
use crate::definition::Effect;
use crate::error::{ErrorCode, ToolError};
use crate::output::ToolResult;
use crate::registry::Registry;
use crate::tool::{Failure, Invocation, Outcome, Produced, Reply, Tool};

impl Registry {
    /// Runs one call to its one result, whatever happens on the way: unknown tool, invalid arguments, an error
    /// or a panic of the tool, a value that JSON cannot hold.
    ///
    /// # Cancel safety
    /// Dropping the future drops the tool's body where it stands; its effect may have happened.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, ToolCall};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().build()?;
    /// let result = registry.call(ToolCall::new("call_1", "nothing", "{}")).await;
    /// assert!(result.is_error());
    /// assert_eq!(result.text(), r#"Error: unknown tool "nothing""#);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        let (id, name, arguments) = call.into_parts();
        let Some(tool) = self.tool(&name) else {
            let text = self.unknown(&name);
            return ToolResult::failure(id, name, ErrorCode::UnknownTool, text);
        };
        let outcome = self.run(tool, &id, &arguments).await;
        match outcome.and_then(|produced| tool.check_output(produced)) {
            Ok(Produced { value, content }) => match (content, value) {
                (Some(content), value) => ToolResult::success(id, name, content, value.map(Into::into)),
                (None, value) => {
                    let text = value.unwrap_or_default();
                    ToolResult::success_text(id, name, text)
                }
            },
            Err(failure) => {
                let (code, text) = explain(tool, failure);
                ToolResult::failure(id, name, code, text)
            }
        }
    }

    async fn run(&self, tool: &Tool, id: &str, arguments: &str) -> Outcome {
        let invocation = Invocation { call_id: id, text: arguments, tool, states: self.states() };
        match contained(|| tool.enter(&invocation)) {
            Some(Reply::Ready(outcome)) => outcome,
            Some(Reply::Pending(future)) => contained_future(future).await.unwrap_or(Err(Failure::Panicked)),
            Some(Reply::Described) | None => Err(Failure::Panicked),
        }
    }

    fn unknown(&self, name: &str) -> String {
        let mut text = format!("Error: unknown tool {}", quoted(name));
        if let Some(near) = self.nearest(name) {
            text.push_str("; did you mean \"");
            text.push_str(near);
            text.push_str("\"?");
        }
        text
    }
}

/// A name that a model made up, short and on one line.
fn quoted(name: &str) -> String {
    const LONGEST: usize = 64;
    let mut short: String = name.chars().take(LONGEST).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    serde_json::Value::from(short).to_string()
}

/// The code and the text that the model reads.
fn explain(tool: &Tool, failure: Failure) -> (ErrorCode, String) {
    let name = tool.name();
    let panicked = || (ErrorCode::ToolPanicked, format!("Error: \"{name}\" failed unexpectedly"));
    match failure {
        Failure::Arguments(text) => (ErrorCode::InvalidArgs, text),
        Failure::Tool(error) => {
            // The error is code of the tool's: its `Display` may panic, and so may its drop.
            let text = contained(|| model_text(&*error));
            contained(|| drop(error));
            text.map_or_else(panicked, |text| (ErrorCode::ToolFailed, format!("Error: {text}")))
        }
        Failure::Output(fault) => invalid_output(tool, &fault.to_string()),
        Failure::Value(violations) => {
            let mut faults: Vec<String> = violations.iter().take(MOST_FAULTS).map(ToString::to_string).collect();
            if let Some(more) = violations.len().checked_sub(MOST_FAULTS).filter(|more| *more > 0) {
                faults.push(format!("and {more} more"));
            }
            invalid_output(tool, &faults.join("; "))
        }
        Failure::Panicked => panicked(),
    }
}

/// The most faults of a value that are named.
const MOST_FAULTS: usize = 8;

fn invalid_output(tool: &Tool, fault: &str) -> (ErrorCode, String) {
    let mut text = format!("Error: \"{}\" returned an invalid result: {fault}", tool.name());
    if tool.definition().effect() != Effect::Read {
        text.push_str("; it ran and may have taken effect");
    }
    (ErrorCode::InvalidToolOutput, text)
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
