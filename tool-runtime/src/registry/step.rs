//! A step: what is listed once, and the calls that answer it.

use std::fmt;
use std::sync::Arc;

use super::entry::Entry;
use super::layer::Extension;
use super::tree::Node;
use super::view::{Seen, View, VisibilityContext, hidden_by_rules, shown};
use crate::tool::{StateMap, Tool, Values};

/// A tool that a call may run, and what takes part in the call.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) entry: Arc<Entry>,
    pub(crate) states: Arc<StateMap>,
    pub(crate) extensions: Option<Arc<[Extension]>>,
}

/// One listing of a scope and the calls that answer it.
///
/// What came later is not seen by it; what has gone since, or is hidden now, cannot be called by it any more. Visibility rules are
/// asked when it is made, and their answer stays; one that comes later is asked when a tool is called.
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
    // Before the scope: what goes with it is not held by the view any more, and goes in its order.
    view: View,
    pub(crate) values: Values,
    pub(crate) node: Arc<Node>,
}

impl Step {
    pub(super) fn new(node: &Arc<Node>, values: Values) -> Self {
        let view = View::of(node, node.seen(), &values);
        Self { view, values, node: Arc::clone(node) }
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

    /// The tool that a call of the step may run now: listed by the step, and in the scope still.
    pub(crate) fn callable(&self, name: &str) -> Option<Found> {
        let seen = self.node.seen();
        let entry = self.live(&seen, name)?;
        Some(Found {
            entry: Arc::clone(entry),
            states: seen.states().under(self.values.map()),
            extensions: seen.extensions().cloned(),
        })
    }

    fn live<'a>(&self, seen: &'a Seen, name: &str) -> Option<&'a Arc<Entry>> {
        let listed = self.view.find(name)?;
        let entry = seen.find(name)?;
        // What was replaced by its like was neither removed nor hidden.
        let same = entry.id == listed.id
            || entry.tool().definition().fingerprint() == listed.tool().definition().fingerprint();
        let context = context(&self.node, seen, &self.values);
        let tool = entry.tool().definition();
        let shown = || seen.rules_since(&self.view.seen).all(|rule| rule.shows(tool, &context) == Some(true));
        (same && shown()).then_some(entry)
    }

    /// A name that is nearly so and that a call of the step could have.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        let seen = self.node.seen();
        let names = self.view.entries().map(|entry| entry.name());
        let names: Vec<&str> = names.filter(|name| self.live(&seen, name).is_some()).collect();
        crate::value::nearest(name, names)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step").field("tools", &self.view).finish_non_exhaustive()
    }
}

pub(super) fn context<'a>(node: &'a Node, seen: &'a Seen, values: &'a Values) -> VisibilityContext<'a> {
    VisibilityContext { scope: &node.name, session: values.map(), states: seen.states() }
}

/// What a scope lists outside of any step.
pub(crate) fn listed(node: &Arc<Node>) -> View {
    Step::new(node, Values::new()).into_view()
}

impl Node {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The tool that a call outside of any step may run.
    pub(crate) fn callable(self: &Arc<Self>, name: &str) -> Option<Found> {
        let look = |seen: &Arc<Seen>| {
            if seen.has_rules() {
                return Err(Arc::clone(seen));
            }
            let Some(entry) = seen.find(name) else { return Ok(None) };
            Ok(Some(seen.found(entry)))
        };
        match self.look(look) {
            Ok(found) => found,
            Err(seen) => self.callable_by_rules(&seen, name),
        }
    }

    #[cold]
    fn callable_by_rules(&self, seen: &Seen, name: &str) -> Option<Found> {
        let found = seen.found(seen.find(name)?);
        shown(seen, &found.entry, &context(self, seen, &Values::new())).then_some(found)
    }
}

impl Seen {
    #[inline]
    fn found(&self, entry: &Arc<Entry>) -> Found {
        let (entry, states) = (Arc::clone(entry), Arc::clone(self.states()));
        Found { entry, states, extensions: self.extensions().cloned() }
    }
}

impl View {
    /// What a scope sees, less what its rules hide from a conversation.
    pub(super) fn of(node: &Node, seen: Arc<Seen>, values: &Values) -> Self {
        let hidden = hidden_by_rules(&seen, &context(node, &seen, values));
        let hidden = hidden.filter(|hidden| !hidden.is_empty()).map(Arc::new);
        Self { seen, hidden }
    }
}
