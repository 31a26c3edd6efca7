//! What is said where something cannot be registered, restricted, filtered or derived.

use std::borrow::Cow;

use expect_test::expect;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use tool_runtime::registry::{FilterError, LoadError, RegistryError, RestrictionError};
use tool_runtime::{
    DeriveError, Effect, Filter, Owner, Registry, Restriction, State, Tool, Tools, Toolset, tool, toolset,
};

use crate::support::dynamic;

fn three() -> Registry {
    Registry::builder()
        .tools([dynamic("read", 1), dynamic("write", 2), dynamic("search", 3)])
        .build()
        .expect("builds")
}

fn given_up(registry: &Registry) -> Owner {
    let stage = registry.owner("plugin").stage();
    stage.owner().clone()
}

/// A text with the lines of this file left out.
fn without_lines(error: &RegistryError) -> String {
    let text = error.to_string();
    let mut parts = text.split("scope_texts.rs:");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        all.push_str("scope_texts.rs:#");
        all.push_str(part.trim_start_matches(char::is_numeric));
    }
    all
}

#[test]
fn restrictions_say_what_is_wrong_with_them_and_list_the_known_names() {
    let registry = three();
    let agent = registry.scope("agent");
    agent.register_tool(dynamic("own", 4)).expect("its own");
    let said = |restriction: Restriction| agent.restrict(restriction).expect_err("refused").to_string();
    expect!["the restriction names no tool; allow or deny some, or allow an empty list to hide all; known: `read`, `search`, `write`"].assert_eq(&said(Restriction::default()));
    expect!["the scope inherits no tool `wite`; did you mean `write`?; known: `read`, `search`, `write`"]
        .assert_eq(&said(Restriction::deny(["wite"])));
    expect!["the scope inherits no tool `a`, `b`; known: `read`, `search`, `write`"]
        .assert_eq(&said(Restriction::allow(["b", "read", "a"])));
    expect!["`own` is the scope's own, which restrictions leave alone; remove it by its handle, or filter; known: `read`, `search`, `write`"].assert_eq(&said(Restriction::deny(["own"])));
    expect!["`own` is the scope's own, which restrictions leave alone; remove it by its handle, or filter; the scope inherits no tool `serch`; did you mean `search`?; known: `read`, `search`, `write`"].assert_eq(&said(Restriction::allow(["own"]).and_deny(["serch"])));
    assert_eq!(agent.definitions().len(), 4, "what is refused narrows nothing");
    let error = registry.restrict(Restriction::deny(["read"])).expect_err("refused");
    expect!["the global scope cannot be restricted, it would hide tools from every agent; restrict the scope of the agent, or filter the global scope"].assert_eq(&error.to_string());
    assert_eq!(registry.restrict_lenient(Restriction::default()).expect_err("refused"), error);
    let error =
        Registry::builder().build().expect("builds").scope("agent").restrict(Restriction::deny(["read"]));
    expect!["the scope inherits no tool `read`; known: (none)"]
        .assert_eq(&error.expect_err("refused").to_string());
    let error = agent.owned_by(&given_up(&registry)).restrict(Restriction::deny(["read"])).expect_err("over");
    assert_eq!(error, RestrictionError::Over);
    expect!["the set-up of this owner was given up; nothing more can be brought by it"]
        .assert_eq(&error.to_string());
}

#[test]
fn lenient_restrictions_hold_and_warn() {
    let registry = three();
    let agent = registry.scope("agent");
    let (handle, fault) =
        agent.restrict_lenient(Restriction::allow(["read", "later"])).expect("no global one");
    assert_eq!(
        fault.expect("a warning").to_string(),
        "the scope inherits no tool `later`; known: `read`, `search`, `write`"
    );
    registry.register_tool(dynamic("later", 5)).expect("registers");
    assert_eq!(crate::support::names(&agent.definitions()), "later read");
    assert!(handle.remove());
    let (_, fault) = agent.restrict_lenient(Restriction::deny(["read"])).expect("no global one");
    assert_eq!(fault, None);
}

