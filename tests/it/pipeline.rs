//! One pipeline: every call ends exactly once, whatever fails on the way.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tool_runtime::execution::Event;
use tool_runtime::{CallContext, Registry, Scope, ToolCall, tool};

/// Runs a test on a clock that skips what nobody waits for.
pub(crate) fn paused<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime")
        .block_on(test)
}

pub(crate) fn call(name: &str, arguments: &str) -> ToolCall {
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
    pub(crate) fn numbers(&self) -> [usize; 3] {
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
pub(crate) async fn waits(#[state] ran: &Ran, seconds: u64) -> u64 {
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

pub(crate) fn registry(ran: &Arc<Ran>) -> Registry {
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
pub(crate) fn watched(scope: &Scope) -> Arc<Mutex<Vec<String>>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    scope
        .observe(move |event: &Event<'_>| {
            sink.lock().expect("no panic").push(format!("{} {} {}", event.call_id, event.tool, event.kind));
        })
        .expect("registered");
    lines
}

pub(crate) fn taken(lines: &Mutex<Vec<String>>) -> Vec<String> {
    std::mem::take(&mut *lines.lock().expect("no panic"))
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
