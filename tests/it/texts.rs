//! What the model reads when a call does not succeed, row by row of the table of texts.

use expect_test::expect;
use tool_runtime::DynamicTool;
use tool_runtime::{Registry, tool};

use crate::support::{fails, failure, run, text};

/// Looks up the weather.
#[tool(effect = read)]
fn weather_lookup(
    /// Where.
    city: String,
    /// How far ahead.
    #[arg(default = 1, minimum = 1, maximum = 14)]
    days: u8,
    /// How to measure.
    #[arg(pattern = "^(metric|imperial)$")]
    units: Option<String>,
) -> Result<String, String> {
    if city == "Atlantis" {
        return Err(format!("no such city: {city}"));
    }
    Ok(format!("{city} {days} {units:?}"))
}

#[test]
fn unknown_tool() {
    let registry = Registry::builder().register::<weather_lookup>().build().expect("builds");
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "weather_lokup"; did you mean "weather_lookup"?"#]]
    .assert_eq(&failure(&run(&registry, "weather_lokup", "{}")));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "delete_everything""#]]
    .assert_eq(&failure(&run(&registry, "delete_everything", "{}")));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "weather_lookup2"; did you mean "weather_lookup"?"#]]
    .assert_eq(&failure(&run(&registry, "weather_lookup2", "no arguments are read")));
}

#[test]
fn f102_invalid_arguments_are_named_all_at_once() {
    fails::<weather_lookup>(
        r#"{"citty":"Paris","days":30,"units":"kelvin","extra":{"a":[1]}}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "weather_lookup":
        - missing required property "/city"
        - /days: expected integer from 1 to 14, got integer 30
        - /units: expected string matching ^(metric|imperial)$ or null, got string "kelvin"
        - unknown property "/citty"; did you mean "city"?
        - unknown property "/extra"
        Call it like: {"city":"text"}"#]],
    );
    fails::<weather_lookup>(
        r#"{"city":["Paris"],"days":"2","units":5,"unit":"metric"}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "weather_lookup":
        - /city: expected string, got array ["Paris"]
        - /days: expected integer from 1 to 14, got string "2"
        - /units: expected string matching ^(metric|imperial)$ or null, got integer 5
        - unknown property "/unit"
        Call it like: {"city":"text"}"#]],
    );
    fails::<weather_lookup>(
        r#"{"city":null}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "weather_lookup":
        - /city: expected string, got null
        Call it like: {"city":"text"}"#]],
    );
}

/// Takes ten.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "more than are listed")]
fn takes_ten(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8) -> u8 {
    a + b + c + d + e + f + g + h + i + j
}

