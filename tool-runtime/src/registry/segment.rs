//! The tools of one scope as a view holds them: the layer, and a bit for each tool that is visible.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

use super::entry::Entry;
use super::layer::Layer;

/// The tools of one scope, and which of them are visible.
#[derive(Clone)]
pub(super) struct Segment {
    layer: Arc<Layer>,
    /// `None` where all are.
    mask: Option<Arc<Mask>>,
}

impl Segment {
    /// All of a scope's tools.
    pub(super) fn new(layer: &Arc<Layer>) -> Self {
        Self { layer: Arc::clone(layer), mask: None }
    }

    #[inline]
    pub(super) fn find(&self, name: &str) -> Option<&Arc<Entry>> {
        let (place, entry) = self.layer.find(name)?;
        self.mask.as_ref().is_none_or(|mask| mask.has(place)).then_some(entry)
    }

    pub(super) fn count(&self) -> usize {
        self.mask.as_ref().map_or(self.layer.entries().len(), |mask| mask.count())
    }

    fn mask(&mut self) -> &mut Mask {
        let mask = self.mask.get_or_insert_with(|| Arc::new(Mask::all(self.layer.entries().len())));
        Arc::make_mut(mask)
    }

    fn hide(&mut self, name: &str) {
        if let Some((place, _)) = self.layer.find(name) {
            self.mask().clear(place);
        }
    }

    pub(super) fn restrict<'a>(
        &mut self,
        allowed: Option<&'a BTreeSet<String>>,
        denied: impl IntoIterator<Item = &'a String>,
    ) {
        if let Some(allowed) = allowed {
            let mut only = Mask::none(self.layer.entries().len());
            for name in allowed {
                if let Some((place, _)) = self.layer.find(name)
                    && self.mask.as_ref().is_none_or(|mask| mask.has(place))
                {
                    only.set(place);
                }
            }
            self.mask = Some(Arc::new(only));
        }
        denied.into_iter().for_each(|name| self.hide(name));
    }

    /// Hides what a nearer scope has under the same name.
    pub(super) fn shadow(&mut self, nearer: &Layer) {
        if nearer.entries().len() <= self.layer.entries().len() {
            nearer.entries().iter().for_each(|entry| self.hide(entry.name()));
        } else {
            self.narrow(|entry| nearer.find(entry.name()).is_none());
        }
    }

    pub(super) fn narrow(&mut self, admits: impl Fn(&Entry) -> bool) {
        let layer = Arc::clone(&self.layer);
        for (place, entry) in layer.entries().iter().enumerate() {
            if self.mask.as_ref().is_none_or(|mask| mask.has(place)) && !admits(entry) {
                self.mask().clear(place);
            }
        }
    }
}

/// A set of places in a layer.
#[derive(Clone)]
struct Mask(Box<[u64]>);

impl Mask {
    fn none(length: usize) -> Self {
        Self(vec![0; length.div_ceil(64)].into())
    }

    fn all(length: usize) -> Self {
        let mut words = vec![u64::MAX; length.div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !length.is_multiple_of(64)
        {
            *last = (1 << (length % 64)) - 1;
        }
        Self(words.into())
    }

    fn has(&self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    fn set(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    fn clear(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word &= !(1 << (place % 64));
        }
    }

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The first place in it at or after one.
    fn next(&self, from: usize) -> Option<usize> {
        let mut index = from / 64;
        let mut word = self.0.get(index)? & (u64::MAX << (from % 64));
        while word == 0 {
            index += 1;
            word = *self.0.get(index)?;
        }
        Some(index * 64 + word.trailing_zeros() as usize)
    }
}

/// Entries of several layers, merged by name.
#[derive(Debug, Clone)]
pub(crate) struct Entries<'a> {
    cursors: Vec<Cursor<'a>>,
    hidden: Option<&'a HashSet<u64>>,
    left: usize,
}

#[derive(Clone)]
struct Cursor<'a> {
    segment: &'a Segment,
    place: usize,
}

impl<'a> Cursor<'a> {
    /// Moves on to the next visible entry.
    fn settled(mut self) -> Self {
        if let Some(mask) = &self.segment.mask {
            self.place = mask.next(self.place).unwrap_or(usize::MAX);
        }
        self
    }

    fn entry(&self) -> Option<&'a Arc<Entry>> {
        self.segment.layer.entries().get(self.place)
    }

    fn name(&self) -> Option<&'a str> {
        self.entry().map(|entry| entry.name())
    }
}

impl fmt::Debug for Cursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

impl<'a> Entries<'a> {
    pub(super) fn of(segments: &'a [Segment], count: usize) -> Self {
        let cursors = segments.iter().map(|segment| Cursor { segment, place: 0 }.settled()).collect();
        Self { cursors, hidden: None, left: count }
    }

    /// Without some of them, all of which are there.
    pub(super) fn without(self, hidden: Option<&'a HashSet<u64>>) -> Self {
        let left = self.left - hidden.map_or(0, HashSet::len);
        Self { hidden, left, ..self }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = &'a Arc<Entry>;

    fn next(&mut self) -> Option<&'a Arc<Entry>> {
        loop {
            let cursor = match self.cursors.as_mut_slice() {
                [only] => only,
                all => all
                    .iter_mut()
                    .filter(|cursor| cursor.entry().is_some())
                    .min_by_key(|cursor| cursor.name())?,
            };
            let entry = cursor.entry()?;
            *cursor = Cursor { segment: cursor.segment, place: cursor.place + 1 }.settled();
            if self.hidden.is_none_or(|hidden| !hidden.contains(&entry.id)) {
                self.left = self.left.saturating_sub(1);
                return Some(entry);
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Entries<'_> {}

#[cfg(test)]
mod tests {
    use super::Mask;

    #[test]
    fn masks_find_their_places_in_order() {
        for length in [0, 1, 63, 64, 65, 200] {
            let mut mask = Mask::all(length);
            assert_eq!(mask.count(), length);
            assert!(!mask.has(length));
            (0..length).filter(|place| place % 3 != 0).for_each(|place| mask.clear(place));
            let mut found = Vec::new();
            let mut from = 0;
            while let Some(place) = mask.next(from) {
                found.push(place);
                from = place + 1;
            }
            assert_eq!(found, (0..length).step_by(3).collect::<Vec<_>>());
            let mut other = Mask::none(length);
            for place in &found {
                other.set(*place);
            }
            assert_eq!(other.0, mask.0);
        }
    }
}
