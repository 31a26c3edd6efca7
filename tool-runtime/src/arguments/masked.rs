//! Arguments as somebody else than their tool may see them.

use std::collections::HashSet;

use serde_json::Value;

/// What stands in the place of a secret.
const MASK: &str = "***";

/// Puts a mask in the place of everything that a schema marks as secret (`writeOnly`), in any of its branches.
///
/// The steps are at most those of the values times those of the schema, also where it is recursive.
pub(crate) fn mask(value: &mut Value, schema: &Value) {
    mask_by(value, vec![schema], schema);
}

fn mask_by(value: &mut Value, schemas: Vec<&Value>, root: &Value) {
    let schemas = reached(schemas, root);
    if schemas.iter().any(|schema| schema.get("writeOnly") == Some(&Value::Bool(true))) {
        *value = MASK.into();
        return;
    }
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let below = schemas.iter().filter_map(|schema| {
                    let property = schema.get("properties").and_then(|all| all.get(name));
                    property.or_else(|| schema.get("additionalProperties"))
                });
                mask_by(member, below.collect(), root);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                let below = schemas.iter().filter_map(|schema| {
                    let place = schema.get("prefixItems").and_then(|all| all.get(index));
                    place.or_else(|| schema.get("items"))
                });
                mask_by(item, below.collect(), root);
            }
        }
        _ => {}
    }
}

/// Whether a schema marks as secret what stands at a place, anything around it, or, where the value has parts, one of those.
pub(super) fn is_secret(pointer: &str, has_parts: bool, root: &Value) -> bool {
    let is_marked = |schema: &&Value| schema.get("writeOnly") == Some(&Value::Bool(true));
    let mut schemas = reached(vec![root], root);
    for part in pointer.split('/').skip(1) {
        if schemas.iter().any(is_marked) {
            return true;
        }
        let name = part.replace("~1", "/").replace("~0", "~");
        let below = schemas.iter().flat_map(|schema| {
            let property = schema.get("properties").and_then(|all| all.get(&name));
            let index = name.parse::<usize>().ok();
            let place = index.and_then(|index| schema.get("prefixItems").and_then(|all| all.get(index)));
            [property.or_else(|| schema.get("additionalProperties")), place.or_else(|| schema.get("items"))]
        });
        schemas = reached(below.flatten().collect(), root);
    }
    // What a reference leads to is not followed here, and counts as secret.
    let may_hold = |schema: &&Value| {
        let text = schema.to_string();
        text.contains(r#""writeOnly":true"#) || text.contains(r#""$ref":"#)
    };
    schemas.iter().any(is_marked) || (has_parts && schemas.iter().any(may_hold))
}

/// Schemas, and those that they lead to for the same value; each once.
fn reached<'s>(mut ahead: Vec<&'s Value>, root: &'s Value) -> Vec<&'s Value> {
    let mut seen = HashSet::new();
    let mut reached = Vec::new();
    while let Some(schema) = ahead.pop() {
        if !schema.is_object() || !seen.insert(std::ptr::from_ref(schema)) {
            continue;
        }
        reached.push(schema);
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
        ahead.extend(target.and_then(|pointer| root.pointer(pointer)));
        for keyword in ["allOf", "anyOf", "oneOf"] {
            ahead.extend(schema.get(keyword).and_then(Value::as_array).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn masked(mut value: Value, schema: &Value) -> Value {
        mask(&mut value, schema);
        value
    }

    #[test]
    fn secrets_are_known_by_their_place() {
        let schema = json!({
            "properties": {
                "pin": {"writeOnly": true}, "a/b": {"$ref": "#/$defs/user"}, "all": {"items": {"anyOf": [{"writeOnly": true}, {}]}},
            },
            "$defs": {"user": {"properties": {"password": {"writeOnly": true}, "name": {}}}},
        });
        for secret in ["/pin", "/pin/deep", "/a~1b/password", "/all/7"] {
            assert!(is_secret(secret, false, &schema), "{secret}");
        }
        for open in ["", "/other", "/a~1b", "/a~1b/name", "/all"] {
            assert!(!is_secret(open, false, &schema), "{open}");
        }
        assert!(is_secret("", true, &schema) && is_secret("/all", true, &schema));
        assert!(!is_secret("/a~1b/name", true, &schema));
    }

    #[test]
    fn secrets_are_masked_wherever_they_stand() {
        let schema = json!({
            "type": "object",
            "properties": {
                "user": {"type": "string"},
                "password": {"type": "string", "writeOnly": true},
                "login": {"$ref": "#/$defs/Login"},
                "more": {"type": "array", "items": {"$ref": "#/$defs/Login"}},
                "by_name": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Login"}},
                "either": {"anyOf": [{"type": "null"}, {"oneOf": [{"$ref": "#/$defs/Login"}]}]}
            },
            "$defs": {"Login": {"type": "object", "properties": {"pin": {"type": "integer", "writeOnly": true}}}}
        });
        let login = json!({"pin": 7, "name": "a"});
        let hidden = json!({"pin": "***", "name": "a"});
        let value = json!({"user": "u", "password": "p", "login": login, "more": [login], "by_name": {"x": login}, "either": login});
        assert_eq!(
            masked(value, &schema),
            json!({"user": "u", "password": "***", "login": hidden, "more": [hidden], "by_name": {"x": hidden}, "either": hidden})
        );
    }

    #[test]
    fn recursive_unions_take_linear_time() {
        let branch = |tag: &str| json!({"type": "object", "properties": {tag: {"$ref": "#/$defs/F"}}});
        let branches: Vec<Value> = (0..8).map(|_| branch("not")).collect();
        let schema = json!({"$ref": "#/$defs/F", "$defs": {"F": {"anyOf": branches}}});
        let mut value = json!({"leaf": 1});
        for _ in 0..60 {
            value = json!({"not": value});
        }
        assert_eq!(masked(value.clone(), &schema), value);
    }
}
