//! The hasher of the tables that find tools by name: a call looks its tool up once, and names are short.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Makes hashers with a seed of its table's own, so that names from outside cannot be chosen to collide.
#[derive(Clone)]
pub(super) struct NameState(u64);

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
pub(super) struct NameHasher(u64);

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
        if !rest.is_empty() {
            self.mix(rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte)));
        }
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
    fn tables_have_seeds_of_their_own() {
        assert_ne!(NameState::default().hash_one("add"), NameState::default().hash_one("add"));
    }
}
