//! Keys that stand twice in one object.

use super::canonical::canonical;
use super::json::Json;

/// A member whose key has stood before in its object.
pub(super) struct Duplicate {
    /// Its position among the members.
    pub(super) index: usize,
    /// Whether its value is that of the first member of the key.
    pub(super) equal: bool,
}

/// All members whose keys have stood before, in their order.
pub(super) fn duplicates(members: &[(String, Json)]) -> Vec<Duplicate> {
    let mut order: Vec<(usize, &(String, Json))> = members.iter().enumerate().collect();
    // Stable, so that of equal keys the first stays first.
    order.sort_by(|a, b| a.1.0.cmp(&b.1.0));
    let mut found = Vec::new();
    for same in order.chunk_by(|a, b| a.1.0 == b.1.0) {
        let [(_, first), again @ ..] = same else { continue };
        if again.is_empty() {
            continue;
        }
        let text = canonical(&first.1.clone().into_value());
        found.extend(again.iter().map(|(index, (_, value))| Duplicate {
            index: *index,
            equal: canonical(&value.clone().into_value()) == text,
        }));
    }
    found.sort_unstable_by_key(|duplicate| duplicate.index);
    found
}
