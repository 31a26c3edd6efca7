//! What a tool may return and how it reads.

use std::collections::BTreeMap;
use std::fmt;

use expect_test::expect;
use schemars::JsonSchema;
use serde::Serialize;
use tool_runtime::{ContentBlock, ToolError, tool};

use crate::support::{call, fails, output, text};

#[derive(Debug)]
struct MyError(&'static str);
impl fmt::Display for MyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
impl std::error::Error for MyError {}

type Res<T> = Result<T, MyError>;
type Wrapped<T> = Res<Res<T>>;
type Plain = std::io::Result<u8>;

/// Fails through an alias.
#[tool(docs(optional))]
fn aliased_result(ok: bool) -> Res<u8> {
    if ok { Ok(1) } else { Err(MyError("no luck")) }
}

/// Fails through a nested alias.
#[tool(docs(optional))]
async fn nested_alias(outer: bool, inner: bool) -> Wrapped<u8> {
    if !outer {
        return Err(MyError("outer"));
    }
    Ok(if inner { Ok(1) } else { Err(MyError("inner")) })
}

/// Fails with `std::io::Result`.
#[tool(docs(optional))]
fn io_result(ok: bool) -> Plain {
    if ok { Ok(1) } else { Err(std::io::Error::other("disk on fire")) }
}

/// Fails with `anyhow::Result`.
#[tool(docs(optional))]
fn anyhow_result(ok: bool) -> anyhow::Result<Vec<u8>> {
    if ok { Ok(vec![1]) } else { Err(anyhow::anyhow!("root").context("top")) }
}

/// Fails with a text.
#[tool(docs(optional))]
fn text_result(ok: bool) -> Result<String, String> {
    if ok { Ok("fine".into()) } else { Err("a text".into()) }
}

/// Fails with a borrowed text.
#[tool(docs(optional))]
fn str_result(ok: bool) -> Result<&'static str, &'static str> {
    if ok { Ok("fine") } else { Err("a text") }
}

/// Fails with a boxed error.
#[tool(docs(optional))]
fn boxed_result(ok: bool) -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
    if ok { Ok(1) } else { Err("boxed".into()) }
}

