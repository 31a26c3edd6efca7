//! What a tool may do from inside a call, and a callback from inside a change: anything.

use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use tool_runtime::error::BoxError;
use tool_runtime::registry::{Change, Guard, Owner, Step, WeakScope};
use tool_runtime::{DynamicTool, Registry, Scope, Tool, ToolCall};

use super::compare::at_once;
use super::drops::holding;

/// Runs a test with a stack of 2 MiB and fails it if it does not end.
pub(super) fn in_time(test: impl FnOnce() + Send + 'static) {
    let (done, ended) = mpsc::channel();
    let thread = thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            test();
            let _ = done.send(());
        })
        .expect("a thread");
    if ended.recv_timeout(Duration::from_secs(60)) == Err(mpsc::RecvTimeoutError::Timeout) {
        panic!("it waits for itself");
    }
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// A tool that does something and tells the rest.
fn acting(name: &str, act: impl Fn() -> String + Send + Sync + 'static) -> Tool {
    let act = Arc::new(act);
    DynamicTool::new(name, "Acts.")
        .and_then(|tool| {
            tool.typed(move |(): ()| {
                let act = Arc::clone(&act);
                async move { Ok::<String, std::io::Error>(act()) }
            })
        })
        .expect("a tool")
}

fn call(scope: &Scope, name: &str) -> String {
    at_once(scope.call(ToolCall::new("1", name, "{}"))).text()
}

fn names(scope: &Scope) -> Vec<String> {
    scope.definitions().iter().map(|tool| tool.name().to_owned()).collect()
}

fn up(scope: &WeakScope) -> Scope {
    scope.upgrade().expect("it is called")
}

#[test]
fn a_tool_may_call_register_and_take_away_others_and_itself() {
    in_time(|| {
        let registry = Registry::builder().tool(holding("other", ())).build().expect("builds");
        let agent = registry.scope("agent");
        let (weak, guard) = (agent.downgrade(), Arc::new(Mutex::new(None::<Guard>)));
        let own = Arc::clone(&guard);
        let tool = acting("busy", move || {
            let scope = up(&weak);
            assert_eq!(call(&scope, "other"), "ok");
            let handle = scope.register_tool(holding("another", ())).expect("the name is free");
            assert_eq!(names(&scope), ["another", "busy", "other"]);
            assert_eq!(call(&scope, "another"), "ok");
            assert!(handle.remove());
            scope.restrict(tool_runtime::Restriction::deny(["other"])).expect("it is inherited");
            drop(own.lock().expect("nobody panics").take());
            names(&scope).join(" ")
        });
        *guard.lock().expect("nobody panics") = Some(agent.register_tool(tool).expect("a tool").into_guard());
        assert_eq!(call(&agent, "busy"), r#""""#);
        assert_eq!(call(&agent, "busy"), r#"Error: unknown tool "busy""#);
    });
}

#[test]
fn a_tool_may_drop_the_last_handle_of_its_own_scope() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let held = Arc::new(());
        let slot: Arc<Mutex<Option<(Scope, Step)>>> = Arc::default();
        let (agent, own) = (registry.scope("agent"), Arc::clone(&slot));
        let inner = Arc::clone(&held);
        let tool = acting("leaves", move || {
            drop(own.lock().expect("nobody panics").take());
            format!("{}", Arc::strong_count(&inner) > 1)
        });
        agent.register_tool(tool).expect("a tool");
        agent.shared_state(Arc::clone(&held)).expect("state");
        let weak = agent.downgrade();
        let step = agent.step();
        *slot.lock().expect("nobody panics") = Some((agent.clone(), step));
        let text = at_once(async move { agent.call(ToolCall::new("1", "leaves", "{}")).await.text() });
        assert_eq!(text, r#""true""#);
        assert!(weak.upgrade().is_none());
        assert_eq!(Arc::strong_count(&held), 1);
    });
}

