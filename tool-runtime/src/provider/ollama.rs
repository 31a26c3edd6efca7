//! Ollama's own chat interface; for llama.cpp's server see [`super::openai::Chat::llama_cpp`].
//!
//! # Examples
//! ```
//! use tool_runtime::provider::ollama::Chat;
//!
//! let response = r#"{"message":{"role":"assistant","content":"","tool_calls":[
//!     {"function":{"name":"weather_lookup","arguments":{"city":"Paris"}}}
//! ]},"done":true}"#;
//! assert_eq!(Chat::new().calls(response)?[0].name(), "weather_lookup");
//! # Ok::<(), tool_runtime::provider::WireError>(())
//! ```

use super::calls::{WireCall, identify};
use super::frame::Frames;
use super::request::{Plan, Request, request};
use super::stream::{MAX_BYTES, MAX_CALLS, Reader, Stream};
use super::text::{block_text, push_list, push_string};
use super::wire::{Node, Object, WireError};
use crate::arguments::ToolCall;
use crate::definition::ToolDefinition;
use crate::output::ToolResult;
use crate::schema::dialect::Dialect;

const MESSAGE: &str = "an assistant message or a chat response";

/// Tools in the messages of Ollama's `/api/chat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Chat(());

impl Chat {
    /// Ollama's chat.
    pub fn new() -> Self {
        Self(())
    }

    /// The request's tools, with what was lost on the way and the way back.
    pub fn request<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
        request(&Plan::plain(Dialect::Ollama), definitions, |out, tool| {
            out.push_str(r#"{"type":"function","function":{"name":"#);
            push_string(out, tool.name);
            out.push_str(r#","description":"#);
            push_string(out, tool.definition.description());
            out.push_str(r#","parameters":"#);
            out.push_str(tool.schema);
            out.push_str("}}");
        })
    }

    /// The calls in an assistant message, or in a chat response.
    ///
    /// # Errors
    /// Returns [`WireError`] if the text is neither; it names the place and what would be right there.
    pub fn calls(&self, message: &str) -> Result<Vec<ToolCall>, WireError> {
        let message = Node::parse(message, MESSAGE)?.object(MESSAGE)?;
        let mut deltas = Deltas::default();
        if message.get("role")?.is_some() {
            deltas.message(&message)?;
        } else if message.first(&["message", "error"])?.is_some() {
            deltas.event(&message)?;
        } else {
            return Err(message.unexpected(MESSAGE));
        }
        Ok(identify(deltas.calls, "call_"))
    }

    /// The messages that answer the calls: a JSON array with one `tool` message a result, known by the tool's name.
    pub fn results(&self, results: &[ToolResult]) -> String {
        let mut out = String::new();
        push_list(&mut out, results, |out, result| {
            let texts: Vec<_> = result.content().iter().map(block_text).collect();
            out.push_str(r#"{"role":"tool","tool_name":"#);
            push_string(out, result.name());
            out.push_str(r#","content":"#);
            push_string(out, &texts.join("\n"));
            out.push('}');
        });
        out
    }

    /// Collects the calls of a streamed answer: JSON lines.
    pub fn stream(&self) -> Stream {
        Stream::new(Frames::text(), Reader::Ollama(Deltas::default()))
    }
}

/// What the lines of a streamed answer add up to.
#[derive(Debug, Default)]
pub(super) struct Deltas {
    calls: Vec<WireCall>,
    bytes: usize,
    is_done: bool,
}

impl Deltas {
    pub(super) fn event(&mut self, line: &Object<'_>) -> Result<(), WireError> {
        if let Some(error) = line.get("error")? {
            return Err(WireError::Provider { message: error.text().to_owned() });
        }
        if let Some(message) = line.get("message")? {
            self.message(&message.object("a message")?)?;
        }
        self.is_done |= line.get("done")?.is_some_and(|done| done.text() == "true");
        Ok(())
    }

    fn message(&mut self, message: &Object<'_>) -> Result<(), WireError> {
        message.must_be("role", "assistant", "\"assistant\"")?;
        let Some(calls) = message.get("tool_calls")? else { return Ok(()) };
        for call in calls.list("a list of calls")? {
            let call = call.object("a call")?;
            let expected = "an object with the tool's name and arguments";
            let function = call.need("function", expected)?.object(expected)?;
            self.keep(WireCall::read(&call, &function, function.get("arguments")?.as_ref())?)?;
        }
        Ok(())
    }

    fn keep(&mut self, call: WireCall) -> Result<(), WireError> {
        self.bytes = self.bytes.saturating_add(call.size());
        if self.bytes > MAX_BYTES {
            return Err(WireError::TooLarge { limit: MAX_BYTES });
        }
        if self.calls.len() >= MAX_CALLS {
            return Err(WireError::TooLarge { limit: MAX_CALLS });
        }
        self.calls.push(call);
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Vec<WireCall>, WireError> {
        if self.is_done { Ok(self.calls) } else { Err(WireError::Unfinished) }
    }
}
