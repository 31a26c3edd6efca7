//! Calls within calls, and batches that are stopped half-way.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tool_runtime::execution::Gate;
use tool_runtime::{BoxFuture, CallContext, Denied, PermissionRequest, Registry, ToolCall, tool};

use crate::pipeline::{Ran, paused, registry, taken, watched};

#[expect(clippy::ptr_arg, reason = "the function sees each parameter by reference")]
fn by_key(key: &String, _: &u32) -> String {
    key.clone()
}

/// Calls itself so many times under its key.
#[tool(effect = write, parallel = by_key, docs(optional))]
async fn digs(cx: &CallContext, key: String, times: u32) -> String {
    tokio::time::sleep(Duration::from_secs(1)).await;
    if times == 0 {
        return "bottom".to_owned();
    }
    let arguments = format!(r#"{{"key":"{key}","times":{}}}"#, times - 1);
    cx.call("digs", arguments).await.into_text()
}

#[test]
fn keys_and_permits_of_the_calls_around_hold_nothing_up() {
    paused(async {
        let registry = Registry::builder().register::<digs>().build().expect("builds");
        for parallel in [1, 2, 4] {
            let session = registry.scope("agent").session_builder().parallel(parallel).build();
            let calls: Vec<ToolCall> = (0..8)
                .map(|index| {
                    let key = index % 2;
                    ToolCall::new(index.to_string(), "digs", format!(r#"{{"key":"{key}","times":9}}"#))
                })
                .collect();
            let start = tokio::time::Instant::now();
            let results = session.call_all(calls).await;
            assert!(results.iter().all(|result| result.text().contains("bottom")), "{results:?}");
            // Ten seconds each; two keys are two at a time at most.
            let at_once = parallel.min(2) as u64;
            assert_eq!(start.elapsed().as_secs(), 80 / at_once);
        }
    });
}

/// Lets the model's own calls pass, and those of other calls not.
struct Own(Mutex<Vec<String>>);

impl Gate for Own {
    fn judge<'a>(
        &'a self,
        call: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async {
            self.0.lock().expect("no panic").push(call.call_id().to_owned());
            if call.depth() == 0 { Ok(()) } else { Err(Denied::Rejected { reason: None }) }
        })
    }
}

/// A gate that is looked into afterwards.
struct Shared(Arc<Own>);

impl Gate for Shared {
    fn judge<'a>(
        &'a self,
        call: &'a CallContext,
        requests: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        self.0.judge(call, requests)
    }
}

#[test]
fn what_a_call_was_granted_covers_no_call_within_it() {
    paused(async {
        let registry = Registry::builder().register::<digs>().build().expect("builds");
        let own = Arc::new(Own(Mutex::new(Vec::new())));
        registry.gate(Shared(Arc::clone(&own))).expect("registered");
        let session = registry.scope("agent").session();
        let result = session.call(ToolCall::new("1", "digs", r#"{"key":"a","times":1}"#)).await;
        assert_eq!(result.text(), r#""Error: the user rejected \"digs\"""#);
        assert_eq!(*own.0.lock().expect("no panic"), ["1", "1/1"]);
    });
}

#[test]
fn calls_too_deep_are_calls_like_others_for_who_looks_on() {
    paused(async {
        let registry = Registry::builder().content_limit(None).register::<digs>().build().expect("builds");
        let lines = watched(&registry);
        let result = registry.call(ToolCall::new("1", "digs", r#"{"key":"a","times":17}"#)).await;
        assert!(result.text().contains("the depth of nested calls exceeds the limit of 16"), "{result:?}");
        let lines = taken(&lines);
        let deep: Vec<&String> = lines.iter().filter(|line| line.matches('/').count() == 17).collect();
        assert!(deep.len() == 2 && deep[0].ends_with("started"), "{deep:?}");
        assert!(deep[1].ends_with("failed: RESOURCE_LIMIT"), "{deep:?}");
        assert_eq!(lines.len(), 36);
    });
}

#[test]
fn a_batch_of_a_thousand_that_is_aborted_half_way_has_every_result() {
    paused(async {
        let ran = Arc::new(Ran::default());
        let registry = registry(&ran);
        let lines = watched(&registry);
        let session = registry.scope("agent").session();
        let calls: Vec<ToolCall> = (0..1000)
            .map(|index| {
                let name = ["waits", "waits_by_key", "waits_alone", "nothing"][index % 4];
                let key = if name == "waits_by_key" { r#","key":"a""# } else { "" };
                ToolCall::new(index.to_string(), name, format!(r#"{{"seconds":2{key}}}"#))
            })
            .collect();
        let aborting = session.clone();
        let (results, ()) = tokio::join!(session.call_all(calls), async {
            tokio::time::sleep(Duration::from_millis(500_500)).await;
            aborting.abort();
        });
        assert_eq!(results.len(), 1000);
        let (mut done, mut before, mut during) = (0, 0, 0);
        for (index, result) in results.iter().enumerate() {
            assert_eq!(result.id(), index.to_string());
            match result.code().map(|code| code.as_str()) {
                None | Some("UNKNOWN_TOOL") => done += 1,
                Some("ABORTED_BEFORE_DISPATCH") => before += 1,
                Some("ABORTED") => during += 1,
                other => panic!("{index}: {other:?}"),
            }
        }
        assert!(done > 400 && before > 300 && (1..=2).contains(&during), "{done} {before} {during}");
        let [began, _, dropped] = ran.numbers();
        assert_eq!(began, dropped);
        let lines = taken(&lines);
        assert_eq!(lines.iter().filter(|line| line.ends_with("started")).count(), 1000);
        assert_eq!(lines.len(), 2000);
        // Nothing is held any more.
        let again = session.call(ToolCall::new("1", "waits_by_key", r#"{"seconds":1,"key":"a"}"#)).await;
        assert_eq!(again.text(), r#""a""#);
    });
}
