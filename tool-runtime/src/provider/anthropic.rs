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

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::calls::{WireCall, identify};
use super::text::{block_text, push_list, push_string};
use super::wire::{Node, WireError};
use crate::arguments::ToolCall;
use crate::definition::ToolDefinition;
use crate::output::{ContentBlock, ToolResult};

const MESSAGE: &str = "an assistant message or a whole response";

/// The images that the Messages interface takes.
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Tools in the messages of Anthropic's Messages interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Messages(());

impl Messages {
    /// Messages without strict mode: schemas go out as they are.
    pub fn plain() -> Self {
        Self(())
    }

    /// The request's `tools`: a JSON array, in the order given.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::provider::anthropic::Messages;
    ///
    /// assert_eq!(Messages::plain().tools([]), "[]");
    /// ```
    pub fn tools<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> String {
        let mut out = String::new();
        push_list(&mut out, definitions, |out, definition| {
            out.push_str(r#"{"name":"#);
            push_string(out, definition.name());
            out.push_str(r#","description":"#);
            push_string(out, definition.description());
            out.push_str(r#","input_schema":"#);
            out.push_str(definition.input_schema().text());
            out.push('}');
        });
        out
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
        let Some(content) = message.get("content") else { return Err(message.unexpected(MESSAGE)) };
        if content.is_string() {
            return Ok(Vec::new());
        }
        let mut calls = Vec::new();
        for block in content.list("a text or a list of content blocks")? {
            let block = block.object("a content block")?;
            let expected = "the block's type, a string";
            if block.need("type", expected)?.string(expected)? == "tool_use" {
                calls.push(WireCall::read(&block, &block, block.get("input").as_ref())?);
            }
        }
        Ok(identify(calls))
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
