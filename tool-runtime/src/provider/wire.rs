//! Reading of messages: each value knows its place, so that each error can name it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Why a provider's message cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The text is not JSON.
    #[error("the message is not JSON; pass the text of {expected}")]
    NotJson {
        /// What would be right.
        expected: &'static str,
        /// Where the text stops being JSON.
        source: serde_json::Error,
    },
    /// The text is JSON, but not the message that it should be.
    #[error("{}: expected {expected}, got {got}", if pointer.is_empty() { "the message" } else { pointer })]
    Unexpected {
        /// The JSON pointer of the place; empty for the whole message.
        pointer: String,
        /// What would be right.
        expected: &'static str,
        /// What is there.
        got: String,
    },
    /// A key stands twice in an object of the message, so that nobody can tell which value is meant.
    #[error("{pointer} stands twice; a key has one value")]
    Duplicate {
        /// The JSON pointer of the member.
        pointer: String,
    },
    /// The stream ended before the answer did, or an event in it was wrong.
    #[error("the stream ended before the answer did; ask again")]
    Unfinished,
    /// The provider reported an error in place of an answer, or within it.
    #[error("the provider reported an error")]
    Provider {
        /// The provider's own text.
        message: String,
    },
    /// The answer holds more than is kept of one.
    #[error("the answer exceeds the limit of {limit} bytes or calls")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
}

/// A value in a message, not read yet.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    raw: &'a RawValue,
    pointer: String,
}

impl<'a> Node<'a> {
    pub(super) fn parse(text: &'a str, expected: &'static str) -> Result<Self, WireError> {
        let raw = serde_json::from_str(text).map_err(|source| WireError::NotJson { expected, source })?;
        Ok(Self { raw, pointer: String::new() })
    }

    /// The JSON text of the value, byte for byte.
    pub(super) fn text(&self) -> &'a str {
        self.raw.get()
    }

    pub(super) fn is_string(&self) -> bool {
        self.text().starts_with('"')
    }

    pub(super) fn object(&self, expected: &'static str) -> Result<Object<'a>, WireError> {
        Ok(Object { fields: self.read(expected)?, pointer: self.pointer.clone() })
    }

    pub(super) fn list(&self, expected: &'static str) -> Result<Vec<Self>, WireError> {
        let items: Vec<&RawValue> = self.read(expected)?;
        let place = |(index, raw)| Self { raw, pointer: format!("{}/{index}", self.pointer) };
        Ok(items.into_iter().enumerate().map(place).collect())
    }

    pub(super) fn number(&self, expected: &'static str) -> Result<u64, WireError> {
        self.read(expected)
    }

    pub(super) fn string(&self, expected: &'static str) -> Result<String, WireError> {
        self.read(expected)
    }

    /// That the value is something else.
    pub(super) fn unexpected(&self, expected: &'static str) -> WireError {
        let text = self.text();
        let got = match text.as_bytes().first() {
            Some(b'{') => "an object".to_owned(),
            Some(b'[') if serde_json::from_str::<[(); 0]>(text).is_ok() => "an empty list".to_owned(),
            Some(b'[') => "a list".to_owned(),
            _ if text.len() > 40 => "another value".to_owned(),
            _ => text.to_owned(),
        };
        WireError::Unexpected { pointer: self.pointer.clone(), expected, got }
    }

    fn read<T: Deserialize<'a>>(&self, expected: &'static str) -> Result<T, WireError> {
        serde_json::from_str(self.text()).map_err(|_| self.unexpected(expected))
    }
}

/// An object in a message, its fields not read yet.
#[derive(Debug)]
pub(super) struct Object<'a> {
    fields: Fields<'a>,
    pointer: String,
}

/// The members of an object, of which each knows whether its key stands there once.
#[derive(Debug)]
struct Fields<'a>(BTreeMap<String, Field<'a>>);

#[derive(Debug)]
struct Field<'a> {
    raw: &'a RawValue,
    is_single: bool,
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields: BTreeMap<String, Field<'de>> = BTreeMap::new();
                while let Some((key, raw)) = map.next_entry()? {
                    fields
                        .entry(key)
                        .and_modify(|field| field.is_single = false)
                        .or_insert(Field { raw, is_single: true });
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl<'a> Object<'a> {
    /// The field, unless it is missing or `null`, which providers use alike. One that stands twice is an error; of
    /// fields that nobody reads it does not matter.
    pub(super) fn get(&self, key: &str) -> Result<Option<Node<'a>>, WireError> {
        let Some(Field { raw, is_single }) = self.fields.0.get(key) else { return Ok(None) };
        let pointer = format!("{}/{key}", self.pointer);
        if !is_single {
            return Err(WireError::Duplicate { pointer });
        }
        Ok((raw.get() != "null").then_some(Node { raw, pointer }))
    }

    /// The first of several fields that is there.
    pub(super) fn first(&self, keys: &[&str]) -> Result<Option<Node<'a>>, WireError> {
        keys.iter().find_map(|key| self.get(key).transpose()).transpose()
    }

    /// The field as an object.
    pub(super) fn object(&self, key: &str, expected: &'static str) -> Result<Option<Self>, WireError> {
        self.get(key)?.map(|node| node.object(expected)).transpose()
    }

    /// The field as a string.
    pub(super) fn string(&self, key: &str, expected: &'static str) -> Result<Option<String>, WireError> {
        self.get(key)?.map(|node| node.string(expected)).transpose()
    }

    pub(super) fn need(&self, key: &str, expected: &'static str) -> Result<Node<'a>, WireError> {
        self.get(key)?.ok_or_else(|| WireError::Unexpected {
            pointer: format!("{}/{key}", self.pointer),
            expected,
            got: "nothing".to_owned(),
        })
    }

    /// That a field which may be missing is another word than the one it must be.
    pub(super) fn must_be(&self, key: &str, word: &str, expected: &'static str) -> Result<(), WireError> {
        match self.get(key)? {
            Some(node) if node.string(expected)? != word => Err(node.unexpected(expected)),
            _ => Ok(()),
        }
    }

    /// Whether a field is this word.
    pub(super) fn is(&self, key: &str, word: &str) -> Result<bool, WireError> {
        Ok(self.get(key)?.is_some_and(|node| node.string("a word").is_ok_and(|text| text == word)))
    }

    /// Whether a field is one of these words.
    pub(super) fn is_any(&self, key: &str, words: &[&str]) -> Result<bool, WireError> {
        for word in words {
            if self.is(key, word)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// That the object as a whole is something else.
    pub(super) fn unexpected(&self, expected: &'static str) -> WireError {
        let keys: Vec<_> = self.fields.0.keys().take(8).map(|key| format!("{key:?}")).collect();
        let got = if keys.is_empty() {
            "an empty object".to_owned()
        } else {
            format!("an object with {}", keys.join(", "))
        };
        WireError::Unexpected { pointer: self.pointer.clone(), expected, got }
    }
}
