//! Threads on the real registry; loom tries every order of the protocol beneath, in `loom-tests`.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tool_runtime::registry::{Change, Owner};
use tool_runtime::{DynamicTool, Filter, Registry, Scope, Tool, ToolCall, View};

use super::compare::at_once;
use super::drops::holding;
use super::inside::in_time;
use crate::support::block_on;

/// How often the writers do what they do.
const ROUNDS: usize = 200;

fn telling(name: &str, text: String) -> Tool {
    DynamicTool::new(name, text.clone())
        .and_then(|tool| {
            tool.typed(move |(): ()| {
                let text = text.clone();
                async move { Ok::<String, std::io::Error>(text) }
            })
        })
        .expect("a tool")
}

/// Lets readers read, again and again, until the writers are done.
fn race(writers: Vec<Box<dyn FnMut(usize) + Send>>, readers: Vec<Box<dyn FnMut() + Send>>) {
    let done = AtomicBool::new(false);
    thread::scope(|threads| {
        let done = &done;
        for mut read in readers {
            threads.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    read();
                }
            });
        }
        let writers: Vec<_> = writers
            .into_iter()
            .map(|mut write| threads.spawn(move || (0..ROUNDS).for_each(&mut write)))
            .collect();
        let ended: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Relaxed);
        ended.into_iter().for_each(|ended| ended.expect("no writer panics"));
    });
}

fn in_order(view: &View) -> Vec<&str> {
    let names: Vec<&str> = view.iter().map(|tool| tool.name()).collect();
    assert!(names.is_sorted_by(|one, other| one < other), "{names:?}");
    assert_eq!(names.len(), view.len());
    names
}

#[test]
fn what_is_registered_at_once_is_listed_at_once() {
    in_time(|| {
        let registry = Registry::builder().tool(holding("m", ())).build().expect("builds");
        let below = registry.scope("agent").scope("below");
        let writer = |prefix: &'static str| -> Box<dyn FnMut(usize) + Send> {
            let registry = registry.clone();
            Box::new(move |_| {
                let names = [format!("a_{prefix}"), format!("z_{prefix}")];
                let handle =
                    registry.register_tools(names.each_ref().map(|name| holding(name, ()))).expect("free");
                assert!(handle.remove());
            })
        };
        let reader = |scope: Scope| -> Box<dyn FnMut() + Send> {
            Box::new(move || {
                let view = scope.definitions();
                let names = in_order(&view);
                assert!(names.contains(&"m"));
                for prefix in ["one", "two"] {
                    let has = ["a", "z"].map(|side| names.contains(&format!("{side}_{prefix}").as_str()));
                    assert_eq!(has[0], has[1], "{names:?}");
                }
            })
        };
        race(vec![writer("one"), writer("two")], vec![reader(registry.global().clone()), reader(below)]);
        assert_eq!(registry.definitions().len(), 1);
    });
}

#[test]
fn a_reload_shows_the_old_set_or_the_new_in_every_scope_of_a_chain() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let middle = registry.scope("middle");
        let leaf = middle.scope("leaf");
        let plugin = registry.owner("plugin");
        let scopes = [registry.global().clone(), middle, leaf.clone()];
        let write = {
            // The plugin outlives the last reader.
            let (scopes, plugin) = (scopes.clone(), plugin.clone());
            move |round: usize| {
                plugin
                    .reload(|owner| {
                        for (scope, name) in scopes.iter().zip(["a", "b", "c"]) {
                            scope.owned_by(owner).register_tool(telling(name, format!("round {round}")))?;
                        }
                        Ok::<(), tool_runtime::registry::RegistryError>(())
                    })
                    .expect("loads");
            }
        };
        write(0);
        let read = || -> Box<dyn FnMut() + Send> {
            let leaf = leaf.clone();
            Box::new(move || {
                let step = leaf.step();
                let listed: Vec<&str> = step.definitions().iter().map(|tool| tool.description()).collect();
                assert_eq!(listed.len(), 3, "{listed:?}");
                assert!(listed.iter().all(|text| *text == listed[0]), "{listed:?}");
                // What the step lists it calls, or it says that it is gone.
                let text = at_once(step.call(ToolCall::new("1", "b", "{}"))).text();
                assert!(
                    text == format!("{:?}", listed[0]) || text == r#"Error: unknown tool "b""#,
                    "{text}, listed {listed:?}"
                );
                let text = at_once(leaf.call(ToolCall::new("1", "c", "{}"))).text();
                assert!(text.starts_with("\"round "), "{text}");
            })
        };
        race(vec![Box::new(write)], vec![read(), read()]);
    });
}

