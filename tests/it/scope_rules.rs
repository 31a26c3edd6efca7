//! What a scope sees (contracts S1, S3 to S7, S9, N4), each rule by a plain case.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::expect;
use tool_runtime::registry::{Change, Changes};
use tool_runtime::{
    CallContext, Effect, Filter, Guard, Handle, Owner, Registry, Restriction, Scope, State, Step, Tool,
    ToolCall, ToolDefinition, Tools, Values, View, VisibilityContext, tool, toolset,
};

use crate::support::{block_on, dynamic, failure, names, said, said_in};

fn registry(tools: impl IntoIterator<Item = &'static str>) -> Registry {
    Registry::builder().tools(tools.into_iter().map(|name| dynamic(name, 1))).build().expect("builds")
}

fn nobody(_: &ToolDefinition, _: &VisibilityContext<'_>) -> bool {
    false
}

#[test]
fn what_is_shared_between_threads_can_be() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Registry>();
    shared::<Scope>();
    shared::<Step>();
    shared::<View>();
    shared::<Owner>();
    shared::<Handle>();
    shared::<Guard>();
    shared::<Tools>();
    shared::<Tool>();
    shared::<Values>();
    shared::<Filter>();
    shared::<Changes>();
}

#[test]
fn s1_a_registration_lands_in_its_scope_and_below() {
    let registry = registry(["a"]);
    let (one, two) = (registry.scope("one"), registry.scope("two"));
    let inner = one.scope("inner");
    one.register_tool(dynamic("b", 1)).expect("registers");
    assert_eq!(
        [&*registry, &one, &two, &inner].map(|scope| names(&scope.definitions())),
        ["a", "a b", "a", "a b"]
    );
    assert_eq!(inner.parent().expect("one").name(), "one");
    assert!(registry.parent().is_none());
    // Two owners have one name in two scopes, not in one.
    let plugin = registry.owner("plugin");
    one.owned_by(&plugin).register_tool(dynamic("b", 2)).expect_err("taken");
    two.owned_by(&plugin).register_tool(dynamic("b", 2)).expect("free");
    assert_eq!((said(&one, "b"), said(&two, "b")), ("1".to_owned(), "2".to_owned()));
}