#[test]
fn f010_an_alias_of_a_result_is_a_result() {
    assert_eq!(text::<aliased_result>(r#"{"ok":true}"#), "1");
    fails::<aliased_result>(
        r#"{"ok":false}"#,
        expect![[r#"
        TOOL_FAILED
        Error: no luck"#]],
    );
    assert_eq!(text::<nested_alias>(r#"{"outer":true,"inner":true}"#), "1");
    fails::<nested_alias>(
        r#"{"outer":true,"inner":false}"#,
        expect![[r#"
        TOOL_FAILED
        Error: inner"#]],
    );
    fails::<nested_alias>(
        r#"{"outer":false,"inner":true}"#,
        expect![[r#"
        TOOL_FAILED
        Error: outer"#]],
    );
    fails::<io_result>(
        r#"{"ok":false}"#,
        expect![[r#"
        TOOL_FAILED
        Error: disk on fire"#]],
    );
    fails::<anyhow_result>(
        r#"{"ok":false}"#,
        expect![[r#"
        TOOL_FAILED
        Error: top"#]],
    );
    fails::<text_result>(
        r#"{"ok":false}"#,
        expect![[r#"
        TOOL_FAILED
        Error: a text"#]],
    );
    fails::<str_result>(
        r#"{"ok":false}"#,
        expect![[r#"
        TOOL_FAILED
        Error: a text"#]],
    );
    fails::<boxed_result>(
        r#"{"ok":false}"#,
        expect![[r#"
        TOOL_FAILED
        Error: boxed"#]],
    );
}

#[test]
fn f011_a_result_is_unwrapped_in_value_and_schema() {
    assert_eq!(text::<io_result>(r#"{"ok":true}"#), "1");
    assert_eq!(text::<anyhow_result>(r#"{"ok":true}"#), "[1]");
    assert_eq!(text::<text_result>(r#"{"ok":true}"#), "\"fine\"");
    assert_eq!(text::<str_result>(r#"{"ok":true}"#), "\"fine\"");
    assert_eq!(text::<boxed_result>(r#"{"ok":true}"#), "1");
    let integer = r#"{"type":"integer","minimum":0,"maximum":255}"#;
    assert_eq!(output::<io_result>().as_deref(), Some(integer));
    assert_eq!(output::<nested_alias>().as_deref(), Some(integer));
    assert_eq!(
        output::<anyhow_result>(),
        Some(r#"{"type":"array","items":{"type":"integer","minimum":0,"maximum":255}}"#.to_owned())
    );
    assert_eq!(output::<str_result>().as_deref(), Some(r#"{"type":"string"}"#));
}

/// May find nothing.
#[tool(docs(optional))]
fn maybe(found: bool) -> Option<BTreeMap<String, u8>> {
    found.then(BTreeMap::new)
}

/// Does something.
#[tool]
async fn does() {}

/// Does something that may fail.
#[tool]
fn does_or_fails() -> anyhow::Result<()> {
    Ok(())
}

#[test]
fn f114_nothing_is_a_valid_result_with_a_short_text() {
    let none = call::<maybe>(r#"{"found":false}"#);
    assert_eq!((none.is_error(), none.text().as_str(), none.value_text()), (false, "null", Some("null")));
    assert_eq!(text::<maybe>(r#"{"found":true}"#), "{}");
    for done in [call::<does>(""), call::<does_or_fails>("")] {
        assert_eq!((done.is_error(), done.text().as_str(), done.value_text()), (false, "ok", Some("null")));
    }
}

/// Nests two kinds of errors.
#[tool(docs(optional))]
fn nested_results(n: u8) -> Result<Result<u8, MyError>, std::io::Error> {
    match n {
        0 => Err(std::io::Error::other("outer")),
        1 => Ok(Err(MyError("inner"))),
        n => Ok(Ok(n)),
    }
}

/// May find a failure.
#[tool(docs(optional))]
fn optional_result(n: u8) -> Option<Result<u8, MyError>> {
    match n {
        0 => None,
        1 => Some(Err(MyError("inner"))),
        n => Some(Ok(n)),
    }
}

/// Returns nothing, or fails.
#[tool(docs(optional))]
fn unit_result(ok: bool) -> Result<(), MyError> {
    if ok { Ok(()) } else { Err(MyError("not done")) }
}

/// Finds nothing, or fails.
#[tool(docs(optional))]
async fn result_of_option(n: u8) -> Result<Option<u8>, MyError> {
    match n {
        0 => Ok(None),
        1 => Err(MyError("inner")),
        n => Ok(Some(n)),
    }
}

/// Nests all of it.
#[tool(docs(optional))]
fn result_of_option_of_result(n: u8) -> Result<Option<Result<u8, MyError>>, std::io::Error> {
    match n {
        0 => Ok(None),
        1 => Ok(Some(Err(MyError("inner")))),
        2 => Err(std::io::Error::other("outer")),
        n => Ok(Some(Ok(n))),
    }
}

#[test]
fn f117_errors_are_errors_however_they_are_nested() {
    let outcome = |result: tool_runtime::ToolResult| format!("{} {}", result.is_error(), result.text());
    let all = |run: fn(&str) -> tool_runtime::ToolResult| {
        [0, 1, 2, 3].map(|n| outcome(run(&format!(r#"{{"n":{n}}}"#)))).join("; ")
    };
    assert_eq!(all(call::<nested_results>), "true Error: outer; true Error: inner; false 2; false 3");
    assert_eq!(all(call::<optional_result>), "false null; true Error: inner; false 2; false 3");
    assert_eq!(all(call::<result_of_option>), "false null; true Error: inner; false 2; false 3");
    assert_eq!(
        all(call::<result_of_option_of_result>),
        "false null; true Error: inner; true Error: outer; false 3"
    );
    assert_eq!(outcome(call::<unit_result>(r#"{"ok":true}"#)), "false ok");
    assert_eq!(outcome(call::<unit_result>(r#"{"ok":false}"#)), "true Error: not done");
    let optional = r#"{"type":["integer","null"],"minimum":0,"maximum":255}"#;
    assert_eq!(output::<optional_result>().as_deref(), Some(optional));
    assert_eq!(output::<result_of_option_of_result>().as_deref(), Some(optional));
}

/// Fails with two texts.
#[tool(docs(optional))]
fn two_texts(chosen: bool) -> Result<u8, ToolError> {
    let error = ToolError::new("connection to 10.0.0.7 refused").caused_by(MyError("a secret cause"));
    Err(if chosen { error.for_model("the store is closed") } else { error })
}

/// Fails with two texts inside `anyhow`.
#[tool]
fn two_texts_in_anyhow() -> anyhow::Result<u8> {
    let error =
        ToolError::new("for the operator").for_model("for the model").caused_by(MyError("a secret cause"));
    Err(anyhow::Error::new(error))
}

/// Fails with two texts under a context.
#[tool]
fn two_texts_under_context() -> anyhow::Result<u8> {
    let error = ToolError::new("for the operator").for_model("for the model");
    Err(anyhow::Error::new(error).context("while working"))
}

#[test]
fn f118_the_model_reads_the_chosen_part_and_never_the_chain() {
    fails::<two_texts>(
        r#"{"chosen":true}"#,
        expect![[r#"
        TOOL_FAILED
        Error: the store is closed"#]],
    );
    fails::<two_texts>(
        r#"{"chosen":false}"#,
        expect![[r#"
        TOOL_FAILED
        Error: connection to 10.0.0.7 refused"#]],
    );
    fails::<two_texts_in_anyhow>(
        "",
        expect![[r#"
        TOOL_FAILED
        Error: for the model"#]],
    );
    fails::<two_texts_under_context>(
        "",
        expect![[r#"
        TOOL_FAILED
        Error: for the model"#]],
    );
}

#[derive(Serialize, JsonSchema, Clone)]
struct Reading {
    name: String,
    values: Vec<f64>,
    by_place: BTreeMap<String, Option<f32>>,
}

fn reading(value: f64) -> Reading {
    Reading { name: "n".into(), values: vec![1.0, value], by_place: BTreeMap::new() }
}

/// Returns a number that is none.
#[tool(docs(optional), effect = read)]
fn not_a_number(kind: u8) -> f64 {
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.5].get(usize::from(kind)).copied().unwrap_or_default()
}

/// Returns readings.
#[tool]
async fn nan_in_list() -> Vec<Reading> {
    vec![reading(1.0), reading(f64::NAN)]
}

/// Returns a map.
#[tool(effect = exec)]
fn nan_in_map() -> Result<Reading, MyError> {
    let mut all = reading(1.0);
    all.by_place.insert("a/b~c".into(), Some(f32::INFINITY));
    Ok(all)
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Value { number: f64 },
}

/// Returns a tagged value.
#[tool]
fn nan_in_tagged() -> Tagged {
    Tagged::Value { number: f64::NAN }
}

#[test]
fn nan_and_infinities_say_where_they_stand() {
    fails::<not_a_number>(
        r#"{"kind":0}"#,
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "not_a_number" returned an invalid result: NaN is not a JSON number"#]],
    );
    fails::<not_a_number>(
        r#"{"kind":1}"#,
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "not_a_number" returned an invalid result: infinity is not a JSON number"#]],
    );
    fails::<not_a_number>(
        r#"{"kind":2}"#,
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "not_a_number" returned an invalid result: -infinity is not a JSON number"#]],
    );
    assert_eq!(text::<not_a_number>(r#"{"kind":3}"#), "0.5");
    fails::<nan_in_list>(
        "",
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "nan_in_list" returned an invalid result: /1/values/1: NaN is not a JSON number; it ran and may have taken effect"#]],
    );
    fails::<nan_in_map>(
        "",
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "nan_in_map" returned an invalid result: /by_place/a~1b~0c: infinity is not a JSON number; it ran and may have taken effect"#]],
    );
    fails::<nan_in_tagged>(
        "",
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "nan_in_tagged" returned an invalid result: /number: NaN is not a JSON number; it ran and may have taken effect"#]],
    );
}

struct Refuses;
impl Serialize for Refuses {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("not today"))
    }
}
impl JsonSchema for Refuses {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Refuses".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string"})
    }
}

/// Refuses to be written.
#[tool]
fn refuses() -> Refuses {
    Refuses
}

#[derive(Serialize)]
struct Lies;
impl JsonSchema for Lies {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Lies".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "minLength": 2})
    }
}

/// Is not what its schema says.
#[tool]
fn lies() -> Lies {
    Lies
}

#[derive(Serialize, JsonSchema)]
struct Bounded {
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    #[schemars(length(max = 3))]
    text: String,
}

/// Returns what is out of bounds.
#[tool(docs(optional), effect = read)]
fn bounded(stars: u8) -> Bounded {
    Bounded { stars, text: "four".chars().take(usize::from(stars)).collect() }
}

/// Returns what is out of bounds, unchecked.
#[tool(docs(optional), output(off))]
fn bounded_unchecked(stars: u8) -> Vec<Bounded> {
    vec![Bounded { stars, text: String::new() }]
}

#[test]
fn values_that_their_schema_refuses_are_no_results() {
    fails::<refuses>(
        "",
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "refuses" returned an invalid result: not today; it ran and may have taken effect"#]],
    );
    fails::<lies>(
        "",
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "lies" returned an invalid result: (root): expected string of at least 2 characters, got null; it ran and may have taken effect"#]],
    );
    assert_eq!(text::<bounded>(r#"{"stars":3}"#), r#"{"stars":3,"text":"fou"}"#);
    fails::<bounded>(
        r#"{"stars":6}"#,
        expect![[r#"
        INVALID_TOOL_OUTPUT
        Error: "bounded" returned an invalid result: /stars: expected integer from 1 to 5, got integer 6; /text: expected string of at most 3 characters, got string "four""#]],
    );
    assert_eq!(text::<bounded_unchecked>(r#"{"stars":6}"#), r#"[{"stars":6,"text":""}]"#);
}

/// Is shown by a function.
#[tool(docs(optional), render = show)]
fn shown_by_function(n: u8) -> Res<u8> {
    if n == 0 { Err(MyError("zero")) } else { Ok(n) }
}

fn show(n: &u8) -> Result<Vec<ContentBlock>, MyError> {
    if *n > 9 { Err(MyError("too long")) } else { Ok(vec![format!("{n} apples").into()]) }
}

#[test]
fn a_render_function_shows_values_and_falls_back_to_json() {
    let result = call::<shown_by_function>(r#"{"n":3}"#);
    assert_eq!((result.text().as_str(), result.value_text()), ("3 apples", Some("3")));
    let result = call::<shown_by_function>(r#"{"n":10}"#);
    assert_eq!((result.text().as_str(), result.value_text()), ("10", Some("10")));
    fails::<shown_by_function>(
        r#"{"n":0}"#,
        expect![[r#"
        TOOL_FAILED
        Error: zero"#]],
    );
}
