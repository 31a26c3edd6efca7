//! The typed tree of a schema in the executable subset.

use std::collections::HashSet;
use std::fmt;

use serde_json::{Number, Value};

use super::format::Format;
use super::pattern::Pattern;
use crate::value::{Exact, Json, canonical};

/// One schema position, with every keyword of the executable subset.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a keyword of JSON Schema")]
pub(crate) struct Node {
    /// `true` or `false` in place of an object of keywords.
    pub(crate) boolean: Option<bool>,
    /// `$ref`.
    pub(crate) reference: Option<Reference>,
    /// `type`; empty where any is right.
    pub(crate) types: Vec<Kind>,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    /// `enum`.
    pub(crate) listed: Option<Listed>,
    /// `const`.
    pub(crate) constant: Option<Json>,
    pub(crate) format: Option<Format>,
    /// Whether the format is only told, and not asserted, as in foreign schemas.
    pub(crate) format_is_told: bool,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) minimum: Option<Number>,
    pub(crate) exclusive_minimum: Option<Number>,
    pub(crate) maximum: Option<Number>,
    pub(crate) exclusive_maximum: Option<Number>,
    pub(crate) multiple_of: Option<Number>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) properties: Option<Properties>,
    pub(crate) required: Vec<String>,
    /// `additionalProperties`.
    pub(crate) additional: Option<Box<Node>>,
    pub(crate) items: Option<Box<Node>>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique_items: bool,
    pub(crate) any_of: Vec<Node>,
    pub(crate) one_of: Vec<Node>,
    /// `allOf`, in foreign schemas only.
    pub(crate) all_of: Vec<Node>,
    pub(crate) default: Option<Json>,
    pub(crate) examples: Vec<Json>,
    pub(crate) deprecated: bool,
    pub(crate) read_only: bool,
    pub(crate) write_only: bool,
    pub(crate) comment: Option<String>,
    /// `x-tool-fast`: the type's deserializer is known to agree with this schema. Never written.
    pub(crate) fast: bool,
}

impl Node {
    /// The property of that name.
    pub(crate) fn property(&self, name: &str) -> Option<&Self> {
        self.properties.as_ref()?.get(name)
    }

    /// The properties in their order.
    pub(crate) fn properties(&self) -> &[(String, Self)] {
        self.properties.as_ref().map_or(&[], |properties| properties.list.as_slice())
    }

    /// Whether properties that are not declared are refused.
    pub(crate) fn is_closed(&self) -> bool {
        self.additional.as_ref().is_some_and(|node| node.boolean == Some(false))
    }

    /// Whether the property has to be there.
    pub(crate) fn requires(&self, name: &str) -> bool {
        self.required.iter().any(|required| required == name)
    }

    /// The branches of `anyOf` and `oneOf`.
    pub(crate) fn branches(&self) -> impl Iterator<Item = &Self> {
        self.any_of.iter().chain(&self.one_of)
    }

    /// Whether a value of this kind is one of the node's types.
    pub(crate) fn allows_kind_of(&self, value: &Value) -> bool {
        self.boolean != Some(false)
            && (self.types.is_empty() || self.types.iter().any(|kind| kind.fits(value)))
    }

    /// The only value that is right here, if there is one.
    pub(crate) fn only_value(&self) -> Option<&Json> {
        match (&self.constant, &self.listed) {
            (Some(constant), _) => Some(constant),
            (None, Some(listed)) => match listed.values.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// The values listed by `const` or `enum`.
    pub(crate) fn listed_values(&self) -> Option<&[Json]> {
        match (&self.constant, &self.listed) {
            (Some(constant), _) => Some(std::slice::from_ref(constant)),
            (None, Some(listed)) => Some(&listed.values),
            _ => None,
        }
    }
}

/// Where a `$ref` leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The reference as it was written.
    pub(crate) text: String,
    pub(crate) target: Target,
}

/// The places that a `$ref` can lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Root,
    /// An entry of `$defs`, by its position.
    Definition(usize),
}

/// The types of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub(crate) const NAMES: [&'static str; 7] =
        ["null", "boolean", "integer", "number", "string", "array", "object"];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// Whether the value is of the type.
    pub(crate) fn fits(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Integer, Value::Number(number)) => Exact::of(number).is_integer(),
            (Self::Null, Value::Null)
            | (Self::Boolean, Value::Bool(_))
            | (Self::Number, Value::Number(_))
            | (Self::String, Value::String(_))
            | (Self::Array, Value::Array(_))
            | (Self::Object, Value::Object(_)) => true,
            _ => false,
        }
    }

    /// Whether a value that JSON calls so is of the type.
    pub(crate) fn fits_name(self, kind: &str) -> bool {
        self.name() == kind || (self == Self::Number && kind == "integer")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The values of an `enum`, with an index once there are many.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub(crate) values: Vec<Json>,
    index: Option<HashSet<String>>,
}

impl Listed {
    const MANY: usize = 16;

    pub(crate) fn new(values: Vec<Json>) -> Self {
        let index = (values.len() > Self::MANY)
            .then(|| values.iter().map(|value| canonical(&value.clone().into_value())).collect());
        Self { values, index }
    }

    pub(crate) fn contains(&self, value: &Value) -> bool {
        match &self.index {
            Some(index) => index.contains(&canonical(value)),
            None => self.values.iter().any(|listed| listed.equals(value)),
        }
    }
}

/// The properties of an object in their order, found by name in logarithmic time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Properties {
    list: Vec<(String, Node)>,
    sorted: Vec<usize>,
}

impl Properties {
    pub(crate) fn new(list: Vec<(String, Node)>) -> Self {
        let mut sorted: Vec<(&str, usize)> =
            list.iter().enumerate().map(|(index, (name, _))| (name.as_str(), index)).collect();
        sorted.sort_unstable();
        let sorted = sorted.into_iter().map(|(_, index)| index).collect();
        Self { list, sorted }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        let at = |index: usize| self.list.get(index).map_or("", |(key, _)| key.as_str());
        let found = self.sorted.binary_search_by(|index| at(*index).cmp(name)).ok()?;
        self.list.get(*self.sorted.get(found)?).map(|(_, node)| node)
    }
}
