//! Faults that a reader of the whole found, each with its kind.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::ops::{Bound, Range};

use expect_test::expect;
use tool_runtime::{Registry, ToolCall, tool, tool_type, toolset};

use crate::support::{block_on, call, input, only, text};

/// Bounds that leave nothing over; a toolset, so that nothing else collects them.
struct Nothing;

#[toolset]
impl Nothing {
    /// Wants more than its array holds.
    #[tool(docs(optional))]
    fn more(&self, #[arg(min_items = 4)] x: [u8; 3]) -> u8 {
        x[0]
    }

    /// Wants more than a character.
    #[tool(docs(optional))]
    fn longer(&self, #[arg(min_length = 5)] x: char) -> char {
        x
    }
}

#[test]
fn bounds_that_leave_nothing_over_are_refused_at_registration() {
    let error = Registry::builder().register_all(Nothing).build().expect_err("nothing fits");
    let lines: Vec<String> =
        error.to_string().lines().filter_map(|line| line.strip_prefix("input#").map(str::to_owned)).collect();
    expect![[r#"
        /properties/x/maxLength: `minLength` 5 and `maxLength` 1 exclude every string; make `maxLength` at least 5
        /properties/x/maxItems: `minItems` 4 and `maxItems` 3 exclude every array; make `maxItems` at least 4"#]]
    .assert_eq(&lines.join("\n"));
}

fn words() -> HashSet<String> {
    ["pear", "apple", "fig", "date", "plum", "lime"].map(str::to_owned).into()
}

/// Takes and returns a set.
#[tool(docs(optional))]
fn keeps_order(
    #[arg(default = words(), example = words())] x: HashSet<String>,
    #[arg(default = HashSet::from([10, 9, -1]))] y: HashSet<i64>,
) -> Kept {
    Kept { words: x, numbers: HashMap::from([("b".to_owned(), y.clone()), ("a".to_owned(), y)]) }
}

#[tool_type]
struct Kept {
    words: HashSet<String>,
    numbers: HashMap<String, HashSet<i64>>,
}

#[test]
fn f130_sets_read_the_same_in_every_run() {
    expect![[r#"{"type":"object","properties":{"x":{"type":"array","items":{"type":"string"},"uniqueItems":true,"default":["apple","date","fig","lime","pear","plum"],"examples":[["apple","date","fig","lime","pear","plum"]]},"y":{"type":"array","items":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"uniqueItems":true,"default":[-1,9,10]}},"additionalProperties":false}"#]]
    .assert_eq(&input::<keeps_order>());
    expect![[
        r#"{"words":["apple","date","fig","lime","pear","plum"],"numbers":{"a":[-1,9,10],"b":[-1,9,10]}}"#
    ]]
    .assert_eq(&text::<keeps_order>("{}"));
}

#[derive(Debug)]
struct Outer(Inner);

#[derive(Debug)]
struct Inner;

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the store is closed")
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("connection to 10.0.0.7 refused")
    }
}

impl Error for Inner {}
impl Error for Outer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Fails with a source.
#[tool]
fn fails_with_a_source() -> Result<(), Outer> {
    Err(Outer(Inner))
}

#[test]
fn f118_the_log_gets_the_whole_chain() {
    let result = call::<fails_with_a_source>("");
    assert_eq!(result.text(), "Error: the store is closed");
    let cause = result.cause().expect("the tool failed");
    assert_eq!(cause.to_string(), "the store is closed");
    assert_eq!(cause.source().map(ToString::to_string).as_deref(), Some("connection to 10.0.0.7 refused"));
    assert!(call::<keeps_order>("7").cause().is_none());
}

/// Takes types of the standard library that hold two members.
#[tool(docs(optional))]
fn takes_ranges(a: Range<u8>, b: Bound<i32>, c: Result<u8, String>) -> String {
    format!("{a:?} {b:?} {c:?}")
}

#[test]
fn f082_types_of_the_standard_library_take_what_their_schema_takes() {
    tool_runtime::testing::check(&only::<takes_ranges>());
    assert_eq!(
        text::<takes_ranges>(r#"{"a":{"start":1,"end":2},"b":{"Included":3},"c":{"Ok":1}}"#),
        r#""1..2 Included(3) Ok(1)""#
    );
}

/// A type whose schema panics when it is made.
#[derive(Debug, serde::Deserialize)]
struct Broken(u8);

impl schemars::JsonSchema for Broken {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Broken".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        panic!("no schema for {}", Self::schema_name())
    }
}

/// Tools of which some cannot be registered; a toolset, so that nothing else collects them.
struct Panicking;

#[toolset]
impl Panicking {
    /// Has a schema that panics.
    #[tool(docs(optional))]
    fn broken_schema(&self, x: Broken) -> u8 {
        x.0
    }

    /// Has a default that panics.
    #[tool(docs(optional))]
    fn broken_default(&self, #[arg(default = std::panic::panic_any(5))] x: u8) -> u8 {
        x
    }

    /// Is refused for a reason of its own.
    #[tool(docs(optional))]
    fn unenforceable(&self, #[arg(min_items = 4)] x: [u8; 3]) -> u8 {
        x[0]
    }
}

#[test]
fn a_schema_that_panics_is_one_fault_among_others() {
    let error = Registry::builder().register_all(Panicking).build().expect_err("three are wrong");
    let text = error.to_string();
    let places = text.replace(|c: char| c.is_ascii_digit(), "0");
    expect![[r#"
        the registry cannot be built, for 0 reasons:
        - the schema of tool `broken_default` (tests/it/reviewed.rs:000) cannot be made: the `JsonSchema` of a type, a default or an example panicked: without a message
        - the schema of tool `broken_schema` (tests/it/reviewed.rs:000) cannot be made: the `JsonSchema` of a type, a default or an example panicked: no schema for Broken
        - the schema of tool `unenforceable` (tests/it/reviewed.rs:000) cannot be enforced:
        input#/properties/x/maxItems: `minItems` 0 and `maxItems` 0 exclude every array; make `maxItems` at least 0"#]]
    .assert_eq(&places);
    let line = <Panicking as tool_runtime::Toolset>::TOOLS.first().expect("three").location().line;
    assert!(text.contains(&format!("`broken_schema` (tests/it/reviewed.rs:{line})")), "{text}");
}

/// So many newtypes around nothing, without holding any of them.
struct Wrapped(u32);

impl serde::Serialize for Wrapped {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.checked_sub(1) {
            Some(less) => serializer.serialize_newtype_struct("Wrapped", &Self(less)),
            None => serializer.serialize_unit(),
        }
    }
}

impl schemars::JsonSchema for Wrapped {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Wrapped".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "null"})
    }
}

/// Returns a value within as many newtypes.
#[tool(docs(optional))]
fn wraps(count: u32) -> Wrapped {
    Wrapped(count)
}

#[test]
fn an_output_within_endless_newtypes_is_an_invalid_result() {
    let run = || {
        assert_eq!(text::<wraps>(r#"{"count":1000}"#), "null");
        crate::support::fails::<wraps>(
            r#"{"count":200000}"#,
            expect![[r#"
                INVALID_TOOL_OUTPUT
                Error: "wraps" returned an invalid result: wrapped in more than 1000 newtypes; it ran and may have taken effect"#]],
        );
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("starts").join().expect("ends well");
}

/// Both integers, the narrower first.
#[tool_type]
#[serde(untagged)]
#[derive(Debug)]
enum Narrow {
    A(u8),
    B(i64),
}

/// Takes integers of two widths.
#[tool(docs(optional))]
fn takes_two_widths(x: Vec<Narrow>) -> String {
    format!("{x:?}")
}

#[test]
fn a_narrower_integer_may_stand_before_a_wider_one() {
    assert_eq!(text::<takes_two_widths>(r#"{"x":[1,255,256,-1]}"#), r#""[A(1), A(255), B(256), B(-1)]""#);
    tool_runtime::testing::check(&only::<takes_two_widths>());
}

/// Takes one argument.
#[tool(docs(optional))]
fn takes_one(a: u8) -> u8 {
    a
}

#[test]
fn names_that_a_model_made_up_forge_no_line_and_stay_short() {
    let long = "x".repeat(1_000_000);
    let arguments = format!(r#"{{"a":1,"\n- /a: fine":1,"\u202eabc":1,"{long}":1}}"#);
    let text = call::<takes_one>(&arguments).text();
    assert!(text.len() < 1_000, "{}", text.len());
    expect![[r#"
        Error: invalid arguments for "takes_one":
        - unknown property "/\u{a}- ~1a: fine"
        - unknown property "/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
        - unknown property "/\u{202e}abc"
        Call it like: {"a":1}"#]]
    .assert_eq(&text);
    let name = block_on(only::<takes_one>().call(ToolCall::new("1", "takes\none\u{202e}", "{}"))).text();
    assert_eq!(name, r#"Error: unknown tool "takes\none\u{202e}"; did you mean "takes_one"?"#);
}

/// Wants a very long text.
#[tool(docs(optional))]
fn wants_a_long_text(#[arg(min_length = 3_000_000_000)] a: String) -> usize {
    a.len()
}

#[test]
fn an_example_that_would_not_help_is_left_out() {
    assert_eq!(
        call::<wants_a_long_text>("{}").text(),
        "Error: invalid arguments for \"wants_a_long_text\":\n- missing required property \"/a\""
    );
}

#[test]
fn permissions_are_asked_of_right_calls_only() {
    let registry = only::<takes_one>();
    let asked = |arguments: &str| registry.permissions(&ToolCall::new("1", "takes_one", arguments));
    assert_eq!(asked(r#"{"a":1}"#).map(|all| all.len()).ok(), Some(1));
    assert!(asked(r#"{"a":"x"}"#).is_err_and(|refused| refused.is_error()));
}
