//! What is right at a node, in a few words.

use serde_json::Number;

use super::Schema;
use super::node::{Kind, Node};
use crate::value::Exact;

/// The most alternatives that are named.
const MOST: usize = 6;

/// The deepest alternatives within alternatives that are named.
const DEEPEST: usize = 3;

/// Names what is right at a node, types and bounds: `integer from 0 to 255`.
pub(super) fn describe(schema: &Schema, node: &Node) -> String {
    // Most nodes say one type and nothing that names the value before it.
    if let (&[kind], None, None) = (node.types.as_slice(), node.boolean, node.listed_values()) {
        return kind_and_bounds(kind, node);
    }
    let mut parts = Vec::new();
    collect(schema, node, DEEPEST, &mut parts);
    join(parts)
}

/// Names what is right for any of several alternatives.
pub(super) fn describe_all(schema: &Schema, branches: &[Node]) -> String {
    let mut parts = Vec::new();
    for branch in branches {
        collect(schema, branch, DEEPEST, &mut parts);
    }
    join(parts)
}

fn join(mut parts: Vec<String>) -> String {
    match (parts.pop(), parts.is_empty()) {
        (None, _) => return "another value".to_owned(),
        (Some(only), true) => return only,
        (Some(last), false) => parts.push(last),
    }
    if parts.len() > MOST {
        parts.truncate(MOST);
        parts.push("…".to_owned());
    }
    parts.join(" or ")
}

fn collect(schema: &Schema, node: &Node, depth: usize, parts: &mut Vec<String>) {
    let mut add = |part: String| {
        // One more than is shown, so that the rest is known to be there.
        if parts.len() <= MOST && !parts.contains(&part) {
            parts.push(part);
        }
    };
    // Of all that hold at once, the first that says something names the value.
    for node in schema.chain(node) {
        if node.boolean == Some(false) {
            return add("no value".to_owned());
        }
        if let Some(values) = node.listed_values() {
            values.iter().take(MOST + 1).for_each(|value| add(value.text()));
            return;
        }
        if !node.types.is_empty() {
            node.types.iter().for_each(|kind| add(kind_and_bounds(*kind, node)));
            return;
        }
        let branches = || node.branches();
        if depth > 0 && branches().next().is_some() {
            branches().take(MOST + 1).for_each(|branch| collect(schema, branch, depth - 1, parts));
            return;
        }
        if node.properties.is_some() {
            return add("object".to_owned());
        }
        let bounded = [Kind::Number, Kind::String, Kind::Array]
            .into_iter()
            .map(|kind| (kind, kind_and_bounds(kind, node)))
            .filter(|(kind, text)| kind.name() != text);
        for (_, text) in bounded {
            add(text);
        }
    }
}

fn kind_and_bounds(kind: Kind, node: &Node) -> String {
    match kind {
        Kind::Integer | Kind::Number => number(kind, node),
        Kind::String => string(node),
        Kind::Array => {
            let mut text = format!("array{}", count(node.min_items, node.max_items, "item"));
            if node.unique_items {
                text.push_str(" without duplicates");
            }
            text
        }
        Kind::Null | Kind::Boolean | Kind::Object => kind.name().to_owned(),
    }
}

fn number(kind: Kind, node: &Node) -> String {
    let mut text = String::with_capacity(64);
    text.push_str(kind.name());
    let mut add = |before: &str, bound: &Number| {
        text.push_str(before);
        write_plain(&mut text, bound);
    };
    match (&node.minimum, &node.maximum) {
        (Some(low), Some(high)) => {
            add(" from ", low);
            add(" to ", high);
        }
        (Some(low), None) => add(" of at least ", low),
        (None, Some(high)) => add(" of at most ", high),
        (None, None) => {}
    }
    let above = node.exclusive_minimum.as_ref().inspect(|bound| add(" above ", bound));
    if let Some(bound) = &node.exclusive_maximum {
        add(if above.is_some() { " and below " } else { " below " }, bound);
    }
    if let Some(divisor) = &node.multiple_of {
        add(" that is a multiple of ", divisor);
    }
    text
}

/// Writes a bound without a needless `.0`.
fn write_plain(text: &mut String, number: &Number) {
    match (number.as_i64(), Exact::of(number)) {
        (Some(integer), _) => text.push_str(&integer.to_string()),
        (None, Exact::Integer(integer)) if integer.unsigned_abs() < 1 << 64 => {
            text.push_str(&integer.to_string());
        }
        _ => text.push_str(&number.to_string()),
    }
}

fn string(node: &Node) -> String {
    let length = count(node.min_length, node.max_length, "character");
    let mut text = match node.format {
        Some(format) if length.is_empty() => format.expected().to_owned(),
        Some(format) => format!("{}, a string{length}", format.expected()),
        None => "string".to_owned() + &length,
    };
    if let Some(pattern) = &node.pattern {
        text.push_str(" matching ");
        text.push_str(pattern.source());
    }
    text
}

fn count(low: Option<u64>, high: Option<u64>, noun: &str) -> String {
    let plural = |count: u64| if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") };
    match (low.filter(|low| *low > 0), high) {
        (Some(low), Some(high)) if low == high => format!(" of exactly {}", plural(low)),
        (Some(low), Some(high)) => format!(" of {low} to {}", plural(high)),
        (Some(low), None) => format!(" of at least {}", plural(low)),
        (None, Some(high)) => format!(" of at most {}", plural(high)),
        (None, None) => String::new(),
    }
}
