//! What gets its signal, its grace and its end.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tool_runtime::execution::Gate;
use tool_runtime::{BoxFuture, CallContext, Denied, Next, PermissionRequest, Session, ToolCall};

use super::{
    Bodies, GRACE, Stand, begin, cancelled, running, seconds, stand, unloads_calls, unloads_is_quick,
    unloads_never_ends,
};
use crate::pipeline::{call, paused, taken, watched};

#[test]
fn what_runs_gets_its_signal_and_is_waited_for() {
    paused(async {
        let Stand { registry, bodies, plugin, .. } = stand();
        let other = registry.load("other", |owner| {
            registry.scope("other").owned_by(owner).register::<unloads_never_ends>().map(drop)
        });
        let lines = watched(&registry);
        let calls = [
            begin(&registry, "unloads_ends_when_told", "{}").await,
            begin(&registry, "unloads_calls", r#"{"name":"unloads_ends_when_told"}"#).await,
        ];
        assert_eq!(bodies.count(), 3);
        assert_eq!(registry.call(call("unloads_is_quick", "")).await.text(), r#""quick""#);
        let start = Instant::now();
        let unloaded = plugin.unload(GRACE).await;
        assert_eq!((unloaded.removed, running(&unloaded)), (8, vec![]));
        assert_eq!(start.elapsed(), Duration::ZERO);
        assert_eq!(bodies.count(), 0);
        // Their ends have been told by then.
        let ends = taken(&lines).into_iter().filter(|line| line.ends_with("failed: ABORTED")).count();
        assert_eq!(ends, 3);
        for (call, name) in calls.into_iter().zip(["unloads_ends_when_told", "unloads_calls"]) {
            let text = call.await.expect("no panic");
            assert!(text.starts_with(&cancelled(name)), "{text}");
        }
        let unknown = registry.call(call("unloads_is_quick", "")).await.text();
        assert_eq!(unknown, "Error: unknown tool \"unloads_is_quick\"");
        assert_eq!(plugin.unload(GRACE).await.removed, 0);
        drop(other);
    });
}

#[test]
fn what_does_not_care_is_dropped_after_the_grace_of_the_unloading() {
    // Shorter and longer than that of the registry, which is five seconds.
    for grace in [0, 1, 20] {
        paused(async move {
            let Stand { registry, bodies, plugin, .. } = stand();
            let running_call = begin(&registry, "unloads_never_ends", "{}").await;
            let start = Instant::now();
            let unloaded = plugin.unload(seconds(grace)).await;
            assert_eq!(running(&unloaded), []);
            assert_eq!(start.elapsed().as_secs(), grace);
            assert!(start.elapsed() - seconds(grace) < Duration::from_millis(5));
            assert_eq!(bodies.count(), 0);
            assert!(running_call.await.expect("no panic").starts_with(&cancelled("unloads_never_ends")));
        });
    }
}

#[test]
fn of_two_graces_the_shorter_holds_for_what_was_told_before() {
    for (grace, elapsed) in [(1, 1), (20, 5)] {
        paused(async move {
            let Stand { registry, bodies, plugin, .. } = stand();
            let session = registry.scope("agent").session();
            let (call_of, closing) = (session.clone(), session.clone());
            tokio::spawn(async move { call_of.call(call("unloads_never_ends", "")).await });
            tokio::time::sleep(Duration::from_millis(1)).await;
            let start = Instant::now();
            closing.close();
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            assert_eq!(running(&plugin.unload(seconds(grace)).await), []);
            assert_eq!((start.elapsed().as_secs(), bodies.count()), (elapsed, 0));
        });
    }
}

#[test]
fn calls_that_have_become_tasks_are_ended_and_reported() {
    paused(async {
        let Stand { registry, bodies, plugin, .. } = stand();
        let session = registry.scope("agent").session();
        for name in ["unloads_ends_when_told", "unloads_never_ends"] {
            let text = session.call(call(name, "")).await.text();
            assert!(text.contains("is still running as task"), "{text}");
        }
        // One that was there from its beginning.
        let text = session.start(call("unloads_never_ends", "")).await.text();
        assert!(text.contains("is still running as task"), "{text}");
        assert_eq!((bodies.count(), session.tasks().len()), (3, 3));
        let start = Instant::now();
        let unloaded = plugin.unload(GRACE).await;
        assert_eq!((running(&unloaded), bodies.count()), (vec![], 0));
        assert_eq!(start.elapsed().as_secs(), 20);
        // Everything is known of them by then.
        let reports: Vec<String> = session.reports().iter().map(|report| report.state.to_string()).collect();
        assert_eq!(reports, ["cancelled", "cancelled", "cancelled"]);
        assert_eq!(session.call(call("task_list", "")).await.text().matches("cancelled").count(), 3);
    });
}

/// Never answers, and notices when nobody waits for its answer any more.
struct Silent(Arc<Bodies>);

impl Gate for Silent {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async {
            let _body = self.0.enter();
            std::future::pending().await
        })
    }
}

