//! Laws of repair, and its cost.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{Limits, ReadOptions, RepairKind, TextErrorKind, read_arguments};
use crate::schema::{ForeignSchema, Schema};
use crate::value::canonical;

fn schemas() -> Vec<Schema> {
    [
        json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}),
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": ["integer", "null"]}},
            "b": {"type": "boolean"}}, "required": ["a"], "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {"enum": ["Ab", "x", 3]}, "b": {"type": "number"}}}),
        json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        json!({"type": "object", "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "array"},
            {"type": "object", "properties": {"b": {"type": "integer"}}, "additionalProperties": false}]}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"type": "integer"}},
            "additionalProperties": false}),
        json!({"type": "object", "properties": {"a": {"oneOf": [
            {"type": "object", "properties": {"b": {"const": "x"}}, "required": ["b"]},
            {"type": "object", "properties": {"b": {"const": "y"}, "a": {"type": "integer"}}, "required": ["b"]}]}}}),
    ]
    .iter()
    .map(|schema| ForeignSchema::from_value(schema).unwrap().into())
    .collect()
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-4_i64..12).prop_map(Value::from),
        prop::sample::select(vec![json!(3.0), json!(2.5), json!(u64::MAX), json!(1e300)]),
        prop::sample::select(vec![
            "",
            "a",
            "X",
            "x",
            "AB",
            "5",
            " 7 ",
            "true",
            "null",
            "[1]",
            "['1']",
            "{\"b\":1}",
            "{b:'x'}",
            "1.0",
            "NaN",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "arguments"]), inner), 0..4)
                .prop_map(|members| {
                    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
                }),
        ]
    })
}

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "'b'",
        "a",
        "1",
        "2.0",
        "true",
        "None",
        " ",
        "\n",
        "\\n",
        "// c\n",
        "/*",
        "*/",
        "```json\n",
        "\n```",
        "</s>",
        "\"",
        "'",
        "\\",
        "\u{feff}",
        "é",
    ]);
    prop::collection::vec(pieces, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_right_is_never_changed(value in values()) {
        for schema in schemas() {
            if !value.is_object() || !schema.is_valid(&value) {
                continue;
            }
            let options = ReadOptions::for_tool("t").defaults(false);
            if let Ok(read) = read_arguments(&value.to_string(), &schema, options) {
                prop_assert_eq!(canonical(&read.value), canonical(&value));
                prop_assert!(read.repairs.iter().all(|repair| repair.kind() == RepairKind::IntegralFloat));
            }
        }
    }

    #[test]
    fn what_was_repaired_is_right_and_stays(value in values()) {
        for schema in schemas() {
            if let Ok(read) = read_arguments(&value.to_string(), &schema, ReadOptions::for_tool("t")) {
                prop_assert!(schema.is_valid(&read.value));
                let again = read_arguments(&read.value.to_string(), &schema, ReadOptions::for_tool("t")).unwrap();
                prop_assert_eq!(&again.value, &read.value);
                prop_assert!(again.repairs.is_empty());
            }
        }
    }

    #[test]
    fn no_text_does_harm(text in texts()) {
        for schema in schemas() {
            match read_arguments(&text, &schema, ReadOptions::for_tool("t")) {
                Ok(read) => prop_assert!(schema.is_valid(&read.value)),
                Err(error) => prop_assert!(!error.to_string().is_empty() && !error.redacted().is_empty()),
            }
        }
    }

    #[test]
    fn without_repair_only_the_text_as_sent_counts(value in values()) {
        for schema in schemas() {
            let options = ReadOptions::for_tool("t").repair(false).defaults(false);
            if let Ok(read) = read_arguments(&value.to_string(), &schema, options) {
                prop_assert!(value.is_object() || value.is_null() || value.is_string());
                prop_assert!(!value.is_object() || canonical(&read.value) == canonical(&value));
            }
        }
    }
}