#[test]
fn lists_are_cut_after_eight_entries() {
    fails::<takes_ten>(
        "{}",
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "takes_ten":
        - missing required property "/a"
        - missing required property "/b"
        - missing required property "/c"
        - missing required property "/d"
        - missing required property "/e"
        - missing required property "/f"
        - missing required property "/g"
        - missing required property "/h"
        - and 2 more
        Call it like: {"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}"#]],
    );
    let long = format!(r#"{{"a":"{}"}}"#, "ü".repeat(1_000));
    fails::<takes_ten>(
        &long,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "takes_ten":
        - /a: expected integer from 0 to 255, got string "üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü…"
        - missing required property "/b"
        - missing required property "/c"
        - missing required property "/d"
        - missing required property "/e"
        - missing required property "/f"
        - missing required property "/g"
        - missing required property "/h"
        - and 2 more
        Call it like: {"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}"#]],
    );
}

#[test]
fn f092_missing_arguments_are_an_empty_object() {
    /// Takes what may be left out.
    #[tool(docs(optional))]
    fn all_optional(a: Option<u8>, #[arg(default = 2)] b: u8) -> String {
        format!("{a:?} {b}")
    }
    for nothing in ["", "null", "\"\"", "{}", "\"{}\"", " \n\t", " {} "] {
        assert_eq!(text::<all_optional>(nothing), "\"None 2\"", "{nothing:?}");
        let result = crate::support::call::<weather_lookup>(nothing);
        assert_eq!(
            failure(&result),
            "INVALID_ARGS\nError: invalid arguments for \"weather_lookup\":\n- missing required property \
             \"/city\"\nCall it like: {\"city\":\"text\"}",
            "{nothing:?}"
        );
    }
}

#[test]
fn arguments_that_are_not_one_object() {
    fails::<weather_lookup>(
        "[]",
        expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 1, column 1: [])"#]],
    );
    fails::<weather_lookup>(
        "Paris",
        expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 1, column 1: Paris)"#]],
    );
    fails::<weather_lookup>(
        r#""Paris""#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 1, column 1: "Paris")"#]],
    );
    fails::<weather_lookup>(
        r#"{"city":"Paris"} {"city":"Rome"}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 1, column 18: {"city":"Rome"})"#]],
    );
    fails::<weather_lookup>(
        "{\"city\":\n  'Paris'}",
        expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 2, column 3: 'Paris'})"#]],
    );
    fails::<weather_lookup>(
        r#"{"city":"Paris",}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments are not one JSON object (line 1, column 17: })"#]],
    );
    fails::<weather_lookup>(
        r#"{"city":"Par"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments were cut off after 12 characters; send the call again, shorter if need be"#]],
    );
    fails::<weather_lookup>(
        r#"{"city":"Paris""#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments were cut off after 15 characters; send the call again, shorter if need be"#]],
    );
    fails::<weather_lookup>(
        "{",
        expect![[r#"
        INVALID_ARGS
        Error: the arguments were cut off after 1 characters; send the call again, shorter if need be"#]],
    );
}

#[test]
fn f105_a_property_given_twice_is_refused_on_every_path() {
    /// Is read straight from the text.
    #[tool(docs(optional))]
    fn once_fast(a: u8) -> u8 {
        a
    }
    /// Is validated first.
    #[tool(docs(optional))]
    fn once_validated(#[arg(maximum = 9)] a: u8) -> u8 {
        a
    }
    fails::<once_fast>(
        r#"{"a":1,"a":2}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments have the property "/a" twice (line 1, column 8); send it once"#]],
    );
    fails::<once_validated>(
        r#"{"a":1,"a":2}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments have the property "/a" twice (line 1, column 8); send it once"#]],
    );
    fails::<once_fast>(
        r#"{"a":1,"\u0061":2}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments have the property "/a" twice (line 1, column 8); send it once"#]],
    );
    fails::<once_fast>(
        r#"{"a":1,"a":1}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments have the property "/a" twice (line 1, column 8); send it once"#]],
    );
    fails::<once_validated>(
        r#"{"a":1,"\u0061":1}"#,
        expect![[r#"
        INVALID_ARGS
        Error: the arguments have the property "/a" twice (line 1, column 8); send it once"#]],
    );
    let registry = Registry::builder()
        .tool(
            DynamicTool::new("once_plain", "Takes anything.")
                .expect("a name")
                .with_schema(
                    tool_runtime::schema::Schema::parse(r#"{"type":"object","properties":{"a":{}}}"#)
                        .expect("a schema"),
                    async |value: serde_json::Value| Ok::<_, std::io::Error>(value),
                )
                .expect("an object"),
        )
        .build()
        .expect("builds");
    expect![[r#"
        INVALID_ARGS
        Error: the arguments have the property "/a/b" twice (line 1, column 13); send it once"#]]
    .assert_eq(&failure(&run(&registry, "once_plain", r#"{"a":{"b":1,"b":2}}"#)));
}

/// Takes texts.
#[tool(docs(optional))]
async fn texts(text: String, borrowed: &str, list: Vec<String>) -> String {
    format!("{text}|{borrowed}|{}", list.join("|"))
}

#[test]
fn f095_texts_that_look_like_json_stay_as_they_are() {
    for value in ["123", "[1]", r#"{\"a\":1}"#, "true", "null", " 1.0 ", r"\\u0041", "1e2", ""] {
        assert_eq!(
            text::<texts>(&format!(r#"{{"text":"{value}","borrowed":"{value}","list":["{value}"]}}"#)),
            format!("\"{value}|{value}|{value}\"")
        );
    }
}

#[test]
fn tool_failed() {
    fails::<weather_lookup>(
        r#"{"city":"Atlantis"}"#,
        expect![[r#"
        TOOL_FAILED
        Error: no such city: Atlantis"#]],
    );
}
