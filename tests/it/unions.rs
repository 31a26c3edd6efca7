//! Unions: their schemas, and which branch a report is about.
#![expect(dead_code, reason = "fields are read by `Debug`")]

use expect_test::expect;
use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::tool;

use crate::schema_shape::{Point, now};
use crate::support::{fails, input, text};

#[derive(Deserialize, JsonSchema, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Shape {
    /// Round.
    Circle {
        radius: f64,
    },
    Square {
        side: f64,
    },
    Nothing,
}

#[derive(Deserialize, JsonSchema, Debug)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Number(i64),
    Text(String),
    Point(Point),
}

#[derive(Deserialize, JsonSchema, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A(u8),
    B { text: String },
    C,
}

#[derive(Deserialize, JsonSchema, Debug)]
enum External {
    Unit,
    Newtype(u8),
    Struct { a: u8 },
}

/// Takes unions.
#[tool(docs(optional))]
fn unions(shape: Shape, any: Untagged, list: Vec<Adjacent>, external: Option<External>) -> String {
    format!("{shape:?} {any:?} {list:?} {external:?}")
}

#[test]
fn f068_unions_stand_below_an_object_root() {
    expect![[r##"{"type":"object","properties":{"shape":{"$ref":"#/$defs/Shape"},"any":{"$ref":"#/$defs/Untagged"},"list":{"type":"array","items":{"$ref":"#/$defs/Adjacent"}},"external":{"anyOf":[{"$ref":"#/$defs/External"},{"type":"null"}]}},"required":["shape","any","list"],"additionalProperties":false,"$defs":{"Adjacent":{"oneOf":[{"type":"object","properties":{"c":{"type":"integer","minimum":0,"maximum":255},"t":{"type":"string","const":"A"}},"required":["c","t"]},{"type":"object","properties":{"c":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"t":{"type":"string","const":"B"}},"required":["c","t"]},{"type":"object","properties":{"t":{"type":"string","const":"C"}},"required":["t"]}]},"External":{"oneOf":[{"type":"string","enum":["Unit"]},{"type":"object","properties":{"Newtype":{"type":"integer","minimum":0,"maximum":255}},"required":["Newtype"],"additionalProperties":false},{"type":"object","properties":{"Struct":{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255}},"required":["a"]}},"required":["Struct"],"additionalProperties":false}]},"Point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":["number","null"],"minimum":-3.4028234663852886e+38,"maximum":3.4028234663852886e+38}},"required":["x"]},"Shape":{"oneOf":[{"type":"object","description":"Round.","properties":{"kind":{"type":"string","const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},{"type":"object","properties":{"kind":{"type":"string","const":"square"},"side":{"type":"number"}},"required":["kind","side"]},{"type":"object","properties":{"kind":{"type":"string","const":"nothing"}},"required":["kind"]}]},"Untagged":{"anyOf":[{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},{"type":"string"},{"$ref":"#/$defs/Point"}]}}}"##]].assert_eq(&input::<unions>());
    assert_eq!(
        text::<unions>(
            r#"{"shape":{"kind":"circle","radius":1},"any":"t","list":[{"t":"A","c":1},{"t":"C"}],"external":"Unit"}"#
        ),
        r#""Circle { radius: 1.0 } Text(\"t\") [A(1), C] Some(Unit)""#
    );
}

#[test]
fn f101_the_branch_that_was_meant_is_reported_with_its_path() {
    fails::<unions>(
        r#"{"shape":{"kind":"circle","radius":"x"},"any":{"x":"1"},"list":[{"t":"A","c":300},{"t":"B","c":{"text":1}},{"t":"D"}],"external":{"Newtype":"1"}}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "unions":
            - /shape/radius: expected number, got string "x"
            - /any/x: expected number, got string "1"
            - /list/0/c: expected integer from 0 to 255, got integer 300
            - /list/1/c/text: expected string, got integer 1
            - /list/2/t: must be one of "A", "B", "C", got string "D"
            - /external/Newtype: expected integer from 0 to 255, got string "1"
            Call it like: {"shape":{"kind":"circle","radius":1},"any":1,"list":[]}"#]],
    );
    fails::<unions>(
        r#"{"shape":{"kind":"cirlce"},"any":true,"list":[],"external":{"Nwetype":1}}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "unions":
            - /shape/kind: must be one of "circle", "square", "nothing", got string "cirlce"; did you mean "circle"?
            - /any: expected integer from -9223372036854775808 to 9223372036854775807 or string or object, got boolean true
            - unknown property "/external/Nwetype"; did you mean "Newtype"?
            Call it like: {"shape":{"kind":"circle","radius":1},"any":1,"list":[]}"#]],
    );
}

/// Takes structs.
#[tool(docs(optional))]
fn structs(point: Point, list: Vec<Point>, external: External) -> String {
    format!("{point:?} {list:?} {external:?}")
}

#[test]
fn f104_structs_take_objects_and_unit_variants_take_strings() {
    fails::<now>(
        "[]",
        expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 1, column 1: [])"#]],
    );
    fails::<structs>(
        "[1,2]",
        expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 1, column 1: [1,2])"#]],
    );
    fails::<structs>(
        r#"{"point":[1,2],"list":[[1,2]],"external":{"Unit":null}}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "structs":
        - /point: expected object, got array [1,2]
        - /list/0: expected object, got array [1,2]
        - /external: expected object with exactly one of the properties "Newtype", "Struct", got object {"Unit":null}
        Call it like: {"point":{"x":1},"list":[],"external":"Unit"}"#]],
    );
    fails::<structs>(
        r#"{"point":{"x":1},"list":[],"external":{"Struct":[1]}}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "structs":
        - /external/Struct: expected object, got array [1]
        Call it like: {"point":{"x":1},"list":[],"external":"Unit"}"#]],
    );
}
