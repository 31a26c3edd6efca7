//! Finds a tool's place in a layer by its name.

use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;

use super::entry::Entry;

/// A name with its hash, which is the same for all layers of the process.
#[derive(Clone, Copy)]
pub(super) struct Hashed<'n> {
    name: &'n str,
    hash: u64,
}

impl<'n> Hashed<'n> {
    #[inline]
    pub(super) fn of(name: &'n str) -> Self {
        // Names may come from a remote server, so that nobody outside may know which of them collide.
        static SEED: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        let mut hasher = SEED.build_hasher();
        hasher.write(name.as_bytes());
        Self { name, hash: hasher.finish() }
    }

    /// The part of the hash that is kept beside a place.
    fn tag(self) -> u32 {
        (self.hash >> 32) as u32
    }

    #[expect(clippy::cast_possible_truncation, reason = "the mask is within a `usize`")]
    fn slot(self, mask: usize) -> usize {
        self.hash as usize & mask
    }
}

/// The places of names: open addressing in a table that is at most half full. It holds no names, but looks at those of the
/// entries.
pub(super) struct Index(Box<[Slot]>);

#[derive(Clone, Copy)]
struct Slot {
    tag: u32,
    place: u32,
}

impl Slot {
    /// No place is as large: there is less memory than that.
    const EMPTY: Self = Self { tag: 0, place: u32::MAX };
}

impl Index {
    /// The index of entries of which no two have one name.
    pub(super) fn of(entries: &[Arc<Entry>]) -> Self {
        let mut slots: Box<[Slot]> = vec![Slot::EMPTY; (entries.len() * 2).next_power_of_two().max(2)].into();
        let mask = slots.len() - 1;
        for (place, entry) in (0..u32::MAX).zip(entries) {
            let name = Hashed::of(entry.name());
            let mut at = name.slot(mask);
            while slots.get(at).is_some_and(|slot| slot.place != u32::MAX) {
                at = (at + 1) & mask;
            }
            if let Some(slot) = slots.get_mut(at) {
                *slot = Slot { tag: name.tag(), place };
            }
        }
        Self(slots)
    }

    /// Finds a name among the entries that the index was made of.
    #[inline]
    pub(super) fn find<'e>(
        &self,
        name: Hashed<'_>,
        entries: &'e [Arc<Entry>],
    ) -> Option<(usize, &'e Arc<Entry>)> {
        let mask = self.0.len() - 1;
        let mut at = name.slot(mask);
        loop {
            let slot = *self.0.get(at)?;
            if slot.place == u32::MAX {
                return None;
            }
            if slot.tag == name.tag() {
                let place = slot.place as usize;
                if let Some(entry) = entries.get(place).filter(|entry| entry.name() == name.name) {
                    return Some((place, entry));
                }
            }
            at = (at + 1) & mask;
        }
    }
}
