//! Where and how a value departs from its schema, in words that a model can act on.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde_json::Value;

use crate::value::{Exact, is_hidden, is_plain, visible};

/// One departure of a value from its schema; its `Display` is the line that a model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// The value is of another type, or outside of its bounds.
    Expected {
        /// The JSON pointer to the value.
        pointer: String,
        /// What is right here, type and bounds.
        what: String,
        /// What was sent.
        got: Got,
    },
    /// A required property is missing.
    MissingProperty {
        /// The JSON pointer to the property.
        pointer: String,
    },
    /// A property is not one of those that the object has.
    UnknownProperty {
        /// The JSON pointer to the property.
        pointer: String,
        /// The name that was probably meant.
        near: Option<String>,
    },
    /// The value is not one of those listed.
    NotListed {
        /// The JSON pointer to the value.
        pointer: String,
        /// The first of the values that are right here, as JSON.
        values: Vec<String>,
        /// How many more there are.
        more: usize,
        /// What was sent.
        got: Got,
        /// The value that was probably meant, as JSON.
        near: Option<String>,
    },
    /// The value fits several alternatives of which it must fit one.
    Ambiguous {
        /// The JSON pointer to the value.
        pointer: String,
        /// What the alternatives are.
        what: String,
    },
}

impl Violation {
    /// The violation of a rule that has no words: the whole value is wrong.
    pub(super) fn unexplained(value: &Value) -> Self {
        let what = "a value that fits the whole schema".to_owned();
        Self::Expected { pointer: String::new(), what, got: Got::new(value) }
    }

    /// The JSON pointer to the place.
    pub fn pointer(&self) -> &str {
        match self {
            Self::Expected { pointer, .. }
            | Self::MissingProperty { pointer }
            | Self::UnknownProperty { pointer, .. }
            | Self::NotListed { pointer, .. }
            | Self::Ambiguous { pointer, .. } => pointer,
        }
    }

    /// Whether it shows an array or an object, and so what is in it.
    pub(crate) fn is_of_many(&self) -> bool {
        match self {
            Self::Expected { got, .. } | Self::NotListed { got, .. } => {
                matches!(got.kind, "array" | "object")
            }
            _ => false,
        }
    }

    /// The line without the value that was sent.
    pub fn redacted(&self) -> String {
        match self {
            Self::Expected { got, .. } | Self::NotListed { got, .. } => {
                let mut copy = self.clone();
                if let Self::Expected { got: inner, .. } | Self::NotListed { got: inner, .. } = &mut copy {
                    *inner = Got { kind: got.kind, text: String::new() };
                }
                copy.to_string()
            }
            _ => self.to_string(),
        }
    }

    /// Writes the line.
    pub(crate) fn write(&self, out: &mut (impl fmt::Write + ?Sized)) -> fmt::Result {
        let mut all = |parts: &[&str]| parts.iter().try_for_each(|part| out.write_str(part));
        match self {
            Self::Expected { pointer, what, got } => {
                all(&[&place(pointer), ": expected ", what])?;
                got.write(", got ", out)
            }
            Self::MissingProperty { pointer } => {
                all(&["missing required property \"", &visible(pointer), "\""])
            }
            Self::UnknownProperty { pointer, near } => {
                all(&["unknown property \"", &visible(pointer), "\""])?;
                near.as_ref().map_or(Ok(()), |near| all(&["; did you mean \"", near, "\"?"]))
            }
            Self::NotListed { pointer, values, more, got, near } => {
                all(&[&place(pointer), ": must be one of "])?;
                for (index, value) in values.iter().enumerate() {
                    all(&[if index == 0 { "" } else { ", " }, value])?;
                }
                if *more > 0 {
                    all(&[" and ", &more.to_string(), " more"])?;
                }
                got.write(", got ", out)?;
                near.as_ref().map_or(Ok(()), |near| write!(out, "; did you mean {near}?"))
            }
            Self::Ambiguous { pointer, what } => {
                all(&[&place(pointer), ": must fit exactly one of: ", what, "; it fits several"])
            }
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// The pointer to the whole value is empty, which no reader sees.
pub(super) fn place(pointer: &str) -> Cow<'_, str> {
    if pointer.is_empty() { Cow::Borrowed("(root)") } else { visible(pointer) }
}

/// What was sent: its kind, and its text cut short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Got {
    kind: &'static str,
    text: String,
}

/// The longest text of a value, in characters.
const LONGEST: usize = 64;

impl Got {
    /// Describes a value.
    pub fn new(value: &Value) -> Self {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if Exact::of(number).is_integer() => "integer",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let text = if value.is_null() { String::new() } else { shortened(value) };
        Self { kind, text }
    }

    /// What JSON calls the value.
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// The value as JSON, cut to 64 characters; empty for `null`.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn write(&self, before: &str, out: &mut (impl fmt::Write + ?Sized)) -> fmt::Result {
        let blank = if self.text.is_empty() { "" } else { " " };
        [before, self.kind, blank, &self.text].iter().try_for_each(|part| out.write_str(part))
    }
}

impl fmt::Display for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write("", f)
    }
}

/// The JSON of a value, cut to [`LONGEST`] characters; the cost does not grow with the value.
pub(super) fn shortened(value: &Value) -> String {
    let mut out = Short { text: String::with_capacity(32), left: LONGEST };
    if out.value(value).is_none() {
        out.text.push('…');
        if value.is_string() {
            out.text.push('"');
        }
    }
    out.text
}

struct Short {
    text: String,
    left: usize,
}

impl Short {
    fn push(&mut self, text: &str) -> Option<()> {
        if text.len() <= self.left && is_plain(text) {
            self.left -= text.len();
            self.text.push_str(text);
            return Some(());
        }
        for character in text.chars() {
            self.left = self.left.checked_sub(1)?;
            if is_hidden(character) {
                let _ = write!(self.text, "\\u{{{:x}}}", u32::from(character));
            } else {
                self.text.push(character);
            }
        }
        Some(())
    }

    fn string(&mut self, text: &str) -> Option<()> {
        self.push("\"")?;
        if text.len() <= self.left && !text.contains(['"', '\\']) && is_plain(text) {
            self.push(text)?;
            return self.push("\"");
        }
        for character in text.chars() {
            match character {
                '"' | '\\' => self.push(&format!("\\{character}"))?,
                control if control.is_control() => self.push(&control.escape_default().to_string())?,
                plain => self.push(plain.encode_utf8(&mut [0; 4]))?,
            }
        }
        self.push("\"")
    }

    /// Each level takes at least one character, so that the recursion ends with the characters.
    fn value(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Null | Value::Bool(_) => self.push(&value.to_string()),
            Value::Number(number) => {
                self.push(&number.as_i64().map_or_else(|| number.to_string(), |integer| integer.to_string()))
            }
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.push("[")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.push(",")?;
                    }
                    self.value(item)?;
                }
                self.push("]")
            }
            Value::Object(members) => {
                self.push("{")?;
                for (index, (name, member)) in members.iter().enumerate() {
                    if index > 0 {
                        self.push(",")?;
                    }
                    self.string(name)?;
                    self.push(":")?;
                    self.value(member)?;
                }
                self.push("}")
            }
        }
    }
}
