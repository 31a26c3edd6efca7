//! Keys: calls of one key run one after another.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

use crate::execution::Shared;

/// The keys of one session that somebody holds or waits for.
#[derive(Default)]
pub(super) struct Keys(Mutex<HashMap<String, Place>>);

#[derive(Default)]
struct Place {
    lock: Arc<Lock<()>>,
    /// Who holds it, once that is known.
    holder: Weak<Shared>,
}

impl Keys {
    /// Waits for a key; those who come first get it first.
    pub(super) async fn take(self: Arc<Self>, key: String, call: &Arc<Shared>) -> KeyGuard {
        // Made before the wait, so that a place that nobody waits for any more is cleared away.
        let mut taken = KeyGuard { keys: Arc::clone(&self), key, guard: None };
        let lock = Arc::clone(&self.places().entry(taken.key.clone()).or_default().lock);
        taken.guard = Some(lock.lock_owned().await);
        if let Some(place) = self.places().get_mut(&taken.key) {
            place.holder = Arc::downgrade(call);
        }
        taken
    }

    /// The call that holds a key.
    pub(super) fn holder(&self, key: &str) -> Option<Arc<Shared>> {
        self.places().get(key).and_then(|place| place.holder.upgrade())
    }

    fn places(&self) -> MutexGuard<'_, HashMap<String, Place>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A key that is held.
pub(super) struct KeyGuard {
    keys: Arc<Keys>,
    key: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        self.guard = None;
        let mut places = self.keys.places();
        // Whoever waits has a share in the lock.
        if places.get(&self.key).is_some_and(|place| Arc::strong_count(&place.lock) == 1) {
            places.remove(&self.key);
        }
    }
}

impl fmt::Debug for KeyGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyGuard").field("key", &self.key).finish_non_exhaustive()
    }
}
