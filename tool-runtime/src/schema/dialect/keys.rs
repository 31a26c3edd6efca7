//! Names that a provider refuses, mapped to names that it takes, one to one.

use sha2::{Digest, Sha256};

use super::rules::Keys;

/// A name in the grammar for one outside of it: its letters as far as they go, `_`, and 12 digits of its SHA-256.
///
/// The same name has the same stand-in everywhere; `is_taken` names are avoided by a longer digest.
pub(super) fn stand_in(name: &str, keys: Keys, is_taken: impl Fn(&str) -> bool) -> String {
    let plain = |c: char| match u8::try_from(c) {
        Ok(byte) if keys.allows_byte(byte) => c,
        _ => '_',
    };
    let hex = digest(name);
    let mut candidate = String::new();
    for length in (12..=hex.len().min(56)).step_by(4) {
        let kept: String = name.chars().take(63 - length).map(plain).collect();
        let digits = hex.get(..length).unwrap_or(&hex);
        candidate = format!("{kept}_{digits}");
        if candidate.starts_with(|first: char| first.is_ascii_digit()) {
            candidate.insert(0, '_');
            candidate.remove(1);
        }
        if !is_taken(&candidate) {
            return candidate;
        }
    }
    candidate
}

/// The SHA-256 of a name in hexadecimal digits.
pub(crate) fn digest(name: &str) -> String {
    Sha256::digest(name.as_bytes()).iter().fold(String::new(), |mut out, byte| {
        for half in [byte >> 4, byte & 15] {
            out.extend(char::from_digit(u32::from(half), 16));
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_in_the_grammar_and_differ() {
        let names =
            ["filter[id]", "filter.id.", "$top", "@microsoft.graph.conflictBehavior", "", "größe", "1st"];
        let long = "x".repeat(200);
        for keys in [Keys::Anthropic, Keys::Gemini] {
            let mut seen = std::collections::BTreeSet::new();
            for name in names.iter().copied().chain([long.as_str()]) {
                let made = stand_in(name, keys, |_| false);
                assert!(keys.allow(&made), "{made}");
                assert!(seen.insert(made.clone()), "{made}");
                let other = stand_in(name, keys, |taken| taken == made);
                assert!(keys.allow(&other) && other != made, "{other}");
            }
        }
    }
}
