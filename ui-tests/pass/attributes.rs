//! Attributes beside ours, in every order (F020, F021).
use tool_runtime::{Effect, PermissionRequest, ToolHandle, tool};

use crate::{call, text};

/// Docs above.
#[allow(dead_code, reason = "a test of the attribute")]
#[tool]
fn docs_above() {}

#[tool]
/// Docs below.
#[inline]
fn docs_below() {}

/// Docs on
#[inline]
/// both sides.
#[tool]
#[must_use]
/// And below.
fn docs_around() -> u8 {
    1
}

/// Is deprecated, and a tool all the same.
#[tool]
#[deprecated = "a test of the attribute"]
fn is_deprecated() -> u8 {
    2
}

/// Is deprecated above.
#[deprecated(since = "1.0.0", note = "a test of the attribute")]
#[tool]
fn is_deprecated_above() -> u8 {
    3
}

/// Expects a lint within.
#[tool]
#[expect(clippy::unused_unit, reason = "a test of the attribute")]
fn expects() -> () {}

/// Is cold.
#[cold]
#[tool(effect = read)]
#[track_caller]
fn is_cold() -> u8 {
    4
}

/// Every key at once.
#[tool(
    name = "every-key",
    title = "Every key",
    keywords = ["key", "every"],
    effect = exec,
    idempotent,
    parallel,
    timeout = "1500ms",
    background = false,
    deferred = true,
    permission = "keys:every",
    owner = "ui-tests",
    tags = ["a", "b"],
    annotations(open_world = false, destructive),
    output(warn),
    docs(optional),
    handle = EveryKey,
    crate = ::tool_runtime,
)]
fn every_key(undocumented: u8) -> u8 {
    undocumented
}

/// Keys in a second form.
#[tool(blocking, parallel = together, permission = needs, render = shown, timeout = "1h")]
fn judged(
    /// A
    a: u8,
    /// B
    b: Option<&str>,
    /// C
    c: &[u8],
) -> u8 {
    a + u8::try_from(c.len()).unwrap_or_default() + u8::from(b.is_some())
}

fn together(a: &u8, _: &Option<&str>, _: &[u8]) -> bool {
    *a == 1
}

fn needs(a: &u8, _: &Option<&str>, _: &[u8]) -> Vec<PermissionRequest> {
    vec![PermissionRequest::new("a", a.to_string(), Effect::Read)]
}

fn shown(value: &u8) -> String {
    format!("it is {value}")
}

/// Every key of a parameter.
#[tool]
fn arguments(
    #[arg(rename = "first-one", description = "The first.", default = 3, example = 4, example = 5)]
    #[arg(minimum = 1, maximum = 10)]
    a: u8,
    #[arg(description = concat!("The ", "second."), exclusive_minimum = 0.0, exclusive_maximum = 1)]
    b: Option<f64>,
    /// The third.
    #[arg(min_length = 1, max_length = 9, pattern = "^[a-z]+$", example = "abc", secret)]
    c: Option<String>,
    /// The fourth.
    #[arg(format = "date-time", default = "2026-01-31T12:00:00Z")]
    d: String,
    /// The fifth.
    #[arg(min_items = 1, max_items = 3, unique_items)]
    e: Option<Vec<u8>>,
    /// The sixth.
    #[arg(multiple_of = 5, default = five())]
    f: i64,
    /// The seventh.
    #[arg(default = FIVE)]
    g: u8,
) -> String {
    format!("{a} {b:?} {c:?} {d} {e:?} {f} {g}")
}

const FIVE: u8 = 5;

fn five() -> i64 {
    i64::from(FIVE)
}

#[test]
fn f020_docs_survive_attributes_between() {
    assert_eq!(docs_above::SPEC.description(), "Docs above.");
    assert_eq!(docs_below::SPEC.description(), "Docs below.");
    assert_eq!(docs_around::SPEC.description(), "Docs on\nboth sides.\nAnd below.");
}

#[test]
fn f021_other_attributes_are_kept() {
    assert_eq!(text::<is_deprecated>("{}"), "2");
    assert_eq!(text::<is_deprecated_above>("{}"), "3");
    assert_eq!(text::<expects>("{}"), "ok");
    assert_eq!(text::<is_cold>("{}"), "4");
    assert_eq!(text::<docs_above>("{}"), "ok");
    assert_eq!(text::<docs_below>("{}"), "ok");
    assert_eq!(docs_around(), 1);
}

#[test]
fn every_key_compiles_and_acts() {
    assert_eq!(EveryKey::SPEC.name(), "every-key");
    assert_eq!(text::<EveryKey>(r#"{"undocumented":7}"#), "7");
    assert_eq!(text::<judged>(r#"{"a":1,"b":"x","c":[1,2]}"#), "it is 4");
    assert_eq!(text::<arguments>("{}"), "\"3 None None 2026-01-31T12:00:00Z None 5 5\"");
    assert!(call::<arguments>(r#"{"first-one":11}"#).is_error());
}
