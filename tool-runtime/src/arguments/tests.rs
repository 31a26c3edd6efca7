//! Tests of the room as a whole.

use expect_test::{Expect, expect};
use serde_json::json;

use super::*;
use crate::schema::Schema;

fn check(texts: &[&str], expect: &Expect) {
    let lines: Vec<String> = texts
        .iter()
        .map(|text| match parse_arguments(text) {
            Ok(parsed) => format!("{text:?}\n  {} {}\n", parsed.value, parsed.empty),
            Err(error) => format!("{text:?}\n  {error}\n"),
        })
        .collect();
    expect.assert_eq(&lines.concat());
}

#[test]
fn no_arguments_are_read_as_an_empty_object() {
    for text in ["", " \n\t ", "null", " null ", "\"\"", "\"{}\"", "\u{a0}"] {
        let parsed = parse_arguments(text).unwrap();
        assert_eq!((parsed.value, parsed.empty), (json!({}), true), "{text:?}");
    }
    let parsed = parse_arguments(" {} ").unwrap();
    assert_eq!((parsed.value, parsed.empty), (json!({}), false));
}

#[test]
fn numbers_are_exact_or_refused() {
    let parsed =
        parse_arguments(r#"{"a":18446744073709551615,"b":-9223372036854775808,"c":3.0,"d":0.1,"e":-0}"#)
            .unwrap();
    assert_eq!(parsed.value, json!({"a": u64::MAX, "b": i64::MIN, "c": 3.0, "d": 0.1, "e": 0}));
    check(
        &[
            r#"{"id":18446744073709551616}"#,
            "{\"a\":[1,\n {\"b/c\": -9223372036854775809}]}",
            r#"{"x":1e400}"#,
            r#"{"x":01}"#,
            r#"{"x":+1}"#,
            r#"{"x":1.}"#,
            r#"{"x":NaN}"#,
            r#"{"x":-Infinity}"#,
            "18446744073709551616",
        ],
        &expect![[r#"
            "{\"id\":18446744073709551616}"
              Error: the arguments have an integer out of range in "/id" (line 1, column 7: 18446744073709551616); it must be from -9223372036854775808 to 18446744073709551615
            "{\"a\":[1,\n {\"b/c\": -9223372036854775809}]}"
              Error: the arguments have an integer out of range in "/a/1/b~1c" (line 2, column 10: -9223372036854775809); it must be from -9223372036854775808 to 18446744073709551615
            "{\"x\":1e400}"
              Error: the arguments have a number out of range in "/x" (line 1, column 6: 1e400); it must be from -1.7976931348623157e308 to 1.7976931348623157e308
            "{\"x\":01}"
              Error: the arguments are not one JSON object (line 1, column 6: 01})
            "{\"x\":+1}"
              Error: the arguments are not one JSON object (line 1, column 6: +1})
            "{\"x\":1.}"
              Error: the arguments are not one JSON object (line 1, column 8: })
            "{\"x\":NaN}"
              Error: the arguments are not one JSON object (line 1, column 6: NaN})
            "{\"x\":-Infinity}"
              Error: the arguments are not one JSON object (line 1, column 7: Infinity})
            "18446744073709551616"
              Error: the arguments are not one JSON object (line 1, column 1: 18446744073709551616)
        "#]],
    );
}

