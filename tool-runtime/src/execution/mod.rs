//! Execution: from a call to its one result.

mod contain;

use std::error::Error;
use std::fmt::Write as _;

use self::contain::contained_future;
use crate::arguments::ToolCall;
use crate::definition::Effect;
use crate::error::{ErrorCode, ToolError, contained};
use crate::output::{CallOutput, OutputError, ToolResult};
use std::sync::Arc;

use crate::registry::{Entry, Node, Scope, Step};
use crate::tool::{
    Concurrency, Failure, Invocation, OutputCheck, Parallel, Permission, PermissionRequest, Produced,
    Reading, Reply, StateMap, Tool,
};
use crate::value::unhidden;

impl Scope {
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
        match self.node().callable(name) {
            Some(found) => Call::of(self.node(), &found, id, arguments).run().await,
            None => unknown(name, self.definitions().nearest(name)),
        }
    }

    /// Whether a call may run beside others. A call that will not run counts as running alone.
    pub fn concurrency(&self, call: &ToolCall) -> Concurrency {
        let Some(found) = self.node().callable(call.name()) else { return Concurrency::Alone };
        Call::of(self.node(), &found, call.id(), call.arguments()).concurrency()
    }

    /// What a call needs permission for: what the tool declares, or `tool:<name>`.
    ///
    /// # Errors
    /// Returns the result of a call that cannot be judged: an unknown tool, invalid arguments, a function that
    /// failed or panicked.
    pub fn permissions(&self, call: &ToolCall) -> Result<Vec<PermissionRequest>, Box<ToolResult>> {
        match self.node().callable(call.name()) {
            Some(found) => Call::of(self.node(), &found, call.id(), call.arguments()).permissions(),
            None => Err(unknown(call.name(), self.definitions().nearest(call.name()))),
        }
        .map_err(|output| Box::new(output.answer(call.id().to_owned(), call.name().to_owned())))
    }
}

impl Step {
    /// Runs one call of the step, as [`Scope::call`] does: a tool that the step lists and that the scope still has.
    ///
    /// # Cancel safety
    /// As [`Scope::call`].
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        let (id, name, arguments) = call.into_parts();
        let output = match self.callable(&name) {
            Some(found) => Call::of(&self.node, &found, &id, &arguments).run().await,
            None => unknown(&name, self.nearest(&name)),
        };
        output.answer(id, name)
    }
}

/// One call of a tool that was found.
struct Call<'a> {
    tool: &'a Tool,
    states: &'a Arc<StateMap>,
    id: &'a str,
    arguments: &'a str,
    repairs: bool,
    output_check: OutputCheck,
}

impl<'a> Call<'a> {
    fn of(node: &Node, found: &'a (Arc<Entry>, Arc<StateMap>), id: &'a str, arguments: &'a str) -> Self {
        let (entry, states) = found;
        let tree = node.tree();
        Self {
            tool: entry.tool(),
            states,
            id,
            arguments,
            repairs: tree.repairs,
            output_check: tree.output_check,
        }
    }

    async fn run(&self) -> CallOutput {
        let tool = self.tool;
        let reading = Reading::new(self.repairs);
        let bound = match contained(|| tool.bound(self.arguments, &reading)) {
            Some(Ok(bound)) => bound,
            Some(Err(failure)) => return fail(tool, failure).with_repairs(reading.into_repairs()),
            None => return fail(tool, Failure::Panicked),
        };
        let invocation = self.invocation(bound.as_deref(), reading);
        let outcome = match contained(|| tool.enter(&invocation)) {
            Some(Reply::Ready(outcome)) => outcome,
            Some(Reply::Pending(future)) => contained_future(future).await.unwrap_or(Err(Failure::Panicked)),
            Some(Reply::Described) | None => Err(Failure::Panicked),
        };
        let repairs = invocation.reading.into_repairs();
        match outcome {
            Ok(produced) => self.succeed(produced),
            Err(failure) => fail(tool, failure),
        }
        .with_repairs(repairs)
    }