#[test]
fn filters_say_which_glob_is_none() {
    let registry = three();
    let said = |filter: Filter| registry.filter(filter).expect_err("refused").to_string();
    expect!["`[a` is no glob: unclosed character class; missing ']'; `*` is any run of characters, `?` one, `[a-c]` one of a set"].assert_eq(&said(Filter::names(["read", "[a"])));
    expect!["`{a` is no glob: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?); `*` is any run of characters, `?` one, `[a-c]` one of a set"].assert_eq(&said(Filter::effects([Effect::Read]).and(Filter::tags(["{a"]))));
    let deep = (0..64).fold(Filter::names(["*"]), |filter, _| filter.not());
    expect!["the filter has conditions more than 64 deep; split it into several, which intersect"]
        .assert_eq(&said(deep));
    assert_eq!(registry.definitions().len(), 3, "what is refused narrows nothing");
    let over = registry.owned_by(&given_up(&registry)).filter(Filter::names(["*"])).expect_err("over");
    assert_eq!(over, FilterError::Over);
    expect!["nothing more can be brought by this owner: its set-up was given up, or its registry is gone"]
        .assert_eq(&over.to_string());
    let owner = registry.owner("plugin");
    drop(registry);
    assert_eq!(owner.filter(Filter::names(["*"])).expect_err("gone"), FilterError::Over);
}

#[test]
fn filters_and_restrictions_read_as_they_were_meant() {
    let filter =
        Filter::names(["git_*", "now"]).except(Filter::effects([Effect::Exec])).or(Filter::tags(["t"]));
    let filter = filter.and(Filter::owners(Vec::<&str>::new()).not());
    expect!["(((name `git_*`, `now`) and (not (effect exec))) or (tag `t`)) and (not (owner (none)))"]
        .assert_eq(&filter.to_string());
    let said = |restriction: Restriction| restriction.to_string();
    expect!["allow `a`, `b`, deny `c`"].assert_eq(&said(Restriction::allow(["b", "a"]).and_deny(["c"])));
    expect!["allow (nothing)"].assert_eq(&said(Restriction::allow(Vec::<String>::new())));
    expect!["deny `c`"].assert_eq(&said(Restriction::deny(["c"])));
}

pub(crate) struct Missing;

#[derive(Deserialize)]
struct Bomb;

impl JsonSchema for Bomb {
    fn schema_name() -> Cow<'static, str> {
        "Bomb".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        panic!("no schema of this")
    }
}

struct Faulty;

#[toolset]
impl Faulty {
    /// Cannot be described.
    #[tool(docs(optional))]
    fn bomb(&self, bomb: Bomb) {
        let Bomb = bomb;
    }

    /// Needs state.
    #[tool]
    fn needs_missing(&self, missing: State<Missing>) {
        drop(missing);
    }

    /// Is there already.
    #[tool]
    fn read(&self) {}
}

struct Fine;

#[toolset]
impl Fine {
    /// Does nothing.
    #[tool]
    fn fine(&self) {}
}

