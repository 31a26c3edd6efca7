//! Where tasks are kept.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::TaskRecord;

/// Where a session keeps what is known of its tasks. The default is [`MemoryStore`].
///
/// What a store holds is bounded by the session, which removes what is too old or too much.
pub trait TaskStore: Send + Sync + 'static {
    /// Writes a record, new or in place of an older one.
    fn put(&self, record: TaskRecord);
    /// One record.
    fn get(&self, id: &str) -> Option<TaskRecord>;
    /// Every record, by number.
    fn list(&self) -> Vec<TaskRecord>;
    /// Forgets one.
    fn remove(&self, id: &str);
}

/// Keeps tasks in memory.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<BTreeMap<u64, TaskRecord>>);

impl TaskStore for MemoryStore {
    fn put(&self, record: TaskRecord) {
        let old = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(record.number, record);
        drop(old);
    }

    fn get(&self, id: &str) -> Option<TaskRecord> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.values().find(|record| record.id == id).cloned()
    }

    fn list(&self) -> Vec<TaskRecord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    fn remove(&self, id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, record| record.id != id);
    }
}
