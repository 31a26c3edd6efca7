//! OpenAI's Responses; users find it in [`super::openai`].

use super::calls::{WireCall, identify};
use super::frame::Frames;
use super::openai::LIMITS;
use super::request::{Plan, Request, request};
use super::stream::{Partials, Reader, Stream};
use super::text::{block_text, push_list, push_string};
use super::wire::{Node, Object, WireError};
use crate::arguments::ToolCall;
use crate::definition::ToolDefinition;
use crate::output::ToolResult;
use crate::schema::dialect::Dialect;

const MESSAGE: &str = "a response or the list of its output items";

/// Tools in the items of OpenAI's Responses.
///
/// # Examples
/// ```
/// use tool_runtime::provider::openai::Responses;
///
/// let response = r#"{"output":[{"type":"function_call","call_id":"call_1","name":"now","arguments":"{}"}]}"#;
/// let calls = Responses::plain().calls(response)?;
/// assert_eq!((calls[0].id(), calls[0].name()), ("call_1", "now"));
/// # Ok::<(), tool_runtime::provider::WireError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Responses {
    strict: bool,
    defer: bool,
}

impl Responses {
    /// Responses without strict mode, which is said outright: left out, it would be tried.
    pub fn plain() -> Self {
        Self { strict: false, defer: false }
    }

    /// Responses with `strict` for every tool for which it holds.
    pub fn strict() -> Self {
        Self { strict: true, defer: false }
    }

    /// Says `defer_loading` of deferred tools, for the provider's own search of tools.
    pub fn defer_loading(self) -> Self {
        Self { defer: true, ..self }
    }

