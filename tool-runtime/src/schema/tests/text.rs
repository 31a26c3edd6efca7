//! The text of a schema: one order, whatever it was made from.

use serde_json::json;

use super::super::Schema;

#[test]
fn text_keeps_the_order_of_properties_and_fixes_the_order_of_keywords() {
    let schema = Schema::parse(
        r#"{"required":["b","a"],"properties":{"b":{"description":"B","type":"string"},"a":true,"c":false},
            "additionalProperties":false,"type":"object","$schema":"https://json-schema.org/draft/2020-12/schema"}"#,
    )
    .unwrap();
    assert_eq!(
        schema.text(),
        r#"{"type":"object","properties":{"b":{"type":"string","description":"B"},"a":{},"c":false},"required":["b","a"],"additionalProperties":false}"#
    );
    assert_eq!(schema.to_value(), serde_json::from_str::<serde_json::Value>(schema.text()).unwrap());
    assert_eq!(Schema::parse(schema.text()).unwrap(), schema);
}

#[test]
fn values_are_sorted_unless_an_order_is_given() {
    let properties = json!({"b": {}, "a": {}, "c": {}});
    let sorted = Schema::from_value(&json!({"properties": properties, "required": ["c", "a"]})).unwrap();
    assert_eq!(sorted.text(), r#"{"properties":{"a":{},"b":{},"c":{}},"required":["a","c"]}"#);
    let ordered = json!({"properties": properties, "required": ["a", "c"], "x-tool-order": ["c", "a"], "x-tool-fast": true});
    let ordered = Schema::from_value(&ordered).unwrap();
    assert_eq!(ordered.text(), r#"{"properties":{"c":{},"a":{},"b":{}},"required":["c","a"]}"#);
    assert!(ordered.root().fast);
    let error = Schema::from_value(&json!({"properties": {}, "x-tool-order": ["z"]})).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"/x-tool-order: `x-tool-order` names no property with "z"; name properties of this object only"#
    );
}

#[test]
fn a_tool_without_arguments_has_one_schema() {
    let schema = Schema::no_arguments();
    assert_eq!(schema.text(), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
    assert!(
        schema.is_valid(&json!({})) && !schema.is_valid(&json!({"a": 1})) && !schema.is_valid(&json!(null))
    );
    assert_eq!(schema.example(), json!({}));
}

#[test]
fn examples_are_right_and_small() {
    for (schema, example) in [
        (
            r#"{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["b"]}"#,
            r#"{"b":"text"}"#,
        ),
        (
            r#"{"type":"object","properties":{"z":{"enum":["x","y"]},"a":{"type":"string","format":"date"}},"required":["z","a"]}"#,
            r#"{"z":"x","a":"2026-01-31"}"#,
        ),
        (r#"{"type":"integer","minimum":10,"multipleOf":7}"#, "14"),
        (r#"{"type":"integer","exclusiveMaximum":-3}"#, "-4"),
        (r#"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}"#, "0.5"),
        (r#"{"type":"string","minLength":6}"#, r#""texttt""#),
        (r#"{"type":"string","maxLength":2}"#, r#""te""#),
        (r#"{"type":"string","pattern":"^[A-Z]{3}-\\d+$"}"#, r#""ABC-123""#),
        (r#"{"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true}"#, "[1,2,3]"),
        (
            r#"{"type":"array","items":{"enum":["a","b","c"]},"minItems":2,"uniqueItems":true}"#,
            r#"["a","b"]"#,
        ),
        (r#"{"type":["null","boolean"]}"#, "true"),
        (r#"{"anyOf":[{"type":"null"},{"type":"integer","minimum":5}]}"#, "null"),
        (r#"{"type":"string","examples":["Paris"]}"#, r#""Paris""#),
        (
            r##"{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"v":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}},"required":["v","next"]}}}"##,
            "",
        ),
        (
            r#"{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}"#,
            r#"{"id":1,"k":"a"}"#,
        ),
    ] {
        let parsed = Schema::parse(schema).unwrap();
        assert!(parsed.is_valid(&parsed.example()), "{schema}: {}", parsed.example_text());
        if !example.is_empty() {
            assert_eq!(parsed.example_text(), example, "{schema}");
        }
    }
}
