//! Flattened structs, enums and maps.
#![expect(dead_code, reason = "fields are read by `Debug`")]

use std::collections::BTreeMap;

use expect_test::expect;
use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::registry::RegistryError;
use tool_runtime::{Registry, Toolset, tool, toolset};

use crate::support::{call, fails, input, only, text};
use crate::unions::Shape;

#[derive(Deserialize, JsonSchema, Debug)]
struct Inner {
    a: u8,
    b: Option<String>,
}

#[derive(Deserialize, JsonSchema, Debug)]
struct WithStruct {
    own: u8,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Deserialize, JsonSchema, Debug)]
#[serde(deny_unknown_fields)]
struct Closed {
    own: u8,
    #[serde(default)]
    list: Vec<Inner>,
}

#[derive(Deserialize, JsonSchema, Debug)]
struct WithMap {
    own: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

/// Flattens.
#[tool(docs(optional))]
fn flattens(
    #[arg(flatten)] all: WithStruct,
    also: u8,
    nested: WithStruct,
    closed: Closed,
    map: WithMap,
) -> String {
    format!("{all:?} {also} {nested:?} {closed:?} {map:?}")
}

#[test]
fn f077_flattened_structs_accept_what_their_schema_accepts() {
    expect![[r##"{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255},"b":{"type":["string","null"]},"own":{"type":"integer","minimum":0,"maximum":255},"also":{"type":"integer","minimum":0,"maximum":255},"nested":{"$ref":"#/$defs/WithStruct"},"closed":{"$ref":"#/$defs/Closed"},"map":{"$ref":"#/$defs/WithMap"}},"required":["a","own","also","nested","closed","map"],"additionalProperties":false,"$defs":{"Closed":{"type":"object","properties":{"list":{"type":"array","items":{"$ref":"#/$defs/Inner"}},"own":{"type":"integer","minimum":0,"maximum":255}},"required":["own"],"additionalProperties":false},"Inner":{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255},"b":{"type":["string","null"]}},"required":["a"]},"WithMap":{"type":"object","properties":{"own":{"type":"integer","minimum":0,"maximum":255}},"required":["own"],"additionalProperties":{"type":"integer","minimum":0,"maximum":255}},"WithStruct":{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255},"b":{"type":["string","null"]},"own":{"type":"integer","minimum":0,"maximum":255}},"required":["a","own"]}}}"##]].assert_eq(&input::<flattens>());
    let schema = only::<flattens>().definition("flattens").expect("registered").input_schema().clone();
    assert!(schema.is_valid(&schema.example()));
    assert!(!call::<flattens>(&schema.example().to_string()).is_error());
    assert_eq!(
        text::<flattens>(
            r#"{"b":"t","own":1,"also":3,"a":2,"nested":{"own":4,"a":5},"closed":{"own":6,"list":[{"a":1}]},"map":{"own":7,"x":8}}"#
        ),
        r#""WithStruct { own: 1, inner: Inner { a: 2, b: Some(\"t\") } } 3 WithStruct { own: 4, inner: Inner { a: 5, b: None } } Closed { own: 6, list: [Inner { a: 1, b: None }] } WithMap { own: 7, rest: {\"x\": 8} }""#
    );
}

#[derive(Deserialize, JsonSchema, Debug)]
struct WithEnum {
    own: u8,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Deserialize, JsonSchema, Debug)]
struct WithOptionalEnum {
    own: u8,
    #[serde(flatten)]
    shape: Option<Shape>,
}

/// Takes structs with a flattened enum.
#[tool(docs(optional))]
fn flattened_enums(one: WithEnum, other: WithOptionalEnum) -> String {
    format!("{one:?} {other:?}")
}

#[test]
fn f077_flattened_enums_accept_what_their_schema_accepts() {
    expect![[r##"{"type":"object","properties":{"one":{"$ref":"#/$defs/WithEnum"},"other":{"$ref":"#/$defs/WithOptionalEnum"}},"required":["one","other"],"additionalProperties":false,"$defs":{"WithEnum":{"type":"object","properties":{"own":{"type":"integer","minimum":0,"maximum":255}},"required":["own"],"oneOf":[{"type":"object","description":"Round.","properties":{"kind":{"type":"string","const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},{"type":"object","properties":{"kind":{"type":"string","const":"square"},"side":{"type":"number"}},"required":["kind","side"]},{"type":"object","properties":{"kind":{"type":"string","const":"nothing"}},"required":["kind"]}]},"WithOptionalEnum":{"type":"object","properties":{"own":{"type":"integer","minimum":0,"maximum":255}},"required":["own"],"anyOf":[{"oneOf":[{"type":"object","description":"Round.","properties":{"kind":{"type":"string","const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},{"type":"object","properties":{"kind":{"type":"string","const":"square"},"side":{"type":"number"}},"required":["kind","side"]},{"type":"object","properties":{"kind":{"type":"string","const":"nothing"}},"required":["kind"]}]},{}]}}}"##]].assert_eq(&input::<flattened_enums>());
    assert_eq!(
        text::<flattened_enums>(r#"{"one":{"own":1,"kind":"square","side":2},"other":{"own":3}}"#),
        r#""WithEnum { own: 1, shape: Square { side: 2.0 } } WithOptionalEnum { own: 3, shape: None }""#
    );
    fails::<flattened_enums>(
        r#"{"one":{"own":1,"kind":"square"},"other":{"own":"3"}}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "flattened_enums":
        - missing required property "/one/side"
        - /other/own: expected integer from 0 to 255, got string "3"
        Call it like: {"one":{"own":1,"kind":"circle","radius":1},"other":{"own":1,"kind":"circle","radius":1}}"#]],
    );
}

/// Methods are not collected, so that what is wrong with these stays here.
struct Refused;

#[toolset]
impl Refused {
    /// Flattens a type that is no plain struct.
    #[tool(docs(optional))]
    fn flattens_enum(&self, #[arg(flatten)] shape: Shape) -> String {
        format!("{shape:?}")
    }

    /// Flattens a struct that holds a flattened enum.
    #[tool(docs(optional))]
    fn flattens_struct_with_enum(&self, #[arg(flatten)] shape: WithEnum) -> String {
        format!("{shape:?}")
    }

    /// Flattens an optional struct.
    #[tool(docs(optional))]
    fn flattens_option(&self, #[arg(flatten)] inner: Option<Inner>) -> String {
        format!("{inner:?}")
    }

    /// Flattens a struct whose field another argument is named like.
    #[tool(docs(optional))]
    fn flattens_twice(&self, #[arg(flatten)] inner: Inner, a: u8) -> String {
        format!("{inner:?} {a}")
    }
}

/// Flattens a struct with a flattened map.
#[tool(docs(optional))]
fn flattens_map(#[arg(flatten)] all: WithMap, also: Option<u8>) -> String {
    format!("{all:?} {also:?}")
}

/// Hides the lines of places, which change with the file.
fn unplaced(error: &RegistryError) -> String {
    let mut text = error.to_string();
    for spec in <Refused as Toolset>::TOOLS {
        text = text.replace(&format!(":{})", spec.location().line), ":…)");
    }
    text
}

#[test]
fn f077_what_cannot_be_flattened_is_refused_at_registration() {
    expect![[r#"
        the registry cannot be built, for 4 reasons:
        - the schema of tool `flattens_enum` (tests/it/flatten.rs:…) cannot be enforced:
        input#: only the fields of a struct can be flattened into the arguments, and this type's schema has `oneOf`; take it as a parameter of its own
        - the schema of tool `flattens_option` (tests/it/flatten.rs:…) cannot be enforced:
        input#: only the fields of a struct can be flattened into the arguments, and this type's schema has `anyOf`; take it as a parameter of its own
        - the schema of tool `flattens_struct_with_enum` (tests/it/flatten.rs:…) cannot be enforced:
        input#: only the fields of a struct can be flattened into the arguments, and this type's schema has `oneOf`; take it as a parameter of its own
        - the schema of tool `flattens_twice` (tests/it/flatten.rs:…) cannot be enforced:
        input#/properties/a: a field of the flattened struct and another argument are both called "a"; rename one of them"#]].assert_eq(&unplaced(&Registry::builder().register_all(Refused).build().expect_err("refused")));
    expect![[r#"{"type":"object","properties":{"own":{"type":"integer","minimum":0,"maximum":255},"also":{"type":["integer","null"],"minimum":0,"maximum":255}},"required":["own"],"additionalProperties":{"type":"integer","minimum":0,"maximum":255}}"#]].assert_eq(&input::<flattens_map>());
    assert_eq!(
        text::<flattens_map>(r#"{"own":1,"x":2,"we\"ird\n":3,"also":4}"#),
        r#""WithMap { own: 1, rest: {\"we\\\"ird\\n\": 3, \"x\": 2} } Some(4)""#
    );
}
