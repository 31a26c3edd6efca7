//! From a call to its one result.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Waker};
use std::time::Duration;

use tool_runtime::{CallContext, Registry, State, ToolCall, tool};

use crate::support::{block_on, run};

#[derive(Default)]
pub(crate) struct Counts {
    started: AtomicUsize,
    dropped: AtomicUsize,
    ended: AtomicUsize,
}

struct Guard<'a>(&'a Counts);
impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// Waits for long.
#[tool(docs(optional))]
async fn waits_for_long(#[state] counts: &Counts, text: &str) -> usize {
    counts.started.fetch_add(1, Ordering::SeqCst);
    let _guard = Guard(counts);
    tokio::time::sleep(Duration::from_hours(1)).await;
    counts.ended.fetch_add(1, Ordering::SeqCst);
    text.len()
}

#[test]
fn f121_dropping_a_call_stops_its_tool_and_runs_its_guards() {
    let counts = Arc::new(Counts::default());
    let registry = Registry::builder()
        .shared_state(Arc::clone(&counts))
        .register::<waits_for_long>()
        .build()
        .expect("builds");
    let numbers = || [&counts.started, &counts.dropped, &counts.ended].map(|n| n.load(Ordering::SeqCst));
    let call = || ToolCall::new("1", "waits_for_long", r#"{"text":"t"}"#);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().expect("one");
    runtime.block_on(async {
        let mut future = Box::pin(registry.call(call()));
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(numbers(), [1, 0, 0]);
        drop(future);
        assert_eq!(numbers(), [1, 1, 0]);
        let in_time = tokio::time::timeout(Duration::from_secs(1), registry.call(call())).await;
        assert!(in_time.is_err());
        assert_eq!(numbers(), [2, 2, 0]);
        // A call that is never polled never starts.
        drop(registry.call(call()));
        assert_eq!(numbers(), [2, 2, 0]);
        assert_eq!(registry.call(call()).await.text(), "1");
        assert_eq!(numbers(), [3, 3, 1]);
    });
}

pub(crate) type Shared = Arc<OnceLock<Registry>>;

/// Calls itself through the registry.
#[tool(docs(optional))]
async fn calls_itself(#[state] shared: &Shared, depth: u8) -> Result<String, String> {
    let registry = shared.get().ok_or("no registry yet")?;
    if depth == 0 {
        return Ok(registry
            .definitions()
            .iter()
            .map(tool_runtime::ToolDefinition::name)
            .collect::<Vec<_>>()
            .join(" "));
    }
    let call = ToolCall::new("inner", "calls_itself", format!(r#"{{"depth":{}}}"#, depth - 1));
    let result = Box::pin(registry.call(call)).await;
    Ok(format!("{depth}{}", result.text().trim_matches('"')))
}

/// Builds a registry inside a call.
#[tool]
fn builds_a_registry(#[state] shared: &Shared) -> usize {
    let registry =
        Registry::builder().shared_state(Arc::new(Arc::clone(shared))).register::<calls_itself>().build();
    registry.map_or(0, |registry| registry.definitions().len())
}

#[test]
fn f132_a_tool_may_call_and_build_registries() {
    let shared = Shared::default();
    let registry = Registry::builder()
        .state(Arc::clone(&shared))
        .register::<calls_itself>()
        .register::<builds_a_registry>()
        .build()
        .expect("builds");
    assert!(shared.set(registry.clone()).is_ok());
    assert_eq!(
        run(&registry, "calls_itself", r#"{"depth":3}"#).text(),
        r#""321builds_a_registry calls_itself""#
    );
    assert_eq!(run(&registry, "builds_a_registry", "").text(), "1");
}

/// Answers under its id.
#[tool(docs(optional))]
async fn echo_id(cx: &CallContext, n: u32, factor: State<u32>) -> String {
    tokio::task::yield_now().await;
    format!("{} {} {}", cx.call_id(), cx.tool(), n * *factor)
}

#[test]
fn f108_every_call_gets_one_result_under_its_id() {
    let registry = Registry::builder().state(2_u32).register::<echo_id>().build().expect("builds");
    block_on(async {
        for (id, name, arguments, text) in [
            ("a", "echo_id", r#"{"n":1}"#, r#""a echo_id 2""#),
            ("a", "echo_id", r#"{"n":2}"#, r#""a echo_id 4""#),
            ("", "echo_id", r#"{"n":3}"#, r#"" echo_id 6""#),
            ("b", "echo_di", "{}", r#"Error: unknown tool "echo_di"; did you mean "echo_id"?"#),
            (
                "c",
                "echo_id",
                "[",
                "Error: the arguments were cut off after 1 characters; send the call again, shorter if need be",
            ),
        ] {
            let result = registry.call(ToolCall::new(id, name, arguments)).await;
            assert_eq!((result.id(), result.name(), result.text().as_str()), (id, name, text));
        }
    });
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a program may spawn its calls")]
fn calls_run_side_by_side_on_many_threads() {
    let registry = Registry::builder().state(3_u32).register::<echo_id>().build().expect("builds");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("a runtime");
    runtime.block_on(async {
        let calls: Vec<_> = (0..200_u32)
            .map(|n| {
                let registry = registry.clone();
                tokio::spawn(async move {
                    let call = ToolCall::new(n.to_string(), "echo_id", format!(r#"{{"n":{n}}}"#));
                    registry.call(call).await.text()
                })
            })
            .collect();
        for (n, call) in calls.into_iter().enumerate() {
            assert_eq!(call.await.expect("ends"), format!("\"{n} echo_id {}\"", n * 3));
        }
    });
}
