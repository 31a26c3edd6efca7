//! The tokens of JSON that need more than a look: numbers and strings.

use serde_json::Number;

use super::parse::{Fault, Parsed, Reader};

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
            text.parse()
                .ok()
                .and_then(Number::from_f64)
                .ok_or_else(|| self.fault_at(Fault::FloatRange, start))
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
            while self.peek().is_some_and(|byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            out.push_str(self.slice(start));
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
