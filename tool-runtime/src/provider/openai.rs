//! OpenAI's Chat Completions, which many other servers speak, too.
//!
//! # Examples
//! ```
//! use tool_runtime::provider::openai::Chat;
//!
//! let chat = Chat::plain();
//! let message = r#"{"role":"assistant","content":null,"tool_calls":[
//!     {"id":"call_1","type":"function","function":{"name":"weather_lookup","arguments":"{\"city\":\"Paris\"}"}}
//! ]}"#;
//! let calls = chat.calls(message)?;
//! assert_eq!(calls[0].name(), "weather_lookup");
//! assert_eq!(calls[0].arguments(), r#"{"city":"Paris"}"#);
//! # Ok::<(), tool_runtime::provider::WireError>(())
//! ```

use super::calls::{WireCall, identify};
use super::text::{block_text, push_list, push_string};
use super::wire::{Node, Object, WireError};
use crate::arguments::ToolCall;
use crate::definition::ToolDefinition;
use crate::output::ToolResult;

const MESSAGE: &str = "an assistant message or a chat completion";

/// Tools in the messages of Chat Completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chat(());

impl Chat {
    /// Chat Completions without strict mode: schemas go out as they are.
    pub fn plain() -> Self {
        Self(())
    }

    /// The request's `tools`: a JSON array, in the order given.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::provider::openai::Chat;
    ///
    /// assert_eq!(Chat::plain().tools([]), "[]");
    /// ```
    pub fn tools<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> String {
        let mut out = String::new();
        push_list(&mut out, definitions, |out, definition| {
            out.push_str(r#"{"type":"function","function":{"name":"#);
            push_string(out, definition.name());
            out.push_str(r#","description":"#);
            push_string(out, definition.description());
            out.push_str(r#","parameters":"#);
            out.push_str(definition.input_schema().text());
            // Said outright, since interfaces differ in what they take its absence for.
            out.push_str(r#","strict":false}}"#);
        });
        out
    }

    /// The calls in an assistant message, or in the first choice of a whole chat completion.
    ///
    /// A message without calls gives none. A call without an id gets one, which a host that sends the message back
    /// has to write into it.
    ///
    /// # Errors
    /// Returns [`WireError`] if the text is not such a message; it names the place and what would be right there.
    pub fn calls(&self, message: &str) -> Result<Vec<ToolCall>, WireError> {
        let message = assistant_message(Node::parse(message, MESSAGE)?.object(MESSAGE)?)?;
        if let Some(legacy) = message.get("function_call") {
            return Err(legacy.unexpected("no legacy call; send `tools` instead of `functions`"));
        }
        let Some(calls) = message.get("tool_calls") else { return Ok(Vec::new()) };
        let calls = calls.list("a list of calls")?;
        Ok(identify(calls.iter().map(read_call).collect::<Result<_, _>>()?))
    }

    /// The messages that answer the calls: a JSON array with one `tool` message a result.
    ///
    /// These messages carry text only; of an image or sound the model reads that it was left out.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::provider::openai::Chat;
    ///
    /// assert_eq!(Chat::plain().results(&[]), "[]");
    /// ```
    pub fn results(&self, results: &[ToolResult]) -> String {
        let mut out = String::new();
        push_list(&mut out, results, |out, result| {
            let texts: Vec<_> = result.content().iter().map(block_text).collect();
            out.push_str(r#"{"role":"tool","tool_call_id":"#);
            push_string(out, result.id());
            out.push_str(r#","content":"#);
            push_string(out, &texts.join("\n"));
            out.push('}');
        });
        out
    }
}

fn assistant_message(object: Object<'_>) -> Result<Object<'_>, WireError> {
    let message = if let Some(choices) = object.get("choices") {
        let list = choices.list("a list of choices")?;
        let first = list.first().ok_or_else(|| choices.unexpected("at least one choice"))?;
        let expected = "an assistant message";
        first.object("a choice")?.need("message", expected)?.object(expected)?
    } else {
        object
    };
    message.must_be("role", "assistant", "\"assistant\"")?;
    // Some servers leave out the role, so any of these makes a message.
    if ["role", "content", "tool_calls"].iter().all(|key| message.get(key).is_none()) {
        return Err(message.unexpected(MESSAGE));
    }
    Ok(message)
}

fn read_call(call: &Node<'_>) -> Result<WireCall, WireError> {
    let call = call.object("a call")?;
    call.must_be("type", "function", "\"function\"")?;
    let expected = "an object with the tool's name and arguments";
    let function = call.need("function", expected)?.object(expected)?;
    WireCall::read(&call, &function, function.get("arguments").as_ref())
}
