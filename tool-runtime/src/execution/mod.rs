//! Execution: from a call to its one result.

mod contain;

use self::contain::{contained, contained_future};
use crate::arguments::ToolCall;
use crate::definition::Effect;
use crate::error::{BoxError, ErrorCode, ToolError};
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
        match outcome {
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
        let mut text = format!("Error: unknown tool {}", crate::value::quoted(name));
        if let Some(near) = self.nearest(name) {
            text.push_str("; did you mean \"");
            text.push_str(near);
            text.push_str("\"?");
        }
        text
    }
}

/// The code and the text that the model reads.
fn explain(tool: &Tool, failure: Failure) -> (ErrorCode, String) {
    let name = tool.name();
    match failure {
        Failure::Arguments(text) => (ErrorCode::InvalidArgs, text),
        Failure::Tool(error) => (ErrorCode::ToolFailed, format!("Error: {}", model_text(&error))),
        Failure::Output(fault) => {
            let mut text = format!("Error: \"{name}\" returned an invalid result: {fault}");
            if tool.definition().effect() != Effect::Read {
                text.push_str("; it ran and may have taken effect");
            }
            (ErrorCode::InvalidToolOutput, text)
        }
        Failure::Panicked => (ErrorCode::ToolPanicked, format!("Error: \"{name}\" failed unexpectedly")),
    }
}

fn model_text(error: &BoxError) -> String {
    match error.downcast_ref::<ToolError>() {
        Some(error) => error.model_text().to_owned(),
        None => contained(|| error.to_string()).unwrap_or_else(|| "the tool failed".to_owned()),
    }
}