    /// The request's tools, with what was lost on the way and the way back.
    pub fn request<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
        let dialect = if self.strict { Dialect::OpenAiStrict } else { Dialect::OpenAi };
        let plan = Plan { plain: Dialect::OpenAi, limits: LIMITS, ..Plan::plain(dialect) };
        request(&plan, definitions, |out, tool| {
            out.push_str(r#"{"type":"function","name":"#);
            push_string(out, tool.name);
            out.push_str(r#","description":"#);
            push_string(out, tool.definition.description());
            out.push_str(r#","parameters":"#);
            out.push_str(tool.schema);
            out.push_str(if tool.strict { r#","strict":true"# } else { r#","strict":false"# });
            if self.defer && tool.definition.deferred() == Some(true) {
                out.push_str(r#","defer_loading":true"#);
            }
            out.push('}');
        })
    }

    /// The calls in a response, or in the list of its output items.
    ///
    /// # Errors
    /// Returns [`WireError`] if the text is neither; it names the place and what would be right there.
    pub fn calls(&self, response: &str) -> Result<Vec<ToolCall>, WireError> {
        let node = Node::parse(response, MESSAGE)?;
        if node.text().starts_with('[') {
            return Ok(identify(items(&node, false)?, "call_"));
        }
        let response = node.object(MESSAGE)?;
        failed(&response)?;
        let output = response.get("output")?.ok_or_else(|| response.unexpected(MESSAGE))?;
        Ok(identify(items(&output, response.is("status", "incomplete")?)?, "call_"))
    }

    /// The input items that answer the calls: a JSON array with one `function_call_output` a result.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::provider::openai::Responses;
    ///
    /// assert_eq!(Responses::plain().results(&[]), "[]");
    /// ```
    pub fn results(&self, results: &[ToolResult]) -> String {
        let mut out = String::new();
        push_list(&mut out, results, |out, result| {
            let texts: Vec<_> = result.content().iter().map(block_text).collect();
            out.push_str(r#"{"type":"function_call_output","call_id":"#);
            push_string(out, result.id());
            out.push_str(r#","output":"#);
            push_string(out, &texts.join("\n"));
            out.push('}');
        });
        out
    }

    /// Collects the calls of a streamed response.
    pub fn stream(&self) -> Stream {
        Stream::new(Frames::text(), Reader::Responses(Deltas::default()))
    }
}

/// The calls among the items. Of an answer that is cut off, the last item is not whole unless it says so.
fn items(output: &Node<'_>, is_cut: bool) -> Result<Vec<WireCall>, WireError> {
    let mut calls = Vec::new();
    let items = output.list("a list of output items")?;
    let count = items.len();
    for (index, item) in items.into_iter().enumerate() {
        let item = item.object("an output item")?;
        if item.is("type", "function_call")? {
            let mut call = WireCall::read_with("call_id", &item, &item, item.get("arguments")?.as_ref())?;
            let is_last = is_cut && index + 1 == count;
            if item.is("status", "incomplete")? || (is_last && !item.is("status", "completed")?) {
                call.cut_off();
            }
            calls.push(call);
        }
    }
    Ok(calls)
}

fn failed(response: &Object<'_>) -> Result<(), WireError> {
    match response.get("error")? {
        Some(error) => Err(WireError::Provider { message: error.text().to_owned() }),
        None => Ok(()),
    }
}

/// What the events of a streamed response add up to.
#[derive(Debug, Default)]
pub(super) struct Deltas {
    calls: Partials,
    is_done: bool,
    is_cut: bool,
}

impl Deltas {
    pub(super) fn event(&mut self, event: &Object<'_>) -> Result<(), WireError> {
        let expected = "the event's type, a string";
        let kind = event.need("type", expected)?.string(expected)?;
        match kind.as_str() {
            "error" | "response.failed" => {
                let place = event.first(&["response", "error", "message"])?;
                return Err(WireError::Provider {
                    message: place.map_or_else(String::new, |node| node.text().to_owned()),
                });
            }
            "response.output_item.added" | "response.output_item.done" => {
                let item = event.need("item", "an output item")?.object("an output item")?;
                if item.is("type", "function_call")? {
                    self.item(event, &item, kind == "response.output_item.done")?;
                }
            }
            "response.function_call_arguments.delta" => {
                let delta = event
                    .need("delta", "a piece of JSON, as a string")?
                    .string("a piece of JSON, as a string")?;
                // The deltas may come before the item that they are of.
                let number = number(event)?;
                self.calls.get(number)?;
                self.calls.extend(number, &delta)?;
            }
            "response.function_call_arguments.done" => {
                if let Some(arguments) = event.get("arguments")? {
                    let arguments = arguments.string("the arguments as text")?;
                    self.calls.keep(arguments.len())?;
                    self.calls.get(number(event)?)?.arguments = arguments;
                }
            }
            "response.completed" | "response.incomplete" => {
                self.is_done = true;
                self.is_cut = kind == "response.incomplete";
            }
            _ => {}
        }
        Ok(())
    }

    fn item(&mut self, event: &Object<'_>, item: &Object<'_>, is_whole: bool) -> Result<(), WireError> {
        let text = |key: &str| item.string(key, "a string");
        let (id, name, arguments) = (text("call_id")?, text("name")?, text("arguments")?);
        let is_incomplete = item.is("status", "incomplete")?;
        let kept = [&id, &name, &arguments].into_iter().flatten().map(String::len).sum();
        self.calls.keep(kept)?;
        let number = number(event)?;
        if !self.calls.may_have(number, id.as_deref()) {
            return Err(WireError::Unexpected {
                pointer: "/output_index".to_owned(),
                expected: "one item under each number",
                got: format!("another call under {number}"),
            });
        }
        let partial = self.calls.get(number)?;
        partial.id = id.or(partial.id.take());
        if let Some(name) = name {
            partial.name = name;
        }
        if let Some(arguments) = arguments.filter(|arguments| is_whole || !arguments.is_empty()) {
            partial.arguments = arguments;
        }
        partial.is_whole |= is_whole && !is_incomplete;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Vec<WireCall>, WireError> {
        if !self.is_done || (!self.is_cut && !self.calls.all_whole()) {
            return Err(WireError::Unfinished);
        }
        let whole = self.calls.whole();
        let mut calls = self.calls.into_calls()?;
        for (call, _) in calls.iter_mut().zip(whole).filter(|(_, is_whole)| !is_whole) {
            call.cut_off();
        }
        Ok(calls)
    }
}

fn number(event: &Object<'_>) -> Result<u64, WireError> {
    event.need("output_index", "the item's number")?.number("the item's number")
}
