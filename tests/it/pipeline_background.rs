//! Calls that go on in the background, calls in batches, calls in calls.

use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use tool_runtime::background::{MemoryStore, TaskRecord, TaskState, TaskStore};
use tool_runtime::{CallContext, Registry, ToolCall, tool};

use crate::pipeline::{Ran, call, paused, registry, taken, watched};

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
fn f129_calls_of_a_batch_keep_their_places_bounds_and_barriers() {
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
        let start = tokio::time::Instant::now();
        let results = session.call_all(calls).await;
        assert_eq!(results.len(), 1000);
        // Of every ten: one second alone, and seven of two seconds each, three at once.
        assert_eq!(start.elapsed().as_secs(), 100 * (1 + 3 * 2));
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
        let registry = Registry::builder().content_limit(None).register::<nests>().build().expect("builds");
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

#[test]
fn a_call_that_is_cancelled_while_it_waits_for_its_key_never_runs() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let session = registry(&ran).scope("agent").session();
        let keyed = |id: &str| ToolCall::new(id, "waits_by_key", r#"{"seconds":100,"key":"a"}"#);
        let closing = session.clone();
        let (first, second, ()) = tokio::join!(session.call(keyed("1")), session.call(keyed("2")), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            closing.close();
        });
        assert_eq!(first.text(), "Error: the call of \"waits_by_key\" was cancelled");
        assert_eq!(second.text(), "Error: the call of \"waits_by_key\" was cancelled before it started");
        assert_eq!(ran.numbers(), [1, 0, 1]);
    });
}

/// A store that loses everything, and panics.
struct Broken(bool);

impl TaskStore for Broken {
    fn put(&self, _: TaskRecord) {
        assert!(!self.0, "a secret");
    }
    fn get(&self, _: &str) -> Option<TaskRecord> {
        assert!(!self.0, "a secret");
        None
    }
    fn list(&self) -> Vec<TaskRecord> {
        assert!(!self.0, "a secret");
        Vec::new()
    }
    fn remove(&self, _: &str) {
        assert!(!self.0, "a secret");
    }
}

