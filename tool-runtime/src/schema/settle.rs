//! Sets in one order: an array without equal items stands for a set, and a hash set has no order of its own.

use std::cmp::Ordering;

use super::{Node, Schema};
use crate::value::{Exact, Json, ParseLimits, parse};

/// As deep as values nest that `serde_json` reads.
const MAX_DEPTH: usize = 128;

impl Schema {
    /// Whether a set is somewhere in it.
    pub(crate) fn has_sets(&self) -> bool {
        has_sets(self.root()) || self.definitions().iter().any(|(_, node)| has_sets(node))
    }

    /// The JSON text of a value with every set in it sorted; the text itself where nothing has to be.
    pub(crate) fn settled(&self, text: String) -> String {
        let limits = ParseLimits { bytes: usize::MAX, depth: MAX_DEPTH, nodes: usize::MAX };
        if !self.has_sets() {
            return text;
        }
        // What this reader does not take, wide integers, stays as it is.
        let Ok(mut value) = parse(&text, &limits) else { return text };
        self.settle(self.root(), &mut value, MAX_DEPTH);
        value.text()
    }

    fn settle(&self, node: &Node, value: &mut Json, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for node in self.chain(node) {
            match value {
                Json::Array(items) => {
                    if let Some(inner) = &node.items {
                        for item in items.iter_mut() {
                            self.settle(inner, item, depth);
                        }
                    }
                    if node.unique_items {
                        items.sort_by(order);
                    }
                }
                Json::Object(members) => {
                    for (name, member) in members.iter_mut() {
                        if let Some(inner) = node.property(name).or(node.additional.as_deref()) {
                            self.settle(inner, member, depth);
                        }
                    }
                }
                _ => {}
            }
            for branch in node.branches() {
                self.settle(branch, value, depth);
            }
        }
    }
}

/// Numbers by size, strings by their bytes, everything else by its text.
pub(super) fn order(a: &Json, b: &Json) -> Ordering {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => Exact::of(a).compare(Exact::of(b)),
        (Json::String(a), Json::String(b)) => a.cmp(b),
        _ => a.text().cmp(&b.text()),
    }
}

fn has_sets(node: &Node) -> bool {
    node.unique_items
        || node.items.as_deref().is_some_and(has_sets)
        || node.additional.as_deref().is_some_and(has_sets)
        || node.properties().iter().any(|(_, node)| has_sets(node))
        || node.branches().any(has_sets)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sets_are_sorted_and_lists_are_not() -> Result<(), crate::schema::SchemaError> {
        let set = json!({"type": "array", "items": {"type": "integer"}, "uniqueItems": true});
        let list = json!({"type": "array", "items": {"type": "string"}});
        let schema = Schema::from_value(&json!({
            "type": "object",
            "properties": {"set": {"anyOf": [set, {"type": "null"}]}, "list": list, "deep": {"$ref": "#/$defs/deep"}},
            "$defs": {"deep": {"type": "array", "items": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}}},
        }))?;
        assert!(schema.has_sets());
        let text = r#"{"set":[10,9,-1],"list":["b","a"],"deep":[["b","a"],["d","c"]]}"#;
        assert_eq!(
            schema.settled(text.to_owned()),
            r#"{"set":[-1,9,10],"list":["b","a"],"deep":[["a","b"],["c","d"]]}"#
        );
        Ok(())
    }
}
