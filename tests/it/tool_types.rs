//! The field reports once more, with types of `#[tool_type]` and templates of `#[derive(Render)]`.
use std::collections::BTreeMap;

use expect_test::expect;
use tool_runtime::{Registry, Render, ToolHandle, tool, tool_type};

use crate::support::{call, fails, input, only, output, text};

/// A scale.
#[tool_type]
#[derive(Debug)]
enum Scale {
    /// Degrees Celsius,
    /// from the freezing point.
    C,
    F,
    #[serde(rename = "kelvin")]
    Kelvin,
}

/// Measures.
#[tool(docs(optional))]
fn measures(
    scale: Scale,
    /// Another one.
    other: Option<Scale>,
    list: Vec<Scale>,
) -> String {
    format!("{scale:?} {other:?} {list:?}")
}

#[test]
fn f059_docs_of_variants_stand_in_one_flat_enum_in_order() {
    expect![[r##"{"type":"object","properties":{"scale":{"$ref":"#/$defs/Scale"},"other":{"description":"Another one.","anyOf":[{"$ref":"#/$defs/Scale"},{"type":"null"}]},"list":{"type":"array","items":{"$ref":"#/$defs/Scale"}}},"required":["scale","list"],"additionalProperties":false,"$defs":{"Scale":{"type":"string","description":"A scale.\n- `C`: Degrees Celsius,\n  from the freezing point.","enum":["C","F","kelvin"]}}}"##]].assert_eq(&input::<measures>());
    assert_eq!(text::<measures>(r#"{"scale":"C","list":["kelvin"]}"#), "\"C None [Kelvin]\"");
    fails::<measures>(
        r#"{"scale":"c","other":"Kelvin","list":[{"C":null}]}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "measures":
        - /scale: must be one of "C", "F", "kelvin", got string "c"; did you mean "C"?
        - /other: must be one of "C", "F", "kelvin", got string "Kelvin"; did you mean "kelvin"?
        - /list/0: must be one of "C", "F", "kelvin", got object {"C":null}
        Call it like: {"scale":"C","list":[]}"#]],
    );
}

/// Keywords everywhere.
#[tool_type(docs(optional))]
#[derive(Debug)]
struct Keywords {
    r#type: String,
    properties: u8,
    required: Option<Vec<String>>,
    #[arg(rename = "x-tool-order", default = 3)]
    order: u8,
    r#enum: BTreeMap<String, Keyword>,
    title: Option<bool>,
    r#gen: char,
}

#[tool_type(docs(optional))]
#[derive(Debug)]
#[serde(rename_all = "kebab-case")]
enum Keyword {
    Const,
    OneOf { items: Vec<Keyword> },
    NewType(u8),
}

/// Takes keywords.
#[tool(docs(optional))]
fn keywords_everywhere(keywords: Keywords, list: Option<Vec<Keywords>>) -> String {
    format!("{keywords:?} {list:?}")
}

#[test]
fn f074_f015_fields_named_like_keywords_are_fields() {
    expect![[r##"{"type":"object","properties":{"keywords":{"$ref":"#/$defs/Keywords"},"list":{"type":["array","null"],"items":{"$ref":"#/$defs/Keywords"}}},"required":["keywords"],"additionalProperties":false,"$defs":{"Keyword":{"oneOf":[{"type":"string","enum":["const"]},{"type":"object","properties":{"one-of":{"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#/$defs/Keyword"}}},"required":["items"],"additionalProperties":false}},"required":["one-of"],"additionalProperties":false},{"type":"object","properties":{"new-type":{"type":"integer","minimum":0,"maximum":255}},"required":["new-type"],"additionalProperties":false}]},"Keywords":{"type":"object","description":"Keywords everywhere.","properties":{"type":{"type":"string"},"properties":{"type":"integer","minimum":0,"maximum":255},"required":{"type":["array","null"],"items":{"type":"string"}},"x-tool-order":{"type":"integer","minimum":0,"maximum":255,"default":3},"enum":{"type":"object","additionalProperties":{"$ref":"#/$defs/Keyword"}},"title":{"type":["boolean","null"]},"gen":{"type":"string","minLength":1,"maxLength":1}},"required":["type","properties","enum","gen"],"additionalProperties":false}}}"##]].assert_eq(&input::<keywords_everywhere>());
    assert_eq!(
        text::<keywords_everywhere>(
            r#"{"keywords":{"type":"t","properties":1,"enum":{"a":"const","b":{"one-of":{"items":["const"]}}},"gen":"g"}}"#
        ),
        r#""Keywords { type: \"t\", properties: 1, required: None, order: 3, enum: {\"a\": Const, \"b\": OneOf { items: [Const] }}, title: None, gen: 'g' } None""#
    );
    fails::<keywords_everywhere>(
        r#"{"keywords":{"type":1,"properties":1,"enum":{"a":"konst","b":{"one-of":{}}},"gen":"gg","r#type":1}}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "keywords_everywhere":
            - /keywords/type: expected string, got integer 1
            - /keywords/enum/a: must be one of "const", got string "konst"; did you mean "const"?
            - missing required property "/keywords/enum/b/one-of/items"
            - /keywords/gen: expected string of exactly 1 character, got string "gg"
            - unknown property "/keywords/r#type"
            Call it like: {"keywords":{"type":"text","properties":1,"enum":{},"gen":"t"}}"#]],
    );
}

/// A node.
#[tool_type(docs(optional))]
#[derive(Debug)]
struct Node {
    value: u8,
    #[serde(default)]
    kids: Vec<Node>,
    partner: Option<Box<Partner>>,
}

#[tool_type(docs(optional))]
#[derive(Debug)]
struct Partner {
    of: Option<Box<Node>>,
    note: String,
}

#[tool_type(docs(optional))]
#[derive(Debug)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Formula {
    Number { value: i64 },
    Not { inner: Box<Formula> },
    All { inner: Vec<Formula> },
    Nothing,
}

/// Takes recursive types.
#[tool(docs(optional))]
fn recursive_types(formula: Formula, #[arg(flatten)] node: Node) -> String {
    format!("{formula:?} {node:?}")
}

#[test]
fn f076_recursive_types_keep_their_references() {
    expect![[r##"{"type":"object","properties":{"formula":{"$ref":"#/$defs/Formula"},"value":{"type":"integer","minimum":0,"maximum":255},"kids":{"type":"array","items":{"$ref":"#/$defs/Node"},"default":[]},"partner":{"anyOf":[{"$ref":"#/$defs/Partner"},{"type":"null"}]}},"required":["formula","value"],"additionalProperties":false,"$defs":{"Formula":{"oneOf":[{"type":"object","properties":{"op":{"type":"string","const":"number"},"value":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}},"required":["op","value"],"additionalProperties":false},{"type":"object","properties":{"op":{"type":"string","const":"not"},"inner":{"$ref":"#/$defs/Formula"}},"required":["op","inner"],"additionalProperties":false},{"type":"object","properties":{"op":{"type":"string","const":"all"},"inner":{"type":"array","items":{"$ref":"#/$defs/Formula"}}},"required":["op","inner"],"additionalProperties":false},{"type":"object","properties":{"op":{"type":"string","const":"nothing"}},"required":["op"],"additionalProperties":false}]},"Node":{"type":"object","description":"A node.","properties":{"value":{"type":"integer","minimum":0,"maximum":255},"kids":{"type":"array","items":{"$ref":"#/$defs/Node"},"default":[]},"partner":{"anyOf":[{"$ref":"#/$defs/Partner"},{"type":"null"}]}},"required":["value"],"additionalProperties":false},"Partner":{"type":"object","properties":{"of":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]},"note":{"type":"string"}},"required":["note"],"additionalProperties":false}}}"##]].assert_eq(&input::<recursive_types>());
    assert_eq!(
        text::<recursive_types>(
            r#"{"formula":{"op":"not","inner":{"op":"all","inner":[{"op":"nothing"}]}},"value":1,"kids":[{"value":2}],"partner":{"note":"n","of":{"value":3}}}"#
        ),
        r#""Not { inner: All { inner: [Nothing] } } Node { value: 1, kids: [Node { value: 2, kids: [], partner: None }], partner: Some(Partner { of: Some(Node { value: 3, kids: [], partner: None }), note: \"n\" }) }""#
    );
    fails::<recursive_types>(
        r#"{"formula":{"op":"all","inner":[{"op":"number"},{"op":"never"}]},"value":1,"kids":[{"kids":[{}]}],"partner":{"note":1}}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "recursive_types":
            - missing required property "/formula/inner/0/value"
            - /formula/inner/1/op: must be one of "number", "not", "all", "nothing", got string "never"
            - missing required property "/kids/0/value"
            - missing required property "/kids/0/kids/0/value"
            - /partner/note: expected string, got integer 1
            Call it like: {"formula":{"op":"number","value":1},"value":1}"#]],
    );
    let kids = format!("{}{}", r#"{"value":1,"kids":["#.repeat(50), "]}".repeat(50));
    assert!(
        !call::<recursive_types>(&format!(r#"{{"formula":{{"op":"nothing"}},"value":1,"kids":[{kids}]}}"#))
            .is_error()
    );
}

#[tool_type(docs(optional))]
#[derive(Debug)]
struct Inner {
    #[arg(minimum = 1, maximum = 5)]
    a: u8,
    b: Option<String>,
}

#[tool_type(docs(optional))]
#[derive(Debug)]
struct Outer {
    own: u8,
    #[serde(flatten)]
    inner: Inner,
}

/// Flattens twice.
#[tool(docs(optional))]
fn flattens_types(#[arg(flatten)] outer: Outer, also: u8, nested: Outer, list: Vec<Outer>) -> String {
    format!("{outer:?} {also} {nested:?} {list:?}")
}

#[test]
fn f077_flattened_types_are_closed_as_a_whole() {
    expect![[r##"{"type":"object","properties":{"own":{"type":"integer","minimum":0,"maximum":255},"a":{"type":"integer","minimum":1,"maximum":5},"b":{"type":["string","null"]},"also":{"type":"integer","minimum":0,"maximum":255},"nested":{"$ref":"#/$defs/Outer"},"list":{"type":"array","items":{"$ref":"#/$defs/Outer"}}},"required":["own","a","also","nested","list"],"additionalProperties":false,"$defs":{"Outer":{"type":"object","properties":{"own":{"type":"integer","minimum":0,"maximum":255},"a":{"type":"integer","minimum":1,"maximum":5},"b":{"type":["string","null"]}},"required":["own","a"],"additionalProperties":false}}}"##]].assert_eq(&input::<flattens_types>());
    let schema =
        only::<flattens_types>().definition("flattens_types").expect("registered").input_schema().clone();
    assert!(schema.is_valid(&schema.example()));
    assert!(!call::<flattens_types>(&schema.example().to_string()).is_error());
    assert_eq!(
        text::<flattens_types>(r#"{"a":1,"own":2,"also":3,"nested":{"a":5,"own":6,"b":"b"},"list":[]}"#),
        r#""Outer { own: 2, inner: Inner { a: 1, b: None } } 3 Outer { own: 6, inner: Inner { a: 5, b: Some(\"b\") } } []""#
    );
    fails::<flattens_types>(
        r#"{"a":0,"own":300,"also":3,"nested":{"a":6,"own":6,"c":1},"list":[{"own":1,"a":1},{"a":1}]}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "flattens_types":
            - /own: expected integer from 0 to 255, got integer 300
            - /a: expected integer from 1 to 5, got integer 0
            - /nested/a: expected integer from 1 to 5, got integer 6
            - unknown property "/nested/c"
            - missing required property "/list/1/own"
            Call it like: {"own":1,"a":1,"also":1,"nested":{"own":1,"a":1},"list":[]}"#]],
    );
}

#[tool_type(docs(optional))]
#[derive(Debug, Clone)]
struct Bounds {
    #[arg(minimum = 1, maximum = 9, default = 4)]
    n: u8,
    #[arg(exclusive_minimum = 0)]
    ratio: Option<f64>,
    #[arg(min_length = 2, max_length = 4, pattern = "^[a-z]+$", example = "abc")]
    code: String,
    #[arg(min_items = 1, unique_items)]
    list: Vec<i32>,
    #[arg(format = "date")]
    day: Option<String>,
    big: u64,
    small: i8,
}

/// Gives back what it takes.
#[tool(docs(optional), effect = read)]
async fn bounds(value: Bounds) -> Bounds {
    value
}

/// Breaks its bounds.
#[tool(docs(optional), effect = read)]
fn breaks_bounds(n: u8, ratio: f64) -> Vec<Bounds> {
    vec![Bounds {
        n,
        ratio: Some(ratio),
        code: "abc".into(),
        list: vec![1, 1],
        day: Some("today".into()),
        big: 1,
        small: 1,
    }]
}

#[test]
fn f080_bounds_of_fields_hold_in_both_directions() {
    expect![[r##"{"type":"object","properties":{"value":{"$ref":"#/$defs/Bounds"}},"required":["value"],"additionalProperties":false,"$defs":{"Bounds":{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":9,"default":4},"ratio":{"type":["number","null"],"exclusiveMinimum":0},"code":{"type":"string","pattern":"^[a-z]+$","minLength":2,"maxLength":4,"examples":["abc"]},"list":{"type":"array","items":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"minItems":1,"uniqueItems":true},"day":{"type":["string","null"],"format":"date"},"big":{"type":"integer","minimum":0,"maximum":18446744073709551615},"small":{"type":"integer","minimum":-128,"maximum":127}},"required":["code","list","big","small"],"additionalProperties":false}}}"##]].assert_eq(&input::<bounds>());
    expect![[r#"{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":9,"default":4},"ratio":{"type":["number","null"],"exclusiveMinimum":0},"code":{"type":"string","pattern":"^[a-z]+$","minLength":2,"maxLength":4,"examples":["abc"]},"list":{"type":"array","items":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"minItems":1,"uniqueItems":true},"day":{"type":["string","null"],"format":"date"},"big":{"type":"integer","minimum":0,"maximum":18446744073709551615},"small":{"type":"integer","minimum":-128,"maximum":127}},"required":["n","ratio","code","list","day","big","small"],"additionalProperties":false}"#]].assert_eq(&output::<bounds>().expect("a schema"));
    assert_eq!(
        text::<bounds>(r#"{"value":{"code":"ab","list":[1],"big":18446744073709551615,"small":-128}}"#),
        r#"{"n":4,"ratio":null,"code":"ab","list":[1],"day":null,"big":18446744073709551615,"small":-128}"#
    );
    fails::<bounds>(
        r#"{"value":{"n":10,"ratio":0,"code":"a1","list":[1,1],"day":"2026-13-01","big":-1,"small":128}}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "bounds":
            - /value/n: expected integer from 1 to 9, got integer 10
            - /value/ratio: expected number above 0 or null, got integer 0
            - /value/code: expected string of 2 to 4 characters matching ^[a-z]+$, got string "a1"
            - /value/list: expected array of at least 1 item without duplicates, got array [1,1]
            - /value/day: expected a date such as 2026-01-31 or null, got string "2026-13-01"
            - /value/big: expected integer from 0 to 18446744073709551615, got integer -1
            - /value/small: expected integer from -128 to 127, got integer 128
            Call it like: {"value":{"code":"abc","list":[1],"big":1,"small":1}}"#]],
    );
    fails::<breaks_bounds>(
        r#"{"n":10,"ratio":0}"#,
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "breaks_bounds" returned an invalid result: /0/n: expected integer from 1 to 9, got integer 10; /0/ratio: expected number above 0 or null, got integer 0.0; /0/list: expected array of at least 1 item without duplicates, got array [1,1]; /0/day: expected a date such as 2026-01-31 or null, got string "today""#]],
    );
    fails::<breaks_bounds>(
        r#"{"n":1,"ratio":1}"#,
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "breaks_bounds" returned an invalid result: /0/list: expected array of at least 1 item without duplicates, got array [1,1]; /0/day: expected a date such as 2026-01-31 or null, got string "today""#]],
    );
}

mod first {
    #[tool_runtime::tool_type(docs(optional))]
    #[derive(Debug)]
    pub(super) struct Item {
        pub(super) a: u8,
    }
}
mod second {
    #[tool_runtime::tool_type(docs(optional))]
    #[derive(Debug)]
    pub(super) struct Item {
        pub(super) b: u8,
    }
}

/// Takes two types of one name.
#[tool(docs(optional))]
fn two_items_of_types(one: first::Item, two: second::Item) -> String {
    format!("{} {}", one.a, two.b)
}

#[test]
fn f083_types_of_one_name_stay_apart() {
    expect![[r##"{"type":"object","properties":{"one":{"$ref":"#/$defs/Item"},"two":{"$ref":"#/$defs/Item2"}},"required":["one","two"],"additionalProperties":false,"$defs":{"Item":{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255}},"required":["a"],"additionalProperties":false},"Item2":{"type":"object","properties":{"b":{"type":"integer","minimum":0,"maximum":255}},"required":["b"],"additionalProperties":false}}}"##]].assert_eq(&input::<two_items_of_types>());
    assert_eq!(text::<two_items_of_types>(r#"{"one":{"a":1},"two":{"b":2}}"#), r#""1 2""#);
}

#[tool_type(docs(optional))]
#[derive(Debug)]
struct Contracts {
    #[serde(default)]
    defaulted: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u8>,
    #[serde(rename(serialize = "out", deserialize = "in"))]
    renamed: u8,
}

/// Gives back what it takes.
#[tool(docs(optional))]
fn contracts_of_types(value: Contracts) -> Contracts {
    value
}

#[test]
fn f089_inputs_and_outputs_have_their_own_contracts() {
    expect![[r##"{"type":"object","properties":{"value":{"$ref":"#/$defs/Contracts"}},"required":["value"],"additionalProperties":false,"$defs":{"Contracts":{"type":"object","properties":{"defaulted":{"type":"integer","minimum":0,"maximum":255,"default":0},"skipped":{"type":["integer","null"],"minimum":0,"maximum":255},"in":{"type":"integer","minimum":0,"maximum":255}},"required":["in"],"additionalProperties":false}}}"##]].assert_eq(&input::<contracts_of_types>());
    expect![[r#"{"type":"object","properties":{"defaulted":{"type":"integer","minimum":0,"maximum":255,"default":0},"skipped":{"type":["integer","null"],"minimum":0,"maximum":255},"out":{"type":"integer","minimum":0,"maximum":255}},"required":["defaulted","out"],"additionalProperties":false}"#]].assert_eq(&output::<contracts_of_types>().expect("a schema"));
    assert_eq!(text::<contracts_of_types>(r#"{"value":{"in":1}}"#), r#"{"defaulted":0,"out":1}"#);
}

#[tool_type(docs(optional))]
#[derive(Debug)]
#[serde(untagged)]
enum Loose {
    Number(i64),
    Text(String),
    Point { x: f64, y: f64 },
}

#[tool_type(docs(optional))]
#[derive(Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A(u8),
    B { text: String },
    C,
}

/// Takes unions.
#[tool(docs(optional))]
fn unions_of_types(loose: Vec<Loose>, adjacent: Vec<Adjacent>, only: Option<Only>) -> String {
    format!("{loose:?} {adjacent:?} {only:?}")
}

#[tool_type(docs(optional))]
#[derive(Debug)]
#[serde(tag = "kind")]
enum Only {
    One { a: u8 },
}

#[test]
fn f101_the_branch_that_was_meant_is_reported() {
    expect![[r##"{"type":"object","properties":{"loose":{"type":"array","items":{"$ref":"#/$defs/Loose"}},"adjacent":{"type":"array","items":{"$ref":"#/$defs/Adjacent"}},"only":{"anyOf":[{"$ref":"#/$defs/Only"},{"type":"null"}]}},"required":["loose","adjacent"],"additionalProperties":false,"$defs":{"Adjacent":{"oneOf":[{"type":"object","properties":{"t":{"type":"string","const":"A"},"c":{"type":"integer","minimum":0,"maximum":255}},"required":["t","c"],"additionalProperties":false},{"type":"object","properties":{"t":{"type":"string","const":"B"},"c":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}},"required":["t","c"],"additionalProperties":false},{"type":"object","properties":{"t":{"type":"string","const":"C"}},"required":["t"],"additionalProperties":false}]},"Loose":{"anyOf":[{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},{"type":"string"},{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"],"additionalProperties":false}]},"Only":{"type":"object","properties":{"kind":{"type":"string","const":"One"},"a":{"type":"integer","minimum":0,"maximum":255}},"required":["kind","a"],"additionalProperties":false}}}"##]].assert_eq(&input::<unions_of_types>());
    assert_eq!(
        text::<unions_of_types>(
            r#"{"loose":[1,"t",{"x":1,"y":2}],"adjacent":[{"t":"A","c":1},{"c":{"text":"b"},"t":"B"},{"t":"C"}],"only":{"kind":"One","a":1}}"#
        ),
        r#""[Number(1), Text(\"t\"), Point { x: 1.0, y: 2.0 }] [A(1), B { text: \"b\" }, C] Some(One { a: 1 })""#
    );
    fails::<unions_of_types>(
        r#"{"loose":[true,1.5,{"x":1},{"x":1,"y":"2","z":3}],"adjacent":[{"t":"A","c":256},{"t":"B","c":{}},{"t":"D"},{"c":1}],"only":{"kind":"Two"}}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "unions_of_types":
            - /loose/0: expected integer from -9223372036854775808 to 9223372036854775807 or string or object, got boolean true
            - /loose/1: expected integer from -9223372036854775808 to 9223372036854775807 or string or object, got number 1.5
            - missing required property "/loose/2/y"
            - /loose/3/y: expected number, got string "2"
            - unknown property "/loose/3/z"
            - /adjacent/0/c: expected integer from 0 to 255, got integer 256
            - missing required property "/adjacent/1/c/text"
            - /adjacent/2/t: must be one of "A", "B", "C", got string "D"
            - and 3 more
            Call it like: {"loose":[],"adjacent":[]}"#]],
    );
}

#[test]
fn f104_types_take_their_own_form_only() {
    fails::<bounds>(
        r#"{"value":[1,null,"ab",[1],null,1,1]}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "bounds":
        - /value: expected object, got array [1,null,"ab",[1],null,1,1]
        Call it like: {"value":{"code":"abc","list":[1],"big":1,"small":1}}"#]],
    );
    fails::<unions_of_types>(
        r#"{"loose":[],"adjacent":[["A",1]],"only":["One",1]}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "unions_of_types":
        - /adjacent/0: expected object, got array ["A",1]
        - /only: expected object or null, got array ["One",1]
        Call it like: {"loose":[],"adjacent":[]}"#]],
    );
}

/// A product.
#[tool_type(docs(optional))]
#[derive(Render)]
#[render("{name} ({stock}): {price:.2} {{EUR}}")]
struct Product {
    name: String,
    price: f64,
    stock: Stock,
}

#[tool_type(docs(optional))]
#[derive(Render)]
enum Stock {
    #[render("sold out")]
    Nothing,
    #[render("{count} left")]
    Some { count: u32 },
}

/// Finds products.
#[tool(docs(optional))]
fn products(price: f64, count: Option<u32>) -> Result<Vec<Product>, String> {
    let stock = || count.map_or(Stock::Nothing, |count| Stock::Some { count });
    let product = |name: &str| Product { name: name.into(), price, stock: stock() };
    Ok(vec![product("a"), product("b")])
}

#[test]
fn templates_show_values_and_leave_them_as_they_are() {
    let result = call::<products>(r#"{"price":1.005,"count":3}"#);
    expect![[r#"
        a (3 left): 1.00 {EUR}
        b (3 left): 1.00 {EUR}"#]]
    .assert_eq(&result.text());
    expect![[r#"[{"name":"a","price":1.005,"stock":{"Some":{"count":3}}},{"name":"b","price":1.005,"stock":{"Some":{"count":3}}}]"#]].assert_eq(result.value_text().expect("a value"));
    expect![[r#"
        a (sold out): 2.00 {EUR}
        b (sold out): 2.00 {EUR}"#]]
    .assert_eq(&text::<products>(r#"{"price":2}"#));
}

/// Shows by hand, and panics at that.
#[tool_type(docs(optional))]
struct Panicking {
    n: u8,
}

impl Render for Panicking {
    fn render_into(&self, out: &mut String) -> std::fmt::Result {
        assert!(self.n < 2, "a secret");
        out.push_str("shown");
        if self.n == 1 { Err(std::fmt::Error) } else { Ok(()) }
    }
}

/// Shows by hand.
#[tool(docs(optional))]
fn shown_by_hand(n: u8) -> Panicking {
    Panicking { n }
}

#[test]
fn f120_a_template_that_fails_or_panics_leaves_the_json_text() {
    let texts = [0, 1, 2].map(|n| text::<shown_by_hand>(&format!(r#"{{"n":{n}}}"#)));
    assert_eq!(texts, ["shown", r#"{"n":1}"#, r#"{"n":2}"#]);
}

#[test]
fn schemas_of_types_pass_the_check_at_registration_too() {
    fn check<T: ToolHandle>(
        builder: tool_runtime::registry::RegistryBuilder,
    ) -> tool_runtime::registry::RegistryBuilder {
        builder.register::<T>()
    }
    let builder = Registry::builder();
    let builder = check::<measures>(check::<keywords_everywhere>(check::<recursive_types>(builder)));
    let builder = check::<flattens_types>(check::<bounds>(check::<contracts_of_types>(builder)));
    let builder = check::<unions_of_types>(check::<products>(check::<two_items_of_types>(builder)));
    let registry = builder.build().unwrap_or_else(|error| panic!("{error}"));
    registry.verify().unwrap_or_else(|error| panic!("{error}"));
    tool_runtime::testing::check(&registry);
}
