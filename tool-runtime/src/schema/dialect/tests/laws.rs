//! Laws over random schemas: what a tool takes can be said in every dialect, and comes back as it was.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{Dialect, dialects};
use super::{landed, projected};
use crate::schema::Schema;

/// A schema, and a value that it takes.
type Case = (Value, Value);

fn scalar() -> impl Strategy<Value = Case> {
    prop_oneof![
        Just((json!({"type": "string"}), json!("text"))),
        Just((json!({"type": "string", "minLength": 2, "maxLength": 9, "default": "abc"}), json!("abcd"))),
        Just((json!({"type": "string", "format": "uri"}), json!("https://example.com/"))),
        Just((json!({"type": "string", "pattern": "^[a-z]+$"}), json!("abc"))),
        Just((json!({"type": "string", "enum": ["a", "b", "c"]}), json!("b"))),
        Just((json!({"type": "integer", "minimum": 0, "maximum": 255}), json!(7))),
        Just((json!({"type": "integer", "exclusiveMinimum": 0}), json!(1))),
        Just((json!({"type": "number", "multipleOf": 0.5}), json!(1.5))),
        Just((json!({"type": "integer", "enum": [1, 2]}), json!(2))),
        Just((json!({"type": "boolean", "default": true}), json!(false))),
        Just((json!({"type": ["string", "null"]}), json!(null))),
        Just((json!({"type": ["integer", "string"]}), json!("x"))),
        Just((json!({"const": "fixed"}), json!("fixed"))),
        Just((json!({"type": ["string", "null"], "enum": ["a", null]}), json!(null))),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "type",
            "properties",
            "required",
            "items",
            "$ref",
            "enum",
            "default",
            "const",
            "$top",
            "filter[id]",
            "größe",
            "1st",
            "a b",
            "x",
            "y",
            "z",
            "anyOf",
        ])
        .prop_map(ToOwned::to_owned),
        "[a-z]{1,5}",
    ]
}

fn object(inner: impl Strategy<Value = Case>) -> impl Strategy<Value = Case> {
    // Per property: its name, schema and value, whether it is required, whether it is in the value.
    prop::collection::btree_map(name(), (inner, any::<bool>(), any::<bool>()), 1..5).prop_map(|members| {
        let mut properties = serde_json::Map::new();
        let mut value = serde_json::Map::new();
        let mut required = Vec::new();
        for (name, ((schema, inner), is_required, is_there)) in members {
            properties.insert(name.clone(), schema);
            if is_required {
                required.push(name.clone());
            }
            if is_required || is_there {
                value.insert(name, inner);
            }
        }
        let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        (schema, Value::Object(value))
    })
}

fn any_case() -> impl Strategy<Value = Case> {
    scalar().boxed().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            2 => object(inner.clone()),
            1 => (inner.clone(), 0_usize..3).prop_map(|((schema, value), count)| {
                (json!({"type": "array", "items": schema, "maxItems": 9}), json!(vec![value; count]))
            }),
            1 => object(inner.clone()).prop_map(|(schema, value)| (json!({"anyOf": [schema, {"type": "null"}]}), value)),
            1 => inner.clone().prop_map(|(schema, value)| {
                (json!({"type": "object", "properties": {}, "additionalProperties": schema}), json!({"any key": value}))
            }),
            1 => tagged(inner),
        ]
        .boxed()
    })
}

/// A union told apart by a tag, each branch with a property of its own.
fn tagged(inner: impl Strategy<Value = Case>) -> impl Strategy<Value = Case> {
    (prop::collection::vec((inner, any::<bool>()), 2..4), any::<prop::sample::Index>()).prop_map(
        |(parts, choice)| {
            let branch = |index: usize, schema: &Value, is_required: bool| {
                let mut required = vec!["kind".to_owned()];
                let own = format!("own{index}");
                if is_required {
                    required.push(own.clone());
                }
                json!({
                    "type": "object",
                    "properties": {"kind": {"type": "string", "const": format!("k{index}")}, own: schema},
                    "required": required,
                    "additionalProperties": false,
                })
            };
            let branches: Vec<Value> = parts
                .iter()
                .enumerate()
                .map(|(index, ((schema, _), is_required))| branch(index, schema, *is_required))
                .collect();
            let index = choice.index(parts.len());
            let value = parts.get(index).map_or(Value::Null, |((_, value), _)| value.clone());
            (json!({"oneOf": branches}), json!({"kind": format!("k{index}"), format!("own{index}"): value}))
        },
    )
}

fn root() -> impl Strategy<Value = Case> {
    prop_oneof![
        3 => object(any_case()),
        1 => tagged(any_case()).prop_map(|(schema, value)| {
            let mut schema = schema;
            schema["type"] = json!("object");
            (schema, value)
        }),
    ]
}

