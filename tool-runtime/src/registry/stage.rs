//! Many registrations that come into force at once, or not at all.

use std::mem;
use std::sync::{Arc, Mutex};

use super::entry::{Entry, Ownership};
use super::layer::Item;
use super::tree::{Draft, Node, Tree, locked};
use super::{RegistryError, RegistryFault};

/// One registration.
pub(super) struct Op {
    pub(super) node: Arc<Node>,
    pub(super) what: Registered,
}

pub(super) enum Registered {
    Tools(Vec<Arc<Entry>>),
    Item(Arc<Item>),
}

impl Op {
    pub(super) fn ids(&self) -> Vec<u64> {
        match &self.what {
            Registered::Tools(entries) => entries.iter().map(|entry| entry.id).collect(),
            Registered::Item(item) => vec![item.id],
        }
    }

    /// Puts it where it belongs.
    pub(super) fn apply(&self, draft: &mut Draft) -> Result<(), RegistryError> {
        let entries = match &self.what {
            Registered::Item(item) => {
                draft.state_mut(&self.node).push(Arc::clone(item));
                return Ok(());
            }
            Registered::Tools(entries) => entries,
        };
        let mut faults = Vec::new();
        for entry in entries {
            let other = draft.look(&self.node, |state| state.tool(entry.name()).cloned());
            if let Some(other) = other {
                faults.push(taken(&self.node, entry, &other));
                continue;
            }
            for need in &entry.needs {
                if !draft.has_state(&self.node, need) {
                    faults.push(RegistryFault::ScopeState {
                        name: entry.name().to_owned(),
                        place: entry.place(),
                        state: need.name,
                        scope: self.node.name.to_string(),
                    });
                }
            }
            draft.state_mut(&self.node).insert(entry);
        }
        if faults.is_empty() { Ok(()) } else { Err(RegistryError::registering(faults)) }
    }

    /// Takes out what has one of the ids.
    fn remove(&mut self, ids: &[u64]) -> Vec<Arc<Entry>> {
        match &mut self.what {
            Registered::Tools(entries) => entries.extract_if(.., |entry| ids.contains(&entry.id)).collect(),
            Registered::Item(_) => Vec::new(),
        }
    }
}

fn taken(node: &Node, entry: &Entry, other: &Entry) -> RegistryFault {
    let (name, scope) = (entry.name().to_owned(), node.name.to_string());
    if entry.owner.id == other.owner.id {
        RegistryFault::Again { name, scope, owner: entry.owner.name.to_string(), place: other.place() }
    } else {
        RegistryFault::Taken {
            name,
            scope,
            owner: other.owner.name.to_string(),
            place: other.place(),
            second_owner: entry.owner.name.to_string(),
            second_place: entry.place(),
        }
    }
}

/// What an owner's set-up has registered so far.
pub(super) struct Staging {
    owner: Arc<Ownership>,
    phase: Mutex<Phase>,
}

enum Phase {
    /// The registrations, and the tree as it would be with them.
    Open(Vec<Op>, Option<Draft>),
    Committed,
    Aborted,
}

/// What is done with, to be dropped after the lock: the last of a user's may be in it.
#[derive(Default)]
struct Thrown {
    drafts: Vec<Draft>,
    nodes: Vec<Arc<Node>>,
}

/// Where an owner's registrations may be.
pub(super) type Old<'a> = dyn Fn() -> Vec<Arc<Node>> + 'a;

/// What became of a registration that was to be staged.
pub(super) enum Staged {
    /// It waits for the others.
    Held,
    /// The others are in force already; this one is to be made at once.
    Live(Op),
    /// The set-up was given up.
    Over,
}

impl Staging {
    pub(super) fn new(owner: &Arc<Ownership>) -> Arc<Self> {
        Arc::new(Self { owner: Arc::clone(owner), phase: Mutex::new(Phase::Open(Vec::new(), None)) })
    }

    /// Holds a registration back, after checking it as if the others were in force.
    pub(super) fn add(&self, tree: &Tree, old: &Old<'_>, op: Op) -> Result<Staged, RegistryError> {
        let mut thrown = Thrown::default();
        let mut phase = locked(&self.phase);
        let (ops, draft) = match &mut *phase {
            Phase::Open(ops, draft) => (ops, draft),
            Phase::Committed => return Ok(Staged::Live(op)),
            Phase::Aborted => return Ok(Staged::Over),
        };
        let checked = self.current(tree, old, ops, draft, &mut thrown).and_then(|now| op.apply(now));
        if let Err(error) = checked {
            // A draft that a fault leaves half-made is no draft.
            thrown.drafts.extend(draft.take());
            return Err(error);
        }
        ops.push(op);
        Ok(Staged::Held)
    }

