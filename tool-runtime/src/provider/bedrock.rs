//! Amazon Bedrock's Converse.
//!
//! # Examples
//! ```
//! use tool_runtime::provider::bedrock::Converse;
//!
//! let response = r#"{"output":{"message":{"role":"assistant","content":[
//!     {"toolUse":{"toolUseId":"tooluse_1","name":"weather_lookup","input":{"city":"Paris"}}}
//! ]}},"stopReason":"tool_use"}"#;
//! let calls = Converse::plain().calls(response)?;
//! assert_eq!(calls[0].id(), "tooluse_1");
//! # Ok::<(), tool_runtime::provider::WireError>(())
//! ```

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::calls::{WireCall, identify};
use super::frame::Frames;
use super::request::{Plan, Request, request};
use super::stream::{Partials, Reader, Stream};
use super::text::{block_text, push_list, push_string};
use super::wire::{Node, Object, WireError};
use crate::arguments::ToolCall;
use crate::definition::ToolDefinition;
use crate::output::{ContentBlock, ToolResult};
use crate::schema::dialect::Dialect;

const MESSAGE: &str = "an assistant message or a whole response";

/// The reasons to stop by which the last block need not be whole.
const CUT: [&str; 4] =
    ["max_tokens", "model_context_window_exceeded", "content_filtered", "guardrail_intervened"];

/// Tools in the messages of Bedrock's Converse and `ConverseStream`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Converse {
    strict: bool,
}

impl Converse {
    /// Converse without strict mode.
    pub fn plain() -> Self {
        Self { strict: false }
    }

    /// Converse with `strict` for every tool for which it holds.
    pub fn strict() -> Self {
        Self { strict: true }
    }

