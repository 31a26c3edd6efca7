//! Owners: what a plugin brings, it takes away when it goes.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, Weak};

use super::entry::Ownership;
use super::filter::{Filter, FilterError};
use super::handle::Handle;
use super::layer::What;
use super::runs::Gone;
use super::scope::Scope;
use super::stage::Staging;
use super::tree::{Node, Tree, locked};
use super::{RegistryError, RegistryFault};
use crate::error::BoxError;

/// Somebody who brings tools, restrictions, filters and state, and takes all of it away when it goes: a plugin.
///
/// What is registered through [`Scope::owned_by`] is the owner's. It lives as long as a clone of the owner does, or until
/// [`remove`](Self::remove) or [`unload`](Self::unload). Cheap to clone.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, tool};
///
/// /// Looks up the weather.
/// #[tool(effect = read)]
/// fn weather() {}
///
/// let registry = Registry::builder().build()?;
/// let agent = registry.scope("agent");
/// let plugin = registry.owner("weather-plugin");
/// agent.owned_by(&plugin).register::<weather>()?;
/// assert_eq!(agent.definition("weather").and_then(|tool| tool.owner().map(str::to_owned)).as_deref(), Some("weather-plugin"));
///
/// plugin.remove();
/// assert!(agent.definitions().is_empty());
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
#[derive(Clone)]
#[must_use = "what an owner brings goes with it"]
pub struct Owner {
    life: Arc<Life>,
    staging: Option<Arc<Staging>>,
}

struct Life {
    tree: Arc<Tree>,
    root: Weak<Node>,
    ownership: Arc<Ownership>,
    /// Where something of the owner's may be.
    nodes: Mutex<Vec<Weak<Node>>>,
}

impl Owner {
    pub(super) fn new(root: &Arc<Node>, name: &str) -> Self {
        let life = Life {
            tree: Arc::clone(&root.tree),
            root: Arc::downgrade(root),
            ownership: root.tree.ownership(name, true),
            nodes: Mutex::new(Vec::new()),
        };
        Self { life: Arc::new(life), staging: None }
    }

    /// Its name, for people.
    pub fn name(&self) -> &str {
        &self.life.ownership.name
    }

    /// Takes away all that it brought, the last registered first; how many things that was. No new call of it starts, running ones
    /// end by themselves; see [`unload`](Self::unload) for those.
    ///
    /// Within a set-up, it gives up what the set-up has brought so far; what was there before stays, also after a set-up that was
    /// given up.
    pub fn remove(&self) -> usize {
        self.staging.as_ref().and_then(|staging| staging.clear()).unwrap_or_else(|| self.life.remove())
    }

    /// Narrows what it brings, in every scope, to what the filter admits.
    ///
    /// # Errors
    /// Returns [`FilterError`] if a glob is none.
    pub fn filter(&self, filter: Filter) -> Result<Handle, FilterError> {
        let filter = filter.checked()?;
        let Some(root) = self.life.root.upgrade() else { return Err(FilterError::Over) };
        Scope::of(root, Some(self.clone())).put(What::OwnersFilter(filter)).map_err(|_| FilterError::Over)
    }