#[test]
fn a_store_that_loses_or_panics_takes_no_report_away() {
    for panics in [false, true] {
        paused(async {
            let ran = Arc::new(Ran::default());
            let session = registry(&ran).scope("agent").session_builder().task_store(Broken(panics)).build();
            let result = session.call(call("waits", r#"{"seconds":200}"#)).await;
            assert!(result.text().contains("task t1"), "{}", result.text());
            assert_eq!(session.tasks().len(), 1);
            assert!(session.cancel_task("t1"));
            assert_eq!(session.tasks()[0].state, TaskState::Cancelling);
            tokio::time::sleep(Duration::from_secs(30)).await;
            let reports: Vec<String> = session.reports().iter().map(ToString::to_string).collect();
            assert_eq!(
                reports,
                ["Task t1 of \"waits\" has been cancelled:\nError: the call of \"waits\" was cancelled"]
            );
            assert!(!session.cancel_task("t1"));
        });
    }
}

/// A store that several sessions share, one after another.
#[derive(Clone, Default)]
struct Kept(Arc<MemoryStore>);

impl TaskStore for Kept {
    fn put(&self, record: TaskRecord) {
        self.0.put(record);
    }
    fn get(&self, id: &str) -> Option<TaskRecord> {
        self.0.get(id)
    }
    fn list(&self) -> Vec<TaskRecord> {
        self.0.list()
    }
    fn remove(&self, id: &str) {
        self.0.remove(id);
    }
}

#[test]
fn a_task_whose_runtime_is_gone_is_lost_and_says_so_once() {
    let ran = Arc::new(Ran::default());
    let registry = registry(&ran);
    let store = Kept::default();
    let session = registry.scope("agent").session_builder().task_store(store.clone()).build();
    paused(async {
        assert!(!session.call(call("waits", r#"{"seconds":1000}"#)).await.is_error());
    });
    // The runtime went with the block.
    let reports: Vec<String> = session.reports().iter().map(ToString::to_string).collect();
    assert_eq!(reports, ["Task t1 of \"waits\" has been lost"]);
    assert_eq!(session.tasks()[0].state, TaskState::Lost);
    assert!(session.reports().is_empty());
    // A record that still says that it runs, from a program that is gone.
    let mut record = store.list().remove(0);
    record.state = TaskState::Running;
    store.put(record);
    let session = registry.scope("agent").session_builder().task_store(store.clone()).build();
    assert_eq!(session.reports().len(), 1);
    assert_eq!(store.list()[0].state, TaskState::Lost);
    paused(async {
        let result = session.call(call("waits", r#"{"seconds":1000}"#)).await;
        assert!(result.text().contains("task t2"), "{}", result.text());
    });
}

#[test]
fn a_call_may_begin_in_the_background() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let session = registry.scope("agent").session_builder().max_tasks(1).build();
        let start = tokio::time::Instant::now();
        let result = session.start(call("waits", r#"{"seconds":20}"#)).await;
        assert!(result.text().contains("still running as task t1"), "{}", result.text());
        assert_eq!(start.elapsed().as_secs(), 0);
        let record = session.tasks().remove(0);
        assert_eq!((record.scope.as_str(), record.owner), ("agent", None));
        // Without room, and where the tool does not go to the background, it is waited for.
        let result = session.start(call("waits", r#"{"seconds":5}"#)).await;
        assert_eq!((result.text().as_str(), start.elapsed().as_secs()), ("5", 5));
        let result = session.start(call("waits", r#"{"seconds":"x"}"#)).await;
        assert!(result.is_error());
        tokio::time::sleep(Duration::from_secs(20)).await;
        assert_eq!(session.reports()[0].to_string(), "Task t1 of \"waits\" has completed:\n20");
    });
}

#[test]
fn a_model_is_reminded_of_what_it_does_over_and_over() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let session = registry.scope("agent").session();
        let mut reminded = Vec::new();
        for round in 1..=9 {
            // Two of each round in one batch, of which one is new each time.
            let calls = vec![
                call("waits", r#"{"seconds":0}"#),
                ToolCall::new("2", "waits", format!(r#"{{"seconds":{round}}}"#)),
                ToolCall::new("3", "task_list", "{}"),
            ];
            session.call_all(calls).await;
            let messages = session.messages();
            if !messages.is_empty() {
                reminded.push(round);
                assert_eq!(
                    messages,
                    [format!(
                        "\"waits\" was called {round} times with the same arguments in this turn. Calling it again will hardly bring \
                         anything new: try something else, or say what is missing."
                    )]
                );
            }
        }
        assert_eq!(reminded, [3, 5, 8]);
        session.begin_turn();
        session.call(call("waits", r#"{"seconds":0}"#)).await;
        assert!(session.messages().is_empty());
        let quiet = registry.scope("agent").session_builder().reminders(false).build();
        for _ in 0..9 {
            quiet.call(call("waits", r#"{"seconds":0}"#)).await;
        }
        assert!(quiet.messages().is_empty());
    });
}

/// Writes to two streams, and waits.
#[tool(effect = exec)]
async fn writes_streams(cx: &CallContext) -> String {
    cx.progress("half");
    cx.write("one\n");
    cx.write_to("stderr", "oh\n");
    cx.write("two");
    tokio::time::sleep(Duration::from_secs(1000)).await;
    "done".to_owned()
}

#[test]
fn what_a_task_has_written_so_far_can_be_read() {
    paused(async {
        let registry = Registry::builder().register::<writes_streams>().build().expect("builds");
        let session = registry.scope("agent").session();
        session.start(call("writes_streams", "")).await;
        let output = session.task_output("t1").expect("runs");
        assert_eq!((output[0].stream.as_str(), output[0].text.as_str(), output[0].lost), ("", "one\ntwo", 0));
        assert_eq!(
            (output[1].stream.as_str(), output[1].text.as_str(), output[1].lost),
            ("stderr", "oh\n", 0)
        );
        assert_eq!(session.task_progress("t1").as_deref(), Some("half"));
        let result = session.call(call("task_output", r#"{"id":"t1","wait":0}"#)).await;
        expect![[r#""t1: \"writes_streams\", running\nprogress: half\none\ntwo\n[stderr]\noh\n""#]]
            .assert_eq(&result.text());
        assert!(session.task_output("t2").is_none());
    });
}
