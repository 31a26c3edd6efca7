//! Many registrations that come into force at once, or not at all.

use std::mem;
use std::sync::{Arc, Mutex};

use super::entry::{Entry, Ownership};
use super::layer::{Item, What};
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

    /// What keeps it from being put where it belongs.
    pub(super) fn faults(&self, draft: &Draft) -> Vec<RegistryFault> {
        let Registered::Tools(entries) = &self.what else { return Vec::new() };
        let mut faults = Vec::new();
        for entry in entries {
            if let Some(other) = draft.look(&self.node, |state| state.tool(entry.name()).cloned()) {
                faults.push(taken(&self.node, entry, &other));
                continue;
            }
            let missing = entry.needs.iter().filter(|need| !draft.has_state(&self.node, need));
            faults.extend(missing.map(|need| RegistryFault::ScopeState {
                name: entry.name().to_owned(),
                place: entry.place(),
                state: need.name,
                scope: self.node.name.to_string(),
            }));
        }
        faults
    }

    /// Puts it where it belongs, or nothing of it.
    pub(super) fn apply(&self, draft: &mut Draft) -> Result<(), RegistryError> {
        let faults = self.faults(draft);
        if !faults.is_empty() {
            return Err(RegistryError::registering(faults));
        }
        match &self.what {
            Registered::Item(item) => draft.state_mut(&self.node).push(Arc::clone(item)),
            Registered::Tools(entries) => {
                let state = draft.state_mut(&self.node);
                for entry in entries {
                    state.insert(entry);
                }
            }
        }
        Ok(())
    }

    /// What is left to do once it is in force.
    pub(super) fn entered(&self, tree: &Tree) {
        if let Registered::Item(item) = &self.what
            && let What::Callback(callback) = &*item.what
        {
            tree.callbacks.add(callback);
        }
    }

    /// Takes out what has one of the ids; `None` if it has none of them.
    fn remove(&mut self, ids: &[u64]) -> Option<Vec<Arc<Entry>>> {
        match &mut self.what {
            Registered::Tools(entries) => {
                let gone: Vec<Arc<Entry>> = entries.extract_if(.., |entry| ids.contains(&entry.id)).collect();
                (!gone.is_empty()).then_some(gone)
            }
            Registered::Item(item) => ids.contains(&item.id).then(Vec::new),
        }
    }

    fn is_whole(&self) -> bool {
        !matches!(&self.what, Registered::Tools(entries) if entries.is_empty())
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
        let mut waste = Waste::default();
        let mut phase = locked(&self.phase);
        let (ops, draft) = match &mut *phase {
            Phase::Open(ops, draft) => (ops, draft),
            Phase::Committed => return Ok(Staged::Live(op)),
            Phase::Aborted => return Ok(Staged::Over),
        };
        op.apply(self.current(tree, old, ops, draft, &mut waste))?;
        ops.push(op);
        Ok(Staged::Held)
    }

    /// Looks at the tree as it would be with what is held.
    ///
    /// # Errors
    /// Fails if the set-up was given up.
    pub(super) fn look(
        &self,
        tree: &Tree,
        old: &Old<'_>,
        look: &mut dyn FnMut(&Draft),
    ) -> Result<(), RegistryError> {
        let mut waste = Waste::default();
        let mut phase = locked(&self.phase);
        match &mut *phase {
            Phase::Open(ops, draft) => look(self.current(tree, old, ops, draft, &mut waste)),
            Phase::Committed => tree.consider(put(&mut waste.drafts, Draft::default()), |draft| look(draft)),
            Phase::Aborted => return Err(super::owner::over(&self.owner.name)),
        }
        Ok(())
    }

    /// The tree without the owner's old registrations and with the new ones. Those that cannot stand beside what others have
    /// registered meanwhile are left out; it is the commit that says so.
    fn current<'a>(
        &self,
        tree: &Tree,
        old: &Old<'_>,
        ops: &[Op],
        draft: &'a mut Option<Draft>,
        waste: &mut Waste,
    ) -> &'a mut Draft {
        if draft.as_ref().is_none_or(|draft| draft.at != tree.now()) {
            if let Some(old) = draft.take() {
                waste.drafts.push(old);
            }
            let new = draft.get_or_insert_default();
            tree.consider(new, |draft| {
                waste.nodes = self.take_old(draft, old);
                for op in ops {
                    _ = op.apply(draft);
                }
            });
        }
        draft.get_or_insert_default()
    }

    /// Takes away the owner's old registrations; where they may have been.
    fn take_old(&self, draft: &mut Draft, old: &Old<'_>) -> Vec<Arc<Node>> {
        // Asked for in the writer's turn: another set-up of the same owner may have ended just now.
        let nodes = old();
        for node in &nodes {
            draft.take(node, |_, owner| owner.id == self.owner.id);
        }
        nodes
    }

    /// Puts everything into force at once.
    pub(super) fn commit(&self, tree: &Tree, old: &Old<'_>) -> Result<(), RegistryError> {
        let mut waste = Waste::default();
        let mut phase = locked(&self.phase);
        let Phase::Open(ops, _) = &mut *phase else { return Ok(()) };
        let Waste { drafts, nodes } = &mut waste;
        let done = tree.change_quietly(put(drafts, Draft::default()), |draft| {
            *nodes = self.take_old(draft, old);
            ops.iter().try_for_each(|op| op.apply(draft))
        })?;
        let phase = {
            let committed = mem::replace(&mut *phase, Phase::Committed);
            drop(phase);
            committed
        };
        if let Phase::Open(ops, _) = &phase {
            for op in ops {
                op.entered(tree);
            }
        }
        drop((phase, waste));
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
        if let Phase::Open(ops, draft) = phase {
            give_up(ops, draft);
        }
    }

    /// Gives up what is held so far, for a set-up that begins anew; how many things that was. `None` once it is in force.
    pub(super) fn clear(&self) -> Option<usize> {
        let (ops, draft) = match &mut *locked(&self.phase) {
            Phase::Open(ops, draft) => (mem::take(ops), draft.take()),
            Phase::Committed => return None,
            Phase::Aborted => return Some(0),
        };
        let count = ops.iter().map(|op| op.ids().len()).sum();
        give_up(ops, draft);
        Some(count)
    }

    /// Takes back what is held; whether it was.
    pub(super) fn take(&self, ids: &[u64]) -> bool {
        let mut gone = Vec::new();
        let mut waste = Waste::default();
        let mut found = false;
        if let Phase::Open(ops, draft) = &mut *locked(&self.phase) {
            for mut op in mem::take(ops) {
                let Some(entries) = op.remove(ids) else {
                    ops.push(op);
                    continue;
                };
                found = true;
                let is_left = !entries.is_empty() && op.is_whole();
                gone.extend(
                    entries
                        .into_iter()
                        .map(|entry| Op { node: Arc::clone(&op.node), what: Registered::Tools(vec![entry]) }),
                );
                if is_left { ops.push(op) } else { gone.push(op) }
            }
            if found && let Some(old) = draft.take() {
                waste.drafts.push(old);
            }
        }
        drop(waste);
        give_up(gone, None);
        found
    }

    /// Whether it is in force, so that its owner is the owner of what is there.
    pub(super) fn is_committed(&self) -> bool {
        matches!(*locked(&self.phase), Phase::Committed)
    }

    pub(super) fn holds(&self, ids: &[u64]) -> bool {
        match &*locked(&self.phase) {
            Phase::Open(ops, _) => ops.iter().any(|op| op.ids().iter().any(|id| ids.contains(id))),
            Phase::Committed | Phase::Aborted => false,
        }
    }
}

/// What is dropped after the lock, since they may hold the last of a user's values. It is declared before the lock
/// is taken.
#[derive(Default)]
struct Waste {
    drafts: Vec<Draft>,
    nodes: Vec<Arc<Node>>,
}

fn put(drafts: &mut Vec<Draft>, draft: Draft) -> &mut Draft {
    drafts.push(draft);
    let last = drafts.len() - 1;
    &mut drafts[last]
}

/// Lets go of registrations, the last one first.
fn give_up(mut ops: Vec<Op>, draft: Option<Draft>) {
    drop(draft);
    while let Some(mut op) = ops.pop() {
        if let Registered::Tools(entries) = &mut op.what {
            while let Some(entry) = entries.pop() {
                drop(entry);
            }
        }
    }
}
