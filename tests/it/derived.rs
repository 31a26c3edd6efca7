//! Tools made of other tools (contract S8), and tools made at run time with all that can be said of them.

use std::time::Duration;

use expect_test::expect;
use serde_json::{Value, json};
use tool_runtime::schema::ForeignSchema;
use tool_runtime::{
    CallContext, Concurrency, DynamicTool, Effect, Next, PermissionRequest, Registry, Tool, ToolCall, Tools,
    tool, toolset,
};

use crate::support::{failure, run};

fn of(tool: Tool) -> Registry {
    Registry::builder().tool(tool).build().unwrap_or_else(|error| panic!("{error}"))
}

fn asks(project: &str, text: &str, _: &Option<bool>, _: &str) -> Vec<PermissionRequest> {
    vec![PermissionRequest::new("issues:write", format!("{project}/{text}"), Effect::Write)]
}

fn beside(project: &str, _: &str, _: &Option<bool>, _: &str) -> String {
    project.to_owned()
}

/// Opens an issue.
#[tool(docs(optional), permission = asks, parallel = beside, tags = ["issues"], timeout = "5s")]
fn derived_open(
    project: &str,
    #[arg(min_length = 2)] text: &str,
    urgent: Option<bool>,
    #[arg(secret)] token: &str,
) -> String {
    format!("{project} {text} {urgent:?} {}", token.len())
}

fn open() -> Tool {
    Tool::of::<derived_open>()
}

