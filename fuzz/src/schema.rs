//! Schemas from elsewhere. After a NUL byte a value may stand that is held against the schema.

use serde_json::Value;
use tool_runtime::arguments::{ReadOptions, read_arguments};
use tool_runtime::schema::dialect::{Strictness, dialects as all_dialects};
use tool_runtime::schema::{ForeignSchema, Schema, SchemaError};

fn parts(data: &[u8]) -> Option<(&str, &str)> {
    let text = std::str::from_utf8(data).ok()?;
    Some(text.split_once('\0').unwrap_or((text, "{}")))
}

/// A schema is registered and does what it says, or is refused with reasons.
pub fn registration(data: &[u8]) {
    let Some((text, value)) = parts(data) else { return };
    match Schema::parse(text) {
        Ok(schema) => {
            let again =
                Schema::parse(schema.text()).unwrap_or_else(|error| panic!("{schema} is refused: {error}"));
            assert_eq!(again, schema);
            judge(&schema, value);
        }
        Err(error) => has_reasons(&error),
    }
    match ForeignSchema::parse(text) {
        Ok(schema) => {
            assert_eq!(schema.text(), text, "kept as it was sent");
            judge(schema.schema(), value);
        }
        Err(error) => has_reasons(&error),
    }
}

fn has_reasons(error: &SchemaError) {
    assert!(!error.violations().is_empty() && !error.to_string().is_empty(), "{error:?}");
    assert!(error.violations().iter().all(|violation| !violation.problem().is_empty()), "{error:?}");
}

fn judge(schema: &Schema, text: &str) {
    let example = schema.example();
    assert_eq!(schema.is_valid(&example), schema.explain(&example).is_empty(), "{schema}: {example}");
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        assert_eq!(schema.is_valid(&value), schema.explain(&value).is_empty(), "{schema}: {value}");
    }
    if let Ok(read) = read_arguments(text, schema, ReadOptions::for_tool("tool")) {
        assert!(schema.is_valid(&read.value), "{schema}: {}", read.value);
    }
}

/// A schema that is registered goes out in every dialect as its provider takes it, or is left out with a reason.
pub fn dialects(data: &[u8]) {
    let Some((text, arguments)) = parts(data) else { return };
    if ForeignSchema::parse(text).is_err() {
        return;
    }
    for dialect in all_dialects() {
        match dialect.project(text) {
            Ok(projection) => {
                // Where `strict` does not hold, the schema is that of the plain dialect, which has its own turn.
                let is_own = !matches!(projection.strictness(), Strictness::NotWith(_));
                let faults = if is_own { dialect.check(projection.schema()) } else { Vec::new() };
                assert!(faults.is_empty(), "{dialect:?}: {faults:?} in {}", projection.schema());
                projection.reverse().restore(arguments);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
