//! What is right at a node, in a few words.

use serde_json::{Number, Value};

use super::Schema;
use super::node::{Kind, Node};
use crate::value::Exact;

/// The most alternatives that are named.
const MOST: usize = 6;

/// The deepest alternatives within alternatives that are named.
const DEEPEST: usize = 3;

/// Names what is right at a node, types and bounds: `integer from 0 to 255`.
pub(super) fn describe(schema: &Schema, node: &Node) -> String {
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
    if parts.is_empty() {
        return "another value".to_owned();
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
    let range = match (&node.minimum, &node.maximum) {
        (Some(low), Some(high)) => Some(format!("from {} to {}", plain(low), plain(high))),
        (Some(low), None) => Some(format!("of at least {}", plain(low))),
        (None, Some(high)) => Some(format!("of at most {}", plain(high))),
        (None, None) => None,
    };
    let above = node.exclusive_minimum.as_ref().map(|bound| format!("above {}", plain(bound)));
    let below = node.exclusive_maximum.as_ref().map(|bound| format!("below {}", plain(bound)));
    let exclusive: Vec<String> = above.into_iter().chain(below).collect();
    let exclusive = (!exclusive.is_empty()).then(|| exclusive.join(" and "));
    let multiple =
        node.multiple_of.as_ref().map(|divisor| format!("that is a multiple of {}", plain(divisor)));
    let kind = Some(kind.name().to_owned());
    [kind, range, exclusive, multiple].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A bound without a needless `.0`.
fn plain(number: &Number) -> String {
    match Exact::of(number) {
        Exact::Integer(integer) if integer.unsigned_abs() < 1 << 64 => integer.to_string(),
        _ => Value::Number(number.clone()).to_string(),
    }
}

fn string(node: &Node) -> String {
    let length = count(node.min_length, node.max_length, "character");
    let mut text = match node.format {
        Some(format) if length.is_empty() => format.expected().to_owned(),
        Some(format) => format!("{}, a string{length}", format.expected()),
        None => format!("string{length}"),
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
