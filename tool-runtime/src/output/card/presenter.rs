//! Who draws the cards of a tool.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{CallRecord, Card, RecordedResult};

/// Draws the cards of a tool. Whatever it does not draw, or panics over, becomes a [`Card::Generic`].
///
/// Cards are drawn from the record alone, so that a replay draws the same ones. What a card needs of the value stands in the
/// [`card_data`](Self::card_data), which is recorded.
pub trait Presenter: Send + Sync + 'static {
    /// What the card of the result needs besides the content: a pure function of the arguments, secrets masked, and of the value. More than
    /// [`MAX_CARD_DATA`](super::MAX_CARD_DATA) bytes, and what is nested too deep to be read again, are not recorded.
    fn card_data(&self, arguments: &Value, value: &Value) -> Option<Value> {
        let _ = (arguments, value);
        None
    }

    /// The card of a call that runs.
    fn call(&self, record: &CallRecord) -> Option<Card> {
        let _ = record;
        None
    }

    /// The card of a call that has ended.
    fn result(&self, record: &CallRecord, result: &RecordedResult) -> Option<Card> {
        let _ = (record, result);
        None
    }
}

/// A presenter of two functions over typed arguments: of the call, and of its result (with the arguments, what is recorded of the
/// result, and the card data). Arguments that do not fit the type, or not any more, leave the generic card.
///
/// The card data is the value itself.
///
/// # Examples
/// ```
/// use tool_runtime::output::{Card, RecordedResult, presenter};
/// use tool_runtime::{Registry, Tool, ToolCall, tool, tool_type};
///
/// /// Runs a command.
/// #[tool(effect = exec, docs(optional))]
/// fn run(command: String) -> String {
///     format!("ran {command}")
/// }
///
/// /// The arguments of `run`.
/// #[tool_type]
/// struct Run {
///     /// The command.
///     command: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let terminal = |run: Run, output: String| Card::Terminal {
///     title: "run".to_owned(),
///     command: run.command,
///     output,
///     exit_code: None,
/// };
/// let presenter = presenter(
///     move |run: Run| terminal(run, String::new()),
///     move |run: Run, result: &RecordedResult| terminal(run, result.text()),
/// );
/// let registry = Registry::builder().build()?;
/// registry.register_tool(Tool::of::<run>().with_presenter(presenter))?;
///
/// let call = ToolCall::new("1", "run", r#"{"command":"ls"}"#);
/// let record = registry.record(&call);
/// assert!(matches!(registry.card(&record), Card::Terminal { command, .. } if command == "ls"));
/// let result = registry.call(call.clone()).await;
/// let record = registry.record_of(&call, &result);
/// assert!(matches!(registry.card(&record), Card::Terminal { output, .. } if output == r#""ran ls""#));
/// # Ok(())
/// # }
/// ```
pub fn presenter<A: DeserializeOwned + 'static>(
    call: impl Fn(A) -> Card + Send + Sync + 'static,
    result: impl Fn(A, &RecordedResult) -> Card + Send + Sync + 'static,
) -> impl Presenter {
    Typed { call, result, arguments: PhantomData::<fn(A)> }
}

struct Typed<A, C, R> {
    call: C,
    result: R,
    arguments: PhantomData<fn(A)>,
}

impl<A, C, R> Presenter for Typed<A, C, R>
where
    A: DeserializeOwned + 'static,
    C: Fn(A) -> Card + Send + Sync + 'static,
    R: Fn(A, &RecordedResult) -> Card + Send + Sync + 'static,
{
    fn card_data(&self, _: &Value, value: &Value) -> Option<Value> {
        Some(value.clone())
    }

    fn call(&self, record: &CallRecord) -> Option<Card> {
        let arguments = serde_json::from_str(record.arguments()).ok()?;
        Some((self.call)(arguments))
    }

    fn result(&self, record: &CallRecord, result: &RecordedResult) -> Option<Card> {
        let arguments = serde_json::from_str(record.arguments()).ok()?;
        Some((self.result)(arguments, result))
    }
}
