//! A call that unloads its own owner, and unloadings that nobody waits for.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use tokio::time::Instant;
use tool_runtime::{CallContext, Next, Owner, Registry, Restriction, Tool};

use super::{Bodies, GRACE, Stand, begin, cancelled, running, seconds, stand, unloads_is_quick};
use crate::pipeline::{call, paused};

#[test]
fn a_dropped_unloading_has_told_everybody() {
    paused(async {
        for polls in [1, 2] {
            let Stand { registry, bodies, plugin, .. } = stand();
            let call = begin(&registry, "unloads_never_ends", "{}").await;
            let start = Instant::now();
            {
                let mut unloading = Box::pin(plugin.unload(GRACE));
                for _ in 0..polls {
                    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
                    assert!(unloading.as_mut().poll(&mut context).is_pending());
                }
            }
            assert!(registry.definitions().is_empty());
            call.await.expect("no panic");
            assert_eq!((start.elapsed().as_secs(), bodies.count()), (20, 0));
        }
    });
}

/// A tool that unloads an owner from within, in one of several ways.
fn unloading(name: &str, owner: &Arc<OnceLock<Owner>>, alone: bool) -> Tool {
    let owner = Arc::clone(owner);
    tool_runtime::DynamicTool::new(name, "Unloads a plugin.")
        .and_then(|tool| {
            tool.typed(move |(): ()| {
                let owner = owner.get().expect("it is loaded").clone();
                async move {
                    let unloads = async move { owner.unload(GRACE).await };
                    let unloaded =
                        if alone { tokio::spawn(unloads).await.expect("no panic") } else { unloads.await };
                    Ok::<String, std::io::Error>(format!("{} {:?}", unloaded.removed, running(&unloaded)))
                }
            })
        })
        .expect("a tool")
}

