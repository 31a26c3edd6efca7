//! What was decided holds for what is there and allowed when the body starts (contract P7).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tool_runtime::execution::{Gate, HookVerdict};
use tool_runtime::{
    BoxFuture, CallContext, CallOutput, Denied, Next, PermissionRequest, Registry, Tool, ToolCall, tool,
};

use crate::pipeline::{Ran, call, paused, registry, taken, waits, watched};

async fn seconds(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

#[test]
fn middleware_that_takes_its_time_starts_no_tool_that_is_gone() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = Registry::builder().shared_state(Arc::clone(&ran)).build().expect("builds");
        let handle = registry.register::<waits>().expect("registered");
        registry
            .middleware(|_: CallContext, next: Next| async move {
                let first = next.run().await;
                seconds(10).await;
                if first.is_error() { first } else { next.run().await }
            })
            .expect("registered");
        let (result, ()) = tokio::join!(registry.call(call("waits", r#"{"seconds":1}"#)), async {
            seconds(5).await;
            handle.remove();
        });
        // The first run was before.
        assert_eq!(ran.numbers(), [1, 1, 1]);
        assert_eq!(result.text(), "Error: unknown tool \"waits\"");
        assert_eq!(result.code().map(|code| code.as_str()), Some("UNKNOWN_TOOL"));
    });
}

#[test]
fn middleware_that_takes_its_time_starts_no_tool_that_was_forbidden() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        registry
            .middleware(|_: CallContext, next: Next| async move {
                seconds(10).await;
                next.run().await
            })
            .expect("registered");
        let lines = watched(&registry);
        let (result, ()) = tokio::join!(registry.call(call("waits", r#"{"seconds":1}"#)), async {
            seconds(5).await;
            registry.guard(|_: &CallContext| Some("from now on".to_owned())).expect("registered");
        });
        assert_eq!(result.text(), "Error: \"waits\" is not allowed: from now on");
        assert_eq!(ran.numbers(), [0, 0, 0]);
        assert_eq!(taken(&lines), ["call_1 waits started", "call_1 waits failed: DENIED"]);
    });
}

#[test]
fn who_waited_for_a_key_or_a_permit_looks_again() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let session = registry.scope("agent").session_builder().parallel(1).build();
        let calls = vec![
            ToolCall::new("1", "waits_by_key", r#"{"seconds":20,"key":"a"}"#),
            ToolCall::new("2", "waits_by_key", r#"{"seconds":1,"key":"a"}"#),
            ToolCall::new("3", "waits", r#"{"seconds":1}"#),
        ];
        let (results, ()) = tokio::join!(session.call_all(calls), async {
            seconds(5).await;
            registry.guard(|_: &CallContext| Some("from now on".to_owned())).expect("registered");
        });
        let texts: Vec<String> = results.iter().map(|result| result.text()).collect();
        assert_eq!(
            texts,
            [
                r#""a""#,
                "Error: \"waits_by_key\" is not allowed: from now on",
                "Error: \"waits\" is not allowed: from now on"
            ]
        );
        assert_eq!(ran.numbers(), [1, 1, 1]);
    });
}

/// A gate that takes its time, and counts.
struct Slow(u64, Arc<AtomicUsize>, Result<(), Denied>);

impl Gate for Slow {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async {
            self.1.fetch_add(1, Ordering::SeqCst);
            seconds(self.0).await;
            self.2.clone()
        })
    }
}

#[test]
fn a_gate_that_comes_while_another_is_asked_is_asked_too() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let asked = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        registry.gate(Slow(10, Arc::clone(&asked[0]), Ok(()))).expect("registered");
        let refused = Denied::Refused { reason: "says the new one".to_owned() };
        let (result, ()) = tokio::join!(registry.call(call("waits", r#"{"seconds":1}"#)), async {
            seconds(5).await;
            registry.gate(Slow(1, Arc::clone(&asked[1]), Err(refused))).expect("registered");
        });
        assert_eq!(result.text(), "Error: \"waits\" is not allowed: says the new one");
        assert_eq!(asked.map(|asked| asked.load(Ordering::SeqCst)), [1, 1]);
        assert_eq!(ran.numbers(), [0, 0, 0]);
    });
}

#[test]
fn what_is_replaced_by_its_like_runs_as_what_it_is_now() {
    paused(async {
        let old = Arc::new(Ran::default());
        let new = Arc::new(Ran::default());
        let registry = Registry::builder().build().expect("builds");
        let scope = registry.scope("agent");
        let state = scope.shared_state(Arc::clone(&old)).expect("registered");
        let handle = scope.register::<waits>().expect("registered");
        scope.gate(Slow(10, Arc::default(), Ok(()))).expect("registered");
        let session = scope.session();
        session.definitions();
        let (result, _) = tokio::join!(session.call(call("waits", r#"{"seconds":1}"#)), async {
            seconds(5).await;
            handle.remove();
            state.remove();
            let state = scope.shared_state(Arc::clone(&new)).expect("registered");
            (state, scope.register::<waits>().expect("registered"))
        });
        assert_eq!(result.text(), "1");
        assert_eq!((old.numbers(), new.numbers()), ([0, 0, 0], [1, 1, 1]));
    });
}

/// Says a word.
#[tool(effect = read)]
fn says() -> String {
    "one".to_owned()
}

#[test]
fn every_outcome_passes_the_hooks_once() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        registry.register::<says>().expect("registered");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        registry
            .on_result(move |call: &CallContext, output: &CallOutput| {
                let code = output.code().map_or("fine", |code| code.as_str());
                sink.lock().expect("no panic").push(format!("{} {} {code}", call.call_id(), call.tool()));
                HookVerdict::Accept
            })
            .expect("registered");
        let asked = Arc::new(AtomicUsize::new(0));
        assert!(registry.call(ToolCall::new("1", "sings", "{}")).await.is_error());
        assert!(registry.call(ToolCall::new("2", "waits", "[")).await.is_error());
        assert!(!registry.call(ToolCall::new("3", "says", "{}")).await.is_error());
        // Dropped while it is asked about.
        let gate = registry.gate(Slow(100, asked, Ok(()))).expect("registered");
        let lines = watched(&registry);
        let dropped = registry.call(ToolCall::new("4", "says", "{}"));
        assert!(tokio::time::timeout(Duration::from_secs(1), dropped).await.is_err());
        assert_eq!(
            taken(&lines),
            ["4 says started", "4 says asked", "4 says failed: ABORTED_BEFORE_DISPATCH"]
        );
        gate.remove();
        // Dropped while it runs.
        let dropped = registry.call(ToolCall::new("5", "waits", r#"{"seconds":100}"#));
        assert!(tokio::time::timeout(Duration::from_secs(1), dropped).await.is_err());
        seconds(10).await;
        let seen = seen.lock().expect("no panic").clone();
        assert_eq!(
            seen,
            [
                "1 sings UNKNOWN_TOOL",
                "2 waits INVALID_ARGS",
                "3 says fine",
                "4 says ABORTED_BEFORE_DISPATCH",
                "5 waits ABORTED"
            ]
        );
    });
}

