//! What a model reads of a value that does not fit.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::super::Schema;

fn check(schema: &str, value: &Value, expect: &Expect) {
    let schema = Schema::parse(schema).unwrap();
    let violations = schema.explain(value);
    assert_eq!(violations.is_empty(), schema.is_valid(value));
    let lines: Vec<String> = violations.iter().map(|violation| format!("{violation}\n")).collect();
    expect.assert_eq(&lines.concat());
}

#[test]
fn every_fault_is_reported_in_the_order_of_the_schema() {
    check(
        r#"{"type":"object","properties":{"city":{"type":"string","minLength":1},"days":{"type":"integer","minimum":1,"maximum":14},
            "unit":{"type":"string","enum":["celsius","fahrenheit"]},"when":{"type":"string","format":"date-time"},"name":{"type":"string"}},
            "required":["city","days","name"],"additionalProperties":false}"#,
        &json!({"zzz": 1, "nam": "x", "city": "", "days": "twenty", "unit": "Celsius", "when": "tomorrow"}),
        &expect![[r#"
            /city: expected string of at least 1 character, got string ""
            /days: expected integer from 1 to 14, got string "twenty"
            /unit: must be one of "celsius", "fahrenheit", got string "Celsius"; did you mean "celsius"?
            /when: expected an RFC 3339 date-time such as 2026-01-31T12:00:00Z, got string "tomorrow"
            missing required property "/name"
            unknown property "/nam"; did you mean "name"?
            unknown property "/zzz"
        "#]],
    );
}

