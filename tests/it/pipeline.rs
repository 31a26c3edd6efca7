//! One pipeline: every call ends exactly once, whatever fails on the way.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expect_test::expect;
use tool_runtime::execution::{Event, EventKind, HookVerdict};
use tool_runtime::{
    BoxFuture, CallContext, CallOutput, Concurrency, ContentBlock, Denied, Elicitation, Elicited, Next,
    PermissionRequest, Question, Registry, Scope, ToolCall, tool,
};

/// Runs a test on a clock that skips what nobody waits for.
fn paused<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime")
        .block_on(test)
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new("call_1", name, arguments)
}

/// How often bodies ran, and how they ended.
#[derive(Default)]
pub(crate) struct Ran {
    began: AtomicUsize,
    ended: AtomicUsize,
    dropped: AtomicUsize,
}

impl Ran {
    fn numbers(&self) -> [usize; 3] {
        [&self.began, &self.ended, &self.dropped].map(|number| number.load(Ordering::SeqCst))
    }
}

struct Dropped<'a>(&'a Ran);
impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// Waits so many seconds.
#[tool(effect = read, parallel, docs(optional))]
async fn waits(#[state] ran: &Ran, seconds: u64) -> u64 {
    ran.began.fetch_add(1, Ordering::SeqCst);
    let _dropped = Dropped(ran);
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    ran.ended.fetch_add(1, Ordering::SeqCst);
    seconds
}

/// Waits so many seconds, and writes.
#[tool(effect = write, docs(optional))]
async fn waits_alone(#[state] ran: &Ran, seconds: u64) -> u64 {
    waits(ran, seconds).await
}

/// Waits for its signal.
#[tool(effect = write, parallel)]
async fn waits_for_its_signal(#[state] ran: &Ran, cx: &CallContext) -> Result<String, String> {
    ran.began.fetch_add(1, Ordering::SeqCst);
    cx.cancelled().await;
    ran.ended.fetch_add(1, Ordering::SeqCst);
    Ok("put away".to_owned())
}

#[expect(clippy::ptr_arg, reason = "the function sees each parameter by reference")]
fn by_key(_: &u64, key: &String) -> String {
    key.clone()
}

/// Waits so many seconds under a key.
#[tool(effect = read, parallel = by_key, docs(optional))]
async fn waits_by_key(#[state] ran: &Ran, seconds: u64, key: String) -> String {
    waits(ran, seconds).await;
    key
}

fn registry(ran: &Arc<Ran>) -> Registry {
    Registry::builder()
        .shared_state(Arc::clone(ran))
        .register::<waits>()
        .register::<waits_alone>()
        .register::<waits_for_its_signal>()
        .register::<waits_by_key>()
        .build()
        .expect("builds")
}

/// Every event of a scope, as lines.
fn watched(scope: &Scope) -> Arc<Mutex<Vec<String>>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    scope
        .observe(move |event: &Event<'_>| {
            sink.lock().expect("no panic").push(format!("{} {} {}", event.call_id, event.tool, event.kind));
        })
        .expect("registered");
    lines
}

fn taken(lines: &Mutex<Vec<String>>) -> Vec<String> {
    std::mem::take(&mut *lines.lock().expect("no panic"))
}

