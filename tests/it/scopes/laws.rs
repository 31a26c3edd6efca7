//! Laws: what holds of every tree of scopes.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use tool_runtime::execution::Event;
use tool_runtime::registry::VisibilityContext;
use tool_runtime::{
    CallContext, DynamicTool, Registry, Restriction, Scope, Tool, ToolCall, ToolDefinition, Values, View,
    tool,
};

use super::compare::at_once;
use super::words::{Brought, Kind, Level, NAMES, Names, brought, kind, names, narrow};

/// Everything that a model could be told of a listing.
fn bytes(view: &View) -> String {
    view.iter().fold(String::new(), |text, tool| {
        let schema = tool.input_schema().text();
        format!("{text}{}\n{}\n{schema}\n{:?}\n", tool.name(), tool.description(), tool.fingerprint())
    })
}

fn listed(scope: &Scope) -> BTreeSet<String> {
    scope.definitions().iter().map(|tool| tool.name().to_owned()).collect()
}

/// Registers something, by the scope itself; what cannot be registered is left out.
fn bring(scope: &Scope, what: &Brought, serial: u64) -> Option<tool_runtime::registry::Handle> {
    match what {
        Brought::Tools(kinds) => {
            let tools: Vec<Tool> =
                kinds.iter().zip(serial..).map(|(kind, serial)| kind.tool(serial)).collect();
            scope.register_tools(tools).ok()
        }
        Brought::Restriction(names, _) => scope.restrict_lenient(names.made()).ok().map(|(handle, _)| handle),
        Brought::Filter(filter) | Brought::OwnersFilter(filter) => scope.filter(filter.made()).ok(),
        Brought::Rule(rule) => scope.visibility(rule.made()).ok(),
        Brought::Level(level) => scope.state(Level(*level)).ok(),
    }
}

/// A chain of three scopes with something in each.
fn chain() -> impl Strategy<Value = Vec<(usize, Brought)>> {
    prop::collection::vec((0..3_usize, brought()), 0..12)
}

