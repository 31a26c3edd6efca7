//! A step: what is listed once, and the calls that answer it.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::entry::Entry;
use super::tree::Node;
use super::view::{Seen, View, VisibilityContext, hidden_by_rules, shown, shown_since};
use crate::tool::{StateMap, Tool, Values};

/// One listing of a scope and the calls that answer it.
///
/// What came later is not seen by it; what has gone since, or is hidden now, cannot be called by it any more.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, ToolCall, tool};
///
/// /// Tells the time.
/// #[tool(effect = read)]
/// fn now() -> String {
///     "12:00".to_owned()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().build()?;
/// let handle = registry.register::<now>()?;
/// let step = registry.step();
/// assert_eq!(step.definitions().len(), 1);
/// assert_eq!(step.call(ToolCall::new("1", "now", "{}")).await.text(), r#""12:00""#);
/// handle.remove();
/// assert_eq!(step.call(ToolCall::new("2", "now", "{}")).await.text(), r#"Error: unknown tool "now""#);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Step {
    pub(crate) node: Arc<Node>,
    view: View,
    pub(crate) values: Values,
}

impl Step {
    pub(super) fn new(node: &Arc<Node>, values: Values) -> Self {
        let seen = node.seen();
        let hidden = hidden_by_rules(&seen, &context(node, &seen, &values));
        Self { node: Arc::clone(node), view: View::new(seen, hidden), values }
    }

    /// The definitions of the step, sorted by name.
    pub fn definitions(&self) -> &View {
        &self.view
    }

    /// One tool of the step.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.view.find(name).map(|entry| entry.tool())
    }

    pub(super) fn into_view(self) -> View {
        self.view
    }

    /// The tool that a call of the step may run now: listed by the step, and seen by the scope still.
    pub(crate) fn callable(&self, name: &str) -> Option<(Arc<Entry>, Arc<StateMap>)> {
        let seen = self.node.seen();
        let entry = self.still(&seen, name)?;
        Some((Arc::clone(entry), seen.states().under(self.values.map())))
    }

    fn still<'a>(&self, seen: &'a Seen, name: &str) -> Option<&'a Arc<Entry>> {
        let listed = self.view.find(name)?;
        let entry = seen.find(name)?;
        // What was replaced by its like was neither removed nor hidden.
        let same = entry.id == listed.id
            || entry.tool().definition().fingerprint() == listed.tool().definition().fingerprint();
        let context = context(&self.node, seen, &self.values);
        (same && shown_since(&self.view.seen, seen, entry, &context)).then_some(entry)
    }

    /// A name that is nearly so and that a call of the step could have.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        let seen = self.node.seen();
        let names: Vec<&str> = self
            .view
            .entries()
            .map(|entry| entry.name())
            .filter(|name| self.still(&seen, name).is_some())
            .collect();
        crate::value::nearest(name, names)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step").field("tools", &self.view).finish_non_exhaustive()
    }
}

fn context<'a>(node: &'a Node, seen: &'a Seen, values: &'a Values) -> VisibilityContext<'a> {
    VisibilityContext { scope: &node.name, session: values.map(), states: seen.states() }
}

impl Node {
    /// The tool that a call outside of any step may run.
    #[inline]
    pub(crate) fn callable(self: &Arc<Self>, name: &str) -> Option<(Arc<Entry>, Arc<StateMap>)> {
        let seen = self.seen();
        let entry = seen.find(name)?;
        if seen.has_rules() && !shown(&seen, entry, &context(self, &seen, &Values::new())) {
            return None;
        }
        Some((Arc::clone(entry), Arc::clone(seen.states())))
    }
}

impl View {
    fn new(seen: Arc<Seen>, hidden: Option<HashSet<u64>>) -> Self {
        let hidden = hidden.filter(|hidden| !hidden.is_empty()).map(Arc::new);
        Self { seen, hidden }
    }
}