#[test]
fn a_call_over_its_time_is_cancelled_where_nothing_goes_on_in_the_background() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let lines = watched(&registry);
        let result = registry.call(call("waits", r#"{"seconds":1000}"#)).await;
        assert_eq!(result.text(), "Error: \"waits\" did not finish within 180 s");
        assert_eq!(result.code().map(|code| code.as_str()), Some("TOOL_TIMEOUT"));
        assert_eq!(ran.numbers(), [1, 0, 1]);
        assert_eq!(taken(&lines), ["call_1 waits started", "call_1 waits failed: TOOL_TIMEOUT"]);
        let result = registry.call(call("waits", r#"{"seconds":179}"#)).await;
        assert_eq!(result.text(), "179");
        // What comes within the grace comes too late; it says so.
        let result = registry.call(call("waits_for_its_signal", "")).await;
        assert_eq!(result.text(), "Error: \"waits_for_its_signal\" did not finish within 180 s");
        assert_eq!(ran.numbers(), [3, 2, 2]);
        let session = registry.scope("agent").session_builder().background(false).build();
        let result = session.call(call("waits", r#"{"seconds":181}"#)).await;
        assert_eq!(result.text(), "Error: \"waits\" did not finish within 180 s");
    });
}

#[test]
fn a_call_that_nobody_waits_for_is_cancelled_and_its_last_event_comes() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let lines = watched(&registry);
        let in_time =
            tokio::time::timeout(Duration::from_secs(1), registry.call(call("waits", r#"{"seconds":99}"#)));
        assert!(in_time.await.is_err());
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(ran.numbers(), [1, 0, 1]);
        assert_eq!(taken(&lines), ["call_1 waits started", "call_1 waits failed: ABORTED"]);
        let in_time =
            tokio::time::timeout(Duration::from_secs(1), registry.call(call("waits_for_its_signal", "")));
        assert!(in_time.await.is_err());
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(ran.numbers(), [2, 1, 1]);
        let lines = taken(&lines);
        assert_eq!(lines.last().map(String::as_str), Some("call_1 waits_for_its_signal failed: ABORTED"));
        assert_eq!(lines.len(), 2);
    });
}

#[test]
fn a_call_goes_on_in_the_background_and_is_reported_once() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let lines = watched(&registry);
        let session = registry.scope("agent").session();
        assert_eq!(session.definitions().len(), 4);
        let result = session.call(call("waits", r#"{"seconds":200}"#)).await;
        expect![[
            r#""waits" is still running as task t1. Use task_output to read it, task_cancel to stop it."#
        ]]
        .assert_eq(&result.text());
        assert!(!result.is_error() && result.value_text().is_none());
        assert!(session.reports().is_empty());
        let names: Vec<String> = session.definitions().iter().map(|tool| tool.name().to_owned()).collect();
        assert_eq!(&names[4..], ["task_list", "task_output", "task_cancel"]);
        let result = session.call(call("task_list", "")).await;
        assert_eq!(result.text(), r#""t1: \"waits\", running""#);
        let result = session.call(call("task_output", r#"{"id":"t1","wait":1}"#)).await;
        assert_eq!(result.text(), r#""t1: \"waits\", running""#);
        tokio::time::sleep(Duration::from_secs(30)).await;
        let reports = session.reports();
        assert_eq!(reports.len(), 1);
        assert_eq!(reports[0].to_string(), "Task t1 of \"waits\" has completed:\n200");
        assert!(session.reports().is_empty());
        let result = session.call(call("task_output", r#"{"id":"t1"}"#)).await;
        assert_eq!(result.text(), r#""t1: \"waits\", completed\n200""#);
        let finished: Vec<String> =
            taken(&lines).into_iter().filter(|line| line.starts_with("call_1 waits ")).collect();
        assert_eq!(
            finished,
            ["call_1 waits started", "call_1 waits goes on as task t1", "call_1 waits finished"]
        );
    });
}

#[test]
fn a_read_result_needs_no_report_and_a_stopped_task_says_so() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session();
        session.call(call("waits", r#"{"seconds":200}"#)).await;
        let result = session.call(call("task_output", r#"{"id":"t1"}"#)).await;
        assert_eq!(result.text(), r#""t1: \"waits\", completed\n200""#);
        assert!(session.reports().is_empty());
        session.call(call("waits_for_its_signal", "")).await;
        let result = session.call(call("task_cancel", r#"{"id":"t2"}"#)).await;
        assert_eq!(result.text(), r#""t2 was told to stop""#);
        tokio::time::sleep(Duration::from_secs(1)).await;
        let report = session.reports().remove(0);
        assert_eq!(
            report.to_string(),
            "Task t2 of \"waits_for_its_signal\" has been cancelled:\n\
             Error: the call of \"waits_for_its_signal\" was cancelled; it may have taken effect"
        );
        let result = session.call(call("task_output", r#"{"id":"t9"}"#)).await;
        assert_eq!(result.text(), "Error: there is no task \"t9\"; task_list lists them");
    });
}

#[test]
fn at_the_limit_of_tasks_the_text_names_it() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session_builder().max_tasks(1).build();
        session.call(call("waits", r#"{"seconds":1000}"#)).await;
        let result = session.call(call("waits", r#"{"seconds":1000}"#)).await;
        assert_eq!(result.text(), "Error: the number of background tasks exceeds the limit of 1");
        assert_eq!(result.code().map(|code| code.as_str()), Some("RESOURCE_LIMIT"));
        assert_eq!(session.tasks().len(), 1);
        // The session goes, and what runs in it.
        drop(session);
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(ran.numbers(), [2, 0, 2]);
    });
}

#[test]
fn calls_of_a_batch_keep_their_places_bounds_and_barriers() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session_builder().parallel(3).build();
        let calls: Vec<ToolCall> = (0..1000)
            .map(|index| {
                let id = format!("call_{index}");
                match index % 10 {
                    0 => ToolCall::new(id, "waits_alone", r#"{"seconds":1}"#),
                    1 => ToolCall::new(id, "nothing", "{}"),
                    2 => ToolCall::new(id, "waits", r#"{"seconds":"x"}"#),
                    _ => ToolCall::new(
                        id,
                        "waits",
                        format!(r#"{{"seconds":{index}}}"#).replace(&index.to_string(), "2"),
                    ),
                }
            })
            .collect();
        let results = session.call_all(calls).await;
        assert_eq!(results.len(), 1000);
        for (index, result) in results.iter().enumerate() {
            assert_eq!(result.id(), format!("call_{index}"));
            let expected = match index % 10 {
                0 => "1",
                1 => "Error: unknown tool \"nothing\"",
                2 => "Error: invalid arguments",
                _ => "2",
            };
            assert!(result.text().starts_with(expected), "{index}: {}", result.text());
        }
        assert_eq!(ran.numbers(), [800, 800, 800]);
    });
}

#[test]
fn calls_of_one_key_run_one_after_another() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session();
        let start = tokio::time::Instant::now();
        let keyed = |id: &str, key: &str| {
            ToolCall::new(id, "waits_by_key", format!(r#"{{"seconds":10,"key":"{key}"}}"#))
        };
        let results =
            session.call_all(vec![keyed("1", "a"), keyed("2", "a"), keyed("3", "b"), keyed("4", "a")]).await;
        assert_eq!(
            results.iter().map(|result| result.text()).collect::<Vec<_>>(),
            [r#""a""#, r#""a""#, r#""b""#, r#""a""#]
        );
        assert_eq!(start.elapsed().as_secs(), 30);
    });
}

#[test]
fn who_waits_for_a_key_is_told_which_task_holds_it() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let lines = watched(&registry);
        let session = registry.scope("agent").session();
        let keyed = |id: &str, seconds: u64| {
            ToolCall::new(id, "waits_by_key", format!(r#"{{"seconds":{seconds},"key":"a"}}"#))
        };
        session.call(keyed("1", 300)).await;
        let start = tokio::time::Instant::now();
        let result = session.call(keyed("2", 1)).await;
        assert_eq!((result.text().as_str(), start.elapsed().as_secs()), (r#""a""#, 121));
        assert!(taken(&lines).contains(&"2 waits_by_key waits for task t1".to_owned()));
    });
}

#[test]
fn a_promoted_call_no_longer_blocks_the_batch() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session();
        let start = tokio::time::Instant::now();
        let results = session
            .call_all(vec![
                ToolCall::new("1", "waits_alone", r#"{"seconds":1000}"#),
                ToolCall::new("2", "waits_alone", r#"{"seconds":1}"#),
            ])
            .await;
        assert!(results[0].text().contains("task t1"));
        assert_eq!((results[1].text().as_str(), start.elapsed().as_secs()), ("1", 181));
    });
}

#[test]
fn on_abort_every_call_has_its_result() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session();
        let aborting = session.clone();
        let calls = vec![
            ToolCall::new("1", "waits", r#"{"seconds":1}"#),
            ToolCall::new("2", "waits_alone", r#"{"seconds":100}"#),
            ToolCall::new("3", "waits", r#"{"seconds":1}"#),
        ];
        let (results, ()) = tokio::join!(session.call_all(calls), async {
            tokio::time::sleep(Duration::from_secs(10)).await;
            aborting.abort();
        });
        let texts: Vec<String> = results.iter().map(|result| result.text()).collect();
        assert_eq!(
            texts,
            [
                "1",
                "Error: the call of \"waits_alone\" was cancelled; it may have taken effect",
                "Error: the call of \"waits\" was cancelled before it started",
            ]
        );
        assert_eq!(ran.numbers(), [2, 1, 2]);
        // The conversation goes on.
        assert_eq!(session.call(call("waits", r#"{"seconds":1}"#)).await.text(), "1");
        session.close();
        let result = session.call(call("waits", r#"{"seconds":1}"#)).await;
        assert_eq!(result.text(), "Error: the call of \"waits\" was cancelled before it started");
    });
}

/// Calls itself so many times.
#[tool(effect = read, parallel, docs(optional))]
async fn nests(cx: &CallContext, times: u32) -> String {
    if times == 0 {
        return format!("{} {:?} {}", cx.root_call_id(), cx.parent_call_id(), cx.depth());
    }
    cx.call("nests", format!(r#"{{"times":{}}}"#, times - 1)).await.into_text()
}

#[test]
fn nested_calls_have_a_bound_and_take_no_permit() {
    paused(async {
        let registry = Registry::builder().register::<nests>().build().expect("builds");
        let session = registry.scope("agent").session_builder().parallel(1).build();
        let results = session
            .call_all(vec![
                ToolCall::new("1", "nests", r#"{"times":2}"#),
                ToolCall::new("2", "nests", r#"{"times":16}"#),
                ToolCall::new("3", "nests", r#"{"times":17}"#),
            ])
            .await;
        assert!(
            results[0].text().contains("1/1") && results[0].text().contains(") 2"),
            "{}",
            results[0].text()
        );
        assert!(!results[1].text().contains("exceeds"), "{}", results[1].text());
        assert!(
            results[2].text().contains("Error: the depth of nested calls exceeds the limit of 16"),
            "{}",
            results[2].text()
        );
    });
}

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
        assert!(matches!(
            events.next().await.expect("held").kind,
            tool_runtime::execution::OwnedKind::Started
        ));
        let concurrency = registry.concurrency(&call("adds_one", r#"{"n":1}"#));
        assert_eq!(concurrency, Concurrency::Alone);
        let _ = EventKind::Started;
    });
}
