//! From bytes to events: server-sent events, JSON values one after the other, and AWS event streams.

use super::stream::MAX_BYTES;
use super::wire::{Node, WireError};

/// How many bytes of an AWS event stream are looked at together.
const AWS_PIECE: usize = 64 << 10;

/// Puts bytes together to the texts of events.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is where the reader stands")]
pub(super) struct Frames {
    kind: Kind,
    /// Bytes of a line, a value or a frame that has not ended.
    buffer: Vec<u8>,
    /// The `data` lines of a server-sent event that has not ended.
    data: Vec<u8>,
    has_data: bool,
    /// How deep in brackets a JSON value is, and whether in a string, and behind a backslash.
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Whether the last byte was a carriage return.
    after_return: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Server-sent events, or JSON values if the first byte begins one.
    Text,
    Sse,
    Json,
    Aws,
}

impl Frames {
    /// Server-sent events or JSON values, whichever the first byte begins.
    pub(super) fn text() -> Self {
        Self::of(Kind::Text)
    }

    /// Amazon's `application/vnd.amazon.eventstream`.
    pub(super) fn aws() -> Self {
        Self::of(Kind::Aws)
    }

    fn of(kind: Kind) -> Self {
        Self {
            kind,
            buffer: Vec::new(),
            data: Vec::new(),
            has_data: false,
            depth: 0,
            in_string: false,
            escaped: false,
            after_return: false,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, WireError> {
        let mut events = Vec::new();
        if self.kind == Kind::Aws {
            // Piece by piece, so that what is kept is bounded by one frame and not by how much comes at once.
            for piece in bytes.chunks(AWS_PIECE) {
                self.keep(piece)?;
                let mut start = 0;
                while let Some((event, length)) = self.aws_frame(start)? {
                    events.push(event);
                    start += length;
                }
                self.buffer.drain(..start);
            }
            return Ok(events);
        }
        for &byte in bytes {
            if self.kind == Kind::Text {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF => continue,
                    b'{' | b'[' => self.kind = Kind::Json,
                    _ => self.kind = Kind::Sse,
                }
            }
            match self.kind {
                Kind::Json => self.json_byte(byte, &mut events)?,
                _ => self.sse_byte(byte, &mut events)?,
            }
        }
        Ok(events)
    }

    /// What is left when no more bytes come.
    pub(super) fn finish(&mut self) -> Result<Vec<String>, WireError> {
        let mut events = Vec::new();
        match self.kind {
            Kind::Aws | Kind::Json if !self.buffer.is_empty() => return Err(WireError::Unfinished),
            Kind::Sse => {
                self.line()?;
                self.dispatch(&mut events)?;
            }
            _ => {}
        }
        Ok(events)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), WireError> {
        if self.buffer.len() + self.data.len() + bytes.len() > MAX_BYTES {
            return Err(WireError::TooLarge { limit: MAX_BYTES });
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn json_byte(&mut self, byte: u8, events: &mut Vec<String>) -> Result<(), WireError> {
        // Of a list of values, the values are the events.
        if self.depth == 0 && byte != b'{' {
            return match byte {
                b'[' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n' => Ok(()),
                _ => Err(WireError::Unexpected {
                    pointer: String::new(),
                    expected: "JSON objects",
                    got: "something else between them".to_owned(),
                }),
            };
        }
        self.keep(&[byte])?;
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return Ok(());
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth == 0 {
            events.push(text(std::mem::take(&mut self.buffer))?);
        }
        Ok(())
    }

    fn sse_byte(&mut self, byte: u8, events: &mut Vec<String>) -> Result<(), WireError> {
        let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
        match byte {
            // The second half of a line's end.
            b'\n' if after_return => Ok(()),
            b'\n' | b'\r' if self.buffer.is_empty() => self.dispatch(events),
            b'\n' | b'\r' => self.line(),
            _ => self.keep(&[byte]),
        }
    }

    /// Ends a line of a server-sent event.
    fn line(&mut self) -> Result<(), WireError> {
        let line = std::mem::take(&mut self.buffer);
        let Some(value) = line.strip_prefix(b"data:") else { return Ok(()) };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        if self.data.len() + value.len() + 1 > MAX_BYTES {
            return Err(WireError::TooLarge { limit: MAX_BYTES });
        }
        if self.has_data {
            self.data.push(b'\n');
        }
        self.has_data = true;
        self.data.extend_from_slice(value);
        Ok(())
    }

    /// Ends a server-sent event.
    fn dispatch(&mut self, events: &mut Vec<String>) -> Result<(), WireError> {
        if std::mem::take(&mut self.has_data) {
            events.push(text(std::mem::take(&mut self.data))?);
        }
        Ok(())
    }

    /// The next frame of an AWS event stream, as `{"event-type": payload}`, and its length.
    fn aws_frame(&self, start: usize) -> Result<Option<(String, usize)>, WireError> {
        let buffer = self.buffer.get(start..).unwrap_or_default();
        let broken = |what: &str| WireError::Unexpected {
            pointer: String::new(),
            expected: "a frame of an event stream",
            got: what.to_owned(),
        };
        let number = |at: usize| {
            let bytes: [u8; 4] = buffer.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_be_bytes(bytes)).ok()
        };
        let (Some(total), Some(headers), Some(checksum)) = (number(0), number(4), number(8)) else {
            return Ok(None);
        };
        if buffer.get(..8).map(crc32) != u32::try_from(checksum).ok() {
            return Err(broken("a prelude with a wrong checksum"));
        }
        if total > MAX_BYTES {
            return Err(WireError::TooLarge { limit: MAX_BYTES });
        }
        let end =
            total.checked_sub(4).filter(|end| headers.checked_add(12).is_some_and(|start| start <= *end));
        let Some(end) = end else { return Err(broken("a frame with wrong lengths")) };
        if buffer.len() < total {
            return Ok(None);
        }
        if buffer.get(..end).map(crc32) != number(end).and_then(|sum| u32::try_from(sum).ok()) {
            return Err(broken("a frame with a wrong checksum"));
        }
        let header = |name: &str| aws_header(buffer.get(12..12 + headers)?, name);
        let payload = text(buffer.get(12 + headers..end).unwrap_or_default().to_vec())?;
        let is_event = header(":message-type").is_none_or(|kind| kind == "event");
        let event = header(":event-type");
        if !is_event {
            return Err(WireError::Provider { message: payload });
        }
        let Some(event) = event else { return Ok(Some((String::new(), total))) };
        let payload = if payload.trim().is_empty() { "{}" } else { payload.trim() };
        // More than one value would be read as other events.
        Node::parse(payload, "the payload of an event")?;
        let mut out = "{".to_owned();
        super::text::push_string(&mut out, &event);
        Ok(Some((format!("{out}:{payload}}}"), total)))
    }
}

/// The text of a header whose value is one.
fn aws_header(mut headers: &[u8], wanted: &str) -> Option<String> {
    while let Some((length, rest)) = headers.split_first() {
        let (name, rest) = rest.split_at_checked(usize::from(*length))?;
        let (kind, rest) = rest.split_first()?;
        let (size, rest) = match kind {
            0 | 1 => (0, rest),
            2 => (1, rest),
            3 => (2, rest),
            4 => (4, rest),
            5 | 8 => (8, rest),
            6 | 7 => {
                let (size, rest) = rest.split_at_checked(2)?;
                (usize::from(u16::from_be_bytes(size.try_into().ok()?)), rest)
            }
            9 => (16, rest),
            _ => return None,
        };
        let (value, rest) = rest.split_at_checked(size)?;
        if name == wanted.as_bytes() && *kind == 7 {
            return String::from_utf8(value.to_vec()).ok();
        }
        headers = rest;
    }
    None
}

/// The checksum of IEEE 802.3.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

fn text(bytes: Vec<u8>) -> Result<String, WireError> {
    String::from_utf8(bytes).map_err(|_| WireError::Unexpected {
        pointer: String::new(),
        expected: "UTF-8 text",
        got: "other bytes".to_owned(),
    })
}
