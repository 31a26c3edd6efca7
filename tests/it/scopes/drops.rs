//! What is taken away is let go of, in order, wherever it was seen; and a drop may do what it likes.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};

use tool_runtime::error::BoxError;
use tool_runtime::registry::{LoadError, Owner, VisibilityContext, WeakScope};
use tool_runtime::{DynamicTool, Registry, Scope, Tool, ToolCall, ToolDefinition, tool, toolset};

use super::compare::at_once;
use super::inside::in_time;

/// A tool that holds something and tells nothing.
pub(super) fn holding<T: Send + Sync + 'static>(name: &str, held: T) -> Tool {
    let held = Arc::new(held);
    DynamicTool::new(name, "Holds something.")
        .and_then(|tool| {
            tool.typed(move |(): ()| {
                let held = Arc::clone(&held);
                async move {
                    drop(held);
                    Ok::<(), std::io::Error>(())
                }
            })
        })
        .expect("a tool")
}

struct Receiver;

/// Holds what it is called on.
#[toolset]
impl Receiver {
    /// Does nothing.
    #[tool]
    fn held_by_a_set(&self) {}
}

#[test]
fn what_is_removed_is_let_go_of_though_other_scopes_have_seen_it() {
    for n_others in [0, 1, 40, 100] {
        let [built, closure, state, late] = [(); 4].map(|()| Arc::new(()));
        let receiver = Arc::new(Receiver);
        let others = (0..n_others).map(|n| holding(&format!("other_{n:03}"), ()));
        let registry = Registry::builder().tools(others).build().expect("builds");
        let plugin = registry.owner("plugin");
        let agent = registry.scope("agent");
        let below = [agent.scope("one"), agent.scope("two").scope("three"), registry.scope("beside")];
        let see = || below.iter().map(|scope| scope.definitions().len()).collect::<Vec<_>>();
        let counts = || {
            let [built, closure, state, late] = [&built, &closure, &state, &late].map(Arc::strong_count);
            [built, closure, state, Arc::strong_count(&receiver), late]
        };
        let handles = [
            registry.register_tool(holding("built", Arc::clone(&built))).expect("a tool"),
            agent.register_tool(holding("closure", Arc::clone(&closure))).expect("a tool"),
            agent.shared_state(Arc::clone(&state)).expect("state"),
            agent.register_shared(&receiver).expect("a set"),
            agent.owned_by(&plugin).register_tool(holding("late", Arc::clone(&late))).expect("a tool"),
        ];
        assert_eq!(see(), [n_others + 4, n_others + 4, n_others + 1]);
        for (place, handle) in handles.iter().enumerate() {
            assert!(counts()[place] > 1);
            assert!(handle.remove());
            assert_eq!(counts()[place], 1, "{place}");
            if place % 2 == 0 {
                see();
            }
        }
        assert_eq!(see(), [n_others; 3]);
    }
}

