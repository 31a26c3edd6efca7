//! Anthropic's Messages.
//!
//! # Examples
//! ```
//! use tool_runtime::provider::anthropic::Messages;
//!
//! let messages = Messages::plain();
//! let message = r#"{"role":"assistant","content":[
//!     {"type":"text","text":"I will look."},
//!     {"type":"tool_use","id":"toolu_1","name":"weather_lookup","input":{"city":"Paris"}}
//! ]}"#;
//! let calls = messages.calls(message)?;
//! assert_eq!(calls[0].name(), "weather_lookup");
//! assert_eq!(calls[0].arguments(), r#"{"city":"Paris"}"#);
//! # Ok::<(), tool_runtime::provider::WireError>(())
//! ```

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::calls::{WireCall, identify};
use super::frame::Frames;
use super::request::{Limits, Outgoing, Plan, Request, request, tools};
use super::stream::{Partials, Reader, Stream};
use super::text::{block_text, push_list, push_string};
use super::wire::{Node, Object, WireError};
use crate::arguments::ToolCall;
use crate::definition::{Form, ToolDefinition};
use crate::output::{ContentBlock, ToolResult};
use crate::schema::dialect::Dialect;

const MESSAGE: &str = "an assistant message or a whole response";

/// The reasons to stop by which the last block need not be whole.
const CUT: [&str; 3] = ["max_tokens", "model_context_window_exceeded", "refusal"];

/// The images that the Messages interface takes.
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Tools in the messages of Anthropic's Messages interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Messages {
    strict: bool,
    defer: bool,
}

impl Messages {
    /// Messages without strict mode: schemas go out as they are, but for what every request would fail by.
    pub fn plain() -> Self {
        Self { strict: false, defer: false }
    }

    /// Messages with `strict` for every tool for which it holds, as far as a request's budget of strict tools goes.
    pub fn strict() -> Self {
        Self { strict: true, defer: false }
    }

    /// Says `defer_loading` of deferred tools, for the provider's own search of tools.
    pub fn defer_loading(self) -> Self {
        Self { defer: true, ..self }
    }

