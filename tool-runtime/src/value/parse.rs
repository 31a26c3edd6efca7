//! A strict reader of JSON text (RFC 8259) that says what is wrong, and where.
//!
//! Of our own, because `serde_json::Value` keeps the last of two equal keys, rounds integers beyond 64 bits, and
//! changes with the features that other crates turn on.

use serde_json::{Number, Value};

use super::Pointer;
use super::duplicates::{Duplicate, duplicates};
use super::json::Json;

/// The deepest nesting that any limit allows; a reader of bounded depth cannot overflow the stack.
const DEEPEST: usize = 256;

/// The most places of collapsed duplicates that are told.
const MOST_PLACES: usize = 16;

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
    Reader::new(text, limits, None).document()
}

/// The same, read as a value of `serde_json`.
pub(crate) fn parse_value(text: &str, limits: &ParseLimits) -> Result<Value, ParseError> {
    Reader::new(text, limits, None).document()
}

/// Reads a text that is one JSON value, where a key may stand twice if its values are equal; says where.
pub(crate) fn parse_collapsing(text: &str, limits: &ParseLimits) -> Result<(Json, Vec<Pointer>), ParseError> {
    let mut reader = Reader::new(text, limits, Some(Collapse::default()));
    let value = reader.document()?;
    Ok((value, reader.collapse.unwrap_or_default().collapsed))
}

/// The value that a text begins with.
pub(crate) struct Prefix {
    pub(crate) value: Json,
    /// Where what follows it begins, blanks left out.
    pub(crate) end: usize,
    /// How many values there are in it, itself included.
    pub(crate) nodes: usize,
}

/// Reads the value that a text begins with, whatever follows.
pub(crate) fn parse_prefix(text: &str, limits: &ParseLimits) -> Result<Prefix, ParseError> {
    let mut reader = Reader::new(text, limits, None);
    let value = reader.begin()?;
    Ok(Prefix { value, end: reader.at, nodes: reader.nodes })
}

pub(super) struct Reader<'a> {
    text: &'a str,
    pub(super) at: usize,
    depth: usize,
    nodes: usize,
    limits: ParseLimits,
    collapse: Option<Collapse>,
}

/// The way to the object that is read, and the duplicates that went.
#[derive(Default)]
struct Collapse {
    here: Pointer,
    collapsed: Vec<Pointer>,
}

/// What a text can be read as.
trait Tree: Clone + From<bool> + From<Number> + From<String> + Into<Value> {
    const NULL: Self;
    fn array(items: Vec<Self>) -> Self;
    fn object(members: Vec<(String, Self)>) -> Self;
}

impl Tree for Json {
    const NULL: Self = Self::Null;
    fn array(items: Vec<Self>) -> Self {
        Self::Array(items)
    }
    fn object(members: Vec<(String, Self)>) -> Self {
        Self::Object(members)
    }
}

impl Tree for Value {
    const NULL: Self = Self::Null;
    fn array(items: Vec<Self>) -> Self {
        Self::Array(items)
    }
    fn object(members: Vec<(String, Self)>) -> Self {
        Self::Object(members.into_iter().collect())
    }
}

pub(super) type Parsed<T> = Result<T, ParseError>;

impl<'a> Reader<'a> {
    fn new(text: &'a str, limits: &ParseLimits, collapse: Option<Collapse>) -> Self {
        let limits = ParseLimits { depth: limits.depth.min(DEEPEST), ..*limits };
        Self { text, at: 0, depth: 0, nodes: 0, limits, collapse }
    }

    fn document<T: Tree>(&mut self) -> Parsed<T> {
        let value = self.begin()?;
        if self.at < self.text.len() { Err(self.fault(Fault::Trailing)) } else { Ok(value) }
    }

