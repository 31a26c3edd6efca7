//! Text that a model made up, as it may stand in a message: on one line, short, and with nothing hidden in it.

use std::borrow::Cow;
use std::fmt::Write;

/// The longest run without a slash, in characters; longer ones are cut.
const LONGEST_TOKEN: usize = 64;

/// The longest text as a whole, in characters.
const LONGEST: usize = 512;

/// The text with control characters, bidirectional marks and other invisible characters escaped, and with long parts
/// between slashes cut.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_TOKEN && (is_plain(text) || !text.chars().any(is_hidden)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut token = 0;
    for (count, character) in text.chars().enumerate() {
        if count == LONGEST {
            if !out.ends_with('…') {
                out.push('…');
            }
            break;
        }
        token = if character == '/' { 0 } else { token + 1 };
        if token == LONGEST_TOKEN + 1 {
            out.push('…');
        }
        if token <= LONGEST_TOKEN {
            if is_hidden(character) {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            } else {
                out.push(character);
            }
        }
    }
    Cow::Owned(out)
}

/// The text with the same characters escaped, at its full length.
pub(crate) fn unhidden(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

/// A name in quotes, short, and with the same characters escaped.
pub(crate) fn quoted(name: &str) -> String {
    let mut short: String = name.chars().take(LONGEST_TOKEN).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    unhidden(&serde_json::Value::from(short).to_string())
}

/// Whether a text is of printable ASCII alone.
pub(crate) fn is_plain(text: &str) -> bool {
    // Without an early end, so that many bytes are looked at together.
    text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'))
}

/// Whether a reader would not see the character, or see others because of it: control characters, zero-width ones,
/// bidirectional marks (Unicode Technical Report 36), and tags.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hides_and_nothing_is_long() {
        assert_eq!(visible("/a/b c/größe"), "/a/b c/größe");
        assert_eq!(visible("/a\n- fake"), "/a\\u{a}- fake");
        assert_eq!(visible("\u{202e}x"), "\\u{202e}x");
        let long = format!("/a/{}/b", "x".repeat(200));
        assert_eq!(visible(&long), format!("/a/{}…/b", "x".repeat(64)));
        assert!(visible(&"/a".repeat(10_000)).chars().count() <= LONGEST + 1);
    }
}
