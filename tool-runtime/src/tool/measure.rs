//! What is looked for in a text before types are read straight from it.

/// Whether a run of digits is as long as the least integer that 64 bits do not keep exactly, which is a negative one.
#[inline]
pub(super) fn has_long_number(text: &str) -> bool {
    const LONG: usize = 19;
    let bytes = text.as_bytes();
    let digits = |side: &mut dyn Iterator<Item = &u8>| {
        side.take_while(|byte| byte.is_ascii_digit()).take(LONG).count()
    };
    // Such a run covers one of every so many places, so only these are looked at.
    (LONG - 1..bytes.len()).step_by(LONG).any(|place| {
        let (before, after) = bytes.split_at(place);
        after.first().is_some_and(u8::is_ascii_digit)
            && digits(&mut before.iter().rev()) + digits(&mut after.iter()) >= LONG
    })
}

/// How deep brackets are nested in a text.
pub(super) fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'\\' => _ = bytes.next(),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_of_digits_are_found_wherever_they_stand() {
        for start in 0..45 {
            for (length, long) in [(1, false), (18, false), (19, true), (20, true), (25, true), (60, true)] {
                let text = format!("{}{}{}", "x".repeat(start), "7".repeat(length), "é 123");
                assert_eq!(has_long_number(&text), long, "{text}");
            }
        }
        assert!(!has_long_number(""));
    }

    #[test]
    fn brackets_in_strings_do_not_nest() {
        for (text, depth) in [
            ("", 0),
            ("7", 0),
            ("{}", 1),
            (r#"{"a":[{}],"b":[]}"#, 3),
            (r#"{"[[[":"}\"[","b":"\\"}"#, 1),
            ("}}}[", 1),
            (r#"["[[["#, 1),
            (r#"["\"#, 1),
        ] {
            assert_eq!(nesting(text), depth, "{text}");
        }
    }
}