    /// The first value, and the blanks behind it.
    fn begin<T: Tree>(&mut self) -> Parsed<T> {
        if self.text.len() > self.limits.bytes {
            return Err(self.fault_at(Fault::TooLarge, 0));
        }
        self.skip_blanks();
        let value = self.value()?;
        self.skip_blanks();
        Ok(value)
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn fault(&self, fault: Fault) -> ParseError {
        self.fault_at(fault, self.at)
    }

    #[expect(clippy::unused_self, reason = "reads as a method beside `fault`")]
    pub(super) fn fault_at(&self, fault: Fault, offset: usize) -> ParseError {
        ParseError { fault, offset, path: Vec::new() }
    }

    /// The fault of a place that the grammar does not allow: the end of the text means that it was cut off.
    pub(super) fn unexpected(&self) -> ParseError {
        self.fault(if self.at >= self.text.len() { Fault::CutOff } else { Fault::Unexpected })
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    pub(super) fn slice(&self, from: usize) -> &'a str {
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn value<T: Tree>(&mut self) -> Parsed<T> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(self.fault(Fault::TooMany));
        }
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(T::from),
            Some(b't') => self.literal("true", true.into()),
            Some(b'f') => self.literal("false", false.into()),
            Some(b'n') => self.literal("null", T::NULL),
            Some(b'-' | b'0'..=b'9') => self.number().map(T::from),
            _ => Err(self.unexpected()),
        }
    }

    fn nested<T>(&mut self, read: fn(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= self.limits.depth {
            return Err(self.fault(Fault::TooDeep));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn array<T: Tree>(&mut self) -> Parsed<T> {
        let mut items = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(T::array(items));
        }
        loop {
            self.skip_blanks();
            if let Some(collapse) = &mut self.collapse {
                collapse.here.push_index(items.len());
            }
            let item = self.value().map_err(|error| error.within(Segment::Index(items.len())))?;
            self.step_out();
            items.push(item);
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(T::array(items));
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn object<T: Tree>(&mut self) -> Parsed<T> {
        let mut members: Vec<(String, T)> = Vec::new();
        let start = self.at;
        self.skip_blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(T::object(members));
        }
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected());
            }
            let name = self.key()?;
            if let Some(collapse) = &mut self.collapse {
                collapse.here.push(&name);
            }
            let value = self.value();
            self.step_out();
            match value {
                Ok(value) => members.push((name, value)),
                Err(error) => return Err(error.within(Segment::Key(name))),
            }
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return self.without_duplicates(members, start);
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    /// A key and its colon, up to the value.
    fn key(&mut self) -> Parsed<String> {
        let name = self.string()?;
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.unexpected());
        }
        self.at += 1;
        self.skip_blanks();
        Ok(name)
    }

    /// Where a member's key stands in the object that begins at `start`. Asked for so rarely that the object is read
    /// once more.
    fn place_of_key(&mut self, start: usize, index: usize) -> Parsed<usize> {
        // What was counted before is counted anew.
        (self.at, self.nodes) = (start, 0);
        self.skip_blanks();
        for _ in 0..index {
            self.key()?;
            self.value::<Value>()?;
            self.skip_blanks();
            // The comma.
            self.at += 1;
            self.skip_blanks();
        }
        Ok(self.at)
    }

    fn step_out(&mut self) {
        if let Some(collapse) = &mut self.collapse {
            collapse.here.pop();
        }
    }

    fn without_duplicates<T: Tree>(&mut self, mut members: Vec<(String, T)>, start: usize) -> Parsed<T> {
        let found = duplicates(&members);
        let fault = match (found.iter().find(|duplicate| !duplicate.equal), found.first()) {
            (Some(conflict), Some(first)) if self.collapse.is_some() || first.index == conflict.index => {
                Some((Fault::ConflictingDuplicate, conflict))
            }
            (_, Some(first)) if self.collapse.is_none() => Some((Fault::EqualDuplicate, first)),
            _ => None,
        };
        if let Some((fault, Duplicate { index, .. })) = fault {
            let place = self.place_of_key(start, *index)?;
            let name = members.into_iter().nth(*index).map(|(name, _)| name).unwrap_or_default();
            return Err(self.fault_at(fault, place).within(Segment::Key(name)));
        }
        if let Some(collapse) = &mut self.collapse {
            let mut gone = found.iter().map(|duplicate| duplicate.index).peekable();
            let mut index = 0;
            members.retain(|(name, _)| {
                let is_gone = gone.next_if_eq(&index).is_some();
                index += 1;
                // A few places are enough for a record, and their names may be long.
                if is_gone && collapse.collapsed.len() < MOST_PLACES {
                    let mut place = collapse.here.clone();
                    place.push(name);
                    collapse.collapsed.push(place);
                }
                !is_gone
            });
        }
        Ok(T::object(members))
    }

    fn literal<T>(&mut self, word: &str, value: T) -> Parsed<T> {
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
}

impl ParseError {
    fn within(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    /// The pointer to the place.
    pub(crate) fn pointer(&self) -> Pointer {
        let mut pointer = Pointer::root();
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