#[test]
fn a_removed_tool_that_was_built_in_is_let_go_of_with_its_owner() {
    let held = Arc::new(());
    let registry =
        Registry::builder().tool(holding("one", Arc::clone(&held))).shared_state(Arc::clone(&held)).build();
    let registry = registry.expect("builds");
    let agent = registry.scope("agent");
    agent.definitions();
    drop((registry, agent));
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn a_step_keeps_what_it_lists_until_it_is_dropped() {
    let held = Arc::new(());
    let registry = Registry::builder().build().expect("builds");
    let handle = registry.register_tool(holding("one", Arc::clone(&held))).expect("a tool");
    let (step, view) = (registry.step(), registry.definitions());
    handle.remove();
    assert_eq!(Arc::strong_count(&held), 2);
    assert!(at_once(step.call(ToolCall::new("1", "one", "{}"))).is_error());
    drop((step, view));
    assert_eq!(Arc::strong_count(&held), 1);
}

/// Tells when it is dropped.
struct Tells(&'static str, Arc<Mutex<Vec<&'static str>>>);

impl Drop for Tells {
    fn drop(&mut self) {
        self.1.lock().expect("nobody panics").push(self.0);
    }
}

#[test]
fn the_last_registered_goes_first() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let tells = |name| Tells(name, Arc::clone(&told));
    let take = || std::mem::take(&mut *told.lock().expect("nobody panics"));
    let registry = Registry::builder().build().expect("builds");
    let agent = registry.scope("agent");
    let bring = |owner: &Owner| -> Result<(), BoxError> {
        let (one, other) = (registry.owned_by(owner), agent.owned_by(owner));
        one.register_tool(holding("zulu", tells("first")))?;
        other.state(tells("second"))?;
        other.register_tools([holding("b", tells("third")), holding("a", tells("fourth"))])?;
        one.state(tells("fifth"))?;
        one.register_tool(holding("alpha", tells("sixth")))?;
        Ok(())
    };
    let expected = ["sixth", "fifth", "fourth", "third", "second", "first"];

    let plugin = registry.load("plugin", bring).expect("loads");
    agent.scope("below").definitions();
    assert_eq!(plugin.remove(), 6);
    assert_eq!(take(), expected);

    // A set-up that is given up, one that is replaced, and an owner that is dropped.
    let slip = plugin.reload(|owner| bring(owner).and(Err("a slip".into())));
    assert!(matches!(slip, Err(LoadError::SetUp(_))));
    assert_eq!(take(), expected);
    plugin.reload(bring).expect("loads");
    plugin.reload(|_| Ok::<(), BoxError>(())).expect("loads");
    assert_eq!(take(), expected);
    plugin.reload(bring).expect("loads");
    drop(plugin);
    assert_eq!(take(), expected);

    // A scope that goes.
    let short = registry.scope("short");
    short.register_tool(holding("one", tells("first"))).expect("a tool");
    short.state(tells("second")).expect("state");
    short.scope("below").definitions();
    drop(short);
    assert_eq!(take(), ["second", "first"]);
}

/// Registers, lists and calls when it is dropped.
struct Busy {
    scope: WeakScope,
    name: &'static str,
}

impl Drop for Busy {
    fn drop(&mut self) {
        let Some(scope) = self.scope.upgrade() else { return };
        let before = scope.definitions().len();
        scope.register_tool(holding(self.name, ())).expect("the name is free");
        assert_eq!(scope.definitions().len(), before + 1);
        assert!(!at_once(scope.call(ToolCall::new("1", self.name, "{}"))).is_error());
        scope.scope("below").restrict(tool_runtime::Restriction::deny([self.name])).expect("inherited");
    }
}

fn names(scope: &Scope) -> Vec<String> {
    scope.definitions().iter().map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn a_drop_may_register_and_list() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let busy = |name| Busy { scope: registry.downgrade(), name };
        let agent = registry.scope("agent");
        registry.register_tool(holding("one", busy("left_by_a_tool"))).expect("a tool").remove();
        registry.state(busy("left_by_state")).expect("state").remove();
        agent
            .visibility({
                let busy = busy("left_by_a_rule");
                move |_: &ToolDefinition, _: &VisibilityContext<'_>| !busy.name.is_empty()
            })
            .expect("a rule")
            .remove();
        agent
            .on_change({
                let busy = busy("left_by_a_callback");
                move |_| assert!(!busy.name.is_empty())
            })
            .expect("a callback")
            .remove();
        let plugin = registry
            .load("plugin", |owner| agent.owned_by(owner).state(busy("left_by_a_plugin")).map(drop))
            .expect("loads");
        plugin.remove();
        agent.state(busy("left_by_a_scope")).expect("state");
        drop(agent);
        let taken = holding("left_by_state", busy("left_by_a_slip"));
        registry.register_tool(taken).expect_err("the name is taken");
        let expected =
            ["callback", "plugin", "rule", "scope", "slip", "tool"].map(|by| format!("left_by_a_{by}"));
        assert_eq!(names(&registry)[..6], expected);
        assert_eq!(names(&registry).len(), 7);
    });
}

