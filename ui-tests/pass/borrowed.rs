//! Borrowed parameters (F029).
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use tool_runtime::{CallContext, Registry, State, ToolCall, tool};

use crate::{block_on, text};

/// A string.
#[tool(docs(optional))]
fn borrowed_string(a: &str) -> usize {
    a.len()
}

/// An optional string.
#[tool(docs(optional))]
async fn optional(a: Option<&str>) -> String {
    a.unwrap_or("none").to_owned()
}

/// A slice.
#[tool(docs(optional))]
async fn slice(a: &[String]) -> String {
    a.join(",")
}

/// A slice that may be missing.
#[tool(docs(optional))]
fn optional_slice(a: Option<&[u8]>) -> usize {
    a.map_or(0, <[u8]>::len)
}

/// A cow.
#[tool(docs(optional))]
async fn cow(a: Cow<'_, str>, b: Option<Cow<'_, str>>, c: Cow<'_, [u8]>) -> String {
    format!("{a} {b:?} {c:?}")
}

/// A path.
#[tool(docs(optional))]
fn borrowed_path(a: &Path) -> String {
    a.display().to_string()
}

/// Lifetimes with names.
#[tool(docs(optional))]
async fn named<'a, 'b: 'a>(a: &'a str, b: &'b str) -> String {
    format!("{a}{b}")
}

/// A borrow of an owned type.
#[tool(docs(optional))]
#[allow(clippy::ptr_arg, reason = "a user may write so")]
fn owned(a: &String, b: &Vec<u8>, c: &u8) -> String {
    format!("{a} {b:?} {c}")
}

/// A borrow held across an await.
#[tool(docs(optional))]
async fn across(a: &str) -> String {
    let first = &a[..1];
    tokio::task::yield_now().await;
    first.to_owned()
}

/// A blocking tool that borrows.
#[tool(docs(optional), blocking)]
fn blocked(a: &str, b: Option<&str>) -> String {
    format!("{a}{b:?}")
}

/// Everything that is injected.
#[tool(docs(optional))]
async fn injected(
    cx: &CallContext,
    a: State<u8>,
    #[state] b: &u16,
    #[state] c: Arc<u32>,
    #[context] context: &CallContext,
    d: &str,
) -> String {
    format!("{} {} {b} {c} {} {d}", cx.call_id(), *a, context.tool())
}

/// The context by value, under another name.
#[tool]
async fn by_value(#[context] context: CallContext) -> String {
    context.tool().to_owned()
}

#[test]
fn f029_borrowed_parameters_work() {
    assert_eq!(text::<borrowed_string>(r#"{"a":"xyz"}"#), "3");
    assert_eq!(text::<optional>("{}"), "\"none\"");
    assert_eq!(text::<slice>(r#"{"a":["x","y"]}"#), "\"x,y\"");
    assert_eq!(text::<optional_slice>(r#"{"a":[1,2]}"#), "2");
    assert_eq!(text::<cow>(r#"{"a":"x","c":[1]}"#), "\"x None [1]\"");
    assert_eq!(text::<borrowed_path>(r#"{"a":"/x"}"#), "\"/x\"");
    assert_eq!(text::<named>(r#"{"a":"x","b":"y"}"#), "\"xy\"");
    assert_eq!(text::<owned>(r#"{"a":"x","b":[1],"c":2}"#), "\"x [1] 2\"");
    assert_eq!(text::<across>(r#"{"a":"xyz"}"#), "\"x\"");
    assert_eq!(text::<blocked>(r#"{"a":"x"}"#), "\"xNone\"");
}

#[test]
fn injected_parameters_work() {
    let registry = Registry::builder()
        .state(1_u8)
        .state(2_u16)
        .state(3_u32)
        .register::<injected>()
        .register::<by_value>()
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    let call =
        |name: &str, arguments: &str| block_on(registry.call(ToolCall::new("id", name, arguments))).text();
    assert_eq!(call("injected", r#"{"d":"x"}"#), "\"id 1 2 3 injected x\"");
    assert_eq!(call("by_value", "{}"), "\"by_value\"");
}
