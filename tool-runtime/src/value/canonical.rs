//! The canonical text of a JSON value.

use serde_json::{Number, Value};

use super::number::Exact;
use super::tokens::{ROUNDING, denoted};

/// Writes a value in its canonical form: the one text that every equal value has.
///
/// Keys are sorted by their UTF-8 bytes, nothing is blank, integers are exact, floats without a fraction below
/// 2^53 are written as integers, and other floats in their shortest form. Fingerprints are made over this text.
///
/// # Examples
/// ```
/// use serde_json::json;
/// use tool_runtime::value::canonical;
///
/// assert_eq!(canonical(&json!({"b": 2.0, "a": [1, 0.5]})), r#"{"a":[1,0.5],"b":2}"#);
/// ```
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    // An explicit stack: a value built in code can be nested deeper than any thread's stack.
    let mut steps = vec![Step::Value(value)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Text(text) => out.push_str(text),
            Step::Key(key) => {
                write_string(&mut out, key);
                out.push(':');
            }
            Step::Value(Value::Null) => out.push_str("null"),
            Step::Value(Value::Bool(true)) => out.push_str("true"),
            Step::Value(Value::Bool(false)) => out.push_str("false"),
            Step::Value(Value::Number(number)) => write_number(&mut out, number),
            Step::Value(Value::String(text)) => write_string(&mut out, text),
            Step::Value(Value::Array(items)) => {
                out.push('[');
                steps.push(Step::Text("]"));
                for (index, item) in items.iter().enumerate().rev() {
                    steps.push(Step::Value(item));
                    if index > 0 {
                        steps.push(Step::Text(","));
                    }
                }
            }
            Step::Value(Value::Object(members)) => {
                out.push('{');
                steps.push(Step::Text("}"));
                let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
                sorted.sort_unstable_by(|a, b| a.0.cmp(b.0));
                for (index, (key, member)) in sorted.into_iter().enumerate().rev() {
                    steps.push(Step::Value(member));
                    steps.push(Step::Key(key));
                    if index > 0 {
                        steps.push(Step::Text(","));
                    }
                }
            }
        }
    }
    out
}

enum Step<'a> {
    Value(&'a Value),
    Key(&'a str),
    Text(&'static str),
}

/// Writes a JSON string with the escapes that JSON demands and no others.
pub(crate) fn write_string(out: &mut String, text: &str) {
    let is_special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    out.reserve(text.len() + 2);
    out.push('"');
    // Looks at every byte, which the machine does for many at once.
    if !text.as_bytes().iter().fold(false, |found, byte| found | is_special(byte)) {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut from = 0;
    for (place, byte) in text.bytes().enumerate().filter(|(_, byte)| is_special(byte)) {
        out.push_str(text.get(from..place).unwrap_or_default());
        from = place + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            control => {
                out.push_str("\\u00");
                for digit in [control >> 4, control & 15] {
                    out.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
                }
            }
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.push('"');
}

fn write_number(out: &mut String, number: &Number) {
    const EXACT: i128 = 1 << 53;
    let text = number.to_string();
    let is_integer = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    match Exact::of(number) {
        Exact::Integer(integer) if is_integer || (-EXACT < integer && integer < EXACT) => {
            out.push_str(&integer.to_string());
        }
        _ if is_integer => out.push_str(&text),
        _ => match number.as_f64().and_then(Number::from_f64) {
            Some(shortest) => {
                let text = shortest.to_string();
                // Such a text is read as the integer that it denotes, which is then the one form of it.
                let integer =
                    shortest.as_f64().filter(|float| float.abs() >= ROUNDING).and_then(|_| denoted(&text));
                out.push_str(&integer.map_or(text, |integer| integer.to_string()));
            }
            None => out.push_str(&text),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::{ParseLimits, parse};
    use super::*;

    #[test]
    fn one_value_has_one_text() {
        for (value, text) in [
            (json!({"b": 1, "a": {"d": null, "c": true}}), r#"{"a":{"c":true,"d":null},"b":1}"#),
            (json!({"é": 1, "z": 2, "Z": 3, "": 4}), r#"{"":4,"Z":3,"z":2,"é":1}"#),
            (json!([1.0, -0.0, 1.5, 1e300, 9_007_199_254_740_992.0]), "[1,0,1.5,1e+300,9007199254740992]"),
            (json!([u64::MAX, i64::MIN]), "[18446744073709551615,-9223372036854775808]"),
            (json!("a\"\\\n\u{1}\u{7f}é"), "\"a\\\"\\\\\\n\\u0001\u{7f}é\""),
        ] {
            assert_eq!(canonical(&value), text);
        }
    }

    #[test]
    fn deep_values_do_not_overflow_the_stack() {
        let mut value = json!(1);
        for _ in 0..50_000 {
            value = Value::Array(vec![value]);
        }
        assert_eq!(canonical(&value).len(), 100_001);
        // Dropping a value recurses, which is serde_json's affair.
        std::mem::forget(value);
    }

    pub(crate) fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            (-50_i8..50).prop_map(|n| Value::from(f64::from(n))),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn canonical_text_is_a_fixed_point(value in any_value()) {
            let text = canonical(&value);
            let read = parse(&text, &ParseLimits::default()).map(super::super::Json::into_value);
            prop_assert_eq!(read.as_ref().map(canonical), Ok(text));
        }
    }
}
