//! How long what is registered lives (contracts S2, S7): handles, owners, reloads, and who is told.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Waker};

use tokio::sync::Notify;
use tool_runtime::error::BoxError;
use tool_runtime::{
    DynamicTool, Effect, Filter, Owner, Registry, Restriction, Scope, Tool, ToolCall, ToolDefinition,
    VisibilityContext, tool, toolset,
};

use crate::support::{block_on, dynamic, names, said, said_in};

fn empty() -> Registry {
    Registry::builder().build().expect("builds")
}

fn all(_: &ToolDefinition, _: &VisibilityContext<'_>) -> bool {
    true
}

type Log = Arc<Mutex<Vec<String>>>;

/// Says when it is dropped.
struct Dropped(Log, String);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.lock().expect("a log").push(self.1.clone());
    }
}

fn read(log: &Log) -> String {
    std::mem::take(&mut *log.lock().expect("a log")).join(" ")
}

/// A tool that holds a value.
fn holding<T: Send + Sync + 'static>(name: &str, value: T) -> Tool {
    let value = Arc::new(value);
    DynamicTool::new(name, "Holds something.")
        .expect("a name")
        .typed(move |(): ()| {
            let value = Arc::clone(&value);
            async move {
                drop(value);
                Ok::<_, String>(1)
            }
        })
        .expect("a schema")
}

#[test]
fn s2_a_handle_takes_away_exactly_its_entry() {
    let registry = empty();
    let agent = registry.scope("agent");
    let first = agent.register_tool(dynamic("a", 1)).expect("registers");
    agent.register_tool(dynamic("ignored", 1)).expect("registers");
    let both = agent.register_tools([dynamic("b", 1), dynamic("c", 1)]).expect("registers");
    assert_eq!(names(&agent.definitions()), "a b c ignored");
    assert!(first.is_live() && first.clone().remove() && !first.is_live());
    // What has the name since is not the handle's.
    let second = agent.register_tool(dynamic("a", 2)).expect("registers");
    assert!(!first.remove());
    assert_eq!(said(&agent, "a"), "2");
    assert!(both.remove() && !both.remove());
    assert_eq!(names(&agent.definitions()), "a ignored");
    drop(second.into_guard());
    assert_eq!(names(&agent.definitions()), "ignored");
    // A handle does not keep its scope.
    let handle = agent.register_tool(dynamic("d", 1)).expect("registers");
    drop(agent);
    assert!(!handle.is_live() && !handle.remove());
}

