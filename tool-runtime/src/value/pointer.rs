//! JSON pointers (RFC 6901).

use std::fmt;

/// A JSON pointer that grows and shrinks with a walk, one token at a time.
///
/// # Examples
/// ```
/// use tool_runtime::value::Pointer;
///
/// let mut pointer = Pointer::root();
/// pointer.push("a/b");
/// pointer.push_index(2);
/// assert_eq!(pointer.as_str(), "/a~1b/2");
/// pointer.pop();
/// assert_eq!(pointer.as_str(), "/a~1b");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pointer {
    text: String,
    /// Where each token starts, so that `pop` cuts without searching.
    starts: Vec<usize>,
}

impl Pointer {
    /// The pointer to the whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// Steps into a property.
    pub fn push(&mut self, name: &str) {
        self.starts.push(self.text.len());
        write_token(&mut self.text, name);
    }

    /// Steps into an item of an array.
    pub fn push_index(&mut self, index: usize) {
        self.push(&index.to_string());
    }

    /// Steps back out; at the root it does nothing.
    pub fn pop(&mut self) {
        if let Some(start) = self.starts.pop() {
            self.text.truncate(start);
        }
    }

    /// The pointer as text; empty for the whole document.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text of the pointer to a property of the place this one points to.
    pub(crate) fn child(&self, name: &str) -> String {
        let mut child = self.text.clone();
        write_token(&mut child, name);
        child
    }
}

/// The way of a walk whose places are told rarely: a step costs next to nothing, and a text is made on demand.
#[derive(Debug, Default)]
pub(crate) struct Trail<'a>(Vec<Step<'a>>);

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

impl<'a> Trail<'a> {
    /// Steps into a property.
    pub(crate) fn push(&mut self, name: &'a str) {
        self.0.push(Step::Name(name));
    }

    /// Steps into an item of an array.
    pub(crate) fn push_index(&mut self, index: usize) {
        self.0.push(Step::Index(index));
    }

    /// Steps back out; at the root it does nothing.
    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }

    /// The JSON pointer to the place.
    pub(crate) fn pointer(&self) -> String {
        self.with_room(0)
    }

    fn with_room(&self, more: usize) -> String {
        let length = |step: &Step<'_>| match step {
            Step::Name(name) => name.len() + 1,
            Step::Index(_) => 4,
        };
        let mut text = String::with_capacity(self.0.iter().map(length).sum::<usize>() + more);
        for step in &self.0 {
            match step {
                Step::Name(name) => write_token(&mut text, name),
                Step::Index(index) => write_token(&mut text, &index.to_string()),
            }
        }
        text
    }

    /// The JSON pointer to a property of the place.
    pub(crate) fn child(&self, name: &str) -> String {
        let mut text = self.with_room(name.len() + 1);
        write_token(&mut text, name);
        text
    }
}

/// Appends a token, with a slash before it.
fn write_token(text: &mut String, name: &str) {
    text.push('/');
    let mut rest = name;
    while let Some(place) = rest.bytes().position(|byte| matches!(byte, b'~' | b'/')) {
        let (plain, special) = rest.split_at(place);
        text.push_str(plain);
        text.push_str(if special.starts_with('~') { "~0" } else { "~1" });
        rest = special.get(1..).unwrap_or_default();
    }
    text.push_str(rest);
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_escaped_and_come_off_as_they_went_on() {
        let (mut pointer, mut trail) = (Pointer::root(), Trail::default());
        for (name, text) in [("a", "/a"), ("~x/y", "/a/~0x~1y"), ("", "/a/~0x~1y/"), ("é", "/a/~0x~1y//é")]
        {
            pointer.push(name);
            trail.push(name);
            assert_eq!((pointer.as_str(), trail.pointer().as_str()), (text, text));
        }
        assert_eq!(pointer.child("q"), "/a/~0x~1y//é/q");
        trail.push_index(12);
        assert_eq!(trail.child("q~"), "/a/~0x~1y//é/12/q~0");
        for text in ["/a/~0x~1y/", "/a/~0x~1y", "/a", "", ""] {
            pointer.pop();
            assert_eq!(pointer.as_str(), text);
        }
    }
}