    /// The `toolConfig.tools` of the request.
    pub fn request<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
        let dialect = if self.strict { Dialect::BedrockStrict } else { Dialect::Bedrock };
        let plan = Plan { plain: Dialect::Bedrock, ..Plan::plain(dialect) };
        request(&plan, definitions, |out, tool| {
            out.push_str(r#"{"toolSpec":{"name":"#);
            push_string(out, tool.name);
            out.push_str(r#","description":"#);
            push_string(out, tool.definition.description());
            out.push_str(r#","inputSchema":{"json":"#);
            out.push_str(tool.schema);
            out.push('}');
            if tool.strict {
                out.push_str(r#","strict":true"#);
            }
            out.push_str("}}");
        })
    }

    /// The calls in an assistant message, or in a whole response.
    ///
    /// # Errors
    /// Returns [`WireError`] if the text is neither; it names the place and what would be right there.
    pub fn calls(&self, message: &str) -> Result<Vec<ToolCall>, WireError> {
        let whole = Node::parse(message, MESSAGE)?.object(MESSAGE)?;
        let is_cut = whole.is_any("stopReason", &CUT)?;
        let message = match whole.get("output")? {
            Some(output) => output.object(MESSAGE)?.need("message", MESSAGE)?.object(MESSAGE)?,
            None => whole,
        };
        message.must_be("role", "assistant", "\"assistant\"")?;
        let Some(content) = message.get("content")? else { return Err(message.unexpected(MESSAGE)) };
        let blocks = content.list("a list of content blocks")?;
        let count = blocks.len();
        let mut calls = Vec::new();
        for (index, block) in blocks.into_iter().enumerate() {
            let Some(call) = block.object("a content block")?.get("toolUse")? else { continue };
            let call = call.object("a call")?;
            let mut call = WireCall::read_with("toolUseId", &call, &call, call.get("input")?.as_ref())?;
            if is_cut && index + 1 == count {
                call.cut_off();
            }
            calls.push(call);
        }
        Ok(identify(calls, "call_"))
    }

    /// The message that answers the calls: one `user` message with a `toolResult` block a result.
    pub fn results(&self, results: &[ToolResult]) -> String {
        let mut out = r#"{"role":"user","content":"#.to_owned();
        push_list(&mut out, results, |out, result| {
            out.push_str(r#"{"toolResult":{"toolUseId":"#);
            push_string(out, result.id());
            out.push_str(r#","content":"#);
            // The interface refuses texts without a visible character.
            let visible =
                |block: &&ContentBlock| !matches!(block, ContentBlock::Text(text) if text.trim().is_empty());
            push_list(out, result.content().iter().filter(visible), push_block);
            out.push_str(if result.is_error() {
                r#","status":"error"}}"#
            } else {
                r#","status":"success"}}"#
            });
        });
        out.push('}');
        out
    }

    /// Collects the calls of a streamed answer: the binary event stream, or its events as an AWS SDK gives them,
    /// such as `{"contentBlockStart":{…}}`.
    pub fn stream(&self) -> Stream {
        Stream::new(Frames::aws(), Reader::Converse(Deltas::default()))
    }
}

fn push_block(out: &mut String, block: &ContentBlock) {
    let format = match block {
        ContentBlock::Image { media_type, .. } => media_type.strip_prefix("image/"),
        _ => None,
    };
    match (block, format) {
        (ContentBlock::Image { data, .. }, Some(format @ ("png" | "jpeg" | "gif" | "webp"))) => {
            out.push_str(r#"{"image":{"format":"#);
            push_string(out, format);
            out.push_str(r#","source":{"bytes":""#);
            STANDARD.encode_string(data, out);
            out.push_str(r#""}}}"#);
        }
        _ => {
            out.push_str(r#"{"text":"#);
            push_string(out, &block_text(block));
            out.push('}');
        }
    }
}

/// What the events of a streamed answer add up to.
#[derive(Debug, Default)]
pub(super) struct Deltas {
    calls: Partials,
    is_done: bool,
    is_cut: bool,
    last_block: Option<u64>,
}

impl Deltas {
    pub(super) fn event(&mut self, event: &Object<'_>) -> Result<(), WireError> {
        let get = |name: &str| event.object(name, "an event");
        let number = |object: &Object<'_>| {
            object.need("contentBlockIndex", "the block's number")?.number("the block's number")
        };
        let exception = [
            "internalServerException",
            "modelStreamErrorException",
            "validationException",
            "throttlingException",
            "serviceUnavailableException",
        ];
        if let Some(error) = event.first(&exception)? {
            return Err(WireError::Provider { message: error.text().to_owned() });
        }
        if let Some(start) = get("contentBlockStart")? {
            let index = number(&start)?;
            self.last_block = Some(index);
            if let Some(inner) = start.object("start", "a block's start")?
                && let Some(call) = inner.object("toolUse", "a call")?
            {
                let text = |key: &str| call.string(key, "a string");
                let (id, name) = (text("toolUseId")?, text("name")?.unwrap_or_default());
                self.calls.keep(name.len() + id.as_ref().map_or(0, String::len))?;
                let partial = self.calls.begin(index)?;
                (partial.id, partial.name, partial.start) = (id, name, "{}".to_owned());
            }
        }
        if let Some(delta) = get("contentBlockDelta")? {
            let index = number(&delta)?;
            if let Some(inner) = delta.object("delta", "a delta")?
                && let Some(tool) = inner.object("toolUse", "a call's delta")?
                && let Some(input) = tool.get("input")?
            {
                let input = input.string("a piece of JSON, as a string")?;
                self.calls.extend(index, &input)?;
            }
        }
        if let Some(stop) = get("contentBlockStop")?
            && let Some(partial) = self.calls.find_mut(number(&stop)?)
        {
            partial.is_whole = true;
        }
        if let Some(stop) = get("messageStop")? {
            self.is_done = true;
            self.is_cut = stop.is_any("stopReason", &CUT)?;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Vec<WireCall>, WireError> {
        if !self.is_done || !self.calls.all_whole() {
            return Err(WireError::Unfinished);
        }
        let is_cut = self.is_cut && self.calls.last().map(|last| last.number) == self.last_block;
        let mut calls = self.calls.into_calls()?;
        if let Some(last) = calls.last_mut().filter(|_| is_cut) {
            last.cut_off();
        }
        Ok(calls)
    }
}
