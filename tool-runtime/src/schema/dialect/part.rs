//! One position of a schema in any draft, spelled as in 2020-12.

use super::super::node::Kind;
use crate::value::Json;

/// A schema position: what the projection reads, merges and writes.
///
/// Unlike [`super::super::Node`] it holds what cannot be enforced, too.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    /// The JSON pointer in the schema as it came.
    pub(super) at: String,
    /// `false` in place of an object of keywords.
    pub(super) never: bool,
    pub(super) reference: Option<Target>,
    pub(super) types: Vec<Kind>,
    pub(super) listed: Option<Vec<Json>>,
    pub(super) constant: Option<Json>,
    /// Keywords without subschemas, in their order.
    pub(super) words: Vec<(String, Json)>,
    pub(super) properties: Option<Vec<(String, Part)>>,
    pub(super) required: Vec<String>,
    pub(super) additional: Option<Box<Part>>,
    pub(super) patterns: Vec<(String, Part)>,
    pub(super) prefix: Vec<Part>,
    pub(super) items: Option<Box<Part>>,
    pub(super) any_of: Vec<Part>,
    pub(super) one_of: Vec<Part>,
    pub(super) all_of: Vec<Part>,
    /// `not`, `if`, `then`, `else`, `contains`, `propertyNames`, `unevaluated…`.
    pub(super) others: Vec<(String, Part)>,
    /// What a union was before it became one object.
    pub(super) variants: Option<Variants>,
}

/// The branches of a union that became one object, told apart by one property if there is one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variants {
    /// The property.
    pub(super) tag: Option<String>,
    /// The values of the tag in a branch, and the properties for which null is right in it.
    pub(super) branches: Vec<(Vec<Json>, Vec<String>)>,
}

/// Where a reference leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    Root,
    Definition(usize),
}

/// A whole schema.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) root: Part,
    pub(super) definitions: Vec<(String, Part)>,
}

impl Document {
    pub(super) fn get(&self, target: Target) -> Option<&Part> {
        match target {
            Target::Root => Some(&self.root),
            Target::Definition(index) => self.definitions.get(index).map(|(_, part)| part),
        }
    }

    /// The part, and what its references lead to, one after the other.
    pub(super) fn chain<'d>(&'d self, part: &'d Part) -> impl Iterator<Item = &'d Part> {
        let next = |part: &&'d Part| part.reference.and_then(|target| self.get(target));
        std::iter::successors(Some(part), next).take(64)
    }
}

impl Part {
    /// A part that takes anything.
    pub(super) fn anything(at: &str) -> Self {
        Self { at: at.to_owned(), ..Self::default() }
    }

    /// A part of one type.
    pub(super) fn of(at: &str, kind: Kind) -> Self {
        Self { types: vec![kind], ..Self::anything(at) }
    }

    pub(super) fn word(&self, keyword: &str) -> Option<&Json> {
        self.words.iter().find(|(word, _)| word == keyword).map(|(_, value)| value)
    }

    pub(super) fn set_word(&mut self, keyword: &str, value: Json) {
        match self.words.iter_mut().find(|(word, _)| word == keyword) {
            Some((_, slot)) => *slot = value,
            None => self.words.push((keyword.to_owned(), value)),
        }
    }

    pub(super) fn take_word(&mut self, keyword: &str) -> Option<Json> {
        let index = self.words.iter().position(|(word, _)| word == keyword)?;
        Some(self.words.remove(index).1)
    }

    pub(super) fn description(&self) -> Option<&str> {
        self.word("description").and_then(Json::as_str)
    }

    /// Appends a sentence to the description.
    pub(super) fn describe(&mut self, text: &str) {
        let description = match self.description() {
            Some(own) if !own.is_empty() => format!("{own}\n{text}"),
            _ => text.to_owned(),
        };
        self.set_word("description", Json::String(description));
    }

    pub(super) fn property(&self, name: &str) -> Option<&Self> {
        self.properties.as_ref()?.iter().find(|(key, _)| key == name).map(|(_, part)| part)
    }

