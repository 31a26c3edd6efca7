//! What the model reads when a call does not succeed, row by row of the table of texts.

use expect_test::expect;
use tool_runtime::{Registry, tool};

use crate::support::{failure, fails, run, text};

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
    expect![[""]].assert_eq(&failure(&run(&registry, "weather_lokup", "{}")));
    expect![[""]].assert_eq(&failure(&run(&registry, "delete_everything", "{}")));
    expect![[""]].assert_eq(&failure(&run(&registry, "weather_lookup2", "no arguments are read")));
}

#[test]
fn f102_invalid_arguments_are_named_all_at_once() {
    fails::<weather_lookup>(r#"{"citty":"Paris","days":30,"units":"kelvin","extra":{"a":[1]}}"#, expect![[""]]);
    fails::<weather_lookup>(r#"{"city":["Paris"],"days":"2","units":5,"unit":"metric"}"#, expect![[""]]);
    fails::<weather_lookup>(r#"{"city":null}"#, expect![[""]]);
}

/// Takes ten.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "more than are listed")]
fn takes_ten(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8) -> u8 {
    a + b + c + d + e + f + g + h + i + j
}

#[test]
fn lists_are_cut_after_eight_entries() {
    fails::<takes_ten>("{}", expect![[""]]);
    let long = format!(r#"{{"a":"{}"}}"#, "ü".repeat(1_000));
    fails::<takes_ten>(&long, expect![[""]]);
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
             \"/city\"\nCall it like: {\"city\":\"\"}",
            "{nothing:?}"
        );
    }
}

#[test]
fn arguments_that_are_not_one_object() {
    fails::<weather_lookup>("[]", expect![[""]]);
    fails::<weather_lookup>("Paris", expect![[""]]);
    fails::<weather_lookup>(r#""Paris""#, expect![[""]]);
    fails::<weather_lookup>(r#"{"city":"Paris"} {"city":"Rome"}"#, expect![[""]]);
    fails::<weather_lookup>("{\"city\":\n  'Paris'}", expect![[""]]);
    fails::<weather_lookup>(r#"{"city":"Paris",}"#, expect![[""]]);
    fails::<weather_lookup>(r#"{"city":"Par"#, expect![[""]]);
    fails::<weather_lookup>(r#"{"city":"Paris""#, expect![[""]]);
    fails::<weather_lookup>("{", expect![[""]]);
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
    fails::<once_fast>(r#"{"a":1,"a":2}"#, expect![[""]]);
    fails::<once_validated>(r#"{"a":1,"a":2}"#, expect![[""]]);
    fails::<once_fast>(r#"{"a":1,"\u0061":2}"#, expect![[""]]);
    fails::<once_fast>(r#"{"a":1,"a":1}"#, expect![[""]]);
    fails::<once_validated>(r#"{"a":1,"\u0061":1}"#, expect![[""]]);
    let registry = Registry::builder()
        .tool(
            tool_runtime::tool::DynamicTool::new("once_plain", "Takes anything.")
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
    expect![[""]].assert_eq(&failure(&run(&registry, "once_plain", r#"{"a":{"b":1,"b":2}}"#)));
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
    fails::<weather_lookup>(r#"{"city":"Atlantis"}"#, expect![[""]]);
}
