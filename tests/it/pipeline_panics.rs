//! Whatever panics around a call becomes its right result, and the registry works on. No payload is seen by anybody.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tool_runtime::execution::{Event, Gate, HookVerdict};
use tool_runtime::{
    BoxFuture, CallContext, CallOutput, Concurrency, ContentBlock, Denied, Handle, Next, PermissionRequest,
    Question, Registry, ToolCall, ToolDefinition, VisibilityContext, tool,
};

use crate::pipeline::call;
use crate::support::block_on;

/// Whether the panics of this file are on.
static ON: AtomicBool = AtomicBool::new(true);

/// A payload whose drop panics as well.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            std::panic::panic_any("swordfish in a drop");
        }
    }
}

fn explode() {
    if ON.load(Ordering::SeqCst) {
        std::panic::panic_any(Bomb);
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the function sees each parameter by reference")]
fn together(_: &u8) -> bool {
    explode();
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the function sees each parameter by reference")]
fn needs(_: &u8) -> Vec<PermissionRequest> {
    explode();
    Vec::new()
}

/// Says its number.
#[tool(effect = read, docs(optional))]
async fn says_number(number: u8) -> u8 {
    number
}

/// Panics where it is asked how it may run.
#[tool(effect = read, docs(optional), parallel = together)]
async fn judged(number: u8) -> u8 {
    number
}

/// Panics where it is asked what it needs.
#[tool(effect = read, docs(optional), permission = needs)]
async fn permitted(number: u8) -> u8 {
    number
}

/// Asks.
#[tool(effect = read)]
async fn inquires(cx: &CallContext) -> Result<String, Denied> {
    cx.ask("may I?").await?;
    Ok("yes".to_owned())
}

/// A gate that panics at one of its places: at once, or in its future.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Judge,
    Judging,
    JudgeAgain,
    Answer,
    Answering,
}

impl Gate for At {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        if *self == Self::Judge {
            explode();
        }
        Box::pin(async {
            if *self == Self::Judging {
                tokio::task::yield_now().await;
                explode();
            }
            Ok(())
        })
    }
    fn judge_again(&self, _: &CallContext) -> Result<(), Denied> {
        if *self == Self::JudgeAgain {
            explode();
        }
        Ok(())
    }
    fn answer<'a>(&'a self, _: &'a CallContext, _: &'a Question) -> BoxFuture<'a, Result<(), Denied>> {
        if *self == Self::Answer {
            explode();
        }
        Box::pin(async {
            if *self == Self::Answering {
                tokio::task::yield_now().await;
                explode();
            }
            Ok(())
        })
    }
}

type Place = fn(&Registry) -> Handle;

fn gate(registry: &Registry, gate: At) -> Handle {
    registry.gate(gate).expect("registered")
}

