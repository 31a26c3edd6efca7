//! `eval schemas`: definitions of real tools, each registered alone.

use std::collections::BTreeMap;
use std::error::Error;
use std::panic::catch_unwind;

use serde_json::{Map, Value, json};
use tool_runtime::arguments::{ReadOptions, read_arguments};
use tool_runtime::schema::ForeignSchema;
use tool_runtime::schema::dialect::{Dialect, Strictness, dialects};

use super::{conclude, text};

/// The least share of the tools of MCP servers that must be registered, in thousandths.
const LEAST: usize = 995;

/// Registers each tool, or finds it refused with places and reasons; validates a right and a wrong value of each.
pub(super) fn run(cases: &[Value]) -> Result<(), Box<dyn Error>> {
    let mut right = 0;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut losses = Losses::new();
    for case in cases {
        let name = format!("{} {}", text(case, "server"), text(case, "name"));
        let kind = if text(case, "source").contains("gorilla") { "BFCL" } else { "MCP" };
        *counts.entry(if kind == "MCP" { "MCP" } else { "others" }).or_default() += 1;
        match judge(case, &mut losses) {
            Ok(Outcome::Registered { findings, unmade }) => {
                right += 1;
                *counts
                    .entry(if kind == "MCP" { "MCP registered" } else { "others registered" })
                    .or_default() += 1;
                *counts.entry("findings").or_default() += findings;
                if unmade {
                    *counts.entry("without a right value made").or_default() += 1;
                    println!("{name}: no right value was made");
                }
            }
            Ok(Outcome::Refused(reasons)) => {
                right += 1;
                if kind == "MCP" {
                    println!("{name}: refused: {}", reasons.replace('\n', " | "));
                }
            }
            Err(reason) => println!("{name}: {reason}"),
        }
    }
    let count = |key: &str| counts.get(key).copied().unwrap_or(0);
    for (what, count) in &counts {
        println!("{what}: {count}");
    }
    println!("losses:");
    for (what, count) in &losses {
        println!("  {what}: {count}");
    }
    let (registered, all) = (count("MCP registered"), count("MCP"));
    // In hundredths of a percent, as whole numbers: 9950 is 99.5 %.
    let share = (registered * 10_000).checked_div(all).unwrap_or(10_000);
    println!("MCP tools registered: {registered} of {all} ({}.{:02} %)", share / 100, share % 100);
    if registered * 1_000 < all * LEAST {
        println!("fewer than {}.{} % of the MCP tools are registered", LEAST / 10, LEAST % 10);
        right = right.min(cases.len() - 1);
    }
    conclude("schemas", right, cases.len())
}

enum Outcome {
    Registered {
        findings: usize,
        unmade: bool,
    },
    /// With every place and reason.
    Refused(String),
}

fn judge(case: &Value, losses: &mut Losses) -> Result<Outcome, String> {
    let input = case.get("input_schema").ok_or("no input schema")?;
    let schema = match ForeignSchema::parse(&input.to_string()) {
        Ok(schema) => schema,
        Err(error) => {
            let violations = error.violations();
            if violations.is_empty() || violations.iter().any(|violation| violation.problem().is_empty()) {
                return Err("refused without a reason".to_owned());
            }
            let exists = |pointer: &str| input.pointer(pointer).is_some();
            if let Some(lost) = violations.iter().find(|violation| !exists(violation.pointer())) {
                return Err(format!("refused at a place that is not there: {}", lost.pointer()));
            }
            return Ok(Outcome::Refused(error.to_string()));
        }
    };
    let output = case.get("output_schema").filter(|output| !output.is_null());
    if let Some(output) = output {
        ForeignSchema::parse(&output.to_string()).map_err(|error| format!("the output schema: {error}"))?;
    }
    if !schema.schema().is_object() {
        return Ok(Outcome::Refused("(root): takes no objects, and arguments are nothing else".to_owned()));
    }
    let example = Some(schema.example()).filter(Value::is_object).unwrap_or_else(|| json!({}));
    let unmade = !schema.is_valid(&example);
    if !unmade {
        let read =
            read_arguments(&example.to_string(), &schema, ReadOptions::for_tool("tool").defaults(false));
        let read = read.map_err(|error| format!("its own example was refused: {error}"))?;
        if read.value != example {
            return Err(format!("its own example {example} was changed to {}", read.value));
        }
    }
    wrong(&schema, input, &example)?;
    project(input, losses)?;
    Ok(Outcome::Registered { findings: schema.findings().len(), unmade })
}

/// A value that is wrong must be refused, and explained at the place.
fn wrong(schema: &ForeignSchema, input: &Value, example: &Value) -> Result<(), String> {
    let Some(mutated) = mutated(input, example) else { return Ok(()) };
    if schema.is_valid(&mutated) {
        return Err(format!("takes {mutated}"));
    }
    let violations = schema.explain(&mutated);
    match violations.first() {
        None => Err(format!("does not explain {mutated}")),
        Some(first) if first.pointer().is_empty() && !violations.iter().any(|v| v.pointer().len() > 1) => {
            Err(format!("explains {mutated} only as a whole: {first}"))
        }
        Some(_) => Ok(()),
    }
}

/// The example with one fault that the schema names: a property missing, or of a type that it cannot be.
fn mutated(input: &Value, example: &Value) -> Option<Value> {
    let mut members = example.as_object()?.clone();
    let required = input.get("required").and_then(Value::as_array);
    if let Some(name) = required.into_iter().flatten().find_map(Value::as_str) {
        members.remove(name);
        return Some(Value::Object(members));
    }
    let properties = input.get("properties").and_then(Value::as_object).map(Map::iter);
    for (name, property) in properties.into_iter().flatten() {
        let other = match property.get("type").and_then(Value::as_str) {
            Some("string") => json!(["not a text"]),
            Some("integer" | "number" | "boolean" | "array" | "object") => json!("?"),
            _ => continue,
        };
        members.insert(name.clone(), other);
        return Some(Value::Object(members));
    }
    None
}

/// What the dialects lost and refused, each under `dialect: what`.
type Losses = BTreeMap<String, usize>;

/// Projects a schema to every dialect; what comes out must pass the dialect's checker.
fn project(input: &Value, losses: &mut Losses) -> Result<(), String> {
    let text = input.to_string();
    let mut faults = Vec::new();
    for dialect in dialects() {
        let name = dialect.name();
        match catch_unwind(|| dialect.project(&text)) {
            Err(_) => faults.push(format!("{name} panics")),
            Ok(Err(error)) => faults.push(format!("{name} refuses it: {error}")),
            Ok(Ok(projection)) => {
                let judge = match projection.strictness() {
                    Strictness::NotWith(reasons) => {
                        *losses.entry(format!("{name}: not strict")).or_default() += 1;
                        if reasons.is_empty() {
                            faults.push(format!("{name} is not strict, without a reason"));
                        }
                        plain(*dialect)
                    }
                    _ => *dialect,
                };
                if let Some(fault) = judge.check(projection.schema()).first() {
                    faults.push(format!("{name}: {fault}"));
                }
                for loss in projection.losses() {
                    *losses.entry(format!("{name}: {:?}", loss.kind()).to_lowercase()).or_default() += 1;
                }
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join(" | ")) }
}

/// The dialect of which a schema is where the strict one does not hold.
fn plain(dialect: Dialect) -> Dialect {
    match dialect {
        Dialect::OpenAiStrict | Dialect::DeepSeekStrict => Dialect::OpenAi,
        Dialect::AnthropicStrict => Dialect::Anthropic,
        Dialect::BedrockStrict => Dialect::Bedrock,
        plain => plain,
    }
}
