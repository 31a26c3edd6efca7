//! The pieces that protocols between threads are built from. The package `loom-tests` puts loom's in their place and
//! compiles the same protocols against them.

pub(crate) use std::sync::Arc;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A place that holds a shared value and is read without waiting.
pub(crate) struct Shared<T>(arc_swap::ArcSwap<T>);

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(arc_swap::ArcSwap::from_pointee(value))
    }

    pub(crate) fn load(&self) -> impl std::ops::Deref<Target = Arc<T>> {
        self.0.load()
    }

    pub(crate) fn swap(&self, value: T) -> Arc<T> {
        self.0.swap(Arc::new(value))
    }
}
