//! Parts said in another way, before they are written.

use super::super::node::Kind;
use super::LossKind;
use super::merge::follow;
use super::part::{Part, kind_of};
use super::project::Projector;
use super::rules::References;
use super::table::{Fate, Feature};
use crate::value::Json;

impl Projector<'_> {
    /// The part said in another way, where the dialect cannot take it as it stands.
    pub(super) fn other_spelling(&mut self, part: &Part) -> Option<Part> {
        if part.reference.is_some() && !part.is_bare_reference() {
            let respell = self.rules.fate(Feature::ReferenceSiblings) == Fate::Respell;
            let only_words = Part { reference: None, ..part.clone() }.is_anything();
            if respell && only_words && self.rules.references != References::OutsideUnions {
                let bare = Part { reference: part.reference, ..Part::anything(&part.at) };
                return Some(Part { reference: None, any_of: vec![bare], ..part.clone() });
            }
            if respell {
                return self.written_out(part);
            }
        }
        if let Some(types) = self.missing_types(part) {
            return Some(Part { types, ..part.clone() });
        }
        let mut kinds: Vec<Kind> = part.types.iter().copied().filter(|kind| *kind != Kind::Null).collect();
        if kinds.contains(&Kind::Number) {
            kinds.retain(|kind| *kind != Kind::Integer);
        }
        let lists_null = self.rules.fate(Feature::NullType) == Fate::Some
            && part.types.contains(&Kind::Null)
            && kinds.iter().any(|kind| matches!(kind, Kind::Object | Kind::Array));
        let several = kinds.len() > 1 && self.rules.fate(Feature::SeveralTypes) == Fate::Respell;
        if !several && !lists_null {
            return None;
        }
        if part.branches().next().is_some() || part.reference.is_some() {
            self.lose(part, "type", LossKind::Loosened, "is several types beside a union, and was left out");
            return Some(Part { types: Vec::new(), ..part.clone() });
        }
        if part.types.contains(&Kind::Null) {
            kinds.push(Kind::Null);
        }
        Some(split(part, &kinds))
    }

    /// The types of a part that says none, in dialects that want them said.
    fn missing_types(&mut self, part: &Part) -> Option<Vec<Kind>> {
        let says_otherwise = part.branches().next().is_some() || part.reference.is_some() || part.never;
        let is_wanted = self.rules.strict || self.rules.nullable;
        if !is_wanted || !part.types.is_empty() || says_otherwise || part.is_anything() {
            return None;
        }
        let mut kinds = Vec::new();
        for kind in part.values().into_iter().flatten().map(kind_of) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        if kinds.is_empty() && self.rules.nullable {
            kinds.extend(self.guessed(part));
        }
        Some(kinds).filter(|kinds| !kinds.is_empty())
    }

    /// The part with what its reference leads to written into it.
    pub(super) fn written_out(&mut self, part: &Part) -> Option<Part> {
        let target = part.reference?;
        if self.recursive.contains(&target) || self.followed.len() > 32 {
            self.not_strict(part, "leads back into itself where the provider takes no reference");
            return Some(Part { reference: None, ..part.clone() });
        }
        let mut out = part.clone();
        follow(&mut out, self.document, &mut self.losses, &mut self.fuel);
        Some(out)
    }

    /// The type that the keywords of an untyped part belong to.
    fn guessed(&mut self, part: &Part) -> Option<Kind> {
        let has = |words: &[&str]| words.iter().any(|word| part.word(word).is_some());
        let kind = if part.properties.is_some() || part.additional.is_some() || !part.required.is_empty() {
            Kind::Object
        } else if part.items.is_some()
            || !part.prefix.is_empty()
            || has(&["minItems", "maxItems", "uniqueItems"])
        {
            Kind::Array
        } else if has(&["minLength", "maxLength", "pattern", "format"]) {
            Kind::String
        } else if has(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) {
            Kind::Number
        } else {
            return None;
        };
        let what = format!("says no type and is told as {}", kind.name());
        self.lose(part, "type", LossKind::Narrowed, &what);
        Some(kind)
    }
}

/// A union of the types, each with the keywords that it knows.
fn split(part: &Part, kinds: &[Kind]) -> Part {
    let is_note = |word: &str| matches!(word, "title" | "description" | "default" | "examples" | "example");
    let (notes, words): (Vec<_>, Vec<_>) = part.words.iter().cloned().partition(|(word, _)| is_note(word));
    let branch = |kind: &Kind| {
        let mut branch = Part::of(&part.at, *kind);
        let of_kind = |word: &str| match word {
            "minLength" | "maxLength" | "pattern" | "format" => *kind == Kind::String,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                matches!(kind, Kind::Integer | Kind::Number)
            }
            "minItems" | "maxItems" | "uniqueItems" => *kind == Kind::Array,
            "minProperties" | "maxProperties" | "dependentRequired" => *kind == Kind::Object,
            _ => *kind != Kind::Null,
        };
        branch.words = words.iter().filter(|(word, _)| of_kind(word)).cloned().collect();
        let fits = |value: &&Json| {
            let of = kind_of(value);
            of == *kind || (of == Kind::Integer && *kind == Kind::Number)
        };
        if let Some(values) = part.values() {
            let own: Vec<Json> = values.iter().filter(fits).cloned().collect();
            branch.never = own.is_empty();
            branch.listed = Some(own);
        }
        match kind {
            Kind::Object => {
                branch.properties.clone_from(&part.properties);
                branch.required.clone_from(&part.required);
                branch.additional.clone_from(&part.additional);
                branch.patterns.clone_from(&part.patterns);
                branch.variants.clone_from(&part.variants);
            }
            Kind::Array => {
                branch.items.clone_from(&part.items);
                branch.prefix.clone_from(&part.prefix);
            }
            _ => {}
        }
        branch
    };
    let any_of = kinds.iter().map(branch).filter(|branch| !branch.never).collect();
    Part { words: notes, any_of, others: part.others.clone(), ..Part::anything(&part.at) }
}
