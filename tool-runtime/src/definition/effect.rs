//! What a tool does to the world.

use std::fmt;

/// What running a tool does to the world outside it.
///
/// Policies and modes decide by it; a tool that says nothing counts as [`Effect::Write`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(clippy::exhaustive_enums, reason = "the three effects are a promise of the contract")]
pub enum Effect {
    /// Only reads; running it twice changes nothing.
    Read,
    /// Changes data.
    #[default]
    Write,
    /// Runs programs or other tools, whose effect is not known.
    Exec,
}

impl Effect {
    /// The word for it: `read`, `write` or `exec`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Exec => "exec",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
