//! Streamed answers: bytes cut anywhere, put together to whole events, and events to calls.

use super::calls::{WireCall, identify};
use super::frame::Frames;
use super::wire::{Node, WireError};
use super::{anthropic, bedrock, gemini, ollama, openai, responses};
use crate::arguments::ToolCall;

/// The most bytes of calls, and of one event, that a stream keeps.
pub(super) const MAX_BYTES: usize = 16 << 20;

/// The most calls in one answer.
pub(super) const MAX_CALLS: usize = 1_024;

/// The largest number by which a server may know a call.
const MAX_NUMBER: u64 = u32::MAX as u64;

/// Collects the calls of a streamed answer.
///
/// Feed it the body of the response as it comes, cut anywhere, or event by event, and ask for the calls at the end.
/// What it keeps is bounded. A stream that ends before its answer does is an error, never half a call.
///
/// # Examples
/// ```
/// use tool_runtime::provider::openai::Chat;
///
/// let body = concat!(
///     "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",",
///     "\"function\":{\"name\":\"now\",\"arguments\":\"\"}}]}}]}\n\n",
///     "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{}\"}}]}}]}\n\n",
///     "data: [DONE]\n\n",
/// );
/// let mut stream = Chat::plain().stream();
/// for byte in body.bytes() {
///     stream.push(&[byte])?;
/// }
/// let calls = stream.finish()?;
/// assert_eq!((calls[0].name(), calls[0].arguments()), ("now", "{}"));
/// # Ok::<(), tool_runtime::provider::WireError>(())
/// ```
#[derive(Debug)]
pub struct Stream {
    frames: Frames,
    reader: Reader,
    /// Once an event was wrong, the calls are not to be trusted.
    failed: bool,
}

/// What reads the events of an interface.
#[derive(Debug)]
pub(super) enum Reader {
    Chat(openai::Deltas),
    Responses(responses::Deltas),
    Messages(anthropic::Deltas),
    Generate(gemini::Deltas),
    Converse(bedrock::Deltas),
    Ollama(ollama::Deltas),
}

impl Stream {
    pub(super) fn new(frames: Frames, reader: Reader) -> Self {
        Self { frames, reader, failed: false }
    }

    /// Takes the next bytes of the response's body.
    ///
    /// # Errors
    /// Returns [`WireError`] if the bytes are not what the interface sends, report an error, or are too many.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        for event in self.frames.push(bytes).inspect_err(|_| self.failed = true)? {
            self.push_event(&event)?;
        }
        Ok(())
    }

    /// Takes one event: the JSON of a chunk, without framing.
    ///
    /// # Errors
    /// As [`Stream::push`].
    pub fn push_event(&mut self, event: &str) -> Result<(), WireError> {
        self.event(event).inspect_err(|_| self.failed = true)
    }

    /// The calls of the answer, once it has ended.
    ///
    /// # Errors
    /// Returns [`WireError::Unfinished`] if the stream ended before the answer, or if an event before was wrong.
    pub fn finish(mut self) -> Result<Vec<ToolCall>, WireError> {
        for event in self.frames.finish()? {
            // What is left at the end and cannot be read was cut off.
            self.event(&event).map_err(|error| match error {
                WireError::NotJson { .. } => WireError::Unfinished,
                other => other,
            })?;
        }
        if self.failed {
            return Err(WireError::Unfinished);
        }
        let prefix = if matches!(self.reader, Reader::Generate(_)) { gemini::LOCAL_ID } else { "call_" };
        let calls: Vec<WireCall> = match self.reader {
            Reader::Chat(deltas) => deltas.finish(),
            Reader::Responses(deltas) => deltas.finish(),
            Reader::Messages(deltas) => deltas.finish(),
            Reader::Generate(deltas) => deltas.finish(),
            Reader::Converse(deltas) => deltas.finish(),
            Reader::Ollama(deltas) => deltas.finish(),
        }?;
        Ok(identify(calls, prefix))
    }

    fn event(&mut self, event: &str) -> Result<(), WireError> {
        let event = event.trim();
        if event.is_empty() {
            return Ok(());
        }
        if event == "[DONE]" {
            if let Reader::Chat(deltas) = &mut self.reader {
                deltas.done();
            }
            return Ok(());
        }
        let object = Node::parse(event, "an event of the stream")?.object("an event of the stream")?;
        match &mut self.reader {
            Reader::Chat(deltas) => deltas.event(&object),
            Reader::Responses(deltas) => deltas.event(&object),
            Reader::Messages(deltas) => deltas.event(&object),
            Reader::Generate(deltas) => deltas.event(&object),
            Reader::Converse(deltas) => deltas.event(&object),
            Reader::Ollama(deltas) => deltas.event(&object),
        }
    }
}

