//! What models send: labelled cases, hostile ones, and repair on the way through a registry.

use expect_test::expect;
use serde_json::{Value, json};
use tool_runtime::arguments::{ReadOptions, Repair, RepairKind, read_arguments};
use tool_runtime::schema::ForeignSchema;
use tool_runtime::{DynamicTool, Registry, ToolCall, tool};

use crate::support::block_on;

fn cases(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a case a line")).collect()
}

fn judge(case: &Value) -> Result<(), String> {
    let schema = &case["schema"];
    let tool = schema["x-tool-name"].as_str().unwrap_or("tool");
    let schema = ForeignSchema::parse(&schema.to_string()).map_err(|error| error.to_string())?;
    let raw = case["raw_arguments"].as_str().unwrap_or_default();
    let read = |text: &str| read_arguments(text, &schema, ReadOptions::for_tool(tool).defaults(false));
    let should = case["should"].as_str().unwrap_or_default();
    match read(raw) {
        Err(_) if should == "reject" => Ok(()),
        Err(error) => Err(error.to_string()),
        Ok(done) => {
            let outcome = if done.repairs.is_empty() { "accept" } else { "repair" };
            let again = read(&done.value.to_string()).map_err(|error| error.to_string())?;
            if outcome != should || done.value != case["value"] {
                return Err(format!("{outcome} {} {:?}", done.value, done.repairs));
            }
            if again.value != done.value || !again.repairs.is_empty() {
                return Err(format!("read again: {} {:?}", again.value, again.repairs));
            }
            Ok(())
        }
    }
}

#[test]
fn labelled_arguments_are_read_as_their_labels_say() {
    for text in [
        include_str!("../cases/arguments.jsonl"),
        include_str!("../cases/arguments_edges.jsonl"),
        include_str!("../cases/arguments_variants.jsonl"),
    ] {
        let misses: Vec<String> = cases(text)
            .iter()
            .filter_map(|case| judge(case).err().map(|reason| format!("{}: {reason}", case["id"])))
            .collect();
        assert!(misses.is_empty(), "{}", misses.join("\n"));
    }
}

/// The cases with a generator run in processes of their own, by `cargo xtask eval attacks`.
#[test]
fn hostile_schemas_are_refused_or_taken_as_expected() {
    for text in [include_str!("../cases/attacks.jsonl"), include_str!("../cases/attacks_edges.jsonl")] {
        for case in cases(text) {
            let is_schema = case["target"].as_str().is_some_and(|target| target.starts_with("schema"));
            if !is_schema || case.get("generator_py").is_some() || case.get("instance").is_some() {
                continue;
            }
            let schema = match &case["payload"] {
                Value::String(text) => ForeignSchema::parse(text),
                payload => ForeignSchema::parse(&payload.to_string()),
            };
            let expected = case["expected"].as_str().unwrap_or_default();
            if expected.starts_with("reject") {
                let error = schema.map(|_| ()).expect_err(expected);
                assert!(error.violations().iter().all(|violation| !violation.problem().is_empty()), "{case}");
            } else if expected.starts_with("accept") {
                assert!(schema.is_ok(), "{case}: {schema:?}");
            }
        }
    }
}

/// Books a table.
#[tool]
fn book(
    /// How many people come.
    guests: u8,
    /// Where they want to sit.
    place: Option<String>,
) -> String {
    format!("{guests} at {}", place.unwrap_or_else(|| "any table".to_owned()))
}

fn called(registry: &Registry, arguments: &str) -> (String, Vec<String>) {
    let result = block_on(registry.call(ToolCall::new("call_1", "book", arguments)));
    (result.text(), result.repairs().iter().map(Repair::to_string).collect())
}

