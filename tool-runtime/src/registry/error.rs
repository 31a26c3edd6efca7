//! Why a registry could not be built.

use std::fmt;

use crate::definition::NameError;
use crate::schema::SchemaError;

/// Everything that kept a registry from being built, all at once.
#[derive(Debug)]
pub struct RegistryError {
    faults: Vec<RegistryFault>,
}

impl RegistryError {
    pub(super) fn new(faults: Vec<RegistryFault>) -> Self {
        Self { faults }
    }

    /// The faults, by the tools' names.
    pub fn faults(&self) -> &[RegistryFault] {
        &self.faults
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.faults.len() {
            1 => f.write_str("the registry cannot be built:")?,
            count => write!(f, "the registry cannot be built, for {count} reasons:")?,
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
