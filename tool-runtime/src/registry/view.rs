//! What one scope sees at one moment.
//!
//! Architecture invariant: a view is bit sets over the layers of the scopes on its chain, which it shares; each step of
//! building one only narrows, but for a scope's own tools.

use std::any::Any;
use std::collections::HashSet;
use std::fmt;
use std::iter::FusedIterator;
use std::sync::Arc;

use super::entry::Entry;
use super::filter::Filter;
use super::index::Hashed;
use super::layer::{Extension, Item, State, What};
use super::segment::{Entries, Segment};
use crate::definition::ToolDefinition;
use crate::tool::{StateMap, Tool};
use crate::value::nearest;

/// What one scope sees at one moment: its definitions, sorted by name. It never changes. Cheap to clone.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, tool};
///
/// /// Tells the time.
/// #[tool(effect = read)]
/// fn now() {}
///
/// let registry = Registry::builder().register::<now>().build()?;
/// let view = registry.definitions();
/// assert_eq!(view.len(), 1);
/// for definition in &view {
///     assert_eq!(definition.name(), "now");
/// }
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
#[derive(Clone)]
pub struct View {
    pub(super) seen: Arc<Seen>,
    /// What the rules of the scope hide, by the entries' numbers.
    pub(super) hidden: Option<Arc<HashSet<u64>>>,
}

pub(crate) struct Seen {
    /// Farthest scope first. A name is visible in at most one.
    segments: Box<[Segment]>,
    /// How many tools are visible.
    count: usize,
    states: Arc<StateMap>,
    rules: Arc<[Arc<Item>]>,
    /// What takes part in calls, outermost first; most often nothing does.
    extensions: Option<Arc<[Extension]>>,
    /// Filters of owners, which go with their tools into every scope.
    owners: Arc<[(u64, Filter)]>,
}

/// A rule that hides tools by the session, see [`Scope::visibility`](super::Scope::visibility).
///
/// Every function of these arguments is one. It is asked once per step for each tool that is visible otherwise, in the scope that it was
/// given to and in those that inherit from it, their own tools included. It must be quick, and where it panics the tool is
/// hidden.
pub trait VisibilityRule: Send + Sync + 'static {
    /// Whether the tool is visible.
    fn is_visible(&self, tool: &ToolDefinition, context: &VisibilityContext<'_>) -> bool;
}

impl<F> VisibilityRule for F
where
    F: Fn(&ToolDefinition, &VisibilityContext<'_>) -> bool + Send + Sync + 'static,
{
    fn is_visible(&self, tool: &ToolDefinition, context: &VisibilityContext<'_>) -> bool {
        self(tool, context)
    }
}

/// What a [`VisibilityRule`] decides by: the values of the session, of the scope and of the registry.
#[derive(Debug)]
pub struct VisibilityContext<'a> {
    pub(super) scope: &'a str,
    pub(super) session: &'a StateMap,
    pub(super) states: &'a StateMap,
}

impl VisibilityContext<'_> {
    /// The name of the scope that is looked at.
    pub fn scope(&self) -> &str {
        self.scope
    }

    /// A value by its type: the session's, else the nearest scope's, else the registry's.
    pub fn value<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.session.get().or_else(|| self.states.get())
    }
}

impl View {
    /// How many tools are visible.
    pub fn len(&self) -> usize {
        self.seen.count - self.hidden.as_ref().map_or(0, |hidden| hidden.len())
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The definitions, sorted by name.
    pub fn iter(&self) -> Definitions<'_> {
        Definitions(self.entries())
    }

    /// The tools, sorted by name.
    pub fn tools(&self) -> impl ExactSizeIterator<Item = &Tool> {
        self.entries().map(|entry| entry.tool())
    }

    /// The definition of one tool.
    pub fn get(&self, name: &str) -> Option<&ToolDefinition> {
        self.find(name).map(|entry| entry.tool().definition())
    }

    /// The name of a visible tool that is nearly called so.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.entries().map(|entry| entry.name()))
    }

    pub(super) fn entries(&self) -> Entries<'_> {
        self.seen.entries().without(self.hidden.as_deref())
    }

    pub(super) fn find(&self, name: &str) -> Option<&Arc<Entry>> {
        let entry = self.seen.find(name)?;
        self.hidden.as_ref().is_none_or(|hidden| !hidden.contains(&entry.id)).then_some(entry)
    }
}

impl<'a> IntoIterator for &'a View {
    type Item = &'a ToolDefinition;
    type IntoIter = Definitions<'a>;

    fn into_iter(self) -> Definitions<'a> {
        self.iter()
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(ToolDefinition::name)).finish()
    }
}

/// The definitions of a [`View`], sorted by name.
#[derive(Debug, Clone)]
pub struct Definitions<'a>(Entries<'a>);

impl<'a> Iterator for Definitions<'a> {
    type Item = &'a ToolDefinition;