/// Drops null members, for which a dialect may have no other word than "left out".
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .filter(|(_, member)| !member.is_null())
                .map(|(name, member)| (name.clone(), without_nulls(member)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

/// Says a value in the words of a projected schema, as a model that follows it would.
///
/// Names are found again by the map itself: the one whose restored name is the wanted one.
fn say(schema: &Value, value: &Value, restore: &dyn Fn(&str) -> Option<String>) -> Option<Value> {
    if let Some(branches) = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
        return branches.iter().find_map(|branch| say(branch, value, restore));
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is_nullable = schema.get("nullable") == Some(&json!(true));
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = types.is_empty()
        || types.contains(&kind)
        || (kind == "integer" && types.contains(&"number"))
        || (kind == "null" && is_nullable);
    let listed = schema.get("enum").and_then(Value::as_array);
    let is_listed = listed.is_none_or(|listed| listed.contains(value) || (value.is_null() && is_nullable));
    if !fits || !is_listed || schema.get("const").is_some_and(|constant| constant != value) {
        return None;
    }
    match value {
        Value::Array(items) => {
            let below = schema.get("items").cloned().unwrap_or_else(|| json!({}));
            items.iter().map(|item| say(&below, item, restore)).collect::<Option<Vec<_>>>().map(Value::Array)
        }
        Value::Object(members) => {
            let none = serde_json::Map::new();
            let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
            let mut out = serde_json::Map::new();
            for (name, member) in members {
                let sent =
                    properties.keys().find(|sent| *sent == name || restore(sent).as_ref() == Some(name));
                match (sent, schema.get("additionalProperties")) {
                    (Some(sent), _) => {
                        out.insert(sent.clone(), say(properties.get(sent)?, member, restore)?);
                    }
                    (None, Some(Value::Bool(false))) => return None,
                    (None, Some(inner @ Value::Object(_))) => {
                        out.insert(name.clone(), say(inner, member, restore)?);
                    }
                    (None, _) => {
                        out.insert(name.clone(), member.clone());
                    }
                }
            }
            for name in schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                if !out.contains_key(name) {
                    // What is left out is said as null, where the schema demands that something is said.
                    out.insert(name.to_owned(), say(properties.get(name)?, &Value::Null, restore)?);
                }
            }
            Some(Value::Object(out))
        }
        other => Some(other.clone()),
    }
}

/// The names that were written in another way, from the losses.
fn renamed(dialect: Dialect, schema: &str) -> impl Fn(&str) -> Option<String> + use<> {
    let losses = dialect.project(schema).map(|projection| projection.losses().to_vec()).unwrap_or_default();
    let pairs: Vec<(String, String)> = losses
        .iter()
        .filter_map(|loss| {
            let sent = loss.what().strip_prefix("is refused as a property name and goes out as \"")?;
            let name = loss.pointer().rsplit('/').next()?.replace("~1", "/").replace("~0", "~");
            Some((sent.trim_end_matches('"').to_owned(), name))
        })
        .collect();
    move |sent| pairs.iter().find(|(known, _)| known == sent).map(|(_, name)| name.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every value of a tool can be said in every dialect, and is restored.
    #[test]
    fn a_projection_takes_what_the_tool_takes_and_maps_it_back((schema, value) in root()) {
        let Ok(own) = Schema::from_value(&schema) else { return Ok(()) };
        prop_assert!(own.is_valid(&value), "{schema} {value}");
        for dialect in dialects().iter().filter(|dialect| **dialect != Dialect::Text) {
            let projection = projected(*dialect, own.text());
            let sent: Value = serde_json::from_str(projection.schema()).expect("is JSON");
            let restore = renamed(landed(*dialect, &projection), own.text());
            let said = say(&sent, &value, &restore);
            prop_assert!(said.is_some(), "{}: {value} cannot be said in {sent}", dialect.name());
            let said = said.unwrap_or_default().to_string();
            let back: Value = serde_json::from_str(&projection.reverse().restore(&said)).expect("is JSON");
            prop_assert!(own.is_valid(&back), "{}: {said} became {back}, which {own} refuses: {:?}", dialect.name(), own.explain(&back));
            prop_assert_eq!(without_nulls(&back), without_nulls(&value), "{}: {}", dialect.name(), said);
        }
    }

    /// Plain dialects without rules of their own leave a tool's schema as it is.
    #[test]
    fn plain_dialects_leave_ordinary_schemas_alone((schema, _) in object(scalar())) {
        let Ok(own) = Schema::from_value(&schema) else { return Ok(()) };
        for dialect in [Dialect::OpenAi, Dialect::Mcp20251125, Dialect::Mcp20260728] {
            let projection = projected(dialect, own.text());
            prop_assert_eq!(projection.schema(), own.text());
            prop_assert!(projection.losses().is_empty() && projection.reverse().is_identity());
        }
    }

    /// What a schema keeps of a dialect is the projection of its text, however it was found.
    #[test]
    fn what_is_kept_is_the_projection(
        (mut schema, _) in prop_oneof![root(), object(scalar())],
        definitions in prop::option::of((object(scalar()), any_case())),
    ) {
        if let Some(((one, _), (other, _))) = definitions {
            schema["$defs"] = json!({"Zeta": one, "Alpha": other});
            schema["properties"]["first"] = json!({"$ref": "#/$defs/Alpha"});
            schema["properties"]["then"] =
                json!({"type": "array", "items": {"$ref": "#/$defs/Zeta", "description": "Again."}});
        }
        let Ok(own) = Schema::from_value(&schema) else { return Ok(()) };
        for dialect in dialects() {
            let kept = own.projection(*dialect).as_ref().map(|projection| &**projection);
            let projected = dialect.project(own.text());
            prop_assert_eq!(kept, projected.as_ref(), "{}: {}", dialect.name(), own);
        }
    }

    /// No text makes the projection or the way back panic, and what comes out passes the checker.
    #[test]
    fn no_schema_breaks_a_projection(text in schema_text()) {
        for dialect in dialects() {
            if let Ok(projection) = dialect.project(&text) {
                let faults = landed(*dialect, &projection).check(projection.schema());
                prop_assert!(faults.is_empty(), "{} of {text}: {}\n{faults:#?}", dialect.name(), projection.schema());
                let _ = projection.reverse().restore(r#"{"a":null,"b":[{"c":{}}]}"#);
                prop_assert_eq!(dialect.project(&text), Ok(projection.clone()));
            }
        }
    }
}

/// Schemas of any keywords, most of them senseless.
fn schema_text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        r#""type":"string""#,
        r#""type":["object","null"]"#,
        r#""type":"int""#,
        r#""type":["array","string"]"#,
        r#""enum":["a",1,null]"#,
        r#""enum":[]"#,
        r#""const":{"$x":1}"#,
        r#""minimum":5"#,
        r#""exclusiveMinimum":true"#,
        r#""required":["a","zz"]"#,
        r#""required":true"#,
        r##""$ref":"#""##,
        r##""$ref":"#/$defs/d""##,
        r##""$ref":"#/properties/a""##,
        r#""default":{"a b":1}"#,
        r#""pattern":"(?=a)\\d""#,
        r#""format":"uint32""#,
        r#""additionalProperties":false"#,
        r#""additionalProperties":{}"#,
        r#""patternProperties":{"^a":{}}"#,
        r#""items":[{"type":"null"},true]"#,
        r#""items":false"#,
        r#""minItems":3"#,
        r#""uniqueItems":true"#,
        r#""nullable":true"#,
        r#""title":1"#,
        r#""description":5"#,
        r#""description":"d""#,
        r#""if":{"const":1}"#,
    ]);
    let words = prop::collection::vec(word, 0..4).prop_map(unique);
    let leaf = words.clone().prop_map(|words| format!("{{{}}}", words.join(",")));
    let inner = prop_oneof![Just("true".to_owned()), Just("false".to_owned()), leaf].boxed();
    let schema = inner.prop_recursive(3, 20, 3, move |inner| {
        (words.clone(), prop::collection::vec((0_usize..7, inner), 1..3))
            .prop_map(|(mut words, parts)| {
                let mut own: Vec<String> = Vec::new();
                for (place, part) in parts {
                    own.push(match place {
                        0 => format!(r#""properties":{{"a":{part},"a b":{part},"type":{part}}}"#),
                        1 => format!(r#""items":{part}"#),
                        2 => format!(r#""anyOf":[{part},{{"type":"null"}}]"#),
                        3 => format!(r#""oneOf":[{part},{part}]"#),
                        4 => format!(r#""allOf":[{part},{{"type":"object"}}]"#),
                        5 => format!(r#""additionalProperties":{part}"#),
                        _ => format!(r#""not":{part}"#),
                    });
                }
                let own: Vec<&str> = own.iter().map(String::as_str).collect();
                words.extend(unique(own));
                format!("{{{}}}", unique(words.iter().map(String::as_str).collect()).join(","))
            })
            .boxed()
    });
    (schema.clone(), schema).prop_map(|(a, d)| {
        format!(
            r#"{{"type":"object","properties":{{"a":{a},"$b":{d}}},"anyOf":[{a},{d}],"$defs":{{"d":{d}}}}}"#
        )
    })
}

/// No keyword twice.
fn unique(words: Vec<&str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in words {
        let key = word.split(':').next();
        if !out.iter().any(|known| known.split(':').next() == key) {
            out.push(word.to_owned());
        }
    }
    out
}
