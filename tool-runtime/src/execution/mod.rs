//! Execution: from a call to its one result.

mod contain;

use std::error::Error;
use std::fmt::Write as _;

use self::contain::contained_future;
use crate::arguments::ToolCall;
use crate::definition::Effect;
use crate::error::{ErrorCode, ToolError, contained};
use crate::output::{CallOutput, OutputError, ToolResult};
use crate::registry::Registry;
use crate::tool::{
    Concurrency, Failure, Invocation, OutputCheck, Parallel, Permission, PermissionRequest, Produced,
    Reading, Reply, Tool,
};
use crate::value::unhidden;

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
        self.run(&id, &name, &arguments).await.answer(id, name)
    }

    /// Runs a tool for the program itself, without an id: the arguments are JSON text, as a model would send it.
    ///
    /// Everything else is as in [`call`](Self::call).
    ///
    /// # Cancel safety
    /// As [`call`](Self::call).
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, tool};
    ///
    /// /// Doubles a number.
    /// #[tool(effect = read)]
    /// fn double(
    ///     /// The number.
    ///     n: i64,
    /// ) -> i64 {
    ///     2 * n
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<double>().build()?;
    /// assert_eq!(registry.invoke("double", r#"{"n": 21}"#).await.into_text(), "42");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn invoke(&self, name: &str, arguments: &str) -> CallOutput {
        self.run("", name, arguments).await
    }

    async fn run(&self, id: &str, name: &str, arguments: &str) -> CallOutput {
        let Some(tool) = self.tool(name) else {
            return CallOutput::failure(ErrorCode::UnknownTool, self.unknown(name));
        };
        let invocation = self.invocation(tool, id, arguments);
        let outcome = match contained(|| tool.enter(&invocation)) {
            Some(Reply::Ready(outcome)) => outcome,
            Some(Reply::Pending(future)) => {
                contained_future(future).await.unwrap_or_else(|| Err(Failure::Panicked))
            }
            Some(Reply::Described) | None => Err(Failure::Panicked),
        };
        let repairs = invocation.reading.into_repairs();
        let mut output = match outcome {
            Ok(produced) => self.succeed(tool, produced),
            Err(failure) => fail(tool, failure),
        };
        output.note_repairs(repairs);
        output
    }

    #[inline]
    fn succeed(&self, tool: &Tool, produced: Produced) -> CallOutput {
        let Produced { value, content } = produced;
        let value = value.map(|text| tool.settled(text));
        let fault = match &value {
            Some(text) if tool.is_checked() => self.output_fault(tool, text),
            _ => None,
        };
        let fault = match fault {
            Some((OutputCheck::Error, fault)) => {
                return CallOutput::failure(ErrorCode::InvalidToolOutput, invalid_output(tool, &fault));
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

    /// Whether a call may run beside others. A call that will not run counts as running alone.
    pub fn concurrency(&self, call: &ToolCall) -> Concurrency {
        let Some(tool) = self.tool(call.name()) else { return Concurrency::Alone };
        match tool.spec().map(|spec| spec.parallel) {
            Some(Parallel::Always) => Concurrency::Together,
            Some(Parallel::Judged(judge)) => {
                let invocation = self.invocation(tool, call.id(), call.arguments());
                contained(|| judge(&invocation)).and_then(Result::ok).unwrap_or(Concurrency::Alone)
            }
            Some(Parallel::Never) | None => Concurrency::Alone,
        }
    }

    /// What a call needs permission for: what the tool declares, or `tool:<name>`.
    ///
    /// # Errors
    /// Returns the result of a call that cannot be judged: an unknown tool, invalid arguments, a function that
    /// failed or panicked.
    pub fn permissions(&self, call: &ToolCall) -> Result<Vec<PermissionRequest>, Box<ToolResult>> {
        let refuse =
            |output: CallOutput| Box::new(output.answer(call.id().to_owned(), call.name().to_owned()));
        let Some(tool) = self.tool(call.name()) else {
            return Err(refuse(CallOutput::failure(ErrorCode::UnknownTool, self.unknown(call.name()))));
        };
        let effect = tool.definition().effect();
        let invocation = self.invocation(tool, call.id(), call.arguments());
        let refused = |failure| refuse(fail(tool, failure));
        match tool.spec().map(|spec| spec.permission) {
            Some(Permission::Judged(judge)) => {
                return contained(|| judge(&invocation)).unwrap_or(Err(Failure::Panicked)).map_err(refused);
            }
            _ => contained(|| tool.check_arguments(&invocation))
                .unwrap_or(Err(Failure::Panicked))
                .map_err(refused)?,
        }
        Ok(vec![match tool.definition().permission() {
            Some(permission) => PermissionRequest::new(permission, "", effect),
            None => PermissionRequest::new(format!("tool:{}", tool.name()), "", effect),
        }])
    }

    /// What is wrong with a value, and what is to happen then.
    fn output_fault(&self, tool: &Tool, text: &str) -> Option<(OutputCheck, OutputError)> {
        let check = tool.output_check().unwrap_or(self.output_check());
        if check == OutputCheck::Off {
            return None;
        }
        Some((check, tool.output_fault(text)?))
    }

    fn invocation<'a>(&'a self, tool: &'a Tool, call_id: &'a str, text: &'a str) -> Invocation<'a> {
        Invocation { call_id, text, tool, states: self.states(), reading: Reading::new(self.repairs()) }
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

/// A name that a model made up, in quotes, short, and with nothing hidden in it.
fn quoted(name: &str) -> String {
    const LONGEST: usize = 64;
    let mut short: String = name.chars().take(LONGEST).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    unhidden(&serde_json::Value::from(short).to_string())
}

fn fail(tool: &Tool, failure: Failure) -> CallOutput {
    let name = tool.name();
    let panicked =
        || CallOutput::failure(ErrorCode::ToolPanicked, format!("Error: \"{name}\" failed unexpectedly"));
    match failure {
        Failure::Arguments(text) => CallOutput::failure(ErrorCode::InvalidArgs, text),
        Failure::Limit(text) => CallOutput::failure(ErrorCode::ResourceLimit, text),
        Failure::State => {
            let text = format!("Error: \"{name}\" is not set up; the program lacks its state");
            CallOutput::failure(ErrorCode::ToolFailed, text)
        }
        // The error is code of the tool's: its `Display` may panic.
        Failure::Tool(error) => contained(|| model_text(&*error))
            .map_or_else(panicked, |text| {
                CallOutput::failure(ErrorCode::ToolFailed, format!("Error: {text}"))
            })
            .caused_by(error),
        Failure::Output(fault) => {
            CallOutput::failure(ErrorCode::InvalidToolOutput, invalid_output(tool, &fault))
        }
        Failure::Panicked => panicked(),
    }
}

fn invalid_output(tool: &Tool, fault: &OutputError) -> String {
    let mut text = format!("Error: \"{}\" returned an invalid result: {fault}", tool.name());
    if tool.definition().effect() != Effect::Read {
        text.push_str("; it ran and may have taken effect");
    }
    text
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
