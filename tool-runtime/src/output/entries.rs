//! The entries of a map on their way into JSON text, sorted by key.
//!
//! A hash map has no order of its own, and what a model reads must be the same in every run. Structs keep the order of
//! their fields.

use std::borrow::Cow;
use std::ops::Range;

use serde::ser::{self, Serialize, Serializer};

use super::fault::Fault;
use super::json::JsonWriter;

pub(super) struct Entries<'a> {
    writer: &'a mut JsonWriter,
    /// Where the current key stands in the output, quotes included.
    key: Range<usize>,
    /// Where each entry's key stands.
    keys: Vec<Range<usize>>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(writer: &'a mut JsonWriter) -> Self {
        Self { writer, key: 0..0, keys: Vec::new() }
    }

    /// Puts the entries in order, unless they are.
    fn sort(&mut self) {
        let out = &self.writer.out;
        let text = |key: &Range<usize>| out.get(key.clone()).map(unescaped).unwrap_or_default();
        if self.keys.is_sorted_by(|a, b| text(a) <= text(b)) {
            return;
        }
        let Some(start) = self.keys.first().map(|key| key.start) else { return };
        // An entry ends before the comma in front of the next one's key.
        let ends = self.keys.iter().skip(1).map(|key| key.start - 1).chain([out.len()]);
        let mut entries: Vec<(Cow<'_, str>, &[u8])> = self
            .keys
            .iter()
            .zip(ends)
            .map(|(key, end)| (text(key), out.get(key.start..end).unwrap_or_default()))
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let sorted: Vec<&[u8]> = entries.into_iter().map(|(_, entry)| entry).collect();
        let sorted = sorted.join(&b',');
        self.writer.out.truncate(start);
        self.writer.out.extend(sorted);
    }
}

/// The text of a key that stands in quotes.
fn unescaped(quoted: &[u8]) -> Cow<'_, str> {
    let plain = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    if !plain.contains(&b'\\')
        && let Ok(text) = std::str::from_utf8(plain)
    {
        return Cow::Borrowed(text);
    }
    serde_json::from_slice::<String>(quoted).map_or(Cow::Borrowed(""), Cow::Owned)
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        // `serde_json` writes `{"key":null}`, so that what may be a key, and how it reads, is its decision.
        let start = self.writer.out.len();
        self.writer.part(&Entry(key))?;
        let out = &mut self.writer.out;
        out.truncate(out.len().saturating_sub(b"null}".len()));
        if !self.keys.is_empty()
            && let Some(opening) = out.get_mut(start)
        {
            *opening = b',';
        }
        self.key = start + 1..out.len().saturating_sub(1);
        self.keys.push(self.key.clone());
        Ok(())
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        value.serialize(&mut *self.writer).map_err(|fault| fault.under_written(&self.writer.out, &self.key))
    }

    #[inline]
    fn end(mut self) -> Result<(), Fault> {
        if self.keys.is_empty() {
            self.writer.out.push(b'{');
        }
        self.sort();
        self.writer.close(b'}');
        Ok(())
    }
}

struct Entry<'a, K: ?Sized>(&'a K);

impl<K: Serialize + ?Sized> Serialize for Entry<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        ser::SerializeMap::serialize_entry(&mut map, self.0, &())?;
        ser::SerializeMap::end(map)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use crate::output::to_json;

    #[test]
    fn hash_maps_read_the_same_in_every_run() {
        let map: HashMap<String, u32> = ["b", "a\"x", "a", "é", "a!", "z"]
            .into_iter()
            .zip(0..)
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        let text = to_json(&vec![map]).expect("plain");
        assert_eq!(text, r#"[{"a":2,"a!":4,"a\"x":1,"b":0,"z":5,"é":3}]"#);
        assert_eq!(to_json(&HashMap::<String, u8>::new()).expect("plain"), "{}");
    }
}
