//! Sets of tools, and what can be made of them before they are registered.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::{DeriveError, Tool, Toolset};
use crate::value::nearest;

/// A set of tools with names of their own, to be changed as a whole and then registered.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, Tool, Tools, tool};
///
/// /// Shows the log.
/// #[tool(effect = read)]
/// fn log() {}
///
/// /// Shows what has changed.
/// #[tool(effect = read)]
/// fn diff() {}
///
/// let git = Tools::new([Tool::of::<log>(), Tool::of::<diff>()])?.prefixed("git_")?;
/// let registry = Registry::builder().tools(git).build()?;
/// assert!(registry.definition("git_log").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "tools do nothing until they are registered"]
pub struct Tools(BTreeMap<String, Tool>);

impl Tools {
    /// A set of tools.
    ///
    /// # Errors
    /// Returns [`DeriveError::Twice`] if two have one name.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Result<Self, DeriveError> {
        let mut set = BTreeMap::new();
        for tool in tools {
            if let Some(other) = set.insert(tool.name().to_owned(), tool) {
                return Err(DeriveError::Twice { tool: other.name().to_owned() });
            }
        }
        Ok(Self(set))
    }

    /// The tools of a `#[toolset]`, called on this value.
    pub fn of<S: Toolset>(toolset: S) -> Self {
        Self::of_shared(&Arc::new(toolset))
    }

    /// The same for a value that is shared already.
    pub fn of_shared<S: Toolset>(toolset: &Arc<S>) -> Self {
        let tools = S::TOOLS.iter().map(|spec| {
            let receiver: Arc<dyn Any + Send + Sync> = Arc::<S>::clone(toolset);
            let tool = Tool::of_spec(spec, Some(receiver));
            (tool.name().to_owned(), tool)
        });
        Self(tools.collect())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tools, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Tool> {
        self.0.values()
    }

    /// One tool.
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.0.get(name)
    }

    /// The same with something before every name.
    ///
    /// # Errors
    /// Returns [`DeriveError::Name`] if a whole is no name.
    pub fn prefixed(self, prefix: impl AsRef<str>) -> Result<Self, DeriveError> {
        let prefix = prefix.as_ref();
        let tools: Result<Vec<Tool>, DeriveError> =
            self.0.into_values().map(|tool| tool.prefixed(prefix)).collect();
        Self::new(tools?)
    }

    /// The same with one tool under another name.
    ///
    /// # Errors
    /// Returns [`DeriveError`] if there is no such tool, if the new name is none, or if another has it.
    pub fn renamed(self, name: &str, new: impl Into<String>) -> Result<Self, DeriveError> {
        self.with(name, |tool| tool.renamed(new))
    }

    /// The same with another description of one tool.
    ///
    /// # Errors
    /// Returns [`DeriveError`] if there is no such tool, or if the description says nothing.
    pub fn described(self, name: &str, description: impl Into<String>) -> Result<Self, DeriveError> {
        self.with(name, |tool| tool.described(description))
    }

    /// The same with an argument fixed in every tool that has it.
    ///
    /// # Errors
    /// Returns [`DeriveError`] if no tool has it, or if the schema of one refuses the value.
    pub fn with_fixed_argument(self, argument: &str, value: impl Serialize) -> Result<Self, DeriveError> {
        self.all_with(argument, |tool| tool.with_fixed_argument(argument, &value))
    }

    /// The same without an argument in every tool that has it.
    ///
    /// # Errors
    /// Returns [`DeriveError`] if no tool has it, or if one cannot do without.
    pub fn without_argument(self, argument: &str) -> Result<Self, DeriveError> {
        self.all_with(argument, |tool| tool.without_argument(argument))
    }

    /// The tools of both.
    ///
    /// # Errors
    /// Returns [`DeriveError::Twice`] if a name is in both.
    pub fn merged(self, other: Self) -> Result<Self, DeriveError> {
        Self::new(self.0.into_values().chain(other.0.into_values()))
    }

    /// Those of the tools that `keep` says.
    pub fn only(mut self, keep: impl Fn(&Tool) -> bool) -> Self {
        self.0.retain(|_, tool| keep(tool));
        self
    }

    /// The same with one tool made another.
    ///
    /// # Errors
    /// Returns [`DeriveError`] if there is no such tool, if `change` fails, or if two have one name then.
    pub fn with(
        mut self,
        name: &str,
        change: impl FnOnce(Tool) -> Result<Tool, DeriveError>,
    ) -> Result<Self, DeriveError> {
        let Some(tool) = self.0.remove(name) else {
            let near = nearest(name, self.0.keys().map(String::as_str)).map(str::to_owned);
            return Err(DeriveError::Missing { tool: name.to_owned(), near });
        };
        let changed = change(tool)?;
        Self::new(self.0.into_values().chain([changed]))
    }

    /// The same with something around every body, see [`Tool::with_inner`].
    pub(crate) fn with_inner(self, held: &Arc<dyn Any + Send + Sync>) -> Self {
        Self(self.0.into_iter().map(|(name, tool)| (name, tool.with_inner(Arc::clone(held)))).collect())
    }

    fn all_with(
        self,
        argument: &str,
        change: impl Fn(Tool) -> Result<Tool, DeriveError>,
    ) -> Result<Self, DeriveError> {
        let has =
            |tool: &Tool| tool.definition().input_schema().property_names().any(|name| name == argument);
        if !self.0.values().any(has) {
            let names: Vec<&str> =
                self.0.values().flat_map(|tool| tool.definition().input_schema().property_names()).collect();
            return Err(DeriveError::Nowhere {
                argument: argument.to_owned(),
                near: nearest(argument, names).map(str::to_owned),
            });
        }
        let tools: Result<Vec<Tool>, DeriveError> =
            self.0.into_values().map(|tool| if has(&tool) { change(tool) } else { Ok(tool) }).collect();
        Self::new(tools?)
    }
}

impl IntoIterator for Tools {
    type Item = Tool;
    type IntoIter = std::collections::btree_map::IntoValues<String, Tool>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_values()
    }
}
