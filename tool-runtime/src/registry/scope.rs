//! Scopes: the layers in which tools are registered, and what narrows them.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::fmt;
use std::sync::{Arc, Weak};

use super::callback::{Callback, Change, Changes};
use super::entry::{Candidate, Entry, Ownership};
use super::filter::{Filter, FilterError};
use super::handle::Handle;
use super::layer::{Extension, ExtensionKind, Item, What};
use super::owner::{Owner, over, state};
use super::restriction::{Restriction, RestrictionError};
use super::stage::{Op, Registered, Staged};
use super::step::Step;
use super::tree::{Draft, Node};
use super::view::{View, VisibilityRule};
use super::{RegistryError, RegistryFault, candidate_faults};
use crate::definition::{ToolDefinition, ToolName};
use crate::error::Foreign;
use crate::tool::{StateNeed, Tool, ToolHandle, Toolset, Values};

/// A layer of tools: an agent's, a conversation's. It sees what its parent sees, less what its restrictions reject, and its
/// own tools; all of it narrowed by its filters and rules.
///
/// What is registered through a scope lands in it, and lives as long as the scope does: until the last clone, child and
/// session of it is dropped. A nearer tool shadows a farther one of its name. Cheap to clone.
///
/// # Examples
/// ```
/// use tool_runtime::{Effect, Filter, Registry, tool};
///
/// /// Reads a file.
/// #[tool(effect = read)]
/// fn read_file() {}
///
/// /// Writes a file.
/// #[tool(effect = write)]
/// fn write_file() {}
///
/// let registry = Registry::builder().register::<read_file>().register::<write_file>().build()?;
/// let reader = registry.scope("reader");
/// reader.filter(Filter::effects([Effect::Read]))?;
/// assert_eq!(reader.definitions().len(), 1);
/// assert_eq!(registry.definitions().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Scope {
    pub(super) node: Arc<Node>,
    owner: Option<Owner>,
}

impl Scope {
    pub(super) fn of(node: Arc<Node>, owner: Option<Owner>) -> Self {
        Self { node, owner }
    }

    pub(crate) fn node(&self) -> &Arc<Node> {
        &self.node
    }

    /// Its name, for people; several scopes may have one name.
    pub fn name(&self) -> &str {
        &self.node.name
    }

    /// The scope that it inherits from; `None` of the global one.
    pub fn parent(&self) -> Option<Self> {
        self.node.parent().map(|parent| Self::of(Arc::clone(parent), None))
    }

    /// A new scope that inherits from this one.
    pub fn scope(&self, name: impl AsRef<str>) -> Self {
        Self::of(Node::child(&self.node, name.as_ref()), None)
    }

    /// The same scope, through which everything that is registered is the owner's.
    ///
    /// The scope keeps the owner, and so what it brought, alive: a tool that registers others by it holds the
    /// [`downgrade`](Self::downgrade)d scope, and not the owner.
    ///
    /// # Panics
    /// Panics if the owner is of another registry.
    pub fn owned_by(&self, owner: &Owner) -> Self {
        assert!(
            owner.is_of(&self.node.tree),
            "owner `{}` is of another registry than scope `{}`; make one with `registry.owner(…)`",
            owner.name(),
            self.name()
        );
        Self::of(Arc::clone(&self.node), Some(owner.clone()))
    }

    /// The way back to the scope that does not keep it alive, for tools that are registered in it.
    pub fn downgrade(&self) -> WeakScope {
        WeakScope { node: Arc::downgrade(&self.node) }
    }

    /// Registers one tool by its handle.
    ///
    /// # Errors
    /// Returns [`RegistryError`] with every fault: a name that the scope has already (both places and owners), missing
    /// state, a schema that cannot be enforced. Nothing is registered then.
    pub fn register<T: ToolHandle>(&self) -> Result<Handle, RegistryError> {
        self.admit(vec![Candidate::of_spec(T::SPEC)])
    }

    /// Registers one tool by its handle, under another name.
    ///
    /// # Errors
    /// As [`register`](Self::register), and if the name is none.
    pub fn register_as<T: ToolHandle>(&self, name: impl Into<String>) -> Result<Handle, RegistryError> {
        let candidate = Candidate::of_spec_as(T::SPEC, name.into())
            .map_err(|error| RegistryError::registering(vec![error.into()]))?;
        self.admit(vec![candidate])
    }

