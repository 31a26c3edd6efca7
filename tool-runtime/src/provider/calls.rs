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
    pub(super) fn new(id: Option<String>, name: String, arguments: String) -> Self {
        Self { id: id.filter(|id| !id.is_empty()), name, arguments }
    }

    /// The bytes that it holds.
    pub(super) fn size(&self) -> usize {
        self.id.as_ref().map_or(0, String::len) + self.name.len() + self.arguments.len()
    }

    /// Says of a call that an answer's limit cut off that its arguments are not whole, where they do not show it.
    pub(super) fn cut_off(&mut self) {
        if matches!(self.arguments.trim(), "" | "{}" | "null") {
            "{".clone_into(&mut self.arguments);
        }
    }

    /// A call from the object with its id, the object with its name, and its arguments.
    pub(super) fn read(
        outer: &Object<'_>,
        named: &Object<'_>,
        arguments: Option<&Node<'_>>,
    ) -> Result<Self, WireError> {
        Self::read_with("id", outer, named, arguments)
    }

    /// The same where the id has another key.
    pub(super) fn read_with(
        id: &str,
        outer: &Object<'_>,
        named: &Object<'_>,
        arguments: Option<&Node<'_>>,
    ) -> Result<Self, WireError> {
        let id = outer.string(id, "the call's id, a string")?;
        let expected = "the tool's name, a string";
        Ok(Self {
            id: id.filter(|id| !id.is_empty()),
            name: named.need("name", expected)?.string(expected)?,
            arguments: arguments.map(arguments_text).unwrap_or_default(),
        })
    }
}

/// The text of the arguments: a string's content, else the JSON as it stands, which decoding judges.
fn arguments_text(node: &Node<'_>) -> String {
    let text = if node.is_string() { node.string("the arguments as text").ok() } else { None };
    // A string with half of a surrogate pair has no text. It is one call that is wrong, and not all of them.
    text.unwrap_or_else(|| node.text().to_owned())
}

/// Gives each call an id: a missing one is `{prefix}{position}`, with a `_` more for each that is taken.
pub(super) fn identify(calls: Vec<WireCall>, prefix: &str) -> Vec<ToolCall> {
    let taken: BTreeSet<String> = calls.iter().filter_map(|call| call.id.clone()).collect();
    let made = |position| {
        let mut id = format!("{prefix}{position}");
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
