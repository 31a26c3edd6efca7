//! One verdict: ours, and that of a validator of the full language.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::Schema;

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-4_i64..12).prop_map(Value::from),
        prop::sample::select(vec![
            json!(u64::MAX),
            json!(i64::MIN),
            json!(2.0),
            json!(2.5),
            json!(0.3),
            json!(1e300)
        ]),
        prop::sample::select(vec![
            "",
            "a",
            "ab",
            "abc",
            "é",
            "A1",
            "celsius",
            "2026-01-31",
            "2026-02-30",
            "12:00:00Z",
            "23:59:60Z",
            "2026-01-31T12:00:00+01:00",
            "127.0.0.1",
            "::1",
            "a@b.co",
            "a@b@c",
            "http://x/y?z",
            "x",
            "a.b",
            "123e4567-e89b-12d3-a456-426614174000",
            "-a",
            "1.2.3.256",
            "mailto:a@b",
            "http://[::1]:80/",
            "http://a b",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(vec!["a", "b", "kind", "é/~"]), inner), 0..4)
                .prop_map(|members| Value::Object(
                    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
                )),
        ]
    })
}

fn leaf_schemas() -> impl Strategy<Value = Value> {
    let number = prop::sample::select(vec![json!(0), json!(2), json!(2.5), json!(5), json!(10.0), json!(-3)]);
    let kind = prop::sample::select(vec!["integer", "number"]);
    prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({"type": ["string", "null"]})),
        (kind.clone(), number.clone()).prop_map(|(kind, low)| json!({"type": kind, "minimum": low})),
        (kind.clone(), number.clone())
            .prop_map(|(kind, high)| json!({"type": kind, "exclusiveMaximum": high})),
        number.prop_map(|low| json!({"exclusiveMinimum": low})),
        (kind, prop::sample::select(vec![json!(2), json!(0.5), json!(0.1)]))
            .prop_map(|(kind, step)| json!({"type": kind, "multipleOf": step})),
        (0_u8..3, 0_u8..3)
            .prop_map(|(low, more)| json!({"type": "string", "minLength": low, "maxLength": low + more})),
        prop::sample::select(vec!["^a", "b$", r"^\w\d$", "^[a-c]*$", r"\."])
            .prop_map(|pattern| json!({"type": "string", "pattern": pattern})),
        prop::sample::select(super::super::format::Format::NAMES.to_vec())
            .prop_map(|format| json!({"type": "string", "format": format})),
        prop::collection::vec(values(), 1..4).prop_map(|values| json!({"enum": values})),
        values().prop_map(|value| json!({"const": value})),
        Just(json!({"type": "array", "uniqueItems": true, "maxItems": 2})),
        Just(json!({"$ref": "#/$defs/D"})),
    ]
}

fn schemas() -> impl Strategy<Value = Value> {
    leaf_schemas().prop_recursive(3, 24, 4, |inner| {
        let names = prop::sample::subsequence(vec!["a", "b", "kind", "é/~"], 0..4);
        prop_oneof![
            (inner.clone(), 0_u8..2)
                .prop_map(|(items, low)| json!({"type": "array", "items": items, "minItems": low})),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|branches| json!({"anyOf": branches})),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|branches| json!({"oneOf": branches})),
            (names, prop::collection::vec(inner.clone(), 4), inner, any::<(bool, bool)>()).prop_map(
                |(names, schemas, additional, (closed, required))| {
                    let properties: Map<String, Value> =
                        names.iter().map(|name| (*name).to_owned()).zip(schemas).collect();
                    let mut schema = json!({"type": "object", "properties": properties});
                    if required {
                        schema["required"] = json!(names.iter().step_by(2).collect::<Vec<_>>());
                    }
                    schema["additionalProperties"] = if closed { json!(false) } else { additional };
                    schema
                }
            ),
        ]
    })
}

