//! What a repair does, one kind a rule.

use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $rule:literal, $before:literal => $after:literal;)*) => {
        /// The rule by which a call's arguments were read otherwise than they were written.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum RepairKind {
            $($(#[$doc])* $name,)*
        }

        impl RepairKind {
            /// Every kind there is.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The kind as it stands in logs.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The rule in a few words.
            pub const fn rule(self) -> &'static str {
                match self { $(Self::$name => $rule,)* }
            }

            /// A text to which the rule applies, and what is read.
            pub const fn example(self) -> (&'static str, &'static str) {
                match self { $(Self::$name => ($before, $after),)* }
            }
        }
    };
}

kinds! {
    /// No arguments at all, said in one of the ways that gateways have.
    Empty = "empty", "nothing, blanks, `null`, `\"\"` and `\"{}\"` are no arguments", "null" => "{}";
    /// A byte order mark before the text.
    ByteOrderMark = "byte_order_mark", "a byte order mark in front goes", "\u{feff}{\"q\":\"x\"}" => "{\"q\":\"x\"}";
    /// One Markdown fence around the whole text.
    Fence = "fence", "one Markdown fence around the whole text goes", "```json\n{\"q\":\"x\"}\n```" => "{\"q\":\"x\"}";
    /// The object as the content of one JSON string.
    StringLayer = "string_layer", "an object written as one JSON string is read", "\"{\\\"q\\\":\\\"x\\\"}\"" => "{\"q\":\"x\"}";
    /// Closing brackets or a template's tokens after the object.
    Trailing = "trailing", "surplus closers and tokens of chat templates after the object go", "{\"q\":\"x\"}}</tool_call>" => "{\"q\":\"x\"}";
    /// Empty objects before the object.
    LeadingEmpty = "leading_empty", "an empty object in front goes", "{}{\"q\":\"x\"}" => "{\"q\":\"x\"}";
    /// The same object several times.
    Repeated = "repeated", "equal objects one after another are one", "{\"q\":\"x\"}{\"q\":\"x\"}" => "{\"q\":\"x\"}";
    /// A key that stands twice with equal values.
    EqualDuplicate = "equal_duplicate", "a key that stands twice with equal values stands once", "{\"q\":\"x\",\"q\":\"x\"}" => "{\"q\":\"x\"}";
    /// A comma before a closing bracket.
    TrailingComma = "trailing_comma", "one comma before a closing bracket goes", "{\"q\":\"x\",}" => "{\"q\":\"x\"}";
    /// A comment of JSON5.
    Comment = "comment", "comments of JSON5 go", "{\"q\":\"x\" /* why */}" => "{\"q\":\"x\"}";
    /// An identifier as a key.
    UnquotedKey = "unquoted_key", "an identifier may be a key", "{q:\"x\"}" => "{\"q\":\"x\"}";
    /// A string in single quotes.
    SingleQuotes = "single_quotes", "strings may stand in single quotes", "{'q':'x'}" => "{\"q\":\"x\"}";
    /// `True`, `False` or `None`.
    PythonLiteral = "python_literal", "`True`, `False` and `None` are read", "{\"on\":True}" => "{\"on\":true}";
    /// A raw control character in a string.
    RawControl = "raw_control", "a raw control character in a string is that character", "{\"q\":\"a\nb\"}" => "{\"q\":\"a\\nb\"}";
    /// `\n`, `\t` or `\r` as two characters between tokens.
    EscapedBlank = "escaped_blank", "`\\n`, `\\t` and `\\r` between tokens are blanks", "{\\n\"q\":\"x\"}" => "{\"q\":\"x\"}";
    /// A blank that JSON does not have.
    OtherBlank = "other_blank", "blanks of Unicode between tokens are blanks", "{\u{a0}\"q\":\"x\"}" => "{\"q\":\"x\"}";
    /// The arguments inside the object of a whole call.
    Envelope = "envelope", "arguments inside `{\"arguments\": …}` or a whole call of this tool are taken out", "{\"arguments\":{\"q\":\"x\"}}" => "{\"q\":\"x\"}";
    /// A JSON literal as a string.
    Literal = "literal", "the text of a number, a boolean or `null` is that value", "{\"n\":\"5\"}" => "{\"n\":5}";
    /// A list or an object as a string.
    Container = "container", "the text of an array or an object, in JSON or Python, is that value", "{\"list\":\"['a']\"}" => "{\"list\":[\"a\"]}";
    /// An integer where a string is right.
    Digits = "digits", "an integer where a string is right is its digits", "{\"q\":17}" => "{\"q\":\"17\"}";
    /// A number without a fraction where an integer is right.
    IntegralFloat = "integral_float", "a number without a fraction, below 2^53, is an integer", "{\"n\":3.0}" => "{\"n\":3}";
    /// `null` for a property that may be left out and takes no null.
    NullAbsent = "null_absent", "`null` for a property that may be left out is no property, or its default", "{\"n\":null}" => "{}";
    /// A value of an `enum` or `const` in another case.
    Case = "case", "a listed value is found in another ASCII case, if only one is", "{\"mode\":\"FAST\"}" => "{\"mode\":\"fast\"}";
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that was read otherwise than it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    pub(crate) kind: RepairKind,
    pub(crate) pointer: String,
}

impl Repair {
    pub(super) fn of_text(kind: RepairKind) -> Self {
        Self { kind, pointer: String::new() }
    }

    /// The rule.
    pub const fn kind(&self) -> RepairKind {
        self.kind
    }

    /// The JSON pointer to the value; empty for the text as a whole.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        if self.pointer.is_empty() { Ok(()) } else { write!(f, " at {}", self.pointer) }
    }
}