#[test]
fn s2_what_is_removed_is_dropped_at_once_wherever_it_stood() {
    // In the first listing, among a few later ones, and among many.
    for count in [0, 3, 40] {
        let value = Arc::new(());
        let registry =
            Registry::builder().tool(holding("first", Arc::clone(&value))).build().expect("builds");
        let agent = registry.scope("agent");
        let last = agent.register_tool(holding("last", Arc::clone(&value))).expect("registers");
        for idx in 0..count {
            agent.register_tool(dynamic(&format!("t{idx}"), 1)).expect("registers");
            assert_eq!(agent.definitions().len(), 3 + idx);
        }
        let state = agent.shared_state(Arc::clone(&value)).expect("put");
        let inner = agent.scope("inner");
        assert_eq!((inner.definitions().len(), said(&inner, "last")), (2 + count, "1".to_owned()));
        last.remove();
        state.remove();
        assert_eq!(Arc::strong_count(&value), 2);
        drop((agent, inner, registry));
        assert_eq!(Arc::strong_count(&value), 1);
    }
    // Many at once, and one of many.
    let value = Arc::new(());
    let registry = empty();
    let plugin = registry.owner("plugin");
    let tools = (0..40).map(|idx| holding(&format!("t{idx}"), Arc::clone(&value)));
    registry.owned_by(&plugin).register_tools(tools).expect("registers");
    let single =
        registry.owned_by(&plugin).register_tool(holding("single", Arc::clone(&value))).expect("registers");
    assert_eq!(registry.definitions().len(), 41);
    single.remove();
    assert_eq!(Arc::strong_count(&value), 41);
    assert_eq!(plugin.remove(), 40);
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn s2_a_running_call_ends_after_its_tool_is_removed() {
    let go = Arc::new(Notify::new());
    let waits = Arc::clone(&go);
    let tool = DynamicTool::new("waits", "Waits.").expect("a name").typed(move |(): ()| {
        let go = Arc::clone(&waits);
        async move {
            go.notified().await;
            Ok::<_, String>(7)
        }
    });
    let registry = empty();
    let plugin = registry.owner("plugin");
    registry.owned_by(&plugin).register_tool(tool.expect("a schema")).expect("registers");
    block_on(async {
        let mut running = Box::pin(registry.call(ToolCall::new("1", "waits", "{}")));
        assert!(running.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(plugin.remove(), 1);
        let new = registry.call(ToolCall::new("2", "waits", "{}")).await;
        assert_eq!(new.text(), r#"Error: unknown tool "waits""#);
        go.notify_one();
        assert_eq!(running.await.text(), "7");
    });
}

#[test]
fn s2_an_owner_takes_away_all_it_brought_the_last_first() {
    let log = Log::default();
    let dropped = |name: &str| Dropped(Arc::clone(&log), name.to_owned());
    let registry = Registry::builder().tool(dynamic("inherited", 1)).build().expect("builds");
    let (one, two) = (registry.scope("one"), registry.scope("two"));
    let plugin = registry.owner("plugin");
    let (mine, yours) = (one.owned_by(&plugin), two.owned_by(&plugin));
    mine.register_tool(holding("a", dropped("a"))).expect("registers");
    yours.state(dropped("state")).expect("put");
    registry.owned_by(&plugin).register_tool(holding("b", dropped("b"))).expect("registers");
    mine.restrict(Restriction::deny(["inherited"])).expect("known");
    mine.filter(Filter::effects([Effect::Write])).expect("a glob");
    let callback = dropped("callback");
    yours.on_change(move |_| drop(callback.1.clone())).expect("put");
    let rule = dropped("rule");
    yours.visibility(move |_: &ToolDefinition, _: &VisibilityContext<'_>| rule.1.is_empty()).expect("put");
    mine.register_tools([holding("c", dropped("c")), holding("d", dropped("d"))]).expect("registers");
    plugin.filter(Filter::names(["*"])).expect("a glob");
    one.register_tool(dynamic("own", 1)).expect("registers");
    assert_eq!([&one, &two].map(|scope| names(&scope.definitions())), ["a b c d", ""]);
    assert_eq!(plugin.remove(), 10);
    assert_eq!(read(&log), "d c rule callback b state a");
    assert_eq!([&one, &two].map(|scope| names(&scope.definitions())), ["inherited own", "inherited"]);
    assert_eq!(plugin.remove(), 0);
    // It may bring more, which goes with its last clone.
    let clone = plugin.clone();
    one.owned_by(&clone).register_tool(holding("e", dropped("e"))).expect("registers");
    drop(mine);
    drop(yours);
    drop(plugin);
    assert_eq!((names(&one.definitions()), read(&log)), ("e inherited own".to_owned(), String::new()));
    drop(clone);
    assert_eq!((names(&one.definitions()), read(&log)), ("inherited own".to_owned(), "e".to_owned()));
}

#[test]
fn s2_a_scope_takes_its_own_along_once_nobody_has_it() {
    let log = Log::default();
    let dropped = |name: &str| Dropped(Arc::clone(&log), name.to_owned());
    let registry = empty();
    let agent = registry.scope("agent");
    agent.register_tool(holding("a", dropped("a"))).expect("registers");
    agent.state(dropped("state")).expect("put");
    agent.register_tool(holding("b", dropped("b"))).expect("registers");
    let (inner, weak) = (agent.scope("inner"), agent.downgrade());
    inner.register_tool(holding("c", dropped("c"))).expect("registers");
    let step = agent.step();
    drop(agent);
    assert!(weak.upgrade().is_some() && names(&inner.definitions()) == "a b c");
    drop(inner);
    assert_eq!(read(&log), "c");
    assert_eq!(said_in(&step, "a"), "1");
    drop(step);
    assert_eq!(read(&log), "b state a");
    assert!(weak.upgrade().is_none());
}

#[test]
fn s2_a_set_up_that_fails_or_panics_leaves_nothing_behind() {
    let log = Log::default();
    let dropped = |name: &str| Dropped(Arc::clone(&log), name.to_owned());
    let registry = empty();
    let agent = registry.scope("agent");
    let bring = |owner: &Owner| -> Result<(), BoxError> {
        let agent = agent.owned_by(owner);
        agent.register_tool(holding("a", dropped("a")))?;
        agent.state(dropped("state"))?;
        agent.register_tool(holding("b", dropped("b")))?;
        Ok(())
    };
    let error = registry.load("plugin", |owner| bring(owner).and(Err("half-way".into()))).expect_err("fails");
    assert_eq!((error.to_string(), read(&log)), ("half-way".to_owned(), "b state a".to_owned()));
    let panic = catch_unwind(AssertUnwindSafe(|| {
        registry.load("plugin", |owner| -> Result<(), BoxError> {
            bring(owner)?;
            std::panic::panic_any(5_u8)
        })
    }));
    assert_eq!(panic.expect_err("panics").downcast_ref::<u8>(), Some(&5));
    assert_eq!((read(&log), agent.definitions().len()), ("b state a".to_owned(), 0));
    let plugin = registry.load("plugin", bring).expect("goes well");
    assert_eq!((names(&agent.definitions()), read(&log)), ("a b".to_owned(), String::new()));
    // A replacement that fails leaves the former set as it is.
    plugin.reload(|owner| bring(owner).and(Err("half-way".into()))).expect_err("fails");
    assert_eq!((names(&agent.definitions()), read(&log)), ("a b".to_owned(), "b state a".to_owned()));
    plugin.reload(|_| Ok::<_, Infallible>(())).expect("an empty set");
    assert_eq!((names(&agent.definitions()), read(&log)), (String::new(), "b state a".to_owned()));
}

#[test]
fn s2_a_set_up_may_take_back_what_it_brought() {
    let registry = empty();
    let plugin =
        registry.load("plugin", |owner| registry.owned_by(owner).register_tool(dynamic("old", 1)).map(drop));
    let plugin = plugin.expect("goes well");
    let mut kept = Vec::new();
    plugin
        .reload(|owner| -> Result<(), BoxError> {
            let scope = registry.owned_by(owner);
            scope.register_tool(dynamic("x", 1))?;
            // What was there stays until the new set is in force.
            assert_eq!(owner.remove(), 1);
            assert_eq!(names(&registry.definitions()), "old");
            let nothing = scope.register_tools([])?;
            let two = scope.register_tools([dynamic("a", 1), dynamic("b", 1)])?;
            let filter = scope.filter(Filter::names(["b"]))?;
            assert!(two.is_live() && filter.is_live() && !nothing.is_live());
            assert!(filter.remove() && !filter.remove() && !nothing.remove());
            scope.register_tool(dynamic("old", 2))?;
            kept.push(two);
            Ok(())
        })
        .expect("goes well");
    assert_eq!(
        (names(&registry.definitions()), said(&registry, "old")),
        ("a b old".to_owned(), "2".to_owned())
    );
    assert!(kept.iter().all(tool_runtime::Handle::remove));
    assert_eq!(names(&registry.definitions()), "old");
}

#[test]
fn s2_what_others_take_meanwhile_is_told_by_the_commit() {
    let registry = Registry::builder().tool(dynamic("inherited", 1)).build().expect("builds");
    let agent = registry.scope("agent");
    let stage = registry.owner("plugin").stage();
    let by = agent.owned_by(stage.owner());
    by.register_tool(dynamic("t", 1)).expect("free");
    let other = agent.register_tool(dynamic("t", 2)).expect("not in force yet");
    // What does not hang on it goes on.
    by.filter(Filter::names(["*"])).expect("a glob");
    by.restrict(Restriction::deny(["inherited"])).expect("known");
    by.register_tool(dynamic("u", 1)).expect("free");
    stage.commit().expect_err("taken");
    assert_eq!(names(&agent.definitions()), "inherited t");
    by.register_tool(dynamic("v", 1)).expect_err("given up");
    other.remove();
    assert_eq!(names(&agent.definitions()), "inherited");
    // After a commit, the same owner registers at once.
    let stage = registry.owner("plugin").stage();
    let by = agent.owned_by(stage.owner());
    stage.commit().expect("nothing in the way");
    by.register_tool(dynamic("v", 1)).expect("free");
    assert_eq!(names(&agent.definitions()), "inherited v");
}

/// What is dropped under a lock would wait for itself for ever.
#[test]
fn s2_values_that_go_may_use_the_registry() {
    struct Uses(Scope, Option<tool_runtime::Handle>);
    impl Drop for Uses {
        fn drop(&mut self) {
            if let Some(handle) = &self.1 {
                handle.remove();
            }
            self.0.register_tool(dynamic("from_drop", 1)).map(|handle| handle.remove()).expect("registers");
        }
    }
    let registry = empty();
    let stage = registry.owner("plugin").stage();
    let by = registry.owned_by(stage.owner());
    let staged = by.register_tool(dynamic("staged", 1)).expect("free");
    let other = registry.owner("other");
    registry
        .owned_by(&other)
        .register_tool(holding("value", Uses(registry.clone().global().clone(), Some(staged))))
        .expect("registers");
    // The draft of the stage holds the last of what is taken away meanwhile.
    by.register_tool(dynamic("second", 1)).expect("free");
    other.remove();
    by.register_tool(dynamic("third", 1)).expect("free");
    stage.commit().expect("free");
    assert_eq!(names(&registry.definitions()), "second third");
}

#[test]
fn s2_an_owner_stays_in_its_registry() {
    let (one, two) = (empty(), empty());
    let owner = one.owner("plugin");
    let panic = catch_unwind(AssertUnwindSafe(|| two.owned_by(&owner))).expect_err("of another registry");
    assert_eq!(
        panic.downcast_ref::<String>().map(String::as_str),
        Some("owner `plugin` is of another registry than scope `global`; make one with `registry.owner(…)`")
    );
}

#[test]
fn s7_a_reload_is_seen_whole_from_every_thread() {
    let registry = empty();
    let agent = registry.scope("agent");
    let inner = agent.scope("inner");
    let bring = |owner: &Owner, tools: [&str; 3]| -> Result<(), BoxError> {
        agent.owned_by(owner).register_tool(dynamic(tools[0], 1))?;
        registry.owned_by(owner).register_tool(dynamic(tools[1], 1))?;
        inner.owned_by(owner).register_tool(dynamic(tools[2], 1))?;
        Ok(())
    };
    let (old, new) = (["a", "b", "c"], ["c", "d", "e"]);
    let plugin = registry.load("plugin", |owner| bring(owner, old)).expect("goes well");
    let done = AtomicBool::new(false);
    std::thread::scope(|threads| {
        for scope in [&inner, &agent] {
            let whole =
                if std::ptr::eq(scope, &raw const inner) { ["a b c", "c d e"] } else { ["a b", "c d"] };
            let done = &done;
            threads.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let seen = names(&scope.definitions());
                    assert!(whole.contains(&seen.as_str()), "{seen}");
                }
            });
        }
        for round in 0..300 {
            plugin.reload(|owner| bring(owner, if round % 2 == 0 { new } else { old })).expect("goes well");
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(names(&inner.definitions()), "a b c");
}

#[test]
fn s7_who_is_told_of_changes_is_told_of_all() {
    let registry = empty();
    let agent = registry.scope("agent");
    let told: Log = Log::default();
    let log = Arc::clone(&told);
    let handle = agent
        .on_change(move |change| log.lock().expect("a log").extend(change.added.iter().cloned()))
        .expect("put");
    std::thread::scope(|threads| {
        for thread in 0..4 {
            let agent = &agent;
            threads.spawn(move || {
                for idx in 0..50 {
                    agent.register_tool(dynamic(&format!("t{thread}_{idx}"), 1)).expect("registers");
                }
            });
        }
    });
    let mut all: Vec<String> = std::mem::take(&mut *told.lock().expect("a log"));
    all.sort();
    assert_eq!(all.join(" "), names(&agent.definitions()));
    handle.remove();
    agent.register_tool(dynamic("untold", 1)).expect("registers");
    assert_eq!(read(&told), "");
}

#[test]
fn s7_who_is_told_may_change_the_tree_and_may_panic() {
    let registry = empty();
    let agent = registry.scope("agent");
    let told = Log::default();
    agent.on_change(|_| panic!("of a callback")).expect("put");
    let (log, weak) = (Arc::clone(&told), agent.downgrade());
    agent
        .on_change(move |change| {
            log.lock().expect("a log").push(format!("{:?}", change.added));
            if let (Some(agent), true) = (weak.upgrade(), change.added.iter().any(|name| name == "first")) {
                agent.register_tool(dynamic("second", 1)).expect("registers");
            }
        })
        .expect("put");
    agent.register_tool(dynamic("first", 1)).expect("registers");
    assert_eq!(read(&told), r#"["first"] ["second"]"#);
}

#[test]
fn s7_nobody_is_told_by_a_set_up_that_is_not_in_force() {
    let registry = empty();
    let told = Arc::new(AtomicUsize::new(0));
    let stage = registry.owner("plugin").stage();
    let by = registry.owned_by(stage.owner());
    let count = Arc::clone(&told);
    by.on_change(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
    })
    .expect("put");
    registry.register_tool(dynamic("a", 1)).expect("registers");
    assert_eq!(told.load(Ordering::SeqCst), 0);
    by.visibility(all).expect("put");
    stage.commit().expect("free");
    let before = told.load(Ordering::SeqCst);
    registry.register_tool(dynamic("b", 1)).expect("registers");
    assert_eq!(told.load(Ordering::SeqCst), before + 1);
}

struct Counter(AtomicUsize);

#[toolset]
impl Counter {
    /// Counts.
    #[tool]
    fn count(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Counts for somebody who keeps the value.
    #[tool]
    async fn count_shared(self: Arc<Self>) -> usize {
        tokio::task::yield_now().await;
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

#[test]
fn s2_receivers_of_toolsets_live_as_long_as_their_tools() {
    let registry = empty();
    let (one, two) = (registry.scope("one"), registry.scope("two"));
    let counter = Arc::new(Counter(AtomicUsize::new(0)));
    let weak: Weak<Counter> = Arc::downgrade(&counter);
    let shared = [&one, &two].map(|scope| scope.register_shared(&counter).expect("registers"));
    drop(counter);
    let other = registry.register_all(Counter(AtomicUsize::new(10))).expect("registers");
    assert_eq!([&one, &two, &*registry].map(|scope| said(scope, "count")), ["1", "2", "11"]);
    assert_eq!([&one, &two, &*registry].map(|scope| said(scope, "count_shared")), ["3", "4", "12"]);
    shared.iter().for_each(|handle| assert!(handle.remove()));
    assert_eq!((said(&one, "count"), weak.strong_count()), ("13".to_owned(), 0));
    other.remove();
    assert_eq!(said(&one, "count"), r#"Error: unknown tool "count""#);
}
