//! Keys that stand twice in one object.

use serde_json::Value;

use super::canonical::canonical;

/// A member whose key has stood before in its object.
pub(super) struct Duplicate {
    /// Its position among the members.
    pub(super) index: usize,
    /// Whether its value is that of the first member of the key.
    pub(super) equal: bool,
}

/// So few members are compared with one another faster than sorted.
const FEW: usize = 16;

/// All members whose keys have stood before, in their order.
pub(super) fn duplicates<T: Clone + Into<Value>>(members: &[(String, T)]) -> Vec<Duplicate> {
    if members.len() <= FEW && has_none(members) {
        return Vec::new();
    }
    let mut order: Vec<(usize, &(String, T))> = members.iter().enumerate().collect();
    // Stable, so that of equal keys the first stays first.
    order.sort_by(|a, b| a.1.0.cmp(&b.1.0));
    let mut found = Vec::new();
    for same in order.chunk_by(|a, b| a.1.0 == b.1.0) {
        let [(_, first), again @ ..] = same else { continue };
        if again.is_empty() {
            continue;
        }
        let text = canonical(&first.1.clone().into());
        found.extend(again.iter().map(|(index, (_, value))| Duplicate {
            index: *index,
            equal: canonical(&value.clone().into()) == text,
        }));
    }
    found.sort_unstable_by_key(|duplicate| duplicate.index);
    found
}

fn has_none<T>(members: &[(String, T)]) -> bool {
    let mut rest = members;
    while let [(name, _), after @ ..] = rest {
        if after.iter().any(|(other, _)| other == name) {
            return false;
        }
        rest = after;
    }
    true
}
