//! References that lead in a circle without reaching a property or an item, and chains that are too long.

use super::error::SchemaViolation;
use super::node::{Node, Target};
use crate::value::Pointer;

/// The most references that one value may pass before a property or an item.
pub(super) const MAX_CHAIN: usize = 64;

/// Checks all that references can reach in place.
pub(super) fn check(root: &Node, definitions: &[(String, Node)], violations: &mut Vec<SchemaViolation>) {
    let mut walk = Walk {
        root,
        definitions,
        states: vec![State::New; definitions.len() + 1],
        violations,
        found_long: false,
    };
    for index in 0..=definitions.len() {
        walk.longest(index, 0);
    }
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    /// The length of the longest chain from here.
    Done(usize),
}

struct Walk<'a> {
    root: &'a Node,
    definitions: &'a [(String, Node)],
    /// The root first, then the definitions.
    states: Vec<State>,
    violations: &'a mut Vec<SchemaViolation>,
    found_long: bool,
}

impl Walk<'_> {
    fn longest(&mut self, index: usize, depth: usize) -> usize {
        match self.states.get(index) {
            Some(State::New) if depth <= MAX_CHAIN => {}
            Some(State::Done(length)) => return *length,
            Some(State::Open) => {
                let hint = "let one of the references stand at a property or an item";
                self.fault(index, "its `$ref`s lead in a circle that no value can leave", hint);
                return 0;
            }
            _ => {
                self.too_long(index);
                return 0;
            }
        }
        self.set(index, State::Open);
        let node = match index.checked_sub(1) {
            None => Some(self.root),
            Some(position) => self.definitions.get(position).map(|(_, node)| node),
        };
        let mut targets = Vec::new();
        if let Some(node) = node {
            in_place(node, &mut targets);
        }
        let mut longest = 0;
        for target in targets {
            longest = longest.max(1 + self.longest(target, depth + 1));
        }
        if longest > MAX_CHAIN {
            self.too_long(index);
            longest = 0;
        }
        self.set(index, State::Done(longest));
        longest
    }

    /// Of one long chain each part would be a long one; the first is enough.
    fn too_long(&mut self, index: usize) {
        if !std::mem::replace(&mut self.found_long, true) {
            let problem = format!("more than {MAX_CHAIN} `$ref`s follow one another");
            self.fault(index, &problem, "refer to the last one directly");
        }
    }

    fn set(&mut self, index: usize, state: State) {
        if let Some(slot) = self.states.get_mut(index) {
            *slot = state;
        }
    }

    fn fault(&mut self, index: usize, problem: &str, hint: &str) {
        let mut pointer = Pointer::root();
        if let Some((name, _)) = index.checked_sub(1).and_then(|position| self.definitions.get(position)) {
            pointer.push("$defs");
            pointer.push(name);
        }
        self.violations.push(SchemaViolation::new(pointer.as_str(), "$ref", problem, hint));
    }
}

/// The targets that a value passes at a node without stepping into a property or an item.
fn in_place(node: &Node, targets: &mut Vec<usize>) {
    if let Some(reference) = &node.reference {
        let index = match reference.target {
            Target::Root => 0,
            Target::Definition(index) => index.saturating_add(1),
        };
        if !targets.contains(&index) {
            targets.push(index);
        }
    }
    for branch in node.branches().chain(&node.all_of) {
        in_place(branch, targets);
    }
}

/// Whether several ways can lead to one definition for one value: a union, or keywords beside a reference.
pub(super) fn has_several_ways(root: &Node, definitions: &[(String, Node)]) -> bool {
    let mut found = (false, false);
    any(root, definitions, |node| {
        let has_parts = node.properties.is_some() || node.additional.is_some() || node.items.is_some();
        found.0 |= node.branches().next().is_some() || !node.all_of.is_empty();
        found.0 |= node.reference.is_some() && has_parts;
        found.1 |= node.reference.is_some();
        found == (true, true)
    })
}

/// Whether a schema anywhere has a default.
pub(super) fn has_defaults(root: &Node, definitions: &[(String, Node)]) -> bool {
    any(root, definitions, |node| node.default.is_some())
}

fn any(root: &Node, definitions: &[(String, Node)], mut is_found: impl FnMut(&Node) -> bool) -> bool {
    let mut pending: Vec<&Node> = definitions.iter().map(|(_, node)| node).chain([root]).collect();
    while let Some(node) = pending.pop() {
        if is_found(node) {
            return true;
        }
        pending.extend(node.properties().iter().map(|(_, property)| property));
        pending.extend(node.additional.as_deref());
        pending.extend(node.items.as_deref());
        pending.extend(node.branches());
        pending.extend(&node.all_of);
    }
    false
}
