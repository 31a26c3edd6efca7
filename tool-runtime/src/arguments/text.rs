//! From the text that a model sent to a JSON object.

use std::fmt;

use serde_json::Value;

use super::Limits;
use crate::value::{Fault, ParseError, parse_value};

/// The arguments of a call, read from its text but not yet held against a schema.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ParsedArguments {
    /// The arguments: always a JSON object.
    pub value: Value,
    /// Whether the text was one of the ways to say "no arguments" and was read as `{}`: the repair `empty`.
    pub empty: bool,
}

/// Reads the text of a call's arguments, within the default [`Limits`].
///
/// Nothing, blanks, `null`, `""` and `"{}"` are read as `{}`. Anything else must be exactly one JSON object.
///
/// # Errors
/// Returns [`TextError`] if the text is no JSON object, was cut off, names a property twice, or holds a number
/// that cannot be kept exactly.
///
/// # Examples
/// ```
/// use tool_runtime::arguments::parse_arguments;
///
/// assert!(parse_arguments(" ")?.empty);
/// let error = parse_arguments(r#"{"id": 18446744073709551616}"#).map(|_| ()).unwrap_err();
/// assert_eq!(error.pointer(), "/id");
/// # Ok::<(), tool_runtime::arguments::TextError>(())
/// ```
pub fn parse_arguments(text: &str) -> Result<ParsedArguments, TextError> {
    parse_arguments_within(text, &Limits::default())
}

/// Reads the text of a call's arguments, within limits of the caller's.
///
/// # Errors
/// As [`parse_arguments`].
pub fn parse_arguments_within(text: &str, limits: &Limits) -> Result<ParsedArguments, TextError> {
    if says_nothing(text) {
        return Ok(ParsedArguments { value: Value::Object(serde_json::Map::new()), empty: true });
    }
    match parse_value(text, &limits.for_parser()) {
        Ok(value @ Value::Object(_)) => Ok(ParsedArguments { value, empty: false }),
        Ok(_) => Err(TextError::not_an_object(text)),
        Err(error) => Err(TextError::new(text, &error, limits)),
    }
}

/// Whether a text is one of the ways to say "no arguments".
pub(crate) fn says_nothing(text: &str) -> bool {
    matches!(text.trim(), "" | "null" | "\"\"" | "\"{}\"")
}

/// Why a text is not the arguments of a call; its `Display` is what the model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    kind: TextErrorKind,
    line: usize,
    column: usize,
    excerpt: String,
    pointer: String,
}

/// The kinds of [`TextError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// The text is not JSON.
    NotJson,
    /// The text is JSON, but not one object.
    NotAnObject,
    /// The text ends inside a value.
    CutOff {
        /// How many characters there are.
        characters: usize,
    },
    /// A property stands twice in one object, with equal values.
    EqualDuplicate,
    /// A property stands twice in one object, with different values.
    ConflictingDuplicate,
    /// An integer is outside of what 64 bits hold, signed or unsigned.
    IntegerRange,
    /// A number is beyond the largest 64-bit float.
    FloatRange,
    /// The text is longer than [`Limits::max_bytes`].
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The values are nested deeper than [`Limits::max_depth`].
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// There are more values than [`Limits::max_nodes`].
    TooMany {
        /// The limit.
        limit: usize,
    },
}

impl TextError {
    /// What is wrong.
    pub const fn kind(&self) -> TextErrorKind {
        self.kind
    }

    /// Whether the text is refused for what it would cost: calls then fail with `RESOURCE_LIMIT`.
    pub const fn is_limit(&self) -> bool {
        matches!(
            self.kind,
            TextErrorKind::TooLarge { .. } | TextErrorKind::TooDeep { .. } | TextErrorKind::TooMany { .. }
        )
    }

    /// The line of the fault, from one.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The column of the fault in characters, from one.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// A few characters of the text at the fault.
    pub fn excerpt(&self) -> &str {
        &self.excerpt
    }

    /// The JSON pointer to the value with the fault, as far as it was read.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The text of the error without anything of what was sent but property names.
    pub fn redacted(&self) -> String {
        Self { excerpt: "…".to_owned(), ..self.clone() }.to_string()
    }

