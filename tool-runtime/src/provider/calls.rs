//! What the calls of all providers have in common.

use std::collections::BTreeSet;

use super::wire::{Node, Object, WireError};
use crate::arguments::ToolCall;

/// A call whose id may be missing.
#[derive(Debug)]
pub(super) struct WireCall {
    id: Option<String>,
    name: String,
    arguments: String,
}

impl WireCall {
    /// A call from the object with its id, the object with its name, and its arguments.
    pub(super) fn read(
        outer: &Object<'_>,
        named: &Object<'_>,
        arguments: Option<&Node<'_>>,
    ) -> Result<Self, WireError> {
        let id = outer.get("id").map(|id| id.string("the call's id, a string")).transpose()?;
        let expected = "the tool's name, a string";
        Ok(Self {
            id: id.filter(|id| !id.is_empty()),
            name: named.need("name", expected)?.string(expected)?,
            arguments: arguments.map_or_else(|| Ok(String::new()), arguments_text)?,
        })
    }
}

/// The text of the arguments: a string's content, else the JSON as it stands, which decoding judges.
fn arguments_text(node: &Node<'_>) -> Result<String, WireError> {
    if node.is_string() { node.string("the arguments as text") } else { Ok(node.text().to_owned()) }
}

/// Gives each call an id: a missing one is `call_{position}`, with a `_` more for each that is taken.
pub(super) fn identify(calls: Vec<WireCall>) -> Vec<ToolCall> {
    let taken: BTreeSet<String> = calls.iter().filter_map(|call| call.id.clone()).collect();
    let made = |position| {
        let mut id = format!("call_{position}");
        while taken.contains(&id) {
            id.push('_');
        }
        id
    };
    let call = |(position, call): (usize, WireCall)| {
        ToolCall::new(call.id.unwrap_or_else(|| made(position)), call.name, call.arguments)
    };
    calls.into_iter().enumerate().map(call).collect()
}
