//! One attack, in the process that `eval attacks` starts for it.

use std::error::Error;
use std::fs;
use std::time::SystemTime;

use serde_json::{Value, json};
use tool_runtime::ToolName;
use tool_runtime::arguments::{ReadOptions, read_arguments};
use tool_runtime::schema::{ForeignSchema, SchemaError};

use super::{deep, text};

/// The stack of a worker thread.
const STACK: usize = 2 << 20;

/// What a model may be sent about one call, in bytes.
const LONGEST_TEXT: usize = 8 * 1024;

/// How an attack ended, and what is said of it.
struct Ending {
    verdict: &'static str,
    text: String,
}

impl Ending {
    fn refused(text: impl Into<String>) -> Self {
        Self { verdict: "refused", text: text.into() }
    }

    fn accepted(text: impl Into<String>) -> Self {
        Self { verdict: "accepted", text: text.into() }
    }

    fn wrong(text: impl Into<String>) -> Self {
        Self { verdict: "wrong", text: text.into() }
    }
}

/// Runs the case of a file on a small stack and prints its report.
pub(super) fn run(file: &str) -> Result<(), Box<dyn Error>> {
    let case: Value = serde_json::from_str(&fs::read_to_string(file)?)?;
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let start = SystemTime::now();
        let ending = attack(&case);
        (ending, start.elapsed().unwrap_or_default())
    })?;
    let (ending, time) = thread.join().map_err(|_| "the attack panicked")?;
    let shown: String = ending.text.chars().take(500).collect();
    let report = json!({
        "verdict": ending.verdict,
        "text": shown,
        "milliseconds": u64::try_from(time.as_millis())?,
        "kib": peak_memory()?,
    });
    println!("{report}");
    Ok(())
}

/// The most memory that the process has held, in KiB.
fn peak_memory() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    Ok(line.trim().trim_end_matches("kB").trim().parse()?)
}

fn attack(case: &Value) -> Ending {
    let target = text(case, "target");
    let payload = case.get("payload");
    let generated = case.get("generated").and_then(Value::as_str);
    if let Some(Value::Array(names)) = payload {
        return attack_names(names);
    }
    if let Some(output) = payload.and_then(|payload| payload.get("outputSchema")) {
        return attack_output(output, payload.and_then(|payload| payload.get("structuredContent")));
    }
    if target.contains("arguments text") {
        let raw = payload.and_then(Value::as_str).or(generated).unwrap_or_default();
        let open = r#"{"type":"object","properties":{"id":{"type":"integer"},"n":{"type":"number"}}}"#;
        return with_schema(ForeignSchema::parse(open), Some(raw));
    }
    let arguments = match (case.get("instance"), payload, generated) {
        (Some(instance), ..) => Some(instance.to_string()),
        (None, Some(_), Some(generated)) => Some(generated.to_owned()),
        _ => None,
    };
    let schema = match (payload, generated) {
        (Some(Value::String(text)), _) => ForeignSchema::parse(text),
        (Some(schema), _) => ForeignSchema::parse(&schema.to_string()),
        (None, Some(text)) if target.contains("in code") => match deep::read(text) {
            Some(value) => {
                let schema = ForeignSchema::from_value(&value);
                std::mem::forget(value);
                schema
            }
            None => return Ending::wrong("the generator wrote no JSON"),
        },
        (None, Some(text)) => ForeignSchema::parse(text),
        (None, None) => return Ending::wrong("the case has neither payload nor generator"),
    };
    with_schema(schema, arguments.as_deref())
}

/// A schema, and arguments against it: verdict, explanation, repair and texts.
fn with_schema(schema: Result<ForeignSchema, SchemaError>, arguments: Option<&str>) -> Ending {
    let schema = match schema {
        Ok(schema) => schema,
        Err(error) => {
            let places = error.violations().iter().all(|violation| !violation.problem().is_empty());
            let text = error.to_string();
            return if places && !text.is_empty() {
                Ending::refused(text)
            } else {
                Ending::wrong("no reason")
            };
        }
    };
    let example = schema.example();
    let Some(arguments) = arguments else {
        // What a server's names and values are must come through unchanged.
        return Ending::accepted(format!("{} findings, such as {example}", schema.findings().len()));
    };
    match read_arguments(arguments, &schema, ReadOptions::for_tool("tool")) {
        Ok(read) => Ending::accepted(format!("{} repairs", read.repairs.len())),
        Err(error) => {
            let (text, redacted) = (error.to_string(), error.redacted());
            if text.len() > LONGEST_TEXT || redacted.len() > LONGEST_TEXT {
                return Ending::wrong(format!("a text of {} bytes", text.len().max(redacted.len())));
            }
            if let Some(leak) = leaked(arguments, &redacted) {
                return Ending::wrong(format!("the redacted text tells \"{leak}\""));
            }
            Ending::refused(text)
        }
    }
}

/// A string value of the arguments that a redacted text tells.
fn leaked(arguments: &str, redacted: &str) -> Option<String> {
    let Ok(Value::Object(members)) = serde_json::from_str(arguments) else { return None };
    let texts = members.values().filter_map(Value::as_str).filter(|text| text.len() > 3);
    texts.into_iter().find(|text| redacted.contains(text)).map(ToOwned::to_owned)
}

/// Names that others gave: each is a name as it is, or is refused; no two become one.
fn attack_names(names: &[Value]) -> Ending {
    let mut accepted: Vec<String> = Vec::new();
    for name in names.iter().filter_map(Value::as_str) {
        if let Ok(checked) = ToolName::new(name) {
            if checked.as_str() != name || accepted.iter().any(|other| other == name) {
                return Ending::wrong(format!("\"{name}\" became \"{checked}\""));
            }
            accepted.push(name.to_owned());
        }
    }
    Ending { verdict: "contained", text: format!("names as they are: {accepted:?}") }
}

/// A result against an output schema.
fn attack_output(schema: &Value, content: Option<&Value>) -> Ending {
    let (Ok(schema), Some(content)) = (ForeignSchema::parse(&schema.to_string()), content) else {
        return Ending::wrong("the output schema was refused");
    };
    let violations = schema.explain(content);
    if schema.is_valid(content) != violations.is_empty() {
        return Ending::wrong("verdict and report disagree");
    }
    Ending { verdict: "contained", text: format!("{violations:?}") }
}