    /// Registers every tool of a `#[toolset]`, called on this value, or none.
    ///
    /// # Errors
    /// As [`register`](Self::register).
    pub fn register_all<S: Toolset>(&self, toolset: S) -> Result<Handle, RegistryError> {
        self.register_shared(&Arc::new(toolset))
    }

    /// The same for a value that is shared already.
    ///
    /// # Errors
    /// As [`register`](Self::register).
    pub fn register_shared<S: Toolset>(&self, toolset: &Arc<S>) -> Result<Handle, RegistryError> {
        let receiver = || -> Arc<dyn Any + Send + Sync> { Arc::<S>::clone(toolset) };
        self.admit(S::TOOLS.iter().map(|spec| Candidate::of_method(spec, receiver())).collect())
    }

    /// Registers a tool made while the program runs.
    ///
    /// # Errors
    /// As [`register`](Self::register).
    pub fn register_tool(&self, tool: Tool) -> Result<Handle, RegistryError> {
        self.register_tools([tool])
    }

    /// Registers several tools at once, or none.
    ///
    /// # Errors
    /// As [`register`](Self::register).
    pub fn register_tools(&self, tools: impl IntoIterator<Item = Tool>) -> Result<Handle, RegistryError> {
        self.admit(tools.into_iter().map(Candidate::made).collect())
    }

    /// Narrows what the scope inherits to exact names.
    ///
    /// # Errors
    /// Returns [`RestrictionError`] for the global scope, for a restriction that says nothing, and for names that the scope
    /// does not inherit; with the names that it does inherit.
    pub fn restrict(&self, restriction: Restriction) -> Result<Handle, RestrictionError> {
        let (handle, faults) = self.restricted(restriction, true)?;
        debug_assert!(faults.is_none(), "a strict restriction has no faults left");
        Ok(handle)
    }

