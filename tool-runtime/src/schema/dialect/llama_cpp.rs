//! llama.cpp's server, which makes one grammar of all tools.

use super::rules::{References, Rules};

pub(super) const PLAIN: Rules = Rules {
    references: References::Inline,
    formats: &["date", "time", "date-time", "uuid"],
    apart: true,
    pattern: anchored,
    // Larger repetitions blow up the grammar.
    largest: 1_000,
    ..Rules::plain(10)
};

/// Patterns from `^` to `$`, with escapes of punctuation only.
fn anchored(pattern: &str) -> bool {
    let Some(inner) = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) else { return false };
    if inner.contains("(?") || inner.ends_with('\\') {
        return false;
    }
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && !characters.next().is_some_and(|next| next.is_ascii_punctuation()) {
            return false;
        }
    }
    true
}