fn grown(parts: &[(usize, Brought)]) -> [Scope; 3] {
    let registry = Registry::builder().build().expect("builds");
    let middle = registry.scope("middle");
    let scopes = [registry.global().clone(), middle.clone(), middle.scope("leaf")];
    for (serial, (scope, what)) in (0..).step_by(8).zip(parts) {
        bring(&scopes[*scope], what, serial);
    }
    scopes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_narrows_never_adds(parts in chain(), at in 0..3_usize, names in names(), filter in narrow()) {
        let scopes = grown(&parts);
        for lenient in [true, false] {
            let before: Vec<BTreeSet<String>> = scopes.iter().map(listed).collect();
            if lenient {
                let _ = scopes[at].restrict_lenient(names.made());
            } else {
                scopes[at].filter(filter.made()).expect("the globs are ones");
            }
            for (scope, before) in scopes.iter().zip(before) {
                prop_assert!(listed(scope).is_subset(&before));
            }
        }
    }

    #[test]
    fn the_order_of_what_narrows_is_irrelevant(
        parts in chain(),
        (first, second) in prop::collection::vec((1..3_usize, names(), narrow()), 0..5)
            .prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
    ) {
        let [one, other] = [first, second].map(|narrowings| {
            let scopes = grown(&parts);
            for (at, names, filter) in &narrowings {
                let _ = scopes[*at].restrict_lenient(names.made());
                scopes[*at].filter(filter.made()).expect("the globs are ones");
            }
            scopes.map(|scope| bytes(&scope.definitions()))
        });
        prop_assert_eq!(one, other);
    }

    #[test]
    fn taking_something_away_restores_what_was_before(
        parts in chain(),
        more in prop::collection::vec((0..3_usize, brought()), 1..5),
        order in Just((0..5_usize).collect::<Vec<_>>()).prop_shuffle(),
        looked in prop::bool::ANY,
    ) {
        let scopes = grown(&parts);
        let all = |scopes: &[Scope; 3]| scopes.each_ref().map(|scope| bytes(&scope.definitions()));
        let before = all(&scopes);
        let mut handles: Vec<_> = (1000..)
            .step_by(8)
            .zip(&more)
            .map(|(serial, (at, what))| bring(&scopes[*at], what, serial))
            .collect();
        if looked {
            all(&scopes);
        }
        for place in order.into_iter().filter(|place| *place < more.len()) {
            drop(handles[place].take().map(tool_runtime::registry::Handle::into_guard));
        }
        prop_assert_eq!(all(&scopes), before);
    }

    /// Hidden in one of five ways or never there: nobody who reads or measures can tell.
    #[test]
    fn what_is_hidden_is_as_what_never_was(
        kinds in prop::collection::btree_map(prop::sample::select(&NAMES[..]), kind(), 1..7),
        secret in prop::sample::select(&NAMES[..]),
        way in 0..6_u8,
        asked in prop_oneof![
            prop::sample::select(&NAMES[..]).prop_map(str::to_owned),
            Just("alpho".to_owned()),
            Just("functions.Delta_x".to_owned()),
            Just("nothing_like_it".to_owned()),
        ],
        arguments in prop::sample::select(&["{}", "", "nonsense", r#"{"a":1}"#][..]),
    ) {
        let kinds: Vec<Kind> = kinds
            .into_iter()
            .map(|(name, kind)| Kind { name, tells: false, ..kind })
            .collect();
        let tools = |kinds: &[Kind]| -> Vec<Tool> {
            kinds.iter().zip(0..).map(|(kind, serial)| kind.tool(serial)).collect()
        };
        // The same program that never had the tool, with the same numbers for the others.
        let without: Vec<Tool> =
            tools(&kinds).into_iter().filter(|tool| tool.name() != secret).collect();
        let plain = Registry::builder().tools(without.clone()).build().expect("builds").scope("agent");
        let hiding = match way {
            0 => {
                let scope = Registry::builder().tools(tools(&kinds)).build().expect("builds").scope("agent");
                let (_, _) = scope.restrict_lenient(Restriction::deny([secret])).expect("not global");
                scope
            }
            1 => {
                let scope = Registry::builder().tools(tools(&kinds)).build().expect("builds").scope("agent");
                scope
                    .filter(tool_runtime::Filter::names([secret]).not())
                    .expect("a glob");
                scope
            }
            2 => {
                let scope = Registry::builder().tools(tools(&kinds)).build().expect("builds").scope("agent");
                let name = secret.to_owned();
                scope.visibility(move |tool: &ToolDefinition, _: &VisibilityContext<'_>| tool.name() != name).expect("a rule");
                scope
            }
            3 => {
                let registry = Registry::builder().tools(without).build().expect("builds");
                let scope = registry.scope("agent");
                if let Some(kind) = kinds.iter().find(|kind| kind.name == secret) {
                    let handle = registry.register_tool(kind.tool(99)).expect("a tool");
                    scope.definitions();
                    handle.remove();
                }
                scope
            }
            4 => {
                // A shadow that is filtered reveals nothing.
                let scope = Registry::builder().tools(tools(&kinds)).build().expect("builds").scope("agent");
                let shadow = Kind { name: secret, variant: 7, ..kinds[0].clone() };
                scope.register_tool(shadow.tool(99)).expect("a tool");
                scope.filter(tool_runtime::Filter::names([secret]).not()).expect("a glob");
                scope
            }
            _ => {
                let registry = Registry::builder().tools(without).build().expect("builds");
                let plugin = registry.owner("plugin");
                if let Some(kind) = kinds.iter().find(|kind| kind.name == secret) {
                    registry.owned_by(&plugin).register_tool(kind.tool(99)).expect("a tool");
                }
                plugin.filter(tool_runtime::Filter::names([""; 0])).expect("no glob");
                // The owner goes with the last of it, so it is kept by the scope.
                let scope = registry.scope("agent").owned_by(&plugin);
                prop_assert_eq!(everything(&scope, &asked, arguments), everything(&plain, &asked, arguments));
                scope
            }
        };
        prop_assert_eq!(everything(&hiding, &asked, arguments), everything(&plain, &asked, arguments));
    }
}

/// Calls another tool.
#[tool(effect = read, docs(optional))]
async fn laws_calls(cx: &CallContext, name: String) -> String {
    cx.call(name, "{}").await.into_text()
}

/// What a session of the scope reads of a name, from within another tool too, and what those are told who look on.
fn told(scope: &Scope, asked: &str) -> String {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let watching = scope.observe(move |event: &Event<'_>| {
        let line = format!(
            "{} {} {} {} {:?}",
            event.call_id, event.root_call_id, event.tool, event.scope, event.kind
        );
        sink.lock().expect("nobody panics").push(line);
    });
    // The tool that calls stands in a scope of its own, so that it is nothing of what is looked at.
    let within = scope.scope("within");
    within.register::<laws_calls>().expect("the name is free");
    let (session, inner) = (scope.session(), within.session());
    let call = |id: &str| ToolCall::new(id, asked, "{}");
    let nested = ToolCall::new("n", "laws_calls", format!("{{\"name\":\"{asked}\"}}"));
    let mut results = vec![at_once(session.call(call("s"))), at_once(inner.call(nested))];
    results.extend(at_once(session.call_all(vec![call("a"), call("b"), call("a")])));
    let listed: Vec<String> = session.definitions().iter().map(|tool| tool.name().to_owned()).collect();
    watching.expect("in force").remove();
    let results: Vec<String> = results
        .iter()
        .map(|result| format!("{:?} {} {}", result.code(), result.id(), result.text()))
        .collect();
    format!("{results:#?} {listed:?} {:#?}", *lines.lock().expect("nobody panics"))
}

/// All that is to be learnt of a name through a scope and a step of it.
fn everything(scope: &Scope, asked: &str, arguments: &str) -> String {
    format!("{}{}", told(scope, asked), looked(scope, asked, arguments))
}

fn looked(scope: &Scope, asked: &str, arguments: &str) -> String {
    let call = || ToolCall::new("call_1", asked, arguments);
    let step = scope.step_with(Values::new().with(Level(1)));
    let results = [
        at_once(scope.call(call())),
        at_once(step.call(call())),
        match scope.permissions(&call()) {
            Ok(requests) => return format!("{requests:?} {:?}", at_once(step.call(call())).text()),
            Err(result) => *result,
        },
    ];
    let texts: Vec<String> = results
        .iter()
        .map(|result| {
            let (code, cause) = (result.code(), result.cause().map(ToString::to_string));
            format!("{code:?} {cause:?} {:?} {} {:?}", result.repairs(), result.text(), result.content())
        })
        .collect();
    format!(
        "{texts:#?} {:?} {:?} {:?} {:?} {} {:?} {} {:?}",
        scope.concurrency(&call()),
        scope.definition(asked).map(|tool| tool.name().to_owned()),
        step.tool(asked).map(|tool| tool.name().to_owned()),
        scope.definitions().nearest(asked),
        bytes(&scope.definitions()),
        scope.definitions(),
        bytes(step.definitions()),
        at_once(scope.invoke(asked, arguments)).text(),
    )
}

#[test]
fn a_step_that_outlived_its_tool_says_no_more_than_one_that_never_had_it() {
    let tool = |name: &str, text: &'static str| {
        DynamicTool::new(name, text)
            .and_then(|tool| tool.typed(move |(): ()| async move { Ok::<_, std::io::Error>(text) }))
            .expect("a tool")
    };
    let registry = Registry::builder().tool(tool("other", "Does nothing.")).build().expect("builds");
    let agent = registry.scope("agent");
    let handle = registry.register_tool(tool("report", "Is the first.")).expect("a tool");
    let step = agent.step();
    let ask = |name: &str| at_once(step.call(ToolCall::new("1", name, "{}"))).text();
    assert_eq!(ask("report"), r#""Is the first.""#);
    assert_eq!(ask("reports"), r#"Error: unknown tool "reports"; did you mean "report"?"#);

    // Another tool of the name is not what the step has listed.
    handle.remove();
    registry.register_tool(tool("report", "Is the second.")).expect("a tool");
    assert_eq!(ask("report"), r#"Error: unknown tool "report""#);
    assert_eq!(ask("reports"), r#"Error: unknown tool "reports""#);
    assert_eq!(step.definitions().len(), 2);

    // A rule that comes later hides at once.
    assert_eq!(ask("other"), r#""Does nothing.""#);
    agent
        .visibility(|tool: &ToolDefinition, _: &VisibilityContext<'_>| tool.name() != "other")
        .expect("a rule");
    assert_eq!(ask("other"), r#"Error: unknown tool "other""#);
    assert_eq!(ask("others"), r#"Error: unknown tool "others""#);
}

#[test]
fn the_strict_and_the_lenient_restriction_hide_alike() {
    let all = Names { allow: None, deny: ["alpha"].into() };
    let scopes = [(); 2].map(|()| {
        let kind = Kind {
            name: "alpha",
            variant: 0,
            effect: tool_runtime::Effect::Read,
            tags: Vec::new(),
            tells: false,
        };
        Registry::builder().tool(kind.tool(1)).build().expect("builds").scope("agent")
    });
    scopes[0].restrict(all.made()).expect("it is inherited");
    assert_eq!(scopes[1].restrict_lenient(all.made()).expect("not global").1, None);
    assert_eq!(bytes(&scopes[0].definitions()), bytes(&scopes[1].definitions()));
}

#[test]
fn a_set_up_may_restrict_what_it_has_just_brought() {
    let tool = |name: &'static str| {
        Kind { name, variant: 0, effect: tool_runtime::Effect::Read, tags: Vec::new(), tells: false }.tool(1)
    };
    let registry = Registry::builder().tool(tool("beta")).build().expect("builds");
    let agent = registry.scope("agent");
    let plugin = registry.load("plugin", |owner| {
        let (global, agent) = (registry.owned_by(owner), agent.owned_by(owner));
        global.register_tool(tool("alpha")).map_err(|error| error.to_string())?;
        // Once the tree as it would be was looked at, it is to be looked at anew.
        for name in ["alpha", "gamma", "beta"] {
            if name == "gamma" {
                global.register_tool(tool(name)).map_err(|error| error.to_string())?;
            }
            agent.restrict(Restriction::deny([name])).map_err(|error| error.to_string())?;
        }
        Ok::<(), String>(())
    });
    let _plugin = plugin.expect("loads");
    assert!(agent.definitions().is_empty());
    assert_eq!(registry.definitions().len(), 3);
}