#[test]
fn s3_a_shadow_holds_in_either_order_and_gives_the_name_back() {
    for near_first in [true, false] {
        let registry = registry([]);
        let agent = registry.scope("agent");
        let inner = agent.scope("inner");
        let near = || agent.register_tool(dynamic("t", 2)).expect("registers");
        let far = || registry.register_tool(dynamic("t", 1)).expect("registers");
        let (near, far) = if near_first {
            let near = near();
            (near, far())
        } else {
            let far = far();
            (near(), far)
        };
        assert_eq!([&*registry, &agent, &inner].map(|scope| said(scope, "t")), ["1", "2", "2"]);
        assert_eq!(agent.definitions().len(), 1);
        near.remove();
        assert_eq!(said(&inner, "t"), "1");
        far.remove();
        assert_eq!(said(&inner, "t"), r#"Error: unknown tool "t""#);
    }
}

#[test]
fn s4_restrictions_narrow_what_is_inherited_and_filters_all_of_it() {
    let registry = registry(["a", "b"]);
    let agent = registry.scope("agent");
    agent.restrict(Restriction::deny(["a"])).expect("known");
    let own = agent.register_tool(dynamic("a", 2)).expect("registers");
    assert_eq!((names(&agent.definitions()), said(&agent, "a")), ("a b".to_owned(), "2".to_owned()));
    // Below, it is inherited, so that it can be restricted there.
    let inner = agent.scope("inner");
    inner.restrict(Restriction::deny(["a"])).expect("known");
    assert_eq!(names(&inner.definitions()), "b");
    own.remove();
    assert_eq!(names(&agent.definitions()), "b", "the restriction hides the inherited one still");
    // A filter narrows its own scope and what those below inherit, not what they have themselves.
    agent.filter(Filter::names(["a"])).expect("a glob");
    inner.register_tool(dynamic("c", 1)).expect("registers");
    assert_eq!((names(&agent.definitions()), names(&inner.definitions())), (String::new(), "c".to_owned()));
}

#[test]
fn s4_a_hidden_shadow_never_reveals_what_it_shadows() {
    let registry = registry(["t", "u"]);
    let plugin = registry.owner("plugin");
    let hide: [fn(&Scope, &Owner) -> Handle; 4] = [
        |scope, _| scope.filter(Filter::owners(["agent"]).not()).expect("a glob"),
        |scope, _| scope.filter(Filter::effects([Effect::Exec]).or(Filter::names(["u"]))).expect("a glob"),
        |scope, _| {
            scope
                .visibility(|tool: &ToolDefinition, _: &VisibilityContext<'_>| tool.name() != "t")
                .expect("put")
        },
        |_, plugin| plugin.filter(Filter::names(["x"])).expect("a glob"),
    ];
    for (idx, hide) in hide.into_iter().enumerate() {
        let agent = registry.scope("agent");
        let by = if idx == 3 { agent.owned_by(&plugin) } else { agent.clone() };
        by.register_tool(dynamic("t", 2)).expect("registers");
        let handle = hide(&agent, &plugin);
        assert_eq!(names(&agent.definitions()), "u", "{idx}");
        assert_eq!(said(&agent, "t"), r#"Error: unknown tool "t""#, "{idx}");
        handle.remove();
        assert_eq!((names(&agent.definitions()), said(&agent, "t")), ("t u".to_owned(), "2".to_owned()));
    }
    assert_eq!(said(&registry, "t"), "1");
}

#[test]
fn s4_an_owners_filter_goes_with_its_tools_into_every_scope() {
    let registry = registry(["keep"]);
    let plugin = registry.owner("plugin");
    let agent = registry.scope("agent");
    let global = registry.owned_by(&plugin);
    global.register_tools([dynamic("safe_a", 1), dynamic("b", 1)]).expect("registers");
    agent.owned_by(&plugin).register_tools([dynamic("safe_c", 1), dynamic("d", 1)]).expect("registers");
    agent.register_tool(dynamic("e", 1)).expect("registers");
    let handle = plugin.filter(Filter::names(["safe_*"])).expect("a glob");
    assert_eq!(names(&agent.definitions()), "e keep safe_a safe_c");
    handle.remove();
    assert_eq!(names(&agent.definitions()), "b d e keep safe_a safe_c");
}

#[test]
fn s5_deny_lists_admit_later_names_and_allow_lists_do_not() {
    let registry = registry(["a", "b", "c"]);
    let (deny, allow, none) = (registry.scope("deny"), registry.scope("allow"), registry.scope("none"));
    deny.restrict(Restriction::deny(["a"])).expect("known");
    allow.restrict(Restriction::allow(["a", "b"]).and_deny(["b"])).expect("known");
    none.restrict(Restriction::allow(Vec::<String>::new())).expect("an empty list says something");
    registry.register_tool(dynamic("d", 1)).expect("registers");
    assert_eq!([&deny, &allow, &none].map(|scope| names(&scope.definitions())), ["b c d", "a", ""]);
    // Several intersect; one that goes leaves the others.
    let second = deny.restrict(Restriction::allow(["a", "b", "d"])).expect("known");
    assert_eq!(names(&deny.definitions()), "b d");
    second.remove();
    assert_eq!(names(&deny.definitions()), "b c d");
}

struct Tagged;

#[toolset]
impl Tagged {
    /// Shows the log.
    #[tool(effect = read, tags = ["git", "history"])]
    fn git_log(&self) {}

    /// Pushes.
    #[tool(effect = exec, tags = ["git", "net"])]
    fn git_push(&self) {}

    /// Tells the time.
    #[tool(effect = read, owner = "clock")]
    fn now(&self) {}
}

#[test]
fn s5_filters_take_globs_effects_tags_and_owners() {
    let registry =
        Registry::builder().register_all(Tagged).tool(dynamic("other", 1)).build().expect("builds");
    let plugin = registry.owner("plug-in");
    registry.owned_by(&plugin).register_tool(dynamic("brought", 1)).expect("registers");
    let seen = |filter: Filter| {
        let scope = registry.scope("agent");
        scope.filter(filter).expect("a glob");
        names(&scope.definitions())
    };
    assert_eq!(seen(Filter::names(["git_*", "no?"])), "git_log git_push now");
    assert_eq!(seen(Filter::names(["{git_log,other}", "[m-n]ow"])), "git_log now other");
    assert_eq!(seen(Filter::names(["GIT_*"])), "", "names match exactly");
    assert_eq!(seen(Filter::effects([Effect::Exec])), "git_push");
    assert_eq!(seen(Filter::tags(["his*", "net"])), "git_log git_push");
    assert_eq!(seen(Filter::owners(["plug-*", "clock"])), "brought now");
    assert_eq!(seen(Filter::owners(["registry"])), "git_log git_push other");
    assert_eq!(seen(Filter::tags(["git"]).except(Filter::effects([Effect::Exec]))), "git_log");
    assert_eq!(seen(Filter::names(["now"]).or(Filter::tags(["net"]))), "git_push now");
    assert_eq!(
        seen(Filter::names(["*"]).and(Filter::names(["other"]).not())),
        "brought git_log git_push now"
    );
    assert_eq!(seen(Filter::effects([])), "");
}

#[test]
fn s7_a_step_keeps_its_listing_and_calls_what_is_left_of_it() {
    let registry = registry(["stays", "goes", "hides", "ruled", "changes", "same"]);
    let agent = registry.scope("agent");
    let handles = ["moves"].map(|name| registry.register_tool(dynamic(name, 1)).expect("registers"));
    let step = agent.step();
    let listed = names(step.definitions());
    // Later ones are not seen by it.
    registry.register_tool(dynamic("later", 1)).expect("registers");
    assert_eq!(said_in(&step, "later"), r#"Error: unknown tool "later""#);
    assert_eq!(said(&agent, "later"), "1");
    // What goes, is hidden or becomes another since is unknown at once.
    agent.restrict(Restriction::deny(["goes"])).expect("known");
    agent.filter(Filter::names(["hides"]).not()).expect("a glob");
    agent.visibility(|tool: &ToolDefinition, _: &VisibilityContext<'_>| tool.name() != "ruled").expect("put");
    agent.register_tool(dynamic("changes", 2)).expect("registers");
    handles.iter().for_each(|handle| assert!(handle.remove()));
    for name in ["goes", "hides", "ruled", "changes", "moves"] {
        assert_eq!(said_in(&step, name), format!(r#"Error: unknown tool "{name}""#));
    }
    assert_eq!((said_in(&step, "stays"), said(&agent, "changes")), ("1".to_owned(), "2".to_owned()));
    // What is replaced by its like is neither.
    registry.register_tool(dynamic("moves", 1)).expect("registers");
    assert_eq!(said_in(&step, "moves"), "1");
    assert_eq!(names(step.definitions()), listed);
    assert_eq!(listed, "changes goes hides moves ruled same stays");
    // Nor is a hidden name suggested.
    assert_eq!(said_in(&step, "rule"), r#"Error: unknown tool "rule""#);
    assert_eq!(said_in(&step, "stay"), r#"Error: unknown tool "stay"; did you mean "stays"?"#);
}

struct Admin;

#[test]
fn s4_rules_are_asked_once_a_step_and_know_the_session() {
    let asked = Arc::new(AtomicUsize::new(0));
    let registry = registry(["a", "delete"]);
    let agent = registry.scope("agent");
    agent.state(7_u8).expect("put");
    let count = Arc::clone(&asked);
    let rule = agent
        .visibility(move |tool: &ToolDefinition, cx: &VisibilityContext<'_>| {
            count.fetch_add(1, Ordering::SeqCst);
            assert_eq!((cx.scope(), cx.value::<u8>().as_deref()), ("agent", Some(&7)));
            tool.name() != "delete" || cx.value::<Admin>().is_some()
        })
        .expect("put");
    let asked = || asked.swap(0, Ordering::SeqCst);
    let admin = agent.step_with(Values::new().with(Admin));
    assert_eq!((names(admin.definitions()), asked()), ("a delete".to_owned(), 2));
    assert_eq!((said_in(&admin, "delete"), said_in(&admin, "a")), ("1".to_owned(), "1".to_owned()));
    assert_eq!(names(admin.definitions()), "a delete");
    assert_eq!(asked(), 0, "the step keeps the answers");
    let guest = agent.step();
    assert_eq!(names(guest.definitions()), "a");
    assert_eq!(said_in(&guest, "delete"), r#"Error: unknown tool "delete""#);
    assert_eq!(said(&agent, "delete"), r#"Error: unknown tool "delete""#);
    // The rule that goes lets the next step see, not this one.
    rule.remove();
    assert_eq!(said_in(&guest, "delete"), r#"Error: unknown tool "delete""#);
    assert_eq!(said(&agent, "delete"), "1");
}

#[test]
fn s4_a_rule_that_panics_hides() {
    let registry = registry(["a", "b"]);
    let agent = registry.scope("agent");
    agent
        .visibility(|tool: &ToolDefinition, _: &VisibilityContext<'_>| {
            assert_ne!(tool.name(), "a", "a secret");
            true
        })
        .expect("put");
    assert_eq!(names(&agent.definitions()), "b");
    assert_eq!(said(&agent, "a"), r#"Error: unknown tool "a""#);
    expect![[r#"
        `a` is not seen
        - registered in scope `global`, by `registry` (made at run time)
        - hidden in scope `agent`, by `agent`: a visibility rule, which panicked"#]]
    .assert_eq(&agent.why("a").to_string());
}

#[test]
fn s7_a_step_tells_how_its_calls_run() {
    let registry = registry(["a"]);
    let agent = registry.scope("agent");
    agent
        .visibility(|_: &ToolDefinition, cx: &VisibilityContext<'_>| cx.value::<Admin>().is_some())
        .expect("put");
    let call = ToolCall::new("1", "a", "{}");
    let admin = agent.step_with(Values::new().with(Admin));
    assert_eq!(admin.permissions(&call).expect("seen").first().expect("one").name(), "tool:a");
    assert_eq!(admin.concurrency(&call), tool_runtime::Concurrency::Alone);
    let refused = agent.permissions(&call).expect_err("hidden").text();
    assert_eq!(refused, r#"Error: unknown tool "a""#);
    agent.visibility(nobody).expect("put");
    assert_eq!(admin.permissions(&call).expect_err("hidden since").text(), refused);
}

struct Level(&'static str);

struct Leveled;

#[toolset]
impl Leveled {
    /// Tells the level.
    #[tool(effect = read)]
    fn level(&self, level: State<Level>) -> String {
        level.0.to_owned()
    }

    /// Tells the level, or nothing.
    #[tool(effect = read)]
    fn level_if_any(&self, cx: &CallContext) -> Option<String> {
        cx.state::<Level>().map(|level| level.0.to_owned())
    }
}

#[test]
fn s9_state_is_the_nearest_of_session_scope_and_registry() {
    let registry =
        Registry::builder().state(Level("registry")).register_all(Leveled).build().expect("builds");
    let agent = registry.scope("agent");
    let inner = agent.scope("inner");
    let agents = agent.state(Level("agent")).expect("put");
    let session = Values::new().with(Level("session"));
    let say = |name: &str| {
        [said(&registry, name), said(&inner, name), said_in(&inner.step_with(session.clone()), name)]
            .join(" ")
    };
    assert_eq!(say("level"), r#""registry" "agent" "session""#);
    assert_eq!(say("level_if_any"), r#""registry" "agent" "session""#);
    let inners = inner.shared_state(Arc::new(Level("inner"))).expect("put");
    assert_eq!(say("level"), r#""registry" "inner" "session""#);
    // Of two in one scope the later counts, and gives way to the earlier one.
    let again = inner.state(Level("again")).expect("put");
    assert_eq!(said(&inner, "level"), r#""again""#);
    again.remove();
    assert_eq!(said(&inner, "level"), r#""inner""#);
    inners.remove();
    agents.remove();
    assert_eq!(said(&inner, "level"), r#""registry""#);
}

#[test]
fn s9_a_tool_needs_its_state_when_it_is_registered() {
    let registry = Registry::builder().build().expect("builds");
    let agent = registry.scope("agent");
    agent.scope("inner").state(Level("too deep")).expect("put");
    registry.scope("other").state(Level("elsewhere")).expect("put");
    agent.register_all(Leveled).expect_err("no state on the way");
    let state = agent.state(Level("agent")).expect("put");
    let tools = agent.register_all(Leveled).expect("state is there");
    assert_eq!(said(&agent, "level"), r#""agent""#);
    // State that goes before its tools: their calls fail, and say what is missing to nobody but the log.
    state.remove();
    assert_eq!(said(&agent, "level"), r#"Error: "level" is not set up; the program lacks its state"#);
    assert_eq!(said(&agent, "level_if_any"), "null");
    assert!(tools.remove() && agent.definitions().is_empty());
}

#[test]
fn n4_a_scope_lists_by_name_whatever_is_registered_elsewhere() {
    let registry = registry(["m", "a", "z"]);
    let agent = registry.scope("agent");
    agent.register_tools([dynamic("y", 1), dynamic("b", 1)]).expect("registers");
    let inner = agent.scope("inner");
    inner.register_tools([dynamic("n", 1), dynamic("A", 1)]).expect("registers");
    assert_eq!(names(&inner.definitions()), "A a b m n y z");
    let before = format!("{:?}", inner.definitions());
    registry.scope("other").register_tool(dynamic("c", 1)).expect("registers");
    assert_eq!(format!("{:?}", inner.definitions()), before);
}

#[test]
fn why_tells_operators_every_step() {
    let registry = registry(["t"]);
    let plugin = registry.owner("plugin");
    let agent = registry.scope("agent");
    let inner = agent.scope("inner");
    expect!["`x` is not seen: no scope on the way has it"].assert_eq(&inner.why("x").to_string());
    agent.restrict(Restriction::allow(Vec::<String>::new())).expect("hides all");
    agent.owned_by(&plugin).register_tool(dynamic("t", 2)).expect("registers");
    expect![[r#"
        `t` is seen: scope `agent`, by `plugin` (made at run time)
        - registered in scope `global`, by `registry` (made at run time)
        - hidden in scope `agent`, by `agent`: restriction: allow (nothing)
        - registered in scope `agent`, by `plugin` (made at run time)"#]]
    .assert_eq(&inner.why("t").to_string());
    let own = inner.register_tool(dynamic("t", 3)).expect("registers");
    let why = inner.why("t");
    assert_eq!(why.shadowed().map(|tool| tool.owner.as_str()).collect::<Vec<_>>(), ["plugin"]);
    assert_eq!(why.seen.expect("seen").scope, "inner");
    own.remove();
    plugin.filter(Filter::names(["x"])).expect("a glob");
    expect![[r#"
        `t` is not seen
        - registered in scope `global`, by `registry` (made at run time)
        - hidden in scope `agent`, by `agent`: restriction: allow (nothing)
        - registered in scope `agent`, by `plugin` (made at run time)
        - hidden in scope `agent`, by `plugin`: the owner's filter: name `x`"#]]
    .assert_eq(&inner.why("t").to_string());
    registry
        .visibility(|_: &ToolDefinition, cx: &VisibilityContext<'_>| cx.value::<Admin>().is_some())
        .expect("put");
    expect![[r#"
        `t` is not seen
        - registered in scope `global`, by `registry` (made at run time)
        - hidden in scope `global`, by `registry`: a visibility rule"#]]
    .assert_eq(&registry.why("t").to_string());
    assert!(registry.why_with("t", &Values::new().with(Admin)).seen.is_some());
}

#[test]
fn the_catalogue_tells_people_of_every_tool_and_asks_each_rule_once() {
    let registry = Registry::builder().register_all(Tagged).tool(dynamic("t", 1)).build().expect("builds");
    let plugin = registry.owner("plugin");
    let agent = registry.scope("agent");
    agent.restrict(Restriction::deny(["t"])).expect("known");
    agent.owned_by(&plugin).register_tools([dynamic("t", 2), dynamic("now", 2)]).expect("registers");
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    agent
        .visibility(move |tool: &ToolDefinition, _: &VisibilityContext<'_>| {
            count.fetch_add(1, Ordering::SeqCst);
            tool.name() != "git_push"
        })
        .expect("put");
    let lines: Vec<String> = agent
        .catalogue()
        .iter()
        .map(|tool| {
            format!(
                "{} | {} | {} | {} | {:?} | {}",
                tool.name,
                tool.line,
                tool.owner,
                tool.origin,
                tool.effect,
                tool.badges.join(",")
            )
        })
        .collect();
    assert_eq!(asked.load(Ordering::SeqCst), 4);
    expect![[r#"
        git_log | Shows the log. | registry | crate `tests` | Read | idempotent
        now | Answers 2. | plugin | made at run time | Read | idempotent,shadows
        t | Answers 2. | plugin | made at run time | Read | idempotent"#]]
    .assert_eq(&lines.join("\n"));
}

fn told(added: &[&str], removed: &[&str], changed: &[&str]) -> String {
    format!("+{added:?} -{removed:?} ~{changed:?}")
}

fn tell(change: &Change) -> String {
    format!("+{:?} -{:?} ~{:?}", change.added, change.removed, change.changed)
}

#[test]
fn s7_changes_are_joined_and_tell_of_one_scope() {
    block_on(async {
        let registry = registry(["a", "b"]);
        let agent = registry.scope("agent");
        let mut changes = agent.changes();
        agent.register_tool(dynamic("c", 1)).expect("registers");
        let handle = agent.register_tool(dynamic("d", 1)).expect("registers");
        agent.register_tool(dynamic("a", 2)).expect("registers");
        agent.restrict(Restriction::deny(["b"])).expect("known");
        assert_eq!(tell(&changes.next().await.expect("one")), told(&["c", "d"], &["b"], &["a"]));
        // Nothing that came and went, nothing of elsewhere, nothing that a rule says.
        handle.remove();
        agent.register_tool(dynamic("d", 1)).expect("registers");
        registry.scope("other").register_tool(dynamic("e", 1)).expect("registers");
        agent.visibility(nobody).expect("put");
        agent.state(1_u8).expect("put");
        let waited = tokio::time::timeout(std::time::Duration::from_millis(1), changes.next()).await;
        assert!(waited.is_err());
        // What is given up while waiting is not lost.
        registry.register_tool(dynamic("f", 1)).expect("registers");
        assert_eq!(tell(&changes.next().await.expect("one")), told(&["f"], &[], &[]));
        drop(agent);
        assert_eq!(changes.next().await, None);
    });
}

/// Everything that can be read of a result.
fn whole(result: &tool_runtime::ToolResult) -> String {
    format!(
        "{} {} {:?} {:?}",
        failure(result),
        result.value_text().unwrap_or("-"),
        result.content(),
        result.repairs()
    )
}

#[test]
fn s6_hidden_and_missing_are_one() {
    let without = registry(["tool_b", "other"]);
    let hide: [fn(&Scope); 4] = [
        |scope| drop(scope.restrict(Restriction::deny(["tool_a"])).expect("known")),
        |scope| drop(scope.filter(Filter::names(["tool_a"]).not()).expect("a glob")),
        |scope| {
            drop(
                scope
                    .visibility(|tool: &ToolDefinition, _: &VisibilityContext<'_>| tool.name() != "tool_a")
                    .expect("put"),
            )
        },
        |scope| {
            drop(
                scope
                    .visibility(|tool: &ToolDefinition, _: &VisibilityContext<'_>| {
                        assert_ne!(tool.name(), "tool_a");
                        true
                    })
                    .expect("put"),
            )
        },
    ];
    for hide in hide {
        let registry = registry(["tool_a", "tool_b", "other"]);
        let agent = registry.scope("agent");
        hide(&agent);
        let plain = without.scope("agent");
        for (name, arguments) in
            [("tool_a", "{}"), ("tool_a", "[1"), ("tool_aa", "{}"), ("tool", "{}"), ("othr", "{}")]
        {
            let call = || ToolCall::new("1", name, arguments);
            let results = block_on(async {
                [
                    agent.call(call()).await,
                    plain.call(call()).await,
                    agent.step().call(call()).await,
                    plain.step().call(call()).await,
                ]
            });
            let [first, ..] = &results;
            for result in &results {
                assert_eq!(whole(result), whole(first));
            }
        }
        assert_eq!(format!("{:?}", agent.definitions()), format!("{:?}", plain.definitions()));
        assert_eq!(agent.definitions().nearest("tool_aa"), plain.definitions().nearest("tool_aa"));
    }
}

#[test]
fn s4_a_rule_judges_what_nearer_scopes_bring_and_restrictions_and_filters_do_not() {
    let registry = registry(["a"]);
    let agent = registry.scope("agent");
    let below = agent.scope("below");
    let names =
        |scope: &Scope| scope.definitions().iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>();
    below.register_tools([dynamic("a", 2), dynamic("b", 2)]).expect("registers");
    agent.restrict(Restriction::deny(["a"])).expect("known");
    agent.filter(Filter::names([""; 0])).expect("no glob");
    assert_eq!((names(&agent), names(&below)), (vec![], vec!["a".to_owned(), "b".to_owned()]));
    // Nobody below a rule escapes it by bringing a tool of its own.
    let rule =
        agent.visibility(|tool: &ToolDefinition, _: &VisibilityContext<'_>| tool.name() != "b").expect("put");
    assert_eq!(names(&below), ["a"]);
    let why = below.why("b").to_string();
    assert!(why.ends_with("hidden in scope `agent`, by `agent`: a visibility rule"), "{why}");
    assert!(rule.remove());
    assert_eq!(names(&below), ["a", "b"]);
}
