//! Why a registry could not be built.

use std::fmt;

use crate::definition::NameError;
use crate::schema::SchemaError;

/// Everything that kept a registry from being built, or tools from being registered, all at once.
#[derive(Debug)]
pub struct RegistryError {
    faults: Vec<RegistryFault>,
    /// Whether the registry stood already.
    registering: bool,
}

impl RegistryError {
    pub(super) fn new(faults: Vec<RegistryFault>) -> Self {
        Self { faults, registering: false }
    }

    /// Why something could not be registered in a registry that stands.
    pub(super) fn registering(mut faults: Vec<RegistryFault>) -> Self {
        faults.sort_by_key(ToString::to_string);
        Self { faults, registering: true }
    }

    /// The faults, sorted by their texts.
    pub fn faults(&self) -> &[RegistryFault] {
        &self.faults
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.registering { "nothing was registered" } else { "the registry cannot be built" };
        match self.faults.len() {
            1 => write!(f, "{what}:")?,
            count => write!(f, "{what}, for {count} reasons:")?,
        }
        self.faults.iter().try_for_each(|fault| write!(f, "\n- {fault}"))
    }
}

impl std::error::Error for RegistryError {}

/// One thing that kept a registry from being built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryFault {
    /// Two tools of one name.
    #[error("two tools are called `{name}`: {first} and {second}; rename one with `#[tool(name = \"…\")]`")]
    Duplicate {
        /// The name.
        name: String,
        /// Where the first is written.
        first: String,
        /// Where the second is written.
        second: String,
    },
    /// One tool, registered more than once under one name.
    #[error("tool `{name}` ({place}) is registered twice; `collect` finds it without `register`")]
    Twice {
        /// The name.
        name: String,
        /// Where it is written.
        place: String,
    },
    /// A name that another owner has in the scope already.
    #[error(
        "tool `{name}` is registered in scope `{scope}` already, by `{owner}` ({place}), and now by `{second_owner}` \
         ({second_place}); take another name, or a scope of its own"
    )]
    Taken {
        /// The name.
        name: String,
        /// The scope.
        scope: String,
        /// Who registered it first.
        owner: String,
        /// Where the first is written.
        place: String,
        /// Who registers it now.
        second_owner: String,
        /// Where the second is written.
        second_place: String,
    },
    /// A name that the owner itself has in the scope already.
    #[error(
        "`{owner}` has registered tool `{name}` ({place}) in scope `{scope}` already; remove that one first"
    )]
    Again {
        /// The name.
        name: String,
        /// The scope.
        scope: String,
        /// Who registers it twice.
        owner: String,
        /// Where the first is written.
        place: String,
    },
    /// State that a tool needs and no scope that it is registered in or inherits from has.
    #[error(
        "tool `{name}` ({place}) needs `State<{state}>`; give it to scope `{scope}` with `scope.state(…)`, or to the registry \
         with `Registry::builder().state(…)`"
    )]
    ScopeState {
        /// The tool's name.
        name: String,
        /// Where it is written.
        place: String,
        /// The type of the state.
        state: &'static str,
        /// The scope.
        scope: String,
    },
    /// The set-up of an owner was given up, and something was to be registered by it.
    #[error("the set-up of `{owner}` was given up; nothing more can be brought by it")]
    Over {
        /// The owner.
        owner: String,
    },
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// State that a tool needs and the registry does not have.
    #[error("tool `{name}` ({place}) needs `State<{state}>`; give it with `Registry::builder().state(…)`")]
    State {
        /// The tool's name.
        name: String,
        /// Where it is written.
        place: String,
        /// The type of the state.
        state: &'static str,
    },
    /// A schema that cannot be enforced.
    #[error("the schema of tool `{name}` ({place}) cannot be enforced:\n{error}")]
    Schema {
        /// The tool's name.
        name: String,
        /// Where it is written.
        place: String,
        /// Every violation.
        error: SchemaError,
    },
    /// A schema that could not be made, since code of the user's panicked on the way.
    #[error(
        "the schema of tool `{name}` ({place}) cannot be made: the `JsonSchema` of a type, a default or an example \
         panicked: {message}"
    )]
    Panic {
        /// The tool's name.
        name: String,
        /// Where it is written.
        place: String,
        /// What the panic said.
        message: String,
    },
    /// A crate that brought no tool.
    #[error(
        "no tool of crate `{name}` is linked; name the crate somewhere, for example by `use {ident} as _;`\
         {}", near.as_ref().map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
    )]
    Crate {
        /// The crate's name, as it was expected.
        name: String,
        /// The same as an identifier.
        ident: String,
        /// A crate of a similar name that did bring tools.
        near: Option<String>,
    },
}
