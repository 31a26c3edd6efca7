//! Reads a schema of any draft into parts.

use super::super::node::Kind;
use super::part::{Document, Part};
use super::resolve::Resolver;
use super::{DialectError, Loss, LossKind};
use crate::value::{Json, ParseLimits, Pointer, parse};

/// The longest schema, in bytes of its text.
const MAX_BYTES: usize = 256 * 1024;

/// The deepest nesting of schemas.
const MAX_NESTING: usize = 64;

/// The most schemas within one.
const MAX_PARTS: usize = 10_000;

/// Reads a text; what has no meaning in any draft is left out and becomes a loss.
pub(super) fn read(text: &str) -> Result<(Document, Vec<Loss>), DialectError> {
    let json = json(text)?;
    let mut reader = Reader { losses: Vec::new(), references: Vec::new(), parts: 0, nesting: 0 };
    let mut pointer = Pointer::root();
    let root = reader.part(&json, &mut pointer)?;
    Resolver::resolve(&json, root, reader)
}

/// Reads a text as JSON.
pub(super) fn json(text: &str) -> Result<Json, DialectError> {
    let limits = ParseLimits { bytes: MAX_BYTES, depth: 200, nodes: MAX_BYTES };
    parse(text, &limits).map_err(|error| {
        let (line, column) = error.line_and_column(text);
        DialectError::Text { pointer: error.pointer().as_str().to_owned(), line, column }
    })
}

/// A reader of parts; references are noted and resolved afterwards.
pub(super) struct Reader {
    pub(super) losses: Vec<Loss>,
    /// The place and text of every `$ref`.
    pub(super) references: Vec<(String, String)>,
    parts: usize,
    nesting: usize,
}

impl Reader {
    pub(super) fn part(&mut self, json: &Json, pointer: &mut Pointer) -> Result<Part, DialectError> {
        self.parts += 1;
        self.nesting += 1;
        if self.nesting > MAX_NESTING || self.parts > MAX_PARTS {
            return Err(DialectError::TooLarge { pointer: pointer.as_str().to_owned() });
        }
        let part = match json {
            Json::Object(members) => self.keywords(members, pointer)?,
            Json::Bool(flag) => Part { never: !flag, ..Part::anything(pointer.as_str()) },
            _ => {
                self.lose(pointer, "", "is no schema and was read as one that takes anything");
                Part::anything(pointer.as_str())
            }
        };
        self.nesting -= 1;
        Ok(part)
    }

    fn lose(&mut self, pointer: &Pointer, keyword: &str, what: &str) {
        self.losses.push(Loss::new(pointer.as_str(), keyword, LossKind::Omitted, what));
    }

    fn keywords(&mut self, members: &[(String, Json)], pointer: &mut Pointer) -> Result<Part, DialectError> {
        let mut part = Part::anything(pointer.as_str());
        for (keyword, value) in members {
            pointer.push(keyword);
            self.keyword(&mut part, keyword, value, pointer)?;
            pointer.pop();
        }
        // `items` beside `prefixItems` in draft-07 is `additionalItems`.
        self.old_bounds(&mut part, pointer);
        Ok(part)
    }

    fn keyword(
        &mut self,
        part: &mut Part,
        keyword: &str,
        value: &Json,
        pointer: &mut Pointer,
    ) -> Result<(), DialectError> {
        match (keyword, value) {
            ("$ref", Json::String(text)) => self.references.push((part.at.clone(), text.clone())),
            ("type", Json::String(name)) => part.types.extend(self.kind(name, pointer)),
            ("type", Json::Array(names)) => {
                for name in names.iter().filter_map(Json::as_str) {
                    let kind = self.kind(name, pointer);
                    part.types.extend(kind.filter(|kind| !part.types.contains(kind)));
                }
            }
            ("enum", Json::Array(values)) if !values.is_empty() => part.listed = Some(values.clone()),
            ("const", value) => part.constant = Some(value.clone()),
            ("required", Json::Array(names)) => {
                for name in names.iter().filter_map(Json::as_str) {
                    if !part.requires(name) {
                        part.required.push(name.to_owned());
                    }
                }
            }
            ("properties", Json::Object(named)) => part.properties = Some(self.named(named, pointer)?),
            ("patternProperties", Json::Object(named)) => part.patterns = self.named(named, pointer)?,
            ("additionalProperties", inner) => part.additional = Some(Box::new(self.part(inner, pointer)?)),
            ("items" | "prefixItems", Json::Array(items)) => {
                part.prefix = self.list(items, pointer)?;
            }
            ("items" | "additionalItems", inner) => {
                if keyword == "items" || part.items.is_none() {
                    part.items = Some(Box::new(self.part(inner, pointer)?));
                }
            }
            ("anyOf", Json::Array(branches)) => part.any_of = self.list(branches, pointer)?,
            ("oneOf", Json::Array(branches)) => part.one_of = self.list(branches, pointer)?,
            ("allOf", Json::Array(branches)) => part.all_of = self.list(branches, pointer)?,
            (
                "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedItems"
                | "unevaluatedProperties",
                inner,
            ) => {
                let inner = self.part(inner, pointer)?;
                part.others.push((keyword.to_owned(), inner));
            }
            // What definitions hold is read where a reference leads to it.
            ("$defs" | "definitions" | "id", _) => {}
            (
                "$ref" | "type" | "enum" | "required" | "properties" | "patternProperties" | "prefixItems"
                | "anyOf" | "oneOf" | "allOf",
                _,
            ) => {
                let at = pointer.as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
                self.losses.push(Loss::new(at, keyword, LossKind::Omitted, "has no value that it can have"));
            }
            _ => part.words.push((keyword.to_owned(), value.clone())),
        }
        Ok(())
    }

    fn kind(&mut self, name: &str, pointer: &Pointer) -> Option<Kind> {
        let kind = Kind::from_name(name);
        if kind.is_none() {
            let at = pointer.as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
            let what = format!("{name:?} is no type of JSON Schema and was left out");
            self.losses.push(Loss::new(at, "type", LossKind::Omitted, &what));
        }
        kind
    }

    fn named(
        &mut self,
        named: &[(String, Json)],
        pointer: &mut Pointer,
    ) -> Result<Vec<(String, Part)>, DialectError> {
        let mut out = Vec::with_capacity(named.len());
        for (name, inner) in named {
            pointer.push(name);
            out.push((name.clone(), self.part(inner, pointer)?));
            pointer.pop();
        }
        Ok(out)
    }

    fn list(&mut self, parts: &[Json], pointer: &mut Pointer) -> Result<Vec<Part>, DialectError> {
        let mut out = Vec::with_capacity(parts.len());
        for (index, inner) in parts.iter().enumerate() {
            pointer.push_index(index);
            out.push(self.part(inner, pointer)?);
            pointer.pop();
        }
        Ok(out)
    }

    /// Draft-04 says with a flag that a bound is exclusive.
    fn old_bounds(&mut self, part: &mut Part, pointer: &Pointer) {
        for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            let Some(Json::Bool(flag)) = part.word(exclusive) else { continue };
            let flag = *flag;
            part.take_word(exclusive);
            if !flag {
                continue;
            }
            match part.take_word(bound) {
                Some(number) => part.set_word(exclusive, number),
                None => self.lose(pointer, exclusive, "stands without a bound and was left out"),
            }
        }
    }
}
