//! The Model Context Protocol, which takes JSON Schema as it is.

use super::merge::{FUEL, fold_all_of, follow};
use super::part::Document;
use super::project::root_object;
use super::rules::Rules;
use super::union::flatten;
use super::write::plain;
use super::{Dialect, DialectError, Loss, Projection, ReverseMap, Strictness};
use crate::value::Json;

/// The root is `type: object` with `properties` and `required`.
pub(super) const V2025_11_25: Rules = Rules::plain(11);

/// The root is `type: object` with any keyword of JSON Schema 2020-12 beside it.
pub(super) const V2026_07_28: Rules = Rules::plain(12);

/// A schema goes as it is; the older revision knows no union at the root.
pub(super) fn project(
    dialect: Dialect,
    text: &str,
    mut document: Document,
    mut losses: Vec<Loss>,
) -> Result<Projection, DialectError> {
    // What other dialects leave out, this one sends.
    let readable = losses.iter().all(|loss| !loss.pointer().is_empty() || loss.keyword() != "type");
    root_object(&mut document, &mut losses)?;
    if !readable {
        return Err(DialectError::NotAnObject { got: "no object" });
    }
    losses.clear();
    let has_union = document.root.branches().next().is_some() || !document.root.all_of.is_empty();
    let schema = if has_union && dialect == Dialect::Mcp20251125 {
        let mut root = document.root.clone();
        let mut fuel = FUEL;
        fold_all_of(&mut root, &document, &mut losses, &mut fuel);
        follow(&mut root, &document, &mut losses, &mut fuel);
        flatten(&mut root, &document, &mut losses, &mut fuel);
        let Json::Object(mut members) = plain(&root, &document) else {
            return Err(DialectError::NotAnObject { got: "no object" });
        };
        if !document.definitions.is_empty() {
            let named =
                document.definitions.iter().map(|(name, part)| (name.clone(), plain(part, &document)));
            members.push(("$defs".to_owned(), Json::Object(named.collect())));
        }
        Json::Object(members)
    } else {
        match super::read::json(text)? {
            Json::Object(mut members) => {
                match members.iter_mut().find(|(keyword, _)| keyword == "type") {
                    Some((_, value)) => *value = Json::String("object".to_owned()),
                    None => members.insert(0, ("type".to_owned(), Json::String("object".to_owned()))),
                }
                Json::Object(members)
            }
            _ => Json::Object(vec![("type".to_owned(), Json::String("object".to_owned()))]),
        }
    };
    Ok(Projection::new(&schema, losses, Strictness::NotAsked, ReverseMap::identity()))
}

/// An object with a value of the schema as its `result`, for revisions in which every output is an object.
pub(crate) fn in_object(schema: &str) -> String {
    let Ok(mut inner) = super::read::json(schema) else { return r#"{"type":"object"}"#.to_owned() };
    point_within(&mut inner);
    let mut definitions = None;
    if let Json::Object(members) = &mut inner
        && let Some(index) = members.iter().position(|(keyword, _)| keyword == "$defs")
    {
        definitions = Some(members.remove(index).1);
    }
    let string = |text: &str| Json::String(text.to_owned());
    let mut members = vec![
        ("type".to_owned(), string("object")),
        ("properties".to_owned(), Json::Object(vec![("result".to_owned(), inner)])),
        ("required".to_owned(), Json::Array(vec![string("result")])),
        ("additionalProperties".to_owned(), Json::Bool(false)),
    ];
    members.extend(definitions.map(|definitions| ("$defs".to_owned(), definitions)));
    Json::Object(members).text()
}

/// References to the root lead to where the root is now. The nesting was bounded when the text was read.
fn point_within(json: &mut Json) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(point_within),
        Json::Object(members) => {
            for (keyword, value) in members {
                match (keyword.as_str(), value) {
                    ("$ref", value) if value.as_str() == Some("#") => {
                        *value = Json::String("#/properties/result".to_owned());
                    }
                    ("properties" | "$defs", Json::Object(named)) => {
                        for (_, inner) in named {
                            point_within(inner);
                        }
                    }
                    // Values are not schemas.
                    ("enum" | "const" | "default" | "examples", _) => {}
                    (_, value) => point_within(value),
                }
            }
        }
        _ => {}
    }
}