    /// Replaces all that it brought by what `set_up` brings, at once: whoever looks sees the old or the new, never neither
    /// and never half. If `set_up` fails or panics, everything stays as it was.
    ///
    /// # Errors
    /// Returns [`LoadError`] with the error of `set_up`, or with why what it brought cannot stand beside what others have.
    ///
    /// # Panics
    /// Panics as `set_up` does.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, tool};
    ///
    /// /// The first version.
    /// #[tool]
    /// fn one() {}
    ///
    /// /// The second version.
    /// #[tool]
    /// fn two() {}
    ///
    /// let registry = Registry::builder().build()?;
    /// let plugin = registry.load("plugin", |owner| registry.owned_by(owner).register::<one>().map(drop))?;
    /// plugin.reload(|owner| registry.owned_by(owner).register::<two>().map(drop))?;
    /// assert!(registry.definition("one").is_none() && registry.definition("two").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reload<E: Into<BoxError>>(
        &self,
        set_up: impl FnOnce(&Self) -> Result<(), E>,
    ) -> Result<(), LoadError> {
        let stage = self.stage();
        // The stage gives up what it holds when it is dropped, whichever way this ends.
        match catch_unwind(AssertUnwindSafe(|| set_up(stage.owner()))) {
            Ok(Ok(())) => stage.commit().map_err(LoadError::Registry),
            Ok(Err(error)) => Err(LoadError::SetUp(error.into())),
            Err(panic) => {
                drop(stage);
                resume_unwind(panic)
            }
        }
    }

    /// Begins a replacement of all that it brought, for a set-up that awaits. See [`reload`](Self::reload).
    pub fn stage(&self) -> Stage {
        let staging = Staging::new(&self.life.ownership);
        Stage(Self { life: Arc::clone(&self.life), staging: Some(staging) })
    }

    pub(super) fn is_of(&self, tree: &Arc<Tree>) -> bool {
        Arc::ptr_eq(&self.life.tree, tree)
    }

    pub(super) fn ownership(&self) -> &Arc<Ownership> {
        &self.life.ownership
    }

    /// Its tools that are gone and run still; `None` within a set-up, of which nothing runs, and after one that was given up.
    pub(crate) fn gone(&self) -> Option<&Arc<Gone>> {
        let is_in_force = self.staging.as_ref().is_none_or(|staging| staging.is_committed());
        self.life.ownership.plugin.as_ref().filter(|_| is_in_force)
    }

    pub(super) fn staging(&self) -> Option<&Arc<Staging>> {
        self.staging.as_ref()
    }

    /// Remembers that something of it may be in a scope.
    pub(super) fn visits(&self, node: &Arc<Node>) {
        let mut nodes = locked(&self.life.nodes);
        if !nodes.iter().any(|other| std::ptr::eq(other.as_ptr(), Arc::as_ptr(node))) {
            if nodes.len() == nodes.capacity() {
                nodes.retain(|node| node.strong_count() > 0);
            }
            nodes.push(Arc::downgrade(node));
        }
    }

    pub(super) fn nodes(&self) -> Vec<Arc<Node>> {
        self.life.nodes()
    }
}

impl Life {
    fn nodes(&self) -> Vec<Arc<Node>> {
        locked(&self.nodes).iter().filter_map(Weak::upgrade).collect()
    }

    fn remove(&self) -> usize {
        let nodes = self.nodes();
        let Ok(count) = self.tree.change(|draft| {
            let owned = |_, owner: &Arc<Ownership>| owner.id == self.ownership.id;
            Ok::<usize, std::convert::Infallible>(nodes.iter().map(|node| draft.take(node, owned)).sum())
        });
        count
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.remove();
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Owner").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// An owner's registrations that wait to come into force together, see [`Owner::stage`]. Dropped, it gives them up.
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
/// let plugin = registry.owner("clock");
/// let stage = plugin.stage();
/// registry.owned_by(stage.owner()).register::<now>()?;
/// tokio::task::yield_now().await; // a server is asked, say
/// assert!(registry.definitions().is_empty());
/// stage.commit()?;
/// assert_eq!(registry.definitions().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "dropped, it gives up what it holds"]
pub struct Stage(Owner);

impl Stage {
    /// The owner to register by.
    pub fn owner(&self) -> &Owner {
        &self.0
    }

    /// Replaces all that the owner brought before by what was registered since.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if it cannot stand beside what others have registered meanwhile; everything then stays as
    /// it was.
    pub fn commit(self) -> Result<(), RegistryError> {
        let old = || self.0.nodes();
        self.0.staging.as_ref().map_or(Ok(()), |staging| staging.commit(&self.0.life.tree, &old))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(staging) = &self.0.staging {
            staging.abort();
        }
    }
}

/// Why a plugin could not be loaded.
///
/// # Examples
/// ```
/// use tool_runtime::Registry;
/// use tool_runtime::registry::LoadError;
///
/// let registry = Registry::builder().build()?;
/// let error = registry.load("plugin", |_| Err("no licence")).expect_err("its set-up fails");
/// assert!(matches!(error, LoadError::SetUp(_)));
/// assert_eq!(error.to_string(), "no licence");
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Its set-up failed.
    #[error(transparent)]
    SetUp(BoxError),
    /// What it brought cannot stand.
    #[error(transparent)]
    Registry(RegistryError),
}

pub(super) fn over(owner: &str) -> RegistryError {
    RegistryError::registering(vec![RegistryFault::Over { owner: owner.to_owned() }])
}

/// Something for a scope to hold that is no tool.
pub(super) fn state(id: std::any::TypeId, value: Arc<dyn Any + Send + Sync>) -> What {
    What::State(id, value)
}
