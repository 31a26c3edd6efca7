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
use super::view::{VisibilityContext, VisibilityRule};
use crate::definition::ToolDefinition;
use crate::error::{Foreign, contained};
use crate::tool::StateNeed;

/// Everything that was registered in one scope, at one moment.
#[derive(Default)]
pub(crate) struct State {
    tools: Tools,
    items: Vec<Arc<Item>>,
    /// Made when it is first asked for; a draft may be asked, too, before more is put into it.
    layer: OnceLock<Arc<Layer>>,
}

/// Something that was registered and is no tool.
pub(crate) struct Item {
    pub(crate) id: u64,
    pub(crate) owner: Arc<Ownership>,
    pub(crate) what: Foreign<What>,
}

impl Item {
    pub(super) fn new(id: u64, owner: &Arc<Ownership>, what: What) -> Arc<Self> {
        Arc::new(Self { id, owner: Arc::clone(owner), what: Foreign::new(what) })
    }

    /// Whether a visibility rule shows a tool; `None` if it panics, which hides the tool.
    pub(super) fn shows(&self, tool: &ToolDefinition, context: &VisibilityContext<'_>) -> Option<bool> {
        match &*self.what {
            What::Visibility(rule) => contained(|| rule.is_visible(tool, context)),
            _ => Some(true),
        }
    }

    pub(super) fn is(&self, callback: &Callback) -> bool {
        matches!(&*self.what, What::Callback(own) if std::ptr::eq(Arc::as_ptr(own), callback))
    }
}

pub(crate) enum What {
    /// Hides tools that the scope inherits.
    Restriction(Restriction),
    /// Hides tools of the scope.
    Filter(Filter),
    /// Hides tools of its owner, wherever they are registered; stands in the global scope.
    OwnersFilter(Filter),
    /// Hides tools by the session.
    Visibility(Box<dyn VisibilityRule>),
    /// Takes part in calls; what it is, a later room knows.
    Extension(Extension),
    /// Is injected.
    State(TypeId, Arc<dyn Any + Send + Sync>),
    /// Is told of changes. Kept here so that it lives as long as its owner; the tree knows it weakly.
    Callback(Arc<Callback>),
}

/// Something that takes part in calls.
#[derive(Clone)]
pub(crate) struct Extension {
    pub(crate) kind: ExtensionKind,
    /// Lower ones are farther outside, within one scope.
    pub(crate) order: i32,
    /// A `Box` of the trait object that the kind stands for.
    pub(crate) value: Foreign<Arc<dyn Any + Send + Sync>>,
}

/// What takes part in calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExtensionKind {
    Gate,
    Guard,
    Middleware,
    ResultHook,
    ContentHook,
    Observer,
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

    /// By name.
    pub(super) fn tools(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.tools.iter()
    }

    pub(super) fn tool(&self, name: &str) -> Option<&Arc<Entry>> {
        self.tools.get(name)
    }

    pub(super) fn insert(&mut self, entry: &Arc<Entry>) {
        self.tools.insert(Arc::clone(entry));
        self.layer.take();
    }

    pub(super) fn push(&mut self, item: Arc<Item>) {
        self.items.push(item);
    }

    pub(super) fn has_state(&self, need: &StateNeed) -> bool {
        self.items.iter().any(|item| matches!(&*item.what, What::State(id, _) if need.is(*id)))
    }

    /// Whether `goes` says it of anything.
    pub(super) fn any(&self, goes: &impl Fn(u64, &Arc<Ownership>) -> bool) -> bool {
        self.items.iter().any(|item| goes(item.id, &item.owner))
            || self.tools.iter().any(|entry| goes(entry.id, &entry.owner))
    }

    /// Takes away what `goes` says, and hands it over.
    pub(super) fn take(&mut self, goes: impl Fn(u64, &Arc<Ownership>) -> bool) -> Vec<Removed> {
        let mut removed: Vec<Removed> =
            self.tools.take(|entry| goes(entry.id, &entry.owner)).into_iter().map(Removed::Tool).collect();
        self.layer.take();
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
    /// No call of it begins any more.
    pub(super) fn close(&self) {
        if let Self::Tool(entry) = self
            && let Some(runs) = &entry.runs
        {
            runs.close();
        }
    }

    pub(super) fn id(&self) -> u64 {
        match self {
            Self::Tool(entry) => entry.id,
            Self::Item(item) => item.id,
        }
    }
}

/// Tools by name. Many are shared between states; the few latest stand beside them, so that registering one after another
/// does not copy all of them each time. What is taken away leaves nothing behind.
#[derive(Clone)]
struct Tools {
    base: Arc<[Arc<Entry>]>,
    /// What was registered since, by name.
    recent: Vec<Arc<Entry>>,
}

impl Default for Tools {
    fn default() -> Self {
        Self { base: Arc::new([]), recent: Vec::new() }
    }
}

impl Tools {
    fn is_empty(&self) -> bool {
        self.base.is_empty() && self.recent.is_empty()
    }

    fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        [&*self.base, &self.recent].into_iter().find_map(|list| list.get(place(list, name).ok()?))
    }

    /// Adds a tool whose name is not there.
    fn insert(&mut self, entry: Arc<Entry>) {
        let place = place(&self.recent, entry.name()).unwrap_or_else(|place| place);
        self.recent.insert(place, entry);
        // The cost of copying is least where the two lists weigh alike.
        if self.recent.len() > self.base.len().isqrt().max(32) {
            *self = Self { base: self.sorted(), recent: Vec::new() };
        }
    }

    /// Takes away what `goes` says, and hands it over.
    fn take(&mut self, goes: impl Fn(&Entry) -> bool) -> Vec<Arc<Entry>> {
        let mut taken: Vec<Arc<Entry>> = self.recent.extract_if(.., |entry| goes(entry)).collect();
        if self.base.iter().any(|entry| goes(entry)) {
            let (going, staying): (Vec<_>, Vec<_>) =
                self.base.iter().map(Arc::clone).partition(|entry| goes(entry));
            self.base = staying.into();
            taken.extend(going);
        }
        taken
    }

    fn sorted(&self) -> Arc<[Arc<Entry>]> {
        if self.recent.is_empty() { Arc::clone(&self.base) } else { self.iter().map(Arc::clone).collect() }
    }

    /// By name.
    fn iter(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let mut base = self.base.iter().peekable();
        let mut recent = self.recent.iter().peekable();
        std::iter::from_fn(move || match (base.peek(), recent.peek()) {
            (Some(old), Some(new)) if new.name() < old.name() => recent.next(),
            (Some(_), _) => base.next(),
            (None, _) => recent.next(),
        })
    }
}

fn place(sorted: &[Arc<Entry>], name: &str) -> Result<usize, usize> {
    sorted.binary_search_by(|entry| entry.name().cmp(name))
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
