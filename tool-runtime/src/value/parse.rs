//! A strict reader of JSON text (RFC 8259) that says what is wrong, and where.
//!
//! Of our own, because `serde_json::Value` keeps the last of two equal keys, rounds integers beyond 64 bits, and
//! changes with the features that other crates turn on.

use serde_json::Number;

use super::canonical::canonical;
use super::json::Json;

/// The deepest nesting that any limit allows; a reader of bounded depth cannot overflow the stack.
const DEEPEST: usize = 256;

/// What a text may cost, checked before memory is taken for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParseLimits {
    /// The longest text, in bytes.
    pub(crate) bytes: usize,
    /// The deepest nesting of arrays and objects.
    pub(crate) depth: usize,
    /// The most values, at all levels together.
    pub(crate) nodes: usize,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self { bytes: 4 << 20, depth: 128, nodes: 100_000 }
    }
}

/// One step from the document to the place of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    Key(String),
    Index(usize),
}

/// What is wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not what the grammar has here.
    Unexpected,
    /// The text ends inside a value.
    CutOff,
    /// Something follows the value.
    Trailing,
    /// A control character stands raw in a string.
    ControlCharacter,
    /// An escape that JSON does not have, or half of a surrogate pair.
    Escape,
    /// An integer that neither i64 nor u64 holds.
    IntegerRange,
    /// A number beyond the largest float.
    FloatRange,
    /// A key stands twice, with equal values.
    EqualDuplicate,
    /// A key stands twice, with different values.
    ConflictingDuplicate,
    /// Nested deeper than the limit.
    TooDeep,
    /// More values than the limit.
    TooMany,
    /// More bytes than the limit.
    TooLarge,
}

/// A fault, with its place in bytes and the way to it, innermost step first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseError {
    pub(crate) fault: Fault,
    pub(crate) offset: usize,
    pub(crate) path: Vec<Segment>,
}

/// Reads a text that is one JSON value.
pub(crate) fn parse(text: &str, limits: &ParseLimits) -> Result<Json, ParseError> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
        nodes: 0,
        limits: ParseLimits { depth: limits.depth.min(DEEPEST), ..*limits },
    };
    if text.len() > limits.bytes {
        return Err(reader.fault_at(Fault::TooLarge, 0));
    }
    reader.skip_blanks();
    let value = reader.value()?;
    reader.skip_blanks();
    if reader.at < text.len() { Err(reader.fault(Fault::Trailing)) } else { Ok(value) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    nodes: usize,
    limits: ParseLimits,
}

type Parsed<T> = Result<T, ParseError>;

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault(&self, fault: Fault) -> ParseError {
        self.fault_at(fault, self.at)
    }

    #[expect(clippy::unused_self, reason = "reads as a method beside `fault`")]
    fn fault_at(&self, fault: Fault, offset: usize) -> ParseError {
        ParseError { fault, offset, path: Vec::new() }
    }

    /// The fault of a place that the grammar does not allow: the end of the text means that it was cut off.
    fn unexpected(&self) -> ParseError {
        self.fault(if self.at >= self.text.len() { Fault::CutOff } else { Fault::Unexpected })
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn slice(&self, from: usize) -> &'a str {
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn value(&mut self) -> Parsed<Json> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(self.fault(Fault::TooMany));
        }
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Json::String),
            Some(b't') => self.literal("true", Json::Bool(true)),
            Some(b'f') => self.literal("false", Json::Bool(false)),
            Some(b'n') => self.literal("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => self.number().map(Json::Number),
            _ => Err(self.unexpected()),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Parsed<Json>) -> Parsed<Json> {
        if self.depth >= self.limits.depth {
            return Err(self.fault(Fault::TooDeep));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Parsed<Json> {
        let mut items = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            self.skip_blanks();
            let item = self.value().map_err(|error| error.within(Segment::Index(items.len())))?;
            items.push(item);
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Json::Array(items));
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn object(&mut self) -> Parsed<Json> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut places = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected());
            }
            places.push(self.at);
            let name = self.string()?;
            self.skip_blanks();
            if self.peek() != Some(b':') {
                return Err(self.unexpected());
            }
            self.at += 1;
            self.skip_blanks();
            match self.value() {
                Ok(value) => members.push((name, value)),
                Err(error) => return Err(error.within(Segment::Key(name))),
            }
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return self.without_duplicates(members, &places);
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn without_duplicates(&self, members: Vec<(String, Json)>, places: &[usize]) -> Parsed<Json> {
        let mut order: Vec<(usize, &(String, Json))> = members.iter().enumerate().collect();
        // Stable, so that of equal keys the first stays first.
        order.sort_by(|a, b| a.1.0.cmp(&b.1.0));
        let second = order
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if a.1.0 == b.1.0 => Some((b.0, a.1, b.1)),
                _ => None,
            })
            .min_by_key(|(index, ..)| *index);
        let Some((index, first, again)) = second else { return Ok(Json::Object(members)) };
        let equal = canonical(&first.1.clone().into_value()) == canonical(&again.1.clone().into_value());
        let fault = if equal { Fault::EqualDuplicate } else { Fault::ConflictingDuplicate };
        let place = places.get(index).copied().unwrap_or(self.at);
        Err(self.fault_at(fault, place).within(Segment::Key(again.0.clone())))
    }

    fn literal(&mut self, word: &str, value: Json) -> Parsed<Json> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.at += word.len();
            Ok(value)
        } else if word.starts_with(rest) {
            Err(self.fault_at(Fault::CutOff, self.text.len()))
        } else {
            Err(self.fault(Fault::Unexpected))
        }
    }

    fn digits(&mut self) -> Parsed<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected()) } else { Ok(()) }
    }

    fn number(&mut self) -> Parsed<Number> {
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

    fn string(&mut self) -> Parsed<String> {
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

impl ParseError {
    fn within(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    /// The pointer to the place.
    pub(crate) fn pointer(&self) -> super::Pointer {
        let mut pointer = super::Pointer::root();
        for segment in self.path.iter().rev() {
            match segment {
                Segment::Key(name) => pointer.push(name),
                Segment::Index(index) => pointer.push_index(*index),
            }
        }
        pointer
    }

    /// The line and column of the place, both from one, columns in characters.
    pub(crate) fn line_and_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (line, before.get(line_start..).unwrap_or_default().chars().count() + 1)
    }
}