    fn next(&mut self) -> Option<&'a ToolDefinition> {
        self.0.next().map(|entry| entry.tool().definition())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Definitions<'_> {}
impl FusedIterator for Definitions<'_> {}

impl Seen {
    /// What a scope sees in which nothing is registered.
    pub(super) fn nothing() -> Self {
        Self {
            segments: Box::new([]),
            count: 0,
            states: Arc::default(),
            rules: Arc::new([]),
            extensions: None,
            owners: Arc::new([]),
        }
    }

    /// What a scope sees that holds `state` and inherits `self`; `None` if it sees just the same.
    pub(super) fn with(&self, state: &State) -> Option<Self> {
        if state.is_empty() {
            return None;
        }
        let mut segments = self.segments.to_vec();
        let mut states = Arc::clone(&self.states);
        let mut rules = Vec::new();
        let mut extensions = Vec::new();
        let mut owners = Vec::new();
        let mut filters = Vec::new();
        for item in state.items() {
            match &*item.what {
                What::Restriction(restriction) => {
                    for segment in &mut segments {
                        segment.restrict(restriction.allowed(), restriction.denied());
                    }
                }
                What::Filter(filter) => filters.push(filter),
                What::OwnersFilter(filter) => owners.push((item.owner.id, filter.clone())),
                What::Visibility(_) => rules.push(Arc::clone(item)),
                What::Extension(extension) => extensions.push(extension.clone()),
                What::State(id, value) => Arc::make_mut(&mut states).set(*id, Arc::clone(value)),
                What::Callback(_) => {}
            }
        }
        let owners: Arc<[(u64, Filter)]> = joined(&self.owners, owners);
        if state.has_tools() {
            let layer = state.layer();
            for segment in &mut segments {
                segment.shadow(layer);
            }
            let mut own = Segment::new(layer);
            if !owners.is_empty() {
                own.narrow(|entry| {
                    owners.iter().all(|(id, filter)| *id != entry.owner.id || filter.admits(entry))
                });
            }
            segments.push(own);
        }
        for segment in &mut segments {
            if !filters.is_empty() {
                segment.narrow(|entry| filters.iter().all(|filter| filter.admits(entry)));
            }
        }
        segments.retain(|segment| segment.count() > 0);
        let count = segments.iter().map(Segment::count).sum();
        // Stable, so that of one order the first registered is farther outside.
        extensions.sort_by_key(|extension| extension.order);
        let extensions = match &self.extensions {
            inherited if extensions.is_empty() => inherited.clone(),
            inherited => {
                Some(inherited.iter().flat_map(|all| all.iter()).cloned().chain(extensions).collect())
            }
        };
        let rules = joined(&self.rules, rules);
        Some(Self { segments: segments.into(), count, states, rules, extensions, owners })
    }

    /// Tools of a scope that inherits this which hide what it would see without them.
    pub(super) fn shadowed_by<'a>(&'a self, state: &'a State) -> impl Iterator<Item = &'a Arc<Entry>> {
        let restricted = |name: &str| {
            state.items().iter().any(
                |item| matches!(&*item.what, What::Restriction(restriction) if !restriction.admits(name)),
            )
        };
        state.tools().filter(move |entry| self.find(entry.name()).is_some() && !restricted(entry.name()))
    }

    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<Entry>> {
        let name = Hashed::of(name);
        for segment in self.segments.iter().rev() {
            if let Some(entry) = segment.find(name) {
                return Some(entry);
            }
        }
        None
    }

    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries::of(&self.segments, self.count)
    }

    pub(crate) fn states(&self) -> &Arc<StateMap> {
        &self.states
    }

    pub(crate) fn extensions(&self) -> Option<&Arc<[Extension]>> {
        self.extensions.as_ref()
    }

    pub(super) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The rules that stand here and did not stand there.
    pub(super) fn rules_since<'a>(&'a self, older: &'a Self) -> impl Iterator<Item = &'a Arc<Item>> {
        let is_old = |rule: &Arc<Item>| older.rules.iter().any(|old| Arc::ptr_eq(old, rule));
        let same = Arc::ptr_eq(&self.rules, &older.rules);
        self.rules.iter().filter(move |rule| !same && !is_old(rule))
    }
}

fn joined<T: Clone>(inherited: &Arc<[T]>, own: Vec<T>) -> Arc<[T]> {
    if own.is_empty() { Arc::clone(inherited) } else { inherited.iter().cloned().chain(own).collect() }
}

/// Names that a step's rules hide.
pub(super) fn hidden_by_rules(seen: &Seen, context: &VisibilityContext<'_>) -> Option<HashSet<u64>> {
    if seen.rules.is_empty() {
        return None;
    }
    Some(seen.entries().filter(|entry| !shown(seen, entry, context)).map(|entry| entry.id).collect())
}

/// Whether every rule shows a tool.
pub(super) fn shown(seen: &Seen, entry: &Entry, context: &VisibilityContext<'_>) -> bool {
    seen.rules.iter().all(|rule| rule.shows(entry.tool().definition(), context) == Some(true))
}
