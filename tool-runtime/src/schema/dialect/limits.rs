//! How much a schema holds, and whether that is within what a provider takes for `strict`.

use super::rules::Limits;
use crate::value::Json;

/// How much a schema holds, in the words of providers' limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measure {
    /// Properties, at all levels together.
    pub properties: usize,
    /// Properties that may be left out.
    pub optional: usize,
    /// Places where one of several types or branches is taken.
    pub unions: usize,
    /// The deepest nesting of objects and lists.
    pub nesting: usize,
    /// Values in `enum`, at all levels together.
    pub enum_values: usize,
    /// Characters of names, `enum` and `const`.
    pub characters: usize,
    /// The most characters in one `enum` of more than 250 texts.
    pub large_enum: usize,
}

impl Measure {
    /// Measures a schema in a dialect. The nesting was bounded when it was made.
    pub(super) fn of(schema: &Json) -> Self {
        let mut measure = Self::default();
        measure.add(schema, 0);
        measure
    }

    fn add(&mut self, schema: &Json, depth: usize) {
        let Json::Object(members) = schema else { return };
        let required = match schema.get("required") {
            Some(Json::Array(names)) => names.as_slice(),
            _ => &[],
        };
        let is_level = members.iter().any(|(keyword, _)| matches!(keyword.as_str(), "properties" | "items"));
        let depth = depth + usize::from(is_level);
        self.nesting = self.nesting.max(depth);
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                ("properties", Json::Object(named)) => {
                    for (name, inner) in named {
                        self.properties += 1;
                        self.characters += name.chars().count();
                        self.optional +=
                            usize::from(!required.iter().any(|known| known.as_str() == Some(name)));
                        self.add(inner, depth);
                    }
                }
                ("$defs", Json::Object(named)) => {
                    for (name, inner) in named {
                        self.characters += name.chars().count();
                        self.add(inner, depth);
                    }
                }
                ("items" | "additionalProperties", inner) => self.add(inner, depth),
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Json::Array(branches)) => {
                    self.unions += usize::from(matches!(keyword.as_str(), "anyOf" | "oneOf"));
                    for branch in branches {
                        self.add(branch, depth);
                    }
                }
                ("type", Json::Array(_)) => self.unions += 1,
                ("enum", Json::Array(values)) => {
                    let characters: usize = values.iter().map(characters).sum();
                    self.enum_values += values.len();
                    self.characters += characters;
                    if values.len() > 250 {
                        self.large_enum = self.large_enum.max(characters);
                    }
                }
                ("const", value) => self.characters += characters(value),
                _ => {}
            }
        }
    }

    /// What exceeds the limits.
    pub(super) fn excess(&self, limits: &Limits) -> Vec<String> {
        let large = if limits.characters == usize::MAX { usize::MAX } else { 15_000 };
        let rows = [
            (self.properties, limits.properties, "properties"),
            (self.nesting, limits.nesting, "levels"),
            (self.characters, limits.characters, "characters in names and values"),
            (self.enum_values, limits.enum_values, "enum values"),
            (self.optional, limits.optional, "optional properties"),
            (self.unions, limits.unions, "unions"),
            (self.large_enum, large, "characters in an enum of more than 250 texts"),
        ];
        let over = rows.into_iter().filter(|(have, most, _)| have > most);
        over.map(|(have, most, what)| format!("(root): has {have} {what}, and {most} are allowed")).collect()
    }
}

fn characters(value: &Json) -> usize {
    match value {
        Json::String(text) => text.chars().count(),
        other => other.text().len(),
    }
}
