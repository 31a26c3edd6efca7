//! Gates, guards, middleware, hooks, observers, and what bodies ask.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expect_test::expect;
use tool_runtime::execution::{Event, HookVerdict, OwnedKind};
use tool_runtime::{
    BoxFuture, CallContext, CallOutput, ContentBlock, Denied, Elicitation, Elicited, Next, PermissionRequest,
    Question, Registry, tool,
};

use crate::pipeline::{Ran, call, paused, registry, taken, waits, watched};

/// Says what it is asked to say.
#[tool(effect = write, docs(optional))]
async fn asks(cx: &CallContext, what: String) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    match what.as_str() {
        "ask" => cx.ask("it is dangerous").await?,
        "authorize" => cx.authorize("fs", "/etc").await?,
        "deny" => return Err(cx.deny("not here").into()),
        "wrapped" => {
            return Err(Box::new(tool_runtime::ToolError::new("outer").caused_by(cx.deny("not there"))));
        }
        "form" => return Ok(format!("{:?}", cx.elicit::<String>("your name?").await?)),
        "url" => return Ok(format!("{:?}", cx.elicit_url("look", "https://example.com").await)),
        _ => {}
    }
    cx.add_message("remember this");
    cx.conclude_turn();
    Ok("done".to_owned())
}

#[test]
fn bodies_ask_and_nobody_answers() {
    paused(async {
        let registry = Registry::builder().register::<asks>().build().expect("builds");
        let session = registry.scope("agent").session();
        let mut texts = Vec::new();
        for what in ["ask", "authorize", "deny", "wrapped", "form", "url"] {
            let result = session.call(call("asks", &format!(r#"{{"what":"{what}"}}"#))).await;
            texts.push(format!("{:?} {}", result.code(), result.text()));
        }
        expect![[r#"
            Some(Denied) Error: "asks" needs approval, and nobody can give it here
            None "done"
            Some(Denied) Error: "asks" is not allowed: not here
            Some(Denied) Error: "asks" is not allowed: not there
            None "Declined"
            None "Declined""#]]
        .assert_eq(&texts.join("\n"));
        assert_eq!(session.messages(), ["remember this"]);
        assert!(session.is_concluded() && session.messages().is_empty());
        session.begin_turn();
        assert!(!session.is_concluded());
        let answering = registry
            .scope("agent")
            .session_builder()
            .elicitor(|request: Elicitation| async move {
                match request {
                    Elicitation::Form { .. } => Elicited::Answered("Ada".into()),
                    _ => Elicited::Cancelled,
                }
            })
            .build();
        assert_eq!(answering.call(call("asks", r#"{"what":"form"}"#)).await.text(), r#""Answered(\"Ada\")""#);
        assert_eq!(answering.call(call("asks", r#"{"what":"url"}"#)).await.text(), r#""Cancelled""#);
    });
}

/// Decides as it is told, and changes its mind.
struct Told(Result<(), Denied>, Result<(), Denied>, Arc<Mutex<Vec<String>>>);

impl tool_runtime::execution::Gate for Told {
    fn judge<'a>(
        &'a self,
        call: &'a CallContext,
        requests: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        self.2.lock().expect("no panic").push(format!("{} {}", call.tool(), requests[0].name()));
        Box::pin(async { self.0.clone() })
    }
    fn judge_again(&self, _: &CallContext) -> Result<(), Denied> {
        self.1.clone()
    }
    fn answer<'a>(&'a self, _: &'a CallContext, _: &'a Question) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(1000)).await;
            Ok(())
        })
    }
}

#[test]
fn what_is_denied_never_runs() {
    paused(async {
        let refused = |reason: &str| Denied::Refused { reason: reason.into() };
        let cases = [
            (Err(refused("no")), Ok(())),
            (Err(Denied::Rejected { reason: None }), Ok(())),
            (Err(Denied::Rejected { reason: Some("later".into()) }), Ok(())),
            (Err(Denied::Nobody), Ok(())),
            (Err(Denied::Person), Ok(())),
            (Err(Denied::TimedOut), Ok(())),
            (Ok(()), Err(refused("tightened meanwhile"))),
        ];
        let mut texts = Vec::new();
        let ran = Arc::new(Ran::default());
        let asked = Arc::new(Mutex::new(Vec::new()));
        for (first, second) in cases {
            let registry = registry(&ran);
            registry.gate(Told(first, second, Arc::clone(&asked))).expect("registered");
            let result = registry.call(call("waits", r#"{"seconds":1}"#)).await;
            texts.push(format!("{} {}", result.code().expect("failed"), result.text()));
            // What is invalid is not asked about.
            assert!(
                registry.call(call("waits", r#"{"seconds":"x"}"#)).await.text().contains("invalid arguments")
            );
        }
        expect![[r#"
            DENIED Error: "waits" is not allowed: no
            DENIED Error: the user rejected "waits"
            DENIED Error: the user rejected "waits": later
            DENIED Error: "waits" needs approval, and nobody can give it here
            DENIED Error: "waits" needs a person's approval
            APPROVAL_TIMEOUT Error: approval for "waits" was not given in time
            DENIED Error: "waits" is not allowed: tightened meanwhile"#]]
        .assert_eq(&texts.join("\n"));
        assert_eq!(ran.numbers(), [0, 0, 0]);
        assert_eq!(asked.lock().expect("no panic").len(), 7);
    });
}

#[test]
fn the_clock_stands_while_a_body_asks() {
    paused(async {
        let registry = Registry::builder().register::<asks>().build().expect("builds");
        registry.gate(Told(Ok(()), Ok(()), Arc::default())).expect("registered");
        let lines = watched(&registry);
        let start = tokio::time::Instant::now();
        let result = registry.call(call("asks", r#"{"what":"ask"}"#)).await;
        assert_eq!((result.text().as_str(), start.elapsed().as_secs()), (r#""done""#, 1000));
        assert_eq!(
            taken(&lines).join("; ").replace("call_1 asks ", ""),
            "started; asked; allowed; asked; allowed; finished"
        );
    });
}

/// A gate that takes its time, while the tool goes.
struct Slow(Arc<AtomicBool>);

impl tool_runtime::execution::Gate for Slow {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async {
            self.0.store(true, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(())
        })
    }
}

#[test]
fn a_tool_that_goes_while_it_is_asked_about_never_runs() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = Registry::builder().shared_state(Arc::clone(&ran)).build().expect("builds");
        let handle = registry.register::<waits>().expect("registered");
        let asked = Arc::new(AtomicBool::new(false));
        registry.gate(Slow(Arc::clone(&asked))).expect("registered");
        let lines = watched(&registry);
        let (result, ()) = tokio::join!(registry.call(call("waits", r#"{"seconds":1}"#)), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert!(asked.load(Ordering::SeqCst));
            handle.remove();
        });
        assert_eq!(result.text(), "Error: unknown tool \"waits\"");
        assert_eq!(ran.numbers(), [0, 0, 0]);
        assert_eq!(taken(&lines).last().map(String::as_str), Some("call_1 waits failed: UNKNOWN_TOOL"));
        // Nobody waits for the answer any more.
        let _handle = registry.register::<waits>().expect("registered");
        let dropped =
            tokio::time::timeout(Duration::from_secs(1), registry.call(call("waits", r#"{"seconds":1}"#)));
        assert!(dropped.await.is_err());
        assert_eq!(
            taken(&lines).last().map(String::as_str),
            Some("call_1 waits failed: ABORTED_BEFORE_DISPATCH")
        );
        assert_eq!(ran.numbers(), [0, 0, 0]);
    });
}

/// Adds one.
#[tool(effect = read, docs(optional))]
fn adds_one(n: i64) -> i64 {
    n + 1
}

#[test]
fn middleware_stands_around_the_body_in_its_order() {
    paused(async {
        let registry = Registry::builder().build().expect("builds");
        let order = Arc::new(Mutex::new(Vec::new()));
        let named = |name: &'static str| {
            let order = Arc::clone(&order);
            move |_: CallContext, next: Next| {
                order.lock().expect("no panic").push(name);
                async move { next.run().await }
            }
        };
        let agent = registry.scope("agent");
        let inner = agent.scope("inner");
        inner.middleware(named("inner")).expect("registered");
        agent.middleware(named("agent 1")).expect("registered");
        agent.middleware_at(-1, named("agent 0")).expect("registered");
        registry.middleware(named("registry")).expect("registered");
        let tool = tool_runtime::Tool::of::<adds_one>().with_middleware(named("tool"));
        registry.register_tool(tool).expect("registered");
        assert_eq!(inner.call(call("adds_one", r#"{"n":1}"#)).await.text(), "2");
        let seen = std::mem::take(&mut *order.lock().expect("no panic"));
        assert_eq!(seen, ["registry", "agent 0", "agent 1", "inner", "tool"]);
        // Invalid arguments get past none of it.
        assert!(inner.call(call("adds_one", r#"{"n":"x"}"#)).await.is_error());
        assert!(order.lock().expect("no panic").is_empty());
    });
}

#[test]
fn middleware_may_answer_itself_run_twice_or_panic() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let answer = |middleware: fn(CallContext, Next) -> BoxFuture<'static, tool_runtime::Answer>| {
            let registry = registry(&ran);
            registry.middleware(middleware).expect("registered");
            async move { registry.call(call("waits", r#"{"seconds":1}"#)).await }
        };
        let result = answer(|_, _| Box::pin(async { tool_runtime::Answer::of(&7).expect("JSON") })).await;
        assert_eq!((result.text().as_str(), ran.numbers()), ("7", [0, 0, 0]));
        let result = answer(|_, next| {
            Box::pin(async move {
                let first = next.run().await;
                assert_eq!((first.text(), first.value()), (Some("1"), Some(1.into())));
                next.run().await
            })
        })
        .await;
        assert_eq!((result.text().as_str(), ran.numbers()), ("1", [2, 2, 2]));
        let result = answer(|_, _| panic!("a secret")).await;
        assert_eq!(result.text(), "Error: \"waits\" failed unexpectedly");
        let result = answer(|_, next| {
            Box::pin(async move {
                drop(next.run().await);
                panic!("a secret")
            })
        })
        .await;
        assert_eq!(result.text(), "Error: \"waits\" failed unexpectedly");
        // What it answers is held to the schema, too.
        let result = answer(|_, _| Box::pin(async { tool_runtime::Answer::of(&"x").expect("JSON") })).await;
        assert!(
            result.text().starts_with("Error: \"waits\" returned an invalid result"),
            "{}",
            result.text()
        );
    });
}

#[test]
fn hooks_see_every_outcome_once_and_may_change_it() {
    paused(async {
        let registry = Registry::builder().register::<adds_one>().build().expect("builds");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        registry
            .on_result(move |_: &CallContext, output: &CallOutput| {
                sink.lock().expect("no panic").push(output.text());
                match output.value_text() {
                    Some("2") => HookVerdict::Value(20.into()),
                    Some("3") => HookVerdict::Value("three".into()),
                    Some("4") => HookVerdict::Content(vec![ContentBlock::text("four")]),
                    Some("5") => HookVerdict::Block("kept back".into()),
                    Some("6") => panic!("a secret"),
                    _ => HookVerdict::Accept,
                }
            })
            .expect("registered");
        let redacted = registry
            .on_content(|_: &CallContext, content: Vec<ContentBlock>| {
                content
                    .into_iter()
                    .map(|block| match block.as_text() {
                        Some(text) => ContentBlock::text(text.replace('0', "*")),
                        None => block,
                    })
                    .collect()
            })
            .expect("registered");
        let mut lines = Vec::new();
        for n in ["1", "2", "3", "4", "5", "6", "\"x\""] {
            let result = registry.call(call("adds_one", &format!(r#"{{"n":{n}}}"#))).await;
            lines.push(format!(
                "{:?} {}",
                result.value_text(),
                result.text().lines().next().unwrap_or_default()
            ));
        }
        expect![[r#"
            Some("20") 2*
            None Error: "adds_one" returned an invalid result: (root): expected integer from -9223372*368547758*8 to 9223372*368547758*7, got string "three"
            Some("4") four
            None Error: kept back
            None Error: "adds_one" failed unexpectedly
            Some("7") 7
            None Error: invalid arguments for "adds_one":"#]]
        .assert_eq(&lines.join("\n"));
        assert_eq!(seen.lock().expect("no panic").len(), 7);
        redacted.remove();
        assert_eq!(registry.call(call("adds_one", r#"{"n":1}"#)).await.text(), "20");
    });
}

#[test]
fn observers_that_panic_and_streams_that_are_full_change_nothing() {
    paused(async {
        let registry = Registry::builder().register::<adds_one>().build().expect("builds");
        registry.observe(|_: &Event<'_>| panic!("a secret")).expect("registered");
        let mut events = registry.events(3).expect("registered");
        for _ in 0..3 {
            assert_eq!(registry.call(call("adds_one", r#"{"n":1}"#)).await.text(), "2");
        }
        assert_eq!(events.lost(), 3);
        assert!(matches!(events.next().await.expect("held").kind, OwnedKind::Started));
    });
}

#[test]
fn nobody_is_asked_about_what_a_guard_refuses_or_what_is_aborted() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let asked = Arc::new(AtomicBool::new(false));
        registry.gate(Slow(Arc::clone(&asked))).expect("registered");
        let session = registry.scope("agent").session();
        let aborting = session.clone();
        let (result, ()) = tokio::join!(session.call(call("waits", r#"{"seconds":1}"#)), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            aborting.abort();
        });
        assert_eq!(result.text(), "Error: the call of \"waits\" was cancelled before it started");
        assert!(asked.swap(false, Ordering::SeqCst));
        registry.guard(|_: &CallContext| Some("never".to_owned())).expect("registered");
        let result = registry.call(call("waits", r#"{"seconds":1}"#)).await;
        assert_eq!(result.text(), "Error: \"waits\" is not allowed: never");
        assert!(!asked.load(Ordering::SeqCst));
        assert_eq!(ran.numbers(), [0, 0, 0]);
    });
}
