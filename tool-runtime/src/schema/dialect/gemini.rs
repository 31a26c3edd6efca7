//! Gemini's `parameters` and `parametersJsonSchema`.

use super::rules::{Keys, References, Rules};

/// A subset of `OpenAPI` 3.0, in which an unknown keyword refuses the whole request.
pub(super) const PARAMETERS: Rules = Rules {
    references: References::Inline,
    keys: Keys::Gemini,
    formats: &["date-time", "enum"],
    nullable: true,
    ..Rules::plain(4)
};

/// The documented keywords of JSON Schema.
pub(super) const JSON_SCHEMA: Rules = Rules::plain(5);
