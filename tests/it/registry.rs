//! What is checked when a registry is built, and what it says.

use std::sync::Arc;

use expect_test::expect;
use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{CallContext, Registry, State, ToolHandle, Toolset, tool, toolset};

use crate::support::only;

pub(crate) struct Database;
pub(crate) struct Config;

/// Needs a database.
#[tool(docs(optional))]
fn needs_database(db: State<Database>, #[state] config: &Config, #[state] count: Arc<u8>, n: u8) -> u8 {
    let _ = (&*db, config);
    n + *count
}

struct Store;
#[toolset]
impl Store {
    /// Needs a configuration.
    #[tool]
    fn needs_config(&self, config: State<Config>, _cx: &CallContext) -> u8 {
        let _ = &*config;
        1
    }
}

#[test]
fn missing_state_names_tool_place_and_type() {
    let error =
        Registry::builder().register::<needs_database>().register_all(Store).build().expect_err("no state");
    let place = needs_database::SPEC.location();
    let store = <Store as Toolset>::TOOLS.first().expect("one").location();
    assert!(place.file == "tests/it/registry.rs" && place.line < store.line, "{place} {store}");
    let text =
        error.to_string().replace(&place.to_string(), "one place").replace(&store.to_string(), "another");
    expect![[r#"
        the registry cannot be built, for 4 reasons:
        - tool `needs_config` (another) needs `State<it::registry::Config>`; give it with `Registry::builder().state(…)`
        - tool `needs_database` (one place) needs `State<it::registry::Config>`; give it with `Registry::builder().state(…)`
        - tool `needs_database` (one place) needs `State<it::registry::Database>`; give it with `Registry::builder().state(…)`
        - tool `needs_database` (one place) needs `State<u8>`; give it with `Registry::builder().state(…)`"#]].assert_eq(&text);
    assert_eq!(error.faults().len(), 4);
    let registry = Registry::builder()
        .state(Database)
        .shared_state(Arc::new(Config))
        .state(1_u8)
        .state(2_u8)
        .register::<needs_database>()
        .register_all(Store)
        .build()
        .expect("all state is there");
    assert_eq!(crate::support::run(&registry, "needs_database", r#"{"n":1}"#).text(), "3");
}

#[derive(Deserialize, serde::Serialize, JsonSchema, Debug)]
struct Loose {
    pair: (u8, u8),
    #[schemars(extend("contains" = {"type": "string"}))]
    list: Vec<u8>,
}

/// Its methods are not collected, so that what is wrong with them stays here.
struct Unenforceable;

#[toolset]
impl Unenforceable {
    /// Has schemas that cannot be enforced.
    #[tool(docs(optional))]
    fn unenforceable(
        &self,
        loose: Loose,
        #[arg(default = Some(Picky(5)))] picky: Option<Picky>,
        #[arg(example = Picky(7))] other: Picky,
        #[arg(pattern = "^a+$", default = String::from("b"))] text: String,
        #[arg(format = "date", example = Some(String::from("tomorrow")))] day: Option<String>,
        state: State<Database>,
    ) -> Result<Loose, String> {
        let _ = &*state;
        if picky.is_none() { Ok(loose) } else { Err(format!("{other:?} {text} {day:?}")) }
    }
}

#[derive(Deserialize, serde::Serialize, JsonSchema, Debug)]
struct Picky(#[schemars(range(max = 3))] u8);

#[test]
fn every_violation_is_named_before_anything_runs() {
    let error = Registry::builder()
        .register_all(Unenforceable)
        .expect_crate("no-such-crate")
        .build()
        .expect_err("cannot be enforced");
    let place = <Unenforceable as Toolset>::TOOLS.first().expect("one").location();
    let text = error.to_string().replace(&place.to_string(), "the place");
    expect![[r#"
        the registry cannot be built, for 3 reasons:
        - no tool of crate `no-such-crate` is linked; name the crate somewhere, for example by `use no_such_crate as _;`
        - the schema of tool `unenforceable` (the place) cannot be enforced:
        input#/$defs/Loose/properties/list/contains: `contains` is no keyword that is enforced; leave it out, and check it in the tool
        input#/$defs/Loose/properties/pair/prefixItems: `prefixItems` is no keyword that is enforced; use a struct with named fields instead of a tuple
        input#/properties/picky/default: the schema refuses its own default: expected integer from 0 to 3, got integer 5; change `default` or the schema
        input#/properties/other/examples/0: the schema refuses its own example: expected integer from 0 to 3, got integer 7; change `examples` or the schema
        input#/properties/text/default: the schema refuses its own default: expected string matching ^a+$, got string "b"; change `default` or the schema
        input#/properties/day/examples/0: the schema refuses its own example: expected a date such as 2026-01-31 or null, got string "tomorrow"; change `examples` or the schema
        output#/properties/list/contains: `contains` is no keyword that is enforced; leave it out, and check it in the tool
        output#/properties/pair/prefixItems: `prefixItems` is no keyword that is enforced; use a struct with named fields instead of a tuple
        - tool `unenforceable` (the place) needs `State<it::registry::Database>`; give it with `Registry::builder().state(…)`"#]].assert_eq(&text);
}

/// Has everything.
#[tool(
    title = "Everything", keywords = ["all", "of it"], tags = ["t"], owner = "me", effect = exec, idempotent,
    timeout = "30s", deferred = true, background = false, permission = "things:use",
    annotations(open_world = false, destructive)
)]
fn everything(
    /// A number.
    #[arg(minimum = 1, maximum = 9, multiple_of = 2, default = 4, example = 6, example = 8)]
    n: u8,
    /// A text.
    #[arg(min_length = 1, max_length = 9, pattern = "^a", example = "ab", secret)]
    text: &str,
    /// A list.
    #[arg(min_items = 1, max_items = 2, unique_items)]
    list: Vec<f64>,
    /// A date.
    #[arg(format = "date", rename = "on-day")]
    day: Option<String>,
    /// A ratio.
    #[arg(exclusive_minimum = 0, exclusive_maximum = 1.5)]
    ratio: f64,
) -> String {
    format!("{n} {text} {list:?} {day:?} {ratio}")
}

#[test]
fn all_keys_stand_in_the_definition() {
    let registry = only::<everything>();
    registry.verify().expect("nothing to object to");
    let definition = registry.definition("everything").expect("registered");
    expect![[r#"{"type":"object","properties":{"n":{"type":"integer","description":"A number.","minimum":1,"maximum":9,"multipleOf":2,"default":4,"examples":[6,8]},"text":{"type":"string","description":"A text.","pattern":"^a","minLength":1,"maxLength":9,"examples":["ab"],"writeOnly":true},"list":{"type":"array","description":"A list.","items":{"type":"number"},"minItems":1,"maxItems":2,"uniqueItems":true},"on-day":{"type":["string","null"],"description":"A date.","format":"date"},"ratio":{"type":"number","description":"A ratio.","exclusiveMinimum":0,"exclusiveMaximum":1.5}},"required":["text","list","ratio"],"additionalProperties":false}"#]].assert_eq(definition.input_schema().text());
    expect![[r#"
        (
            Some(
                "Everything",
            ),
            [
                "all",
                "of it",
            ],
            [
                "t",
            ],
            Some(
                "me",
            ),
            Exec,
            true,
            Some(
                30s,
            ),
            (
                Some(
                    true,
                ),
                Some(
                    false,
                ),
            ),
            Some(
                "things:use",
            ),
            [
                (
                    "open_world",
                    false,
                ),
                (
                    "destructive",
                    true,
                ),
            ],
        )
    "#]]
    .assert_debug_eq(&(
        definition.title(),
        definition.keywords().collect::<Vec<_>>(),
        definition.tags().collect::<Vec<_>>(),
        definition.owner(),
        definition.effect(),
        definition.is_idempotent(),
        definition.timeout(),
        (definition.deferred(), definition.background()),
        definition.permission(),
        definition.annotations(),
    ));
    crate::support::fails::<everything>(
        r#"{"n":3,"text":"","list":[1,1.0],"on-day":"2026-02-30","ratio":0}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "everything":
            - /n: expected integer from 1 to 9 that is a multiple of 2, got integer 3
            - /text: expected string of 1 to 9 characters matching ^a, got string
            - /list: expected array of 1 to 2 items without duplicates, got array [1,1.0]
            - /on-day: expected a date such as 2026-01-31 or null, got string "2026-02-30"
            - /ratio: expected number above 0 and below 1.5, got integer 0
            Call it like: {"text":"ab","list":[1],"ratio":1}"#]],
    );
    crate::support::fails::<everything>(
        r#"{"n":10,"text":"b","list":[],"on-day":"today","ratio":1.5}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "everything":
            - /n: expected integer from 1 to 9 that is a multiple of 2, got integer 10
            - /text: expected string of 1 to 9 characters matching ^a, got string
            - /list: expected array of 1 to 2 items without duplicates, got array []
            - /on-day: expected a date such as 2026-01-31 or null, got string "today"
            - /ratio: expected number above 0 and below 1.5, got number 1.5
            Call it like: {"text":"ab","list":[1],"ratio":1}"#]],
    );
    assert_eq!(
        crate::support::text::<everything>(r#"{"text":"ab","list":[1],"on-day":"2024-02-29","ratio":1.4}"#),
        r#""4 ab [1.0] Some(\"2024-02-29\") 1.4""#
    );
}

/// One line for each definition that a model can see.
fn listing(registry: &Registry) -> String {
    registry
        .definitions()
        .iter()
        .map(|definition| {
            format!(
                "{} {} {} {}\n",
                definition.name(),
                definition.prompt_fingerprint(),
                definition.fingerprint(),
                definition.input_schema().text()
            )
        })
        .collect()
}

#[test]
fn f130_definitions_are_the_same_bytes_in_every_thread_and_twice() {
    let registry = only::<everything>();
    let here = listing(&registry);
    assert_eq!(listing(&registry), here);
    let elsewhere = std::thread::spawn(|| listing(&only::<everything>())).join().expect("a listing");
    assert_eq!(elsewhere, here);
    let concurrent = only::<everything>();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| listing(&concurrent))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("a listing"), here);
        }
    });
    // Pinned, so that no build of the SDK changes what models see, and no feature of serde_json.
    expect![[r#"
        everything 46834e28d45037681fcf4eada818e12254373249c3d9311ac306615b5d4dbe83 53688a3f81b8aa86b9e761ac5f9ce9a2a37c39980bdb23c32e0f4a41cfa6199e {"type":"object","properties":{"n":{"type":"integer","description":"A number.","minimum":1,"maximum":9,"multipleOf":2,"default":4,"examples":[6,8]},"text":{"type":"string","description":"A text.","pattern":"^a","minLength":1,"maxLength":9,"examples":["ab"],"writeOnly":true},"list":{"type":"array","description":"A list.","items":{"type":"number"},"minItems":1,"maxItems":2,"uniqueItems":true},"on-day":{"type":["string","null"],"description":"A date.","format":"date"},"ratio":{"type":"number","description":"A ratio.","exclusiveMinimum":0,"exclusiveMaximum":1.5}},"required":["text","list","ratio"],"additionalProperties":false}
    "#]].assert_eq(&here);
}
