//! Records of calls, and the cards that are drawn from them.

use serde_json::Value;

use super::site::Site;
use crate::arguments::ToolCall;
use crate::error::contained;
use crate::output::{CallRecord, Card, MAX_CARD_DATA, Presenter, RecordedResult, ToolResult};
use crate::registry::{Found, Scope};

impl Scope {
    /// What can be recorded of a call before it has ended: enough for a card while it runs.
    ///
    /// The arguments are the effective ones, secrets masked. Of a tool that the scope does not have they are `{}`.
    pub fn record(&self, call: &ToolCall) -> CallRecord {
        let found = Site::of_scope(self.node()).find(call.name());
        self.recorded(found.as_ref(), call)
    }

    /// What is recorded of a call that has ended. It is written and read by serde, and [`card`](Self::card) draws it at any time.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::output::{CallRecord, Card};
    /// use tool_runtime::{Registry, ToolCall, tool};
    ///
    /// /// Adds two numbers.
    /// #[tool(effect = read, docs(optional))]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<add>().build()?;
    /// let call = ToolCall::new("1", "add", r#"{"b":2,"a":"1"}"#);
    /// let result = registry.call(call.clone()).await;
    /// let line = serde_json::to_string(&registry.record_of(&call, &result))?; // for a log
    ///
    /// let record: CallRecord = serde_json::from_str(&line)?;
    /// let Card::Generic { title, arguments, text, is_error } = registry.card(&record) else { unreachable!() };
    /// assert_eq!((title.as_str(), arguments.as_str(), text.as_str(), is_error), ("add", r#"{"a":1,"b":2}"#, "3", false));
    /// # Ok(())
    /// # }
    /// ```
    pub fn record_of(&self, call: &ToolCall, result: &ToolResult) -> CallRecord {
        let found = Site::of_scope(self.node()).find(call.name());
        let mut record = self.recorded(found.as_ref(), call);
        let output = result.output();
        let card_data = presenter(found.as_ref()).and_then(|presenter| {
            let arguments: Value = serde_json::from_str(&record.arguments).ok()?;
            let value: Value = serde_json::from_str(output.value_text()?).ok()?;
            let data = contained(|| presenter.card_data(&arguments, &value)).flatten()?;
            let text = data.to_string();
            // What is nested too deep could not be read again.
            let is_readable = || serde_json::from_str::<Value>(&format!("[[[[{text}]]]]")).is_ok();
            (text.len() <= MAX_CARD_DATA && is_readable()).then_some(data)
        });
        record.result = Some(RecordedResult {
            content: output.content().to_vec(),
            is_error: output.is_error(),
            card_data,
        });
        record
    }

    /// The card of what is recorded of a call: the tool's own, if it has a [`Presenter`] that draws it, and else the generic one. Nothing runs, and the
    /// same record always becomes the same card.
    pub fn card(&self, record: &CallRecord) -> Card {
        let found = Site::of_scope(self.node()).find(record.tool());
        let own = presenter(found.as_ref()).and_then(|presenter| {
            let drawn = || match record.result() {
                Some(result) => presenter.result(record, result),
                None => presenter.call(record),
            };
            contained(drawn).flatten()
        });
        own.unwrap_or_else(|| Card::generic(record)).cleaned()
    }

    fn recorded(&self, found: Option<&Found>, call: &ToolCall) -> CallRecord {
        let repair = self.node().tree().settings.repairs;
        let effective =
            |found: &Found| contained(|| found.entry.tool().effective(call.arguments(), repair)).flatten();
        CallRecord {
            call_id: call.id().to_owned(),
            tool: call.name().to_owned(),
            arguments: found.and_then(effective).unwrap_or_else(|| "{}".to_owned()),
            result: None,
        }
    }
}

fn presenter(found: Option<&Found>) -> Option<&dyn Presenter> {
    found?.entry.tool().presenter()
}