fn documents() -> impl Strategy<Value = Value> {
    (schemas(), schemas()).prop_map(|(root, definition)| {
        json!({
            "type": "object",
            "properties": {"x": root},
            "$defs": {"D": {"type": "object", "properties": {"a": definition, "b": {"$ref": "#/$defs/D"}}}},
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn explanations_and_verdicts_agree(document in documents(), value in values()) {
        let Ok(schema) = Schema::from_value(&document) else { return Ok(()) };
        let value = json!({"x": value});
        prop_assert_eq!(schema.is_valid(&value), schema.explain(&value).is_empty());
    }

    #[test]
    fn text_means_what_was_read(document in documents()) {
        let Ok(schema) = Schema::from_value(&document) else { return Ok(()) };
        prop_assert_eq!(Schema::parse(schema.text()), Ok(schema));
    }

    #[cfg(feature = "foreign-schemas")]
    #[test]
    fn verdicts_are_those_of_the_full_language(document in documents(), values in prop::collection::vec(values(), 8)) {
        let Ok(schema) = Schema::from_value(&document) else { return Ok(()) };
        let theirs = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .should_validate_formats(true)
            .with_pattern_options(jsonschema::PatternOptions::regex())
            .offline()
            .build(&document)
            .unwrap();
        for value in values {
            let value = json!({"x": value});
            prop_assert_eq!(schema.is_valid(&value), theirs.is_valid(&value), "{} on {}", schema, value);
        }
    }
}

#[cfg(feature = "foreign-schemas")]
#[test]
fn formats_are_those_of_the_full_language() {
    use super::super::format::Format;

    let texts = [
        "",
        "a",
        "2026-01-31",
        "2024-02-29",
        "2023-02-29",
        "2026-13-01",
        "2026-1-31",
        "٢026-01-31",
        "12:00:00Z",
        "12:00:00",
        "12:00:00.5z",
        "12:00:00.Z",
        "24:00:00Z",
        "12:60:00Z",
        "12:00:00+24:00",
        "12:00:00+01:00",
        "23:59:60Z",
        "22:59:60Z",
        "00:29:60+00:30",
        "15:59:60-08:00",
        "2026-01-31T12:00:00Z",
        "2026-01-31t12:00:00z",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:00",
        "2026-01-31T12:00:00.123456-01:30",
        "192.0.2.1",
        "1.2.3",
        "01.2.3.4",
        "1.2.3.256",
        "::",
        "::1",
        "1::2::3",
        "fe80::1%eth0",
        "::ffff:1.2.3.4",
        "12345::",
        "123e4567-e89b-12d3-a456-426614174000",
        "123E4567-E89B-12D3-A456-426614174000",
        "123e4567e89b12d3a456426614174000",
        "123e4567-e89b-12d3-a456-42661417400g",
        "a@b",
        "a@b.co",
        "a.b+c@d-e.f",
        ".a@b.co",
        "a..b@c",
        "a@",
        "@b",
        "a b@c",
        "\"a b\"@c.de",
        "a@[127.0.0.1]",
        "a@[IPv6:::1]",
        "a@-b.co",
        "http://a",
        "http:",
        "http",
        "http://a b",
        "a:b",
        "1a:b",
        "http://[::1]/",
        "http://[::1",
        "http://a/[b]",
        "http://a?b#c",
        "http://a#b#c",
        "http://a/%zz",
        "http://a/%20",
        "mailto:a@b",
        "urn:isbn:1",
        "//a/b",
        "http://u:p@h:80/p",
        "http://a:b/",
        "http://a\\b",
        "http://é",
        "example.com",
        "a",
        "-a",
        "a-",
        "a..b",
        "a.b.",
        "a_b",
        "xn--4gbwdl.xn--wgbh1c",
        "1.2",
        "aa--bb",
    ];
    for format in Format::NAMES {
        let theirs = jsonschema::options()
            .should_validate_formats(true)
            .offline()
            .build(&json!({"format": format}))
            .unwrap();
        let ours = Format::from_name(format).unwrap();
        for text in texts {
            assert_eq!(ours.fits(text), theirs.is_valid(&json!(text)), "{format} {text:?}");
        }
        assert!(ours.fits(ours.example()));
    }
}