#[test]
fn repeated_objects_are_counted_as_if_they_stood_in_one() {
    let schema: Schema = ForeignSchema::parse(r#"{"type":"object","properties":{"id":{}}}"#).unwrap().into();
    let read =
        |times: usize| read_arguments(&"{\"id\":1}".repeat(times), &schema, ReadOptions::for_tool("t"));
    assert_eq!(read(1_000).unwrap().repairs.len(), 1);
    let error = read(60_000).unwrap_err();
    assert!(error.text_error().unwrap().is_limit(), "{error}");
    let mut limits = Limits::default();
    let within =
        |text: &str, limits| read_arguments(text, &schema, ReadOptions::for_tool("t").limits(limits));
    limits = limits.with_max_nodes(5);
    assert!(within("{}{}{}{\"id\":1}", limits).is_ok());
    assert!(within("{}{}{}{}{}{}{\"id\":1}", limits).is_err());
}

#[test]
fn texts_that_are_read_as_values_count_as_values() {
    let schema: Schema = ForeignSchema::parse(
        r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n"}},
        "additionalProperties":false,"$defs":{"n":{"type":"array","items":{"$ref":"#/$defs/n"}}}}"##,
    )
    .unwrap()
    .into();
    let read =
        |text: &str, limits| read_arguments(text, &schema, ReadOptions::for_tool("t").limits(limits)).is_ok();
    let limits = Limits::default().with_max_nodes(8).with_max_depth(4);
    assert!(read(r#"{"a":"[[],[],[]]","b":[]}"#, limits));
    // Each is within the limits, and both together are not.
    assert!(!read(r#"{"a":"[[],[],[]]","b":"[[],[],[]]"}"#, limits));
    assert!(read(r#"{"a":["[[]]"]}"#, limits));
    assert!(!read(r#"{"a":["[[[]]]"]}"#, limits));
    assert!(!read(r#"{"arguments":"{\"a\":[[],[],[],[],[],[],[]]}"}"#, limits));
    assert!(read(r#"{"arguments":"{\"a\":[[],[],[]]}"}"#, limits));
    let deep = |levels: usize| {
        format!(
            r#"{{"a":{}"{}{}"{}}}"#,
            "[".repeat(100),
            "[".repeat(levels),
            "]".repeat(levels),
            "]".repeat(100)
        )
    };
    assert!(read(&deep(27), Limits::default()));
    assert!(!read(&deep(28), Limits::default()));
}

#[test]
fn what_was_cut_off_is_told_so_wherever_it_was_cut() {
    let schema: Schema = ForeignSchema::parse(r#"{"type":"object"}"#).unwrap().into();
    let whole = "\u{feff}{\"a\": [tru\u{65}, -1.5e+3, \"x\\u00e9\\n\", None, /* c */ {b: 1,}], \"c\": null}";
    for (end, _) in whole.char_indices().skip(2) {
        let error = read_arguments(&whole[..end], &schema, ReadOptions::for_tool("t")).unwrap_err();
        let kind = error.text_error().unwrap().kind();
        assert!(matches!(kind, TextErrorKind::CutOff { .. }), "{kind:?} of {}", &whole[..end]);
    }
    assert!(read_arguments(whole, &schema, ReadOptions::for_tool("t")).is_ok());
}

#[test]
fn deep_repairs_stay_within_a_small_stack() {
    let run = || {
        let schema: Schema = ForeignSchema::parse(
            r##"{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"anyOf":[{"type":"integer"},
            {"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"required":["a"]},
            {"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"required":["a"]}]}}}"##,
        )
        .unwrap()
        .into();
        let text = |leaf: &str| format!("{{\"n\":{}{leaf}{}}}", "{\"a\":".repeat(120), "}".repeat(120));
        let read = read_arguments(&text("\"5\""), &schema, ReadOptions::for_tool("t")).unwrap();
        assert_eq!(read.repairs.len(), 1);
        assert!(read_arguments(&text("\"x\""), &schema, ReadOptions::for_tool("t")).is_err());
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}
