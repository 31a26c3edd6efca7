//! Tools made while the program runs.

use expect_test::expect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::schema::Schema;
use tool_runtime::{DynamicTool, DynamicToolError, Tool};
use tool_runtime::{Effect, Registry};

use crate::support::{failure, run};

#[derive(Deserialize, JsonSchema, Debug)]
struct Pair {
    a: i64,
    #[schemars(range(min = 0))]
    b: i64,
}

fn registry(tool: Tool) -> Registry {
    Registry::builder().tool(tool).build().unwrap_or_else(|error| panic!("{error}"))
}

fn named(name: &str) -> DynamicTool {
    DynamicTool::new(name, "Does something.").expect("a name and a description")
}

#[test]
fn typed_closures_are_tools() {
    let offset = 10;
    let tool = named("add")
        .title("Addition")
        .effect(Effect::Read)
        .typed(move |pair: Pair| async move {
            tokio::task::yield_now().await;
            if pair.a < 0 { Err("negative") } else { Ok(pair.a + pair.b + offset) }
        })
        .expect("a schema");
    let registry = registry(tool);
    let definition = registry.definition("add").expect("registered");
    expect![[r#"{"type":"object","properties":{"a":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"b":{"type":"integer","minimum":0,"maximum":9223372036854775807}},"required":["a","b"]}"#]].assert_eq(definition.input_schema().text());
    expect![[r#"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#]]
        .assert_eq(definition.output_schema().expect("a schema").text());
    assert_eq!((definition.title(), definition.effect()), (Some("Addition"), Effect::Read));
    assert_eq!(run(&registry, "add", r#"{"a":1,"b":2}"#).text(), "13");
    expect![[r#"
        TOOL_FAILED
        Error: negative"#]]
    .assert_eq(&failure(&run(&registry, "add", r#"{"a":-1,"b":2}"#)));
    expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "add":
        - /a: expected integer from -9223372036854775808 to 9223372036854775807, got string "1"
        - /b: expected integer from 0 to 9223372036854775807, got integer -2
        Call it like: {"a":1,"b":1}"#]]
    .assert_eq(&failure(&run(&registry, "add", r#"{"a":"1","b":-2}"#)));
    expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 1, column 1: [1,2])"#]]
    .assert_eq(&failure(&run(&registry, "add", "[1,2]")));
}

#[derive(Deserialize, JsonSchema)]
struct EmptyBraces {}

#[derive(Deserialize, JsonSchema)]
struct EmptyUnit;

#[test]
fn f061_closures_without_arguments_have_a_closed_object() {
    let texts = [
        named("a").typed(async |(): ()| Ok::<_, String>(1)).expect("a schema"),
        named("b").typed(async |_: EmptyBraces| Ok::<_, String>(1)).expect("a schema"),
        named("c").typed(async |_: EmptyUnit| Ok::<_, String>(1)).expect("a schema"),
    ]
    .map(|tool| {
        let schema = tool.definition().input_schema().text().to_owned();
        let name = tool.name().to_owned();
        let registry = registry(tool);
        assert_eq!(run(&registry, &name, "").text(), "1");
        assert_eq!(run(&registry, &name, "{}").text(), "1");
        assert!(run(&registry, &name, r#"{"a":1}"#).is_error());
        schema
    });
    assert_eq!(texts, [r#"{"type":"object","properties":{},"additionalProperties":false}"#; 3]);
    // Hand-written: any object, and it says so in the form that providers take.
    let schema = Schema::parse(r#"{"type":"object"}"#).expect("a schema");
    let tool =
        named("d").with_schema(schema, async |value: Value| Ok::<_, String>(value)).expect("an object");
    assert_eq!(tool.definition().input_schema().text(), r#"{"type":"object","properties":{}}"#);
    assert_eq!(run(&registry(tool), "d", r#"{"a":1}"#).text(), r#"{"a":1}"#);
}

#[test]
fn hand_written_schemas_are_enforced() {
    let schema = Schema::parse(
        r#"{"type":"object","properties":{"z":{"type":"string","maxLength":2},"a":{"type":"integer"}},"required":["z"],"additionalProperties":false}"#,
    )
    .expect("a schema");
    let tool = named("plain")
        .with_schema(schema, async |value: Value| Ok::<_, String>(json!({"got": value})))
        .expect("an object");
    let registry = registry(tool);
    assert_eq!(run(&registry, "plain", r#"{"z":"zz","a":1}"#).text(), r#"{"got":{"a":1,"z":"zz"}}"#);
    expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "plain":
        - /z: expected string of at most 2 characters, got string "zzz"
        - /a: expected integer, got number 1.5
        - unknown property "/b"
        Call it like: {"z":"te"}"#]]
    .assert_eq(&failure(&run(&registry, "plain", r#"{"z":"zzz","a":1.5,"b":1}"#)));
}

fn said<T>(result: Result<T, DynamicToolError>) -> String {
    result.map(|_| ()).expect_err("refused").to_string()
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Unenforceable {
    #[schemars(extend("minProperties" = 1))]
    a: u8,
    pair: (u8, String),
    #[schemars(regex(pattern = "(?=x)"))]
    text: String,
    #[schemars(range(min = 5, max = 3))]
    n: u8,
    #[schemars(extend("default" = "x"))]
    d: bool,
}

#[test]
fn every_violation_of_a_schema_is_listed() {
    expect![[r#"
        the schema of tool `a` cannot be enforced:
        input#/properties/a/minProperties: `minProperties` is no keyword that is enforced; leave it out, and check it in the tool
        input#/properties/n/maximum: `minimum` and `maximum` exclude every integer; widen the bounds
        input#/properties/pair/prefixItems: `prefixItems` is no keyword that is enforced; use a struct with named fields instead of a tuple
        input#/properties/text/pattern: `(?=x)` is no pattern: look-around, including look-ahead and look-behind, is not supported; write one without look-around and backreferences, as RE2 or Rust's `regex` take it
        input#/properties/d/default: the schema refuses its own default: expected boolean, got string "x"; change `default` or the schema
        output#/properties/a/minProperties: `minProperties` is no keyword that is enforced; leave it out, and check it in the tool
        output#/properties/n/maximum: `minimum` and `maximum` exclude every integer; widen the bounds
        output#/properties/pair/prefixItems: `prefixItems` is no keyword that is enforced; use a struct with named fields instead of a tuple
        output#/properties/text/pattern: `(?=x)` is no pattern: look-around, including look-ahead and look-behind, is not supported; write one without look-around and backreferences, as RE2 or Rust's `regex` take it
        output#/properties/d/default: the schema refuses its own default: expected boolean, got string "x"; change `default` or the schema"#]].assert_eq(&said(named("a").typed(async |u: Unenforceable| Ok::<_, String>(u))));
    expect!["tool `a` has no description; say what it does, models choose by it"]
        .assert_eq(&said(DynamicTool::new("a", " \n")));
    expect![[r#"the arguments of tool `a` must be an object: give the schema `"type":"object"`"#]]
        .assert_eq(&said(named("a").typed(async |_: Vec<u8>| Ok::<_, String>(1))));
    expect![[r#"the arguments of tool `a` must be an object: give the schema `"type":"object"`"#]]
        .assert_eq(&said(named("a").typed(async |_: Option<Pair>| Ok::<_, String>(1))));
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "only its schema counts")]
    enum Root {
        A { a: u8 },
        B { b: u8 },
    }
    expect![[r#"the arguments of tool `a` must be an object: give the schema `"type":"object"`"#]]
        .assert_eq(&said(named("a").typed(async |_: Root| Ok::<_, String>(1))));
    let schema = Schema::parse(r#"{"anyOf":[{"type":"object"},{"type":"null"}]}"#).expect("a schema");
    expect![[r#"the arguments of tool `a` must be an object: give the schema `"type":"object"`"#]]
        .assert_eq(&said(named("a").with_schema(schema, async |v: Value| Ok::<_, String>(v))));
    let errors = Schema::parse(
        r##"{"type":"object","properties":{"a":{"type":"strng","minimum":1},"b":{"enum":[]},"c":{"oneOf":[{}]},"d":{"const":1,"enum":[2]},"e":{"$ref":"#/$defs/x"},"f":{"$ref":"http://x.y/z"},"g":{"type":"integer","default":"x"},"h":{"format":"int32"},"i":{"patternProperties":{}}},"required":["z"]}"##,
    )
    .map(|_| ())
    .expect_err("refused");
    expect![[r#"
        /properties/a/type: JSON Schema has no type "strng"; write "string"
        /properties/b/enum: `enum` is empty, so that no value is right; list at least one value
        /properties/c/oneOf: `oneOf` has fewer than two branches; write the one branch in its place
        /properties/d/const: `const` is 1, which `enum` does not list; list it, or leave `enum` out
        /properties/e/$ref: `$ref` leads nowhere: there is no "x" in `$defs`; define it in the root's `$defs`
        /properties/f/$ref: `$ref` leads out of the document, to "http://x.y/z"; copy the schema into `$defs` and refer to it there
        /properties/h/format: the format "int32" is not enforced; leave it out, or use a `pattern` or one of date-time, date, time, uuid, ipv4, ipv6, email, uri, hostname
        /properties/i/patternProperties: `patternProperties` is no keyword that is enforced; use strings as the keys of the map, and check them in the tool
        /required/0: `required` names no property with "z"; declare it in `properties`, or leave it out of `required`"#]].assert_eq(&errors.to_string());
}

#[derive(Serialize, JsonSchema)]
struct Rated {
    #[schemars(range(max = 5))]
    stars: u8,
}

#[test]
fn results_of_closures_are_checked() {
    let tool = named("rate")
        .typed(async |p: Pair| Ok::<_, String>(vec![Rated { stars: u8::try_from(p.a).unwrap_or(0) }]));
    let registry = registry(tool.expect("a schema"));
    assert_eq!(run(&registry, "rate", r#"{"a":5,"b":0}"#).text(), r#"[{"stars":5}]"#);
    expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "rate" returned an invalid result: /0/stars: expected integer from 0 to 5, got integer 6; it ran and may have taken effect"#]].assert_eq(&failure(&run(&registry, "rate", r#"{"a":6,"b":0}"#)));
    let registry =
        self::registry(named("unit").typed(async |_: Pair| Ok::<_, String>(())).expect("a schema"));
    assert_eq!(run(&registry, "unit", r#"{"a":6,"b":0}"#).text(), "ok");
    assert_eq!(registry.definition("unit").expect("registered").output_schema(), None);
}

#[test]
fn f120_panics_of_closures_end_their_call_only() {
    let tool = named("boom").typed(async |p: Pair| {
        assert!(p.a != 0, "a secret");
        tokio::task::yield_now().await;
        if p.a == 1 {
            std::panic::panic_any(5);
        }
        Ok::<_, String>(p.a)
    });
    let registry = registry(tool.expect("a schema"));
    for a in [0, 1] {
        assert_eq!(
            failure(&run(&registry, "boom", &format!(r#"{{"a":{a},"b":0}}"#))),
            "TOOL_PANICKED\nError: \"boom\" failed unexpectedly"
        );
    }
    assert_eq!(run(&registry, "boom", r#"{"a":2,"b":0}"#).text(), "2");
}
