//! What is checked when a registry is built, and what it says.

use std::sync::Arc;

use expect_test::expect;
use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{CallContext, Registry, State, ToolHandle, tool, toolset};

use crate::support::only;

struct Database;
struct Config;

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
    let error = Registry::builder().register::<needs_database>().register_all(Store).build().expect_err("no state");
    let place = needs_database::SPEC.location();
    let store = <Store as tool_runtime::Toolset>::TOOLS.first().expect("one").location();
    assert!(place.file == "tests/it/registry.rs" && place.line < store.line, "{place} {store}");
    let text = error.to_string().replace(&place.to_string(), "(first)").replace(&store.to_string(), "(second)");
    expect![[""]].assert_eq(&text);
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

#[derive(Deserialize, JsonSchema, Debug)]
#[expect(dead_code, reason = "only its schema counts")]
struct Loose {
    pair: (u8, u8),
    #[schemars(extend("contains" = {"type": "string"}))]
    list: Vec<u8>,
}

/// Has schemas that cannot be enforced.
#[tool(docs(optional))]
fn unenforceable(
    loose: Loose,
    #[arg(default = Some(Picky(5)))] picky: Option<Picky>,
    #[arg(example = Picky(7))] other: Picky,
) -> String {
    format!("{loose:?} {picky:?} {other:?}")
}

#[derive(Deserialize, serde::Serialize, JsonSchema, Debug)]
struct Picky(#[schemars(range(max = 3))] u8);

#[test]
fn every_violation_is_named_before_anything_runs() {
    let error = Registry::builder()
        .register::<unenforceable>()
        .register::<needs_database>()
        .expect_crate("no-such-crate")
        .build()
        .expect_err("cannot be enforced");
    let text = error
        .to_string()
        .replace(&unenforceable::SPEC.location().to_string(), "(first)")
        .replace(&needs_database::SPEC.location().to_string(), "(second)");
    expect![[""]].assert_eq(&text);
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
    expect![[""]].assert_eq(definition.input_schema().text());
    expect![[""]].assert_debug_eq(&(
        definition.title(),
        definition.keywords(),
        definition.tags(),
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
        expect![[""]],
    );
    crate::support::fails::<everything>(
        r#"{"n":10,"text":"b","list":[],"on-day":"today","ratio":1.5}"#,
        expect![[""]],
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

fn collect() -> Registry {
    Registry::builder()
        .state(Database)
        .state(Config)
        .state(1_u8)
        .collect()
        .unwrap_or_else(|error| panic!("{error}"))
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
    expect![[""]].assert_eq(&here);
}
