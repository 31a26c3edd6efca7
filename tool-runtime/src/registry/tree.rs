//! The tree of scopes, and how it changes.
//!
//! Architecture invariant: nothing of a user's runs while the tree's lock is held, values that go away included; a reader
//! takes no lock.

use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::watch;

use super::callback::{Callback, Callbacks};
use super::entry::Ownership;
use super::epoch::{Clock, Versioned, publish};
use super::layer::{Removed, State};
use super::view::Seen;
use crate::error::contained;
use crate::output::ContentLimits;
use crate::sync::Shared;
use crate::tool::{OutputCheck, StateNeed};

/// What all scopes of a registry share.
pub(crate) struct Tree {
    clock: Clock,
    turn: Mutex<()>,
    ids: AtomicU64,
    pub(crate) settings: Settings,
    pub(super) callbacks: Callbacks,
    /// Counts changes, for those who wait for one.
    pub(super) changed: watch::Sender<u64>,
}

/// What holds for every call of a registry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) output_check: OutputCheck,
    pub(crate) repairs: bool,
    /// How long a call may take, where its tool does not say.
    pub(crate) timeout: Option<Duration>,
    /// How long a body has to end after its signal.
    pub(crate) grace: Duration,
    /// How much of a result a model reads.
    pub(crate) content: ContentLimits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            output_check: OutputCheck::Error,
            repairs: true,
            timeout: Some(Duration::from_mins(3)),
            grace: Duration::from_secs(5),
            content: ContentLimits { text: Some(128 * 1024), binary: Some(16 * 1024 * 1024) },
        }
    }
}

/// One scope.
pub(crate) struct Node {
    pub(super) tree: Arc<Tree>,
    pub(super) name: Box<str>,
    parent: Option<Arc<Node>>,
    /// What the scope owns by itself.
    pub(super) owner: Arc<Ownership>,
    state: Versioned<State>,
    cache: Shared<Option<Cached>>,
    children: Mutex<Vec<Weak<Node>>>,
}

/// A scope of a chain and its state.
pub(super) type InChain<'a> = (&'a Arc<Node>, Arc<State>);

/// What the scope saw last, and of what that was made.
struct Cached {
    moment: u64,
    state: Arc<State>,
    parent: Option<Arc<Seen>>,
    seen: Arc<Seen>,
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tree {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            clock: Clock::new(),
            turn: Mutex::new(()),
            ids: AtomicU64::new(1),
            settings,
            callbacks: Callbacks::default(),
            changed: watch::Sender::new(0),
        }
    }

    pub(super) fn next_id(&self) -> u64 {
        self.next_ids(1)
    }

    /// The first of as many numbers in a row.
    pub(super) fn next_ids(&self, count: usize) -> u64 {
        self.ids.fetch_add(count as u64, Ordering::Relaxed)
    }

    pub(super) fn ownership(&self, name: &str, plugin: bool) -> Arc<Ownership> {
        let plugin = plugin.then(Arc::default);
        Arc::new(Ownership { id: self.next_id(), name: name.into(), plugin })
    }

    /// Makes one change, or none where `make` fails, and tells of it. `make` runs nothing of a user's.
    pub(super) fn change<R, E>(&self, make: impl FnOnce(&mut Draft) -> Result<R, E>) -> Result<R, E> {
        let mut draft = Draft::default();
        self.change_quietly(&mut draft, make).map(|done| self.settle(done))
    }

    /// Makes one change; what it took away is still there. Where it fails, the caller drops the draft, outside of its locks.
    pub(super) fn change_quietly<R, E>(
        &self,
        draft: &mut Draft,
        make: impl FnOnce(&mut Draft) -> Result<R, E>,
    ) -> Result<Done<R>, E> {
        let _turn = locked(&self.turn);
        let result = make(draft)?;
        let Draft { touched, removed, .. } = mem::take(draft);
        let (nodes, states): (Vec<Arc<Node>>, Vec<State>) = touched.into_iter().unzip();
        let replaced = if nodes.is_empty() {
            Vec::new()
        } else {
            publish(&self.clock, nodes.iter().map(|node| &node.state).zip(states))
        };
        // What was found before is found once more.
        removed.iter().for_each(Removed::close);
        Ok(Done { result, nodes, replaced, removed })
    }

    /// Lets go of what a change took away, the last registered first, and tells of the change.
    pub(super) fn settle<R>(&self, done: Done<R>) -> R {
        let Done { result, nodes, replaced, removed } = done;
        if !removed.is_empty() {
            // Views that nobody asks for again would keep what is gone.
            nodes.iter().for_each(Node::forget);
        }
        let changed = !nodes.is_empty();
        drop((replaced, nodes));
        drop_in_order(removed);
        if changed {
            self.changed.send_modify(|count| *count += 1);
            self.callbacks.run();
        }
        result
    }

    /// Looks at the tree as a change would find it, by an empty draft and without making a change. The caller drops the draft,
    /// outside of its locks.
    pub(super) fn consider<R>(&self, draft: &mut Draft, look: impl FnOnce(&mut Draft) -> R) -> R {
        let _turn = locked(&self.turn);
        draft.at = self.clock.now();
        look(draft)
    }

    pub(super) fn now(&self) -> u64 {
        self.clock.now()
    }
}