    pub(super) fn properties(&self) -> &[(String, Self)] {
        self.properties.as_deref().unwrap_or_default()
    }

    pub(super) fn requires(&self, name: &str) -> bool {
        self.required.iter().any(|required| required == name)
    }

    /// Whether properties that are not declared are refused.
    pub(super) fn is_closed(&self) -> bool {
        self.patterns.is_empty() && self.additional.as_ref().is_some_and(|part| part.never)
    }

    /// Whether the part takes anything: nothing but words that say no rule.
    pub(super) fn is_anything(&self) -> bool {
        let says_nothing = |word: &str| {
            matches!(
                word,
                "title"
                    | "description"
                    | "default"
                    | "examples"
                    | "example"
                    | "deprecated"
                    | "readOnly"
                    | "writeOnly"
                    | "$comment"
                    | "$schema"
                    | "$id"
                    | "$anchor"
                    | "nullable"
            ) || word.starts_with("x-")
        };
        self.reference.is_none() && !self.has_rules() && self.words.iter().all(|(word, _)| says_nothing(word))
    }

    /// Whether there is a rule besides words and a reference.
    fn has_rules(&self) -> bool {
        self.never
            || !self.types.is_empty()
            || self.listed.is_some()
            || self.constant.is_some()
            || self.properties.is_some()
            || !self.required.is_empty()
            || self.additional.is_some()
            || !self.patterns.is_empty()
            || !self.prefix.is_empty()
            || self.items.is_some()
            || self.branches().next().is_some()
            || !self.all_of.is_empty()
            || !self.others.is_empty()
    }

    /// Whether the part is a reference and nothing else.
    pub(super) fn is_bare_reference(&self) -> bool {
        self.reference.is_some() && !self.has_rules() && self.words.is_empty()
    }

    pub(super) fn branches(&self) -> impl Iterator<Item = &Self> {
        self.any_of.iter().chain(&self.one_of)
    }

    /// The values listed by `const` or `enum`.
    pub(super) fn values(&self) -> Option<&[Json]> {
        match (&self.constant, &self.listed) {
            (Some(constant), _) => Some(std::slice::from_ref(constant)),
            (None, Some(listed)) => Some(listed),
            (None, None) => None,
        }
    }

    /// Whether values can only be of this type, as far as the part says itself.
    pub(super) fn is_only(&self, kind: Kind) -> bool {
        self.types == [kind]
    }

    /// Every part directly below.
    pub(super) fn children(&self) -> impl Iterator<Item = &Self> {
        let named = self.properties().iter().chain(&self.patterns).chain(&self.others).map(|(_, part)| part);
        named
            .chain(self.additional.as_deref())
            .chain(&self.prefix)
            .chain(self.items.as_deref())
            .chain(&self.any_of)
            .chain(&self.one_of)
            .chain(&self.all_of)
    }

    /// Every part directly below, to change.
    pub(super) fn children_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        let properties = self.properties.iter_mut().flatten();
        let named = properties.chain(&mut self.patterns).chain(&mut self.others).map(|(_, part)| part);
        named
            .chain(self.additional.as_deref_mut())
            .chain(&mut self.prefix)
            .chain(self.items.as_deref_mut())
            .chain(&mut self.any_of)
            .chain(&mut self.one_of)
            .chain(&mut self.all_of)
    }

    /// How many parts there are, this one included.
    pub(super) fn count(&self) -> usize {
        1 + self.children().map(Self::count).sum::<usize>()
    }
}

/// The type that a value has.
pub(super) fn kind_of(value: &Json) -> Kind {
    match value {
        Json::Null => Kind::Null,
        Json::Bool(_) => Kind::Boolean,
        Json::Number(_) if value.kind() == "integer" => Kind::Integer,
        Json::Number(_) => Kind::Number,
        Json::String(_) => Kind::String,
        Json::Array(_) => Kind::Array,
        Json::Object(_) => Kind::Object,
    }
}
