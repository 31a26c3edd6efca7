//! The tools of a crate with the SDK as its only dependency work (F001, F002).

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tool_runtime::{Registry, ToolCall};

/// Runs a future that never waits.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn f001_the_sdk_is_the_only_dependency() {
    let registry = Registry::builder()
        .state(lints::Counter::new(1))
        .state(2_u16)
        .register_all(lints::Service::default())
        .expect_crate("lints")
        .collect()
        .expect("it is right");
    registry.verify().expect("it is right");
    let call = |name: &str, arguments: &str| ready(registry.call(ToolCall::new("id", name, arguments))).text();
    assert_eq!(call("add", r#"{"b":1}"#), "4");
    assert_eq!(call("borrow-all", r#"{"text":"x","bytes":[],"cow":"y","path":"z"}"#), "\"x None [] y z borrow-all\"");
    assert_eq!(call("stateful", r#"{"a":"x"}"#), "x 3");
    assert_eq!(call("old", "{}"), "\"1\"");
    assert_eq!(call("types", r#"{"a":{"text":"x"},"b":"First","c":{"type":"nothing"}}"#), "x: 3");
    assert_eq!(call("method", r#"{"a":"x"}"#), "\"x 1\"");
}