#[test]
fn every_fault_of_a_registration_is_told_at_once_and_nothing_is_registered() {
    let registry = three();
    let agent = registry.scope("agent");
    agent.register_tool(dynamic("read", 1)).expect("registers");
    let plugin = registry.owner("plugin");
    let error = agent.owned_by(&plugin).register_all(Faulty).expect_err("refused");
    expect![[r#"
        nothing was registered, for 3 reasons:
        - the schema of tool `bomb` (tests/it/scope_texts.rs:#) cannot be made: the `JsonSchema` of a type, a default or an example panicked: no schema of this
        - tool `needs_missing` (tests/it/scope_texts.rs:#) needs `State<it::scope_texts::Missing>`; give it to scope `agent` with `scope.state(…)`, or to the registry with `Registry::builder().state(…)`
        - tool `read` is registered in scope `agent` already, by `agent` (made at run time), and now by `plugin` (tests/it/scope_texts.rs:#); take another name, or a scope of its own"#]].assert_eq(&without_lines(&error));
    assert_eq!(error.faults().len(), 3);
    assert_eq!(agent.definitions().len(), 3);
    // Missing state names the line of the tool.
    let place = <Faulty as Toolset>::TOOLS
        .iter()
        .find(|spec| spec.name() == "needs_missing")
        .expect("one")
        .location();
    assert!(error.to_string().contains(&format!("`needs_missing` (tests/it/scope_texts.rs:{})", place.line)));

    agent.register_all(Fine).expect("registers");
    let error = agent.register_all(Fine).expect_err("twice");
    expect![[r#"
        nothing was registered:
        - `agent` has registered tool `fine` (tests/it/scope_texts.rs:#) in scope `agent` already; remove that one first"#]].assert_eq(&without_lines(&error));
    let error = agent.register_tools([dynamic("b", 1), dynamic("b", 2), dynamic("a", 1)]).expect_err("twice");
    expect![[r#"
        nothing was registered:
        - `agent` has registered tool `b` (made at run time) in scope `agent` already; remove that one first"#]].assert_eq(&error.to_string());
    let error = registry.owned_by(&given_up(&registry)).register_tool(dynamic("late", 1)).expect_err("over");
    expect![[r#"
        nothing was registered:
        - the set-up of `plugin` was given up; nothing more can be brought by it"#]]
    .assert_eq(&error.to_string());
    assert!(registry.definition("late").is_none());
}

#[test]
fn a_set_up_that_fails_says_its_own_error() {
    let registry = three();
    let error = registry.load("plugin", |_| Err("no licence")).expect_err("fails");
    assert!(matches!(&error, LoadError::SetUp(_)) && error.to_string() == "no licence");
    // Somebody takes the name between set-up and commit.
    let error = registry.load("plugin", |owner| {
        registry.owned_by(owner).register_tool(dynamic("late", 1))?;
        registry.register_tool(dynamic("late", 2)).map(drop)
    });
    let error = error.expect_err("taken");
    expect![[r#"
        nothing was registered:
        - tool `late` is registered in scope `global` already, by `registry` (made at run time), and now by `plugin` (made at run time); take another name, or a scope of its own"#]].assert_eq(&error.to_string());
    assert!(matches!(error, LoadError::Registry(_)));
}

struct Repositories;

#[toolset]
impl Repositories {
    /// Shows the log.
    #[tool(effect = read)]
    fn log(
        &self,
        /// The repository.
        repository: &str,
        /// How many entries.
        #[arg(minimum = 1, maximum = 9)]
        count: Option<u8>,
    ) -> String {
        format!("{repository} {count:?}")
    }

    /// Shows what has changed.
    #[tool(effect = read)]
    fn diff(
        &self,
        /// The repository.
        repository: &str,
    ) -> String {
        repository.to_owned()
    }
}

#[test]
fn derived_tools_say_what_they_cannot_be() {
    let tools = || Tools::of(Repositories);
    let log = || tools().get("log").cloned().expect("one");
    let said = |result: Result<Tool, DeriveError>| result.map(drop).expect_err("refused").to_string();
    let set = |result: Result<Tools, DeriveError>| result.map(drop).expect_err("refused").to_string();
    expect![[r#"tool name "git log" has the character ' '; write only a-z, A-Z, 0-9, `_` and `-`"#]]
        .assert_eq(&said(log().renamed("git log")));
    expect![[r#"tool name "mcp__log" is reserved; take another, for example with a prefix of your own"#]]
        .assert_eq(&said(log().prefixed("mcp__")));
    expect!["tool `log` would have no description; say what it does, models choose by it"]
        .assert_eq(&said(log().described(" \n")));
    expect!["tool `log` has no argument `repositry`; did you mean `repository`?"]
        .assert_eq(&said(log().with_fixed_argument("repositry", "x")));
    expect!["tool `log` has no argument `x`"].assert_eq(&said(log().without_argument("x")));
    expect!["argument `count` of tool `log` cannot be fixed: /count: expected integer from 1 to 9 or null, got integer 10"].assert_eq(&said(log().with_fixed_argument("count", 10)));
    expect![
        "argument `repository` of tool `log` cannot be fixed: /repository: expected string, got integer 1"
    ]
    .assert_eq(&said(log().with_fixed_argument("repository", 1)));
    expect!["tool `log` cannot do without argument `repository`; fix it by `with_fixed_argument`"]
        .assert_eq(&said(log().without_argument("repository")));
    expect!["there is no tool `lag`; did you mean `log`?"].assert_eq(&set(tools().renamed("lag", "x")));
    expect!["there is no tool `status`"].assert_eq(&set(tools().described("status", "x")));
    expect!["two tools would be called `log`; rename one before"]
        .assert_eq(&set(tools().renamed("diff", "log")));
    expect!["two tools would be called `diff`; rename one before"].assert_eq(&set(tools().merged(tools())));
    expect!["two tools would be called `log`; rename one before"].assert_eq(&set(Tools::new([log(), log()])));
    expect!["no tool of the set has an argument `counts`; did you mean `count`?"]
        .assert_eq(&set(tools().with_fixed_argument("counts", 1)));
    expect!["tool `diff` cannot do without argument `repository`; fix it by `with_fixed_argument`"]
        .assert_eq(&set(tools().without_argument("repository")));
}
