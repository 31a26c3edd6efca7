//! Events: what happens to a call, for those who look on.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::mpsc;

use crate::error::{ErrorCode, contained};
use crate::registry::{Extension, ExtensionKind, Handle, RegistryError, Scope};

/// Something that happened to a call. It holds no arguments and no results, so nothing secret.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The id that the model gave the call.
    pub call_id: &'a str,
    /// The id of the model's call of which it is a part; its own, if it is the model's.
    pub root_call_id: &'a str,
    /// The name that was called, as it was sent.
    pub tool: &'a str,
    /// The scope in which it was called.
    pub scope: &'a str,
    /// A number that no other call of this process has.
    pub unique: u64,
    /// What happened.
    pub kind: EventKind<'a>,
}

/// What happened to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// It came in. The first event of every call.
    Started,
    /// Somebody is asked about it.
    Asked,
    /// It was answered whether it may go on.
    Answered {
        /// Whether it may.
        allowed: bool,
    },
    /// It told how far it is.
    Progress {
        /// What it told.
        text: &'a str,
    },
    /// It waits for a key that a task in the background holds.
    Waiting {
        /// The task's id.
        task: &'a str,
    },
    /// It goes on in the background.
    Promoted {
        /// Under which id.
        task: &'a str,
    },
    /// It ended. The last event of every call; there is exactly one.
    Finished {
        /// Why it failed, if it did.
        code: Option<ErrorCode>,
    },
}

/// Somebody who looks on: every function of an [`Event`] is one. It is called in the middle of the call and must be quick; it
/// can change nothing, and where it panics, nothing happens.
pub trait Observer: Send + Sync + 'static {
    /// Sees one event.
    fn event(&self, event: &Event<'_>);
}

impl<F: Fn(&Event<'_>) + Send + Sync + 'static> Observer for F {
    fn event(&self, event: &Event<'_>) {
        self(event);
    }
}

/// An observer as registries hold it.
struct Held(Box<dyn Observer>);

impl Scope {
    /// Shows somebody the calls of the scope and of those below it.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    ///
    /// # Examples
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use tool_runtime::execution::Event;
    /// use tool_runtime::{Registry, ToolCall};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().build()?;
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let sink = Arc::clone(&seen);
    /// registry.observe(move |event: &Event<'_>| sink.lock().unwrap().push(format!("{} {:?}", event.tool, event.kind)))?;
    /// registry.call(ToolCall::new("1", "nothing", "{}")).await;
    /// assert_eq!(
    ///     *seen.lock().unwrap(),
    ///     ["nothing Started", "nothing Finished { code: Some(UnknownTool) }"]
    /// );
    /// # Ok(())
    /// # }
    /// ```
    pub fn observe(&self, observer: impl Observer) -> Result<Handle, RegistryError> {
        self.extend(ExtensionKind::Observer, 0, Arc::new(Held(Box::new(observer))))
    }

    /// The events of the scope's calls, to wait for. At most `capacity` are held back; what is lost beyond that is counted.
    ///
    /// # Errors
    /// As [`observe`](Self::observe).
    pub fn events(&self, capacity: usize) -> Result<Events, RegistryError> {
        let (sender, receiver) = mpsc::channel(capacity.max(1));
        let lost = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&lost);
        let handle = self.observe(move |event: &Event<'_>| {
            if sender.try_send(OwnedEvent::from(event)).is_err() {
                counter.fetch_add(1, Ordering::Relaxed);
            }
        })?;
        Ok(Events { receiver, lost, handle })
    }
}

/// The events of a scope's calls, see [`Scope::events`]. Dropped, nothing is held back any more.
#[derive(Debug)]
pub struct Events {
    receiver: mpsc::Receiver<OwnedEvent>,
    lost: Arc<AtomicU64>,
    handle: Handle,
}

impl Events {
    /// Waits for the next event; `None` once the scope is gone.
    ///
    /// # Cancel safety
    /// Dropped, nothing is lost.
    pub async fn next(&mut self) -> Option<OwnedEvent> {
        self.receiver.recv().await
    }

    /// How many events did not fit, so far.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.handle.remove();
    }
}

/// An [`Event`] that was held back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedEvent {
    /// The id that the model gave the call.
    pub call_id: String,
    /// The id of the model's call of which it is a part.
    pub root_call_id: String,
    /// The name that was called.
    pub tool: String,
    /// The scope in which it was called.
    pub scope: String,
    /// A number that no other call of this process has.
    pub unique: u64,
    /// What happened, and what the kind brings besides: a text of progress, a task's id.
    pub kind: OwnedKind,
}

/// An [`EventKind`] that was held back.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnedKind {
    /// See [`EventKind::Started`].
    Started,
    /// See [`EventKind::Asked`].
    Asked,
    /// See [`EventKind::Answered`].
    Answered {
        /// Whether it may go on.
        allowed: bool,
    },
    /// See [`EventKind::Progress`].
    Progress {
        /// What it told.
        text: String,
    },
    /// See [`EventKind::Waiting`].
    Waiting {
        /// The task's id.
        task: String,
    },
    /// See [`EventKind::Promoted`].
    Promoted {
        /// Under which id.
        task: String,
    },
    /// See [`EventKind::Finished`].
    Finished {
        /// Why it failed, if it did.
        code: Option<ErrorCode>,
    },
}

impl From<&Event<'_>> for OwnedEvent {
    fn from(event: &Event<'_>) -> Self {
        Self {
            call_id: event.call_id.to_owned(),
            root_call_id: event.root_call_id.to_owned(),
            tool: event.tool.to_owned(),
            scope: event.scope.to_owned(),
            unique: event.unique,
            kind: match event.kind {
                EventKind::Started => OwnedKind::Started,
                EventKind::Asked => OwnedKind::Asked,
                EventKind::Answered { allowed } => OwnedKind::Answered { allowed },
                EventKind::Progress { text } => OwnedKind::Progress { text: text.to_owned() },
                EventKind::Waiting { task } => OwnedKind::Waiting { task: task.to_owned() },
                EventKind::Promoted { task } => OwnedKind::Promoted { task: task.to_owned() },
                EventKind::Finished { code } => OwnedKind::Finished { code },
            },
        }
    }
}

/// Shows an event to everybody who looks on.
pub(super) fn tell(extensions: &[Extension], event: &Event<'_>) {
    for extension in extensions.iter().filter(|extension| extension.kind == ExtensionKind::Observer) {
        if let Some(held) = extension.value.downcast_ref::<Held>() {
            contained(|| held.0.event(event));
        }
    }
}

impl fmt::Display for EventKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started => f.write_str("started"),
            Self::Asked => f.write_str("asked"),
            Self::Answered { allowed: true } => f.write_str("allowed"),
            Self::Answered { allowed: false } => f.write_str("denied"),
            Self::Progress { text } => write!(f, "progress: {text}"),
            Self::Waiting { task } => write!(f, "waits for task {task}"),
            Self::Promoted { task } => write!(f, "goes on as task {task}"),
            Self::Finished { code: None } => f.write_str("finished"),
            Self::Finished { code: Some(code) } => write!(f, "failed: {code}"),
        }
    }
}