#[test]
fn a_removal_starts_no_new_call_and_lets_running_ones_end() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let agent = registry.scope("agent");
        let (started, running) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let tool = {
            let (started, running) = (Arc::clone(&started), Arc::clone(&running));
            move |name: &str| {
                let (started, running) = (Arc::clone(&started), Arc::clone(&running));
                DynamicTool::new(name, "Takes its time.")
                    .and_then(|tool| {
                        tool.typed(move |(): ()| {
                            started.fetch_add(1, Ordering::SeqCst);
                            let running = Arc::clone(&running);
                            async move {
                                running.fetch_add(1, Ordering::SeqCst);
                                tokio::task::yield_now().await;
                                running.fetch_sub(1, Ordering::SeqCst);
                                Ok::<(), std::io::Error>(())
                            }
                        })
                    })
                    .expect("a tool")
            }
        };
        let writer: Box<dyn FnMut(usize) + Send> = {
            let agent = agent.clone();
            Box::new(move |round| {
                let name = format!("t{}", round % 3);
                let handle = agent.register_tool(tool(&name)).expect("the name is free");
                thread::yield_now();
                assert!(handle.remove());
                // From here on, it is unknown.
                let text = at_once(agent.call(ToolCall::new("1", name.as_str(), "{}"))).text();
                assert_eq!(text, format!("Error: unknown tool {name:?}"));
            })
        };
        let reader = || -> Box<dyn FnMut() + Send> {
            let agent = agent.clone();
            Box::new(move || {
                for name in ["t0", "t1", "t2"] {
                    let result = block_on(agent.call(ToolCall::new("1", name, "{}")));
                    let text = result.text();
                    assert!(
                        text == "ok" || text.starts_with(&format!("Error: unknown tool {name:?}")),
                        "{text}"
                    );
                    assert!(!text.contains(&format!("did you mean {name:?}")), "{text}");
                }
            })
        };
        race(vec![writer], vec![reader(), reader()]);
        assert_eq!(running.load(Ordering::SeqCst), 0);
        assert!(agent.definitions().is_empty());
    });
}

#[test]
fn scopes_are_dropped_while_their_tools_are_called() {
    in_time(|| {
        let registry = Registry::builder().tool(holding("plain", ())).build().expect("builds");
        let held = Arc::new(());
        let slot = Arc::new(std::sync::Mutex::new(registry.scope("first")));
        let writer: Box<dyn FnMut(usize) + Send> = {
            let (registry, held, slot) = (registry.clone(), Arc::clone(&held), Arc::clone(&slot));
            Box::new(move |round| {
                let scope = registry.scope(format!("s{round}"));
                scope.register_tool(holding("own", Arc::clone(&held))).expect("a tool");
                scope.shared_state(Arc::clone(&held)).expect("state");
                let old = std::mem::replace(&mut *slot.lock().expect("nobody panics"), scope);
                drop(old);
            })
        };
        let reader = || -> Box<dyn FnMut() + Send> {
            let slot = Arc::clone(&slot);
            Box::new(move || {
                let scope = slot.lock().expect("nobody panics").clone();
                let weak = scope.downgrade();
                let plain = at_once(scope.call(ToolCall::new("1", "plain", "{}")));
                assert_eq!(plain.text(), "ok");
                let step = scope.step();
                drop(scope);
                for name in step.definitions().iter().map(|tool| tool.name()) {
                    assert_eq!(at_once(step.call(ToolCall::new("1", name, "{}"))).text(), "ok");
                }
                drop(step);
                if let Some(scope) = weak.upgrade() {
                    in_order(&scope.definitions());
                }
            })
        };
        race(vec![writer], vec![reader(), reader()]);
        drop(slot);
        assert_eq!(Arc::strong_count(&held), 1);
        assert_eq!(registry.definitions().len(), 1);
    });
}

