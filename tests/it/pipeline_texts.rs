//! What the model reads of calls that do not succeed, code by code: the rows of the table that `texts.rs` does not show, and all of its codes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tool_runtime::execution::Gate;
use tool_runtime::middleware::Answer;
use tool_runtime::{BoxFuture, CallContext, Denied, Next, PermissionRequest, Registry, ToolResult, tool};

use crate::pipeline::{Ran, call, paused, registry};

/// Does what it is told.
#[tool(effect = read, docs(optional))]
async fn does_as_told(cx: &CallContext, what: String) -> Result<u8, String> {
    match what.as_str() {
        "panic" => panic!("a secret"),
        "fail" => Err("the disk is full".to_owned()),
        "nest" => {
            cx.call("does_as_told", r#"{"what":"nest"}"#).await;
            Ok(0)
        }
        _ => Ok(1),
    }
}

/// Gives every call one answer.
struct Says(Result<(), Denied>);

impl Gate for Says {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async { self.0.clone() })
    }
}

/// Texts and codes that were seen.
#[derive(Default)]
struct Seen(BTreeSet<&'static str>);

impl Seen {
    #[track_caller]
    fn reads(&mut self, result: &ToolResult, code: &'static str, text: &str) {
        assert_eq!(result.code().map(|code| code.as_str()), Some(code));
        assert_eq!(result.text(), text);
        self.0.insert(code);
    }
}

async fn denied(seen: &mut Seen) {
    let cases = [
        (Denied::Refused { reason: "no".into() }, "DENIED", "Error: \"does_as_told\" is not allowed: no"),
        (Denied::Rejected { reason: None }, "DENIED", "Error: the user rejected \"does_as_told\""),
        (
            Denied::Rejected { reason: Some("later".into()) },
            "DENIED",
            "Error: the user rejected \"does_as_told\": later",
        ),
        (Denied::Nobody, "DENIED", "Error: \"does_as_told\" needs approval, and nobody can give it here"),
        (Denied::Person, "DENIED", "Error: \"does_as_told\" needs a person's approval"),
        (Denied::TimedOut, "APPROVAL_TIMEOUT", "Error: approval for \"does_as_told\" was not given in time"),
    ];
    for (denied, code, text) in cases {
        let registry = Registry::builder().register::<does_as_told>().build().expect("builds");
        registry.gate(Says(Err(denied))).expect("registered");
        seen.reads(&registry.call(call("does_as_told", r#"{"what":""}"#)).await, code, text);
    }
}

async fn ended_otherwise(seen: &mut Seen) {
    let ran = Arc::new(Ran::default());
    let registry = registry(&ran);
    let session = registry.scope("agent").session_builder().background(false).build();
    for (name, arguments, text) in [
        ("waits", r#"{"seconds":100}"#, "Error: the call of \"waits\" was cancelled"),
        (
            "waits_alone",
            r#"{"seconds":100}"#,
            "Error: the call of \"waits_alone\" was cancelled; it may have taken effect",
        ),
    ] {
        let aborting = session.clone();
        let (result, ()) = tokio::join!(session.call(call(name, arguments)), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            aborting.abort();
        });
        seen.reads(&result, "ABORTED", text);
    }
    let result = session.call(call("waits", r#"{"seconds":1000}"#)).await;
    seen.reads(&result, "TOOL_TIMEOUT", "Error: \"waits\" did not finish within 180 s");
    session.close();
    let result = session.call(call("waits", r#"{"seconds":1}"#)).await;
    let text = "Error: the call of \"waits\" was cancelled before it started";
    seen.reads(&result, "ABORTED_BEFORE_DISPATCH", text);
    // With room for no task, and with room for one.
    let session = registry.scope("agent").session_builder().max_tasks(0).build();
    let result = session.call(call("waits", r#"{"seconds":1000}"#)).await;
    let text = "Error: the number of background tasks exceeds the limit of 0";
    seen.reads(&result, "RESOURCE_LIMIT", text);
    let session = registry.scope("agent").session();
    let result = session.call(call("waits", r#"{"seconds":1000}"#)).await;
    assert_eq!(result.code(), None);
    assert_eq!(
        result.text(),
        "\"waits\" is still running as task t1. Use task_output to read it, task_cancel to stop it."
    );
}

/// Writes.
#[tool(effect = write)]
fn writes() -> u8 {
    1
}

#[test]
fn every_code_has_its_text() {
    paused(async {
        let mut seen = Seen::default();
        denied(&mut seen).await;
        ended_otherwise(&mut seen).await;
        let registry = Registry::builder().register::<does_as_told>().build().expect("builds");
        let result = registry.call(call("does_as_tol", "{}")).await;
        seen.reads(
            &result,
            "UNKNOWN_TOOL",
            "Error: unknown tool \"does_as_tol\"; did you mean \"does_as_told\"?",
        );
        let result = registry.call(call("sings", "{}")).await;
        seen.reads(&result, "UNKNOWN_TOOL", "Error: unknown tool \"sings\"");
        let result = registry.call(call("does_as_told", "{}")).await;
        let text = "Error: invalid arguments for \"does_as_told\":\n- missing required property \"/what\"\nCall it like: {\"what\":\"text\"}";
        seen.reads(&result, "INVALID_ARGS", text);
        let result = registry.call(call("does_as_told", r#"{"what":"fail"}"#)).await;
        seen.reads(&result, "TOOL_FAILED", "Error: the disk is full");
        let result = registry.call(call("does_as_told", r#"{"what":"panic"}"#)).await;
        seen.reads(&result, "TOOL_PANICKED", "Error: \"does_as_told\" failed unexpectedly");
        registry.register::<writes>().expect("registered");
        let handle = registry
            .middleware(|_: CallContext, _: Next| async { Answer::of(&300).expect("is JSON") })
            .expect("registered");
        for (name, rest) in [("does_as_told", ""), ("writes", "; it ran and may have taken effect")] {
            let arguments = if name == "does_as_told" { r#"{"what":""}"# } else { "{}" };
            let text = format!(
                "Error: \"{name}\" returned an invalid result: (root): expected integer from 0 to 255, got integer 300{rest}"
            );
            seen.reads(&registry.call(call(name, arguments)).await, "INVALID_TOOL_OUTPUT", &text);
        }
        handle.remove();
        let handle = registry
            .middleware(|_: CallContext, _: Next| async { Answer::unavailable("the files' server") })
            .expect("registered");
        let result = registry.call(call("does_as_told", r#"{"what":""}"#)).await;
        let text =
            "Error: \"does_as_told\" is not reachable at the moment (the files' server is reconnecting)";
        seen.reads(&result, "UNAVAILABLE", text);
        handle.remove();
        registry
            .middleware(|_: CallContext, _: Next| async { Answer::rate_limited(Duration::from_millis(1500)) })
            .expect("registered");
        let result = registry.call(call("does_as_told", r#"{"what":""}"#)).await;
        seen.reads(
            &result,
            "RATE_LIMITED",
            "Error: \"does_as_told\" is called too often; try again in 1500 ms",
        );
        // Every row of the table.
        let all = [
            "ABORTED",
            "ABORTED_BEFORE_DISPATCH",
            "APPROVAL_TIMEOUT",
            "DENIED",
            "INVALID_ARGS",
            "INVALID_TOOL_OUTPUT",
            "RATE_LIMITED",
            "RESOURCE_LIMIT",
            "TOOL_FAILED",
            "TOOL_PANICKED",
            "TOOL_TIMEOUT",
            "UNAVAILABLE",
            "UNKNOWN_TOOL",
        ];
        assert_eq!(seen.0.into_iter().collect::<Vec<_>>(), all);
    });
}
