//! What the runtime's `sync` has, made of loom's.

use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use loom::sync::atomic::AtomicUsize;

pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
/// What is shared is freed when nobody has it, which is not what is tried here.
pub(crate) use std::sync::Arc;

/// A place that holds a shared value: a pointer that is swapped, whereby the pointer is a number, since that takes no unsafe
/// code. What it points to stays.
pub(crate) struct Shared<T> {
    current: AtomicUsize,
    /// Nothing waits while this is locked.
    values: Mutex<Vec<Arc<T>>>,
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { current: AtomicUsize::new(0), values: Mutex::new(vec![Arc::new(value)]) }
    }

    pub(crate) fn load(&self) -> impl Deref<Target = Arc<T>> {
        Loaded(self.value(self.current.load(Ordering::Acquire)))
    }

    pub(crate) fn swap(&self, value: T) -> Arc<T> {
        let place = {
            let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
            values.push(Arc::new(value));
            values.len() - 1
        };
        self.value(self.current.swap(place, Ordering::AcqRel))
    }

    fn value(&self, place: usize) -> Arc<T> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&values[place])
    }
}

struct Loaded<T>(Arc<T>);

impl<T> Deref for Loaded<T> {
    type Target = Arc<T>;

    fn deref(&self) -> &Arc<T> {
        &self.0
    }
}
