//! The Model Context Protocol: tools, calls and results as the JSON of its messages.
//!
//! # Examples
//! ```
//! use tool_runtime::ToolCall;
//! use tool_runtime::provider::mcp::Revision;
//!
//! let call = ToolCall::new("1", "weather_lookup", r#"{"city":"Paris"}"#);
//! let params = Revision::V2026_07_28.call(&call);
//! assert_eq!(params, r#"{"name":"weather_lookup","arguments":{"city":"Paris"}}"#);
//! assert_eq!(Revision::V2026_07_28.read_call("1", &params)?, call);
//! # Ok::<(), tool_runtime::provider::WireError>(())
//! ```

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::calls::{WireCall, identify};
use super::request::{Plan, Request, request};
use super::text::{push_list, push_string};
use super::wire::{Node, WireError};
use crate::arguments::{ToolCall, says_nothing};
use crate::definition::{Effect, ToolDefinition};
use crate::output::{ContentBlock, ToolResult};
use crate::schema::Schema;
use crate::schema::dialect::{Dialect, in_object};

/// A revision of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Revision {
    /// Of 2025-11-25: outputs are objects, and others go as the `result` of one.
    V2025_11_25,
    /// Of 2026-07-28: any schema, and any value as structured content.
    V2026_07_28,
}

impl Revision {
    /// The `tools` of a `tools/list` result.
    pub fn request<'a>(self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
        let dialect = match self {
            Self::V2025_11_25 => Dialect::Mcp20251125,
            Self::V2026_07_28 => Dialect::Mcp20260728,
        };
        request(&Plan::plain(dialect), definitions, |out, tool| {
            let definition = tool.definition;
            out.push_str(r#"{"name":"#);
            push_string(out, tool.name);
            if let Some(title) = definition.title() {
                out.push_str(r#","title":"#);
                push_string(out, title);
            }
            out.push_str(r#","description":"#);
            push_string(out, definition.description());
            out.push_str(r#","inputSchema":"#);
            out.push_str(tool.schema);
            if let Some(output) = definition.output_schema() {
                out.push_str(r#","outputSchema":"#);
                if self.wraps(output) {
                    out.push_str(&in_object(output.text()));
                } else {
                    out.push_str(output.text());
                }
            }
            push_annotations(out, definition);
            out.push('}');
        })
    }

    /// The `params` of a `tools/call` request.
    ///
    /// An object goes as the model wrote it, and no arguments as an empty one. Any other text goes as a string, so that
    /// the reader of arguments at the other end refuses it for what it is, and no tool runs without its arguments.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::ToolCall;
    /// use tool_runtime::provider::mcp::Revision;
    ///
    /// let cut_off = ToolCall::new("1", "weather_lookup", r#"{"city":"Pa"#);
    /// let params = Revision::V2025_11_25.call(&cut_off);
    /// assert_eq!(params, r#"{"name":"weather_lookup","arguments":"{\"city\":\"Pa"}"#);
    /// assert_eq!(Revision::V2025_11_25.read_call("1", &params)?, cut_off);
    /// # Ok::<(), tool_runtime::provider::WireError>(())
    /// ```
    pub fn call(self, call: &ToolCall) -> String {
        let mut out = r#"{"name":"#.to_owned();
        push_string(&mut out, call.name());
        out.push_str(r#","arguments":"#);
        let text = call.arguments().trim_matches([' ', '\n', '\r', '\t']);
        let is_object = text.starts_with('{') && Node::parse(text, "an object").is_ok();
        match text {
            object if is_object => out.push_str(object),
            nothing if says_nothing(nothing) => out.push_str("{}"),
            _ => push_string(&mut out, call.arguments()),
        }
        out.push('}');
        out
    }

    /// The call in the `params` of a `tools/call` request; the id is that of the request.
    ///
    /// # Errors
    /// Returns [`WireError`] if the text is no such object; it names the place and what would be right there.
    pub fn read_call(self, id: &str, params: &str) -> Result<ToolCall, WireError> {
        let expected = "the parameters of a call";
        let params = Node::parse(params, expected)?.object(expected)?;
        let call = WireCall::read_with("", &params, &params, params.get("arguments")?.as_ref())?;
        let call = identify(vec![call], "").pop().ok_or(WireError::Unfinished)?;
        Ok(ToolCall::new(id, call.name(), call.arguments()))
    }

    /// The `result` of a `tools/call` request. The definition says how the value is structured.
    pub fn result(self, definition: &ToolDefinition, result: &ToolResult) -> String {
        let mut out = r#"{"content":"#.to_owned();
        push_list(&mut out, result.content(), push_block);
        if let (Some(value), Some(output)) = (result.value_text(), definition.output_schema()) {
            out.push_str(r#","structuredContent":"#);
            if self.wraps(output) {
                out.push_str(r#"{"result":"#);
                out.push_str(value);
                out.push('}');
            } else {
                out.push_str(value);
            }
        }
        out.push_str(if result.is_error() { r#","isError":true}"# } else { r#","isError":false}"# });
        out
    }

    fn wraps(self, output: &Schema) -> bool {
        self == Self::V2025_11_25 && !output.is_object()
    }
}

fn push_annotations(out: &mut String, definition: &ToolDefinition) {
    let mut hints = vec![
        ("readOnlyHint", definition.effect() == Effect::Read),
        ("idempotentHint", definition.is_idempotent()),
    ];
    for (name, flag) in definition.annotations() {
        match hints.iter_mut().find(|(known, _)| known == name) {
            Some((_, own)) => *own = *flag,
            None => hints.push((name, *flag)),
        }
    }
    out.push_str(r#","annotations":{"#);
    for (position, (name, flag)) in hints.into_iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        push_string(out, name);
        out.push_str(if flag { ":true" } else { ":false" });
    }
    out.push('}');
}

fn push_block(out: &mut String, block: &ContentBlock) {
    let mut media = |kind: &str, data: &[u8], media_type: &str| {
        out.push_str(r#"{"type":"#);
        push_string(out, kind);
        out.push_str(r#","data":""#);
        STANDARD.encode_string(data, out);
        out.push_str(r#"","mimeType":"#);
        push_string(out, media_type);
    };
    match block {
        ContentBlock::Image { data, media_type } => media("image", data, media_type),
        ContentBlock::Audio { data, media_type } => media("audio", data, media_type),
        ContentBlock::Text(text) => {
            out.push_str(r#"{"type":"text","text":"#);
            push_string(out, text);
        }
        ContentBlock::ResourceLink { uri, name } => {
            out.push_str(r#"{"type":"resource_link","uri":"#);
            push_string(out, uri);
            out.push_str(r#","name":"#);
            push_string(out, name);
        }
        ContentBlock::Resource { uri, media_type, text } => {
            out.push_str(r#"{"type":"resource","resource":{"uri":"#);
            push_string(out, uri);
            out.push_str(r#","mimeType":"#);
            push_string(out, media_type);
            out.push_str(r#","text":"#);
            push_string(out, text);
            out.push('}');
        }
    }
    out.push('}');
}
