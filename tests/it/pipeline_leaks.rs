//! Calls that end badly leave nothing behind.

use std::time::Duration;

use allocation_counter::measure;
use tool_runtime::{CallContext, Registry, Session, ToolCall, tool};

use crate::pipeline::paused;

/// Takes long, panics, or waits for its signal.
#[tool(effect = read, parallel, timeout = "10s", docs(optional))]
async fn ends_badly(cx: &CallContext, how: u8) -> String {
    match how {
        0 => tokio::time::sleep(Duration::from_mins(1)).await,
        1 => cx.cancelled().await,
        2 => {
            tokio::task::yield_now().await;
            panic!("a secret");
        }
        3 => panic!("a secret"),
        _ => {}
    }
    "ended".repeat(20)
}

async fn calls(registry: &Registry, session: &Session, count: usize) {
    for index in 0..count {
        let how = index % 7;
        let call = ToolCall::new(format!("call_{index}"), "ends_badly", format!(r#"{{"how":{}}}"#, how % 5));
        match how {
            // Given up by who called.
            5 | 6 => drop(tokio::time::timeout(Duration::from_millis(1), session.call(call)).await),
            // Over its time, by its signal, by a panic.
            0 | 1 => drop(registry.call(call).await),
            _ => drop(session.call(call).await),
        }
        if index % 1000 == 999 {
            session.abort();
            session.reports();
        }
    }
    tokio::time::sleep(Duration::from_hours(2)).await;
    session.reports();
}

/// Bytes that are alive after so many calls, on this thread, where all of them run.
fn alive_after(count: usize) -> i64 {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let info = measure(|| {
        paused(async {
            let registry = Registry::builder().register::<ends_badly>().build().expect("builds");
            let session = registry.scope("agent").session();
            calls(&registry, &session, count).await;
            assert_eq!(session.tasks().iter().filter(|task| !task.state.is_over()).count(), 0);
            // What the registry, the session and the runtime hold is let go of; what is left was forgotten.
            std::mem::forget((registry, session));
        });
    });
    std::panic::set_hook(hook);
    info.bytes_current
}

fn tried(few: usize, many: usize) {
    let (few, many) = (alive_after(few), alive_after(many));
    assert!(many - few < 64 * 1024, "{few} bytes after few calls, {many} after many");
}

#[test]
fn bad_ends_leave_nothing_behind() {
    tried(700, 4200);
}

#[test]
#[ignore = "takes a minute; `cargo xtask soak` runs it"]
fn a_hundred_thousand_bad_ends_leave_nothing_behind() {
    tried(10_000, 110_000);
}

#[test]
fn permits_are_free_again() {
    paused(async {
        let registry = Registry::builder().register::<ends_badly>().build().expect("builds");
        let session = registry.scope("agent").session_builder().parallel(3).max_tasks(2).build();
        calls(&registry, &session, 70).await;
        let all: Vec<ToolCall> =
            (0..20).map(|index| ToolCall::new(index.to_string(), "ends_badly", r#"{"how":4}"#)).collect();
        assert!(session.call_all(all).await.iter().all(|result| !result.is_error()));
        // Room for two tasks, as at first.
        let long = |id: &str| ToolCall::new(id, "ends_badly", r#"{"how":0}"#);
        let results = session.call_all(vec![long("1"), long("2"), long("3")]).await;
        let promoted = results.iter().filter(|result| result.text().contains("still running")).count();
        assert_eq!(promoted, 2);
    });
}
