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
use super::frame::Frames;
use super::request::{Limits, Outgoing, Plan, Request, request, tools};
use super::stream::{Partials, Reader, Stream};
use super::text::{block_text, push_list, push_string};
use super::wire::{Node, Object, WireError};
use crate::arguments::ToolCall;
use crate::definition::{Form, ToolDefinition};
use crate::output::ToolResult;
use crate::schema::dialect::Dialect;

pub use super::responses::Responses;

const MESSAGE: &str = "an assistant message or a chat completion";

/// The reasons to finish by which the last call need not be whole.
const CUT: [&str; 4] = ["length", "model_length", "content_filter", "insufficient_system_resource"];

/// The limits of OpenAI's interfaces over a request.
pub(super) const LIMITS: Limits =
    Limits { tools: 128, description: 1_024, properties: 5_000, ..Limits::NONE };

/// Tools in the messages of Chat Completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chat {
    pub(super) server: Server,
}

/// Who speaks Chat Completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Server {
    Plain,
    Strict,
    LlamaCpp,
    DeepSeekStrict,
}

impl Chat {
    /// Chat Completions without strict mode: schemas go out as they are, but for what every request would fail by.
    pub fn plain() -> Self {
        Self { server: Server::Plain }
    }

    /// Chat Completions with `strict` for every tool for which it holds.
    pub fn strict() -> Self {
        Self { server: Server::Strict }
    }

    /// The Chat Completions of llama.cpp's server, which makes a grammar of the tools.
    pub fn llama_cpp() -> Self {
        Self { server: Server::LlamaCpp }
    }

    fn plan(self) -> Plan {
        match self.server {
            Server::Plain => Plan { limits: LIMITS, ..Plan::plain(Dialect::OpenAi) },
            Server::Strict => {
                Plan { plain: Dialect::OpenAi, limits: LIMITS, ..Plan::plain(Dialect::OpenAiStrict) }
            }
            Server::LlamaCpp => Plan::plain(Dialect::LlamaCpp),
            Server::DeepSeekStrict => Plan {
                plain: Dialect::OpenAi,
                limits: LIMITS,
                all_or_none: true,
                ..Plan::plain(Dialect::DeepSeekStrict)
            },
        }
    }

