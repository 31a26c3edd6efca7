//! Time limits, permits and keys of calls that wait, ask, nest and go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tool_runtime::{
    BoxFuture, CallContext, Denied, Elicitation, Elicited, Next, PermissionRequest, Question, Registry,
    ToolCall, tool,
};

use crate::pipeline::{Ran, call, paused, registry, taken, watched};

async fn seconds(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

#[test]
fn the_time_counts_from_the_body_and_not_from_the_wait_for_a_key() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session_builder().background(false).build();
        let keyed = |id: &str| ToolCall::new(id, "waits_by_key", r#"{"seconds":170,"key":"a"}"#);
        let start = tokio::time::Instant::now();
        let results = session.call_all(vec![keyed("1"), keyed("2"), keyed("3")]).await;
        assert!(results.iter().all(|result| result.text() == r#""a""#));
        assert_eq!(start.elapsed().as_secs(), 510);
    });
}

/// A gate that takes 100 seconds for whatever it is asked.
struct Slow;

impl tool_runtime::execution::Gate for Slow {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async {
            seconds(100).await;
            Ok(())
        })
    }
    fn answer<'a>(&'a self, _: &'a CallContext, _: &'a Question) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async {
            seconds(100).await;
            Ok(())
        })
    }
}

/// Asks, and works for 170 seconds.
#[tool(effect = read)]
async fn asks_and_works(cx: &CallContext) -> Result<String, Denied> {
    cx.ask("may I?").await?;
    seconds(170).await;
    Ok("done".to_owned())
}

/// Has another tool do it.
#[tool(effect = read)]
async fn has_it_done(cx: &CallContext) -> String {
    let before = cx.deadline().is_some();
    let text = cx.call("asks_and_works", "{}").await.into_text();
    format!("{before} {text}")
}

#[test]
fn approvals_and_questions_of_nested_calls_stop_the_clocks_around_them() {
    paused(async {
        let registry = Registry::builder()
            .register::<asks_and_works>()
            .register::<has_it_done>()
            .build()
            .expect("builds");
        registry.gate(Slow).expect("registered");
        // 100 s for the outer call, 100 s for the inner one, 100 s for what its body asks, and 170 s of work, which alone count.
        let start = tokio::time::Instant::now();
        let result = registry.call(call("has_it_done", "")).await;
        assert_eq!(result.text(), r#""true \"done\"""#);
        assert_eq!(start.elapsed().as_secs(), 470);
    });
}

/// Asks only.
#[tool(effect = read)]
async fn asks_only(cx: &CallContext) -> Result<String, Denied> {
    cx.ask("may I?").await?;
    Ok(format!("{:?}", cx.deadline().is_some()))
}

/// Calls what asks, twice.
#[tool(effect = read)]
async fn calls_what_asks(cx: &CallContext) -> String {
    let one = cx.call("asks_only", "{}").await.into_text();
    let two = cx.call("asks_only", "{}").await.into_text();
    format!("{one} {two}")
}

/// Answers whatever a body asks after 100 seconds, and lets every call pass at once.
struct Answers;

impl tool_runtime::execution::Gate for Answers {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async { Ok(()) })
    }
    fn answer<'a>(
        &'a self,
        call: &'a CallContext,
        question: &'a Question,
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Slow.answer(call, question)
    }
}

