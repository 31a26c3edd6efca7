//! Field reports about what providers are sent, from a function to the request and back.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tool_runtime::provider::anthropic::Messages;
use tool_runtime::provider::gemini::Generate;
use tool_runtime::provider::openai::Chat;
use tool_runtime::schema::dialect::{Dialect, Strictness, dialects};
use tool_runtime::{ToolHandle, tool};

use crate::support::{input, only, run, with_definition};

/// How to measure.
#[tool_runtime::tool_type]
enum Measure {
    /// Celsius.
    C,
    /// Fahrenheit.
    F,
}

/// What to look at.
#[tool_runtime::tool_type]
#[serde(tag = "kind")]
enum Area {
    /// A place.
    Place {
        /// Its name.
        name: String,
    },
    /// All areas within.
    Within {
        /// The areas.
        areas: Vec<Area>,
    },
}

/// Reports the weather.
#[tool(effect = read)]
fn report_weather(
    /// Where.
    area: Area,
    /// How to measure.
    measure: Measure,
    /// What to leave out.
    without: Option<Vec<String>>,
    /// How many days.
    #[arg(default = 5)]
    days: u8,
) -> String {
    let area = match area {
        Area::Place { name } => name,
        Area::Within { areas } => areas.len().to_string(),
    };
    let measure = match measure {
        Measure::C => "C",
        Measure::F => "F",
    };
    format!("{area} {measure} {without:?} {days}")
}

/// Keeps labels.
#[tool]
fn keep_labels(
    /// The labels.
    labels: BTreeMap<String, String>,
) -> usize {
    labels.len()
}

fn projected<T: ToolHandle>(dialect: Dialect) -> Value {
    let projection = dialect.project(&input::<T>()).expect("a projection");
    serde_json::from_str(projection.schema()).expect("JSON")
}

/// Every schema within a projection, the root first.
fn schemas(value: &Value) -> Vec<&serde_json::Map<String, Value>> {
    let Value::Object(members) = value else { return Vec::new() };
    let mut all = vec![members];
    for (keyword, inner) in members {
        match (keyword.as_str(), inner) {
            ("properties" | "$defs", Value::Object(named)) => all.extend(named.values().flat_map(schemas)),
            ("anyOf" | "oneOf", Value::Array(list)) => all.extend(list.iter().flat_map(schemas)),
            ("items" | "additionalProperties", inner) => all.extend(schemas(inner)),
            _ => {}
        }
    }
    all
}

#[test]
fn f067_every_dialect_carries_every_argument() {
    for dialect in dialects() {
        let projection = dialect.project(&input::<report_weather>()).expect("a projection");
        for name in ["area", "measure", "without", "days"] {
            assert!(projection.schema().contains(name), "{} lost {name}", dialect.name());
        }
    }
    with_definition::<report_weather, _>(|definition| {
        for request in [
            Generate::parameters().request([definition]),
            Generate::json_schema().request([definition]),
            Messages::plain().request([definition]),
            Chat::plain().request([definition]),
        ] {
            assert!(request.tools().contains("\"without\""), "{}", request.tools());
        }
    });
}

#[test]
fn f070_gemini_is_sent_only_what_it_knows() {
    let schema = projected::<report_weather>(Dialect::GeminiParameters);
    for members in schemas(&schema) {
        for refused in ["const", "oneOf", "$ref", "$defs", "additionalProperties"] {
            assert!(!members.contains_key(refused), "`{refused}` in {members:?}");
        }
        assert!(members.get("format").is_none_or(|format| ["enum", "date-time"].iter().any(|f| format == f)));
    }
    let forms = schema.pointer("/properties/area/anyOf").and_then(Value::as_array).expect("forms");
    assert_eq!(forms[0].pointer("/properties/kind/enum"), Some(&json!(["Place"])));
    assert!(
        schema.pointer("/properties/measure").is_some_and(|measure| measure.to_string().contains("enum"))
    );
}

#[test]
fn f071_an_optional_list_is_a_list_that_gemini_calls_nullable() {
    let schema = projected::<report_weather>(Dialect::GeminiParameters);
    let without = schema.pointer("/properties/without").expect("there");
    assert_eq!((without.get("type"), without.get("nullable")), (Some(&json!("array")), Some(&json!(true))));
    assert_eq!(without.pointer("/items/type"), Some(&json!("string")));
}

#[test]
fn f085_a_default_is_told_in_strict_mode_and_null_becomes_it() {
    let registry = only::<report_weather>();
    let request = Chat::strict().request(&registry.definition("report_weather"));
    assert_eq!(request.reports()[0].strictness(), &Strictness::Holds);
    let sent: Value = serde_json::from_str(request.tools()).expect("JSON");
    let days = sent.pointer("/0/function/parameters/properties/days").expect("there");
    assert!(days.get("default").is_none(), "{days}");
    assert_eq!(days.get("type"), Some(&json!(["integer", "null"])));
    assert!(days.to_string().contains("(default: 5)"), "the default is not told: {days}");
    let required = sent.pointer("/0/function/parameters/required").and_then(Value::as_array);
    assert!(required.is_some_and(|names| names.contains(&json!("days"))));

    let arguments =
        json!({"area": {"kind": "Place", "name": "Oslo"}, "measure": "C", "without": null, "days": null});
    let message = json!({"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
        "function": {"name": "report_weather", "arguments": arguments.to_string()}}]});
    let calls = request.restore(Chat::strict().calls(&message.to_string()).expect("calls"));
    let result = run(&registry, calls[0].name(), calls[0].arguments());
    assert_eq!(result.text(), r#""Oslo C None 5""#);
}

#[test]
fn f086_strict_is_sent_only_where_the_schema_can_honour_it() {
    with_definition::<keep_labels, _>(|definition| {
        let request = Chat::strict().request([definition]);
        assert!(request.tools().contains(r#""strict":false"#), "{}", request.tools());
        let Strictness::NotWith(reasons) = request.reports()[0].strictness() else { panic!("strict") };
        assert_eq!(reasons, &["/properties/labels: is a map, which strict schemas cannot say"]);
    });
}
