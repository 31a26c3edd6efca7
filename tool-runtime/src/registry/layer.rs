//! What one scope holds itself: its tools, and the rules that stand in it.
//!
//! Architecture invariant: a state never changes; a change makes another.

use std::any::{Any, TypeId};
use std::sync::{Arc, OnceLock};

use super::callback::Callback;
use super::entry::{Entry, Ownership};
use super::filter::Filter;
use super::index::{Hashed, Index};
use super::restriction::Restriction;
use super::view::VisibilityRule;
use crate::tool::StateNeed;

/// Everything that was registered in one scope, at one moment.
#[derive(Default)]
pub(crate) struct State {
    tools: Tools,
    items: Vec<Arc<Item>>,
    layer: OnceLock<Arc<Layer>>,
}

/// Something that was registered and is no tool.
pub(crate) struct Item {
    pub(crate) id: u64,
    pub(crate) owner: Arc<Ownership>,
    pub(crate) what: What,
}

pub(crate) enum What {
    /// Hides tools that the scope inherits.
    Restriction(Restriction),
    /// Hides tools of the scope.
    Filter(Filter),
    /// Hides tools of its owner, wherever they are registered; stands in the global scope.
    OwnersFilter(Filter),
    /// Hides tools by the session.
    Visibility(Arc<dyn VisibilityRule>),
    /// Is injected.
    State(TypeId, Arc<dyn Any + Send + Sync>),
    /// Is told of changes. Kept here so that it lives as long as its owner.
    Callback(#[expect(dead_code, reason = "held, not read: the tree knows it weakly")] Arc<Callback>),
}

impl State {
    /// The state of a scope into which many tools come at once, sorted by name and without a name twice.
    pub(super) fn of_sorted(tools: Vec<Arc<Entry>>, items: Vec<Arc<Item>>) -> Self {
        let tools = Tools { base: tools.into(), recent: Vec::new() };
        Self { tools, items, layer: OnceLock::new() }
    }

    /// Another state to begin with.
    pub(super) fn again(&self) -> Self {
        Self { tools: self.tools.clone(), items: self.items.clone(), layer: OnceLock::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty() && self.tools.is_empty()
    }

    pub(super) fn items(&self) -> &[Arc<Item>] {
        &self.items
    }

    pub(super) fn has_tools(&self) -> bool {
        !self.tools.is_empty()
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Arc<Entry>> {
        self.tools.get(name)
    }

    pub(super) fn insert(&mut self, entry: &Arc<Entry>) {
        self.tools.set(Arc::clone(entry), true);
    }

    pub(super) fn push(&mut self, item: Arc<Item>) {
        self.items.push(item);
    }

    pub(super) fn has_state(&self, need: &StateNeed) -> bool {
        self.items.iter().any(|item| matches!(&item.what, What::State(id, _) if need.is(*id)))
    }

    /// Whether `goes` says it of anything.
    pub(super) fn any(&self, goes: &impl Fn(u64, &Arc<Ownership>) -> bool) -> bool {
        self.items.iter().any(|item| goes(item.id, &item.owner))
            || self.tools.iter().any(|entry| goes(entry.id, &entry.owner))
    }

    /// Takes away what `goes` says, and hands it over.
    pub(super) fn take(&mut self, goes: impl Fn(u64, &Arc<Ownership>) -> bool) -> Vec<Removed> {
        let going = |entry: &&Arc<Entry>| goes(entry.id, &entry.owner);
        let gone: Vec<Arc<Entry>> = self.tools.iter().filter(going).map(Arc::clone).collect();
        if gone.len() > Tools::FEW {
            let stays = self.tools.iter().filter(|entry| !going(entry)).map(Arc::clone);
            self.tools = Tools { base: stays.collect(), recent: Vec::new() };
        } else {
            for entry in &gone {
                self.tools.set(Arc::clone(entry), false);
            }
        }
        let mut removed: Vec<Removed> = gone.into_iter().map(Removed::Tool).collect();
        self.items.retain(|item| {
            let stays = !goes(item.id, &item.owner);
            if !stays {
                removed.push(Removed::Item(Arc::clone(item)));
            }
            stays
        });
        removed
    }

    /// The tools as a view holds them.
    pub(super) fn layer(&self) -> &Arc<Layer> {
        self.layer.get_or_init(|| Arc::new(Layer { entries: self.tools.sorted(), index: OnceLock::new() }))
    }
}

/// What was taken away. The last reference to it, once views are rebuilt.
pub(crate) enum Removed {
    Tool(Arc<Entry>),
    Item(Arc<Item>),
}

impl Removed {
    pub(super) fn id(&self) -> u64 {
        match self {
            Self::Tool(entry) => entry.id,
            Self::Item(item) => item.id,
        }
    }
}

/// Tools by name. Many are shared between states; the few latest changes stand beside them, so that registering one after
/// another does not copy all of them each time.
#[derive(Clone)]
struct Tools {
    base: Arc<[Arc<Entry>]>,
    /// By name; what is registered since, or (`false`) taken away.
    recent: Vec<(Arc<Entry>, bool)>,
}

impl Default for Tools {
    fn default() -> Self {
        Self { base: Arc::new([]), recent: Vec::new() }
    }
}

impl Tools {
    /// So many changes are cheaper made one by one than all at once.
    const FEW: usize = 32;

    fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        if let Ok(place) = self.recent.binary_search_by(|(entry, _)| entry.name().cmp(name)) {
            return self.recent.get(place).and_then(|(entry, present)| present.then_some(entry));
        }
        let place = self.base.binary_search_by(|entry| entry.name().cmp(name)).ok()?;
        self.base.get(place)
    }

    fn set(&mut self, entry: Arc<Entry>, present: bool) {
        match self.recent.binary_search_by(|(other, _)| other.name().cmp(entry.name())) {
            Ok(place) => {
                if let Some(slot) = self.recent.get_mut(place) {
                    *slot = (entry, present);
                }
            }
            Err(place) => self.recent.insert(place, (entry, present)),
        }
        // The cost of copying is least where the two lists weigh alike.
        if self.recent.len() > self.base.len().isqrt().max(Self::FEW) {
            *self = Self { base: self.sorted(), recent: Vec::new() };
        }
    }

    fn sorted(&self) -> Arc<[Arc<Entry>]> {
        if self.recent.is_empty() { Arc::clone(&self.base) } else { self.iter().map(Arc::clone).collect() }
    }

    /// By name.
    fn iter(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let mut base = self.base.iter().peekable();
        let mut recent = self.recent.iter().peekable();
        std::iter::from_fn(move || {
            loop {
                let next = match (base.peek(), recent.peek()) {
                    (None, None) => return None,
                    (Some(_), None) => return base.next(),
                    (Some(old), Some((new, _))) if old.name() < new.name() => return base.next(),
                    (Some(old), Some((new, _))) if old.name() == new.name() => {
                        base.next();
                        recent.next()
                    }
                    _ => recent.next(),
                };
                if let Some((entry, true)) = next {
                    return Some(entry);
                }
            }
        })
    }
}

/// The tools of one scope, sorted by name, with an index that is made when it is first asked.
pub(super) struct Layer {
    entries: Arc<[Arc<Entry>]>,
    index: OnceLock<Index>,
}

impl Layer {
    pub(super) fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    #[inline]
    pub(super) fn find(&self, name: Hashed<'_>) -> Option<(usize, &Arc<Entry>)> {
        self.index.get_or_init(|| Index::of(&self.entries)).find(name, &self.entries)
    }
}
