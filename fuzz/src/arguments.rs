//! Texts of arguments. The first byte chooses the schema, by a digit in the seeds; the rest is the text.

use std::sync::LazyLock;

use serde_json::Value;
use tool_runtime::arguments::{ReadArguments, ReadOptions, RepairKind, parse_arguments, read_arguments};
use tool_runtime::schema::{ForeignSchema, Schema};

/// Within the executable subset, one a shape that repairs look at.
const OWN: [&str; 7] = [
    r#"{"type":"object","properties":{"q":{"type":"string","minLength":1},"n":{"type":"integer","minimum":0,"maximum":100},"x":{"type":"number"},"on":{"type":"boolean","default":true},"mode":{"type":"string","enum":["fast","Slow"],"default":"fast"},"tags":{"type":"array","items":{"type":"string"},"maxItems":4,"uniqueItems":true}},"required":["q"],"additionalProperties":false}"#,
    r#"{"type":"object","properties":{}}"#,
    r##"{"type":"object","properties":{"filter":{"$ref":"#/$defs/F"}},"required":["filter"],"additionalProperties":false,"$defs":{"F":{"anyOf":[{"type":"object","properties":{"kind":{"type":"string","const":"and"},"of":{"type":"array","items":{"$ref":"#/$defs/F"}}},"required":["kind","of"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","const":"is"},"field":{"type":"string"},"value":{"type":"integer"}},"required":["kind","field"],"additionalProperties":false}]}}}"##,
    r#"{"type":"object","properties":{"id":{"anyOf":[{"type":"string"},{"type":"integer"}]},"opt":{"anyOf":[{"type":"integer"},{"type":"null"}]},"num":{"anyOf":[{"type":"number"},{"type":"boolean"}]}}}"#,
    r#"{"type":"object","properties":{"map":{"type":"object","additionalProperties":{"type":"integer"}},"rows":{"type":"array","items":{"type":"array","items":{"type":"number"},"minItems":1}}},"required":["map"]}"#,
    r#"{"type":"object","properties":{"arguments":{"type":"object","properties":{"n":{"type":"integer"}}},"name":{"type":"string"},"n":{"type":"integer","default":3}}}"#,
    r#"{"type":"object","properties":{"code":{"type":"string","pattern":"^[A-Z]{2}[0-9]+$"},"step":{"type":"number","multipleOf":0.5},"inner":{"type":"object","properties":{"n":{"type":"integer","default":7},"s":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}"#,
];

const FOREIGN: &str = r#"{"type":"object","properties":{"a":{"type":["integer","null"]},"b":{"oneOf":[{"type":"string"},{"type":"array","prefixItems":[{"type":"integer"}]}]}},"patternProperties":{"^x-":{"type":"boolean"}},"minProperties":1,"if":{"required":["a"]},"then":{"required":["b"]}}"#;

static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    let own = OWN.iter().map(|text| Schema::parse(text).expect("a schema"));
    own.chain([ForeignSchema::parse(FOREIGN).expect("a schema").into()]).collect()
});

const OPTIONS: fn() -> ReadOptions<'static> = || ReadOptions::for_tool("tool");

fn choose(data: &[u8]) -> Option<(&'static Schema, &str)> {
    let (first, rest) = data.split_first()?;
    let schema = SCHEMAS.get(usize::from(*first) % SCHEMAS.len())?;
    Some((schema, std::str::from_utf8(rest).ok()?))
}

/// What is read is an object that the schema takes; what is not has its reasons.
pub fn text(data: &[u8]) {
    let Some((schema, text)) = choose(data) else { return };
    match parse_arguments(text) {
        Ok(parsed) => {
            assert!(parsed.value.is_object(), "{}", parsed.value);
            let valid = schema.is_valid(&parsed.value);
            assert_eq!(valid, schema.explain(&parsed.value).is_empty(), "{}", parsed.value);
        }
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.redacted().is_empty());
            assert!(error.line() > 0 && error.column() > 0, "{error}");
        }
    }
    for options in [OPTIONS(), OPTIONS().repair(false), OPTIONS().defaults(false)] {
        match read_arguments(text, schema, options) {
            Ok(read) => assert!(read.value.is_object() && schema.is_valid(&read.value), "{}", read.value),
            Err(error) => {
                assert!(!error.to_string().is_empty() && !error.redacted().is_empty());
                assert!(error.text_error().is_some() || !error.violations().is_empty(), "{error}");
            }
        }
    }
}

/// What is right is never changed, and what was repaired is right: reading it again repairs nothing.
pub fn repair(data: &[u8]) {
    let Some((schema, text)) = choose(data) else { return };
    let full = read_arguments(text, schema, OPTIONS());
    if let Ok(strict) = read_arguments(text, schema, OPTIONS().repair(false)) {
        assert_eq!(Some(&strict), full.as_ref().ok(), "repairs change what is right without them");
    }
    if let Ok(parsed) = parse_arguments(text)
        && schema.is_valid(&parsed.value)
        && let Ok(read) = read_arguments(text, schema, OPTIONS().defaults(false))
    {
        let ReadArguments { value, repairs, .. } = read;
        assert!(is_same(&parsed.value, &value), "{} became {value}", parsed.value);
        let may_be = |kind| matches!(kind, RepairKind::Empty | RepairKind::IntegralFloat);
        assert!(repairs.iter().all(|repair| may_be(repair.kind())), "{repairs:?}");
    }
    if let Ok(read) = full {
        let again = read_arguments(&read.value.to_string(), schema, OPTIONS());
        let again = again.unwrap_or_else(|error| panic!("{} is refused: {error}", read.value));
        // A float of 2^53 or more is written as the integer that its shortest form denotes.
        assert!(is_same(&again.value, &read.value), "{} became {}", read.value, again.value);
        assert!(again.repairs.is_empty(), "{}: {:?}", read.value, again.repairs);
    }
}

/// Equal, where an integer may stand for the float of the same value.
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| is_same(left, right)))
        }
        _ => left == right,
    }
}
