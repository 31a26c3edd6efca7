//! Gemini's `generateContent`.
//!
//! # Examples
//! ```
//! use tool_runtime::provider::gemini::Generate;
//!
//! let response = r#"{"candidates":[{"content":{"role":"model","parts":[
//!     {"functionCall":{"name":"weather_lookup","args":{"city":"Paris"}}}
//! ]},"finishReason":"STOP"}]}"#;
//! let calls = Generate::parameters().calls(response)?;
//! assert_eq!(calls[0].arguments(), r#"{"city":"Paris"}"#);
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

const MESSAGE: &str = "a model's content or a whole response";

/// The beginning of ids that were made here, since many answers have none; they are not sent back.
pub(super) const LOCAL_ID: &str = "local_call_";

/// Tools in the contents of Gemini's `generateContent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generate {
    dialect: Dialect,
}

impl Generate {
    /// Declarations with `parameters`, a subset of `OpenAPI`, which every model and the Live interface read.
    pub fn parameters() -> Self {
        Self { dialect: Dialect::GeminiParameters }
    }

    /// Declarations with `parametersJsonSchema`.
    pub fn json_schema() -> Self {
        Self { dialect: Dialect::GeminiJsonSchema }
    }

    /// The request's `tools`: a list with one object of `functionDeclarations`; empty without tools.
    pub fn request<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
        let plan = Plan { takes_name, ..Plan::plain(self.dialect) };
        let key =
            if self.dialect == Dialect::GeminiParameters { "parameters" } else { "parametersJsonSchema" };
        let request = request(&plan, definitions, |out, tool| {
            out.push_str(r#"{"name":"#);
            push_string(out, tool.name);
            out.push_str(r#","description":"#);
            push_string(out, tool.definition.description());
            // Some versions refuse an object without properties; left out, it means the same.
            if tool.definition.input_schema().has_properties() {
                out.push(',');
                push_string(out, key);
                out.push(':');
                out.push_str(tool.schema);
            }
            out.push('}');
        });
        let list = request.tools().to_owned();
        let tools = if list == "[]" { list } else { format!(r#"[{{"functionDeclarations":{list}}}]"#) };
        request.with_tools(tools)
    }

    /// The calls in a model's content, or in the first candidate of a whole response.
    ///
    /// Many answers have no ids; those that are made here are left out when the results go back.
    ///
    /// # Errors
    /// Returns [`WireError`] if the text is neither; it names the place and what would be right there.
    pub fn calls(&self, message: &str) -> Result<Vec<ToolCall>, WireError> {
        let message = Node::parse(message, MESSAGE)?.object(MESSAGE)?;
        let mut deltas = Deltas::default();
        if message.get("parts")?.is_some() {
            deltas.content(&message)?;
        } else if message.first(&["candidates", "promptFeedback", "error"])?.is_some() {
            deltas.event(&message)?;
        } else {
            return Err(message.unexpected(MESSAGE));
        }
        Ok(identify(deltas.calls, LOCAL_ID))
    }

    /// The content that answers the calls: one `user` content with a `functionResponse` a result.
    ///
    /// The request says under which names the tools went out.
    pub fn results(&self, request: &Request, results: &[ToolResult]) -> String {
        let mut out = r#"{"role":"user","parts":"#.to_owned();
        push_list(&mut out, results, |out, result| {
            let texts: Vec<_> = result.content().iter().map(block_text).collect();
            out.push_str(r#"{"functionResponse":{"#);
            if !result.id().starts_with(LOCAL_ID) {
                out.push_str(r#""id":"#);
                push_string(out, result.id());
                out.push(',');
            }
            out.push_str(r#""name":"#);
            push_string(out, request.sent_name(result.name()));
            out.push_str(r#","response":{"#);
            out.push_str(if result.is_error() { r#""error":"# } else { r#""output":"# });
            push_string(out, &texts.join("\n"));
            out.push_str("}}}");
        });
        out.push('}');
        out
    }

    /// Collects the calls of a streamed answer: server-sent events, or the list of responses that comes without.
    pub fn stream(&self) -> Stream {
        Stream::new(Frames::text(), Reader::Generate(Deltas::default()))
    }
}

fn takes_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// What the responses of a stream add up to.
#[derive(Debug, Default)]
pub(super) struct Deltas {
    calls: Vec<WireCall>,
    bytes: usize,
    is_done: bool,
}

impl Deltas {
    pub(super) fn event(&mut self, response: &Object<'_>) -> Result<(), WireError> {
        if let Some(error) = response.get("error")? {
            return Err(WireError::Provider { message: error.text().to_owned() });
        }
        // A prompt that was blocked has no candidates.
        self.is_done |=
            response.get("promptFeedback")?.is_some_and(|feedback| feedback.text().contains("blockReason"));
        let Some(candidates) = response.get("candidates")? else { return Ok(()) };
        let Some(first) = candidates.list("a list of candidates")?.into_iter().next() else { return Ok(()) };
        let first = first.object("a candidate")?;
        if let Some(content) = first.get("content")? {
            self.content(&content.object("a content")?)?;
        }
        self.is_done |= first.get("finishReason")?.is_some();
        Ok(())
    }

    fn content(&mut self, content: &Object<'_>) -> Result<(), WireError> {
        content.must_be("role", "model", "\"model\"")?;
        let Some(parts) = content.get("parts")? else { return Ok(()) };
        for part in parts.list("a list of parts")? {
            let part = part.object("a part")?;
            let Some(call) = part.get("functionCall")? else { continue };
            let call = call.object("a call")?;
            // Arguments in pieces have another form, and a call would run without those that are to come.
            if let Some(pieces) = call.first(&["partialArgs", "willContinue"])?
                && pieces.text() != "false"
            {
                return Err(pieces.unexpected("whole calls; leave `streamFunctionCallArguments` out"));
            }
            self.keep(WireCall::read(&call, &call, call.get("args")?.as_ref())?)?;
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