#[test]
fn calls_that_wait_for_an_approval_or_a_key_never_begin() {
    paused(async {
        let Stand { registry, bodies, plugin, .. } = stand();
        let agent = registry.scope("agent");
        let asked = registry.scope("asked");
        let gates = Arc::new(Bodies::default());
        asked.gate(Silent(Arc::clone(&gates))).expect("a gate");
        let waits = begin(&asked, "unloads_ends_when_told", "{}").await;
        let session = agent.session();
        let keeps = |keeps: bool| {
            let session: Session = session.clone();
            tokio::spawn(async move {
                let arguments = format!(r#"{{"keeps":{keeps}}}"#);
                session.call(call("unloads_by_key", &arguments)).await.text()
            })
        };
        let keys = [keeps(true), keeps(false), keeps(false)];
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!((bodies.count(), gates.count()), (1, 1));
        let start = Instant::now();
        assert_eq!(running(&plugin.unload(GRACE).await), []);
        assert_eq!((start.elapsed(), bodies.count(), gates.count()), (Duration::ZERO, 0, 0));
        let waits = waits.await.expect("no panic");
        assert!(waits.starts_with(&cancelled("unloads_ends_when_told")), "{waits}");
        for key in keys {
            let text = key.await.expect("no panic");
            assert!(text.starts_with("Error: "), "{text}");
        }
    });
}

#[test]
fn calls_behind_middleware_end_also_where_it_goes_on_alone() {
    paused(async {
        let Stand { registry, bodies, plugin, .. } = stand();
        registry
            .middleware(|_: CallContext, next: Next| async move { next.run().await })
            .expect("middleware");
        let within = begin(&registry, "unloads_never_ends", "{}").await;
        let agent = registry.scope("agent");
        agent
            .middleware(|_: CallContext, next: Next| async move {
                let answer = tokio::spawn(async move { next.run().await });
                answer.await.expect("no panic")
            })
            .expect("middleware");
        let alone = begin(&agent, "unloads_never_ends", "{}").await;
        assert_eq!(bodies.count(), 2);
        let unloaded = plugin.unload(GRACE).await;
        // Nobody but that middleware could drop what it has begun.
        assert_eq!((running(&unloaded), bodies.count()), (vec![("unloads_never_ends", 1)], 1));
        for call in [within, alone] {
            let text = call.await.expect("no panic");
            assert!(text.starts_with(&cancelled("unloads_never_ends")), "{text}");
        }
    });
}

#[test]
fn what_was_removed_or_replaced_before_is_ended_too_and_what_comes_later_is_not() {
    paused(async {
        let Stand { registry, bodies, plugin, .. } = stand();
        let owned = registry.scope("agent").owned_by(&plugin);
        let handle = owned.register_as::<unloads_never_ends>("first").expect("free");
        let first = begin(&owned, "first", "{}").await;
        assert!(handle.remove());
        plugin
            .reload(|owner| registry.owned_by(owner).register::<unloads_never_ends>().map(drop))
            .expect("loads");
        let second = begin(&registry, "unloads_never_ends", "{}").await;
        plugin
            .reload(|owner| registry.owned_by(owner).register::<unloads_is_quick>().map(drop))
            .expect("loads");
        assert_eq!(bodies.count(), 2);
        let unloading = tokio::spawn({
            let plugin = plugin.clone();
            async move { plugin.unload(GRACE).await }
        });
        tokio::time::sleep(seconds(1)).await;
        registry.owned_by(&plugin).register::<unloads_never_ends>().expect("free again");
        let third = begin(&registry, "unloads_never_ends", "{}").await;
        assert_eq!(bodies.count(), 3);
        let unloaded = unloading.await.expect("no panic");
        assert_eq!((unloaded.removed, running(&unloaded), bodies.count()), (1, vec![], 1));
        assert!(first.is_finished() && second.is_finished() && !third.is_finished());
        assert_eq!((plugin.unload(seconds(0)).await.removed, bodies.count()), (1, 0));
    });
}

#[test]
fn what_others_brought_goes_on() {
    paused(async {
        let Stand { registry, bodies, plugin, .. } = stand();
        let agent = registry.scope("agent");
        agent.register_as::<unloads_never_ends>("own").expect("free");
        let other = registry.owner("plugin");
        agent.owned_by(&other).register_as::<unloads_never_ends>("others").expect("free");
        let calls = [begin(&agent, "own", "{}").await, begin(&agent, "others", "{}").await];
        // The one around it is not the plugin's, so it reads how the nested call ended.
        agent.register_as::<unloads_calls>("calls").expect("free");
        let around = begin(&agent, "calls", r#"{"name":"unloads_ends_when_told"}"#).await;
        assert_eq!(bodies.count(), 4);
        assert_eq!(running(&plugin.unload(GRACE).await), []);
        let text = around.await.expect("no panic");
        assert!(text.contains("was cancelled") && !text.starts_with("Error"), "{text}");
        assert_eq!(bodies.count(), 2);
        tokio::time::sleep(seconds(60)).await;
        assert!(calls.iter().all(|call| !call.is_finished()));
        assert_eq!((running(&other.unload(seconds(0)).await), bodies.count()), (vec![], 1));
    });
}

#[test]
fn a_result_is_one_of_a_cancelled_call_for_each_way_of_calling() {
    paused(async {
        let Stand { registry, plugin, .. } = stand();
        let session = registry.scope("agent").session();
        let batch = vec![
            ToolCall::new("a", "unloads_never_ends", "{}"),
            ToolCall::new("b", "unloads_is_quick", "{}"),
            ToolCall::new("c", "unloads_by_key", r#"{"keeps":true}"#),
            ToolCall::new("d", "unloads_by_key", r#"{"keeps":false}"#),
        ];
        let caller = session.clone();
        let results = tokio::spawn(async move { caller.call_all(batch).await });
        tokio::time::sleep(seconds(1)).await;
        assert_eq!(running(&plugin.unload(seconds(1)).await), []);
        let codes: Vec<Option<&str>> = results
            .await
            .expect("no panic")
            .iter()
            .map(|result| result.code().map(|code| code.as_str()))
            .collect();
        // The last one waited for the key, and never began.
        assert_eq!(codes, [Some("ABORTED"), None, Some("ABORTED"), Some("ABORTED_BEFORE_DISPATCH")]);
    });
}

/// Answers once it is told to.
struct Waiting(Arc<tokio::sync::Notify>);

impl Gate for Waiting {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>> {
        Box::pin(async {
            self.0.notified().await;
            Ok(())
        })
    }
}

#[test]
fn a_call_whose_tool_was_replaced_by_its_like_while_it_waited_is_one_of_the_new_owner() {
    for behind_middleware in [false, true] {
        paused(async move {
            let Stand { registry, bodies, plugin: old, .. } = stand();
            let asked = registry.scope("asked");
            let told = Arc::new(tokio::sync::Notify::new());
            asked.gate(Waiting(Arc::clone(&told))).expect("a gate");
            if behind_middleware {
                asked
                    .middleware(|_: CallContext, next: Next| async move {
                        tokio::task::yield_now().await;
                        next.run().await
                    })
                    .expect("middleware");
            }
            let waits = begin(&asked, "unloads_never_ends", "{}").await;
            assert_eq!(old.remove(), 8);
            let new = registry
                .load("plugin", |owner| registry.owned_by(owner).register::<unloads_never_ends>().map(drop))
                .expect("loads");
            told.notify_one();
            tokio::time::sleep(seconds(1)).await;
            assert_eq!(bodies.count(), 1);
            let start = Instant::now();
            assert_eq!(running(&new.unload(GRACE).await), []);
            assert_eq!((start.elapsed().as_secs(), bodies.count()), (20, 0));
            assert!(waits.await.expect("no panic").starts_with(&cancelled("unloads_never_ends")));
            // Nothing of it is the old one's any more.
            assert_eq!(running(&old.unload(seconds(0)).await), []);
        });
    }
}
