//! What is around a call: where it is made, and the conversation that it belongs to.

use std::any::Any;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::shared::Shared;
use crate::output::{CallOutput, ContentBlock};
use crate::registry::{Found, Node, Step};
use crate::tool::{BoxFuture, Elicitation, Elicited, Values};

/// What holds something back for as long as a call runs: permits and keys.
pub(crate) type Held = Vec<Box<dyn Any + Send>>;

/// Where calls are made.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) node: Arc<Node>,
    /// The step that the calls answer; without one, the scope as it is now.
    pub(crate) step: Option<Arc<Step>>,
    pub(crate) conversation: Option<Arc<dyn Conversation>>,
    /// The signal that no more of these calls are to start.
    pub(crate) abort: Option<CancellationToken>,
    /// Whether each of the calls takes one of the conversation's permits.
    pub(crate) bounded: bool,
    /// Whether the calls go to the background as soon as they have begun.
    pub(crate) at_once: bool,
    /// Values of these calls alone, before those of the conversation.
    pub(crate) values: Option<Arc<Values>>,
}

/// Where one call is made: most often in a scope, without anything around it.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Scope(&'a Arc<Node>),
    Site(&'a Site),
}

/// What calls need of the conversation that they belong to, which stands in a later room.
pub(crate) trait Conversation: Send + Sync {
    /// The signal that everything of the conversation is to end.
    fn closing(&self) -> CancellationToken;
    /// A call is known to others than who made it.
    fn joined(&self, call: &Arc<Shared>);
    /// A tool that the conversation itself offers.
    fn tool(&self, name: &str) -> Option<Found>;
    /// Makes room for one more call that goes on in the background; `None` if calls do not.
    fn reserve(&self) -> Option<Result<Box<dyn Background>, usize>>;
    /// Waits for a key, on behalf of a call, and tells of it which task holds the key; nothing if the call is cancelled before.
    fn key(&self, key: String, call: Arc<Shared>) -> BoxFuture<'static, Held>;
    /// A permit, if one is free.
    fn permit_now(&self) -> Option<Box<dyn Any + Send>>;
    /// Waits for a permit, on behalf of a call, and tells of it which task holds one; nothing if the call is cancelled before.
    fn permit(&self, call: Arc<Shared>) -> BoxFuture<'static, Held>;
    /// Asks a person, on behalf of a call, for a limited time.
    fn elicit(&self, request: Elicitation, call: Arc<Shared>) -> BoxFuture<'static, Elicited>;
    /// Keeps content whole that is too long for the model; a handle to it, if that works.
    fn keep(&self, call_id: &str, content: &[ContentBlock]) -> Option<String>;
    fn add_message(&self, text: String);
    fn conclude_turn(&self);
}

/// The room for one call in the background.
pub(crate) trait Background: Send + Sync {
    /// The task's id.
    fn id(&self) -> &str;
    /// The call goes on in the background from now on.
    fn begin(&self, call: &Arc<Shared>);
    /// How long it may go on.
    fn max_runtime(&self) -> Option<std::time::Duration>;
    /// It has ended.
    fn finish(&self, output: CallOutput);
}

impl Site {
    pub(crate) fn of_scope(node: &Arc<Node>) -> Self {
        Self {
            node: Arc::clone(node),
            step: None,
            conversation: None,
            abort: None,
            bounded: false,
            at_once: false,
            values: None,
        }
    }

    /// The same with values of the calls alone.
    pub(crate) fn with_values(self, values: Values) -> Self {
        Self { values: Some(Arc::new(values)), ..self }
    }

    /// The tool that a call may run now.
    pub(crate) fn find(&self, name: &str) -> Option<Found> {
        let mut found = self.find_plain(name)?;
        if let Some(values) = &self.values {
            found.states = found.states.under(values.map());
        }
        Some(found)
    }

    fn find_plain(&self, name: &str) -> Option<Found> {
        if let Some(found) = self.conversation.as_ref().and_then(|conversation| conversation.tool(name)) {
            return Some(found);
        }
        match &self.step {
            Some(step) => step.callable(name),
            None => self.node.callable(name),
        }
    }

    /// A name that is nearly so and could be called.
    pub(crate) fn nearest(&self, name: &str) -> Option<String> {
        let view;
        let near = match &self.step {
            Some(step) => step.nearest(name),
            None => {
                view = crate::registry::listed(&self.node);
                view.nearest(name)
            }
        };
        near.map(str::to_owned)
    }

    /// Whether no call is to start any more.
    fn is_closing(&self, parent: Option<&Arc<Shared>>) -> bool {
        match parent {
            Some(parent) => parent.is_closing(),
            None => {
                self.abort.as_ref().is_some_and(CancellationToken::is_cancelled)
                    || self
                        .conversation
                        .as_ref()
                        .is_some_and(|conversation| conversation.closing().is_cancelled())
            }
        }
    }
}

impl<'a> Place<'a> {
    #[inline]
    pub(super) fn node(self) -> &'a Arc<Node> {
        match self {
            Self::Scope(node) => node,
            Self::Site(site) => &site.node,
        }
    }

    #[inline]
    pub(super) fn conversation(self) -> Option<&'a Arc<dyn Conversation>> {
        match self {
            Self::Scope(_) => None,
            Self::Site(site) => site.conversation.as_ref(),
        }
    }

    /// Whether the call takes one of the conversation's permits.
    #[inline]
    pub(super) fn is_bounded(self) -> bool {
        matches!(self, Self::Site(site) if site.bounded)
    }

    /// See [`Site::find`].
    #[inline]
    pub(super) fn find(self, name: &str) -> Option<Found> {
        match self {
            Self::Scope(node) => node.callable(name),
            Self::Site(site) => site.find(name),
        }
    }

    /// The tool that a call runs now, which has entered it.
    #[cold]
    pub(super) fn enter(self, name: &str) -> Option<Found> {
        loop {
            let found = self.find(name)?;
            // Else it was taken away meanwhile.
            if found.entry.enter() {
                return Some(found);
            }
        }
    }

    /// See [`Site::nearest`].
    pub(super) fn nearest(self, name: &str) -> Option<String> {
        match self {
            Self::Scope(node) => crate::registry::listed(node).nearest(name).map(str::to_owned),
            Self::Site(site) => site.nearest(name),
        }
    }

    /// See [`Site::is_closing`].
    #[inline]
    pub(super) fn is_closing(self, parent: Option<&Arc<Shared>>) -> bool {
        match (self, parent) {
            (Self::Scope(_), None) => false,
            (Self::Scope(_), Some(parent)) => parent.is_closing(),
            (Self::Site(site), parent) => site.is_closing(parent),
        }
    }

    /// The same, for whom it outlives.
    pub(super) fn to_site(self) -> Site {
        match self {
            Self::Scope(node) => Site::of_scope(node),
            Self::Site(site) => site.clone(),
        }
    }
}

impl<'a> From<&'a Site> for Place<'a> {
    fn from(site: &'a Site) -> Self {
        Self::Site(site)
    }
}