#[test]
fn a_tool_may_reload_and_unload_its_own_plugin() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let slot: Arc<OnceLock<Owner>> = Arc::default();
        let (weak, own) = (registry.downgrade(), Arc::clone(&slot));
        let bring = move |owner: &Owner, name: &str| {
            let (weak, own) = (weak.clone(), Arc::clone(&own));
            let scope = up(&weak).owned_by(owner);
            let tool = acting(name, move || {
                let owner = own.get().expect("it is loaded");
                let registry = up(&weak);
                owner
                    .reload(|owner| {
                        registry.owned_by(owner).register_tool(holding("second", ()))?;
                        assert_eq!(names(&registry), ["first"]);
                        registry
                            .owned_by(owner)
                            .register_tool({
                                let own = Arc::clone(&own);
                                acting("third", move || own.get().expect("it is loaded").remove().to_string())
                            })
                            .map(drop)
                    })
                    .expect("loads");
                names(&registry).join(" ")
            });
            scope.register_tool(tool).map(drop)
        };
        let owner = registry.load("plugin", |owner| bring(owner, "first")).expect("loads");
        assert!(slot.set(owner).is_ok());
        assert_eq!(call(&registry, "first"), r#""second third""#);
        assert_eq!(call(&registry, "first"), r#"Error: unknown tool "first""#);
        assert_eq!(call(&registry, "third"), r#""2""#);
        assert!(registry.definitions().is_empty());
    });
}

#[test]
fn a_callback_may_register_and_is_told_of_it() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let agent = registry.scope("agent");
        let (weak, told) = (agent.downgrade(), Arc::new(Mutex::new(Vec::new())));
        let list = Arc::clone(&told);
        let handle = agent
            .on_change(move |change: &Change| {
                list.lock().expect("nobody panics").push(change.added.join(" "));
                let scope = up(&weak);
                if change.added == ["question"] {
                    scope.register_tool(holding("answer", ())).expect("the name is free");
                }
                names(&scope);
            })
            .expect("a callback");
        registry.register_tool(holding("question", ())).expect("a tool");
        assert_eq!(*told.lock().expect("nobody panics"), ["question", "answer"]);
        handle.remove();
        registry.register_tool(holding("nothing", ())).expect("a tool");
        assert_eq!(told.lock().expect("nobody panics").len(), 2);
    });
}

#[test]
fn a_callback_of_a_set_up_is_told_once_it_is_in_force() {
    let registry = Registry::builder().build().expect("builds");
    let told = Arc::new(Mutex::new(Vec::new()));
    let bring = |owner: &Owner| -> Result<(), BoxError> {
        let list = Arc::clone(&told);
        registry
            .owned_by(owner)
            .on_change(move |change| list.lock().expect("nobody panics").push(change.added.clone()))?;
        registry.register_tool(holding(&format!("tool_{}", registry.definitions().len()), ()))?;
        assert!(told.lock().expect("nobody panics").is_empty());
        Ok(())
    };
    assert!(registry.load("plugin", |owner| bring(owner).and(Err("a slip".into()))).is_err());
    assert!(told.lock().expect("nobody panics").is_empty());
    let _plugin = registry.load("plugin", bring).expect("loads");
    assert_eq!(*told.lock().expect("nobody panics"), [["tool_1"]]);
}

#[test]
fn thousands_of_nested_scopes_are_dropped_without_a_deep_stack() {
    in_time(|| {
        let registry = Registry::builder().tool(holding("one", ())).build().expect("builds");
        let mut scope = registry.global().clone();
        for depth in 0..20_000 {
            scope = scope.scope(format!("s{depth}"));
        }
        assert_eq!(names(&scope), ["one"]);
        registry.register_tool(holding("two", ())).expect("a tool").remove();
        assert_eq!(names(&scope), ["one"]);
        let weak = scope.downgrade();
        drop(scope);
        assert!(weak.upgrade().is_none());

        // With something in each, which goes, too.
        let held = Arc::new(());
        let mut scope = registry.global().clone();
        for depth in 0..300 {
            scope = scope.scope(format!("s{depth}"));
            scope.register_tool(holding(&format!("tool_{depth}"), Arc::clone(&held))).expect("a tool");
        }
        assert_eq!(scope.definitions().len(), 301);
        drop(registry);
        drop(scope);
        assert_eq!(Arc::strong_count(&held), 1);
    });
}
