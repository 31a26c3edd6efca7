//! From the typed tree back to JSON, keywords in one order.

use serde_json::Number;

use super::node::Node;
use crate::value::Json;

/// Writes a document.
pub(super) fn write(root: &Node, definitions: &[(String, Node)]) -> Json {
    let json = node(root);
    if definitions.is_empty() {
        return json;
    }
    let mut members = match json {
        Json::Object(members) => members,
        // Nothing refers to the definitions of a boolean.
        other => return other,
    };
    members.push(("$defs".to_owned(), named(definitions)));
    Json::Object(members)
}

fn named(schemas: &[(String, Node)]) -> Json {
    Json::Object(schemas.iter().map(|(name, schema)| (name.clone(), node(schema))).collect())
}

/// Writes one schema; "anything" is `{}`, which more providers take than `true`.
fn node(node: &Node) -> Json {
    if node.boolean == Some(false) { Json::Bool(false) } else { keywords(node) }
}

fn keywords(from: &Node) -> Json {
    let mut out = Members(Vec::new());
    out.text("$ref", from.reference.as_ref().map(|reference| reference.text.as_str()));
    match from.types.as_slice() {
        [] => {}
        [only] => out.push("type", string(only.name())),
        kinds => out.push("type", Json::Array(kinds.iter().map(|kind| string(kind.name())).collect())),
    }
    out.text("title", from.title.as_deref());
    out.text("description", from.description.as_deref());
    out.json("enum", from.listed.as_ref().map(|listed| Json::Array(listed.values.clone())));
    out.json("const", from.constant.clone());
    out.text("format", from.format.map(super::format::Format::name));
    out.text("pattern", from.pattern.as_ref().map(super::pattern::Pattern::source));
    out.number("minimum", from.minimum.as_ref());
    out.number("exclusiveMinimum", from.exclusive_minimum.as_ref());
    out.number("maximum", from.maximum.as_ref());
    out.number("exclusiveMaximum", from.exclusive_maximum.as_ref());
    out.number("multipleOf", from.multiple_of.as_ref());
    out.count("minLength", from.min_length);
    out.count("maxLength", from.max_length);
    out.json("properties", from.properties.as_ref().map(|_| named(from.properties())));
    if !from.required.is_empty() {
        out.push("required", Json::Array(from.required.iter().map(|name| string(name)).collect()));
    }
    out.json(
        "additionalProperties",
        from.additional.as_deref().map(|inner| inner.boolean.map_or_else(|| node(inner), Json::Bool)),
    );
    out.json("items", from.items.as_deref().map(node));
    out.count("minItems", from.min_items);
    out.count("maxItems", from.max_items);
    out.flag("uniqueItems", from.unique_items);
    for (keyword, branches) in [("anyOf", &from.any_of), ("oneOf", &from.one_of)] {
        if !branches.is_empty() {
            out.push(keyword, Json::Array(branches.iter().map(node).collect()));
        }
    }
    out.json("default", from.default.clone());
    if !from.examples.is_empty() {
        out.push("examples", Json::Array(from.examples.clone()));
    }
    out.flag("deprecated", from.deprecated);
    out.flag("readOnly", from.read_only);
    out.flag("writeOnly", from.write_only);
    out.text("$comment", from.comment.as_deref());
    Json::Object(out.0)
}

struct Members(Vec<(String, Json)>);

impl Members {
    fn push(&mut self, keyword: &str, value: Json) {
        self.0.push((keyword.to_owned(), value));
    }

    fn json(&mut self, keyword: &str, value: Option<Json>) {
        if let Some(value) = value {
            self.push(keyword, value);
        }
    }

    fn text(&mut self, keyword: &str, text: Option<&str>) {
        self.json(keyword, text.map(string));
    }

    fn number(&mut self, keyword: &str, number: Option<&Number>) {
        self.json(keyword, number.cloned().map(Json::Number));
    }

    fn count(&mut self, keyword: &str, count: Option<u64>) {
        self.json(keyword, count.map(|count| Json::Number(count.into())));
    }

    fn flag(&mut self, keyword: &str, flag: bool) {
        if flag {
            self.push(keyword, Json::Bool(true));
        }
    }
}

fn string(text: &str) -> Json {
    Json::String(text.to_owned())
}