#[test]
fn a_hook_may_answer_for_a_tool_that_is_not_there() {
    paused(async {
        let registry = Registry::builder().build().expect("builds");
        registry
            .on_result(|call: &CallContext, output: &CallOutput| match output.code() {
                Some(_) => HookVerdict::Value(serde_json::json!({"instead_of": call.tool()})),
                None => HookVerdict::Accept,
            })
            .expect("registered");
        let result = registry.call(call("sings", "{}")).await;
        assert_eq!(result.text(), r#"{"instead_of":"sings"}"#);
        assert!(!result.is_error());
    });
}

/// Pays.
#[tool(effect = write, docs(optional))]
fn pays(
    amount: u32,
    #[arg(default = "EUR".to_owned())] currency: String,
    #[arg(secret)] pin: String,
    from: Option<String>,
) -> String {
    format!("{amount} {currency} {pin} {from:?}")
}

#[test]
fn who_decides_sees_the_effective_arguments() {
    paused(async {
        let registry = Registry::builder().build().expect("builds");
        let fixed = Tool::of::<pays>()
            .with_fixed_argument("from", "savings")
            .and_then(|tool| tool.renamed("pays_from_savings"))
            .expect("fits");
        registry.register::<pays>().expect("registered");
        registry.register_tool(fixed).expect("registered");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        registry
            .guard(move |call: &CallContext| {
                sink.lock().expect("no panic").push(call.arguments().to_owned());
                None
            })
            .expect("registered");
        // A number as text is repaired, and the repair is noted though others read the arguments before.
        let result = registry.call(call("pays_from_savings", r#"{"amount":"7","pin":"1234"}"#)).await;
        assert_eq!(result.text(), r#""7 EUR 1234 Some(\"savings\")""#);
        assert_eq!(result.repairs().len(), 1);
        let shown = r#"{"amount":7,"currency":"EUR","from":"savings","pin":"***"}"#;
        assert_eq!(seen.lock().expect("no panic").first().map(String::as_str), Some(shown));
        seen.lock().expect("no panic").clear();
        registry.guard(|_: &CallContext| Some("no".to_owned())).expect("registered");
        let result = registry.call(call("pays", r#"{"amount":"7","pin":"1234"}"#)).await;
        assert!(result.is_error());
        assert_eq!(result.repairs().len(), 1);
        let shown = r#"{"amount":7,"currency":"EUR","pin":"***"}"#;
        assert_eq!(seen.lock().expect("no panic").first().map(String::as_str), Some(shown));
    });
}

struct User(&'static str);

/// Tells who it is for, and who a call of it is for.
#[tool(effect = read, parallel)]
async fn for_whom(cx: &CallContext) -> String {
    let user = cx.state::<User>().map_or("nobody", |user| user.0).to_owned();
    if cx.depth() > 0 {
        return user;
    }
    format!("{user} {}", cx.call("for_whom", "{}").await.into_text())
}

#[test]
fn values_of_a_call_come_before_those_of_session_and_scope() {
    paused(async {
        let registry = Registry::builder().state(User("all")).register::<for_whom>().build().expect("builds");
        let scope = registry.scope("agent");
        let says = async |session: &tool_runtime::Session| session.call(call("for_whom", "{}")).await.text();
        assert_eq!(says(&scope.session()).await, r#""all \"all\"""#);
        scope.state(User("scope")).expect("registered");
        assert_eq!(says(&scope.session()).await, r#""scope \"scope\"""#);
        let values = |name| tool_runtime::Values::new().with(User(name));
        let session = scope.session_builder().values(values("session")).build();
        assert_eq!(says(&session).await, r#""session \"session\"""#);
        let result = session.call_with(call("for_whom", "{}"), values("call")).await;
        assert_eq!(result.text(), r#""call \"call\"""#);
        let calls = vec![call("for_whom", "{}"), call("for_whom", "{}")];
        for result in session.call_all_with(calls, values("batch")).await {
            assert_eq!(result.text(), r#""batch \"batch\"""#);
        }
        let result = scope.call_with(call("for_whom", "{}"), values("call")).await;
        assert_eq!(result.text(), r#""call \"call\"""#);
        assert_eq!(says(&session).await, r#""session \"session\"""#);
    });
}