/// Everything that is around a call, the call, and what it ends with.
const PLACES: &[(&str, Place, &str, &str)] = &[
    (
        "middleware, at once",
        |registry| {
            let panics = |_: CallContext, next: Next| {
                explode();
                async move { next.run().await }
            };
            registry.middleware(panics).expect("registered")
        },
        "says_number",
        "Error: \"says_number\" failed unexpectedly",
    ),
    (
        "middleware, before the body",
        |registry| {
            let panics = |_: CallContext, next: Next| async move {
                tokio::task::yield_now().await;
                explode();
                next.run().await
            };
            registry.middleware(panics).expect("registered")
        },
        "says_number",
        "Error: \"says_number\" failed unexpectedly",
    ),
    (
        "middleware, after the body",
        |registry| {
            let panics = |_: CallContext, next: Next| async move {
                let answer = next.run().await;
                explode();
                answer
            };
            registry.middleware(panics).expect("registered")
        },
        "says_number",
        "Error: \"says_number\" failed unexpectedly",
    ),
    (
        "a result hook",
        |registry| {
            let panics = |_: &CallContext, _: &CallOutput| {
                explode();
                HookVerdict::Accept
            };
            registry.on_result(panics).expect("registered")
        },
        "says_number",
        "Error: \"says_number\" failed unexpectedly",
    ),
    (
        "a content hook",
        |registry| {
            let panics = |_: &CallContext, content: Vec<ContentBlock>| {
                explode();
                content
            };
            registry.on_content(panics).expect("registered")
        },
        "says_number",
        "Error: \"says_number\" failed unexpectedly",
    ),
    (
        "an observer",
        |registry| registry.observe(|_: &Event<'_>| explode()).expect("registered"),
        "says_number",
        "7",
    ),
    (
        "a guard",
        |registry| {
            let panics = |_: &CallContext| {
                explode();
                None
            };
            registry.guard(panics).expect("registered")
        },
        "says_number",
        "Error: \"says_number\" is not allowed: the check of this call failed",
    ),
    (
        "a gate, at once",
        |registry| gate(registry, At::Judge),
        "says_number",
        "Error: \"says_number\" is not allowed: the check of this call failed",
    ),
    (
        "a gate",
        |registry| gate(registry, At::Judging),
        "says_number",
        "Error: \"says_number\" is not allowed: the check of this call failed",
    ),
    (
        "a gate that is asked again",
        |registry| gate(registry, At::JudgeAgain),
        "says_number",
        "Error: \"says_number\" is not allowed: the check of this call failed",
    ),
    (
        "a gate's answer, at once",
        |registry| gate(registry, At::Answer),
        "inquires",
        "Error: \"inquires\" is not allowed: the check of this call failed",
    ),
    (
        "a gate's answer",
        |registry| gate(registry, At::Answering),
        "inquires",
        "Error: \"inquires\" is not allowed: the check of this call failed",
    ),
    // A call that cannot be judged runs alone.
    ("the function behind `parallel`", |registry| gate(registry, At::Answer), "judged", "7"),
    (
        "the function behind `permission`",
        |registry| gate(registry, At::Answer),
        "permitted",
        "Error: \"permitted\" failed unexpectedly",
    ),
    (
        "a visibility rule",
        |registry| {
            let panics = |_: &ToolDefinition, _: &VisibilityContext<'_>| {
                explode();
                true
            };
            registry.visibility(panics).expect("registered")
        },
        "says_number",
        "Error: unknown tool \"says_number\"",
    ),
];

#[test]
fn whatever_panics_around_a_call_ends_that_call_rightly() {
    let arguments = |name: &str| if name == "inquires" { "{}" } else { r#"{"number":7}"# };
    for (place, panics, name, text) in PLACES {
        for batch in [false, true] {
            block_on(async {
                let registry = Registry::builder()
                    .register::<says_number>()
                    .register::<judged>()
                    .register::<permitted>()
                    .register::<inquires>()
                    .build()
                    .expect("builds");
                let events = Arc::new(Mutex::new(Vec::new()));
                let sink = Arc::clone(&events);
                registry
                    .observe(move |event: &Event<'_>| {
                        sink.lock().expect("no panic").push(format!("{event:?}"));
                    })
                    .expect("registered");
                let handle = panics(&registry);
                ON.store(true, Ordering::SeqCst);
                let session = registry.scope("agent").session();
                let result = if batch {
                    session.call_all(vec![ToolCall::new("1", *name, arguments(name))]).await.remove(0)
                } else {
                    session.call(call(name, arguments(name))).await
                };
                assert_eq!(result.text(), *text, "{place}");
                let finished = {
                    let events = events.lock().expect("no panic");
                    assert!(events.iter().all(|event| !event.contains("swordfish")), "{place}: {events:?}");
                    events.iter().filter(|event| event.contains("Finished")).count()
                };
                assert_eq!(finished, 1, "{place}");
                // The registry works on: with the panics off, and without what panicked.
                ON.store(false, Ordering::SeqCst);
                session.begin_turn();
                let fine = if *name == "inquires" { r#""yes""# } else { "7" };
                assert_eq!(session.call(call(name, arguments(name))).await.text(), fine, "{place}");
                ON.store(true, Ordering::SeqCst);
                handle.remove();
                session.begin_turn();
                assert_eq!(session.call(call("says_number", r#"{"number":8}"#)).await.text(), "8", "{place}");
                assert_eq!(registry.concurrency(&call("judged", r#"{"number":7}"#)), Concurrency::Alone);
            });
        }
    }
}