/// Registers by an owner that is being set up when it is dropped.
struct Late(Mutex<Option<Scope>>);

impl Drop for Late {
    fn drop(&mut self) {
        if let Some(scope) = self.0.lock().expect("nobody panics").take() {
            scope.register_tool(holding("late", ())).expect("the name is free");
        }
    }
}

#[test]
fn a_drop_in_the_middle_of_a_set_up_may_register_by_its_owner() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let slot = Arc::new(Late(Mutex::new(None)));
        let other = registry.register_tool(holding("other", Arc::clone(&slot))).expect("a tool");
        let plugin = registry
            .load("plugin", |owner| {
                let scope = registry.owned_by(owner);
                scope.register_tool(holding("one", ()))?;
                *slot.0.lock().expect("nobody panics") = Some(scope.clone());
                // The tree as it would be with `one` holds it last.
                drop(slot);
                other.remove();
                scope.register_tool(holding("two", ()))?.remove();
                scope.register_tool(holding("three", ())).map(drop)
            })
            .expect("loads");
        assert_eq!(names(&registry), ["late", "one", "three"]);
        assert_eq!(plugin.remove(), 3);
    });
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        // Without the hook, which would write.
        resume_unwind(Box::new(()));
    }
}

#[test]
fn a_drop_that_panics_is_nobody_elses_fault() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let told = Arc::new(Mutex::new(Vec::new()));
        let agent = registry.scope("agent");
        let fill = |scope: &Scope| {
            scope.register_tools([holding("a", Bomb), holding("b", Bomb)]).expect("tools");
            scope.state(Bomb).expect("state");
            scope.register_tool(holding("c", Tells("dropped", Arc::clone(&told)))).expect("a tool");
            scope.register_tool(holding("d", Bomb)).expect("a tool")
        };
        let take = || std::mem::take(&mut *told.lock().expect("nobody panics")).len();
        let plugin = registry.owner("plugin");

        fill(&agent.owned_by(&plugin)).remove();
        agent.scope("below").definitions();
        assert_eq!((plugin.remove(), take()), (4, 1));

        // With a view that outlives them, and state that a call has last.
        let handle = fill(&agent.owned_by(&plugin));
        let (view, step) = (agent.definitions(), agent.step());
        drop(handle.into_guard());
        plugin.remove();
        assert_eq!(take(), 0);
        drop((view, step));
        assert_eq!(take(), 1);

        // Given up, and taken back.
        let slip = plugin.reload(|owner| {
            fill(&agent.owned_by(owner)).remove();
            Err::<(), _>("a slip")
        });
        assert!(slip.is_err());
        assert_eq!(take(), 1);
        plugin
            .reload(|owner| {
                fill(&agent.owned_by(owner));
                Ok::<(), BoxError>(())
            })
            .expect("loads");
        drop(plugin);
        assert_eq!(take(), 1);

        fill(&agent);
        agent.definitions();
        drop(agent);
        assert_eq!(take(), 1);
        assert!(registry.definitions().is_empty());
    });
}

#[test]
fn state_that_a_call_is_the_last_to_hold_may_panic_in_its_drop() {
    in_time(|| {
        let registry = Registry::builder().build().expect("builds");
        let state = Arc::new(registry.state(Bomb).expect("state"));
        let tool = DynamicTool::new("lets_go", "Takes the state away.")
            .and_then(|tool| {
                tool.typed(move |(): ()| {
                    let state = Arc::clone(&state);
                    async move { Ok::<bool, std::io::Error>(state.remove()) }
                })
            })
            .expect("a tool");
        registry.register_tool(tool).expect("a tool");
        assert_eq!(at_once(registry.call(ToolCall::new("1", "lets_go", "{}"))).text(), "true");
        assert_eq!(at_once(registry.call(ToolCall::new("1", "lets_go", "{}"))).text(), "false");
    });
}
