//! What is shared of a call that somebody else has to know: a body with a context, a supervisor, an observer of its end.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::clock::Clock;
use super::event::{Event, EventKind, tell};
use super::gate;
use super::life::{Cancelled, Ending, Life};
use super::live::{Live, Sent};
use super::site::{Conversation, Site};
use super::stop::Stopping;
use super::told::Told;
use crate::error::contained;
use crate::output::CallOutput;
use crate::registry::{Extension, Found};
use crate::tool::{
    BoxFuture, CallContext, CallFacts, Caller, Denied, Elicitation, Elicited, MakeCaller, Question, StateMap,
};

/// How deep calls may be nested.
pub(super) const MAX_DEPTH: usize = 16;

pub(crate) struct Shared {
    pub(crate) facts: CallFacts,
    pub(crate) site: Site,
    found: Found,
    /// What took the place of what was found before the body began, if something did.
    renewed: OnceLock<Found>,
    pub(crate) life: Life,
    /// Made when it is first asked for.
    token: OnceLock<CancellationToken>,
    parent: Option<Arc<Self>>,
    /// How many calls it has made.
    nested: AtomicU64,
    /// The signal of those, made with the first.
    within: OnceLock<CancellationToken>,
    /// The key that the call holds, if it holds one.
    pub(crate) key: OnceLock<String>,
    /// How many bodies block a thread now: middleware may enter the tool more than once.
    pub(super) blocking: AtomicUsize,
    effective: OnceLock<String>,
    told: Mutex<Told>,
    /// Whether every hook has seen its end, so that nobody may speak for it any more.
    pub(super) over: AtomicBool,
    clock: Clock,
    pub(super) stopping: Stopping,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// A call with its own time limit, which counts from [`begin_clock`](Self::begin_clock).
    pub(super) fn new(
        facts: CallFacts,
        site: Site,
        found: Found,
        parent: Option<Arc<Self>>,
        limit: Option<Duration>,
    ) -> Arc<Self> {
        Arc::new(Self {
            facts,
            site,
            found,
            renewed: OnceLock::new(),
            life: Life::new(),
            token: OnceLock::new(),
            parent,
            nested: AtomicU64::new(0),
            within: OnceLock::new(),
            key: OnceLock::new(),
            blocking: AtomicUsize::new(0),
            effective: OnceLock::new(),
            told: Mutex::default(),
            over: AtomicBool::new(false),
            clock: Clock::new(limit),
            stopping: Stopping::default(),
        })
    }

    /// The tool and what takes part in the call.
    pub(crate) fn found(&self) -> &Found {
        self.renewed.get().unwrap_or(&self.found)
    }

    /// Puts something in the place of what was found; once, before the body begins.
    pub(super) fn renew(&self, found: Found) {
        let _ = self.renewed.set(found);
    }

    /// The call that made it.
    pub(super) fn parent(&self) -> Option<&Arc<Self>> {
        self.parent.as_ref()
    }

    /// The call and those around it, the nearest first.
    fn around(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |call| call.parent.as_deref())
    }

    /// The signal that the call is to end.
    pub(crate) fn token(&self) -> &CancellationToken {
        self.token.get_or_init(|| match (&self.parent, &self.site.conversation) {
            (Some(parent), _) => parent.within().child_token(),
            (None, Some(conversation)) => conversation.closing().child_token(),
            (None, None) => CancellationToken::new(),
        })
    }

    /// The call is to end.
    pub(crate) fn cancel(&self) {
        if self.life.cancel() != Cancelled::Already {
            self.token().cancel();
        }
    }

    /// Whether calls within this one are to start no more.
    pub(super) fn is_closing(&self) -> bool {
        self.life.has_ended() || self.token().is_cancelled()
    }

    /// The call ends, and with it the calls within it that somebody has left behind. Only the first who says so gets an answer.
    pub(super) fn end(&self) -> Option<Ending> {
        let ending = self.life.end()?;
        // Whoever counts a call after this sees that this one has ended.
        if self.nested.fetch_add(0, Ordering::AcqRel) > 0 {
            self.within().cancel();
        }
        Some(ending)
    }

    /// The conversation, as long as the call may add to it.
    fn speaks_to(&self) -> Option<&Arc<dyn Conversation>> {
        self.site.conversation.as_ref().filter(|_| !self.over.load(Ordering::Acquire))
    }

    /// The signal of the calls within this one.
    fn within(&self) -> &CancellationToken {
        self.within.get_or_init(|| self.token().child_token())
    }

    /// The call is to end, unless it has gone to the background.
    pub(crate) fn cancel_in_foreground(&self) {
        if self.life.cancel_in_foreground() != Cancelled::Already {
            self.token().cancel();
        }
    }

    /// A task holds what the call waits for.
    pub(crate) fn waits_for(&self, task: &str) {
        self.tell(EventKind::Waiting { task });
    }

    pub(super) fn tell(&self, kind: EventKind<'_>) {
        if let Some(extensions) = &self.found().extensions {
            tell(extensions, &self.event(kind));
        }
    }

    fn event<'a>(&'a self, kind: EventKind<'a>) -> Event<'a> {
        Event {
            call_id: &self.facts.id,
            root_call_id: &self.facts.root,
            tool: &self.facts.tool,
            scope: &self.facts.scope,
            unique: self.facts.unique,
            kind,
        }
    }

    fn extensions(&self) -> &[Extension] {
        self.found().extensions.as_deref().unwrap_or_default()
    }

    /// What the body has told so far.
    pub(crate) fn told(&self) -> Told {
        locked(&self.told).clone()
    }

    /// The time of the body begins to count.
    pub(super) fn begin_clock(&self) {
        self.clock.begin();
    }

    /// Its own time limit.
    pub(super) fn limit(&self) -> Option<Duration> {
        self.clock.limit()
    }

    /// Waits until the call's own time is over; questions stop the clock. The time of a call around it ends it by its signal.
    pub(super) async fn time_over(&self) {
        self.clock.over().await;
    }

    /// Whether the call, or one around it, holds a key.
    pub(crate) fn holds_key(&self, key: &str) -> bool {
        self.around().any(|call| call.key.get().is_some_and(|held| held == key))
    }
}