#[test]
fn a_call_may_unload_its_own_owner() {
    paused(async {
        let Stand { registry, bodies, plugin, .. } = stand();
        let own: Arc<OnceLock<Owner>> = Arc::default();
        let owned = registry.owned_by(&plugin);
        owned.register_tool(unloading("unloads_itself", &own, false)).expect("a tool");
        let others = begin(&registry, "unloads_never_ends", "{}").await;
        assert!(own.set(plugin.clone()).is_ok());
        drop(owned);
        let start = Instant::now();
        let result = registry.call(call("unloads_itself", "")).await;
        assert_eq!(result.text(), r#""9 []""#);
        assert_eq!(start.elapsed().as_secs(), 20);
        assert!(others.is_finished());
        assert_eq!(bodies.count(), 0);

        // Nothing else runs: it ends at once, though it runs itself.
        let Stand { registry, plugin, .. } = stand();
        let own: Arc<OnceLock<Owner>> = Arc::default();
        registry.owned_by(&plugin).register_tool(unloading("unloads_itself", &own, false)).expect("a tool");
        assert!(own.set(plugin.clone()).is_ok());
        let start = Instant::now();
        for scope in [registry.global(), &registry.scope("agent")] {
            let text = scope.call(call("unloads_itself", "")).await.text();
            assert!(text == r#""9 []""# || text == "Error: unknown tool \"unloads_itself\"", "{text}");
        }
        assert_eq!(start.elapsed(), Duration::ZERO);
    });
}

#[test]
fn a_call_in_a_call_may_unload_the_owner_of_both_or_of_the_outer_one() {
    for outer_alone in [false, true] {
        paused(async move {
            let Stand { registry, bodies, plugin, .. } = stand();
            let own: Arc<OnceLock<Owner>> = Arc::default();
            let inner = unloading("unloads_it_all", &own, false);
            if outer_alone {
                registry.register_tool(inner).expect("a tool");
            } else {
                registry.owned_by(&plugin).register_tool(inner).expect("a tool");
            }
            // Middleware is part of a call, too.
            registry
                .middleware(|_: CallContext, next: Next| async move {
                    tokio::task::yield_now().await;
                    next.run().await
                })
                .expect("middleware");
            assert!(own.set(plugin.clone()).is_ok());
            let start = Instant::now();
            let arguments = r#"{"name":"unloads_calls_not"}"#;
            let unknown = registry.call(call("unloads_calls", arguments)).await.text();
            assert!(unknown.contains("unknown tool"), "{unknown}");
            let arguments = r#"{"name":"unloads_it_all"}"#;
            let text = registry.call(call("unloads_calls", arguments)).await.text();
            let removed = if outer_alone { 8 } else { 9 };
            assert_eq!(text, format!(r#""\"{removed} []\"""#));
            assert_eq!((start.elapsed(), bodies.count()), (Duration::ZERO, 0));
        });
    }
}

#[test]
fn a_call_that_has_another_task_unload_it_ends_by_its_grace() {
    paused(async {
        let Stand { registry, plugin, .. } = stand();
        let own: Arc<OnceLock<Owner>> = Arc::default();
        registry.owned_by(&plugin).register_tool(unloading("unloads_aside", &own, true)).expect("a tool");
        assert!(own.set(plugin.clone()).is_ok());
        let start = Instant::now();
        let text = registry.call(call("unloads_aside", "")).await.text();
        assert!(text.starts_with(&cancelled("unloads_aside")), "{text}");
        assert_eq!(start.elapsed().as_secs(), 20);
        // So do two calls that unload each other's owners.
        let Stand { registry, plugin, .. } = stand();
        let other = registry.owner("other");
        let (one, two): (Arc<OnceLock<Owner>>, Arc<OnceLock<Owner>>) = Default::default();
        registry.owned_by(&plugin).register_tool(unloading("one", &one, false)).expect("a tool");
        registry.owned_by(&other).register_tool(unloading("two", &two, false)).expect("a tool");
        assert!(one.set(other).is_ok() && two.set(plugin).is_ok());
        let start = Instant::now();
        let calls = [begin(&registry, "one", "{}"), begin(&registry, "two", "{}")];
        for call in calls {
            let text = call.await.await.expect("no panic");
            assert!(text.starts_with("Error: ") || text.ends_with("[]\""), "{text}");
        }
        assert!(start.elapsed() <= GRACE + seconds(1));
    });
}

#[test]
fn within_a_set_up_it_gives_up_what_the_set_up_has_brought() {
    paused(async {
        let Stand { registry, bodies, plugin, .. } = stand();
        let running_call = begin(&registry, "unloads_never_ends", "{}").await;
        let stage = plugin.stage();
        registry.owned_by(stage.owner()).register_as::<unloads_is_quick>("new").expect("free");
        let start = Instant::now();
        let unloaded = stage.owner().unload(GRACE).await;
        assert_eq!((unloaded.removed, running(&unloaded), start.elapsed()), (1, vec![], Duration::ZERO));
        assert!(!running_call.is_finished() && bodies.count() == 1);
        // A set-up that was given up has nothing left to take away.
        let owner = stage.owner().clone();
        drop(stage);
        let unloaded = owner.unload(GRACE).await;
        assert_eq!((unloaded.removed, owner.remove(), running(&unloaded)), (0, 0, vec![]));
        assert!(!running_call.is_finished() && bodies.count() == 1);
        assert_eq!(registry.definitions().len(), 8);
        // One that is in force is the owner of all of it.
        let stage = plugin.stage();
        registry.owned_by(stage.owner()).register_as::<unloads_is_quick>("new").expect("free");
        let owner = stage.owner().clone();
        stage.commit().expect("in force");
        assert_eq!((owner.unload(GRACE).await.removed, bodies.count()), (1, 0));
    });
}

#[test]
fn nothing_is_left_behind_of_calls_and_tools() {
    paused(async {
        let registry = Registry::builder().shared_state(Arc::new(Bodies::default())).build().expect("builds");
        let held = Arc::new(());
        let weak: Weak<()> = Arc::downgrade(&held);
        let plugin = registry.owner("plugin");
        let agent = registry.scope("agent");
        let owned = agent.owned_by(&plugin);
        let bound = tool_runtime::DynamicTool::new("holds", "Holds something.")
            .and_then(|tool| {
                tool.typed(move |(): ()| {
                    let held = Arc::clone(&held);
                    async move {
                        tokio::time::sleep(seconds(50)).await;
                        drop(held);
                        Ok::<(), std::io::Error>(())
                    }
                })
            })
            .expect("a tool");
        owned.register_tool(bound).expect("free");
        owned.restrict_lenient(Restriction::deny(["other"])).expect("a restriction");
        drop(owned);
        let mut calls = Vec::new();
        for _ in 0..200 {
            calls.push(begin(&agent, "holds", "{}").await);
        }
        let session = agent.session();
        session.call(call("holds", "")).await;
        assert!(weak.upgrade().is_some());
        let unloaded = plugin.unload(seconds(1)).await;
        assert_eq!((unloaded.removed, running(&unloaded)), (2, vec![]));
        for call in calls {
            call.await.expect("no panic");
        }
        // Sessions and owners are there still, and hold nothing of it but what a step has listed.
        assert!(session.definitions().iter().all(|tool| tool.name() != "holds"));
        assert!(weak.upgrade().is_none());
        drop((session, plugin));
    });
}
