//! Texts that a terminal or a page can show as they are.

use std::fmt::Write;

use crate::value::is_hidden;

/// A text of one line.
pub(super) fn line(text: &str) -> String {
    self::text(text).replace(['\n', '\t'], " ")
}

/// A text without escape sequences (ECMA-48, section 5: control sequences, and strings up to their terminator); other characters that are not seen
/// are written as escapes. Ends of lines are `\n`.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\n' | '\t' => out.push(character),
            '\r' => {
                if rest.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\u{1b}' => match rest.next() {
                Some('[') => skip_sequence(&mut rest),
                // Operating system commands, device controls, and the like.
                Some(']' | 'P' | 'X' | '^' | '_') => skip_string(&mut rest),
                // Sequences of two or three characters.
                Some('\u{20}'..='\u{2f}') => {
                    rest.next();
                }
                Some(_) | None => {}
            },
            '\u{9b}' => skip_sequence(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut rest),
            hidden if is_hidden(hidden) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(hidden));
            }
            seen => out.push(seen),
        }
    }
    out
}

/// Up to the final character of a control sequence; what cannot stand in one ends it and stays.
fn skip_sequence(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while rest.next_if(|character| matches!(character, '\u{20}'..='\u{3f}')).is_some() {}
    rest.next_if(|character| matches!(character, '\u{40}'..='\u{7e}'));
}

/// Up to the terminator of a control string, or the end of its line.
fn skip_string(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(character) = rest.next_if(|character| *character != '\n') {
        match character {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                rest.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sequences_go_and_texts_stay() {
        for (given, clean) in [
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}after", "after"),
            ("\u{1b}]8;;https://example.com\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9b}2Jgone", "gone"),
            ("\u{1b}(Bplain\u{1b}c", "plain"),
            ("one\r\ntwo\rthree\t.", "one\ntwo\nthree\t."),
            ("a\u{202e}b\u{0}", "a\\u{202e}b\\u{0}"),
            ("\u{1b}[31", ""),
            ("\u{1b}]never ends\nnext", "\nnext"),
            ("\u{1b}", ""),
            ("Grüße 😀", "Grüße 😀"),
        ] {
            assert_eq!(text(given), clean, "{given:?}");
        }
        assert_eq!(line("a\nb\tc"), "a b c");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(given in "[\u{1b}\u{9b}\u{9d}\\[\\];mA0\u{7}\n\r\t \u{202e}é]{0,40}") {
            let clean = text(&given);
            prop_assert!(clean.chars().all(|character| matches!(character, '\n' | '\t') || !is_hidden(character)));
            // Once is enough.
            prop_assert_eq!(text(&clean), clean);
        }
    }
}
