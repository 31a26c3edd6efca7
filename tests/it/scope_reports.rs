//! Field reports on tools that come and go while the program runs: listings, hidden tools, collisions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use expect_test::expect;
use tool_runtime::provider::openai;
use tool_runtime::registry::WeakScope;
use tool_runtime::{
    DynamicTool, Filter, Guard, Registry, Restriction, Scope, Tool, ToolCall, ToolDefinition, Tools,
    VisibilityContext,
};

use crate::support::{block_on, dynamic, names, said, said_in};

fn empty() -> Registry {
    Registry::builder().build().expect("builds")
}

#[test]
fn f123_a_thousand_listings_while_tools_come_and_go_are_each_whole() {
    let registry =
        Registry::builder().tools([dynamic("always", 1), dynamic("ever", 1)]).build().expect("builds");
    let agent = registry.scope("agent");
    let done = AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            let mut round = 0;
            while !done.load(Ordering::Relaxed) {
                let pair =
                    agent.register_tools([dynamic("pair_a", 1), dynamic("pair_b", 1)]).expect("registers");
                let shadow = agent.register_tool(dynamic("ever", 2)).expect("registers");
                round += 1;
                shadow.remove();
                pair.remove();
            }
            assert!(round > 0);
        });
        for _ in 0..1000 {
            let step = agent.step();
            let listed = names(step.definitions());
            assert!(["always ever", "always ever pair_a pair_b"].contains(&listed.as_str()), "{listed}");
            // What it lists does not change under its reader.
            assert_eq!(names(step.definitions()), listed);
            assert_eq!(step.definitions().len(), listed.split(' ').count());
            assert_eq!(said_in(&step, "always"), "1");
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn f124_tools_are_added_and_disabled_at_run_time_and_listeners_are_told_once() {
    let registry = empty();
    let agent = registry.scope("agent");
    block_on(async {
        let mut changes = agent.changes();
        let guard = agent.register_tool(dynamic("added", 1)).expect("registers").into_guard();
        agent.register_tool(dynamic("kept", 1)).expect("registers");
        let disabled = agent.filter(Filter::names(["kept"]).not()).expect("a glob").into_guard();
        let change = changes.next().await.expect("one");
        assert_eq!((change.added, change.removed.len()), (vec!["added".to_owned()], 0));
        drop((guard, disabled));
        let change = changes.next().await.expect("one");
        assert_eq!(
            (change.added.join(" "), change.removed.join(" ")),
            ("kept".to_owned(), "added".to_owned())
        );
    });
}

#[test]
fn f127_what_a_scope_lists_can_be_called_and_nothing_else() {
    let registry =
        Registry::builder().tools(["a", "b", "c", "d"].map(|name| dynamic(name, 1))).build().expect("builds");
    let agent = registry.scope("agent");
    let inner = agent.scope("inner");
    agent.restrict(Restriction::deny(["a"])).expect("known");
    agent.register_tools([dynamic("c", 2), dynamic("e", 1)]).expect("registers");
    inner.filter(Filter::names(["e"]).not()).expect("a glob");
    inner.visibility(|tool: &ToolDefinition, _: &VisibilityContext<'_>| tool.name() != "b").expect("put");
    for scope in [&*registry, &agent, &inner] {
        let (view, step) = (scope.definitions(), scope.step());
        for name in ["a", "b", "c", "d", "e", "f"] {
            let listed = view.get(name).is_some();
            for text in [said(scope, name), said_in(&step, name)] {
                assert_eq!(
                    text.starts_with("Error: unknown tool"),
                    !listed,
                    "{} {name}: {text}",
                    scope.name()
                );
            }
            assert_eq!((scope.tool(name).is_some(), scope.definition(name).is_some()), (listed, listed));
        }
    }
}

#[test]
fn f130_a_scopes_block_of_tools_is_the_same_bytes_in_whatever_order_it_came() {
    let block = |scope: &Scope| openai::Chat::plain().tools(&scope.definitions());
    let mut blocks = Vec::new();
    for order in [["b", "a", "d", "c"], ["d", "c", "b", "a"], ["a", "b", "c", "d"]] {
        let registry = empty();
        let agent = registry.scope("agent");
        for name in order {
            let scope: &Scope = if ["a", "c"].contains(&name) { &agent } else { &registry };
            scope.register_tool(dynamic(name, 1)).expect("registers");
        }
        let before = block(&agent);
        // What is registered elsewhere, or comes and goes, leaves the bytes alone.
        registry.scope("other").register_tool(dynamic("aa", 1)).expect("registers");
        agent.register_tool(dynamic("ab", 1)).expect("registers").remove();
        assert_eq!(block(&agent), before);
        blocks.push(before);
    }
    blocks.dedup();
    assert_eq!(blocks.len(), 1);
    expect![[r#"[{"type":"function","function":{"name":"a","description":"Answers 1.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"b","description":"Answers 1.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"c","description":"Answers 1.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"d","description":"Answers 1.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":false}}]"#]].assert_eq(&blocks[0]);
}

/// A tool that does something to the scope that it is called in.
fn acting(name: &str, weak: WeakScope, act: impl Fn(&Scope) -> i64 + Send + Sync + 'static) -> Tool {
    let act = Arc::new(act);
    DynamicTool::new(name, "Acts.")
        .expect("a name")
        .typed(move |(): ()| {
            let (act, weak) = (Arc::clone(&act), weak.clone());
            async move { weak.upgrade().map(|scope| act(&scope)).ok_or("the scope is gone") }
        })
        .expect("a schema")
}

#[test]
fn f132_a_tool_may_register_remove_and_drop_its_own_guard_while_it_runs() {
    let registry = empty();
    let agent = registry.scope("agent");
    let weak = || agent.downgrade();
    agent
        .register_tool(acting("registers", weak(), |scope| {
            scope.register_tool(dynamic("new", 9)).expect("registers");
            i64::try_from(scope.definitions().len()).expect("few")
        }))
        .expect("registers");
    let own: Arc<Mutex<Option<Guard>>> = Arc::default();
    let guard = Arc::clone(&own);
    let drops = acting("drops_itself", weak(), move |scope| {
        drop(guard.lock().expect("a guard").take());
        i64::from(scope.definition("drops_itself").is_none())
    });
    *own.lock().expect("a guard") = Some(agent.register_tool(drops).expect("registers").into_guard());
    let plugin = Arc::new(OnceLock::new());
    let owner = Arc::clone(&plugin);
    let unloads = acting("unloads_its_plugin", weak(), move |_| {
        owner.get().map_or(0, |owner: &tool_runtime::Owner| i64::try_from(owner.remove()).expect("few"))
    });
    let loaded = registry
        .load("plugin", |owner| agent.owned_by(owner).register_tool(unloads).map(drop))
        .expect("loads");
    assert!(plugin.set(loaded).is_ok());
    assert_eq!(said(&agent, "registers"), "4");
    assert_eq!(said(&agent, "drops_itself"), "1");
    assert_eq!(said(&agent, "unloads_its_plugin"), "1");
    assert_eq!(names(&agent.definitions()), "new registers");
    // From within a call that is called.
    let nested = DynamicTool::new("nested", "Calls.").expect("a name").typed({
        let weak = weak();
        move |(): ()| {
            let weak = weak.clone();
            async move {
                let scope = weak.upgrade().ok_or("the scope is gone")?;
                Ok::<_, &str>(scope.call(ToolCall::new("1", "new", "{}")).await.text())
            }
        }
    });
    agent.register_tool(nested.expect("a schema")).expect("registers");
    assert_eq!(said(&agent, "nested"), r#""9""#);
}

#[test]
fn f037_two_plugins_with_one_name_are_told_apart_or_refused_with_both() {
    let registry = empty();
    let (one, two) = (registry.owner("tickets"), registry.owner("wiki"));
    registry.owned_by(&one).register_tool(dynamic("search", 1)).expect("free");
    let error = registry.owned_by(&two).register_tool(dynamic("search", 2)).expect_err("taken");
    expect![[r#"
        nothing was registered:
        - tool `search` is registered in scope `global` already, by `tickets` (made at run time), and now by `wiki` (made at run time); take another name, or a scope of its own"#]].assert_eq(&error.to_string());
    assert_eq!(said(&registry, "search"), "1");
    // With a prefix the model sees both.
    let wiki = Tools::new([dynamic("search", 2)]).and_then(|tools| tools.prefixed("wiki_")).expect("a name");
    registry.owned_by(&two).register_tools(wiki).expect("free");
    assert_eq!((said(&registry, "search"), said(&registry, "wiki_search")), ("1".to_owned(), "2".to_owned()));
    // Within one set, before anything is registered.
    Tools::new([dynamic("search", 1), dynamic("search", 2)]).expect_err("twice");
}

#[test]
fn f042_hidden_names_are_never_the_nearest() {
    let registry =
        Registry::builder().tools(["foo", "food"].map(|name| dynamic(name, 1))).build().expect("builds");
    let agent = registry.scope("agent");
    assert_eq!(said(&agent, "fooo"), r#"Error: unknown tool "fooo"; did you mean "foo"?"#);
    agent.restrict(Restriction::deny(["foo"])).expect("known");
    assert_eq!(said(&agent, "fooo"), r#"Error: unknown tool "fooo"; did you mean "food"?"#);
    agent.filter(Filter::names(["food"]).not()).expect("a glob");
    agent.visibility(|_: &ToolDefinition, _: &VisibilityContext<'_>| false).expect("put");
    assert_eq!(said(&agent, "fooo"), r#"Error: unknown tool "fooo""#);
}

#[test]
fn f120_a_panic_while_tools_are_registered_leaves_the_registry_usable() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                panic!("a secret of a drop");
            }
        }
    }
    let registry = empty();
    let agent = registry.scope("agent");
    let handle = agent.state(Bomb).expect("put");
    agent.on_change(|_| panic!("a secret of a callback")).expect("put");
    let tool = agent.register_tool(dynamic("a", 1)).expect("registers");
    assert!(handle.remove() && tool.remove());
    agent.register_tool(dynamic("b", 1)).expect("registers");
    assert_eq!((names(&agent.definitions()), said(&agent, "b")), ("b".to_owned(), "1".to_owned()));
}
