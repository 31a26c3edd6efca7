//! The result of one call.

use std::error::Error;
use std::slice;
use std::sync::Arc;

use super::{ContentBlock, OutputError};
use crate::arguments::Repair;
use crate::error::{BoxError, ErrorCode, Kept};

/// How one call ended: what the model reads, and what the program can go on with.
#[derive(Debug, Clone, PartialEq)]
pub struct CallOutput {
    content: Content,
    /// Whether the content is the JSON text of the value, as it most often is.
    is_value: bool,
    error: Option<ErrorCode>,
    rare: Option<Box<Rare>>,
}

/// What most calls do not have.
#[derive(Debug, Clone, Default)]
struct Rare {
    /// The JSON text of a value whose content is another.
    value: Option<String>,
    fault: Option<OutputError>,
    cause: Option<Arc<Kept>>,
    repairs: Box<[Repair]>,
}

/// Equal where everything is equal that a model or a program reads; causes are for logs.
impl PartialEq for Rare {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.fault == other.fault && self.repairs == other.repairs
    }
}

/// Content blocks; most often there is one.
#[derive(Debug, Clone, PartialEq)]
enum Content {
    One(ContentBlock),
    Many(Vec<ContentBlock>),
}

impl Content {
    fn blocks(&self) -> &[ContentBlock] {
        match self {
            Self::One(block) => slice::from_ref(block),
            Self::Many(blocks) => blocks,
        }
    }

    fn joined(&self) -> String {
        let mut texts = self.blocks().iter().filter_map(ContentBlock::as_text);
        let mut joined = texts.next().unwrap_or_default().to_owned();
        for text in texts {
            joined.push('\n');
            joined.push_str(text);
        }
        joined
    }

    #[cold]
    fn into_joined(self) -> String {
        self.joined()
    }
}

#[cold]
fn let_go(rare: Box<Rare>) {
    drop(rare);
}

impl CallOutput {
    /// A success: the content for the model and the JSON text of the canonical value.
    pub(crate) fn success(content: Vec<ContentBlock>, value: Option<String>) -> Self {
        let rare = value.map(|text| Box::new(Rare { value: Some(text), ..Rare::default() }));
        Self { content: Content::Many(content), is_value: false, error: None, rare }
    }

    /// A success whose content is the JSON text of its value.
    #[inline]
    pub(crate) fn success_text(text: String) -> Self {
        Self { content: Content::One(ContentBlock::Text(text)), is_value: true, error: None, rare: None }
    }

    /// A failure, with the text that the model reads.
    pub(crate) fn failure(code: ErrorCode, text: String) -> Self {
        let content = Content::One(ContentBlock::Text(text));
        Self { content, is_value: false, error: Some(code), rare: None }
    }

    /// What the model reads where there is no result yet, and no failure.
    pub(crate) fn text_only(text: String) -> Self {
        Self { content: Content::One(ContentBlock::Text(text)), is_value: false, error: None, rare: None }
    }

    /// The same with other content; the value stays.
    pub(crate) fn with_content(mut self, content: Vec<ContentBlock>) -> Self {
        if self.is_value {
            let text = self.value_text().map(str::to_owned);
            self.rare.get_or_insert_default().value = text;
            self.is_value = false;
        }
        self.content = Content::Many(content);
        self
    }

    /// Notes what is wrong with the value all the same.
    #[inline]
    pub(crate) fn note_fault(&mut self, fault: Option<OutputError>) {
        if fault.is_some() {
            self.rare.get_or_insert_default().fault = fault;
        }
    }

    /// Notes what was repaired of the arguments.
    #[inline]
    pub(crate) fn note_repairs(&mut self, repairs: Option<Box<[Repair]>>) {
        if let Some(repairs) = repairs {
            self.rare.get_or_insert_default().repairs = repairs;
        }
    }

    pub(crate) fn caused_by(mut self, cause: BoxError) -> Self {
        self.rare.get_or_insert_default().cause = Some(Arc::new(Kept::new(cause)));
        self
    }

    /// The error that the tool returned, with its sources: for logs, never for the model.
    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.rare.as_ref()?.cause.as_deref().map(Kept::get)
    }

    pub(crate) fn answer(self, id: String, name: String) -> ToolResult {
        ToolResult { id, name, output: self }
    }

    /// What the model reads, in order.
    pub fn content(&self) -> &[ContentBlock] {
        self.content.blocks()
    }

    /// All text of the content, blocks joined by a line break.
    pub fn text(&self) -> String {
        self.content.joined()
    }

    /// The same, without a copy where there is one block of text.
    #[inline]
    pub fn into_text(self) -> String {
        // Apart from each other, so that what most outputs do not have costs no call.
        match self.rare {
            None => {}
            Some(rare) => let_go(rare),
        }
        match self.content {
            Content::One(ContentBlock::Text(text)) => text,
            content => content.into_joined(),
        }
    }

    /// The value as JSON text, for structured content and programs; `None` for errors and for content blocks.
    pub fn value_text(&self) -> Option<&str> {
        if self.is_value {
            return self.content().first().and_then(ContentBlock::as_text);
        }
        self.rare.as_ref()?.value.as_deref()
    }

    /// What is wrong with the value of a call that succeeded all the same, as `output(warn)` allows.
    pub fn output_fault(&self) -> Option<&OutputError> {
        self.rare.as_ref()?.fault.as_ref()
    }

    /// What was read otherwise than the model wrote it; for logs and events.
    pub fn repairs(&self) -> &[Repair] {
        self.rare.as_ref().map_or(&[], |rare| &rare.repairs)
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

/// The answer to one call of a model: the call's id, the tool's name, and how the call ended.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    id: String,
    name: String,
    output: CallOutput,
}

impl ToolResult {
    /// The id of the call that this answers.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name of the tool, as the call gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How the call ended.
    pub fn output(&self) -> &CallOutput {
        &self.output
    }

    /// The same, without the id and the name.
    pub fn into_output(self) -> CallOutput {
        self.output
    }

    /// What was read otherwise than the model wrote it; for logs and events.
    pub fn repairs(&self) -> &[Repair] {
        self.output.repairs()
    }

    /// What the model reads, in order.
    pub fn content(&self) -> &[ContentBlock] {
        self.output.content()
    }

    /// All text of the content, blocks joined by a line break.
    pub fn text(&self) -> String {
        self.output.text()
    }

    /// The value as JSON text, for structured content and programs; `None` for errors and for content blocks.
    pub fn value_text(&self) -> Option<&str> {
        self.output.value_text()
    }

    /// What is wrong with the value of a call that succeeded all the same, as `output(warn)` allows.
    pub fn output_fault(&self) -> Option<&OutputError> {
        self.output.output_fault()
    }

    /// The error that the tool returned, with its sources: for logs, never for the model.
    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.output.cause()
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.output.is_error()
    }

    /// Why the call failed; for logs and events, never for the model.
    pub fn code(&self) -> Option<ErrorCode> {
        self.output.code()
    }
}