#[test]
fn what_goes_while_it_is_looked_at_is_kept_by_nobody() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let scopes: Vec<Scope> = (0..4).map(|idx| registry.scope(format!("s{idx}")).scope("below")).collect();
        let held = Arc::new(());
        let round = {
            let (registry, held) = (registry.clone(), Arc::clone(&held));
            move || {
                let handle = registry.register_tool(holding("one", Arc::clone(&held))).expect("free");
                thread::yield_now();
                handle.remove();
            }
        };
        for _ in 0..20 {
            thread::scope(|threads| {
                for scope in &scopes {
                    threads.spawn(|| (0..50).for_each(|_| drop(scope.definitions())));
                }
                threads.spawn(|| (0..10).for_each(|_| round()));
            });
            // Nobody has looked since.
            assert_eq!(Arc::strong_count(&held), 2);
        }
    });
}

/// Does a change to what is known; it must fit.
fn replay(known: &mut BTreeSet<String>, change: &Change) {
    for name in &change.removed {
        assert!(known.remove(name), "{name} was not there: {change:?}");
    }
    for name in &change.added {
        assert!(known.insert(name.clone()), "{name} was there: {change:?}");
    }
    assert!(change.changed.iter().all(|name| known.contains(name)), "{change:?}");
}

#[test]
fn whoever_replays_the_changes_knows_the_listing() {
    in_time(|| {
        let registry = Registry::builder().tool(holding("m", ())).build().expect("builds");
        let agent = registry.scope("agent");
        let listing = |scope: &Scope| -> BTreeSet<String> {
            scope.definitions().iter().map(|tool| tool.name().to_owned()).collect()
        };
        let known = Arc::new(Mutex::new(listing(&agent)));
        let own = Arc::clone(&known);
        agent
            .on_change(move |change| replay(&mut own.lock().expect("nobody panics"), change))
            .expect("in force");
        let mut changes = agent.changes();
        let mut waited = listing(&agent);
        let waiter = thread::spawn(move || {
            block_on(async {
                while !waited.contains("z_the_end") {
                    replay(&mut waited, &changes.next().await.expect("the scope is there"));
                }
            });
            waited
        });
        let writer = |name: &'static str, scope: Scope| -> Box<dyn FnMut(usize) + Send> {
            let plugin = registry.owner(name);
            Box::new(move |round| {
                let names = [format!("{name}_{}", round % 3), format!("{name}_{}", (round + 1) % 3)];
                let set_up = |owner: &Owner| {
                    let tools = names.each_ref().map(|name| telling(name, format!("In round {round}.")));
                    scope.owned_by(owner).register_tools(tools).map(drop)
                };
                plugin.reload(set_up).expect("the names are free");
                let filter = Filter::names([format!("{name}_*")]).not();
                drop(scope.filter(filter).expect("a glob").into_guard());
            })
        };
        race(vec![writer("one", registry.global().clone()), writer("two", agent.clone())], vec![]);
        registry.register_tool(holding("z_the_end", ())).expect("a tool");
        let listed = listing(&agent);
        assert_eq!(*known.lock().expect("nobody panics"), listed);
        assert_eq!(waiter.join().expect("nobody panics"), listed);
    });
}