/// Calls that grow by deltas, each known by a number.
#[derive(Debug, Default)]
pub(super) struct Partials {
    list: Vec<Partial>,
    bytes: usize,
}

#[derive(Debug, Default)]
pub(super) struct Partial {
    pub(super) number: u64,
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) arguments: String,
    /// The arguments as they stood at first, which holds if no deltas came.
    pub(super) start: String,
    /// Whether all of it has come.
    pub(super) is_whole: bool,
}

impl Partials {
    /// The call of that number, made on first use.
    pub(super) fn get(&mut self, number: u64) -> Result<&mut Partial, WireError> {
        let known = self.list.iter().position(|partial| partial.number == number);
        let index = match known {
            Some(index) => index,
            None if self.list.len() >= MAX_CALLS || number > MAX_NUMBER => {
                return Err(WireError::TooLarge { limit: MAX_CALLS });
            }
            None => {
                self.list.push(Partial { number, ..Partial::default() });
                self.list.len() - 1
            }
        };
        self.list.get_mut(index).ok_or(WireError::Unfinished)
    }

    pub(super) fn find(&self, number: u64) -> Option<&Partial> {
        self.list.iter().find(|partial| partial.number == number)
    }

    pub(super) fn find_mut(&mut self, number: u64) -> Option<&mut Partial> {
        self.list.iter_mut().find(|partial| partial.number == number)
    }

    /// A number that no call has.
    pub(super) fn next(&self) -> u64 {
        self.list.iter().map(|partial| partial.number + 1).max().unwrap_or_default()
    }

    pub(super) fn last(&self) -> Option<&Partial> {
        self.list.last()
    }

    /// Whether a delta with this id, or without one, can belong to the call of that number.
    pub(super) fn may_have(&self, number: u64, id: Option<&str>) -> bool {
        let mut others = self.list.iter().filter(|partial| partial.number == number);
        others.all(|partial| id.is_none() || partial.id.is_none() || partial.id.as_deref() == id)
    }

    /// Begins the call of a block that is not begun yet.
    pub(super) fn begin(&mut self, number: u64) -> Result<&mut Partial, WireError> {
        if self.find(number).is_some() {
            return Err(WireError::Unexpected {
                pointer: String::new(),
                expected: "a block that has not begun",
                got: format!("block {number} once more"),
            });
        }
        self.get(number)
    }

    /// Adds to the arguments of a call that has begun and has not ended.
    pub(super) fn extend(&mut self, number: u64, arguments: &str) -> Result<(), WireError> {
        self.keep(arguments.len())?;
        match self.find_mut(number).filter(|partial| !partial.is_whole) {
            Some(partial) => {
                partial.arguments.push_str(arguments);
                Ok(())
            }
            None => Err(WireError::Unexpected {
                pointer: String::new(),
                expected: "a part of a call that has begun and has not ended",
                got: format!("a part of call {number}"),
            }),
        }
    }

    pub(super) fn number_of(&self, id: &str) -> Option<u64> {
        self.list.iter().find(|partial| partial.id.as_deref() == Some(id)).map(|partial| partial.number)
    }

    /// Counts what is kept.
    pub(super) fn keep(&mut self, bytes: usize) -> Result<(), WireError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MAX_BYTES { Err(WireError::TooLarge { limit: MAX_BYTES }) } else { Ok(()) }
    }

    pub(super) fn all_whole(&self) -> bool {
        self.list.iter().all(|partial| partial.is_whole)
    }

    /// Which of the calls are whole, in their order.
    pub(super) fn whole(&self) -> Vec<bool> {
        self.list.iter().map(|partial| partial.is_whole).collect()
    }

    pub(super) fn into_calls(self) -> Result<Vec<WireCall>, WireError> {
        self.list
            .into_iter()
            .map(|partial| {
                if partial.name.is_empty() {
                    return Err(WireError::Unfinished);
                }
                let text = if partial.arguments.is_empty() { partial.start } else { partial.arguments };
                Ok(WireCall::new(partial.id, partial.name, text))
            })
            .collect()
    }
}
