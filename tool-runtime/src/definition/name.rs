//! The grammar of tool names.

use std::borrow::{Borrow, Cow};
use std::fmt;

/// The longest name that every provider takes, in characters.
pub const MAX_TOOL_NAME: usize = 64;

/// Names that the runtime offers to a model itself, and that no tool may take.
pub const RESERVED_TOOL_NAMES: &[&str] =
    &["tool_search", "run_code", "task_list", "task_output", "task_cancel", RESULT_READ];

/// The tool that reads what was too long to be shown whole.
pub(crate) const RESULT_READ: &str = "result_read";

/// The prefix of tools projected from an MCP server; nothing else may start with it.
pub const PROJECTION_PREFIX: &str = "mcp__";

/// A tool's name: `^[a-zA-Z0-9_-]{1,64}$`, and not one the runtime keeps for itself.
///
/// The grammar is the intersection of what OpenAI, Anthropic, Gemini and Bedrock take; what one provider
/// refuses beyond it (Gemini: a leading digit) is mapped by that provider's dialect.
///
/// # Examples
/// ```
/// use tool_runtime::ToolName;
///
/// let name = ToolName::new("weather_lookup")?;
/// assert_eq!(name.as_str(), "weather_lookup");
/// assert!(ToolName::new("weather lookup").is_err());
/// # Ok::<(), tool_runtime::definition::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolName(Cow<'static, str>);

impl ToolName {
    /// Checks a name made while the program runs.
    ///
    /// # Errors
    /// Returns [`NameError`] if the name is empty, too long, has a character outside the grammar, or is reserved.
    pub fn new(name: impl Into<String>) -> Result<Self, NameError> {
        let name = name.into();
        check(&name)?;
        Ok(Self(Cow::Owned(name)))
    }

    /// A name that the macro has checked while compiling.
    pub(crate) const fn checked(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn check(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.bytes().all(is_allowed)
        && let Some(character) = name.chars().find(|c| !u8::try_from(*c).is_ok_and(is_allowed))
    {
        return Err(NameError::Character { name: name.to_owned(), character });
    }
    if name.len() > MAX_TOOL_NAME {
        return Err(NameError::TooLong { name: name.to_owned(), length: name.len() });
    }
    if RESERVED_TOOL_NAMES.contains(&name) || name.starts_with(PROJECTION_PREFIX) {
        return Err(NameError::Reserved { name: name.to_owned() });
    }
    Ok(())
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for ToolName {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

/// Why a text cannot be a tool's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The name has no character.
    #[error("a tool name must have at least one character")]
    Empty,
    /// The name has a character that providers refuse.
    #[error("tool name {name:?} has the character {character:?}; write only a-z, A-Z, 0-9, `_` and `-`")]
    Character {
        /// The name.
        name: String,
        /// The first character outside the grammar.
        character: char,
    },
    /// The name is longer than [`MAX_TOOL_NAME`].
    #[error("tool name {name:?} has {length} characters; at most 64 are allowed")]
    TooLong {
        /// The name.
        name: String,
        /// Its length.
        length: usize,
    },
    /// The name is one that the runtime offers to models itself.
    #[error("tool name {name:?} is reserved; take another, for example with a prefix of your own")]
    Reserved {
        /// The name.
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grammar_is_the_intersection_of_the_providers() {
        for good in ["a", "weather_lookup", "get-time", "0x", &"x".repeat(64)] {
            assert!(ToolName::new(good).is_ok(), "{good}");
        }
        assert_eq!(ToolName::new(""), Err(NameError::Empty));
        for (bad, character) in [("bad name!", ' '), ("a/b", '/'), ("a.b", '.'), ("größe", 'ö')] {
            assert_eq!(ToolName::new(bad), Err(NameError::Character { name: bad.into(), character }));
        }
        assert!(matches!(ToolName::new("x".repeat(65)), Err(NameError::TooLong { length: 65, .. })));
        for reserved in ["tool_search", "mcp__github__search"] {
            assert!(matches!(ToolName::new(reserved), Err(NameError::Reserved { .. })), "{reserved}");
        }
    }
}
