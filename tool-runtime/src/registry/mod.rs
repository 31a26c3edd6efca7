//! Registries and scopes: which tools there are, who brought them, and who sees them.
//!
//! A registry is a tree of scopes. Tools, restrictions, filters, rules and state are registered in one of them, by an owner, and
//! go with the owner. What a scope sees is made when it is next looked at, kept, and shared.
//!
//! Architecture invariant: what a model can see is sorted by name; nothing shows the order of a hash map or of
//! the linker. Nothing of a user's runs while a lock is held.

mod builder;
mod callback;
mod catalogue;
mod collect;
mod entry;
mod epoch;
mod error;
mod filter;
mod handle;
mod index;
mod layer;
mod owner;
mod restriction;
mod rounds;
mod runs;
mod scope;
mod segment;
mod stage;
mod step;
mod tally;
mod tree;
mod view;
mod why;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

pub use self::builder::RegistryBuilder;
use self::builder::candidate_faults;
pub use self::callback::{Change, Changes};
pub use self::catalogue::CatalogueEntry;
#[doc(hidden)]
pub use self::collect::Collected;
pub(crate) use self::entry::{Entry, nothing, offered};
pub use self::error::{RegistryError, RegistryFault};
pub use self::filter::{Filter, FilterError};
pub use self::handle::{Guard, Handle};
pub(crate) use self::layer::{Extension, ExtensionKind};
pub use self::owner::{LoadError, Owner, Stage};
pub use self::restriction::{Restriction, RestrictionError};
pub(crate) use self::runs::{Gone, Run, Runs, Stop};
pub use self::scope::{Scope, WeakScope};
pub use self::step::Step;
pub(crate) use self::step::{Found, listed};
pub(crate) use self::tree::{Node, Settings};
pub use self::view::{Definitions, View, VisibilityContext, VisibilityRule};
pub use self::why::{Layered, Why, WhyStep};
use crate::error::BoxError;

/// Every tool of a program, ready to be listed and called: the global [`Scope`], and the way to make others. Cheap to
/// clone.
///
/// # Examples
/// ```standalone_crate
/// use tool_runtime::{Registry, ToolCall, tool};
///
/// /// Adds two numbers.
/// #[tool(effect = read)]
/// fn add(
///     /// The first.
///     a: i64,
///     /// The second.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::collect()?; // every `#[tool]` linked into the program
/// let result = registry.call(ToolCall::new("call_1", "add", r#"{"a": 2, "b": 40}"#)).await;
/// assert_eq!(result.text(), "42");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Registry(Scope);

impl Registry {
    /// A registry of every `#[tool]` linked into the program.
    ///
    /// # Errors
    /// Returns [`RegistryError`] with every fault, see [`RegistryBuilder::collect`].
    pub fn collect() -> Result<Self, RegistryError> {
        Self::builder().collect()
    }

    /// Begins a registry with state, with tools registered by hand, or both.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    fn new(root: Arc<Node>) -> Self {
        Self(Scope::of(root, None))
    }

    /// The global scope.
    pub fn global(&self) -> &Scope {
        &self.0
    }

    /// A new owner, such as a plugin. See [`Owner`].
    pub fn owner(&self, name: impl AsRef<str>) -> Owner {
        Owner::new(&self.0.node, name.as_ref())
    }

    /// Loads a plugin: a new owner, and all that `set_up` registers by it, at once or not at all.
    ///
    /// # Errors
    /// Returns [`LoadError`] with the error of `set_up`, or with why what it brought cannot stand; nothing of it then does.
    ///
    /// # Panics
    /// Panics as `set_up` does.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::error::BoxError;
    /// use tool_runtime::{Registry, Restriction, tool};
    ///
    /// /// Reads a page of the web.
    /// #[tool(effect = read)]
    /// fn fetch() {}
    ///
    /// /// Opens a socket.
    /// #[tool(effect = exec)]
    /// fn connect() {}
    ///
    /// let registry = Registry::builder().register::<connect>().build()?;
    /// let agent = registry.scope("agent");
    /// let web = registry.load("web", |owner| -> Result<(), BoxError> {
    ///     let agent = agent.owned_by(owner);
    ///     agent.register::<fetch>()?;
    ///     agent.restrict(Restriction::deny(["connect"]))?;
    ///     Ok(())
    /// })?;
    /// assert!(agent.definition("fetch").is_some() && agent.definition("connect").is_none());
    /// web.remove();
    /// assert!(agent.definition("fetch").is_none() && agent.definition("connect").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load<E: Into<BoxError>>(
        &self,
        name: impl AsRef<str>,
        set_up: impl FnOnce(&Owner) -> Result<(), E>,
    ) -> Result<Owner, LoadError> {
        let owner = self.owner(name);
        owner.reload(set_up)?;
        Ok(owner)
    }

    /// Checks every schema of the global scope, those that the compiler has proved included.
    ///
    /// # Errors
    /// Returns [`RegistryError`] with every violation of every tool.
    pub fn verify(&self) -> Result<(), RegistryError> {
        let view = self.definitions();
        let faults: Vec<RegistryFault> = view
            .tools()
            .filter_map(|tool| {
                let error = tool.definition().check().err()?;
                let place = tool
                    .location()
                    .map_or_else(|| "made at run time".to_owned(), |location| location.to_string());
                Some(RegistryFault::Schema { name: tool.name().to_owned(), place, error })
            })
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(RegistryError::new(faults)) }
    }
}

/// A registry is its global scope and more.
impl Deref for Registry {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        &self.0
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("tools", &self.definitions().len()).finish_non_exhaustive()
    }
}