/// A change that has been made.
pub(super) struct Done<R> {
    result: R,
    nodes: Vec<Arc<Node>>,
    replaced: Vec<Arc<State>>,
    removed: Vec<Removed>,
}

fn drop_in_order(mut removed: Vec<Removed>) {
    removed.sort_by_key(|removed| std::cmp::Reverse(removed.id()));
    for removed in removed {
        contained(|| drop(removed));
    }
}

/// States on their way to being published.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) at: u64,
    touched: Vec<(Arc<Node>, State)>,
    removed: Vec<Removed>,
}

impl Draft {
    pub(super) fn state_mut(&mut self, node: &Arc<Node>) -> &mut State {
        let place = match self.touched.iter().position(|(other, _)| Arc::ptr_eq(other, node)) {
            Some(place) => place,
            None => {
                self.touched.push((Arc::clone(node), node.state.newest().again()));
                self.touched.len() - 1
            }
        };
        &mut self.touched[place].1
    }

    /// Looks at a scope's state.
    pub(super) fn look<R>(&self, node: &Arc<Node>, look: impl FnOnce(&State) -> R) -> R {
        match self.touched.iter().find(|(other, _)| Arc::ptr_eq(other, node)) {
            Some((_, state)) => look(state),
            None => look(&node.state.newest()),
        }
    }

    /// What a scope would see.
    pub(super) fn seen(&self, node: &Arc<Node>) -> Arc<Seen> {
        node.chain().into_iter().rev().fold(Arc::new(Seen::nothing()), |seen, node| {
            self.look(node, |state| seen.with(state)).map_or(seen, Arc::new)
        })
    }

    /// Whether a scope, or one that it inherits from, has state of a type.
    pub(super) fn has_state(&self, node: &Arc<Node>, need: &StateNeed) -> bool {
        node.chain().into_iter().any(|node| self.look(node, |state| state.has_state(need)))
    }

    /// Takes something away from a scope.
    pub(super) fn take(&mut self, node: &Arc<Node>, goes: impl Fn(u64, &Arc<Ownership>) -> bool) -> usize {
        if !self.look(node, |state| state.any(&goes)) {
            return 0;
        }
        let removed = self.state_mut(node).take(goes);
        let count = removed.len();
        self.removed.extend(removed);
        count
    }
}

impl Node {
    /// The global scope.
    pub(super) fn root(tree: Arc<Tree>, owner: Arc<Ownership>, state: State) -> Arc<Self> {
        Arc::new(Self {
            tree,
            name: "global".into(),
            parent: None,
            owner,
            state: Versioned::new(state),
            cache: Shared::new(None),
            children: Mutex::new(Vec::new()),
        })
    }

    pub(super) fn child(parent: &Arc<Self>, name: &str) -> Arc<Self> {
        let tree = Arc::clone(&parent.tree);
        let node = Arc::new(Self {
            name: name.into(),
            owner: tree.ownership(name, false),
            tree,
            parent: Some(Arc::clone(parent)),
            state: Versioned::new(State::default()),
            cache: Shared::new(None),
            children: Mutex::new(Vec::new()),
        });
        let mut children = locked(&parent.children);
        if children.len() == children.capacity() {
            children.retain(|child| child.strong_count() > 0);
        }
        children.push(Arc::downgrade(&node));
        drop(children);
        node
    }

    /// Takes something away from the scope; how many it was.
    pub(super) fn remove(self: &Arc<Self>, goes: impl Fn(u64, &Arc<Ownership>) -> bool) -> usize {
        let Ok(count) =
            self.tree.change(|draft| Ok::<usize, std::convert::Infallible>(draft.take(self, goes)));
        count
    }

    /// Whether it holds one of the ids, which are sorted.
    pub(super) fn holds(&self, ids: &[u64]) -> bool {
        self.state.newest().any(&|id, _: &Arc<Ownership>| ids.binary_search(&id).is_ok())
    }