#[test]
fn what_nested_calls_ask_takes_no_time_from_the_calls_around_them() {
    paused(async {
        let registry = Registry::builder()
            .register::<asks_only>()
            .register::<calls_what_asks>()
            .build()
            .expect("builds");
        registry.gate(Answers).expect("registered");
        let start = tokio::time::Instant::now();
        let result = registry.call(call("calls_what_asks", "")).await;
        assert_eq!(result.text(), r#""\"true\" \"true\"""#);
        assert_eq!(start.elapsed().as_secs(), 200);
    });
}

/// Waits within another call.
#[tool(effect = read, parallel, docs(optional))]
async fn waits_within(cx: &CallContext, seconds: u64) -> String {
    let inner = cx.call("waits", format!(r#"{{"seconds":{seconds}}}"#)).await.into_text();
    format!("{inner} {:?}", cx.deadline())
}

#[test]
fn calls_within_a_call_go_on_in_the_background_with_it() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        registry.register::<waits_within>().expect("registered");
        let session = registry.scope("agent").session();
        let result = session.call(call("waits_within", r#"{"seconds":400}"#)).await;
        assert!(result.text().contains("still running as task t1"), "{}", result.text());
        // What is aborted is what runs in front.
        session.abort();
        seconds(300).await;
        let reports = session.reports();
        assert_eq!(reports.len(), 1);
        assert_eq!(reports[0].to_string(), "Task t1 of \"waits_within\" has completed:\n\"400 None\"");
        assert_eq!(ran.numbers(), [1, 1, 1]);
    });
}

#[test]
fn who_waits_for_a_key_keeps_nobody_from_running() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session_builder().parallel(2).build();
        let keyed = |id: &str| ToolCall::new(id, "waits_by_key", r#"{"seconds":10,"key":"a"}"#);
        let start = tokio::time::Instant::now();
        let calls =
            vec![keyed("1"), keyed("2"), keyed("3"), ToolCall::new("4", "waits", r#"{"seconds":25}"#)];
        let results = session.call_all(calls).await;
        assert_eq!(results[3].text(), "25");
        // One after another under the key, beside the fourth.
        assert_eq!(start.elapsed().as_secs(), 30);
    });
}

#[test]
fn tools_of_tasks_need_no_permit_and_who_waits_for_one_is_told_why() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let session = registry.scope("agent").session_builder().parallel(1).build();
        let calls = vec![ToolCall::new("1", "waits", r#"{"seconds":1000}"#)];
        let results = session.call_all(calls).await;
        assert!(results[0].text().contains("task t1"), "{}", results[0].text());
        let lines = watched(&registry);
        // The task keeps its permit.
        let calls = vec![
            ToolCall::new("2", "task_list", "{}"),
            ToolCall::new("3", "task_cancel", r#"{"id":"t1"}"#),
            ToolCall::new("4", "waits", r#"{"seconds":1}"#),
        ];
        let results = session.call_all(calls).await;
        let texts: Vec<String> = results.iter().map(|result| result.text()).collect();
        assert_eq!(texts, [r#""t1: \"waits\", running""#, r#""t1 was told to stop""#, "1"]);
        assert!(taken(&lines).contains(&"4 waits waits for task t1".to_owned()));
    });
}

/// How many hold their thread.
#[derive(Default)]
pub(crate) struct Holding(AtomicUsize);

/// Holds its thread.
#[tool(effect = write, blocking, docs(optional), parallel = by_name)]
fn holds_its_thread(#[state] running: &Holding, name: String, milliseconds: u64) -> usize {
    let others = running.0.fetch_add(1, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(milliseconds));
    running.0.fetch_sub(1, Ordering::SeqCst);
    drop(name);
    others
}

#[expect(clippy::ptr_arg, reason = "the function sees each parameter by reference")]
fn by_name(name: &String, _: &u64) -> String {
    name.clone()
}

#[test]
fn what_a_thread_holds_is_held_until_it_ends() {
    for middleware in [false, true] {
        crate::support::block_on(async {
            let registry = Registry::builder()
                .state(Holding::default())
                .register::<holds_its_thread>()
                .timeout(Some(Duration::from_millis(50)))
                .grace(Duration::from_millis(20))
                .build()
                .expect("builds");
            if middleware {
                registry
                    .middleware(|_: CallContext, next: Next| async move { next.run().await })
                    .expect("registered");
            }
            let session = registry.scope("agent").session_builder().background(false).build();
            let long = r#"{"name":"a","milliseconds":600}"#;
            let result = session.call(call("holds_its_thread", long)).await;
            let text = "Error: \"holds_its_thread\" did not finish within 50 ms; it may still be running";
            assert_eq!(result.text(), text);
            // The next of its key begins when the thread has ended.
            let result = session.call(call("holds_its_thread", r#"{"name":"a","milliseconds":0}"#)).await;
            assert_eq!(result.text(), "0");
        });
    }
}

/// Has a person fill in a form.
#[tool(effect = read)]
async fn fills_in(cx: &CallContext) -> Result<String, tool_runtime::ToolError> {
    Ok(format!("{:?}", cx.elicit::<Form>("who?").await?))
}

#[tool_runtime::tool_type]
#[derive(Debug)]
struct Form {
    /// How old.
    #[arg(maximum = 150)]
    age: u8,
}

#[test]
fn forms_have_a_time_and_a_schema_and_may_panic() {
    paused(async {
        let registry = Registry::builder().register::<fills_in>().build().expect("builds");
        let scope = registry.scope("agent");
        let slow = |_: Elicitation| async {
            seconds(1000).await;
            Elicited::Declined
        };
        let session = scope.session_builder().elicitor(slow).build();
        let start = tokio::time::Instant::now();
        assert_eq!(session.call(call("fills_in", "")).await.text(), r#""Cancelled""#);
        assert_eq!(start.elapsed().as_secs(), 300);
        let session = scope.session_builder().elicitor(slow).answer_within(Duration::from_secs(10)).build();
        assert_eq!(session.call(call("fills_in", "")).await.text(), r#""Cancelled""#);
        let aborting = session.clone();
        let (result, ()) = tokio::join!(session.call(call("fills_in", "")), async {
            seconds(1).await;
            aborting.abort();
        });
        assert_eq!(result.text(), "Error: the call of \"fills_in\" was cancelled");
        let answering = |answer: serde_json::Value| {
            let answer = move |_: Elicitation| std::future::ready(Elicited::Answered(answer.clone()));
            scope.session_builder().elicitor(answer).build()
        };
        let session = answering(serde_json::json!({"age": 15}));
        assert_eq!(session.call(call("fills_in", "")).await.text(), r#""Answered(Form { age: 15 })""#);
        let session = answering(serde_json::json!({"age": 151}));
        let text = "Error: the answer is not what the form asks for, at /age";
        assert_eq!(session.call(call("fills_in", "")).await.text(), text);
        let panics = |_: Elicitation| async { panic!("a secret") };
        let session = scope.session_builder().elicitor(panics).build();
        assert_eq!(session.call(call("fills_in", "")).await.text(), r#""Cancelled""#);
        let panics = |_: Elicitation| -> std::future::Ready<Elicited> { panic!("a secret") };
        let session = scope.session_builder().elicitor(panics).build();
        assert_eq!(session.call(call("fills_in", "")).await.text(), r#""Cancelled""#);
    });
}

#[test]
fn a_context_that_outlives_its_call_can_do_nothing() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let kept = Arc::new(std::sync::Mutex::new(None));
        let sink = Arc::clone(&kept);
        registry
            .on_result(move |call: &CallContext, _: &tool_runtime::CallOutput| {
                sink.lock().expect("no panic").get_or_insert(call.clone());
                tool_runtime::execution::HookVerdict::Accept
            })
            .expect("registered");
        let lines = watched(&registry);
        assert_eq!(registry.call(call("waits", r#"{"seconds":1}"#)).await.text(), "1");
        let context = kept.lock().expect("no panic").take().expect("kept");
        taken(&lines);
        let output = context.call("waits", r#"{"seconds":1}"#).await;
        assert_eq!(output.into_text(), "Error: the call of \"waits\" was cancelled before it started");
        taken(&lines);
        assert_eq!(context.ask("more?").await, Err(Denied::Refused { reason: "the call is over".into() }));
        assert_eq!(context.elicit_url("look", "https://example.com").await, Elicited::Cancelled);
        context.progress("on");
        assert!(taken(&lines).is_empty());
        assert_eq!(ran.numbers(), [1, 1, 1]);
    });
}
