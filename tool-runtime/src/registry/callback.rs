//! Who is told that a scope's tools have changed, and of what.

use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::watch;

use super::rounds::Rounds;
use super::tree::{Node, locked};
use crate::definition::ToolDefinition;
use crate::error::contained;

/// What changed in a scope's listing. Changes that follow one another closely are one.
///
/// Visibility rules decide by the session, of which nothing is known here: a tool counts as listed whatever they say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Change {
    /// Names that are new, sorted.
    pub added: Vec<String>,
    /// Names that are gone, sorted.
    pub removed: Vec<String>,
    /// Names behind which another definition stands, sorted.
    pub changed: Vec<String>,
}

impl Change {
    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }

    /// What is to be done to `old` to make it `new`; both are sorted by name.
    fn between(old: &[ToolDefinition], new: &[ToolDefinition]) -> Self {
        let mut change = Self::default();
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => return change,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(one), Some(other)) => one.name().cmp(other.name()),
            };
            let (gone, come) =
                (order.is_le().then(|| old.next()).flatten(), order.is_ge().then(|| new.next()).flatten());
            match (gone, come) {
                (Some(gone), None) => change.removed.push(gone.name().to_owned()),
                (None, Some(come)) => change.added.push(come.name().to_owned()),
                (Some(gone), Some(come)) if !gone.is(come) && gone.fingerprint() != come.fingerprint() => {
                    change.changed.push(come.name().to_owned());
                }
                _ => {}
            }
        }
    }
}

/// The changes of one scope, see [`Scope::changes`](super::Scope::changes). At most one is held back; those that come while nobody waits are
/// joined.
pub struct Changes {
    node: Weak<Node>,
    count: watch::Receiver<u64>,
    last: Vec<ToolDefinition>,
}

impl Changes {
    pub(super) fn new(node: &Arc<Node>) -> Self {
        let count = node.tree.changed.subscribe();
        Self { node: Arc::downgrade(node), count, last: listing(node) }
    }

    /// Waits for the next change; `None` once the scope is gone.
    ///
    /// # Cancel safety
    /// Dropped, nothing is lost: the next call tells it.
    pub async fn next(&mut self) -> Option<Change> {
        loop {
            {
                let node = self.node.upgrade()?;
                self.count.mark_unchanged();
                let new = listing(&node);
                let change = Change::between(&self.last, &new);
                self.last = new;
                if !change.is_empty() {
                    return Some(change);
                }
            }
            self.count.changed().await.ok()?;
        }
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}

fn listing(node: &Arc<Node>) -> Vec<ToolDefinition> {
    node.seen().entries().map(|entry| entry.tool().definition().clone()).collect()
}

/// A function that is told of a scope's changes.
pub(crate) struct Callback {
    node: Weak<Node>,
    last: Mutex<Vec<ToolDefinition>>,
    call: Box<dyn Fn(&Change) + Send + Sync>,
}

impl Callback {
    pub(super) fn new(node: &Arc<Node>, call: Box<dyn Fn(&Change) + Send + Sync>) -> Self {
        Self { node: Arc::downgrade(node), last: Mutex::new(listing(node)), call }
    }

    fn run(&self) {
        let Some(node) = self.node.upgrade() else { return };
        if !node.tells(self) {
            return;
        }
        let new = listing(&node);
        let old = mem::replace(&mut *locked(&self.last), new.clone());
        // Outside of the lock: comparing may make a schema, by code of a type.
        let change = contained(|| Change::between(&old, &new)).unwrap_or_default();
        if !change.is_empty() {
            contained(|| (self.call)(&change));
        }
    }
}

/// Every callback of a tree.
#[derive(Default)]
pub(crate) struct Callbacks {
    list: Mutex<Vec<Weak<Callback>>>,
    rounds: Rounds,
}

impl Callbacks {
    pub(super) fn add(&self, callback: &Arc<Callback>) {
        locked(&self.list).push(Arc::downgrade(callback));
    }

    /// Tells everybody, one after another; what changes meanwhile is told afterwards, by who is at it already.
    pub(super) fn run(&self) {
        if locked(&self.list).is_empty() {
            return;
        }
        self.rounds.run(|| {
            let all: Vec<Arc<Callback>> = {
                let mut list = locked(&self.list);
                list.retain(|callback| callback.strong_count() > 0);
                list.iter().filter_map(Weak::upgrade).collect()
            };
            for callback in all {
                callback.run();
                contained(|| drop(callback));
            }
        });
    }
}
