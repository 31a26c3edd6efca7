//! Proving a program's tools, in one line of a test.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::arguments::parse_arguments;
use crate::error::contained;
use crate::registry::Registry;
use crate::schema::Node;
use crate::tool::{Failure, Invocation, Reading, StateMap, Tool};
use crate::value::{Pointer, canonical};

/// The most values that are tried on one tool.
const MAX_TRIES: usize = 4_000;

/// Checks every tool linked into the program: its schemas can be enforced, its defaults and examples fulfil them,
/// and what its schema takes is what its types take, tried with right and wrong values. Nothing runs a tool.
///
/// State is not needed for it.
///
/// # Panics
/// Panics with every fault found.
///
/// # Examples
/// ```standalone_crate
/// use tool_runtime::tool;
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// The first.
///     a: i64,
///     /// The second.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// // in a test of the program:
/// tool_runtime::testing::check_all();
/// ```
#[track_caller]
pub fn check_all() {
    match Registry::builder().without_state().collect() {
        Ok(registry) => check(&registry),
        Err(error) => panic!("{error}"),
    }
}

/// The same for the tools of one registry.
///
/// # Panics
/// Panics with every fault found.
#[track_caller]
pub fn check(registry: &Registry) {
    let mut faults = String::new();
    if let Err(error) = registry.verify() {
        let _ = writeln!(faults, "{error}");
    }
    let view = registry.definitions();
    for tool in view.tools() {
        // Listed is callable: what the list names, the look-up finds.
        if registry.tool(tool.name()).is_none() {
            let _ = writeln!(faults, "tool `{}` is listed and cannot be called", tool.name());
        }
        for fault in disagreements(tool) {
            let _ = writeln!(faults, "tool `{}`: {fault}", tool.name());
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Where schema and types disagree, with the arguments that show it.
fn disagreements(tool: &Tool) -> Vec<String> {
    let schema = tool.definition().input_schema();
    let mut faults = Vec::new();
    let states = Arc::new(StateMap::default());
    for value in samples(tool) {
        let text = value.to_string();
        let invocation =
            Invocation { call_id: "check", text: &text, tool, states: &states, reading: Reading::default() };
        let Some(taken) = contained(|| tool.check_arguments(&invocation)) else {
            faults.push(format!("reading {} panics", canonical(&value)));
            break;
        };
        // Some ways to send nothing are read as an object without members.
        let fits = parse_arguments(&text).is_ok_and(|arguments| schema.is_valid(&arguments.value));
        match (fits, taken) {
            (true, Err(Failure::Arguments(reason))) => {
                let shown = canonical(&value);
                faults.push(format!("the schema takes {shown}, and the types do not: {reason}"));
            }
            (false, Ok(())) => {
                faults.push(format!("the types take {}, and the schema does not", canonical(&value)));
            }
            _ => {}
        }
        if faults.len() == 3 {
            break;
        }
    }
    faults
}

/// A right value, the same with everything optional, and either with one part made another.
fn samples(tool: &Tool) -> Vec<Value> {
    let schema = tool.definition().input_schema();
    let least = schema.example();
    let mut most = least.clone();
    if let Value::Object(members) = &mut most {
        for (name, node) in schema.root().properties() {
            if let Some(value) = richest(tool, node) {
                members.insert(name.clone(), value);
            }
        }
    }
    let mut all = vec![least.clone()];
    if schema.is_valid(&most) {
        all.push(most.clone());
    } else {
        most = least;
    }
    let mut places = Vec::new();
    collect(&most, &mut Vec::new(), &mut places);
    for place in places {
        for other in others(at(&most, &place)) {
            if all.len() == MAX_TRIES {
                return all;
            }
            let mut changed = most.clone();
            if let Some(part) = at_mut(&mut changed, &place) {
                *part = other;
                all.push(changed);
            }
        }
        if let Some((last, parent)) = place.split_last() {
            let mut changed = most.clone();
            if let Some(Value::Object(members)) = at_mut(&mut changed, parent) {
                members.remove(last);
                all.push(changed);
            }
        }
    }
    all
}

fn richest(tool: &Tool, node: &Node) -> Option<Value> {
    tool.definition().input_schema().example_of(node)
}

/// Every place in a value.
fn collect(value: &Value, place: &mut Vec<String>, places: &mut Vec<Vec<String>>) {
    places.push(place.clone());
    let mut children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(idx, item)| (idx.to_string(), item)).collect(),
        _ => Vec::new(),
    };
    if value.is_object() {
        // In one order, whatever features serde_json has.
        children.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    }
    for (key, child) in children {
        place.push(key);
        collect(child, place, places);
        place.pop();
    }
}

fn pointer(place: &[String]) -> String {
    let mut pointer = Pointer::default();
    for key in place {
        pointer.push(key);
    }
    pointer.to_string()
}

fn at<'a>(value: &'a Value, place: &[String]) -> Option<&'a Value> {
    if place.is_empty() { Some(value) } else { value.pointer(&pointer(place)) }
}

fn at_mut<'a>(value: &'a mut Value, place: &[String]) -> Option<&'a mut Value> {
    if place.is_empty() { Some(value) } else { value.pointer_mut(&pointer(place)) }
}

/// What else could stand in a value's place: other kinds, edges, and the forms that serde is lax about.
fn others(value: Option<&Value>) -> Vec<Value> {
    let mut others = vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1),
        json!(1.5),
        json!(255),
        json!(256),
        json!(65_536),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e16),
        json!(9_007_199_254_740_992.0),
        json!(1e300),
        json!(""),
        json!("x"),
        json!("0123456789 0123456789 0123456789"),
        json!([]),
        json!([1]),
        json!(["x", "x"]),
        json!({}),
        json!({"unexpected": 1}),
    ];
    match value {
        Some(Value::Object(members)) => {
            others.push(members.values().cloned().collect());
            let mut more: Map<String, Value> = members.clone();
            more.insert("unexpected".to_owned(), json!(1));
            others.push(more.into());
        }
        Some(Value::String(text)) => {
            let mut variant = Map::new();
            variant.insert(text.clone(), Value::Null);
            others.push(variant.into());
            others.push(json!(text.to_uppercase()));
        }
        Some(Value::Array(items)) => {
            let mut more = items.clone();
            more.extend(items.iter().cloned());
            others.push(more.into());
        }
        _ => {}
    }
    others
}
