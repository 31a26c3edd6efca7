//! The table that finds tools by name, and its hasher: a call looks its tool up once, and names are short.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Where names stand in a list. It holds places alone; the names are those of the list.
pub(super) struct Index {
    state: NameState,
    /// A power of two, at least half of them empty, which is 0; others are a place and 1.
    slots: Box<[u32]>,
}

impl Index {
    /// An index of names that differ.
    pub(super) fn of<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> Self {
        let state = NameState::default();
        let count = (2 * names.len()).next_power_of_two();
        let mut slots = vec![0; count];
        for (name, place) in names.zip(1..) {
            let mut at = state.hash_one(name);
            while let Some(slot) = slots.get_mut(slot_of(at, count)) {
                if *slot == 0 {
                    *slot = place;
                    break;
                }
                at = at.wrapping_add(1);
            }
        }
        Self { state, slots: slots.into() }
    }

    /// The item of a name and its place, by the list and what its items are called.
    #[inline]
    pub(super) fn find<'a, T>(
        &self,
        name: &str,
        list: &'a [T],
        name_of: impl Fn(&T) -> &str,
    ) -> Option<(usize, &'a T)> {
        let mut at = self.state.hash_one(name);
        loop {
            let place = self.slots.get(slot_of(at, self.slots.len()))?.checked_sub(1)? as usize;
            let item = list.get(place)?;
            if name_of(item) == name {
                return Some((place, item));
            }
            at = at.wrapping_add(1);
        }
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lowest bits are enough")]
fn slot_of(hash: u64, slots: usize) -> usize {
    hash as usize & (slots - 1)
}

/// Makes hashers with a seed of its table's own, so that names from outside cannot be chosen to collide.
#[derive(Clone)]
struct NameState(u64);

impl Default for NameState {
    fn default() -> Self {
        Self(RandomState::new().hash_one(MULTIPLIER))
    }
}

impl BuildHasher for NameState {
    type Hasher = NameHasher;

    #[inline]
    fn build_hasher(&self) -> NameHasher {
        NameHasher(self.0)
    }
}

/// Multiplies eight bytes at a time into its state, and folds the two halves of the product.
struct NameHasher(u64);

/// An odd number with ones and zeros in no order: the digits of pi.
const MULTIPLIER: u64 = 0x2437_98d4_5f32_9ad5;

impl NameHasher {
    #[inline]
    fn mix(&mut self, word: u64) {
        let (low, high) = (self.0 ^ word).carrying_mul(MULTIPLIER, 0);
        self.0 = low ^ high;
    }
}

impl Hasher for NameHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        let tail = match (rest, rest.first_chunk(), rest.last_chunk()) {
            ([], ..) => return,
            // The two halves overlap, so that the length tells them apart.
            (_, Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
            }
            _ => rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte)),
        };
        self.mix(tail ^ rest.len() as u64);
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_that_differ_little_hash_apart() {
        let state = NameState::default();
        let names: Vec<String> = (0..20_000)
            .flat_map(|index| [format!("tool_{index:05}"), format!("{index}"), format!("get_{index}_by_id")])
            .collect();
        let hashes: HashSet<u64> = names.iter().map(|name| state.hash_one(name)).collect();
        assert_eq!(hashes.len(), names.len());
        // What a table looks at: the lowest bits choose a place, the highest tell its neighbours apart.
        for shift in [0, 57] {
            let places: HashSet<u64> = hashes.iter().map(|hash| (hash >> shift) & 127).collect();
            assert_eq!(places.len(), 128);
        }
    }

    #[test]
    fn an_index_finds_every_name_and_no_other() {
        for count in [0, 1, 2, 3, 4, 5, 100, 5_000] {
            let names: Vec<String> =
                (0..count).map(|index| "x".repeat(index % 9) + &index.to_string()).collect();
            let index = Index::of(names.iter().map(String::as_str));
            for (place, name) in names.iter().enumerate() {
                assert_eq!(index.find(name, &names, |name| name), Some((place, name)));
                assert_eq!(index.find(&format!("{name}y"), &names, |name| name), None);
            }
            assert_eq!(index.find("", &names, |name| name), None);
        }
    }

    #[test]
    fn tables_have_seeds_of_their_own() {
        assert_ne!(NameState::default().hash_one("add"), NameState::default().hash_one("add"));
    }
}
