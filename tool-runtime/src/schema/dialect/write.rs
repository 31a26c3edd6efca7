//! Keywords in the order of [`super::super::Schema::text`], and parts as the JSON that they were read from.

use super::part::{Document, Part, Target};
use crate::value::Json;

const ORDER: [&str; 36] = [
    "$ref",
    "type",
    "title",
    "description",
    "nullable",
    "enum",
    "const",
    "format",
    "pattern",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "prefixItems",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "anyOf",
    "oneOf",
    "allOf",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
];

/// Puts members in order; unknown keywords stand last, as they came.
pub(super) fn ordered(mut members: Vec<(String, Json)>) -> Json {
    let place = |keyword: &str| ORDER.iter().position(|known| *known == keyword).unwrap_or(ORDER.len());
    members.sort_by_key(|(keyword, _)| place(keyword));
    Json::Object(members)
}

/// The text of a reference.
pub(super) fn reference(target: Target, document: &Document) -> Json {
    let text = match target {
        Target::Root => "#".to_owned(),
        Target::Definition(index) => {
            let name = document.definitions.get(index).map_or("", |(name, _)| name.as_str());
            format!("#/$defs/{name}")
        }
    };
    Json::String(text)
}

/// A part as JSON, without any dialect.
pub(super) fn plain(part: &Part, document: &Document) -> Json {
    if part.never {
        return Json::Bool(false);
    }
    let below = |part: &Part| plain(part, document);
    let list = |parts: &[Part]| Json::Array(parts.iter().map(below).collect());
    let named = |parts: &[(String, Part)]| {
        Json::Object(parts.iter().map(|(name, part)| (name.clone(), below(part))).collect())
    };
    let mut out = part.words.clone();
    let mut push = |keyword: &str, value: Json| out.push((keyword.to_owned(), value));
    if let Some(target) = part.reference {
        push("$ref", reference(target, document));
    }
    match part.types.as_slice() {
        [] => {}
        [only] => push("type", Json::String(only.name().to_owned())),
        kinds => {
            push(
                "type",
                Json::Array(kinds.iter().map(|kind| Json::String(kind.name().to_owned())).collect()),
            );
        }
    }
    if let Some(values) = &part.listed {
        push("enum", Json::Array(values.clone()));
    }
    if let Some(value) = &part.constant {
        push("const", value.clone());
    }
    if let Some(properties) = &part.properties {
        push("properties", named(properties));
    }
    if !part.required.is_empty() {
        push("required", Json::Array(part.required.iter().cloned().map(Json::String).collect()));
    }
    if !part.patterns.is_empty() {
        push("patternProperties", named(&part.patterns));
    }
    for (keyword, inner) in [("additionalProperties", &part.additional), ("items", &part.items)] {
        if let Some(inner) = inner {
            push(keyword, below(inner));
        }
    }
    for (keyword, parts) in [
        ("prefixItems", &part.prefix),
        ("anyOf", &part.any_of),
        ("oneOf", &part.one_of),
        ("allOf", &part.all_of),
    ] {
        if !parts.is_empty() {
            push(keyword, list(parts));
        }
    }
    for (keyword, inner) in &part.others {
        push(keyword, below(inner));
    }
    ordered(out)
}
