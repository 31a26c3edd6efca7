//! The pieces that protocols between threads are built from. The package `loom-tests` puts loom's in their place and
//! compiles the same protocols against them.

pub(crate) use std::sync::Arc;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use std::sync::OnceLock;

/// Values by key, each made when it is first asked for and kept as long as the list.
///
/// It only grows, by at most one link a key, so that what nobody asks for takes no space and readers wait for nobody but the
/// first. Keys are few, since a value is found by going through the list.
pub(crate) struct Kept<K, V>(OnceLock<Box<Link<K, V>>>);

struct Link<K, V> {
    key: K,
    value: V,
    next: Kept<K, V>,
}

impl<K: PartialEq + Copy, V> Kept<K, V> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The value of a key; `make` makes it always the same.
    #[inline]
    pub(crate) fn get(&self, key: K, make: impl Fn() -> V) -> &V {
        let mut list = self;
        loop {
            let link = list.0.get_or_init(|| Box::new(Link { key, value: make(), next: Self::new() }));
            if link.key == key {
                return &link.value;
            }
            list = &link.next;
        }
    }
}

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