    /// The request's tools, with what was lost on the way and the way back.
    pub fn request<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
        request(&self.plan(), definitions, |out, tool| self.push(out, tool))
    }

    /// The request's `tools`: a JSON array, in the order given.
    ///
    /// Without the way back: where `strict` is on or a property's name is one that the provider refuses, calls are
    /// read right only with [`Request::restore`].
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::provider::anthropic::Messages;
    ///
    /// assert_eq!(Messages::plain().tools([]), "[]");
    /// ```
    pub fn tools<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> String {
        let form = if self.defer { Form::MessagesDeferring } else { Form::Messages };
        tools(&self.plan(), (!self.strict).then_some(form), definitions, |out, tool| self.push(out, tool))
    }

    fn plan(self) -> Plan {
        if self.strict {
            let limits = Limits { strict_tools: 20, optional: 24, unions: 16, ..Limits::NONE };
            Plan { plain: Dialect::Anthropic, limits, ..Plan::plain(Dialect::AnthropicStrict) }
        } else {
            Plan::plain(Dialect::Anthropic)
        }
    }

    fn push(self, out: &mut String, tool: &Outgoing<'_>) {
        out.push_str(r#"{"name":"#);
        push_string(out, tool.name);
        out.push_str(r#","description":"#);
        push_string(out, tool.definition.description());
        out.push_str(r#","input_schema":"#);
        out.push_str(tool.schema);
        if tool.strict {
            out.push_str(r#","strict":true"#);
        }
        if self.defer && tool.definition.deferred() == Some(true) {
            out.push_str(r#","defer_loading":true"#);
        }
        out.push('}');
    }

    /// Collects the calls of a streamed answer.
    pub fn stream(&self) -> Stream {
        Stream::new(Frames::text(), Reader::Messages(Deltas::default()))
    }

    /// The calls in an assistant message, or in a whole response, with the text of each input as it stands there.
    ///
    /// A message without calls gives none; tools that the provider runs itself are not among them. A call without
    /// an id gets one, which a host that sends the message back has to write into it.
    ///
    /// # Errors
    /// Returns [`WireError`] if the text is not such a message; it names the place and what would be right there.
    pub fn calls(&self, message: &str) -> Result<Vec<ToolCall>, WireError> {
        let message = Node::parse(message, MESSAGE)?.object(MESSAGE)?;
        message.must_be("type", "message", "\"message\"")?;
        message.must_be("role", "assistant", "\"assistant\"")?;
        let Some(content) = message.get("content")? else { return Err(message.unexpected(MESSAGE)) };
        if content.is_string() {
            return Ok(Vec::new());
        }
        let mut calls = Vec::new();
        let blocks = content.list("a text or a list of content blocks")?;
        let count = blocks.len();
        let is_cut = message.is_any("stop_reason", &CUT)?;
        for (index, block) in blocks.into_iter().enumerate() {
            let block = block.object("a content block")?;
            let expected = "the block's type, a string";
            if block.need("type", expected)?.string(expected)? == "tool_use" {
                let mut call = WireCall::read(&block, &block, block.get("input")?.as_ref())?;
                if is_cut && index + 1 == count {
                    call.cut_off();
                }
                calls.push(call);
            }
        }
        Ok(identify(calls, "call_"))
    }

    /// The message that answers the calls: one `user` message with a `tool_result` block a result.
    ///
    /// Of sound, and of images of other types than JPEG, PNG, GIF and WebP, the model reads that they were left out.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::provider::anthropic::Messages;
    ///
    /// assert_eq!(Messages::plain().results(&[]), r#"{"role":"user","content":[]}"#);
    /// ```
    pub fn results(&self, results: &[ToolResult]) -> String {
        let mut out = r#"{"role":"user","content":"#.to_owned();
        push_list(&mut out, results, push_result);
        out.push('}');
        out
    }
}

fn push_result(out: &mut String, result: &ToolResult) {
    out.push_str(r#"{"type":"tool_result","tool_use_id":"#);
    push_string(out, result.id());
    // The interface refuses text blocks without a visible character.
    let visible =
        |block: &&ContentBlock| !matches!(block, ContentBlock::Text(text) if text.trim().is_empty());
    let blocks: Vec<_> = result.content().iter().filter(visible).collect();
    if !blocks.is_empty() {
        out.push_str(r#","content":"#);
        push_list(out, blocks, push_block);
    }
    if result.is_error() {
        out.push_str(r#","is_error":true"#);
    }
    out.push('}');
}

fn push_block(out: &mut String, block: &ContentBlock) {
    match block {
        ContentBlock::Image { data, media_type } if IMAGES.contains(&&**media_type) => {
            out.push_str(r#"{"type":"image","source":{"type":"base64","media_type":"#);
            push_string(out, media_type);
            out.push_str(r#","data":""#);
            STANDARD.encode_string(data, out);
            out.push_str(r#""}}"#);
        }
        _ => {
            out.push_str(r#"{"type":"text","text":"#);
            push_string(out, &block_text(block));
            out.push('}');
        }
    }
}

/// About what is kept of a block that is no call, in bytes.
const OTHER: usize = 64;

/// What the events of a streamed answer add up to.
#[derive(Debug, Default)]
pub(super) struct Deltas {
    calls: Partials,
    is_done: bool,
    is_cut: bool,
    /// The blocks that are no calls, tools that the provider runs itself among them.
    others: BTreeSet<u64>,
    /// The block that came last, which is the one that a limit cuts.
    last_block: Option<u64>,
}

impl Deltas {
    pub(super) fn event(&mut self, event: &Object<'_>) -> Result<(), WireError> {
        let expected = "the event's type, a string";
        let index = || event.need("index", "the block's number")?.number("the block's number");
        match event.need("type", expected)?.string(expected)?.as_str() {
            "error" => {
                let message = event.get("error")?.map(|error| error.text().to_owned()).unwrap_or_default();
                return Err(WireError::Provider { message });
            }
            "content_block_start" => {
                let expected = "a content block";
                let block = event.need("content_block", expected)?.object(expected)?;
                let number = index()?;
                self.last_block = Some(number);
                if block.is("type", "tool_use")? {
                    let text = |key: &str| block.string(key, "a string");
                    let (id, name) = (text("id")?, text("name")?.unwrap_or_default());
                    // Some servers send the whole input here, and no deltas.
                    let input = block.get("input")?.map(|input| input.text().to_owned()).unwrap_or_default();
                    let size = id.as_ref().map_or(0, String::len);
                    self.calls.keep(size + name.len() + input.len())?;
                    let partial = self.calls.begin(number)?;
                    (partial.id, partial.name, partial.start) = (id, name, input);
                } else {
                    self.calls.keep(OTHER)?;
                    self.others.insert(number);
                }
            }
            "content_block_delta" => {
                let delta = event.need("delta", "a delta")?.object("a delta")?;
                let number = index()?;
                if delta.is("type", "input_json_delta")?
                    && let Some(json) = delta.get("partial_json")?
                {
                    let json = json.string("a piece of JSON, as a string")?;
                    if !self.others.contains(&number) {
                        self.calls.extend(number, &json)?;
                    }
                }
            }
            "content_block_stop" => {
                if let Some(partial) = self.calls.find_mut(index()?) {
                    partial.is_whole = true;
                }
            }
            "message_delta" => {
                if let Some(delta) = event.object("delta", "a delta")? {
                    self.is_cut |= delta.is_any("stop_reason", &CUT)?;
                }
            }
            "message_stop" => self.is_done = true,
            _ => {}
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