#[test]
fn bounds_name_the_type_and_the_value() {
    for (schema, value, line) in [
        (
            r#"{"type":"integer","minimum":0,"maximum":255}"#,
            json!(300),
            "(root): expected integer from 0 to 255, got integer 300",
        ),
        (
            r#"{"type":"integer","minimum":0,"maximum":255}"#,
            json!(-1),
            "(root): expected integer from 0 to 255, got integer -1",
        ),
        (r#"{"type":"integer"}"#, json!(1.5), "(root): expected integer, got number 1.5"),
        (
            r#"{"type":"integer","maximum":3}"#,
            json!(true),
            "(root): expected integer of at most 3, got boolean true",
        ),
        (
            r#"{"type":"number","exclusiveMinimum":0}"#,
            json!(0),
            "(root): expected number above 0, got integer 0",
        ),
        (
            r#"{"type":"integer","multipleOf":5}"#,
            json!(7),
            "(root): expected integer that is a multiple of 5, got integer 7",
        ),
        (
            r#"{"type":"string","minLength":1}"#,
            json!(""),
            r#"(root): expected string of at least 1 character, got string """#,
        ),
        (
            r#"{"type":"string","minLength":2,"maxLength":5}"#,
            json!("a"),
            r#"(root): expected string of 2 to 5 characters, got string "a""#,
        ),
        (
            r#"{"type":"string","pattern":"^a+$"}"#,
            json!("b"),
            r#"(root): expected string matching ^a+$, got string "b""#,
        ),
        (
            r#"{"type":"string","format":"uuid"}"#,
            json!("b"),
            r#"(root): expected a UUID such as 123e4567-e89b-12d3-a456-426614174000, got string "b""#,
        ),
        (
            r#"{"type":"array","items":{},"minItems":1}"#,
            json!([]),
            "(root): expected array of at least 1 item, got array []",
        ),
        (
            r#"{"type":"array","uniqueItems":true}"#,
            json!([1, 1.0]),
            "(root): expected array without duplicates, got array [1,1.0]",
        ),
        (
            r#"{"type":["integer","null"],"minimum":0}"#,
            json!("x"),
            r#"(root): expected integer of at least 0 or null, got string "x""#,
        ),
        (r#"{"type":"object"}"#, Value::Null, "(root): expected object, got null"),
        (r#"{"const":"a"}"#, json!("b"), r#"(root): must be one of "a", got string "b""#),
        ("false", json!(1), "(root): expected no value, got integer 1"),
    ] {
        let lines: Vec<String> =
            Schema::parse(schema).unwrap().explain(&value).iter().map(ToString::to_string).collect();
        assert_eq!(lines, [line]);
    }
}

#[test]
fn long_values_are_cut_and_can_be_left_out() {
    let schema =
        Schema::parse(r#"{"type":"object","properties":{"n":{"type":"integer"},"e":{"enum":["a"]}}}"#)
            .unwrap();
    let violations = schema.explain(&json!({"n": "é".repeat(100), "e": "secret"}));
    let lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert_eq!(lines[0], format!("/n: expected integer, got string \"{}…\"", "é".repeat(63)));
    let lines: Vec<String> = violations.iter().map(super::super::Violation::redacted).collect();
    assert_eq!(lines, ["/n: expected integer, got string", r#"/e: must be one of "a", got string"#]);
}

#[test]
fn tagged_unions_report_the_branch_of_the_tag() {
    // As schemars writes internally tagged, adjacently tagged and untagged enums, three deep.
    let internal = r##"{"type":"object","properties":{"shapes":{"type":"array","items":{"$ref":"#/$defs/Shape"}}},"$defs":{"Shape":{"oneOf":[
        {"type":"object","properties":{"kind":{"type":"string","const":"square"},"side":{"type":"number"}},"required":["kind","side"]},
        {"type":"object","properties":{"kind":{"type":"string","const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
        {"type":"object","properties":{"kind":{"type":"string","const":"group"},"of":{"type":"array","items":{"$ref":"#/$defs/Shape"}}},"required":["kind","of"]}]}}}"##;
    let circle = |r: Value| json!({"kind": "circle", "r": r});
    check(
        internal,
        &json!({"shapes": [circle(json!(1)), circle(json!(2)), circle(json!("x"))]}),
        &expect![[r#"
            /shapes/2/r: expected number, got string "x"
        "#]],
    );
    check(
        internal,
        &json!({"shapes": [{"kind": "group", "of": [circle(json!(1)), {"kind": "group", "of": [circle(json!("x"))]}]}]}),
        &expect![[r#"
            /shapes/0/of/1/of/0/r: expected number, got string "x"
        "#]],
    );
    check(
        internal,
        &json!({"shapes": [{"kind": "cirle", "r": 1}, {"r": 1}, "circle", {"kind": "circle"}]}),
        &expect![[r#"
            /shapes/0/kind: must be one of "square", "circle", "group", got string "cirle"; did you mean "circle"?
            missing required property "/shapes/1/kind"
            /shapes/2: expected object, got string "circle"
            missing required property "/shapes/3/r"
        "#]],
    );

    let adjacent = r##"{"type":"object","properties":{"shapes":{"type":"array","items":{"$ref":"#/$defs/Shape"}}},"$defs":{"Shape":{"oneOf":[
        {"type":"object","properties":{"t":{"type":"string","const":"a"},"c":{"type":"integer"}},"required":["t","c"]},
        {"type":"object","properties":{"t":{"type":"string","const":"b"},"c":{"$ref":"#/$defs/Inner"}},"required":["t","c"]}]},
        "Inner":{"type":"object","properties":{"r":{"type":"number"}},"required":["r"]}}}"##;
    check(
        adjacent,
        &json!({"shapes": [{"t": "a", "c": 1}, {"t": "b", "c": {"r": 1}}, {"t": "b", "c": {"r": "x"}}]}),
        &expect![[r#"
            /shapes/2/c/r: expected number, got string "x"
        "#]],
    );

    let untagged = r##"{"type":"object","properties":{"shapes":{"type":"array","items":{"$ref":"#/$defs/Shape"}}},"$defs":{"Shape":{"anyOf":[
        {"type":"object","properties":{"side":{"type":"number"}},"required":["side"]},
        {"type":"object","properties":{"r":{"type":"number"},"at":{"$ref":"#/$defs/Shape"}},"required":["r"]},{"type":"string"}]}}}"##;
    check(
        untagged,
        &json!({"shapes": ["x", {"side": 1}, {"r": "x"}, {"r": 1, "at": {"r": 1, "at": {"r": "x"}}}, 7]}),
        &expect![[r#"
            /shapes/2/r: expected number, got string "x"
            /shapes/3/at/at/r: expected number, got string "x"
            /shapes/4: expected object or string, got integer 7
        "#]],
    );

    let external = r##"{"type":"object","properties":{"shape":{"oneOf":[{"type":"string","enum":["Unit"]},
        {"type":"object","properties":{"Circle":{"$ref":"#/$defs/Circle"}},"required":["Circle"],"additionalProperties":false},
        {"type":"object","properties":{"Square":{"type":"number"}},"required":["Square"],"additionalProperties":false}]}},
        "$defs":{"Circle":{"type":"object","properties":{"r":{"type":"number"}},"required":["r"]}}}"##;
    let external = external
        .replace("\"shape\":{", "\"shapes\":{\"type\":\"array\",\"items\":{")
        .replace("}]}},", "}]}}},");
    let shapes = json!([{"Circle": {"r": "x"}}, {"circle": {"r": 1}}, {}, "unit", 3, {"Circle": {"r": 1}, "Square": 2}]);
    check(
        &external,
        &json!({"shapes": shapes}),
        &expect![[r#"
        /shapes/0/Circle/r: expected number, got string "x"
        unknown property "/shapes/1/circle"; did you mean "Circle"?
        /shapes/2: expected object with exactly one of the properties "Circle", "Square", got object {}
        /shapes/3: must be one of "Unit", got string "unit"; did you mean "Unit"?
        /shapes/4: expected "Unit" or object, got integer 3
        unknown property "/shapes/5/Square"
    "#]],
    );
}

#[test]
fn a_value_that_fits_several_branches_of_one_of_is_ambiguous() {
    check(
        r#"{"oneOf":[{"type":"integer"},{"type":"number"}]}"#,
        &json!(3),
        &expect![[r"
        (root): must fit exactly one of: integer or number; it fits several
    "]],
    );
}

#[test]
fn options_report_the_inner_type() {
    let schema = r##"{"type":"object","properties":{"unit":{"anyOf":[{"$ref":"#/$defs/Unit"},{"type":"null"}]},"at":{"anyOf":[{"$ref":"#/$defs/At"},{"type":"null"}]}},
        "$defs":{"Unit":{"type":"string","enum":["celsius","kelvin"]},"At":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}}}"##;
    check(
        schema,
        &json!({"unit": "Kelvin", "at": {"y": 1}}),
        &expect![[r#"
        /unit: must be one of "celsius", "kelvin", got string "Kelvin"; did you mean "kelvin"?
        missing required property "/at/x"
        unknown property "/at/y"
    "#]],
    );
    check(
        schema,
        &json!({"unit": 3, "at": "here"}),
        &expect![[r#"
        /unit: expected "celsius" or "kelvin" or null, got integer 3
        /at: expected object or null, got string "here"
    "#]],
    );
}

#[test]
fn a_reference_with_neighbours_says_nothing_twice() {
    check(
        r##"{"$ref":"#/$defs/A","type":"object","properties":{"k":{"const":"a"}},"required":["k"],"$defs":{"A":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}}"##,
        &json!([]),
        &expect![[r"
            (root): expected object, got array []
        "]],
    );
}
