//! `DeepSeek`: OpenAI's Chat Completions with a strict mode of its own.

use super::Stream;
use super::openai::{self, Server};
use super::request::Request;
use super::wire::WireError;
use crate::arguments::ToolCall;
use crate::definition::ToolDefinition;
use crate::output::ToolResult;

/// Tools in the messages of `DeepSeek`'s Chat Completions.
///
/// # Examples
/// ```
/// use tool_runtime::provider::deepseek::Chat;
///
/// assert_eq!(Chat::strict().request([]).tools(), "[]");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chat(openai::Chat);

impl Chat {
    /// Without strict mode, as OpenAI's.
    pub fn plain() -> Self {
        Self(openai::Chat::plain())
    }

    /// With strict mode, for the beta address: it takes all tools as strict or none, so that one for which `strict`
    /// does not hold makes the whole request plain, and the reports say which.
    pub fn strict() -> Self {
        Self(openai::Chat { server: Server::DeepSeekStrict })
    }

    /// The request's tools, with what was lost on the way and the way back.
    pub fn request<'a>(&self, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
        self.0.request(definitions)
    }

    /// The calls in an assistant message, or in the first choice of a whole chat completion.
    ///
    /// # Errors
    /// As [`openai::Chat::calls`].
    pub fn calls(&self, message: &str) -> Result<Vec<ToolCall>, WireError> {
        self.0.calls(message)
    }

    /// The messages that answer the calls, as [`openai::Chat::results`].
    pub fn results(&self, results: &[ToolResult]) -> String {
        self.0.results(results)
    }

    /// Collects the calls of a streamed answer.
    pub fn stream(&self) -> Stream {
        self.0.stream()
    }
}
