//! The result of one call.

use super::{ContentBlock, OutputError};
use crate::error::ErrorCode;

/// How one call ended: what the model reads, and what the program can go on with.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    id: String,
    name: String,
    content: Vec<ContentBlock>,
    value: ValueText,
    error: Option<ErrorCode>,
    fault: Option<Box<OutputError>>,
}

/// The JSON text of the value, which is most often the content itself.
#[derive(Debug, Clone, PartialEq)]
enum ValueText {
    None,
    Content,
    Own(Box<str>),
}

impl ToolResult {
    /// A success: the content for the model and the JSON text of the canonical value.
    pub(crate) fn success(
        id: String,
        name: String,
        content: Vec<ContentBlock>,
        value: Option<Box<str>>,
    ) -> Self {
        Self {
            id,
            name,
            content,
            value: value.map_or(ValueText::None, ValueText::Own),
            error: None,
            fault: None,
        }
    }

    /// A success whose content is the JSON text of its value.
    pub(crate) fn success_text(id: String, name: String, text: String) -> Self {
        Self {
            id,
            name,
            content: vec![ContentBlock::Text(text)],
            value: ValueText::Content,
            error: None,
            fault: None,
        }
    }

    /// A failure, with the text that the model reads.
    pub(crate) fn failure(id: String, name: String, code: ErrorCode, text: String) -> Self {
        Self {
            id,
            name,
            content: vec![ContentBlock::Text(text)],
            value: ValueText::None,
            error: Some(code),
            fault: None,
        }
    }

    /// The id of the call that this answers.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name of the tool, as the call gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model reads, in order.
    pub fn content(&self) -> &[ContentBlock] {
        &self.content
    }

    /// All text of the content, blocks joined by a line break.
    pub fn text(&self) -> String {
        let mut texts = self.content.iter().filter_map(ContentBlock::as_text);
        let mut joined = texts.next().unwrap_or_default().to_owned();
        for text in texts {
            joined.push('\n');
            joined.push_str(text);
        }
        joined
    }

    /// The value as JSON text, for structured content and programs; `None` for errors and for content blocks.
    pub fn value_text(&self) -> Option<&str> {
        match &self.value {
            ValueText::None => None,
            ValueText::Content => self.content.first().and_then(ContentBlock::as_text),
            ValueText::Own(text) => Some(text),
        }
    }

    pub(crate) fn with_fault(mut self, fault: Option<OutputError>) -> Self {
        self.fault = fault.map(Box::new);
        self
    }

    /// What is wrong with the value of a call that succeeded all the same, as `output(warn)` allows.
    pub fn output_fault(&self) -> Option<&OutputError> {
        self.fault.as_deref()
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.error.is_some()
    }

    /// Why the call failed; for logs and events, never for the model.
    pub fn code(&self) -> Option<ErrorCode> {
        self.error
    }
}
