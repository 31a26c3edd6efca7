//! Whether a text matches a regular expression, for defaults and examples beside a `pattern`.
//!
//! A regex engine would be a large dependency of a macro crate for texts of a few bytes. This one walks the parsed
//! expression with the set of places that it can stand at, so it is linear in both but for nested repetitions, whose
//! steps are counted.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// Whether the expression is found anywhere in the text; `None` if that takes too long to find out, or needs what is
/// not known here.
pub(super) fn matches(expression: &Hir, text: &str) -> Option<bool> {
    let start: BTreeSet<usize> = (0..=text.len()).filter(|place| text.is_char_boundary(*place)).collect();
    let mut walk = Walk { text, steps: 0 };
    walk.step(expression, &start).map(|ends| !ends.is_empty())
}

const MOST_STEPS: usize = 100_000;

struct Walk<'t> {
    text: &'t str,
    steps: usize,
}

impl Walk<'_> {
    /// Where the expression can end that begins at one of these places.
    fn step(&mut self, expression: &Hir, from: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        self.steps += 1 + from.len();
        if self.steps > MOST_STEPS {
            return None;
        }
        Some(match expression.kind() {
            HirKind::Empty => from.clone(),
            HirKind::Literal(literal) => {
                let bytes = self.text.as_bytes();
                let fits =
                    |place: &usize| bytes.get(*place..).is_some_and(|rest| rest.starts_with(&literal.0));
                from.iter().filter(|place| fits(place)).map(|place| place + literal.0.len()).collect()
            }
            HirKind::Class(Class::Unicode(class)) => {
                let next = |place: &usize| self.text.get(*place..).and_then(|rest| rest.chars().next());
                let fits = |c: char| class.iter().any(|range| (range.start()..=range.end()).contains(&c));
                from.iter()
                    .filter_map(|place| next(place).filter(|c| fits(*c)).map(|c| place + c.len_utf8()))
                    .collect()
            }
            HirKind::Class(Class::Bytes(_)) => return None,
            HirKind::Look(look) => {
                let mut ends = BTreeSet::new();
                for place in from {
                    if self.looks(*look, *place)? {
                        ends.insert(*place);
                    }
                }
                ends
            }
            HirKind::Repetition(repetition) => {
                let mut places = from.clone();
                for _ in 0..repetition.min {
                    places = self.step(&repetition.sub, &places)?;
                    if places.is_empty() {
                        return Some(places);
                    }
                }
                let mut all = places.clone();
                for _ in repetition.min..repetition.max.unwrap_or(u32::MAX) {
                    places = self.step(&repetition.sub, &places)?.difference(&all).copied().collect();
                    if places.is_empty() {
                        break;
                    }
                    all.extend(&places);
                }
                all
            }
            HirKind::Capture(capture) => self.step(&capture.sub, from)?,
            HirKind::Concat(parts) => {
                let mut places = from.clone();
                for part in parts {
                    places = self.step(part, &places)?;
                }
                places
            }
            HirKind::Alternation(parts) => {
                let mut all = BTreeSet::new();
                for part in parts {
                    all.extend(self.step(part, from)?);
                }
                all
            }
        })
    }

    fn looks(&self, look: Look, place: usize) -> Option<bool> {
        let bytes = self.text.as_bytes();
        let is_word =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let before = is_word(place.checked_sub(1).and_then(|place| bytes.get(place)));
        let behind = is_word(bytes.get(place));
        match look {
            Look::Start => Some(place == 0),
            Look::End => Some(place == bytes.len()),
            Look::WordAscii => Some(before != behind),
            Look::WordAsciiNegate => Some(before == behind),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_match_as_in_the_runtime() {
        for (pattern, text, fits) in [
            ("^[a-z]+$", "abc", true),
            ("^[a-z]+$", "Abc", false),
            ("b", "abc", true),
            ("^$", "", true),
            ("^$", "a", false),
            ("^(ab|c){2,3}$", "abcab", true),
            ("^(ab|c){2,3}$", "ab", false),
            ("^(a*)*$", "aaaa", true),
            ("^é.$", "éü", true),
            (r"^\p{Lu}$", "É", true),
            (r"(?-u:\b)cat(?-u:\b)", "a cat.", true),
            (r"(?-u:\b)cat(?-u:\b)", "acat.", false),
            ("a?b{0}c*", "", true),
        ] {
            let expression = regex_syntax::Parser::new().parse(pattern).expect("it is right");
            assert_eq!(matches(&expression, text), Some(fits), "{pattern} on {text:?}");
        }
    }

    #[test]
    fn what_takes_too_long_is_not_known() {
        let expression = regex_syntax::Parser::new().parse("a{1000}$").expect("it is right");
        assert_eq!(matches(&expression, &"a".repeat(2000)), None);
    }
}
