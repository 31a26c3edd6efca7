//! Field reports about arguments that other files of this folder do not hold.

use std::collections::BTreeMap;

use expect_test::expect;
use serde_json::{Value, json};
use tool_runtime::arguments::{Limits, ReadOptions, read_arguments};
use tool_runtime::error::ErrorCode;
use tool_runtime::schema::ForeignSchema;
use tool_runtime::{Registry, tool};

use crate::support::{call, failure, only, run, text};

/// A value in one of two forms.
#[tool_runtime::tool_type]
#[serde(untagged)]
enum Either {
    /// By number.
    Number(u64),
    /// By name.
    Name(String),
}

/// What every amount has.
#[tool_runtime::tool_type]
struct Base {
    /// How much.
    amount: i64,
}

/// An amount with more.
#[tool_runtime::tool_type]
struct Amount {
    /// What it has of all amounts.
    #[serde(flatten)]
    base: Base,
    /// Which.
    which: Either,
}

/// Counts something.
#[tool]
fn count_amount(
    /// What to count.
    amount: Amount,
    /// A large number.
    large: Option<u64>,
) -> String {
    let which = match amount.which {
        Either::Number(number) => number.to_string(),
        Either::Name(name) => name,
    };
    format!("{} {which} {large:?}", amount.base.amount)
}

#[test]
fn f099_integers_are_exact_or_refused_through_flattened_and_untagged_types() {
    let exact = r#"{"amount":{"amount":-9223372036854775808,"which":18446744073709551615},"large":18446744073709551615}"#;
    assert_eq!(
        text::<count_amount>(exact),
        r#""-9223372036854775808 18446744073709551615 Some(18446744073709551615)""#
    );
    // A 128-bit integer is refused at its place, never rounded; such types are refused while compiling.
    for place in ["/amount/amount", "/amount/which", "/large"] {
        let mut arguments = json!({"amount": {"amount": 1, "which": 1}, "large": 1});
        *arguments.pointer_mut(place).expect("there") = json!("LONG");
        let arguments = arguments.to_string().replace("\"LONG\"", &i128::MAX.to_string());
        let told = failure(&call::<count_amount>(&arguments));
        assert!(told.contains("an integer out of range") && told.contains(place), "{told}");
    }
}

#[test]
fn large_integers_may_be_written_as_floats() {
    for (large, read) in [
        ("1e16", "10000000000000000"),
        ("9007199254740993.0", "9007199254740993"),
        ("1.8446744073709551615e19", "18446744073709551615"),
    ] {
        let arguments = format!(r#"{{"amount":{{"amount":1,"which":{large}}},"large":{large}}}"#);
        assert_eq!(text::<count_amount>(&arguments), format!("\"1 {read} Some({read})\""));
    }
    for large in ["9007199254740992.5", "18446744073709551616.0", "1e20", "-1e16"] {
        let arguments = format!(r#"{{"amount":{{"amount":1,"which":"x"}},"large":{large}}}"#);
        let result = call::<count_amount>(&arguments);
        assert_eq!(result.code(), Some(ErrorCode::InvalidArgs), "{large}");
    }
    tool_runtime::testing::check(&only::<count_amount>());
}

#[test]
fn f107_arguments_that_are_wrong_are_a_result_that_the_model_reads() {
    let registry = Registry::builder().register::<count_amount>().build().expect("builds");
    for arguments in ["", "nonsense", "[1]", r#"{"amount":1}"#, r#"{"amount""#] {
        // The call answers in band; what cannot be answered so would be an error of `call`, which it has not.
        let result = run(&registry, "count_amount", arguments);
        assert!(result.is_error(), "{arguments}");
        assert_eq!((result.id(), result.code()), ("call_1", Some(ErrorCode::InvalidArgs)), "{arguments}");
        assert!(result.text().starts_with("Error: "), "{arguments}");
    }
}

#[test]
fn f110_values_can_be_kept_out_of_errors() {
    let schema = ForeignSchema::parse(
        &json!({"type": "object", "additionalProperties": false, "properties": {
            "card": {"type": "string", "maxLength": 4}, "pin": {"type": "integer"}, "kind": {"enum": ["a", "b"]},
        }})
        .to_string(),
    )
    .expect("a schema");
    for arguments in [
        r#"{"card":"SECRET-1","pin":"SECRET-2","kind":"SECRET-3"}"#,
        r#"{"card":{"a":["SECRET"]},"pin":[["SECRET"]]}"#,
        r#"{"card": SECRET}"#,
        r#"SECRET {"card":"x"}"#,
        r#"{"pin":["SECRET"],"pin":["OTHER SECRET"]}"#,
    ] {
        let error = read_arguments(arguments, &schema, ReadOptions::for_tool("pay")).expect_err(arguments);
        let redacted = error.redacted();
        assert!(redacted.starts_with("Error: ") && !redacted.contains("SECRET"), "{redacted}");
    }
    let error =
        read_arguments(r#"{"pin":"SECRET"}"#, &schema, ReadOptions::for_tool("pay")).expect_err("wrong");
    expect![[r#"
        Error: invalid arguments for "pay":
        - /pin: expected integer, got string
        Call it like: {}"#]]
    .assert_eq(&error.redacted());
}

/// Keeps anything.
#[tool]
fn keep_anything(
    /// What to keep.
    values: BTreeMap<String, Value>,
) -> usize {
    values.len()
}

#[test]
fn limits_have_a_code_of_their_own() {
    let limits = Limits::default();
    let deep = "[".repeat(limits.max_depth()) + &"]".repeat(limits.max_depth());
    let many = vec!["0"; limits.max_nodes()].join(",");
    let cases = [
        (format!(r#"{{"values":{{"a":"{}"}}}}"#, "x".repeat(limits.max_bytes())), "size", "4194304 bytes"),
        (format!(r#"{{"values":{{"a":{deep}}}}}"#), "nesting", "128 levels"),
        (format!(r#"{{"values":{{"a":[{many}]}}}}"#), "number of values in", "100000"),
    ];
    for (arguments, what, limit) in cases {
        let told = failure(&call::<keep_anything>(&arguments));
        let arguments = if what.ends_with("in") { "the arguments" } else { "of the arguments" };
        assert_eq!(
            told,
            format!("RESOURCE_LIMIT\nError: the {what} {arguments} exceeds the limit of {limit}")
        );
    }
}