    /// The request's tools, with what was lost on the way and the way back.
    pub fn request<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
        request(&self.plan(), definitions, push_function)
    }

    /// The request's `tools`: a JSON array, in the order given.
    ///
    /// Without the way back: where `strict` is on or a property's name is one that the provider refuses, calls are
    /// read right only with [`Request::restore`].
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::provider::openai::Chat;
    ///
    /// assert_eq!(Chat::plain().tools([]), "[]");
    /// ```
    pub fn tools<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> String {
        let form = match self.server {
            Server::Plain => Some(Form::Chat),
            Server::LlamaCpp => Some(Form::ChatOfLlamaCpp),
            Server::Strict | Server::DeepSeekStrict => None,
        };
        tools(&self.plan(), form, definitions, push_function)
    }

    /// Collects the calls of a streamed answer, whose events are chunks with deltas.
    pub fn stream(&self) -> Stream {
        Stream::new(Frames::text(), Reader::Chat(Deltas::default()))
    }

    /// The calls in an assistant message, or in the first choice of a whole chat completion.
    ///
    /// A message without calls gives none. A call without an id gets one, which a host that sends the message back
    /// has to write into it.
    ///
    /// # Errors
    /// Returns [`WireError`] if the text is not such a message; it names the place and what would be right there.
    pub fn calls(&self, message: &str) -> Result<Vec<ToolCall>, WireError> {
        let whole = Node::parse(message, MESSAGE)?.object(MESSAGE)?;
        let (message, is_cut) = assistant_message(whole)?;
        no_legacy_call(&message)?;
        let Some(calls) = message.get("tool_calls")? else { return Ok(Vec::new()) };
        let calls = calls.list("a list of calls")?;
        let mut calls: Vec<WireCall> = calls.iter().map(read_call).collect::<Result<_, _>>()?;
        if let Some(last) = calls.last_mut().filter(|_| is_cut) {
            last.cut_off();
        }
        Ok(identify(calls, "call_"))
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

fn push_function(out: &mut String, tool: &Outgoing<'_>) {
    out.push_str(r#"{"type":"function","function":{"name":"#);
    push_string(out, tool.name);
    out.push_str(r#","description":"#);
    push_string(out, tool.definition.description());
    out.push_str(r#","parameters":"#);
    out.push_str(tool.schema);
    // Said outright, since interfaces differ in what they take its absence for.
    out.push_str(if tool.strict { r#","strict":true}}"# } else { r#","strict":false}}"# });
}

/// The message, and whether the limit of the answer cut it off.
fn assistant_message(object: Object<'_>) -> Result<(Object<'_>, bool), WireError> {
    let mut is_cut = false;
    let message = if let Some(choices) = object.get("choices")? {
        let list = choices.list("a list of choices")?;
        let first = list.first().ok_or_else(|| choices.unexpected("at least one choice"))?;
        let expected = "an assistant message";
        let first = first.object("a choice")?;
        is_cut = first.is_any("finish_reason", &CUT)?;
        first.need("message", expected)?.object(expected)?
    } else {
        object
    };
    message.must_be("role", "assistant", "\"assistant\"")?;
    // Some servers leave out the role, so any of these makes a message.
    if message.first(&["role", "content", "tool_calls"])?.is_none() {
        return Err(message.unexpected(MESSAGE));
    }
    Ok((message, is_cut))
}

fn no_legacy_call(message: &Object<'_>) -> Result<(), WireError> {
    match message.get("function_call")? {
        Some(legacy) => Err(legacy.unexpected("no legacy call; send `tools` instead of `functions`")),
        None => Ok(()),
    }
}

fn read_call(call: &Node<'_>) -> Result<WireCall, WireError> {
    let call = call.object("a call")?;
    call.must_be("type", "function", "\"function\"")?;
    let expected = "an object with the tool's name and arguments";
    let function = call.need("function", expected)?.object(expected)?;
    WireCall::read(&call, &function, function.get("arguments")?.as_ref())
}

/// What the chunks of a streamed answer add up to.
#[derive(Debug, Default)]
pub(super) struct Deltas {
    calls: Partials,
    /// For each index of the server's, the number of the call that came last under it.
    places: Vec<(u64, u64)>,
    is_done: bool,
    is_cut: bool,
}

impl Deltas {
    pub(super) fn done(&mut self) {
        self.is_done = true;
    }

    pub(super) fn event(&mut self, chunk: &Object<'_>) -> Result<(), WireError> {
        if let Some(error) = chunk.get("error")? {
            return Err(WireError::Provider { message: error.text().to_owned() });
        }
        let Some(choices) = chunk.get("choices")? else { return Ok(()) };
        for choice in choices.list("a list of choices")? {
            let choice = choice.object("a choice")?;
            let index = choice.get("index")?.map(|index| index.number("a number")).transpose()?;
            if index.is_some_and(|index| index > 0) {
                continue;
            }
            // A server that does not stream sends one chunk with the whole message.
            if let Some(delta) = choice.first(&["delta", "message"])? {
                self.delta(&delta.object("a delta")?)?;
            }
            if choice.get("finish_reason")?.is_some() {
                self.is_done = true;
                self.is_cut |= choice.is_any("finish_reason", &CUT)?;
            }
        }
        Ok(())
    }

    fn delta(&mut self, delta: &Object<'_>) -> Result<(), WireError> {
        no_legacy_call(delta)?;
        let Some(calls) = delta.get("tool_calls")? else { return Ok(()) };
        for call in calls.list("a list of calls")? {
            let call = call.object("a call")?;
            call.must_be("type", "function", "\"function\"")?;
            let id = call.string("id", "the call's id, a string")?.filter(|id| !id.is_empty());
            let index = call.get("index")?.map(|index| index.number("a number")).transpose()?;
            let number = self.number(index, id.as_deref());
            let function = call.object("function", "a function")?;
            let text = |key: &str| match function
                .as_ref()
                .map(|function| function.get(key))
                .transpose()?
                .flatten()
            {
                Some(node) if node.is_string() => node.string("a string"),
                Some(node) => Ok(node.text().to_owned()),
                None => Ok(String::new()),
            };
            let (name, arguments) = (text("name")?, text("arguments")?);
            let size = id.as_ref().map_or(0, String::len);
            self.calls.keep(size + name.len() + arguments.len())?;
            let partial = self.calls.get(number)?;
            partial.id = partial.id.take().or(id);
            // Some servers say the name again with each chunk.
            if partial.name != name || partial.arguments.is_empty() && partial.name.is_empty() {
                partial.name.push_str(&name);
            }
            partial.arguments.push_str(&arguments);
        }
        Ok(())
    }

    /// Which call a delta belongs to: some servers number none, or all alike, and two calls may have one id.
    fn number(&mut self, index: Option<u64>, id: Option<&str>) -> u64 {
        let known = || id.and_then(|id| self.calls.number_of(id)).unwrap_or_else(|| self.calls.next());
        let Some(index) = index else {
            return match (id, self.calls.last()) {
                (None, last) => last.map_or(0, |last| last.number),
                _ => known(),
            };
        };
        let place = self.places.iter().position(|(known, _)| *known == index);
        let number = match place.and_then(|place| self.places.get(place)) {
            Some((_, number)) if self.calls.may_have(*number, id) => *number,
            Some(_) => known(),
            None if self.calls.find(index).is_some() => self.calls.next(),
            None => index,
        };
        match place.and_then(|place| self.places.get_mut(place)) {
            Some((_, last)) => *last = number,
            None => self.places.push((index, number)),
        }
        number
    }

    pub(super) fn finish(self) -> Result<Vec<WireCall>, WireError> {
        if !self.is_done {
            return Err(WireError::Unfinished);
        }
        let mut calls = self.calls.into_calls()?;
        if let Some(last) = calls.last_mut().filter(|_| self.is_cut) {
            last.cut_off();
        }
        Ok(calls)
    }
}
