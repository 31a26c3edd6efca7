//! Why the arguments of a call were refused.

use std::error::Error;
use std::fmt;

use super::TextError;
use super::violation::{invalid_arguments_text, masked_arguments_text, redacted_arguments_text};
use crate::schema::{Schema, Violation};

/// Why the arguments of a call were refused; its `Display` is what the model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentsError {
    reason: Reason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Reason {
    Text(TextError),
    Value { tool: String, violations: Vec<Violation>, schema: Schema },
}

impl ArgumentsError {
    pub(super) fn invalid(tool: &str, violations: Vec<Violation>, schema: &Schema) -> Self {
        let (tool, schema) = (tool.to_owned(), schema.clone());
        Self { reason: Reason::Value { tool, violations, schema } }
    }

    /// Everything in which the arguments depart from the schema, in its order; empty if they are no JSON object.
    pub fn violations(&self) -> &[Violation] {
        match &self.reason {
            Reason::Value { violations, .. } => violations,
            Reason::Text(_) => &[],
        }
    }

    /// Why the text is not one JSON object, if it is not.
    pub fn text_error(&self) -> Option<&TextError> {
        match &self.reason {
            Reason::Text(error) => Some(error),
            Reason::Value { .. } => None,
        }
    }

    /// What the model reads.
    pub(crate) fn text(&self) -> String {
        match &self.reason {
            Reason::Text(error) => error.to_string(),
            Reason::Value { tool, violations, schema } => invalid_arguments_text(tool, violations, schema),
        }
    }

    /// The same without what was sent in the place of a secret, or may have been.
    pub(crate) fn masked(&self) -> String {
        match &self.reason {
            Reason::Text(error) => error.redacted(),
            Reason::Value { tool, violations, schema } => masked_arguments_text(tool, violations, schema),
        }
    }

    /// What the model reads, without any value that it sent: for logs.
    pub fn redacted(&self) -> String {
        match &self.reason {
            Reason::Text(error) => error.redacted(),
            Reason::Value { tool, violations, schema } => redacted_arguments_text(tool, violations, schema),
        }
    }
}

impl From<TextError> for ArgumentsError {
    fn from(error: TextError) -> Self {
        Self { reason: Reason::Text(error) }
    }
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Text(error) => error.fmt(f),
            Reason::Value { .. } => f.write_str(&self.text()),
        }
    }
}

impl Error for ArgumentsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.text_error().map(|error| error as &(dyn Error + 'static))
    }
}