    /// The same, where names are let pass that the scope does not inherit now: the fault comes back beside the handle.
    ///
    /// # Errors
    /// Returns [`RestrictionError::Global`] for the global scope, and [`RestrictionError::Over`] if the set-up of the scope's
    /// owner was given up.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, Restriction, tool};
    ///
    /// /// Deletes a file.
    /// #[tool]
    /// fn delete() {}
    ///
    /// let registry = Registry::builder().build()?;
    /// let agent = registry.scope("agent");
    /// let (_handle, warning) = agent.restrict_lenient(Restriction::deny(["delete"]))?;
    /// assert!(warning.is_some());
    /// registry.register::<delete>()?; // comes later, and is denied
    /// assert!(agent.definition("delete").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restrict_lenient(
        &self,
        restriction: Restriction,
    ) -> Result<(Handle, Option<RestrictionError>), RestrictionError> {
        self.restricted(restriction, false)
    }

    fn restricted(
        &self,
        restriction: Restriction,
        strict: bool,
    ) -> Result<(Handle, Option<RestrictionError>), RestrictionError> {
        let Some(parent) = self.node.parent() else { return Err(RestrictionError::Global) };
        let mut fault = None;
        self.look(&mut |draft| fault = check_restriction(draft, &self.node, parent, &restriction))
            .map_err(|_| RestrictionError::Over)?;
        match fault {
            Some(fault) if strict => Err(fault),
            fault => {
                let handle = self.put(What::Restriction(restriction)).map_err(|_| RestrictionError::Over)?;
                Ok((handle, fault))
            }
        }
    }

    /// Looks at the tree as a registration would find it.
    ///
    /// # Errors
    /// Fails if the set-up of the scope's owner was given up.
    fn look(&self, look: &mut dyn FnMut(&Draft)) -> Result<(), RegistryError> {
        let tree = &self.node.tree;
        if let Some((owner, staging)) = self.owner.as_ref().and_then(|owner| Some((owner, owner.staging()?)))
        {
            return staging.look(tree, &|| owner.nodes(), look);
        }
        tree.consider(&mut Draft::default(), |draft| look(draft));
        Ok(())
    }

    /// Narrows everything that the scope sees, its own tools included.
    ///
    /// # Errors
    /// Returns [`FilterError`] if a glob is none.
    pub fn filter(&self, filter: Filter) -> Result<Handle, FilterError> {
        let filter = filter.checked()?;
        self.put(What::Filter(filter)).map_err(|_| FilterError::Over)
    }

    /// Narrows everything that the scope sees by a rule that knows the session, see [`VisibilityRule`]; and everything that the
    /// scopes below it see, their own tools included.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, ToolDefinition, Values, VisibilityContext, tool};
    ///
    /// struct Admin;
    ///
    /// /// Deletes an account.
    /// #[tool]
    /// fn delete_account() {}
    ///
    /// let registry = Registry::builder().register::<delete_account>().build()?;
    /// let agent = registry.scope("agent");
    /// agent.visibility(|tool: &ToolDefinition, cx: &VisibilityContext<'_>| {
    ///     !tool.name().starts_with("delete_") || cx.value::<Admin>().is_some()
    /// })?;
    /// assert!(agent.definitions().is_empty());
    /// assert_eq!(agent.step_with(Values::new().with(Admin)).definitions().len(), 1);
    /// # Ok::<(), tool_runtime::registry::RegistryError>(())
    /// ```
    pub fn visibility(&self, rule: impl VisibilityRule) -> Result<Handle, RegistryError> {
        self.put(What::Visibility(Box::new(rule)))
    }

    /// Gives state to the tools that are called in the scope, before that of its parents and of the registry.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    pub fn state<T: Send + Sync + 'static>(&self, value: T) -> Result<Handle, RegistryError> {
        self.shared_state(Arc::new(value))
    }

    /// The same for a value that is shared already.
    ///
    /// # Errors
    /// As [`state`](Self::state).
    pub fn shared_state<T: Send + Sync + 'static>(&self, value: Arc<T>) -> Result<Handle, RegistryError> {
        self.put(state(TypeId::of::<T>(), value))
    }

    /// Tells a function of every change of the scope's listing, before the call that made it returns, or by a thread that is
    /// telling others already. Hold no lock of your own that the function takes.
    ///
    /// A function that changes the tree itself is told of that, too; after a number of such rounds, with the next change.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    ///
    /// # Examples
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use tool_runtime::{Registry, tool};
    ///
    /// /// Tells the time.
    /// #[tool(effect = read)]
    /// fn now() {}
    ///
    /// let registry = Registry::builder().build()?;
    /// let added = Arc::new(Mutex::new(Vec::new()));
    /// let log = Arc::clone(&added);
    /// registry.on_change(move |change| log.lock().unwrap().extend(change.added.clone()))?;
    /// registry.register::<now>()?;
    /// assert_eq!(*added.lock().unwrap(), ["now"]);
    /// # Ok::<(), tool_runtime::registry::RegistryError>(())
    /// ```
    pub fn on_change(&self, call: impl Fn(&Change) + Send + Sync + 'static) -> Result<Handle, RegistryError> {
        self.put(What::Callback(Arc::new(Callback::new(&self.node, Box::new(call)))))
    }

    /// The changes of the scope's listing from now on, to wait for.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, tool};
    ///
    /// /// Tells the time.
    /// #[tool(effect = read)]
    /// fn now() {}
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().build()?;
    /// let agent = registry.scope("agent");
    /// let mut changes = agent.changes();
    /// registry.register::<now>()?;
    /// let change = changes.next().await.expect("the scope is there");
    /// assert_eq!(change.added, ["now"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn changes(&self) -> Changes {
        Changes::new(&self.node)
    }

    /// The definitions that the scope sees now, sorted by name.
    pub fn definitions(&self) -> View {
        self.step().into_view()
    }

    /// The definition of one tool that the scope sees.
    pub fn definition(&self, name: &str) -> Option<ToolDefinition> {
        self.tool(name).map(|tool| tool.definition().clone())
    }

    /// One tool that the scope sees.
    pub fn tool(&self, name: &str) -> Option<Tool> {
        self.step().tool(name).cloned()
    }

    /// What the scope sees now, to be listed and called: a step of a conversation.
    pub fn step(&self) -> Step {
        self.step_with(Values::new())
    }

    /// The same with values of the conversation, by which visibility rules decide and which are injected.
    pub fn step_with(&self, values: Values) -> Step {
        Step::new(&self.node, values)
    }

    /// Registers tools, or none.
    pub(super) fn admit(&self, candidates: Vec<Candidate>) -> Result<Handle, RegistryError> {
        let tree = &self.node.tree;
        let owner = self.ownership();
        let mut faults = Vec::new();
        let mut entries: Vec<Arc<Entry>> = Vec::with_capacity(candidates.len());
        let mut places: HashMap<ToolName, usize> = HashMap::with_capacity(candidates.len());
        for mut candidate in candidates {
            let (needs, mut found) = candidate_faults(&mut candidate);
            faults.append(&mut found);
            let needs: Box<[StateNeed]> = needs.into();
            let name = candidate.tool_name().clone();
            let entry = candidate.register(tree.next_id(), owner, needs);
            match places.entry(name) {
                Vacant(place) => {
                    place.insert(entries.len());
                    entries.push(Arc::new(entry));
                }
                Occupied(place) => faults.push(RegistryFault::Again {
                    name: entry.name().to_owned(),
                    scope: self.name().to_owned(),
                    owner: owner.name.to_string(),
                    place: entries.get(*place.get()).map_or_else(|| entry.place(), |other| other.place()),
                }),
            }
        }
        let tools = Registered::Tools(entries);
        if faults.is_empty() {
            return self.bring(tools);
        }
        // What else is wrong is told along with it.
        let op = Op { node: Arc::clone(&self.node), what: tools };
        self.look(&mut |draft| faults.append(&mut op.faults(draft)))?;
        Err(RegistryError::registering(faults))
    }

    pub(super) fn put(&self, what: What) -> Result<Handle, RegistryError> {
        let item = Item::new(self.node.tree.next_id(), self.ownership(), what);
        self.bring(Registered::Item(item))
    }

    /// Registers something that takes part in calls.
    pub(crate) fn extend(
        &self,
        kind: ExtensionKind,
        order: i32,
        value: Arc<dyn Any + Send + Sync>,
    ) -> Result<Handle, RegistryError> {
        self.put(What::Extension(Extension { kind, order, value: Foreign::new(value) }))
    }

    fn ownership(&self) -> &Arc<Ownership> {
        self.owner.as_ref().map_or(&self.node.owner, Owner::ownership)
    }

    fn bring(&self, what: Registered) -> Result<Handle, RegistryError> {
        let tree = &self.node.tree;
        let mut op = Op { node: Arc::clone(&self.node), what };
        let ids = op.ids();
        if let Some(owner) = &self.owner {
            owner.visits(&self.node);
            if let Some(staging) = owner.staging() {
                match staging.add(tree, &|| owner.nodes(), op)? {
                    Staged::Held => return Ok(Handle::new(&self.node, ids, Some(Arc::clone(staging)))),
                    Staged::Live(back) => op = back,
                    Staged::Over => return Err(over(owner.name())),
                }
            }
        }
        let mut draft = Draft::default();
        let done = tree.change_quietly(&mut draft, |draft| op.apply(draft))?;
        op.entered(tree);
        tree.settle(done);
        Ok(Handle::new(&self.node, ids, None))
    }
}

