//! The registry: every tool of a program, by name.
//!
//! Architecture invariant: what a model can see is sorted by name; nothing shows the order of a hash map or of
//! the linker.

mod builder;
mod collect;
mod error;
mod hash;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

pub use self::builder::RegistryBuilder;
#[doc(hidden)]
pub use self::collect::Collected;
pub use self::error::{RegistryError, RegistryFault};
use self::hash::NameState;
use crate::definition::ToolDefinition;
use crate::error::caught;
use crate::tool::{OutputCheck, StateMap, Tool};
use crate::value::nearest;

/// Every tool of a program, ready to be listed and called. Cheap to clone.
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
pub struct Registry(Arc<Inner>);

/// The tools of a registry, found by name.
type ByName = HashMap<Arc<str>, Arc<Tool>, NameState>;

struct Inner {
    tools: ByName,
    states: Arc<StateMap>,
    output_check: OutputCheck,
    repairs: bool,
    sorted: OnceLock<Vec<Arc<Tool>>>,
}

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

    fn new(tools: ByName, states: Arc<StateMap>, output_check: OutputCheck, repairs: bool) -> Self {
        Self(Arc::new(Inner { tools, states, output_check, repairs, sorted: OnceLock::new() }))
    }

    fn sorted(&self) -> &[Arc<Tool>] {
        self.0.sorted.get_or_init(|| {
            let mut tools: Vec<Arc<Tool>> = self.0.tools.values().map(Arc::clone).collect();
            tools.sort_unstable_by(|a, b| a.name().cmp(b.name()));
            tools
        })
    }

    /// The definitions, sorted by name.
    pub fn definitions(&self) -> impl ExactSizeIterator<Item = &ToolDefinition> {
        self.sorted().iter().map(|tool| tool.definition())
    }

    /// The tools, sorted by name.
    pub fn tools(&self) -> impl ExactSizeIterator<Item = &Tool> {
        self.sorted().iter().map(AsRef::as_ref)
    }

    /// The definition of one tool.
    pub fn definition(&self, name: &str) -> Option<&ToolDefinition> {
        self.0.tools.get(name).map(|tool| tool.definition())
    }

    /// One tool.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.0.tools.get(name).map(AsRef::as_ref)
    }

    /// The name of a tool that is nearly called so.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.sorted().iter().map(|tool| tool.name()))
    }

    /// Checks every schema, those that the compiler has proved included.
    ///
    /// # Errors
    /// Returns [`RegistryError`] with every violation of every tool.
    pub fn verify(&self) -> Result<(), RegistryError> {
        let faults: Vec<RegistryFault> = self
            .sorted()
            .iter()
            .filter_map(|tool| {
                let (name, place) = (tool.name().to_owned(), builder::place(tool));
                match caught(|| tool.definition().check()) {
                    Ok(checked) => checked.err().map(|error| RegistryFault::Schema { name, place, error }),
                    Err(message) => Some(RegistryFault::Panic { name, place, message }),
                }
            })
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(RegistryError::new(faults)) }
    }

    /// Whether arguments are repaired.
    pub(crate) fn repairs(&self) -> bool {
        self.0.repairs
    }

    pub(crate) fn output_check(&self) -> OutputCheck {
        self.0.output_check
    }

    pub(crate) fn states(&self) -> &Arc<StateMap> {
        &self.0.states
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("tools", &self.0.tools.len()).finish_non_exhaustive()
    }
}
