//! Many cells that change together.
//!
//! Readers see all of a change or nothing of it, and never wait for a writer: multi-version concurrency control with one
//! version kept back (Reed, "Naming and Synchronization in a Decentralized Computer System", 1978), and only while a
//! change is being published. Writers take turns; the lock is the caller's.
//!
//! Architecture invariant: this file names nothing but `crate::sync`, so that loom can try every order of its steps.

use crate::sync::{Arc, AtomicU64, Ordering, Shared};

/// Counts the changes that readers may see.
pub(crate) struct Clock(AtomicU64);

impl Clock {
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// The newest change that is whole.
    pub(crate) fn now(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    /// Reads several cells as they were at one moment. `read` gets the moment and gives `None` where a cell has moved on
    /// since; it then runs again, for a later one. It runs again only if a writer has finished a change meanwhile.
    pub(crate) fn read<R>(&self, mut read: impl FnMut(u64) -> Option<R>) -> R {
        loop {
            if let Some(value) = read(self.now()) {
                return value;
            }
        }
    }
}

/// A value that changes with others.
pub(crate) struct Versioned<T>(Shared<Version<T>>);

struct Version<T> {
    /// The change that brought it.
    since: u64,
    value: Arc<T>,
    /// What it replaced, while not all readers can know of the change.
    before: Option<(u64, Arc<T>)>,
}

impl<T> Versioned<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Shared::new(Version { since: 0, value: Arc::new(value), before: None }))
    }

    /// The value at one moment and the change that brought it; `None` if that is forgotten, which means that a later moment can be read.
    pub(crate) fn at(&self, moment: u64) -> Option<(u64, Arc<T>)> {
        let version = self.0.load();
        if version.since <= moment {
            return Some((version.since, Arc::clone(&version.value)));
        }
        let (since, value) = version.before.as_ref()?;
        (*since <= moment).then(|| (*since, Arc::clone(value)))
    }

    /// The newest value, whole or not; for the writer whose turn it is.
    pub(crate) fn newest(&self) -> Arc<T> {
        Arc::clone(&self.0.load().value)
    }
}

/// Publishes a change of several cells at once, for the writer whose turn it is. What was replaced comes back, so that it is
/// dropped where the caller likes.
pub(crate) fn publish<'a, T: 'a>(
    clock: &Clock,
    changes: impl Iterator<Item = (&'a Versioned<T>, T)>,
) -> Vec<Arc<T>> {
    let since = clock.now() + 1;
    let mut replaced = Vec::new();
    let mut touched: Vec<(&Versioned<T>, Arc<T>)> = Vec::new();
    for (cell, value) in changes {
        let value = Arc::new(value);
        let (old, before) = {
            let version = cell.0.load();
            (version.since, Arc::clone(&version.value))
        };
        cell.0.swap(Version { since, value: Arc::clone(&value), before: Some((old, before)) });
        touched.push((cell, value));
    }
    clock.0.store(since, Ordering::Release);
    for (cell, value) in touched {
        let version = cell.0.swap(Version { since, value, before: None });
        replaced.extend(version.before.as_ref().map(|(_, value)| Arc::clone(value)));
    }
    replaced
}
