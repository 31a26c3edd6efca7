//! Rewrites the spellings of JSON5 and Python that have one reading into JSON.
//!
//! The rewriting knows tokens and no grammar: the strict reader, which runs over the outcome, has the last word
//! about holes, missing commas and everything else. Nothing is ever added but quotes and escapes.

use super::RepairKind;

/// A text in JSON's spelling, and what was spelled otherwise, each kind once.
pub(super) struct Rewritten {
    pub(super) text: String,
    pub(super) kinds: Vec<RepairKind>,
}

/// Why a text cannot be rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It ends inside a string or a comment.
    CutOff,
    /// It has a spelling with no or with several readings.
    Ambiguous,
}

/// Rewrites a text.
pub(super) fn rewrite(text: &str) -> Result<Rewritten, Unreadable> {
    let out = String::with_capacity(text.len() + 16);
    let mut writer = Writer { text, at: 0, out, kinds: Vec::new(), comma: None };
    while writer.token()? {}
    Ok(Rewritten { text: writer.out, kinds: writer.kinds })
}

struct Writer<'a> {
    text: &'a str,
    at: usize,
    out: String,
    kinds: Vec<RepairKind>,
    /// Where in `out` a comma stands that nothing but blanks has followed.
    comma: Option<usize>,
}

impl<'a> Writer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn note(&mut self, kind: RepairKind) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    /// Copies the next token; whether there was one.
    fn token(&mut self) -> Result<bool, Unreadable> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(false) };
        match first {
            ' ' | '\t' | '\n' | '\r' => {
                self.out.push(first);
                self.at += 1;
            }
            '/' if rest.starts_with("//") => {
                let end = rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
                self.blank(end, RepairKind::Comment);
            }
            '/' if rest.starts_with("/*") => {
                let inner = rest.get(2..).and_then(|inner| inner.find("*/")).ok_or(Unreadable::CutOff)?;
                let end = inner + 4;
                self.blank(end, RepairKind::Comment);
            }
            '\\' if matches!(rest.as_bytes().get(1), Some(b'n' | b't' | b'r')) => {
                self.blank(2, RepairKind::EscapedBlank);
            }
            // What JSON5 calls a blank and JSON does not.
            blank if blank == '\u{feff}' || blank.is_whitespace() => {
                self.blank(blank.len_utf8(), RepairKind::OtherBlank);
            }
            '"' => self.double()?,
            '\'' => self.single()?,
            ',' => {
                self.comma = Some(self.out.len());
                self.out.push(',');
                self.at += 1;
            }
            '}' | ']' => self.closer(first),
            letter if letter == '_' || letter == '$' || letter.is_alphabetic() => self.word(),
            other => {
                self.comma = None;
                self.out.push(other);
                self.at += other.len_utf8();
            }
        }
        Ok(true)
    }

    fn blank(&mut self, length: usize, kind: RepairKind) {
        self.at += length;
        self.out.push(' ');
        self.note(kind);
    }

    /// A closer; a single comma before it goes.
    fn closer(&mut self, closer: char) {
        if let Some(comma) = self.comma.take() {
            let before = self.out.get(..comma).unwrap_or_default().trim_end().chars().next_back();
            // After an opener or another comma it stands for a hole.
            if !matches!(before, None | Some('{' | '[' | ',' | ':')) {
                self.out.replace_range(comma..=comma, " ");
                self.note(RepairKind::TrailingComma);
            }
        }
        self.out.push(closer);
        self.at += 1;
    }

    /// A key without quotes, a literal of Python, or something for the strict reader to judge.
    fn word(&mut self) {
        self.comma = None;
        let rest = self.rest();
        let is_part = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        self.at += end;
        if is_key(self.rest()) {
            self.out.extend(["\"", word, "\""]);
            return self.note(RepairKind::UnquotedKey);
        }
        let literal = match word {
            "True" => "true",
            "False" => "false",
            "None" => "null",
            other => return self.out.push_str(other),
        };
        self.out.push_str(literal);
        self.note(RepairKind::PythonLiteral);
    }

    fn control(&mut self, control: char) {
        let code = u32::from(control);
        self.out.push_str("\\u00");
        for digit in [code >> 4, code & 15] {
            self.out.push(char::from_digit(digit, 16).unwrap_or('0'));
        }
        self.note(RepairKind::RawControl);
    }

    /// A string in double quotes, its raw control characters escaped. Escapes are the strict reader's to judge.
    fn double(&mut self) -> Result<(), Unreadable> {
        self.comma = None;
        let mut characters = self.rest().char_indices().skip(1);
        self.out.push('"');
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.out.push('"');
                    self.at += at + 1;
                    return Ok(());
                }
                '\\' => {
                    let (_, escaped) = characters.next().ok_or(Unreadable::CutOff)?;
                    if escaped < ' ' {
                        return Err(Unreadable::Ambiguous);
                    }
                    self.out.extend(['\\', escaped]);
                }
                control if control < ' ' => self.control(control),
                plain => self.out.push(plain),
            }
        }
        Err(Unreadable::CutOff)
    }

    /// A string in single quotes becomes one in double quotes.
    fn single(&mut self) -> Result<(), Unreadable> {
        self.comma = None;
        let mut characters = self.rest().char_indices().skip(1);
        self.out.push('"');
        while let Some((at, character)) = characters.next() {
            match character {
                '\'' => {
                    self.out.push('"');
                    self.at += at + 1;
                    self.note(RepairKind::SingleQuotes);
                    return Ok(());
                }
                '"' => self.out.push_str("\\\""),
                '\\' => match characters.next().ok_or(Unreadable::CutOff)?.1 {
                    '\'' => self.out.push('\''),
                    // JSON5 reads a slash here, and Python a backslash and a slash.
                    '/' => return Err(Unreadable::Ambiguous),
                    control if control < ' ' => return Err(Unreadable::Ambiguous),
                    escaped => self.out.extend(['\\', escaped]),
                },
                control if control < ' ' => self.control(control),
                plain => self.out.push(plain),
            }
        }
        // The quotes may as well stand where none was meant.
        Err(Unreadable::Ambiguous)
    }
}

/// Whether a colon comes next, after blanks and comments.
fn is_key(mut rest: &str) -> bool {
    // A comment between a key and its colon is so rare that one is enough.
    for _ in 0..2 {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        }
    }
    rest.starts_with(':')
}
