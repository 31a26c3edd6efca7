//! Schemas that others wrote.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::super::{Draft, ForeignSchema, Schema};

fn parse(schema: &Value) -> ForeignSchema {
    ForeignSchema::parse(&schema.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(schemas: &[Value], expect: &Expect) {
    let lines: Vec<String> = schemas
        .iter()
        .map(|schema| match ForeignSchema::parse(&schema.to_string()) {
            Ok(_) => format!("accepted {schema}\n"),
            Err(error) => format!("{error}\n"),
        })
        .collect();
    expect.assert_eq(&lines.concat());
}

#[test]
fn what_cannot_be_relied_on_is_refused_with_its_place() {
    refused(
        &[
            json!({"type": "dict"}),
            json!({"properties": {"a": {"type": "float"}, "b": {"required": true}}}),
            json!({"properties": {"a": {"$ref": "#/$defs/x"}}}),
            json!({"properties": {"a": {"$ref": "other.json"}}}),
            json!({"properties": {"a": {"$ref": "#/properties/b/default"}, "b": {"default": {}}}}),
            json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}}),
            json!({"$schema": "https://example.com/mine"}),
            json!({"properties": {"a": {"pattern": "(?=a)"}}}),
            json!({"minProperties": "one"}),
        ],
        &expect![[r##"
            /type: JSON Schema has no type "dict"; write "object"
            /properties/a/type: JSON Schema has no type "float"; write "number"
            /properties/b/required: `required` is a boolean; list the property's name in the `required` of the object around it
            /properties/a/$ref: the reference leads nowhere: "#/$defs/x"; refer to a schema in `$defs`
            /properties/a/$ref: the reference leads out of the document, to "other.json"; copy the schema into `$defs` and refer to it there; nothing is ever fetched
            /properties/a/$ref: the reference leads to "#/properties/b/default", which is a value and no schema; refer to a schema in `$defs`
            /$defs/a/$ref: the references lead in a circle that no value can leave; let one of the references stand at a property or an item
            /$schema: `$schema` names a dialect that is not known: "https://example.com/mine"; write it in draft-04, 06, 07, 2019-09 or 2020-12
            /properties/a/pattern: the schema cannot be compiled: value is not a "regex"; correct it
            /minProperties: the schema cannot be compiled: value is not of type "integer"; correct it
        "##]],
    );
}

#[test]
fn dialects_are_declared_or_guessed() {
    let tuple = json!({"type": "object", "properties": {"a": {"items": [{"type": "integer"}]}}});
    let schema = parse(&tuple);
    assert_eq!((schema.draft(), schema.is_draft_guessed()), (Draft::Draft7, true));
    assert!(!schema.is_valid(&json!({"a": ["x"]})));
    assert_eq!(
        schema.findings()[0].to_string(),
        "(root): the schema declares no dialect, and is right as draft-07 only; declare it by `$schema`"
    );
    let old = json!({"type": "object", "properties": {"a": {"minimum": 1, "exclusiveMinimum": true}}});
    let schema = parse(&old);
    assert_eq!(schema.draft(), Draft::Draft4);
    assert_eq!(
        schema.explain(&json!({"a": 1})).iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["/a: expected number above 1, got integer 1"]
    );
    let declared = parse(&json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}));
    assert_eq!((declared.draft(), declared.is_draft_guessed()), (Draft::Draft7, false));
}

#[test]
fn what_has_no_effect_is_found_and_kept() {
    let schema = parse(&json!({"type": "object", "properties": {
        "a": {"type": "string", "minimum": 1, "format": "color", "nullable": true, "default": 5},
        "b": {"type": "integer", "defualt": 1, "x-order": 2},
    }, "required": ["c"]}));
    let lines: Vec<String> = schema.findings().iter().map(ToString::to_string).collect();
    expect![[r#"
        /properties/a/format: the format "color" is told, and not enforced; nothing is to be done if the server checks it
        /properties/a/nullable: `nullable` is no keyword, and has no effect; add "null" to `type`
        /properties/a/minimum: `minimum` has an effect on numbers only, and the type is string; leave `minimum` out, or change `type`
        /properties/b/defualt: `defualt` is no keyword, and has no effect; did you mean `default`?
        /required/0: `required` names no property with "c"; declare it in `properties`, or leave it out of `required`
        /properties/a/default: the schema refuses its own default: expected string, got integer 5; change `default` or the schema"#]].assert_eq(&lines.join("\n"));
    assert!(schema.is_valid(&json!({"a": "x", "c": 1})));
}

#[test]
fn references_of_all_kinds_are_followed_and_explained() {
    let schema = parse(&json!({"type": "object", "properties": {
        "a": {"type": "object", "properties": {"k": {"type": "integer"}}},
        "b": {"$ref": "#/properties/a"},
        "c": {"$ref": "#named"},
        "d": {"$ref": "https://e.test/inner"},
        "e": {"$ref": "#/definitions/odd~1name"},
    }, "definitions": {
        "odd/name": {"type": "boolean"},
        "x": {"$anchor": "named", "type": "null"},
        "y": {"$id": "https://e.test/inner", "type": "array"},
    }}));
    let value = json!({"b": {"k": "x"}, "c": 1, "d": 2, "e": 3});
    let lines: Vec<String> = schema.explain(&value).iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "/b/k: expected integer, got string \"x\"",
            "/c: expected null, got integer 1",
            "/d: expected array, got integer 2",
            "/e: expected boolean, got integer 3"
        ]
    );
}

