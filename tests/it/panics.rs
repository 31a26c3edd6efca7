//! A panic ends its call and nothing else.

use std::borrow::Cow;
use std::fmt;
use std::panic::panic_any;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{Registry, ToolHandle, tool, toolset};

use crate::support::{block_on, failure, run};

/// Panics while it is dropped.
#[derive(Debug, Default)]
struct Bomb;
impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("dropped: the secret of the bomb");
        }
    }
}

fn explode(how: &str) {
    match how {
        "text" => panic!("a secret text"),
        "format" => panic!("a secret {how}"),
        "any" => panic_any(5),
        "bomb" => panic_any(Bomb),
        "bombs" => panic_any(vec![Bomb, Bomb]),
        "unwrap" => {
            let none: Option<u8> = how.parse().ok();
            none.unwrap();
        }
        "index" => assert_eq!(how.as_bytes()[100], 0),
        "overflow" => assert_eq!(u8::try_from(how.len()).unwrap_or_default() - 100, 0),
        "assert" => assert_eq!(how, "a secret"),
        _ => {}
    }
}
const HOW: &[&str] = &["text", "format", "any", "bomb", "bombs", "unwrap", "index", "overflow", "assert"];

/// Panics.
#[tool(docs(optional))]
fn panics_in_place(how: &str) -> u8 {
    explode(how);
    1
}

/// Panics before an await.
#[tool(docs(optional))]
async fn panics_at_once(how: String) -> u8 {
    explode(&how);
    tokio::task::yield_now().await;
    1
}

/// Panics after an await.
#[tool(docs(optional))]
async fn panics_later(how: &str) -> u8 {
    tokio::task::yield_now().await;
    explode(how);
    1
}

/// Panics on the blocking pool.
#[tool(docs(optional), blocking)]
fn panics_blocking(how: &str) -> u8 {
    explode(how);
    1
}

fn contained<T: ToolHandle>() {
    let registry = Registry::builder().register::<T>().build().expect("builds");
    let name = T::SPEC.name();
    for how in HOW {
        let result = run(&registry, name, &format!(r#"{{"how":"{how}"}}"#));
        assert_eq!(
            failure(&result),
            format!("TOOL_PANICKED\nError: \"{name}\" failed unexpectedly"),
            "{how}"
        );
        assert_eq!((result.id(), result.value_text()), ("call_1", None));
        assert_eq!(run(&registry, name, r#"{"how":""}"#).text(), "1", "after {how}");
        assert_eq!(registry.definitions().len(), 1);
    }
}

#[test]
fn f120_panics_of_every_kind_end_their_call_only() {
    contained::<panics_in_place>();
    contained::<panics_at_once>();
    contained::<panics_later>();
    contained::<panics_blocking>();
}

#[derive(Default, Clone, Debug)]
struct Hostile(&'static str);
impl Serialize for Hostile {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        explode(self.0);
        serializer.serialize_str("fine")
    }
}
impl<'de> Deserialize<'de> for Hostile {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        explode(&text);
        Ok(Self(""))
    }
}
impl JsonSchema for Hostile {
    fn schema_name() -> Cow<'static, str> {
        "Hostile".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string"})
    }
}

/// Returns a value that panics.
#[tool]
fn panics_in_serialize() -> Vec<Hostile> {
    vec![Hostile(""), Hostile("bomb")]
}

/// Returns a value that panics.
#[tool]
async fn panics_in_serialize_later() -> Result<Hostile, String> {
    tokio::task::yield_now().await;
    Ok(Hostile("text"))
}

/// Its method is not collected, so that what is wrong with it stays here.
struct Reader;

#[toolset]
impl Reader {
    /// Takes a value that panics.
    #[tool(docs(optional))]
    async fn panics_in_deserialize(&self, how: Hostile) -> String {
        how.0.to_owned()
    }
}

/// Has a default that panics.
#[tool(docs(optional))]
fn panics_in_default(#[arg(default = panicking_default())] how: String) -> String {
    how
}

fn panicking_default() -> String {
    if std::thread::current().name().is_some_and(|name| name.contains("default_panics")) {
        panic!("no default today");
    }
    String::new()
}

#[derive(Debug)]
struct Unspeakable;
impl fmt::Display for Unspeakable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("no words")
    }
}
impl std::error::Error for Unspeakable {}

/// Returns an error that panics when it is read.
#[tool]
fn panics_in_error_text() -> Result<u8, Unspeakable> {
    Err(Unspeakable)
}

#[derive(Debug)]
struct Broken;
impl fmt::Display for Broken {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Err(fmt::Error)
    }
}
impl std::error::Error for Broken {}