#[test]
fn texts_that_are_not_one_object_are_refused_with_their_place() {
    check(
        &[
            "[1]",
            "7",
            "\"city\"",
            "{'a':1}",
            "{\"a\":1,}",
            "{\"a\":1}{\"a\":1}",
            "{\"a\":1} and so on",
            "{\n  \"a\": tru\n}",
            "```json\n{}\n```",
            "{\"é\":1,\n\"ö\" 2}",
            "{\"a\":\"x\ny\"}",
            r#"{"a":"\x"}"#,
            r#"{"a":"\ud800"}"#,
            r#"{"a":"\ud800A"}"#,
            r#"{"a":"\udc00"}"#,
            r#"{"a":"\u12g4"}"#,
            "\u{feff}{}",
            "{a:1}",
            "true",
        ],
        &expect![[r#"
            "[1]"
              Error: the arguments are not one JSON object (line 1, column 1: [1])
            "7"
              Error: the arguments are not one JSON object (line 1, column 1: 7)
            "\"city\""
              Error: the arguments are not one JSON object (line 1, column 1: "city")
            "{'a':1}"
              Error: the arguments are not one JSON object (line 1, column 2: 'a':1})
            "{\"a\":1,}"
              Error: the arguments are not one JSON object (line 1, column 8: })
            "{\"a\":1}{\"a\":1}"
              Error: the arguments are not one JSON object (line 1, column 8: {"a":1})
            "{\"a\":1} and so on"
              Error: the arguments are not one JSON object (line 1, column 9: and so on)
            "{\n  \"a\": tru\n}"
              Error: the arguments are not one JSON object (line 2, column 8: tru\n})
            "```json\n{}\n```"
              Error: the arguments are not one JSON object (line 1, column 1: ```json\n{}\n```)
            "{\"é\":1,\n\"ö\" 2}"
              Error: the arguments are not one JSON object (line 2, column 5: 2})
            "{\"a\":\"x\ny\"}"
              Error: the arguments are not one JSON object (line 1, column 8: \ny"})
            "{\"a\":\"\\x\"}"
              Error: the arguments are not one JSON object (line 1, column 7: \x"})
            "{\"a\":\"\\ud800\"}"
              Error: the arguments are not one JSON object (line 1, column 7: \ud800"})
            "{\"a\":\"\\ud800A\"}"
              Error: the arguments are not one JSON object (line 1, column 7: \ud800A"})
            "{\"a\":\"\\udc00\"}"
              Error: the arguments are not one JSON object (line 1, column 7: \udc00"})
            "{\"a\":\"\\u12g4\"}"
              Error: the arguments are not one JSON object (line 1, column 7: \u12g4"})
            "\u{feff}{}"
              Error: the arguments are not one JSON object (line 1, column 1: ﻿{})
            "{a:1}"
              Error: the arguments are not one JSON object (line 1, column 2: a:1})
            "true"
              Error: the arguments are not one JSON object (line 1, column 1: true)
        "#]],
    );
    assert_eq!(
        parse_arguments(r#"{"a":"\ud83d\ude00\u0041\/\b"}"#).unwrap().value,
        json!({"a": "😀A/\u{8}"})
    );
}

#[test]
fn cut_off_texts_have_a_message_of_their_own() {
    let whole = r#"{"é":[1,-2.5e+3,true],"b":{"c":"\u00e9\ud83d\ude00"},"d":null}"#;
    assert!(parse_arguments(whole).is_ok());
    for (index, _) in whole.char_indices().skip(1) {
        let text = &whole[..index];
        let characters = text.chars().count();
        let error = parse_arguments(text).unwrap_err();
        assert_eq!(error.kind(), TextErrorKind::CutOff { characters }, "{text}");
        assert_eq!(
            error.to_string(),
            format!(
                "Error: the arguments were cut off after {characters} characters; send the call again, shorter if need be"
            )
        );
    }
}

#[test]
fn duplicate_keys_are_refused_with_their_place() {
    check(
        &[r#"{"a":1,"a":1.0}"#, r#"{"a":1,"b":{"c":[1],"c":[2]}}"#, r#"{"a":1,"b":2,"\u0061":1}"#],
        &expect![[r#"
            "{\"a\":1,\"a\":1.0}"
              Error: the arguments have the property "/a" twice (line 1, column 8); send it once
            "{\"a\":1,\"b\":{\"c\":[1],\"c\":[2]}}"
              Error: the arguments have the property "/b/c" twice (line 1, column 21); send it once
            "{\"a\":1,\"b\":2,\"\\u0061\":1}"
              Error: the arguments have the property "/a" twice (line 1, column 14); send it once
        "#]],
    );
    assert_eq!(parse_arguments(r#"{"a":1,"a":1.0}"#).unwrap_err().kind(), TextErrorKind::EqualDuplicate);
    assert_eq!(parse_arguments(r#"{"a":1,"a":2}"#).unwrap_err().kind(), TextErrorKind::ConflictingDuplicate);
}

#[test]
fn limits_hold_for_size_depth_and_count() {
    let nested = |depth: usize| format!("{{\"a\":{}1{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    assert!(parse_arguments(&nested(128)).is_ok());
    for (text, limits, message) in [
        (
            nested(129),
            Limits::default(),
            "Error: the nesting of the arguments exceeds the limit of 128 levels",
        ),
        (
            nested(100_000),
            Limits::default().with_max_depth(1 << 20),
            "Error: the nesting of the arguments exceeds the limit of 128 levels",
        ),
        (
            nested(4),
            Limits::default().with_max_depth(3),
            "Error: the nesting of the arguments exceeds the limit of 3 levels",
        ),
        (
            nested(9),
            Limits::default().with_max_bytes(9),
            "Error: the size of the arguments exceeds the limit of 9 bytes",
        ),
        (
            "{\"a\":[1,2,3]}".to_owned(),
            Limits::default().with_max_nodes(4),
            "Error: the number of values in the arguments exceeds the limit of 4",
        ),
    ] {
        assert_eq!(parse_arguments_within(&text, &limits).unwrap_err().to_string(), message);
    }
}

#[test]
fn errors_can_be_told_without_what_was_sent() {
    let error = parse_arguments(r#"{"a":secret}"#).unwrap_err();
    assert_eq!(error.redacted(), "Error: the arguments are not one JSON object (line 1, column 6: …)");
}

#[test]
fn reports_are_cut_after_eight_lines() {
    let names: Vec<String> = (0..12).map(|index| format!("p{index:02}")).collect();
    let properties: serde_json::Map<_, _> =
        names.iter().map(|name| (name.clone(), json!({"type": "boolean"}))).collect();
    let schema =
        Schema::from_value(&json!({"type": "object", "properties": properties, "required": names})).unwrap();
    let text = invalid_arguments_text("t", &schema.explain(&json!({"p00": "secret"})), &schema);
    expect![[r#"
        Error: invalid arguments for "t":
        - /p00: expected boolean, got string "secret"
        - missing required property "/p01"
        - missing required property "/p02"
        - missing required property "/p03"
        - missing required property "/p04"
        - missing required property "/p05"
        - missing required property "/p06"
        - missing required property "/p07"
        - and 4 more
        Call it like: {"p00":true,"p01":true,"p02":true,"p03":true,"p04":true,"p05":true,"p06":true,"p07":true,"p08":true,"p09":true,"p10":true,"p11":true}"#]].assert_eq(&text);
    let text = redacted_arguments_text("t", &schema.explain(&json!({"p00": "secret"})), &schema);
    assert_eq!(text.lines().nth(1), Some("- /p00: expected boolean, got string"));
}
