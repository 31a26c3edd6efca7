//! The tokens of JSON that need more than a look: numbers and strings.

use serde_json::Number;

use super::parse::{Fault, Parsed, Reader};

/// From here on a float need not be what its text says: the text is read for an integer.
pub(super) const ROUNDING: f64 = 9_007_199_254_740_992.0;

/// The integer of 64 bits that the text of a number denotes, without rounding, if it denotes one.
pub(super) fn denoted(text: &str) -> Option<Number> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().ok()?;
    let fraction = fraction.trim_end_matches('0');
    // The digits, and how many zeros follow them; where that is negative, the last digits are such zeros.
    let digits = format!("{whole}{fraction}");
    let zeros = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    let digits = digits.trim_start_matches('0');
    let integer = match usize::try_from(zeros) {
        // More digits than any integer of 64 bits has.
        Ok(zeros) if zeros > 20 => return None,
        Ok(zeros) => format!("{sign}{digits}{}", "0".repeat(zeros)),
        Err(_) => {
            let surplus = usize::try_from(zeros.unsigned_abs()).ok()?;
            let (kept, cut) = digits.split_at_checked(digits.len().checked_sub(surplus)?)?;
            if cut.bytes().any(|digit| digit != b'0') {
                return None;
            }
            format!("{sign}{kept}")
        }
    };
    integer.parse::<i64>().map(Number::from).or_else(|_| integer.parse::<u64>().map(Number::from)).ok()
}

/// How many bytes stand before the first that ends a string or is escaped in one.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    // The lowest bit that is set is that of the first such byte; those above it mean nothing.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & (ONES << 7);
    let special = |word: u64| {
        let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
        below(word, b' ') | equal(b'"') | equal(b'\\')
    };
    let (words, rest) = bytes.as_chunks();
    let mut length = 0;
    for word in words {
        let found = special(u64::from_le_bytes(*word));
        if found != 0 {
            return length + found.trailing_zeros() as usize / 8;
        }
        length += word.len();
    }
    let is_special = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\');
    length + rest.iter().position(is_special).unwrap_or(rest.len())
}

impl Reader<'_> {
    fn digits(&mut self) -> Parsed<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected()) } else { Ok(()) }
    }

    pub(super) fn number(&mut self) -> Parsed<Number> {
        let start = self.at;
        let mut is_float = false;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.fault_at(Fault::Unexpected, start));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            is_float = true;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            is_float = true;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = self.slice(start);
        if is_float {
            let float = text.parse().ok();
            if let Some(integer) =
                float.filter(|float: &f64| float.abs() >= ROUNDING).and_then(|_| denoted(text))
            {
                return Ok(integer);
            }
            float.and_then(Number::from_f64).ok_or_else(|| self.fault_at(Fault::FloatRange, start))
        } else {
            text.parse::<i64>()
                .map(Number::from)
                .or_else(|_| text.parse::<u64>().map(Number::from))
                .map_err(|_| self.fault_at(Fault::IntegerRange, start))
        }
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            self.at += plain_length(self.rest());
            let plain = self.slice(start);
            match self.peek() {
                // Most strings end with their first run, which is then all there is to copy.
                Some(b'"') if out.is_empty() => {
                    self.at += 1;
                    return Ok(plain.to_owned());
                }
                _ => out.push_str(plain),
            }
            match self.peek() {
                None => return Err(self.fault(Fault::CutOff)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.fault(Fault::ControlCharacter)),
            }
        }
    }

    fn escape(&mut self) -> Parsed<char> {
        let start = self.at;
        self.at += 1;
        let character = match self.peek() {
            None => return Err(self.fault(Fault::CutOff)),
            Some(b'u') => {
                self.at += 1;
                return self.unicode(start);
            }
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(plain @ (b'"' | b'\\' | b'/')) => char::from(plain),
            Some(_) => return Err(self.fault_at(Fault::Escape, start)),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode(&mut self, start: usize) -> Parsed<char> {
        let first = self.four_digits(start)?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        if first >= 0xDC00 {
            return Err(self.fault_at(Fault::Escape, start));
        }
        for expected in *b"\\u" {
            match self.peek() {
                None => return Err(self.fault(Fault::CutOff)),
                Some(byte) if byte == expected => self.at += 1,
                Some(_) => return Err(self.fault_at(Fault::Escape, start)),
            }
        }
        let second = self.four_digits(start)?;
        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400);
        low.and_then(|low| char::from_u32(0x10000 + ((first - 0xD800) << 10) + low))
            .ok_or_else(|| self.fault_at(Fault::Escape, start))
    }

    fn four_digits(&mut self, start: usize) -> Parsed<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(byte) = self.peek() else { return Err(self.fault(Fault::CutOff)) };
            let digit = char::from(byte).to_digit(16).ok_or_else(|| self.fault_at(Fault::Escape, start))?;
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_floats_that_are_integers_are_read_exactly() {
        for (text, integer) in [
            ("1e16", Some("10000000000000000")),
            ("9007199254740993.0", Some("9007199254740993")),
            ("-9.223372036854775808E+18", Some("-9223372036854775808")),
            ("18446744073709551615.00", Some("18446744073709551615")),
            ("184467440737095516150e-1", Some("18446744073709551615")),
            ("0.18446744073709551615e20", Some("18446744073709551615")),
            ("18446744073709551616.0", None),
            ("-9223372036854775809.0", None),
            ("9007199254740993.5", None),
            ("184467440737095516155e-1", None),
            ("1e20", None),
            ("1e300", None),
            ("1e99999999999999999999", None),
        ] {
            let found = denoted(text).map(|number| number.to_string());
            assert_eq!(found.as_deref(), integer, "{text}");
        }
    }

    #[test]
    fn plain_runs_end_at_the_first_special_byte_wherever_it_stands() {
        for special in ['"', '\\', '\0', '\n', '\u{1f}'] {
            for before in 0..40 {
                let text = format!(
                    "{}{special}{}",
                    "é ~".chars().cycle().take(before).collect::<String>(),
                    "x".repeat(9)
                );
                assert_eq!(plain_length(text.as_bytes()), text.find(special).unwrap_or(0), "{text:?}");
            }
        }
        assert_eq!(plain_length("größer \u{7f}".as_bytes()), "größer \u{7f}".len());
    }

    #[test]
    fn floats_below_stay_floats() {
        let json = crate::value::parse("[3.0,1e2,-0.0,1e16]", &crate::value::ParseLimits::default());
        assert_eq!(json.map(|json| json.text()).ok().as_deref(), Some("[3.0,100.0,-0.0,10000000000000000]"));
    }
}