/// Stops the clock of a call, and of those around it, while it lives.
pub(super) struct Asking(Arc<Shared>);

impl Asking {
    pub(super) fn new(call: &Arc<Shared>) -> Self {
        call.around().for_each(|call| call.clock.stop());
        Self(Arc::clone(call))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.around().for_each(|call| call.clock.go_on());
    }
}

/// Makes contexts of a call that is shared already.
#[derive(Debug)]
pub(super) struct Of(pub(super) Arc<Shared>);

impl MakeCaller for Of {
    fn caller(&self) -> Arc<dyn Caller> {
        Arc::clone(&self.0) as Arc<dyn Caller>
    }
}

impl Caller for Shared {
    fn facts(&self) -> &CallFacts {
        &self.facts
    }

    fn states(&self) -> &Arc<StateMap> {
        &self.found().states
    }

    fn arguments(&self) -> &str {
        self.effective.get_or_init(|| {
            let tool = self.found().entry.tool();
            let repair = self.site.node.tree().settings.repairs;
            contained(|| tool.effective(&self.facts.arguments, repair))
                .flatten()
                .unwrap_or_else(|| "{}".to_owned())
        })
    }

    fn deadline(&self) -> Option<Instant> {
        self.around()
            .take_while(|call| !call.life.is_in_background())
            .filter_map(|call| call.clock.deadline())
            .min()
    }

    fn cancellation(&self) -> CancellationToken {
        self.token().clone()
    }

    fn is_cancelled(&self) -> bool {
        self.token().is_cancelled()
    }

    fn progress(&self, text: String) {
        if self.life.has_ended() {
            return;
        }
        self.tell(EventKind::Progress { text: &text });
        locked(&self.told).progress = text;
    }

    fn write(&self, stream: &str, text: &str) {
        if self.life.has_ended() {
            return;
        }
        locked(&self.told).write(stream, text);
    }

    fn call(self: Arc<Self>, name: String, arguments: String) -> BoxFuture<'static, CallOutput> {
        Box::pin(async move {
            let number = self.nested.fetch_add(1, Ordering::AcqRel) + 1;
            let id = format!("{}/{number}", self.facts.id);
            let site = self.site.clone();
            let sent = Sent { id: &id, name: &name, arguments: &arguments, parent: Some(&self) };
            Live::run(&site, sent).await
        })
    }

    fn judge(self: Arc<Self>, question: Question) -> BoxFuture<'static, Result<(), Denied>> {
        Box::pin(async move {
            if self.life.has_ended() {
                return Err(Denied::Refused { reason: "the call is over".to_owned() });
            }
            let asked = gate::has_gates(self.extensions());
            let _asking = Asking::new(&self);
            if asked {
                self.tell(EventKind::Asked);
            }
            let context = CallContext::new(Arc::clone(&self) as Arc<dyn Caller>);
            let answer = gate::answer(self.extensions(), &context, &question).await;
            // The last event is that of the end, however long somebody goes on to ask.
            if asked && !self.life.has_ended() {
                self.tell(EventKind::Answered { allowed: answer.is_ok() });
            }
            answer
        })
    }

    fn elicit(self: Arc<Self>, request: Elicitation) -> BoxFuture<'static, Elicited> {
        Box::pin(async move {
            if self.life.has_ended() {
                return Elicited::Cancelled;
            }
            let Some(conversation) = &self.site.conversation else { return Elicited::Declined };
            let _asking = Asking::new(&self);
            conversation.elicit(request, Arc::clone(&self)).await
        })
    }

    fn add_message(&self, text: String) {
        if let Some(conversation) = self.speaks_to() {
            conversation.add_message(text);
        }
    }

    fn conclude_turn(&self) {
        if let Some(conversation) = self.speaks_to() {
            conversation.conclude_turn();
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("facts", &self.facts.id).finish_non_exhaustive()
    }
}
