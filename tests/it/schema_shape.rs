//! The shape of schemas, and that calls agree with them.
#![expect(dead_code, reason = "fields are read by `Debug`")]

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::num::{NonZeroI8, NonZeroU16};

use expect_test::expect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::schema::Schema;
use tool_runtime::tool;

use crate::support::{call, fails, input, only, output, text};
use crate::unions::Untagged;

/// Tells nothing of its arguments.
#[tool]
pub(crate) fn now() -> u8 {
    1
}

#[test]
fn f061_a_tool_without_arguments_has_a_closed_object() {
    assert_eq!(input::<now>(), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
    assert_eq!(text::<now>("{}"), "1");
    assert_eq!(text::<now>(""), "1");
    fails::<now>(
        r#"{"a":1}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "now":
        - unknown property "/a"
        Call it like: {}"#]],
    );
}

/// Returns nothing.
#[tool]
fn returns_unit() {}

/// Returns nothing or an error.
#[tool]
fn returns_unit_result() -> Result<(), std::io::Error> {
    Ok(())
}

/// Returns blocks.
#[tool]
fn returns_blocks() -> Vec<tool_runtime::ContentBlock> {
    vec!["a".into(), "b".into()]
}

/// Returns a block.
#[tool]
fn returns_block() -> Result<tool_runtime::ContentBlock, std::io::Error> {
    Ok("a".into())
}

/// Returns anything.
#[tool]
fn returns_value() -> serde_json::Value {
    serde_json::json!({"a": [1, null]})
}

#[test]
fn f062_unstructured_outputs_have_no_schema() {
    assert_eq!(output::<returns_unit>(), None);
    assert_eq!(output::<returns_unit_result>(), None);
    assert_eq!(output::<returns_blocks>(), None);
    assert_eq!(output::<returns_block>(), None);
    assert_eq!(output::<returns_value>(), None);
    assert_eq!(text::<returns_blocks>(""), "a\nb");
    assert_eq!(text::<returns_block>(""), "a");
    assert_eq!(text::<returns_value>(""), r#"{"a":[1,null]}"#);
    assert_eq!(call::<returns_blocks>("").value_text(), None);
}

#[derive(Deserialize, Serialize, JsonSchema, Debug, Clone, PartialEq)]
pub(crate) struct Point {
    x: f64,
    #[serde(default)]
    y: Option<f32>,
}

/// Takes options.
#[tool(docs(optional))]
#[expect(clippy::option_option, reason = "a type that is odd, and allowed")]
fn options(
    a: Option<u8>,
    b: Option<Vec<String>>,
    c: Option<Point>,
    d: Option<bool>,
    e: Option<BTreeMap<String, Option<u8>>>,
    f: Option<Option<String>>,
) -> String {
    format!("{a:?} {b:?} {c:?} {d:?} {e:?} {f:?}")
}

#[test]
fn f064_an_option_is_its_type_or_null() {
    expect![[r##"{"type":"object","properties":{"a":{"type":["integer","null"],"minimum":0,"maximum":255},"b":{"type":["array","null"],"items":{"type":"string"}},"c":{"anyOf":[{"$ref":"#/$defs/Point"},{"type":"null"}]},"d":{"type":["boolean","null"]},"e":{"type":["object","null"],"additionalProperties":{"type":["integer","null"],"minimum":0,"maximum":255}},"f":{"type":["string","null"]}},"additionalProperties":false,"$defs":{"Point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":["number","null"],"minimum":-3.4028234663852886e+38,"maximum":3.4028234663852886e+38}},"required":["x"]}}}"##]].assert_eq(&input::<options>());
    assert_eq!(text::<options>("{}"), "\"None None None None None None\"");
    assert_eq!(
        text::<options>(r#"{"a":null,"b":null,"c":null,"d":null,"e":null,"f":null}"#),
        "\"None None None None None None\""
    );
    assert_eq!(
        text::<options>(r#"{"a":1,"b":["x"],"c":{"x":1},"d":true,"e":{"k":null},"f":"f"}"#),
        r#""Some(1) Some([\"x\"]) Some(Point { x: 1.0, y: None }) Some(true) Some({\"k\": None}) Some(Some(\"f\"))""#
    );
}

type Aliased = Option<Vec<u8>>;
type Scores = HashMap<String, f32>;

/// Takes types that a map of spellings would miss.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "all kinds of types")]
fn spelled(
    a: Aliased,
    b: Scores,
    c: VecDeque<char>,
    d: BTreeSet<u16>,
    e: Box<str>,
    f: [u8; 2],
    g: NonZeroU16,
    h: NonZeroI8,
) -> String {
    format!("{a:?} {b:?} {c:?} {d:?} {e:?} {f:?} {g:?} {h:?}")
}

#[test]
fn f065_types_are_known_by_their_traits_not_their_spelling() {
    expect![[r#"{"type":"object","properties":{"a":{"type":["array","null"],"items":{"type":"integer","minimum":0,"maximum":255}},"b":{"type":"object","additionalProperties":{"type":"number","minimum":-3.4028234663852886e+38,"maximum":3.4028234663852886e+38}},"c":{"type":"array","items":{"type":"string","minLength":1,"maxLength":1}},"d":{"type":"array","items":{"type":"integer","minimum":0,"maximum":65535},"uniqueItems":true},"e":{"type":"string"},"f":{"type":"array","items":{"type":"integer","minimum":0,"maximum":255},"minItems":2,"maxItems":2},"g":{"type":"integer","minimum":1,"maximum":65535},"h":{"anyOf":[{"type":"integer","minimum":1,"maximum":127},{"type":"integer","minimum":-128,"maximum":-1}]}},"required":["b","c","d","e","f","g","h"],"additionalProperties":false}"#]].assert_eq(&input::<spelled>());
    assert_eq!(
        text::<spelled>(r#"{"b":{"a":1.5},"c":["c"],"d":[1],"e":"e","f":[1,2],"g":1,"h":-1}"#),
        r#""None {\"a\": 1.5} ['c'] {1} \"e\" [1, 2] 1 -1""#
    );
    fails::<spelled>(
        r#"{"b":{"a":"1"},"c":["cc",""],"d":[1,1],"e":"e","f":[1],"g":0,"h":0}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "spelled":
            - /b/a: expected number from -3.4028234663852886e+38 to 3.4028234663852886e+38, got string "1"
            - /c/0: expected string of exactly 1 character, got string "cc"
            - /c/1: expected string of exactly 1 character, got string ""
            - /d: expected array without duplicates, got array [1,1]
            - /f: expected array of exactly 2 items, got array [1]
            - /g: expected integer from 1 to 65535, got integer 0
            - /h: expected integer from 1 to 127 or integer from -128 to -1, got integer 0
            Call it like: {"b":{},"c":[],"d":[],"e":"text","f":[1,1],"g":1,"h":1}"#]],
    );
}

#[derive(Deserialize, JsonSchema, Debug)]
struct Named {
    properties: u8,
    r#type: String,
    required: Vec<String>,
    items: Option<u8>,
    #[serde(rename = "$ref")]
    reference: String,
    r#enum: Vec<u8>,
    #[serde(rename = "x-tool-order")]
    order: u8,
    #[serde(rename = "$defs")]
    defs: Point,
    title: Option<String>,
    default: f32,
}

/// Takes names that schemas use.
#[tool(docs(optional))]
fn keyword_names(
    named: Named,
    properties: BTreeMap<String, u8>,
    r#type: u8,
    required: Option<bool>,
    items: Vec<Named>,
    #[arg(default = 1)] default: u8,
    #[arg(rename = "enum")] listed: Option<Untagged>,
) -> String {
    format!("{named:?} {properties:?} {type} {required:?} {items:?} {default} {listed:?}", r#type = r#type)
}

#[test]
fn f074_properties_named_like_keywords_are_properties() {
    expect![[r##"{"type":"object","properties":{"named":{"$ref":"#/$defs/Named"},"properties":{"type":"object","additionalProperties":{"type":"integer","minimum":0,"maximum":255}},"type":{"type":"integer","minimum":0,"maximum":255},"required":{"type":["boolean","null"]},"items":{"type":"array","items":{"$ref":"#/$defs/Named"}},"default":{"type":"integer","minimum":0,"maximum":255,"default":1},"enum":{"anyOf":[{"$ref":"#/$defs/Untagged"},{"type":"null"}]}},"required":["named","properties","type","items"],"additionalProperties":false,"$defs":{"Named":{"type":"object","properties":{"$defs":{"$ref":"#/$defs/Point"},"$ref":{"type":"string"},"default":{"type":"number","minimum":-3.4028234663852886e+38,"maximum":3.4028234663852886e+38},"enum":{"type":"array","items":{"type":"integer","minimum":0,"maximum":255}},"items":{"type":["integer","null"],"minimum":0,"maximum":255},"properties":{"type":"integer","minimum":0,"maximum":255},"required":{"type":"array","items":{"type":"string"}},"title":{"type":["string","null"]},"type":{"type":"string"},"x-tool-order":{"type":"integer","minimum":0,"maximum":255}},"required":["$defs","$ref","default","enum","properties","required","type","x-tool-order"]},"Point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":["number","null"],"minimum":-3.4028234663852886e+38,"maximum":3.4028234663852886e+38}},"required":["x"]},"Untagged":{"anyOf":[{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},{"type":"string"},{"$ref":"#/$defs/Point"}]}}}"##]].assert_eq(&input::<keyword_names>());
    let named = r#"{"properties":1,"type":"t","required":[],"$ref":"r","enum":[1],"x-tool-order":2,"$defs":{"x":1},"default":1}"#;
    let arguments = format!(r#"{{"named":{named},"properties":{{"type":1}},"type":2,"items":[{named}]}}"#);
    assert!(text::<keyword_names>(&arguments).starts_with(r#""Named { properties: 1, type: \"t\""#));
    only::<keyword_names>().verify().expect("nothing to object to");
}

#[derive(Deserialize, JsonSchema, Debug)]
struct Node {
    value: u8,
    #[serde(default)]
    kids: Vec<Node>,
}

#[derive(Deserialize, JsonSchema, Debug)]
struct Ping {
    pong: Option<Box<Pong>>,
}

#[derive(Deserialize, JsonSchema, Debug)]
struct Pong {
    ping: Option<Box<Ping>>,
    more: BTreeMap<String, Pong>,
}

#[derive(Deserialize, JsonSchema, Debug)]
#[serde(tag = "op")]
enum Tree {
    Leaf { value: i64 },
    Not { inner: Box<Tree> },
    All { inner: Vec<Tree> },
}

/// Takes recursive types.
#[tool(docs(optional))]
fn recursive(node: Node, ping: Ping, tree: Option<Tree>, #[arg(flatten)] flat: Node) -> String {
    format!("{node:?} {ping:?} {tree:?} {flat:?}")
}

#[test]
fn f076_recursive_types_keep_their_references() {
    expect![[r##"{"type":"object","properties":{"node":{"$ref":"#/$defs/Node"},"ping":{"$ref":"#/$defs/Ping"},"tree":{"anyOf":[{"$ref":"#/$defs/Tree"},{"type":"null"}]},"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}},"value":{"type":"integer","minimum":0,"maximum":255}},"required":["node","ping","value"],"additionalProperties":false,"$defs":{"Node":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}},"value":{"type":"integer","minimum":0,"maximum":255}},"required":["value"]},"Ping":{"type":"object","properties":{"pong":{"anyOf":[{"$ref":"#/$defs/Pong"},{"type":"null"}]}}},"Pong":{"type":"object","properties":{"more":{"type":"object","additionalProperties":{"$ref":"#/$defs/Pong"}},"ping":{"anyOf":[{"$ref":"#/$defs/Ping"},{"type":"null"}]}},"required":["more"]},"Tree":{"oneOf":[{"type":"object","properties":{"op":{"type":"string","const":"Leaf"},"value":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}},"required":["op","value"]},{"type":"object","properties":{"inner":{"$ref":"#/$defs/Tree"},"op":{"type":"string","const":"Not"}},"required":["inner","op"]},{"type":"object","properties":{"inner":{"type":"array","items":{"$ref":"#/$defs/Tree"}},"op":{"type":"string","const":"All"}},"required":["inner","op"]}]}}}"##]].assert_eq(&input::<recursive>());
    assert_eq!(
        text::<recursive>(
            r#"{"node":{"value":1,"kids":[{"value":2}]},"ping":{"pong":{"ping":null,"more":{}}},"tree":{"op":"Not","inner":{"op":"Leaf","value":1}},"value":3,"kids":[{"value":4}]}"#
        ),
        r#""Node { value: 1, kids: [Node { value: 2, kids: [] }] } Ping { pong: Some(Pong { ping: None, more: {} }) } Some(Not { inner: Leaf { value: 1 } }) Node { value: 3, kids: [Node { value: 4, kids: [] }] }""#
    );
    fails::<recursive>(
        r#"{"node":{"value":1,"kids":[{"kids":[{"value":-1}]}]},"ping":{},"tree":{"op":"All","inner":[{"op":"Not","inner":{"op":"Leaf"}}]},"value":1}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "recursive":
            - /node/kids/0/kids/0/value: expected integer from 0 to 255, got integer -1
            - missing required property "/node/kids/0/value"
            - missing required property "/tree/inner/0/inner/value"
            Call it like: {"node":{"value":1},"ping":{},"value":1}"#]],
    );
    // As deep as the limits of the text go, and further.
    for (depth, fits) in [(50, true), (10_000, false)] {
        let kids = format!("{}{}", r#"{"value":1,"kids":["#.repeat(depth), "]}".repeat(depth));
        let result = call::<recursive>(&format!(r#"{{"node":{kids},"ping":{{}},"value":1}}"#));
        assert_eq!(result.is_error(), !fits, "{depth}: {}", result.text());
    }
}

#[test]
fn f076_references_that_consume_nothing_are_refused() {
    let error = Schema::parse(r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##)
        .map(|_| ())
        .expect_err("a circle");
    expect!["/$defs/a: its `$ref`s lead in a circle that no value can leave; let one of the references stand at a property or an item"].assert_eq(&error.to_string());
    let schema = Schema::parse(r##"{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}},"additionalProperties":false}"##)
        .expect("a recursive root");
    assert!(schema.is_valid(&serde_json::json!({"kids": [{"kids": []}]})));
    assert!(!schema.is_valid(&serde_json::json!({"kids": [{"kids": [1]}]})));
}

/// Takes every number.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "all kinds of numbers")]
fn numbers(
    a: u8,
    b: u16,
    c: u32,
    d: u64,
    e: i8,
    f: i16,
    g: i32,
    h: i64,
    i: f32,
    j: f64,
    k: usize,
    l: isize,
) -> String {
    format!("{a} {b} {c} {d} {e} {f} {g} {h} {i} {j} {k} {l}")
}

#[test]
fn f079_formats_of_rust_become_bounds() {
    expect![[r#"{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255},"b":{"type":"integer","minimum":0,"maximum":65535},"c":{"type":"integer","minimum":0,"maximum":4294967295},"d":{"type":"integer","minimum":0,"maximum":18446744073709551615},"e":{"type":"integer","minimum":-128,"maximum":127},"f":{"type":"integer","minimum":-32768,"maximum":32767},"g":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"h":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"i":{"type":"number","minimum":-3.4028234663852886e+38,"maximum":3.4028234663852886e+38},"j":{"type":"number"},"k":{"type":"integer","minimum":0,"maximum":18446744073709551615},"l":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}},"required":["a","b","c","d","e","f","g","h","i","j","k","l"],"additionalProperties":false}"#]].assert_eq(&input::<numbers>());
}

#[test]
fn f080_bounds_are_exact_and_named_with_the_value() {
    let most = r#"{"a":255,"b":65535,"c":4294967295,"d":18446744073709551615,"e":127,"f":32767,"g":2147483647,"h":9223372036854775807,"i":3.4028234663852886e38,"j":1.7976931348623157e308,"k":18446744073709551615,"l":9223372036854775807}"#;
    assert_eq!(
        text::<numbers>(most).split(' ').take(8).collect::<Vec<_>>().join(" "),
        "\"255 65535 4294967295 18446744073709551615 127 32767 2147483647 9223372036854775807"
    );
    fails::<numbers>(
        r#"{"a":300,"b":-1,"c":4294967296,"d":-1,"e":128,"f":-32769,"g":1.5,"h":9223372036854775808,"i":1e39,"j":"1","k":-1,"l":0}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "numbers":
            - /a: expected integer from 0 to 255, got integer 300
            - /b: expected integer from 0 to 65535, got integer -1
            - /c: expected integer from 0 to 4294967295, got integer 4294967296
            - /d: expected integer from 0 to 18446744073709551615, got integer -1
            - /e: expected integer from -128 to 127, got integer 128
            - /f: expected integer from -32768 to 32767, got integer -32769
            - /g: expected integer from -2147483648 to 2147483647, got number 1.5
            - /h: expected integer from -9223372036854775808 to 9223372036854775807, got integer 9223372036854775808
            - and 3 more
            Call it like: {"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1}"#]],
    );
    fails::<numbers>(
        r#"{"d":18446744073709551616}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments have an integer out of range in "/d" (line 1, column 6: 18446744073709551616); it must be from -9223372036854775808 to 18446744073709551615"#]],
    );
    fails::<numbers>(
        r#"{"h":-9223372036854775809}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments have an integer out of range in "/h" (line 1, column 6: -9223372036854775809); it must be from -9223372036854775808 to 18446744073709551615"#]],
    );
    fails::<numbers>(
        r#"{"j":1e400}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments have a number out of range in "/j" (line 1, column 6: 1e400); it must be from -1.7976931348623157e308 to 1.7976931348623157e308"#]],
    );
}

/// Takes whole numbers.
#[tool(docs(optional))]
fn whole(n: i64, list: Vec<u8>) -> String {
    format!("{n} {list:?}")
}

#[test]
fn f098_whole_numbers_may_be_written_as_floats() {
    assert_eq!(text::<whole>(r#"{"n":1.0,"list":[1e2,2.0]}"#), "\"1 [100, 2]\"");
    assert_eq!(text::<whole>(r#"{"n":-0,"list":[]}"#), "\"0 []\"");
    assert_eq!(text::<whole>(r#"{"n":-0.0,"list":[0.0]}"#), "\"0 [0]\"");
    fails::<whole>(
        r#"{"n":1.5,"list":[2.5,1e3]}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "whole":
        - /n: expected integer from -9223372036854775808 to 9223372036854775807, got number 1.5
        - /list/0: expected integer from 0 to 255, got number 2.5
        - /list/1: expected integer from 0 to 255, got integer 1000.0
        Call it like: {"n":1,"list":[]}"#]],
    );
}

mod first {
    #[derive(serde::Deserialize, schemars::JsonSchema, Debug)]
    pub(super) struct Item {
        pub(super) a: u8,
    }
}
mod second {
    #[derive(serde::Deserialize, schemars::JsonSchema, Debug)]
    pub(super) struct Item {
        pub(super) b: u8,
    }
}

#[derive(Deserialize, JsonSchema, Debug)]
struct Generic<T> {
    inner: Option<T>,
}

/// Takes two types of one name.
#[tool(docs(optional))]
fn two_items(
    one: first::Item,
    two: second::Item,
    again: first::Item,
    generic: Generic<u8>,
    other: Generic<String>,
) -> String {
    format!("{} {} {} {:?} {:?}", one.a, two.b, again.a, generic.inner, other.inner)
}

#[test]
fn f083_types_of_one_name_stay_apart_and_titles_are_gone() {
    expect![[r##"{"type":"object","properties":{"one":{"$ref":"#/$defs/Item"},"two":{"$ref":"#/$defs/Item2"},"again":{"$ref":"#/$defs/Item"},"generic":{"$ref":"#/$defs/Generic"},"other":{"$ref":"#/$defs/Generic2"}},"required":["one","two","again","generic","other"],"additionalProperties":false,"$defs":{"Generic":{"type":"object","properties":{"inner":{"type":["integer","null"],"minimum":0,"maximum":255}}},"Generic2":{"type":"object","properties":{"inner":{"type":["string","null"]}}},"Item":{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255}},"required":["a"]},"Item2":{"type":"object","properties":{"b":{"type":"integer","minimum":0,"maximum":255}},"required":["b"]}}}"##]].assert_eq(&input::<two_items>());
    assert_eq!(
        text::<two_items>(
            r#"{"one":{"a":1},"two":{"b":2},"again":{"a":3},"generic":{"inner":4},"other":{"inner":"5"}}"#
        ),
        r#""1 2 3 Some(4) Some(\"5\")""#
    );
}

#[derive(Serialize, JsonSchema, Deserialize)]
struct Contracts {
    #[serde(default)]
    defaulted: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u8>,
    #[serde(rename(serialize = "out", deserialize = "in"))]
    renamed: u8,
    #[serde(skip_deserializing)]
    only_out: u8,
    #[serde(skip_serializing, default)]
    only_in: u8,
}

/// Gives back what it takes.
#[tool(docs(optional))]
fn contracts(value: Contracts) -> Contracts {
    value
}

#[test]
fn f089_inputs_are_in_the_deserialize_contract_and_outputs_in_the_serialize_one() {
    expect![[r##"{"type":"object","properties":{"value":{"$ref":"#/$defs/Contracts"}},"required":["value"],"additionalProperties":false,"$defs":{"Contracts":{"type":"object","properties":{"defaulted":{"type":"integer","minimum":0,"maximum":255,"default":0},"in":{"type":"integer","minimum":0,"maximum":255},"only_in":{"type":"integer","minimum":0,"maximum":255,"writeOnly":true},"skipped":{"type":["integer","null"],"minimum":0,"maximum":255}},"required":["in"]}}}"##]].assert_eq(&input::<contracts>());
    expect![[r#"{"type":"object","properties":{"defaulted":{"type":"integer","minimum":0,"maximum":255,"default":0},"only_out":{"type":"integer","minimum":0,"maximum":255,"default":0,"readOnly":true},"out":{"type":"integer","minimum":0,"maximum":255},"skipped":{"type":["integer","null"],"minimum":0,"maximum":255}},"required":["defaulted","only_out","out"]}"#]].assert_eq(&output::<contracts>().expect("a schema"));
    let result = text::<contracts>(r#"{"value":{"in":1,"only_in":2}}"#);
    assert_eq!(result, r#"{"defaulted":0,"out":1,"only_out":0}"#);
    let schema = Schema::parse(&output::<contracts>().expect("a schema")).expect("a schema");
    assert!(schema.is_valid(&serde_json::from_str(&result).expect("JSON")));
}

mod one_output {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    pub(super) struct Output {
        pub(super) one: u8,
    }
}
mod other_output {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    pub(super) struct Output {
        pub(super) other: String,
    }
}

/// Returns one.
#[tool]
fn returns_one_output() -> one_output::Output {
    one_output::Output { one: 1 }
}

/// Returns the other.
#[tool]
fn returns_other_output() -> Vec<other_output::Output> {
    vec![other_output::Output { other: "o".into() }]
}

#[test]
fn f091_outputs_of_one_name_are_independent() {
    expect![[r#"{"type":"object","properties":{"one":{"type":"integer","minimum":0,"maximum":255}},"required":["one"]}"#]].assert_eq(&output::<returns_one_output>().expect("a schema"));
    expect![[r##"{"type":"array","items":{"$ref":"#/$defs/Output"},"$defs":{"Output":{"type":"object","properties":{"other":{"type":"string"}},"required":["other"]}}}"##]].assert_eq(&output::<returns_other_output>().expect("a schema"));
}

#[test]
fn f073_required_names_properties_only() {
    let error = Schema::parse(
        r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"],"anyOf":[{"required":["a"]},{"properties":{"c":{}},"required":["d"]}]}"#,
    )
    .map(|_| ())
    .expect_err("two names too many");
    expect![[r#"
        /anyOf/0/required/0: `required` names no property with "a"; declare it in `properties`, or leave it out of `required`
        /anyOf/1/required/0: `required` names no property with "d"; declare it in `properties`, or leave it out of `required`
        /required/1: `required` names no property with "b"; declare it in `properties`, or leave it out of `required`"#]].assert_eq(&error.to_string());
}
