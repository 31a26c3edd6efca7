//! What is shared of a call that somebody else has to know: a body with a context, a supervisor, an observer of its end.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::event::{Event, EventKind, tell};
use super::life::{Cancelled, Life};
use super::live::{Live, Sent};
use super::site::Site;
use super::{gate, texts};
use crate::arguments::Repair;
use crate::error::ErrorCode;
use crate::output::CallOutput;
use crate::registry::{Extension, Found};
use crate::tool::{
    BoxFuture, CallContext, CallFacts, Caller, Denied, Elicitation, Elicited, Question, StateMap,
};

/// How deep calls may be nested.
const MAX_DEPTH: usize = 16;

/// The most of a body's output that is kept, in bytes; the end of it.
const MAX_OUTPUT: usize = 256 * 1024;

pub(crate) struct Shared {
    pub(crate) facts: CallFacts,
    pub(crate) site: Site,
    pub(crate) found: Found,
    pub(crate) life: Life,
    /// Made when it is first asked for.
    token: OnceLock<CancellationToken>,
    parent: Option<Arc<Self>>,
    nested: AtomicU64,
    /// The key that the call holds, if it holds one.
    pub(crate) key: OnceLock<String>,
    /// What was repaired of the arguments behind middleware.
    pub(crate) repairs: OnceLock<Box<[Repair]>>,
    told: Mutex<Told>,
    clock: Mutex<Clock>,
    resumed: Notify,
}

/// What a body tells while it runs.
#[derive(Default)]
struct Told {
    progress: String,
    output: String,
    /// Bytes of the output that are gone.
    lost: usize,
}

/// The time that questions take does not count.
#[derive(Default)]
struct Clock {
    asking: usize,
    since: Option<Instant>,
    spent: Duration,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(super) fn new(facts: CallFacts, site: Site, found: Found, parent: Option<Arc<Self>>) -> Arc<Self> {
        Arc::new(Self {
            facts,
            site,
            found,
            life: Life::new(),
            token: OnceLock::new(),
            parent,
            nested: AtomicU64::new(0),
            key: OnceLock::new(),
            repairs: OnceLock::new(),
            told: Mutex::default(),
            clock: Mutex::default(),
            resumed: Notify::new(),
        })
    }

    /// The signal that the call is to end.
    pub(crate) fn token(&self) -> &CancellationToken {
        self.token.get_or_init(|| match (&self.parent, &self.site.conversation) {
            (Some(parent), _) => parent.token().child_token(),
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

    pub(super) fn tell(&self, kind: EventKind<'_>) {
        if let Some(extensions) = &self.found.extensions {
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
        self.found.extensions.as_deref().unwrap_or_default()
    }

    /// What the body said last of how far it is.
    pub(crate) fn last_progress(&self) -> String {
        locked(&self.told).progress.clone()
    }

    /// The output that is kept, and how many bytes before it are gone.
    pub(crate) fn output(&self) -> (String, usize) {
        let told = locked(&self.told);
        (told.output.clone(), told.lost)
    }

    /// When the call's time is over, by what is known now; `None` while a question is open or without a limit.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let clock = locked(&self.clock);
        let deadline = self.facts.deadline?;
        (clock.asking == 0).then(|| deadline + clock.spent)
    }

    /// Waits until the call's time is over; questions stop the clock.
    pub(super) async fn time_over(&self) {
        loop {
            let resumed = self.resumed.notified();
            match self.deadline() {
                Some(deadline) if deadline <= Instant::now() => return,
                Some(deadline) => tokio::select! {
                    () = tokio::time::sleep_until(deadline) => {}
                    () = resumed => {}
                },
                None if self.facts.deadline.is_none() => std::future::pending().await,
                None => resumed.await,
            }
        }
    }

    fn ask_begins(&self) {
        let mut clock = locked(&self.clock);
        clock.asking += 1;
        clock.since.get_or_insert_with(Instant::now);
        drop(clock);
        self.resumed.notify_waiters();
    }

    fn ask_ends(&self) {
        let mut clock = locked(&self.clock);
        clock.asking = clock.asking.saturating_sub(1);
        if clock.asking == 0
            && let Some(since) = clock.since.take()
        {
            clock.spent += since.elapsed();
        }
        drop(clock);
        self.resumed.notify_waiters();
    }

    /// Whether the call, or one around it, holds a key.
    pub(crate) fn holds_key(&self, key: &str) -> bool {
        std::iter::successors(Some(self), |call| call.parent.as_deref())
            .any(|call| call.key.get().is_some_and(|held| held == key))
    }
}

/// Stops the clock of a call while it lives.
struct Asking(Arc<Shared>);

impl Asking {
    fn new(call: &Arc<Shared>) -> Self {
        call.ask_begins();
        Self(Arc::clone(call))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.ask_ends();
    }
}

impl Caller for Shared {
    fn facts(&self) -> &CallFacts {
        &self.facts
    }

    fn states(&self) -> &Arc<StateMap> {
        &self.found.states
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

    fn write(&self, text: &str) {
        let mut told = locked(&self.told);
        told.output.push_str(text);
        let over = told.output.len().saturating_sub(MAX_OUTPUT);
        if over > 0 {
            let cut = (over..=told.output.len()).find(|at| told.output.is_char_boundary(*at)).unwrap_or(over);
            told.output.drain(..cut);
            told.lost += cut;
        }
    }

    fn call(self: Arc<Self>, name: String, arguments: String) -> BoxFuture<'static, CallOutput> {
        Box::pin(async move {
            if self.facts.depth >= MAX_DEPTH {
                let text = texts::limit("the depth of nested calls", MAX_DEPTH);
                return CallOutput::failure(ErrorCode::ResourceLimit, text);
            }
            let number = self.nested.fetch_add(1, Ordering::Relaxed) + 1;
            let id = format!("{}/{number}", self.facts.id);
            let site = self.site.clone();
            let sent = Sent { id: &id, name: &name, arguments: &arguments, parent: Some(&self) };
            Live::run(&site, sent, Vec::new()).await
        })
    }

    fn judge(self: Arc<Self>, question: Question) -> BoxFuture<'static, Result<(), Denied>> {
        Box::pin(async move {
            let asked = gate::has_gates(self.extensions());
            let _asking = Asking::new(&self);
            if asked {
                self.tell(EventKind::Asked);
            }
            let context = CallContext::new(Arc::clone(&self) as Arc<dyn Caller>);
            let answer = gate::answer(self.extensions(), &context, &question).await;
            if asked {
                self.tell(EventKind::Answered { allowed: answer.is_ok() });
            }
            answer
        })
    }

    fn elicit(self: Arc<Self>, request: Elicitation) -> BoxFuture<'static, Elicited> {
        Box::pin(async move {
            let _asking = Asking::new(&self);
            match &self.site.conversation {
                Some(conversation) => conversation.elicit(request).await,
                None => Elicited::Declined,
            }
        })
    }

    fn add_message(&self, text: String) {
        if let Some(conversation) = &self.site.conversation {
            conversation.add_message(text);
        }
    }

    fn conclude_turn(&self) {
        if let Some(conversation) = &self.site.conversation {
            conversation.conclude_turn();
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("facts", &self.facts.id).finish_non_exhaustive()
    }
}
