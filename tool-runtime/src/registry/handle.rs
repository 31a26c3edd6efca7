//! What a registration gives back.

use std::fmt;
use std::sync::{Arc, Weak};

use super::stage::Staging;
use super::tree::Node;

/// What a registration gives back: the way to take exactly it away again. Ignoring it changes nothing.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, tool};
///
/// /// Tells the time.
/// #[tool(effect = read)]
/// fn now() {}
///
/// let registry = Registry::builder().build()?;
/// let handle = registry.register::<now>()?;
/// assert_eq!(registry.definitions().len(), 1);
/// assert!(handle.remove());
/// assert!(registry.definitions().is_empty() && !handle.remove());
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
#[derive(Clone)]
pub struct Handle {
    node: Weak<Node>,
    /// In order.
    ids: Arc<[u64]>,
    staging: Option<Arc<Staging>>,
}

impl Handle {
    pub(super) fn new(
        node: &Arc<Node>,
        ids: impl IntoIterator<Item = u64>,
        staging: Option<Arc<Staging>>,
    ) -> Self {
        let mut ids: Vec<u64> = ids.into_iter().collect();
        ids.sort_unstable();
        Self { node: Arc::downgrade(node), ids: ids.into(), staging }
    }

    /// Takes away what was registered; whether it was still there. No new call of it starts, running ones end.
    pub fn remove(&self) -> bool {
        if self.staging.as_ref().is_some_and(|staging| staging.take(&self.ids)) {
            return true;
        }
        let Some(node) = self.node.upgrade() else { return false };
        node.remove(|id, _| self.ids.binary_search(&id).is_ok()) > 0
    }

    /// Whether it is there still.
    pub fn is_live(&self) -> bool {
        self.staging.as_ref().is_some_and(|staging| staging.holds(&self.ids))
            || self.node.upgrade().is_some_and(|node| node.holds(&self.ids))
    }

    /// A guard that takes it away when it is dropped.
    pub fn into_guard(self) -> Guard {
        Guard(self)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").field("is_live", &self.is_live()).finish_non_exhaustive()
    }
}

/// Takes away what was registered when it is dropped, see [`Handle::into_guard`].
#[derive(Debug)]
#[must_use = "dropped, it takes away what was registered"]
pub struct Guard(Handle);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.remove();
    }
}