/// What is wrong with a restriction of a scope.
fn check_restriction(
    draft: &Draft,
    node: &Arc<Node>,
    parent: &Arc<Node>,
    restriction: &Restriction,
) -> Option<RestrictionError> {
    let inherited = draft.seen(parent);
    let known = || inherited.entries().map(|entry| entry.name().to_owned()).collect();
    if restriction.is_empty() {
        return Some(RestrictionError::Empty { known: known() });
    }
    let is_own = |name: &str| draft.look(node, |state| state.tool(name).is_some());
    let wrong = |name: &&str| inherited.find(name).is_none() || is_own(name);
    let names: Vec<String> = restriction.names().filter(wrong).map(str::to_owned).collect();
    if names.is_empty() {
        return None;
    }
    let own = names.iter().filter(|name| is_own(name)).cloned().collect();
    Some(RestrictionError::Unknown { names, own, known: known() })
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// A scope that is not kept alive, see [`Scope::downgrade`]. What is registered through it is the scope's, not an owner's.
///
/// # Examples
/// ```
/// use tool_runtime::Registry;
///
/// let registry = Registry::builder().build()?;
/// let agent = registry.scope("agent");
/// let weak = agent.downgrade();
/// assert!(weak.upgrade().is_some());
/// drop(agent);
/// assert!(weak.upgrade().is_none());
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
#[derive(Debug, Clone)]
pub struct WeakScope {
    node: Weak<Node>,
}

impl WeakScope {
    /// The scope, if it is there still.
    pub fn upgrade(&self) -> Option<Scope> {
        self.node.upgrade().map(|node| Scope::of(node, None))
    }
}