/// Returns an error whose text is itself an error.
#[tool]
fn error_in_error_text() -> Result<u8, Broken> {
    Err(Broken)
}

#[derive(Debug)]
struct ErrorWithBomb(Bomb);
impl fmt::Display for ErrorWithBomb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an error")
    }
}
impl std::error::Error for ErrorWithBomb {}

/// Returns an error that panics when it is dropped.
#[tool]
async fn panics_in_drop_of_error() -> Result<u8, ErrorWithBomb> {
    Err(ErrorWithBomb(Bomb))
}

/// Holds a bomb to the end of its future.
#[tool]
async fn panics_in_drop_at_the_end() -> u8 {
    let _bomb = Bomb;
    tokio::task::yield_now().await;
    1
}

/// Holds a bomb.
#[tool]
fn panics_in_drop_in_place() -> u8 {
    let _bomb = Bomb;
    1
}

/// Returns a value with a bomb.
#[tool]
fn panics_in_drop_of_value() -> ValueWithBomb {
    ValueWithBomb::default()
}

#[derive(Serialize, JsonSchema, Default)]
struct ValueWithBomb {
    n: u8,
    #[serde(skip)]
    #[expect(dead_code, reason = "held for its drop")]
    bomb: Bomb,
}

/// Shows by a function that panics.
#[tool(render = panicking_render)]
fn panics_in_render() -> u8 {
    7
}

fn panicking_render(_: &u8) -> String {
    panic!("no show")
}

fn outcome<T: ToolHandle>(arguments: &str) -> String {
    let registry = Registry::builder().register::<T>().build().expect("builds");
    let first = run(&registry, T::SPEC.name(), arguments);
    let second = run(&registry, T::SPEC.name(), arguments);
    assert_eq!(first, second, "the registry goes on as before");
    first.code().map_or_else(|| first.text(), |_| failure(&first))
}

fn panicked<T: ToolHandle>() -> String {
    format!("TOOL_PANICKED\nError: \"{}\" failed unexpectedly", T::SPEC.name())
}

#[test]
fn f120_panics_around_the_body_end_their_call_only() {
    assert_eq!(outcome::<panics_in_serialize>(""), panicked::<panics_in_serialize>());
    assert_eq!(outcome::<panics_in_serialize_later>(""), panicked::<panics_in_serialize_later>());
    let registry = Registry::builder().register_all(Reader).build().expect("builds");
    assert_eq!(
        failure(&run(&registry, "panics_in_deserialize", r#"{"how":"any"}"#)),
        "TOOL_PANICKED\nError: \"panics_in_deserialize\" failed unexpectedly"
    );
    assert_eq!(run(&registry, "panics_in_deserialize", r#"{"how":"-"}"#).text(), "\"\"");
    assert_eq!(outcome::<panics_in_error_text>(""), panicked::<panics_in_error_text>());
    assert_eq!(outcome::<panics_in_drop_at_the_end>(""), panicked::<panics_in_drop_at_the_end>());
    assert_eq!(outcome::<panics_in_drop_in_place>(""), panicked::<panics_in_drop_in_place>());
    assert_eq!(outcome::<panics_in_drop_of_value>(""), panicked::<panics_in_drop_of_value>());
}

#[test]
fn f120_an_error_whose_drop_panics_is_still_reported() {
    assert_eq!(outcome::<panics_in_drop_of_error>(""), "TOOL_FAILED\nError: an error");
}

#[test]
fn f120_an_error_that_cannot_be_formatted_ends_the_call_only() {
    assert_eq!(outcome::<error_in_error_text>(""), "TOOL_FAILED\nError: the tool failed");
}

#[test]
fn a_render_that_panics_falls_back_to_json() {
    assert_eq!(outcome::<panics_in_render>(""), "7");
}

#[test]
fn f120_a_default_panics_in_its_call_only() {
    let registry =
        std::thread::spawn(|| Registry::builder().register::<panics_in_default>().build().expect("builds"))
            .join()
            .expect("no panic while building");
    let result = std::thread::Builder::new()
        .name("default_panics".into())
        .spawn(move || run(&registry, "panics_in_default", "{}"))
        .expect("a thread")
        .join()
        .expect("the panic was contained");
    assert_eq!(failure(&result), panicked::<panics_in_default>());
}

#[test]
fn f120_a_call_that_is_dropped_may_panic_in_its_drops() {
    use std::task::{Context, Waker};
    block_on(async {
        let registry = Registry::builder().register::<panics_in_drop_at_the_end>().build().expect("builds");
        let call = tool_runtime::ToolCall::new("1", "panics_in_drop_at_the_end", "");
        let mut future = Box::pin(registry.call(call));
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(future);
        assert_eq!(registry.definitions().len(), 1);
    });
}
