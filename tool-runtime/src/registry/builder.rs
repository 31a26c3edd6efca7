//! Building a registry.

use std::any::Any;
use std::collections::HashSet;
use std::sync::Arc;

use super::collect::collected;
use super::hash::NameState;
use super::{ByName, Registry, RegistryError, RegistryFault};
use crate::definition::NameError;
use crate::error::caught;
use crate::tool::{OutputCheck, StateMap, Tool, ToolHandle, ToolSpec, Toolset};
use crate::value::nearest;

/// Builds a [`Registry`]: state, tools by hand, and what is checked at the end.
#[derive(Debug, Default)]
#[must_use = "a builder does nothing until `build` or `collect`"]
pub struct RegistryBuilder {
    states: StateMap,
    tools: Vec<Tool>,
    names: Vec<NameError>,
    crates: Vec<String>,
    without_state: bool,
    output_check: Option<OutputCheck>,
    strict: bool,
}

impl RegistryBuilder {
    /// Gives state to the tools that ask for it by `State<T>` or `#[state]`. A later value of a type replaces an
    /// earlier one.
    pub fn state<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.shared_state(Arc::new(value))
    }

    /// The same for a value that is shared already.
    pub fn shared_state<T: Send + Sync + 'static>(mut self, value: Arc<T>) -> Self {
        self.states.insert(value);
        self
    }

    /// Registers one tool by its handle.
    pub fn register<T: ToolHandle>(mut self) -> Self {
        self.tools.push(Tool::from_spec(T::SPEC, None));
        self
    }

    /// Registers one tool by its handle, under another name.
    pub fn register_as<T: ToolHandle>(mut self, name: impl Into<String>) -> Self {
        match Tool::from_spec_as(T::SPEC, name.into()) {
            Ok(tool) => self.tools.push(tool),
            Err(error) => self.names.push(error),
        }
        self
    }

    /// Registers every tool of a `#[toolset]`, called on this value.
    pub fn register_all<S: Toolset>(self, toolset: S) -> Self {
        self.register_shared(&Arc::new(toolset))
    }

    /// The same for a value that is shared already.
    pub fn register_shared<S: Toolset>(mut self, toolset: &Arc<S>) -> Self {
        self.tools.extend(S::TOOLS.iter().map(|spec| {
            let receiver: Arc<dyn Any + Send + Sync> = Arc::<S>::clone(toolset);
            Tool::from_spec(spec, Some(receiver))
        }));
        self
    }

    /// Registers a tool made while the program runs.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Demands that at least one tool of a crate is linked into the program. A library that nothing names is not
    /// linked, and its tools are then missing without a word; `use that_crate as _;` links it.
    pub fn expect_crate(mut self, name: impl Into<String>) -> Self {
        self.crates.push(name.into());
        self
    }

    /// What happens to a result that its tool's output schema refuses, where the tool itself does not say:
    /// [`OutputCheck::Error`] by default.
    pub fn output_check(mut self, check: OutputCheck) -> Self {
        self.output_check = Some(check);
        self
    }

    /// Sets whether arguments are repaired where that loses nothing, as
    /// [`read_arguments`](crate::arguments::read_arguments) does; they are by default.
    pub fn repair(mut self, repair: bool) -> Self {
        self.strict = !repair;
        self
    }

    /// Lets tools pass that lack their state; they are looked at, not called.
    pub(crate) fn without_state(mut self) -> Self {
        self.without_state = true;
        self
    }

    /// Builds a registry of every `#[tool]` linked into the program, besides what was registered by hand.
    ///
    /// Doctests of edition 2024 share one program; one that collects is marked `standalone_crate`.
    ///
    /// # Errors
    /// Returns [`RegistryError`] with every fault: two tools of one name (both places), missing state, a schema
    /// that cannot be enforced, an expected crate that brought nothing.
    pub fn collect(self) -> Result<Registry, RegistryError> {
        let collected = collected();
        self.finish(&collected)
    }

    /// Builds a registry of what was registered by hand.
    ///
    /// # Errors
    /// As [`collect`](Self::collect).
    pub fn build(self) -> Result<Registry, RegistryError> {
        self.finish(&[])
    }

    fn finish(self, collected: &[&'static ToolSpec]) -> Result<Registry, RegistryError> {
        let mut faults: Vec<RegistryFault> = self.names.into_iter().map(RegistryFault::from).collect();
        let mut tools = self.tools;
        tools.extend(collected.iter().map(|spec| Tool::from_spec(spec, None)));
        faults.extend(missing_crates(&self.crates, &tools));

        let states = (!self.without_state).then_some(&self.states);
        let mut checked: HashSet<*const ToolSpec> = HashSet::new();
        let mut by_name = ByName::with_capacity_and_hasher(tools.len(), NameState::default());
        for tool in tools {
            let place = place(&tool);
            if let Some(other) = by_name.get(tool.name()) {
                let name = tool.name().to_owned();
                let same = tool.spec().zip(other.spec()).is_some_and(|(one, other)| std::ptr::eq(one, other));
                faults.push(if same {
                    RegistryFault::Twice { name, place }
                } else {
                    RegistryFault::Duplicate { name, first: self::place(other), second: place }
                });
                continue;
            }
            // Tools of one specification share what is found out about it.
            let known = tool.spec().is_some_and(|spec| !checked.insert(spec));
            if !known {
                // Schemas, defaults and examples run code of the user's.
                let found = caught(|| faults_of(&tool, &place, states)).unwrap_or_else(|message| {
                    vec![RegistryFault::Panic { name: tool.name().to_owned(), place, message }]
                });
                faults.extend(found);
            }
            by_name.insert(Arc::from(tool.name()), Arc::new(tool));
        }
        if faults.is_empty() {
            Ok(Registry::new(
                by_name,
                Arc::new(self.states),
                self.output_check.unwrap_or(OutputCheck::Error),
                !self.strict,
            ))
        } else {
            faults.sort_by_key(ToString::to_string);
            Err(RegistryError::new(faults))
        }
    }
}

/// What is wrong with one tool apart from others: state that is missing, a schema that cannot be enforced.
fn faults_of(tool: &Tool, place: &str, states: Option<&StateMap>) -> Vec<RegistryFault> {
    let name = || tool.name().to_owned();
    let needs = tool.needs();
    let missing = needs.iter().filter(|need| states.is_some_and(|states| !states.has(need)));
    let mut faults: Vec<RegistryFault> = missing
        .map(|need| RegistryFault::State { name: name(), place: place.to_owned(), state: need.name })
        .collect();
    if !tool.is_proved()
        && let Err(error) = tool.definition().check()
    {
        faults.push(RegistryFault::Schema { name: name(), place: place.to_owned(), error });
    }
    faults
}

/// Where a tool is written.
pub(super) fn place(tool: &Tool) -> String {
    tool.location().map_or_else(|| "made at run time".to_owned(), |location| location.to_string())
}

fn missing_crates(expected: &[String], tools: &[Tool]) -> Vec<RegistryFault> {
    let ident = |name: &str| name.replace('-', "_");
    let mut present: Vec<&str> =
        tools.iter().filter_map(Tool::location).map(|location| location.package).collect();
    present.sort_unstable();
    present.dedup();
    expected
        .iter()
        .filter(|name| !present.iter().any(|package| ident(package) == ident(name)))
        .map(|name| RegistryFault::Crate {
            name: name.clone(),
            ident: ident(name),
            near: nearest(name, present.iter().copied()).map(str::to_owned),
        })
        .collect()
}
