//! Arguments inside the object of a whole call.

use serde_json::{Map, Value};

use super::tolerant::rewrite;
use crate::schema::{Node, Schema};
use crate::value::{Json, ParseLimits, parse};

/// The names under which models put the arguments of a call.
const NAMES: [&str; 7] =
    ["arguments", "args", "input", "parameters", "params", "tool_input", "function_args"];

/// The names under which models repeat the tool's name beside them.
const CALLED: [&str; 4] = ["name", "tool", "tool_name", "function"];

/// Takes the arguments out of an envelope, if it can be nothing else; with them the pointer to where they were.
pub(super) fn open(
    schema: &Schema,
    tool: &str,
    members: &Map<String, Value>,
    limits: &ParseLimits,
) -> Option<(Value, String)> {
    let is_declared = |name: &str| declares(schema, schema.root(), name, DEEPEST);
    if members.keys().any(|name| is_declared(name)) {
        return None;
    }
    let mut inner = None;
    for (name, value) in members {
        match value {
            _ if NAMES.contains(&name.as_str()) => {
                if inner.replace((name, value)).is_some() {
                    return None;
                }
            }
            Value::String(called) if CALLED.contains(&name.as_str()) && called == tool => {}
            Value::String(kind) if name == "type" && matches!(kind.as_str(), "function" | "tool_use") => {}
            _ => return None,
        }
    }
    let (name, value) = inner?;
    let arguments = match value {
        Value::Object(_) => value.clone(),
        // The same, one layer of text more.
        Value::String(text) => object(text, limits)?,
        _ => return None,
    };
    Some((arguments, format!("/{name}")))
}

fn object(text: &str, limits: &ParseLimits) -> Option<Value> {
    let json = parse(text, limits).ok().or_else(|| parse(&rewrite(text).ok()?.text, limits).ok())?;
    matches!(json, Json::Object(_)).then(|| json.into_value())
}

/// As deep as unions within unions are looked into.
const DEEPEST: usize = 16;

fn declares(schema: &Schema, node: &Node, name: &str, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    schema.chain(node).any(|node| {
        node.property(name).is_some() || node.branches().any(|branch| declares(schema, branch, name, depth))
    })
}
