//! Filters: which tools of a scope are seen, by what they are.

use std::fmt;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use super::entry::Entry;
use crate::definition::Effect;

/// Which tools are seen, by name, effect, tag or owner. It only ever hides.
///
/// Names, tags and owners are globs: `*` is any run of characters, `?` one, `[a-c]` one of a set, `{a,b}` one of two.
/// Conditions combine: [`and`](Self::and), [`or`](Self::or), [`except`](Self::except), [`not`](Self::not).
///
/// # Examples
/// ```
/// use tool_runtime::{Effect, Filter, Registry, tool};
///
/// /// Shows the log.
/// #[tool(effect = read, tags = ["git"])]
/// fn git_log() {}
///
/// /// Pushes.
/// #[tool(effect = exec, tags = ["git"])]
/// fn git_push() {}
///
/// /// Tells the time.
/// #[tool(effect = read)]
/// fn now() {}
///
/// let registry =
///     Registry::builder().register::<git_log>().register::<git_push>().register::<now>().build()?;
/// let agent = registry.scope("agent");
/// agent.filter(Filter::names(["git_*"]).except(Filter::effects([Effect::Exec])))?;
/// let names: Vec<String> = agent.definitions().iter().map(|tool| tool.name().to_owned()).collect();
/// assert_eq!(names, ["git_log"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "a filter does nothing until a scope or an owner has it"]
pub struct Filter(Result<Condition, FilterError>);

#[derive(Debug, Clone)]
enum Condition {
    Names(Globs),
    Effects(Vec<Effect>),
    Tags(Globs),
    Owners(Globs),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

/// A glob that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// A glob cannot be read.
    #[error("`{glob}` is no glob: {reason}; `*` is any run of characters, `?` one, `[a-c]` one of a set")]
    Glob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        reason: String,
    },
    /// More conditions than are sensible stand in one another.
    #[error("the filter has conditions more than {MAX_DEPTH} deep; split it into several, which intersect")]
    Depth,
    /// The owner's set-up ended before.
    #[error("the set-up of this owner has ended; nothing more can be brought by it")]
    Over,
}

/// How deep conditions may stand in one another.
const MAX_DEPTH: usize = 64;

impl Filter {
    /// Tools of these names.
    pub fn names(globs: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self(Globs::new(globs).map(Condition::Names))
    }

    /// Tools of these effects.
    pub fn effects(effects: impl IntoIterator<Item = Effect>) -> Self {
        Self(Ok(Condition::Effects(effects.into_iter().collect())))
    }

    /// Tools with one of these tags.
    pub fn tags(globs: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self(Globs::new(globs).map(Condition::Tags))
    }

    /// Tools that one of these owners brought: a plugin's name, or what the tool itself says by `owner = "…"`.
    pub fn owners(globs: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Self(Globs::new(globs).map(Condition::Owners))
    }

    /// Tools for which both hold.
    pub fn and(self, other: Self) -> Self {
        self.join(other, Condition::And)
    }

    /// Tools for which one of the two holds.
    pub fn or(self, other: Self) -> Self {
        self.join(other, Condition::Or)
    }

    /// Tools for which the other does not hold.
    pub fn except(self, other: Self) -> Self {
        self.and(other.not())
    }

    /// Tools for which it does not hold.
    #[expect(
        clippy::should_implement_trait,
        reason = "reads as the other words do; `!` would be a second way"
    )]
    pub fn not(self) -> Self {
        Self(self.0.and_then(|condition| nested(condition, |inner| Condition::Not(Box::new(inner)))))
    }

    fn join(self, other: Self, make: fn(Box<Condition>, Box<Condition>) -> Condition) -> Self {
        Self(match (self.0, other.0) {
            (Ok(one), Ok(other)) => {
                let deep = one.depth().max(other.depth()) >= MAX_DEPTH;
                if deep { Err(FilterError::Depth) } else { Ok(make(Box::new(one), Box::new(other))) }
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        })
    }

    pub(super) fn checked(self) -> Result<Self, FilterError> {
        self.0.map(|condition| Self(Ok(condition)))
    }

    pub(crate) fn admits(&self, entry: &Entry) -> bool {
        self.0.as_ref().is_ok_and(|condition| condition.holds(entry))
    }
}

fn nested(condition: Condition, make: impl FnOnce(Condition) -> Condition) -> Result<Condition, FilterError> {
    if condition.depth() >= MAX_DEPTH { Err(FilterError::Depth) } else { Ok(make(condition)) }
}

impl Condition {
    fn depth(&self) -> usize {
        match self {
            Self::Names(_) | Self::Effects(_) | Self::Tags(_) | Self::Owners(_) => 1,
            Self::And(one, other) | Self::Or(one, other) => 1 + one.depth().max(other.depth()),
            Self::Not(inner) => 1 + inner.depth(),
        }
    }

    fn holds(&self, entry: &Entry) -> bool {
        match self {
            Self::Names(globs) => globs.set.is_match(entry.name()),
            Self::Effects(effects) => effects.contains(&entry.tool().definition().effect()),
            Self::Tags(globs) => entry.tool().definition().tags().any(|tag| globs.set.is_match(tag)),
            Self::Owners(globs) => match entry.tool().definition().owner() {
                Some(owner) => globs.set.is_match(owner),
                None => globs.set.is_match(&*entry.owner.name),
            },
            Self::And(one, other) => one.holds(entry) && other.holds(entry),
            Self::Or(one, other) => one.holds(entry) || other.holds(entry),
            Self::Not(inner) => !inner.holds(entry),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(condition) => condition.fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Names(globs) => write!(f, "name {}", globs.text),
            Self::Effects(effects) => {
                let effects: Vec<&str> = effects.iter().map(|effect| effect.as_str()).collect();
                write!(f, "effect {}", effects.join(", "))
            }
            Self::Tags(globs) => write!(f, "tag {}", globs.text),
            Self::Owners(globs) => write!(f, "owner {}", globs.text),
            Self::And(one, other) => write!(f, "({one}) and ({other})"),
            Self::Or(one, other) => write!(f, "({one}) or ({other})"),
            Self::Not(inner) => write!(f, "not ({inner})"),
        }
    }
}

#[derive(Debug, Clone)]
struct Globs {
    set: GlobSet,
    text: String,
}

impl Globs {
    fn new(globs: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, FilterError> {
        let mut set = GlobSetBuilder::new();
        let mut text = Vec::new();
        for glob in globs {
            let glob = glob.as_ref();
            let fault = |error: globset::Error| FilterError::Glob {
                glob: glob.to_owned(),
                reason: error.kind().to_string(),
            };
            let parsed: Glob = GlobBuilder::new(glob).build().map_err(fault)?;
            set.add(parsed);
            text.push(format!("`{glob}`"));
        }
        let text = if text.is_empty() { "(none)".to_owned() } else { text.join(", ") };
        let set = set
            .build()
            .map_err(|error| FilterError::Glob { glob: text.clone(), reason: error.kind().to_string() })?;
        Ok(Self { set, text })
    }
}