    /// Looks at the tree as it would be with what is held.
    ///
    /// # Errors
    /// Fails if the set-up was given up, or if what is held cannot stand any more.
    pub(super) fn look(
        &self,
        tree: &Tree,
        old: &Old<'_>,
        look: &mut dyn FnMut(&Draft),
    ) -> Result<(), RegistryError> {
        let mut thrown = Thrown::default();
        let mut phase = locked(&self.phase);
        match &mut *phase {
            Phase::Open(ops, draft) => look(self.current(tree, old, ops, draft, &mut thrown)?),
            Phase::Committed => tree.consider(|draft| look(draft)).0,
            Phase::Aborted => return Err(super::owner::over(&self.owner.name)),
        }
        Ok(())
    }

    /// The draft that is kept, or another if the tree has changed since: the tree without the owner's old registrations and
    /// with the new ones.
    fn current<'a>(
        &self,
        tree: &Tree,
        old: &Old<'_>,
        ops: &[Op],
        kept: &'a mut Option<Draft>,
        thrown: &mut Thrown,
    ) -> Result<&'a mut Draft, RegistryError> {
        if kept.as_ref().is_some_and(|draft| draft.at != tree.now()) {
            thrown.drafts.extend(kept.take());
        }
        if kept.is_none() {
            let (result, draft) = tree.consider(|draft| self.replace(draft, old, ops, thrown));
            match result {
                Ok(()) => *kept = Some(draft),
                Err(error) => {
                    thrown.drafts.push(draft);
                    return Err(error);
                }
            }
        }
        Ok(kept.get_or_insert_default())
    }

    fn replace(
        &self,
        draft: &mut Draft,
        old: &Old<'_>,
        ops: &[Op],
        thrown: &mut Thrown,
    ) -> Result<(), RegistryError> {
        // Asked for in the writer's turn: another set-up of the same owner may have ended just now.
        thrown.nodes = old();
        for node in &thrown.nodes {
            draft.take(node, |_, owner| owner.id == self.owner.id);
        }
        ops.iter().try_for_each(|op| op.apply(draft))
    }

    /// Puts everything into force at once.
    pub(super) fn commit(&self, tree: &Tree, old: &Old<'_>) -> Result<(), RegistryError> {
        let mut thrown = Thrown::default();
        let mut made = Draft::default();
        let mut phase = locked(&self.phase);
        let Phase::Open(ops, draft) = &mut *phase else { return Ok(()) };
        thrown.drafts.extend(draft.take());
        let done = tree.change_quietly(&mut made, |draft| self.replace(draft, old, ops, &mut thrown))?;
        let held = mem::replace(&mut *phase, Phase::Committed);
        drop(phase);
        drop((held, made, thrown));
        tree.settle(done);
        Ok(())
    }

    /// Gives it up: nothing of it comes into force, the last registered goes first.
    pub(super) fn abort(&self) {
        let phase = {
            let mut phase = locked(&self.phase);
            if !matches!(*phase, Phase::Open(..)) {
                return;
            }
            mem::replace(&mut *phase, Phase::Aborted)
        };
        if let Phase::Open(mut ops, draft) = phase {
            drop(draft);
            while let Some(mut op) = ops.pop() {
                if let Registered::Tools(entries) = &mut op.what {
                    while let Some(entry) = entries.pop() {
                        drop(entry);
                    }
                }
            }
        }
    }

    /// Takes back what is held; whether it was.
    pub(super) fn take(&self, ids: &[u64]) -> bool {
        // All of it is dropped after the lock.
        let mut gone = Vec::new();
        let mut entries = Vec::new();
        let mut drafts = Vec::new();
        if let Phase::Open(ops, draft) = &mut *locked(&self.phase) {
            for mut op in mem::take(ops) {
                let whole = match &op.what {
                    Registered::Tools(_) => {
                        entries.extend(op.remove(ids));
                        matches!(&op.what, Registered::Tools(left) if left.is_empty())
                    }
                    Registered::Item(item) => ids.contains(&item.id),
                };
                if whole { gone.push(op) } else { ops.push(op) }
            }
            if !(gone.is_empty() && entries.is_empty()) {
                drafts.extend(draft.take());
            }
        }
        !(gone.is_empty() && entries.is_empty())
    }

    pub(super) fn holds(&self, ids: &[u64]) -> bool {
        match &*locked(&self.phase) {
            Phase::Open(ops, _) => ops.iter().any(|op| op.ids().iter().any(|id| ids.contains(id))),
            _ => false,
        }
    }
}
