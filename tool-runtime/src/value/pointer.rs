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
        self.text.push('/');
        for character in name.chars() {
            match character {
                '~' => self.text.push_str("~0"),
                '/' => self.text.push_str("~1"),
                plain => self.text.push(plain),
            }
        }
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
        let mut child = Self { text: self.text.clone(), starts: Vec::new() };
        child.push(name);
        child.text
    }
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
        let mut pointer = Pointer::root();
        for (name, text) in [("a", "/a"), ("~x/y", "/a/~0x~1y"), ("", "/a/~0x~1y/"), ("é", "/a/~0x~1y//é")]
        {
            pointer.push(name);
            assert_eq!(pointer.as_str(), text);
        }
        assert_eq!(pointer.child("q"), "/a/~0x~1y//é/q");
        for text in ["/a/~0x~1y/", "/a/~0x~1y", "/a", "", ""] {
            pointer.pop();
            assert_eq!(pointer.as_str(), text);
        }
    }
}