    fn not_an_object(text: &str) -> Self {
        let offset = text.len() - text.trim_start().len();
        let error = ParseError { fault: Fault::Unexpected, offset, path: Vec::new() };
        Self::at(text, &error, TextErrorKind::NotAnObject)
    }

    pub(super) fn new(text: &str, error: &ParseError, limits: &Limits) -> Self {
        let kind = match error.fault {
            Fault::Unexpected | Fault::ControlCharacter | Fault::Escape => TextErrorKind::NotJson,
            Fault::Trailing => TextErrorKind::NotAnObject,
            Fault::CutOff => TextErrorKind::CutOff { characters: text.chars().count() },
            Fault::EqualDuplicate => TextErrorKind::EqualDuplicate,
            Fault::ConflictingDuplicate => TextErrorKind::ConflictingDuplicate,
            Fault::IntegerRange | Fault::FloatRange if error.path.is_empty() => TextErrorKind::NotAnObject,
            Fault::IntegerRange => TextErrorKind::IntegerRange,
            Fault::FloatRange => TextErrorKind::FloatRange,
            Fault::TooLarge => TextErrorKind::TooLarge { limit: limits.max_bytes() },
            Fault::TooDeep => TextErrorKind::TooDeep { limit: limits.max_depth() },
            Fault::TooMany => TextErrorKind::TooMany { limit: limits.max_nodes() },
        };
        Self::at(text, error, kind)
    }

    fn at(text: &str, error: &ParseError, kind: TextErrorKind) -> Self {
        let (line, column) = error.line_and_column(text);
        let mut rest = text.get(error.offset..).unwrap_or_default();
        if matches!(kind, TextErrorKind::IntegerRange | TextErrorKind::FloatRange) {
            let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
            rest = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or(rest);
        }
        let excerpt = excerpt(rest);
        Self { kind, line, column, excerpt, pointer: error.pointer().as_str().to_owned() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, line, column, excerpt, pointer } = self;
        match kind {
            TextErrorKind::NotJson | TextErrorKind::NotAnObject => {
                write!(
                    f,
                    "Error: the arguments are not one JSON object (line {line}, column {column}: {excerpt})"
                )
            }
            TextErrorKind::CutOff { characters } => write!(
                f,
                "Error: the arguments were cut off after {characters} characters; send the call again, shorter if \
                 need be"
            ),
            TextErrorKind::EqualDuplicate | TextErrorKind::ConflictingDuplicate => write!(
                f,
                "Error: the arguments have the property \"{pointer}\" twice (line {line}, column {column}); send it \
                 once"
            ),
            TextErrorKind::IntegerRange => write!(
                f,
                "Error: the arguments have an integer out of range in \"{pointer}\" (line {line}, column {column}: \
                 {excerpt}); it must be from {} to {}",
                i64::MIN,
                u64::MAX
            ),
            TextErrorKind::FloatRange => write!(
                f,
                "Error: the arguments have a number out of range in \"{pointer}\" (line {line}, column {column}: \
                 {excerpt}); it must be from -1.7976931348623157e308 to 1.7976931348623157e308"
            ),
            TextErrorKind::TooLarge { limit } => {
                write!(f, "Error: the size of the arguments exceeds the limit of {limit} bytes")
            }
            TextErrorKind::TooDeep { limit } => {
                write!(f, "Error: the nesting of the arguments exceeds the limit of {limit} levels")
            }
            TextErrorKind::TooMany { limit } => {
                write!(f, "Error: the number of values in the arguments exceeds the limit of {limit}")
            }
        }
    }
}

impl std::error::Error for TextError {}

/// The start of a text on one line.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    if text.is_empty() {
        return "the end".to_owned();
    }
    let mut characters = text.chars();
    let mut out = String::new();
    for character in characters.by_ref().take(LONGEST) {
        if character.is_control() { out.extend(character.escape_default()) } else { out.push(character) }
    }
    if characters.next().is_some() {
        out.push('…');
    }
    out
}