#[test]
fn rules_without_words_are_told_at_the_root() {
    let schema = parse(&json!({"type": "object", "not": {"required": ["a"]}}));
    assert!(schema.is_valid(&json!({})));
    let lines: Vec<String> = schema.explain(&json!({"a": 1})).iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["(root): expected a value that fits the whole schema, got object {\"a\":1}"]);
}

#[test]
fn texts_are_kept_as_they_were_sent() {
    let text = "{ \"type\": \"object\",\n \"properties\": {\"b\": {}, \"a\": {}} }";
    let schema = ForeignSchema::parse(text).unwrap();
    assert_eq!(schema.text(), text);
    assert_eq!(Schema::from(schema).to_value(), json!({"type": "object", "properties": {"a": {}, "b": {}}}));
}

/// A filter as serde's internally tagged enums write it.
fn filters() -> Schema {
    let branch = |op: &str, name: &str, inner: Value| json!({"type": "object", "properties": {"op": {"const": op}, name: inner}, "required": ["op", name]});
    let list = json!({"type": "array", "items": {"$ref": "#/$defs/Filter"}});
    Schema::from_value(&json!({
        "type": "object",
        "properties": {"filter": {"$ref": "#/$defs/Filter"}},
        "required": ["filter"],
        "$defs": {"Filter": {"oneOf": [
            branch("and", "args", list.clone()),
            branch("or", "args", list),
            branch("not", "arg", json!({"$ref": "#/$defs/Filter"})),
            branch("eq", "value", json!({"type": "integer"})),
        ]}},
    }))
    .unwrap()
}

fn filter(depth: usize, leaf: &Value) -> Value {
    (0..depth).fold(leaf.clone(), |inner, level| match level % 3 {
        0 => json!({"op": "and", "args": [inner, {"op": "eq", "value": 1}]}),
        1 => json!({"op": "or", "args": [{"op": "eq", "value": 1}, inner]}),
        _ => json!({"op": "not", "arg": inner}),
    })
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

#[test]
fn the_explainer_takes_a_bounded_number_of_steps_for_each_value() {
    let schema = filters();
    for depth in [1, 3, 9, 27] {
        let value = json!({"filter": filter(depth, &json!({"op": "eq", "value": "one"}))});
        let (violations, steps) = super::super::explain::explain_counted(&schema, schema.root(), &value);
        assert_eq!(violations.len(), 1, "{depth}");
        assert!(steps <= 4 * count(&value), "{steps} steps for {} values at depth {depth}", count(&value));
    }
}

#[test]
fn an_older_draft_is_not_guessed_for_want_of_a_rule() {
    // Draft-04 has no `propertyNames`, and draft-07 no `dependentSchemas`: their patterns are refused all the same.
    for text in [
        r#"{"type":"object","propertyNames":{"pattern":"(?!a)"}}"#,
        r#"{"type":"object","properties":{"a":{"contains":{"pattern":"(a)\\1"}}}}"#,
        r#"{"type":"object","if":{"properties":{"a":{"pattern":"("}}},"then":{}}"#,
        r#"{"type":"object","dependentSchemas":{"a":{"propertyNames":{"pattern":"(?<=a)b"}}}}"#,
        r#"{"type":"object","properties":{"a":{"prefixItems":[{"pattern":"(?=a)"}]}}}"#,
        r#"{"type":"object","properties":{"a":{"minContains":-1}}}"#,
    ] {
        let error = ForeignSchema::parse(text).map(|schema| schema.draft()).expect_err(text);
        assert!(!error.violations().is_empty(), "{text}");
    }
    // A property may be called so, and what an older draft does not know is listed.
    let tuple = r#"{"type":"object","properties":{"contains":{"type":"array","items":[{"type":"string"}]}}}"#;
    assert_eq!(ForeignSchema::parse(tuple).map(|schema| schema.draft()), Ok(Draft::Draft7));
    let text =
        r#"{"type":"object","properties":{"a":{"minimum":0,"exclusiveMinimum":true},"b":{"const":1}}}"#;
    let schema = ForeignSchema::parse(text).expect("draft-04");
    let findings: Vec<String> = schema.findings().iter().map(ToString::to_string).collect();
    assert_eq!(
        findings,
        [
            "(root): the schema declares no dialect, and is right as draft-04 only; declare it by `$schema`",
            "/properties/b/const: `const` has no effect in draft-04; declare the dialect of the schema by `$schema`",
        ]
    );
    for value in [json!({"a": 1, "b": 2}), json!({"a": 0, "b": 1})] {
        assert_eq!(schema.is_valid(&value), schema.explain(&value).is_empty(), "{value}");
    }
}