    fn succeed(&self, produced: Produced) -> CallOutput {
        let tool = self.tool;
        let Produced { value, content } = produced;
        let value = value.map(|text| tool.settled(text));
        let fault = match &value {
            Some(text) if tool.is_checked() => self.output_fault(text),
            _ => None,
        };
        let fault = match fault {
            Some((OutputCheck::Error, fault)) => {
                return CallOutput::failure(ErrorCode::InvalidToolOutput, invalid_output(tool, &fault));
            }
            fault => fault.map(|(_, fault)| fault),
        };
        match (content, value) {
            (Some(content), value) => CallOutput::success(content, value.map(Into::into)),
            (None, value) => CallOutput::success_text(value.unwrap_or_default()),
        }
        .with_fault(fault)
    }

    /// What is wrong with a value, and what is to happen then.
    fn output_fault(&self, text: &str) -> Option<(OutputCheck, OutputError)> {
        let check = self.tool.output_check().unwrap_or(self.output_check);
        if check == OutputCheck::Off {
            return None;
        }
        Some((check, self.tool.output_fault(text)?))
    }

    fn concurrency(&self) -> Concurrency {
        match self.tool.spec().map(|spec| spec.parallel) {
            Some(Parallel::Always) => Concurrency::Together,
            Some(Parallel::Judged(judge)) => self.judged(judge).unwrap_or(Concurrency::Alone),
            Some(Parallel::Never) | None => Concurrency::Alone,
        }
    }

    fn permissions(&self) -> Result<Vec<PermissionRequest>, CallOutput> {
        let tool = self.tool;
        let effect = tool.definition().effect();
        if let Some(Permission::Judged(judge)) = tool.spec().map(|spec| spec.permission) {
            return self.judged(judge).map_err(|failure| fail(tool, failure));
        }
        self.judged(|invocation| tool.check_arguments(invocation)).map_err(|failure| fail(tool, failure))?;
        Ok(vec![match tool.definition().permission() {
            Some(permission) => PermissionRequest::new(permission, "", effect),
            None => PermissionRequest::new(format!("tool:{}", tool.name()), "", effect),
        }])
    }

    /// What a function says of the arguments as the body would see them.
    fn judged<T>(
        &self,
        judge: impl for<'b> FnOnce(&'b Invocation<'b>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let reading = Reading::new(self.repairs);
        contained(|| {
            let bound = self.tool.bound(self.arguments, &reading)?;
            judge(&self.invocation(bound.as_deref(), reading))
        })
        .unwrap_or(Err(Failure::Panicked))
    }

    fn invocation<'b>(&'b self, bound: Option<&'b str>, reading: Reading) -> Invocation<'b> {
        Invocation {
            call_id: self.id,
            text: bound.unwrap_or(self.arguments),
            tool: self.tool,
            states: self.states,
            reading,
        }
    }
}

/// One text for what does not exist and what is hidden.
fn unknown(name: &str, near: Option<&str>) -> CallOutput {
    let mut text = format!("Error: unknown tool {}", quoted(name));
    // One that came while this was looked up is as unknown as before.
    if let Some(near) = near.filter(|near| *near != name) {
        text.push_str("; did you mean \"");
        text.push_str(near);
        text.push_str("\"?");
    }
    CallOutput::failure(ErrorCode::UnknownTool, text)
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
    match failure {
        Failure::Arguments(text) => (ErrorCode::InvalidArgs, text.clone()),
        Failure::Limit(text) => (ErrorCode::ResourceLimit, text.clone()),
        Failure::State => {
            (ErrorCode::ToolFailed, format!("Error: \"{name}\" is not set up; the program lacks its state"))
        }
        Failure::Tool(error) => {
            // The error is code of the tool's: its `Display` may panic.
            contained(|| model_text(&**error))
                .map_or_else(panicked, |text| (ErrorCode::ToolFailed, format!("Error: {text}")))
        }
        Failure::Output(fault) => (ErrorCode::InvalidToolOutput, invalid_output(tool, fault)),
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
