//! Reads the members of one JSON object straight from the text, without a tree between.
//!
//! The reader knows only well-formed, plain text (RFC 8259): at the first doubt it slips, and the caller goes
//! the way that parses, validates and explains.

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::strict::Strictly;
use crate::schema::shape::Beginnings;

/// Why the direct way was left. Not an error for people: the validating way makes those.
#[derive(Debug)]
#[non_exhaustive]
pub enum Slip {
    /// The text is not plainly one object.
    Text,
    /// A member that the tool does not have, or has twice, or lacks.
    Member,
    /// Something that the program was to give is missing.
    State,
    /// A type refused its text.
    Type(serde_json::Error),
    /// The type of this argument refused its text.
    Argument(&'static str, serde_json::Error),
}

impl Slip {
    /// The same, with the argument that it is about.
    pub(crate) fn of(self, argument: &'static str) -> Self {
        match self {
            Self::Type(error) => Self::Argument(argument, error),
            slip => slip,
        }
    }
}

/// The members of one object.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    position: usize,
    started: bool,
}

impl<'a> Reader<'a> {
    /// Starts before the object.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, position: 0, started: false }
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "it stands before every part of an object, and its call costs more than it does"
    )]
    fn blank(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        let mut byte = *bytes.get(self.position)?;
        // Most often there is no blank, or one.
        if byte == b' ' {
            self.position += 1;
            byte = *bytes.get(self.position)?;
        }
        if byte > b' ' { Some(byte) } else { self.blanks() }
    }

    #[cold]
    fn blanks(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(self.position) {
            self.position += 1;
        }
        bytes.get(self.position).copied()
    }

    /// Goes before the next member's key; `false` after the object.
    #[inline]
    pub(crate) fn next_member(&mut self) -> Result<bool, Slip> {
        let first = !self.started;
        match self.blank() {
            Some(b'{') if first => self.position += 1,
            Some(b',') if !first => self.position += 1,
            Some(b'}') if !first => return self.end(),
            _ => return Err(Slip::Text),
        }
        self.started = true;
        match self.blank() {
            Some(b'"') => Ok(true),
            Some(b'}') if first => self.end(),
            _ => Err(Slip::Text),
        }
    }

    /// Whether the key before which the reader stands is this one; the reader then stands before its value.
    #[inline]
    pub(crate) fn is_key(&mut self, key: &str) -> Result<bool, Slip> {
        let rest = self.text.as_bytes().get(self.position + 1..);
        let is = rest
            .and_then(|rest| rest.strip_prefix(key.as_bytes()))
            .is_some_and(|rest| rest.first() == Some(&b'"'));
        if is {
            self.position += key.len() + 2;
            self.colon()?;
        }
        Ok(is)
    }

    /// The key before which the reader stands; the reader then stands before its value.
    pub(crate) fn key(&mut self) -> Result<&'a str, Slip> {
        let start = self.position + 1;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let mut length = 0;
        loop {
            match rest.get(length) {
                Some(b'"') => break,
                Some(b'\\') => length += 2,
                None | Some(0..=0x1f) => return Err(Slip::Text),
                Some(_) => length += 1,
            }
        }
        self.position = start + length + 1;
        self.colon()?;
        self.text.get(start..start + length).ok_or(Slip::Text)
    }

    #[inline]
    fn colon(&mut self) -> Result<(), Slip> {
        if self.blank() != Some(b':') {
            return Err(Slip::Text);
        }
        self.position += 1;
        Ok(())
    }

    #[inline]
    fn end(&mut self) -> Result<bool, Slip> {
        self.position += 1;
        if self.blank().is_none() { Ok(false) } else { Err(Slip::Text) }
    }

    /// Whether the value before which the reader stands may begin so.
    #[inline]
    pub(crate) fn is_before(&mut self, beginnings: Beginnings) -> bool {
        self.blank().is_some_and(|first| beginnings.may_be(first))
    }

    /// Reads the value before which the reader stands.
    #[inline]
    pub(crate) fn value<T: DeserializeOwned>(&mut self) -> Result<T, Slip> {
        let rest = self.text.get(self.position..).ok_or(Slip::Text)?;
        let mut deserializer = serde_json::Deserializer::from_str(rest);
        let Strictly(value) = Strictly::deserialize(&mut deserializer).map_err(Slip::Type)?;
        // The only way to learn how far a deserializer has come.
        self.position += deserializer.into_iter::<IgnoredAny>().byte_offset();
        Ok(value)
    }

    /// The text of the value before which the reader stands.
    pub(crate) fn raw(&mut self) -> Result<&'a str, Slip> {
        let start = self.position;
        self.value::<IgnoredAny>()?;
        self.text.get(start..self.position).ok_or(Slip::Text)
    }
}

/// What a type said of text that its schema takes, without places in a text that the model did not write.
pub(crate) fn type_refusal(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text.get(..end).unwrap_or_default().to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Result<Vec<(String, String)>, Slip> {
        let mut reader = Reader::new(text);
        let mut all = Vec::new();
        while reader.next_member()? {
            let key = reader.key()?;
            all.push((key.to_owned(), reader.raw()?.trim().to_owned()));
        }
        Ok(all)
    }

    #[test]
    fn members_come_in_order_with_their_text() {
        let pair = |key: &str, text: &str| (key.to_owned(), text.to_owned());
        assert_eq!(keys(" { } ").expect("plain"), []);
        assert_eq!(keys(r#"{"a\"\u0062\\":1}"#).expect("plain"), [pair(r#"a\"\u0062\\"#, "1")]);
        assert_eq!(
            keys(r#"{"a":1, "b" : [1,{"c":"}"}] ,"ü":"x"}"#).expect("plain"),
            [pair("a", "1"), pair("b", r#"[1,{"c":"}"}]"#), pair("ü", "\"x\"")]
        );
    }

    #[test]
    fn anything_but_plain_text_slips() {
        for text in [
            "",
            "  ",
            "null",
            "[]",
            "{",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1",
            "{\"a\":1,}",
            "{\"a\":1 \"b\":2}",
            "{,}",
            "{\"a\":1}x",
            "{\"a\":01}",
            "{\"a\n\":1}",
            "{a:1}",
            "{\"a\":1}}",
            "{\"é",
            "{\"a\":\"\u{1}\"}",
            "{\"a\":nul}",
            "\u{feff}{}",
        ] {
            assert!(keys(text).is_err(), "{text}");
        }
    }
}
