//! From regular expressions of ECMA 262 to those of Rust.
//!
//! `tool-macros` has the same file, since a macro crate and its runtime can share no code; a test there compares the
//! two.

/// Rewrites what means something else in Rust's dialect than in ECMA's: classes are of ASCII, `.` ends at four
/// line ends, and a `[` inside a class is a plain character.
pub(crate) fn translate(source: &str) -> Result<String, String> {
    const BLANK: &str = r"\t\n\x0B\x0C\r\x{2028}\x{2029}\x{FEFF}\p{Zs}";
    let mut out = String::with_capacity(source.len() + 8);
    let mut in_class = false;
    let mut characters = source.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('d') => out.push_str("[0-9]"),
                Some('D') => out.push_str("[^0-9]"),
                Some('w') => out.push_str("[0-9A-Za-z_]"),
                Some('W') => out.push_str("[^0-9A-Za-z_]"),
                Some('s') => out.extend(["[", BLANK, "]"]),
                Some('S') => out.extend(["[^", BLANK, "]"]),
                Some('b') if in_class => out.push_str(r"\x08"),
                Some('b') => out.push_str(r"(?-u:\b)"),
                Some('B') => out.push_str(r"(?-u:\B)"),
                Some('0') => out.push_str(r"\x00"),
                Some(letter @ ('A' | 'Z' | 'z' | 'a' | 'G' | 'h' | 'H' | 'R' | 'X' | '<' | '>')) => {
                    return Err(format!("`\\{letter}` is no escape of ECMA 262"));
                }
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            },
            '[' if in_class => out.push_str(r"\["),
            '[' => {
                in_class = true;
                out.push('[');
                if characters.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
            }
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            '&' | '~' if in_class => out.extend(['\\', character]),
            '-' if in_class && characters.peek() == Some(&'-') => out.push_str(r"\-"),
            '.' if !in_class => out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
            plain => out.push(plain),
        }
    }
    Ok(out)
}
