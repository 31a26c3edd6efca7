//! "Did you mean": the name that a wrong one was probably meant to be.

use std::cmp::min;

/// Names longer than this are no typing mistakes of one another.
const LONGEST: usize = 128;

/// The candidate nearest to a name, if one is near: equal but for blanks at the ends, a namespace before it
/// (`functions.name`, `default_api:name`) or case, or within a third of its length in edits. Of equally near ones the
/// first wins.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<&'a str> {
    let candidates = candidates.into_iter();
    let name = name.trim();
    nearest_whole(name, candidates.clone()).or_else(|| {
        let (_, last) = name.rsplit_once(['.', ':', '/'])?;
        nearest_whole(last, candidates)
    })
}

fn nearest_whole<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length == 0 || length > LONGEST {
        return None;
    }
    let own = letters(name);
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates {
        if candidate == name {
            return Some(candidate);
        }
        let limit = match best {
            Some((0, _)) => continue,
            Some((edits, _)) => edits - 1,
            None => length.div_euclid(3).max(1),
        };
        let edits = if candidate.eq_ignore_ascii_case(name) {
            Some(0)
        } else if may_be_within(limit, length, own, candidate) {
            distance(&lowercase(name), &lowercase(candidate), limit)
        } else {
            None
        };
        if let Some(edits) = edits.filter(|edits| *edits < length) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn lowercase(text: &str) -> Vec<char> {
    text.chars().map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Whether as many edits may do: each changes the length by one at most, brings one letter at most and takes one away
/// at most. It costs less than to compare.
fn may_be_within(limit: usize, length: usize, own: u64, candidate: &str) -> bool {
    let other = candidate.chars().count();
    let only = |one: u64, two: u64| (one & !two).count_ones() as usize;
    other <= LONGEST && length.abs_diff(other) <= limit && {
        let letters = letters(candidate);
        only(own, letters) <= limit && only(letters, own) <= limit
    }
}

/// Which letters a name has; several share a bit.
fn letters(name: &str) -> u64 {
    let bit = |letter: char| 1 << (u32::from(letter.to_ascii_lowercase()) % u64::BITS);
    name.chars().fold(0, |all, letter| all | bit(letter))
}

/// Insertions, deletions, substitutions and swaps of neighbours between two names, if at most `limit`.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if limit == 0 {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::with_capacity(b.len() + 1);
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut current: Vec<usize> = Vec::with_capacity(b.len() + 1);
    let mut left_a = None;
    for (row, &in_a) in a.iter().enumerate() {
        current.clear();
        current.push(row + 1);
        let mut left_b = None;
        for (column, &in_b) in b.iter().enumerate() {
            let at = |line: &[usize], index: usize| line.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut edits = min(at(&last, column) + usize::from(in_a != in_b), at(&last, column + 1) + 1);
            edits = min(edits, at(&current, column) + 1);
            if left_a == Some(in_b)
                && left_b == Some(in_a)
                && let Some(index) = column.checked_sub(1)
            {
                edits = min(edits, at(&before_last, index) + 1);
            }
            current.push(edits);
            left_b = Some(in_b);
        }
        if current.iter().all(|edits| *edits > limit) {
            return None;
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut current);
        left_a = Some(in_a);
    }
    last.last().copied().filter(|edits| *edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["city", "country", "units", "Unit", "get_weather"];
        for (wrong, near) in [
            ("citty", Some("city")),
            ("ctiy", Some("city")),
            ("CITY", Some("city")),
            ("unit", Some("Unit")),
            ("unitz", Some("units")),
            ("functions.get_weather", Some("get_weather")),
            ("default_api:get_wether", Some("get_weather")),
            ("tools/city", Some("city")),
            ("Unit ", Some("Unit")),
            ("a.b", None),
            ("get_weather \n", Some("get_weather")),
            ("get-wether", Some("get_weather")),
            ("temperature", None),
            ("c", None),
            ("", None),
            ("ciöy", Some("city")),
        ] {
            assert_eq!(nearest(wrong, names), near, "{wrong}");
        }
    }

    #[test]
    fn the_first_of_equally_near_names_wins() {
        assert_eq!(nearest("bat", ["cat", "hat", "rat"]), Some("cat"));
        assert_eq!(nearest(&"x".repeat(1000), ["x"]), None);
        // But one that differs by nothing goes before one that differs by case.
        assert_eq!(nearest("foo ", ["Foo", "foo"]), Some("foo"));
        assert_eq!(nearest("FOO", ["fooo", "Foo", "foo"]), Some("Foo"));
    }
}