#[test]
fn s8_what_is_fixed_is_not_in_the_schema_and_cannot_be_sent() {
    let tool = open()
        .renamed("open")
        .and_then(|tool| tool.with_fixed_argument("project", "web"))
        .and_then(|tool| tool.with_fixed_argument("token", "hunter2"))
        .and_then(|tool| tool.without_argument("urgent"))
        .and_then(|tool| tool.described("Opens an issue of the site."))
        .expect("derives");
    let registry = of(tool);
    let definition = registry.definition("open").expect("registered");
    expect![[r#"{"type":"object","properties":{"text":{"type":"string","minLength":2}},"required":["text"],"additionalProperties":false}"#]].assert_eq(definition.input_schema().text());
    assert_eq!(definition.description(), "Opens an issue of the site.");
    assert_eq!(
        (definition.tags().collect::<Vec<_>>(), definition.timeout()),
        (vec!["issues"], Some(Duration::from_secs(5)))
    );
    assert_eq!(run(&registry, "open", r#"{"text":"broken"}"#).text(), r#""web broken None 7""#);
    expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "open":
        - /text: expected string of at least 2 characters, got string "b"
        - unknown property "/project"
        - unknown property "/token"
        - unknown property "/urgent"
        Call it like: {"text":"text"}"#]]
    .assert_eq(&failure(&run(&registry, "open", r#"{"text":"b","project":"x","token":"y","urgent":true}"#)));
    // Functions of the arguments see what is fixed; the first tool is as it was.
    let call = |arguments: &str| ToolCall::new("1", "open", arguments);
    let requests = registry.permissions(&call(r#"{"text":"broken"}"#)).expect("judged");
    assert_eq!(requests.first().map(|request| request.target().to_owned()).as_deref(), Some("web/broken"));
    assert_eq!(registry.concurrency(&call(r#"{"text":"broken"}"#)), Concurrency::Keyed("web".into()));
    registry.permissions(&call(r#"{"text":"broken","project":"x"}"#)).expect_err("refused");
    assert!(
        of(open()).definition("derived_open").expect("registered").input_schema().text().contains("project")
    );
}

#[test]
fn s8_secrets_that_are_fixed_are_told_to_nobody() {
    let error = open().with_fixed_argument("token", 12345).map(drop).expect_err("no string").to_string();
    expect![
        "argument `token` of tool `derived_open` cannot be fixed: /token: expected string, got integer 12345"
    ]
    .assert_eq(&error);
    let tool = open().with_fixed_argument("token", "hunter2").expect("derives");
    let registry = of(tool);
    let definition = registry.definition("derived_open").expect("registered");
    for text in [
        definition.input_schema().text().to_owned(),
        format!("{definition:?}"),
        format!("{:?}", registry.tool("derived_open")),
        registry.why("derived_open").to_string(),
        run(&registry, "derived_open", r#"{"project":"web"}"#).text(),
        run(&registry, "derived_open", r#"{"token":"x"}"#).text(),
    ] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

fn foreign(schema: &Value) -> Tool {
    DynamicTool::new("foreign", "Echoes.")
        .expect("a name")
        .with_foreign_schema(ForeignSchema::from_value(schema).expect("a schema"), async |value: Value| {
            Ok::<_, String>(value)
        })
        .expect("an object")
}

#[test]
fn s8_foreign_schemas_take_fixed_arguments() {
    // Open: other properties pass, the fixed one never.
    let tool = foreign(
        &json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"type": "string"}}, "required": ["a"]}),
    );
    let error = tool.clone().with_fixed_argument("a", 0).map(drop).expect_err("too small").to_string();
    expect![
        "argument `a` of tool `foreign` cannot be fixed: /a: expected integer of at least 1, got integer 0"
    ]
    .assert_eq(&error);
    let registry = of(tool.with_fixed_argument("a", 5).expect("derives"));
    expect![[r#"{"properties":{"b":{"type":"string"}},"type":"object"}"#]]
        .assert_eq(registry.definition("foreign").expect("registered").input_schema().text());
    assert_eq!(run(&registry, "foreign", r#"{"b":"x","c":1}"#).text(), r#"{"a":5,"b":"x","c":1}"#);
    expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "foreign":
        - unknown property "/a"
        Call it like: {}"#]]
    .assert_eq(&failure(&run(&registry, "foreign", r#"{"a":1}"#)));
    // Where more hangs on the property, it cannot be taken out: a schema would tell of it, or promise too much.
    let with = |keyword: &str, value: Value| {
        let mut schema = json!({"type": "object", "properties": {"a": {}, "b": {}}});
        schema.as_object_mut().expect("an object").insert(keyword.to_owned(), value);
        foreign(&schema).with_fixed_argument("a", "x")
    };
    for (keyword, value) in [
        ("allOf", json!([{"required": ["a"]}])),
        ("anyOf", json!([{"required": ["a"]}, {"required": ["b"]}])),
        ("dependentRequired", json!({"a": ["b"]})),
        ("if", json!({"required": ["a"]})),
        ("not", json!({"required": ["a"]})),
        ("minProperties", json!(1)),
        ("propertyNames", json!({"maxLength": 1})),
        ("patternProperties", json!({"^a": {"type": "string"}})),
        ("unevaluatedProperties", json!(false)),
        ("enum", json!([{"a": "x"}])),
    ] {
        let error = with(keyword, value).map(drop).expect_err(keyword).to_string();
        assert_eq!(
            error,
            "argument `a` of tool `foreign` cannot be fixed: the arguments are no plain list of properties, others \
             may hang on this one",
            "{keyword}"
        );
    }
    let error = with("properties", json!({"a": {}, "b": {"$ref": "#"}})).map(drop).expect_err("holds itself");
    expect![
        "argument `a` of tool `foreign` cannot be fixed: the arguments hold themselves, with this one in them"
    ]
    .assert_eq(&error.to_string());
    with("properties", json!({"a": {}, "b": {"$ref": "#/properties/a"}}))
        .map(drop)
        .expect_err("leads nowhere");
    // Examples of the whole would show it.
    let tool = with("examples", json!([{"a": "hunter2"}])).expect("derives");
    assert_eq!(tool.definition().input_schema().text(), r#"{"properties":{"b":{}},"type":"object"}"#);
}

struct Repository;

#[toolset]
impl Repository {
    /// Shows the log.
    #[tool(effect = read)]
    fn log(
        &self,
        /// The branch.
        branch: &str,
        /// How many.
        count: Option<u8>,
    ) -> String {
        format!("log {branch} {count:?}")
    }

    /// Shows what has changed.
    #[tool(effect = read)]
    fn diff(
        &self,
        /// The branch.
        branch: &str,
    ) -> String {
        format!("diff {branch}")
    }

    /// Tells the state.
    #[tool(effect = read)]
    fn status(&self) -> String {
        "clean".to_owned()
    }
}

#[test]
fn s8_sets_are_changed_as_a_whole() {
    let set = || Tools::of(Repository);
    let all = |tools: &Tools| tools.iter().map(Tool::name).collect::<Vec<_>>().join(" ");
    let git = set()
        .with_fixed_argument("branch", "main")
        .and_then(|tools| tools.prefixed("git_"))
        .expect("derives");
    let old = set().only(|tool| tool.name() != "status").without_argument("count").expect("derives");
    let both = git.merged(old).and_then(|tools| tools.renamed("diff", "old_diff")).expect("no name twice");
    assert_eq!((both.len(), all(&both)), (5, "git_diff git_log git_status log old_diff".to_owned()));
    let both = both.described("log", "Shows an old log.").expect("there is one");
    assert_eq!(both.get("log").expect("one").definition().description(), "Shows an old log.");
    let registry = Registry::builder().tools(both).build().expect("builds");
    let said = |name: &str, arguments: &str| run(&registry, name, arguments).text();
    assert_eq!(said("git_log", r#"{"count":3}"#), r#""log main Some(3)""#);
    assert_eq!(said("log", r#"{"branch":"x"}"#), r#""log x None""#);
    assert!(said("log", r#"{"branch":"x","count":3}"#).contains(r#"unknown property "/count""#));
    assert_eq!(
        (said("git_diff", "{}"), said("git_status", "")),
        (r#""diff main""#.to_owned(), r#""clean""#.to_owned())
    );
    // One middleware stands around every tool of a set, also under its later name.
    let names = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = std::sync::Arc::clone(&names);
    let watched = set()
        .with_middleware(move |cx: CallContext, next: Next| {
            seen.lock().expect("no panic").push(cx.tool().to_owned());
            next.run()
        })
        .with_fixed_argument("branch", "main")
        .and_then(|tools| tools.prefixed("w_"))
        .expect("derives");
    let registry = Registry::builder().tools(watched).build().expect("builds");
    assert_eq!(run(&registry, "w_log", "{}").text(), r#""log main None""#);
    assert_eq!(run(&registry, "w_status", "{}").text(), r#""clean""#);
    assert!(run(&registry, "w_diff", r#"{"branch":"x"}"#).is_error());
    assert_eq!(*names.lock().expect("no panic"), ["w_log", "w_status"]);
    assert!(Tools::default().is_empty() && set().with("log", |tool| tool.renamed("l")).is_ok());
}

#[test]
fn dynamic_tools_say_all_that_attributes_can() {
    let tool = DynamicTool::new("deploy", "Deploys the site.")
        .expect("a name")
        .title("Deploy")
        .effect(Effect::Exec)
        .idempotent()
        .tags(["ops", "site"])
        .keywords(["release", "ship"])
        .timeout(Duration::from_secs(90))
        .background(true)
        .deferred(true)
        .permission("site:deploy")
        .typed(async |(): ()| Ok::<_, String>("done"))
        .expect("a schema");
    let registry = of(tool);
    let definition = registry.definition("deploy").expect("registered");
    expect![[r#"
        (
            Some(
                "Deploy",
            ),
            Exec,
            true,
            [
                "ops",
                "site",
            ],
            [
                "release",
                "ship",
            ],
            Some(
                90s,
            ),
            (
                Some(
                    true,
                ),
                Some(
                    true,
                ),
            ),
            Some(
                "site:deploy",
            ),
        )
    "#]]
    .assert_debug_eq(&(
        definition.title(),
        definition.effect(),
        definition.is_idempotent(),
        definition.tags().collect::<Vec<_>>(),
        definition.keywords().collect::<Vec<_>>(),
        definition.timeout(),
        (definition.background(), definition.deferred()),
        definition.permission(),
    ));
    let requests = registry.permissions(&ToolCall::new("1", "deploy", "")).expect("judged");
    assert_eq!(requests, [PermissionRequest::new("site:deploy", "", Effect::Exec)]);
    assert_eq!(
        registry.scope("agent").catalogue().first().expect("one").badges,
        ["background", "deferred", "idempotent"]
    );
    assert_eq!(run(&registry, "deploy", "").text(), r#""done""#);
}