    /// Whether a callback is in force.
    pub(super) fn tells(&self, callback: &Callback) -> bool {
        self.state.newest().items().iter().any(|item| item.is(callback))
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(super) fn parent(&self) -> Option<&Arc<Self>> {
        self.parent.as_ref()
    }

    /// The scope, its parent, and so on to the global one.
    pub(super) fn chain(self: &Arc<Self>) -> Vec<&Arc<Self>> {
        std::iter::successors(Some(self), |node| node.parent.as_ref()).collect()
    }

    /// The chain from the global scope to this one with the states of one moment, and what the scope saw then.
    pub(super) fn chain_at_once(self: &Arc<Self>) -> (Vec<InChain<'_>>, Arc<Seen>) {
        let chain = self.chain();
        self.tree.clock.read(|moment| {
            let mut seen = Arc::new(Seen::nothing());
            let mut states = Vec::with_capacity(chain.len());
            for node in chain.iter().rev() {
                let (_, state) = node.state.at(moment)?;
                seen = seen.with(&state).map_or(seen, Arc::new);
                states.push((*node, state));
            }
            Some((states, seen))
        })
    }

    /// What the scope sees now.
    #[inline]
    pub(crate) fn seen(self: &Arc<Self>) -> Arc<Seen> {
        self.look(Arc::clone)
    }

    /// Looks at what the scope sees now; `look` is quick and runs nothing of a user's.
    #[inline]
    pub(super) fn look<R>(self: &Arc<Self>, look: impl FnOnce(&Arc<Seen>) -> R) -> R {
        let cached = self.cache.load();
        match &**cached {
            Some(cached) if cached.moment == self.tree.now() => look(&cached.seen),
            _ => {
                drop(cached);
                look(&self.seen_anew())
            }
        }
    }

    #[cold]
    fn seen_anew(self: &Arc<Self>) -> Arc<Seen> {
        let chain = self.chain();
        self.tree
            .clock
            .read(|moment| {
                chain
                    .iter()
                    .rev()
                    .try_fold(None, |parent: Option<Arc<Seen>>, node| node.seen_at(moment, parent).map(Some))
            })
            .unwrap_or_else(|| Arc::new(Seen::nothing()))
    }

    /// What the scope saw at a moment, by what its parent saw then; `None` if that is forgotten.
    fn seen_at(&self, moment: u64, parent: Option<Arc<Seen>>) -> Option<Arc<Seen>> {
        let (_, state) = self.state.at(moment)?;
        let cached = self.cache.load();
        if let Some(cached) = &**cached {
            let same = Arc::ptr_eq(&cached.state, &state)
                && match (&cached.parent, &parent) {
                    (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                    (one, other) => one.is_none() && other.is_none(),
                };
            if same {
                let seen = Arc::clone(&cached.seen);
                if cached.moment < moment {
                    self.keep(Cached { moment, state, parent, seen: Arc::clone(&seen) });
                }
                return Some(seen);
            }
        }
        drop(cached);
        let seen = match &parent {
            Some(parent) => parent.with(&state).map_or_else(|| Arc::clone(parent), Arc::new),
            None => Seen::nothing().with(&state).map_or_else(|| Arc::new(Seen::nothing()), Arc::new),
        };
        self.keep(Cached { moment, state, parent, seen: Arc::clone(&seen) });
        Some(seen)
    }

    /// Keeps what was seen, unless it is old already: a change since has let go of such views, and none may keep what it took
    /// away.
    fn keep(&self, cached: Cached) {
        let moment = cached.moment;
        self.cache.swap(Some(cached));
        if self.tree.now() != moment {
            self.cache.swap(None);
        }
    }

    /// Lets go of what the scope and those below it saw last.
    fn forget(self: &Arc<Self>) {
        let mut nodes = vec![Arc::clone(self)];
        while let Some(node) = nodes.pop() {
            drop(node.cache.swap(None));
            nodes.extend(locked(&node.children).iter().filter_map(Weak::upgrade));
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.cache.swap(None);
        let removed = self.state.newest().again().take(|_, _| true);
        removed.iter().for_each(Removed::close);
        drop(mem::replace(&mut self.state, Versioned::new(State::default())));
        drop_in_order(removed);
        self.tree.changed.send_modify(|count| *count += 1);
        // A long chain goes link by link, not by recursion.
        let mut parent = self.parent.take();
        while let Some(mut node) = parent.and_then(Arc::into_inner) {
            parent = node.parent.take();
            drop(node);
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("name", &self.name).finish_non_exhaustive()
    }
}
