//! Laws over random values: a schema takes exactly what the type behind it takes.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_runtime::{Registry, ToolHandle, tool, tool_type};

use crate::support::{block_on, run};

#[tool_type(docs(optional))]
#[derive(Debug)]
struct Part {
    n: u8,
    #[serde(default)]
    text: Option<String>,
    #[arg(maximum = 3)]
    few: Option<i64>,
}

#[tool_type(docs(optional))]
#[derive(Debug)]
#[serde(tag = "kind")]
enum Tagged {
    One { n: u8 },
    Two { parts: Vec<Part> },
    Three,
}

#[tool_type(docs(optional))]
#[derive(Debug)]
enum Plain {
    Unit,
    New(u8),
    Fields { a: bool },
}

/// Takes what the law is tried on.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "one of each kind")]
fn tried(
    n: u8,
    part: Part,
    list: Option<Vec<Part>>,
    tagged: Option<Tagged>,
    plain: Option<Plain>,
    map: Option<BTreeMap<String, u8>>,
    single: Option<f32>,
    #[arg(default = 2)] defaulted: u8,
) -> String {
    format!("{n} {part:?} {list:?} {tagged:?} {plain:?} {map:?} {single:?} {defaulted}")
}

/// The same by the direct way alone, without what is validated first.
#[tool(docs(optional))]
fn tried_direct(n: u8, plain: Option<Plain>, text: Option<String>, list: Option<Vec<Plain>>) -> String {
    format!("{n} {plain:?} {text:?} {list:?}")
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..300).prop_map(Value::from),
        prop_oneof![Just(json!(1.0)), Just(json!(1.5)), Just(json!(1e39)), Just(json!(u64::MAX))],
        prop_oneof![Just("Unit"), Just("One"), Just("Two"), Just("Three"), Just("x"), Just("")]
            .prop_map(Value::from),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("n"),
        Just("text"),
        Just("few"),
        Just("kind"),
        Just("parts"),
        Just("New"),
        Just("Fields"),
        Just("Unit"),
        Just("a"),
        Just("part"),
        Just("extra")
    ]
    .prop_map(str::to_owned)
}

/// Any value over the names that matter.
fn any_value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map(name(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Mostly what is right, so that both verdicts are met.
fn part() -> impl Strategy<Value = Value> {
    let members = (any::<u8>(), proptest::option::of(".*"), proptest::option::of(-1_i64..6));
    prop_oneof![
        4 => members.prop_map(|(n, text, few)| json!({"n": n, "text": text, "few": few})),
        1 => any_value(),
    ]
}

fn tagged() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<u8>().prop_map(|n| json!({"kind": "One", "n": n})),
        proptest::collection::vec(part(), 0..3).prop_map(|parts| json!({"parts": parts, "kind": "Two"})),
        Just(json!({"kind": "Three"})),
        any_value(),
    ]
}

fn plain() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!("Unit")),
        (0..300_i64).prop_map(|n| json!({"New": n})),
        any::<bool>().prop_map(|a| json!({"Fields": {"a": a}})),
        any_value(),
    ]
}

fn arguments() -> impl Strategy<Value = Value> {
    let some = |strategy: BoxedStrategy<Value>| proptest::option::weighted(0.4, strategy);
    (
        prop_oneof![4 => (0..=255_i64).prop_map(Value::from), 1 => leaf()],
        part(),
        some(proptest::collection::vec(part(), 0..3).prop_map(Value::from).boxed()),
        some(tagged().boxed()),
        some(plain().boxed()),
        some(any_value().boxed()),
        some(leaf().boxed()),
        some(any_value().boxed()),
    )
        .prop_map(|(n, part, list, tagged, plain, map, single, extra)| {
            let mut object = Map::new();
            object.insert("n".into(), n);
            object.insert("part".into(), part);
            let optional = [
                ("list", list),
                ("tagged", tagged),
                ("plain", plain),
                ("map", map),
                ("single", single.clone()),
                ("defaulted", single.filter(|_| extra.is_some())),
            ];
            for (name, value) in optional {
                if let Some(value) = value {
                    object.insert(name.into(), value);
                }
            }
            Value::Object(object)
        })
}

/// Whether ours, the reference validator and the type behind agree on a text.
fn agree<T: ToolHandle>(
    registry: &Registry,
    value: &Value,
    reference: &jsonschema::Validator,
) -> Result<bool, TestCaseError> {
    let definition = registry.definition(T::SPEC.name()).expect("registered");
    let schema = definition.input_schema();
    let result = run(registry, T::SPEC.name(), &value.to_string());
    let valid = schema.is_valid(value);
    prop_assert_eq!(valid, reference.is_valid(value), "ours and the reference, on {}", value);
    prop_assert_eq!(valid, !result.is_error(), "{}: {}", value, result.text());
    prop_assert_eq!(valid, schema.explain(value).is_empty());
    Ok(valid)
}

fn reference<T: ToolHandle>(registry: &Registry) -> jsonschema::Validator {
    let schema = registry.definition(T::SPEC.name()).expect("registered").input_schema().to_value();
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
}

fn registry() -> Registry {
    Registry::builder().repair(false).register::<tried>().register::<tried_direct>().build().expect("builds")
}

