//! Building a registry.

use std::any::Any;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::collect::collected;
use super::entry::{Candidate, Entry};
use super::layer::{Item, State, What};
use super::tree::{Node, Settings, Tree};
use super::{Registry, RegistryError, RegistryFault};
use crate::definition::NameError;
use crate::error::caught;
use crate::tool::{OutputCheck, StateMap, StateNeed, Tool, ToolHandle, ToolSpec, Toolset};
use crate::value::nearest;

/// Builds a [`Registry`]: state, tools by hand, and what is checked at the end.
#[derive(Default)]
#[must_use = "a builder does nothing until `build` or `collect`"]
pub struct RegistryBuilder {
    states: StateMap,
    tools: Vec<Candidate>,
    names: Vec<NameError>,
    crates: Vec<String>,
    without_state: bool,
    settings: Settings,
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
        self.tools.push(Candidate::of_spec(T::SPEC));
        self
    }

    /// Registers one tool by its handle, under another name.
    pub fn register_as<T: ToolHandle>(mut self, name: impl Into<String>) -> Self {
        match Candidate::of_spec_as(T::SPEC, name.into()) {
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
            Candidate::of_method(spec, receiver)
        }));
        self
    }

    /// Registers a tool made while the program runs.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(Candidate::made(tool));
        self
    }

    /// Registers several tools made while the program runs.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools.into_iter().map(Candidate::made));
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
        self.settings.output_check = check;
        self
    }

    /// How many bytes of text a model reads of one result: 128 KiB by default, `None` for no limit. Of longer text the head and the tail stay, with the
    /// number of characters between them, and in a session a handle to the whole; the value stays whole for the program.
    pub fn content_limit(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.settings.content.text = bytes.into();
        self
    }

    /// How many bytes of images, sound and other blocks a model gets of one result: 16 MiB by default, `None` for no limit. Blocks beyond give way to a
    /// line that says what they were.
    pub fn binary_limit(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.settings.content.binary = bytes.into();
        self
    }

    /// Sets whether arguments are repaired where that loses nothing, as
    /// [`read_arguments`](crate::arguments::read_arguments) does; they are by default.
    pub fn repair(mut self, repair: bool) -> Self {
        self.settings.repairs = repair;
        self
    }

    /// How long a call may take from its middleware on, where its tool does not say: 180 seconds by default, `None` for no
    /// limit. What takes longer goes on in the background if the session lets it, and is cancelled otherwise.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.settings.timeout = timeout.into();
        self
    }

    /// How long a body has to end by itself after the signal to do so: 5 seconds by default. Then it is dropped.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
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
        tools.extend(collected.iter().map(|spec| Candidate::of_spec(spec)));
        if !self.crates.is_empty() {
            faults.extend(missing_crates(&self.crates, &tools));
        }
        // Stable, so that what was registered first is named first.
        tools.sort_by(|one, other| one.name().cmp(other.name()));

        let tree = Tree::new(self.settings);
        let owner = tree.ownership("registry", false);
        let first_id = tree.next_ids(tools.len());
        let mut checked = Specs::default();
        let mut entries: Vec<Arc<Entry>> = Vec::with_capacity(tools.len());
        for (id, mut tool) in (first_id..).zip(tools) {
            if let Some(last) = entries.last().filter(|last| last.name() == tool.name()) {
                faults.push(twice(last, &tool));
                continue;
            }
            // Tools of one specification share what is found out about it.
            let known = tool.spec().is_some_and(|spec| !checked.insert(spec));
            let mut needs = Vec::new();
            if !known {
                let (needed, mut found) = candidate_faults(&mut tool);
                faults.append(&mut found);
                let missing = needed.iter().filter(|need| !self.without_state && !self.states.has(need));
                faults.extend(missing.map(|need| RegistryFault::State {
                    name: tool.name().to_owned(),
                    place: tool.place(),
                    state: need.name,
                }));
                needs = needed;
            }
            entries.push(Arc::new(tool.register(id, &owner, needs.into())));
        }
        if !faults.is_empty() {
            faults.sort_by_key(ToString::to_string);
            return Err(RegistryError::new(faults));
        }
        let items = self
            .states
            .into_values()
            .map(|(id, value)| Item::new(tree.next_id(), &owner, What::State(id, value)));
        let state = State::of_sorted(entries, items.collect());
        Ok(Registry::new(Node::root(Arc::new(tree), owner, state)))
    }
}

impl fmt::Debug for RegistryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.tools.iter().map(Candidate::name).collect();
        f.debug_struct("RegistryBuilder").field("tools", &names).finish_non_exhaustive()
    }
}

/// A set of specifications, by their places.
#[derive(Default)]
struct Specs {
    /// The last few, since tools under several names often come one after the other.
    last: [Option<&'static ToolSpec>; 4],
    all: HashSet<*const ToolSpec>,
}

impl Specs {
    /// Whether it was not in the set.
    fn insert(&mut self, spec: &'static ToolSpec) -> bool {
        if self.last.iter().flatten().any(|known| std::ptr::eq(*known, spec)) {
            return false;
        }
        self.last.rotate_right(1);
        self.last[0] = Some(spec);
        self.all.insert(spec)
    }
}

fn twice(first: &Entry, second: &Candidate) -> RegistryFault {
    let (name, place) = (second.name().to_owned(), second.place());
    let same = second.spec().zip(first.spec()).is_some_and(|(one, other)| std::ptr::eq(one, other));
    if same {
        RegistryFault::Twice { name, place }
    } else {
        RegistryFault::Duplicate { name, first: first.place(), second: place }
    }
}

/// The state that a tool needs, and what is wrong with it by itself.
pub(super) fn candidate_faults(tool: &mut Candidate) -> (Vec<StateNeed>, Vec<RegistryFault>) {
    let found = caught(|| {
        let needs = tool.spec().map(ToolSpec::needs).unwrap_or_default();
        let proved = tool.spec().is_some_and(ToolSpec::is_proved);
        (needs, if proved { None } else { tool.check() })
    });
    let (name, place) = (|| tool.name().to_owned(), || tool.place());
    // Schemas, defaults and examples run code of the user's.
    match found {
        Ok((needs, None)) => (needs, Vec::new()),
        Ok((needs, Some(error))) => {
            (needs, vec![RegistryFault::Schema { name: name(), place: place(), error }])
        }
        Err(message) => (Vec::new(), vec![RegistryFault::Panic { name: name(), place: place(), message }]),
    }
}

fn missing_crates(expected: &[String], tools: &[Candidate]) -> Vec<RegistryFault> {
    let ident = |name: &str| name.replace('-', "_");
    let mut present: Vec<&str> =
        tools.iter().filter_map(Candidate::spec).map(|spec| spec.location.package).collect();
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
