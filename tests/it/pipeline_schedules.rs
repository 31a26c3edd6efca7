//! Random schedules of calls on a paused clock: every call ends exactly once, and nothing of it stays.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tool_runtime::execution::{Event, EventKind};
use tool_runtime::{CallContext, Registry, Session, State, ToolCall, tool};

use crate::pipeline::paused;

/// How many bodies are alive.
#[derive(Default)]
pub(crate) struct Alive(AtomicUsize);

struct Counted<'a>(&'a Alive);

impl<'a> Counted<'a> {
    fn new(alive: &'a Alive) -> Self {
        alive.0.fetch_add(1, Ordering::SeqCst);
        Self(alive)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// How a body goes.
#[derive(Debug, Clone, Copy)]
enum Body {
    Ends,
    Fails,
    Panics,
    EndsAtTheSignal,
    PanicsAtTheSignal,
}

#[expect(
    clippy::ptr_arg,
    clippy::trivially_copy_pass_by_ref,
    reason = "the function sees each parameter by reference"
)]
fn how_beside(how: &String, _: &u64) -> tool_runtime::Concurrency {
    match how.len() % 3 {
        0 => true.into(),
        1 => "a key".into(),
        _ => false.into(),
    }
}

/// Goes as it is told.
#[tool(effect = write, parallel = how_beside, docs(optional))]
async fn goes(alive: State<Alive>, cx: &CallContext, how: String, after: u64) -> Result<u64, String> {
    let _counted = Counted::new(&alive);
    let pause = tokio::time::sleep(Duration::from_secs(after));
    match how.as_str() {
        "Ends" => pause.await,
        "Fails" => {
            pause.await;
            return Err("it failed".to_owned());
        }
        "Panics" => {
            pause.await;
            panic!("a secret");
        }
        other => {
            tokio::select! {
                () = pause => {}
                () = cx.cancelled() => assert!(other == "EndsAtTheSignal", "a secret"),
            }
        }
    }
    Ok(after)
}

/// What is done to a session, one after another.
#[derive(Debug, Clone)]
enum Step {
    /// A batch of bodies, each with how long it takes; given up after a time, if so.
    Calls(Vec<(Body, u64)>, Option<u64>),
    /// Some time goes by.
    Wait(u64),
    Abort,
    CancelTask(u8),
    Reports,
}

fn body() -> impl Strategy<Value = (Body, u64)> {
    let body = prop_oneof![
        4 => Just(Body::Ends),
        1 => Just(Body::Fails),
        1 => Just(Body::Panics),
        2 => Just(Body::EndsAtTheSignal),
        1 => Just(Body::PanicsAtTheSignal),
    ];
    (body, prop_oneof![Just(0), 1_u64..400])
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (prop::collection::vec(body(), 1..6), prop::option::of(0_u64..300)).prop_map(|(bodies, limit)| Step::Calls(bodies, limit)),
        2 => (0_u64..300).prop_map(Step::Wait),
        1 => Just(Step::Abort),
        1 => (1_u8..6).prop_map(Step::CancelTask),
        1 => Just(Step::Reports),
    ]
}

/// What became of the calls.
#[derive(Default)]
struct Seen {
    started: BTreeMap<u64, usize>,
    finished: BTreeMap<u64, usize>,
    promoted: usize,
    out_of_order: usize,
}

fn watch(registry: &Registry) -> Arc<Mutex<Seen>> {
    let seen = Arc::new(Mutex::new(Seen::default()));
    let sink = Arc::clone(&seen);
    registry
        .observe(move |event: &Event<'_>| {
            let mut seen = sink.lock().expect("no panic");
            match event.kind {
                EventKind::Started => *seen.started.entry(event.unique).or_default() += 1,
                EventKind::Finished { .. } => *seen.finished.entry(event.unique).or_default() += 1,
                EventKind::Promoted { .. } => seen.promoted += 1,
                _ => {}
            }
            let ended = seen.finished.contains_key(&event.unique);
            if ended && !matches!(event.kind, EventKind::Finished { .. }) {
                seen.out_of_order += 1;
            }
        })
        .expect("registered");
    seen
}

async fn run(session: &Session, steps: Vec<Step>) -> usize {
    let mut number = 0;
    let mut reported = 0;
    for step in steps {
        match step {
            Step::Calls(bodies, limit) => {
                let calls: Vec<ToolCall> = bodies
                    .iter()
                    .map(|(body, after)| {
                        number += 1;
                        let arguments = format!(r#"{{"how":"{body:?}","after":{after}}}"#);
                        ToolCall::new(format!("call_{number}"), "goes", arguments)
                    })
                    .collect();
                let ids: Vec<String> = calls.iter().map(|call| call.id().to_owned()).collect();
                let all = session.call_all(calls);
                match limit {
                    Some(seconds) => drop(tokio::time::timeout(Duration::from_secs(seconds), all).await),
                    None => {
                        let results = all.await;
                        assert_eq!(results.iter().map(|result| result.id()).collect::<Vec<_>>(), ids);
                    }
                }
            }
            Step::Wait(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
            Step::Abort => session.abort(),
            Step::CancelTask(task) => {
                session.cancel_task(&format!("t{task}"));
            }
            Step::Reports => reported += session.reports().len(),
        }
    }
    reported
}

fn check(steps: Vec<Step>) -> Result<(), TestCaseError> {
    paused(async {
        let alive = Arc::new(Alive::default());
        let registry =
            Registry::builder().shared_state(Arc::clone(&alive)).register::<goes>().build().expect("builds");
        let seen = watch(&registry);
        let session = registry.scope("agent").session_builder().parallel(3).max_tasks(2).build();
        let mut reported = run(&session, steps).await;
        // Everything comes to its end, and the session sees each task's once.
        tokio::time::sleep(Duration::from_hours(1)).await;
        reported += session.reports().len();
        prop_assert_eq!(alive.0.load(Ordering::SeqCst), 0);
        let seen = seen.lock().expect("no panic");
        prop_assert_eq!(seen.started.keys().collect::<Vec<_>>(), seen.finished.keys().collect::<Vec<_>>());
        prop_assert!(seen.started.values().chain(seen.finished.values()).all(|count| *count == 1));
        prop_assert_eq!(seen.out_of_order, 0);
        prop_assert_eq!(seen.promoted, reported);
        prop_assert!(session.tasks().iter().all(|task| task.state.is_over()));
        Ok(())
    })
}

fn tried(cases: u32) {
    // Panics of bodies are part of the schedules; what they print is not.
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let schedules = prop::collection::vec(step(), 1..8);
    runner.run(&schedules, check).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn every_call_of_random_schedules_ends_once() {
    tried(150);
}

#[test]
#[ignore = "takes a minute; `cargo xtask soak` runs it"]
fn every_call_of_ten_thousand_random_schedules_ends_once() {
    tried(10_000);
}