#[test]
fn a_call_is_repaired_and_says_so() {
    let registry = Registry::builder().register::<book>().build().expect("a registry");
    let as_sent = called(&registry, r#"{"guests":4,"place":"window"}"#);
    assert_eq!(as_sent, ("\"4 at window\"".to_owned(), vec![]));
    let repaired = called(&registry, r#"{'guests': "4", 'place': 7}"#);
    let repairs = ["single_quotes", "literal at /guests", "digits at /place"].map(str::to_owned).to_vec();
    assert_eq!(repaired, ("\"4 at 7\"".to_owned(), repairs));
    let whole = called(&registry, r#"{"guests":4.0}"#);
    assert_eq!(whole, ("\"4 at any table\"".to_owned(), vec!["integral_float at /guests".to_owned()]));
}

#[test]
fn a_strict_registry_repairs_nothing_but_points() {
    let registry = Registry::builder().register::<book>().repair(false).build().expect("a registry");
    let (text, repairs) = called(&registry, r#"{"guests":"4"}"#);
    expect![[r#"
        Error: invalid arguments for "book":
        - /guests: expected integer from 0 to 255, got string "4"
        Call it like: {"guests":1}"#]]
    .assert_eq(&text);
    assert!(repairs.is_empty());
    assert_eq!(called(&registry, r#"{"guests":4.0}"#).0, "\"4 at any table\"");
    assert!(called(&registry, r#"{"guests":4,"guests":4}"#).0.contains("twice"));
}

#[test]
fn a_foreign_schema_makes_a_tool_with_its_defaults() {
    let schema = ForeignSchema::parse(
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"q":{"type":"string"},
        "limit":{"type":"integer","default":10,"nullable":true}},"required":["q"],"minProperties":1}"#,
    )
    .expect("a schema");
    assert_eq!(schema.findings().len(), 1);
    let text = schema.text().to_owned();
    let echo = DynamicTool::new("book", "Says what it was given.")
        .expect("a name")
        .with_foreign_schema(schema, |value: Value| async move { Ok::<_, std::io::Error>(value) })
        .expect("a tool");
    let registry = Registry::builder().tool(echo).build().expect("a registry");
    assert_eq!(registry.definition("book").expect("there").input_schema().text(), text);
    assert_eq!(called(&registry, r#"{"q":"x"}"#).0, r#"{"limit":10,"q":"x"}"#);
    assert_eq!(called(&registry, r#"{"q":5,"limit":null}"#).0, r#"{"limit":10,"q":"5"}"#);
    assert!(called(&registry, r#"{"limit":3}"#).0.contains("missing required property \"/q\""));
}

#[test]
fn each_rule_has_an_example_that_it_reads() {
    let schema = ForeignSchema::parse(
        &json!({"type": "object", "properties": {
            "q": {"type": "string"}, "on": {"type": "boolean"}, "n": {"type": "integer"},
            "list": {"type": "array", "items": {"type": "string"}}, "mode": {"enum": ["fast", "slow"]},
        }, "additionalProperties": false})
        .to_string(),
    )
    .expect("a schema");
    for kind in RepairKind::ALL {
        let (before, after) = kind.example();
        let read = read_arguments(before, &schema, ReadOptions::for_tool("t")).expect(before);
        assert_eq!(read.value, serde_json::from_str::<Value>(after).expect("an object"), "{kind}");
        assert!(read.repairs.iter().any(|repair| repair.kind() == *kind), "{kind}: {:?}", read.repairs);
    }
}

#[test]
fn the_table_of_repairs_for_users_is_the_one_of_the_code() {
    let mut table = String::from("| kind | rule | sent | read |\n|---|---|---|---|\n");
    for kind in RepairKind::ALL {
        let (before, after) = kind.example();
        let shown = |text: &str| {
            let text = text.replace('\n', "⏎").replace('\u{feff}', "BOM").replace('\u{a0}', "NBSP");
            // Ticks within ticks need one more around them.
            if text.contains('`') { format!("```` {text} ````") } else { format!("`{text}`") }
        };
        let line = format!("| `{kind}` | {} | {} | {} |\n", kind.rule(), shown(before), shown(after));
        table.push_str(&line);
    }
    let docs = include_str!("../../docs/arguments.md");
    assert!(docs.contains(&table), "docs/arguments.md lacks this table:\n{table}");
}

/// A journey of one traveller.
#[tool_runtime::tool_type]
struct Journey {
    /// Where it goes.
    to: String,
    /// How many nights it takes.
    #[serde(default)]
    nights: u8,
    /// Who comes along.
    with: Option<String>,
}

/// Plans a journey.
#[tool]
fn plan(
    /// The journey.
    journey: Journey,
    /// How many seats are kept.
    #[arg(default = 2)]
    seats: u8,
    /// Where it starts.
    from: Option<String>,
) -> String {
    let Journey { to, nights, with } = journey;
    format!("{from:?} {to} {nights} {with:?} {seats}")
}

fn planned(arguments: &str) -> (String, Vec<String>) {
    let registry = Registry::builder().register::<plan>().build().expect("a registry");
    let result = block_on(registry.call(ToolCall::new("call_1", "plan", arguments)));
    (result.text(), result.repairs().iter().map(Repair::to_string).collect())
}

#[test]
fn f088_null_is_nothing_for_an_optional_argument() {
    let nothing = planned(r#"{"journey":{"to":"Oslo","with":null},"from":null}"#);
    assert_eq!(nothing.0, r#""None Oslo 0 None 2""#);
}

#[test]
fn f093_null_is_the_default_of_an_argument_that_has_one() {
    let (text, repairs) = planned(r#"{"journey":{"to":"Oslo","nights":null},"seats":null}"#);
    assert_eq!(text, r#""None Oslo 0 None 2""#);
    assert_eq!(repairs, ["null_absent at /journey/nights", "null_absent at /seats"]);
}

#[test]
fn f096_texts_of_numbers_booleans_and_lists_are_read_where_they_must_be() {
    let (text, repairs) = planned(r#"{"journey":"{\"to\":5,\"nights\":\"3\"}","seats":"4"}"#);
    assert_eq!(text, r#""None 5 3 None 4""#);
    assert_eq!(
        repairs,
        ["container at /journey", "literal at /journey/nights", "digits at /journey/to", "literal at /seats"]
    );
    // Texts stay what they are where a text is right.
    let (text, repairs) = planned(r#"{"journey":{"to":"[1]"},"from":"null"}"#);
    assert_eq!((text.as_str(), repairs.len()), (r#""Some(\"null\") [1] 0 None 2""#, 0));
}
