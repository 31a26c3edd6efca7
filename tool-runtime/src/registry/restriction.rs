//! Restrictions: which of the tools that a scope inherits it may see, by exact names.

use std::collections::BTreeSet;
use std::fmt;

use crate::value::nearest;

/// Which of the tools that a scope inherits it may see, by exact names.
///
/// Deny lists admit tools that are registered later, allow lists do not; an allow list without a name hides all. The
/// scope's own tools are not touched. Several restrictions intersect.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, Restriction, tool};
///
/// /// Reads a file.
/// #[tool(effect = read)]
/// fn read() {}
///
/// /// Deletes a file.
/// #[tool]
/// fn delete() {}
///
/// let registry = Registry::builder().register::<read>().register::<delete>().build()?;
/// let agent = registry.scope("agent");
/// agent.restrict(Restriction::deny(["delete"]))?;
/// assert!(agent.definition("read").is_some() && agent.definition("delete").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restriction {
    allow: Option<BTreeSet<String>>,
    deny: BTreeSet<String>,
}

impl Restriction {
    /// Only these.
    pub fn allow(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { allow: Some(names.into_iter().map(Into::into).collect()), deny: BTreeSet::new() }
    }

    /// All but these.
    pub fn deny(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { allow: None, deny: names.into_iter().map(Into::into).collect() }
    }

    /// And not these, either.
    pub fn and_deny(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.deny.extend(names.into_iter().map(Into::into));
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.allow.is_none() && self.deny.is_empty()
    }

    /// Every name it mentions, sorted, each once.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let all: BTreeSet<&str> = self.allow.iter().flatten().chain(&self.deny).map(String::as_str).collect();
        all.into_iter()
    }

    pub(super) fn allowed(&self) -> Option<&BTreeSet<String>> {
        self.allow.as_ref()
    }

    pub(super) fn denied(&self) -> &BTreeSet<String> {
        &self.deny
    }

    pub(super) fn admits(&self, name: &str) -> bool {
        self.allow.as_ref().is_none_or(|allow| allow.contains(name)) && !self.deny.contains(name)
    }
}

impl fmt::Display for Restriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.allow {
            Some(allow) => write!(f, "allow {}", Listed(allow))?,
            None => write!(f, "deny {}", Listed(&self.deny))?,
        }
        if self.allow.is_some() && !self.deny.is_empty() {
            write!(f, ", deny {}", Listed(&self.deny))?;
        }
        Ok(())
    }
}

struct Listed<'a>(&'a BTreeSet<String>);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("(nothing)");
        }
        quoted(f, self.0.iter().map(String::as_str))
    }
}

fn quoted<'a>(f: &mut fmt::Formatter<'_>, names: impl Iterator<Item = &'a str>) -> fmt::Result {
    for (idx, name) in names.enumerate() {
        if idx > 0 {
            f.write_str(", ")?;
        }
        write!(f, "`{name}`")?;
    }
    Ok(())
}

/// What is wrong with a [`Restriction`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RestrictionError {
    /// The global scope was to be restricted.
    Global,
    /// The restriction neither allows nor denies a name.
    Empty {
        /// The names that the scope inherits.
        known: Vec<String>,
    },
    /// Names that the scope does not inherit.
    Unknown {
        /// The names, sorted.
        names: Vec<String>,
        /// Those of them that are the scope's own.
        own: Vec<String>,
        /// The names that the scope inherits.
        known: Vec<String>,
    },
    /// The owner's set-up ended before.
    Over,
}

impl fmt::Display for RestrictionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = match self {
            Self::Global => {
                return f.write_str(
                    "the global scope cannot be restricted, it would hide tools from every agent; restrict the scope of the agent, \
                     or filter the global scope",
                );
            }
            Self::Over => {
                return f.write_str("the set-up of this owner has ended; nothing more can be brought by it");
            }
            Self::Empty { known } => {
                f.write_str(
                    "the restriction names no tool; allow or deny some, or allow an empty list to hide all",
                )?;
                known
            }
            Self::Unknown { names, own, known } => {
                if own.is_empty() {
                    f.write_str("the scope inherits no tool ")?;
                } else {
                    f.write_str("restrictions are for tools that the scope inherits, and these are its own or unknown: ")?;
                }
                quoted(f, names.iter().map(String::as_str))?;
                if let [name] = names.as_slice()
                    && own.is_empty()
                    && let Some(near) = nearest(name, known.iter().map(String::as_str))
                {
                    write!(f, "; did you mean `{near}`?")?;
                }
                known
            }
        };
        f.write_str("; known: ")?;
        if known.is_empty() { f.write_str("(none)") } else { quoted(f, known.iter().map(String::as_str)) }
    }
}

impl std::error::Error for RestrictionError {}