#[test]
fn schema_type_and_reference_agree_on_random_arguments() {
    let registry = registry();
    let reference = reference::<tried>(&registry);
    let mut verdicts = [0_u32; 2];
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        cases: 1_500,
        ..ProptestConfig::default()
    });
    let (counts, registry) = (std::cell::RefCell::new(&mut verdicts), &registry);
    let outcome = runner.run(&arguments(), |value| {
        let valid = agree::<tried>(registry, &value, &reference)?;
        counts.borrow_mut()[usize::from(valid)] += 1;
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    assert!(verdicts.iter().all(|count| *count > 100), "both verdicts were met: {verdicts:?}");
}

#[test]
fn the_direct_way_takes_what_the_schema_takes() {
    let registry = registry();
    let reference = reference::<tried_direct>(&registry);
    let strategy = (
        leaf(),
        proptest::option::of(plain()),
        proptest::option::of(leaf()),
        proptest::collection::vec(plain(), 0..3),
    )
        .prop_map(|(n, plain, text, list)| json!({"n": n, "plain": plain, "text": text, "list": list}));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        cases: 1_500,
        ..ProptestConfig::default()
    });
    runner
        .run(&strategy, |value| agree::<tried_direct>(&registry, &value, &reference).map(|_| ()))
        .unwrap_or_else(|error| panic!("{error}"));
}

/// An integer, or a number that is none.
#[tool_type(docs(optional))]
#[derive(Debug)]
#[serde(untagged)]
enum Either {
    Whole(i64),
    Part(f64),
}

/// Takes numbers, straight from the text.
#[tool(docs(optional))]
fn tried_numbers(number: f64, list: Vec<f64>, signed: Option<i64>, unsigned: Option<u64>) -> String {
    format!("{number:?} {list:?} {signed:?} {unsigned:?}")
}

/// Takes numbers of which the text alone says what they are.
#[tool(docs(optional))]
fn tried_untyped(any: Value, either: Option<Either>) -> String {
    format!("{any:?} {either:?}")
}

#[test]
fn both_ways_read_a_number_alike() {
    let registry =
        Registry::builder().register::<tried_numbers>().register::<tried_untyped>().build().expect("builds");
    let read = |tool: &str, text: &str| {
        let plain = run(&registry, tool, text);
        // A key with an escape is no plain text, so that the arguments are validated first.
        let (first, rest) = text.split_at(2);
        let code = u32::from(rest.chars().next().expect("a key"));
        let validated = run(&registry, tool, &format!("{first}\\u{code:04x}{}", &rest[1..]));
        assert_eq!(plain.code(), validated.code(), "{text}");
        // The places in a report are those of the text.
        assert!(plain.is_error() || plain.text() == validated.text(), "{text}: {}", validated.text());
        plain
    };
    for number in [
        "0",
        "-0",
        "-0.0",
        "-0e2",
        "-0.000E-7",
        "-1",
        "3.0",
        "1.5",
        "1e2",
        "1e16",
        "-1e16",
        "9007199254740993.0",
        "9007199254740993",
        "1e20",
        "123456789012345678901",
        "18446744073709551615",
        "0.1",
        "1e-7",
        "5e-324",
        "1.7976931348623157e308",
        "1e400",
        "4.35",
        "0.30000000000000004",
        "123456789.123456789",
        "2.2250738585072011e-308",
    ] {
        read("tried_numbers", &format!(r#"{{"number":{number},"list":[{number}]}}"#));
        read("tried_numbers", &format!(r#"{{"number":1,"list":[],"signed":{number},"unsigned":{number}}}"#));
        read("tried_untyped", &format!(r#"{{"any":{number},"either":{number}}}"#));
        read("tried_untyped", &format!(r#"{{"any":{{"in":[{number}]}}}}"#));
    }
    assert_eq!(read("tried_numbers", r#"{"number":-0.0,"list":[-0]}"#).text(), r#""0.0 [0.0] None None""#);
    let digits =
        proptest::string::string_regex("-?(0|[1-9][0-9]{0,22})(\\.[0-9]{1,22})?([eE][+-]?[0-9]{1,3})?");
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        cases: 2_000,
        ..ProptestConfig::default()
    });
    runner
        .run(&digits.expect("an expression"), |number| {
            read("tried_numbers", &format!(r#"{{"number":{number},"list":[{number}]}}"#));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let large = read("tried_untyped", r#"{"any":1e16,"either":1e16}"#);
    assert_eq!(large.text(), r#""Number(10000000000000000) Some(Whole(10000000000000000))""#);
}

#[test]
fn no_text_brings_a_call_down() {
    let registry = registry();
    let right =
        r#"{"n":1,"part":{"n":2,"text":"ü\n","few":3},"tagged":{"kind":"Two","parts":[]},"plain":{"New":1}}"#;
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        cases: 2_000,
        ..ProptestConfig::default()
    });
    let noise = prop_oneof![
        ".*",
        (0..right.len(), ".{0,3}").prop_map(move |(at, insert)| {
            let at = (0..=at).rev().find(|at| right.is_char_boundary(*at)).unwrap_or(0);
            format!("{}{insert}{}", &right[..at], &right[at..])
        }),
        (0..right.len(), 1..4_usize).prop_map(move |(at, cut)| {
            right
                .char_indices()
                .filter(|(index, _)| !(at..at + cut).contains(index))
                .map(|(_, c)| c)
                .collect()
        }),
    ];
    runner
        .run(&noise, |text: String| {
            let result = block_on(registry.call(tool_runtime::ToolCall::new("1", "tried", text.clone())));
            let code = result.code();
            prop_assert!(
                matches!(code, None | Some(tool_runtime::error::ErrorCode::InvalidArgs)),
                "{}: {:?} {}",
                text,
                code,
                result.text()
            );
            // A parser of JSON that refuses a text is right about it.
            let parsed = serde_json::from_str::<Value>(&text);
            if code.is_none() {
                prop_assert!(parsed.is_ok_and(|value| value.is_object()), "{}", text);
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
