//! One call on its way through the stages.
//!
//! Resolve, read the arguments, gates and guards, middleware around the body, result hooks, content hooks, the last event. What
//! others have to know of the call is made when they first ask: most calls are over before.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::called::Called;
use super::contain::Contained;
use super::event::{Event, EventKind, tell};
use super::shared::Shared;
use super::site::Place;
use super::{finish, hook};
use crate::error::{ErrorCode, contained};
use crate::output::CallOutput;
use crate::registry::{Extension, ExtensionKind, Found, Run, Settings};
use crate::tool::{
    CallContext, CallFacts, Caller, Failure, Invocation, MakeCaller, Outcome, Reading, Reply, Tool,
};

/// A call as it came in.
#[derive(Clone, Copy)]
pub(crate) struct Sent<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a str,
    pub(crate) parent: Option<&'a Arc<Shared>>,
}

/// A call of a tool that was found.
pub(crate) struct Live<'a> {
    pub(super) site: Place<'a>,
    pub(super) sent: Sent<'a>,
    pub(super) found: Found,
    unique: u64,
    /// In a box, since a call is moved, and most never make it.
    pub(super) shared: OnceLock<Box<Known>>,
    /// Whether the body was entered, so that its time counts.
    pub(super) entered: AtomicBool,
    /// Whether the last event was told, or somebody else will.
    pub(super) told: AtomicBool,
}

/// What others know of a call.
pub(super) struct Known {
    shared: Arc<Shared>,
    /// That it runs, which is counted by the call itself as long as nobody knows of it.
    run: Option<Arc<Run>>,
}

impl Deref for Known {
    type Target = Arc<Shared>;

    fn deref(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl<'a> Live<'a> {
    /// Runs a call to its end, or until it goes on in the background.
    #[cfg(not(feature = "tracing"))]
    #[inline]
    pub(crate) fn run(site: impl Into<Place<'a>>, sent: Sent<'a>) -> Called<'a> {
        Called::new(site.into(), sent)
    }

    /// The same within a span, by OpenTelemetry's semantic conventions for generative AI, "Execute tool span".
    #[cfg(feature = "tracing")]
    pub(crate) fn run<P: Into<Place<'a>>>(
        site: P,
        sent: Sent<'a>,
    ) -> impl Future<Output = CallOutput> + Send + use<'a, P> {
        Self::run_in_span(Called::new(site.into(), sent))
    }

    #[cfg(feature = "tracing")]
    async fn run_in_span(called: Called<'a>) -> CallOutput {
        use tracing::Instrument;
        use tracing::field::Empty;

        let sent = called.sent;
        let span = tracing::info_span!(
            "execute_tool",
            otel.name = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = sent.name,
            gen_ai.tool.call.id = sent.id,
            error.r#type = Empty,
        );
        if !span.is_disabled() {
            span.record("otel.name", format!("execute_tool {}", sent.name));
        }
        let output = called.instrument(span.clone()).await;
        if let Some(code) = output.code() {
            span.record("error.type", code.as_str());
        }
        output
    }

    pub(crate) fn found(site: impl Into<Place<'a>>, sent: Sent<'a>) -> Option<Self> {
        let site = site.into();
        Some(Self::new(site, sent, site.enter(sent.name)?, 0, true))
    }

    /// A call of a tool that it has entered; it leaves the tool when it is dropped.
    #[inline]
    pub(super) fn new(site: Place<'a>, sent: Sent<'a>, found: Found, unique: u64, told: bool) -> Self {
        let (entered, told) = (AtomicBool::new(false), AtomicBool::new(told));
        Self { site, sent, found, unique, shared: OnceLock::new(), entered, told }
    }

    pub(super) fn tool(&self) -> &Tool {
        self.found.entry.tool()
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.site.node().tree().settings
    }

    pub(super) fn extensions(&self) -> &[Extension] {
        self.found.extensions.as_deref().unwrap_or_default()
    }

    #[inline]
    pub(super) fn tell(&self, kind: EventKind<'_>) {
        if let Some(extensions) = &self.found.extensions {
            tell(extensions, &event(self.site, &self.sent, self.unique, kind));
        }
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.known().shared
    }

    fn known(&self) -> &Known {
        self.shared.get_or_init(|| {
            let parent = self.sent.parent;
            // A call within a call ends with it, so it needs a limit only where it is to have a shorter one.
            let usual = if parent.is_none() { self.settings().timeout } else { None };
            let limit = self.tool().definition().timeout().or(usual);
            let facts = CallFacts {
                id: self.sent.id.to_owned(),
                root: parent.map_or(self.sent.id, |parent| &parent.facts.root).to_owned(),
                parent: parent.map(|parent| parent.facts.id.clone()),
                unique: self.unique,
                tool: self.sent.name.to_owned(),
                scope: self.site.node().name().to_owned(),
                arguments: self.sent.arguments.to_owned(),
                depth: parent.map_or(0, |parent| parent.facts.depth + 1),
            };
            let shared = Shared::new(facts, self.site.to_site(), self.found.clone(), parent.cloned(), limit);
            if self.entered.load(Ordering::Relaxed) {
                shared.begin_clock();
            }
            if let Some(conversation) = self.site.conversation() {
                conversation.joined(&shared);
            }
            let run = self.found.entry.runs.as_ref().map(|runs| Run::entered(runs, &shared));
            if self.site.is_closing(parent) {
                shared.cancel();
            }
            Box::new(Known { shared, run })
        })
    }

    /// The time of the body begins to count.
    #[inline]
    pub(super) fn begin_clock(&self) {
        self.entered.store(true, Ordering::Relaxed);
        if let Some(shared) = self.shared.get() {
            shared.begin_clock();
        }
    }

    /// Whether the call takes one of the conversation's permits.
    #[inline]
    pub(super) fn needs_permit(&self) -> bool {
        self.site.is_bounded() && self.sent.parent.is_none() && !self.found.entry.is_offered()
    }

    /// What keeps the call counted while others go on with its body.
    pub(super) fn run_of_owner(&self) -> Option<Arc<Run>> {
        self.found.entry.runs.as_ref().and_then(|_| self.known().run.clone())
    }

    /// Another tool took the place of the one that was found.
    pub(super) fn renew(&mut self, found: Found, run: Option<Arc<Run>>) {
        self.known();
        if let Some(known) = self.shared.get_mut() {
            known.run = run;
        }
        self.found = found;
    }

    pub(super) fn context(&self) -> CallContext {
        CallContext::new(Arc::clone(self.shared()) as Arc<dyn Caller>)
    }

    pub(super) fn invocation<'b>(&'b self, bound: Option<&'b str>, reading: Reading) -> Invocation<'b> {
        Invocation {
            text: bound.unwrap_or(self.sent.arguments),
            tool: self.tool(),
            states: &self.found.states,
            reading,
            caller: self,
        }
    }

    /// Whether nobody but observers takes part in the call before its body has begun, a conversation aside.
    #[inline]
    pub(super) fn is_plain(&self, tool: &Tool) -> bool {
        let observed = |extension: &Extension| extension.kind == ExtensionKind::Observer;
        !tool.is_derived()
            && tool.around().is_none()
            && self.found.extensions.as_ref().is_none_or(|extensions| extensions.iter().all(observed))
    }

    /// The permit of a call that needs nothing else of its conversation.
    pub(super) fn permit_now(&self) -> Permit {
        let Some(conversation) = self.site.conversation() else { return Permit::NotNeeded };
        if self.asks_how_it_runs() {
            return Permit::NotYet;
        }
        if !self.needs_permit() {
            return Permit::NotNeeded;
        }
        conversation.permit_now().map_or(Permit::NotYet, Permit::Taken)
    }

    /// The end of the call.
    pub(super) fn end(&self, outcome: Outcome, reading: Reading) -> CallOutput {
        let mut output = self.finished(outcome);
        output.note_repairs(reading.into_repairs());
        self.tell_end(output.code());
        output
    }

    /// Whether a value's text is all that the call comes to, as most often.
    #[inline]
    pub(super) fn shows_values_at_once(&self, tool: &Tool, reading: &Reading) -> bool {
        self.shared.get().is_none()
            && tool.shows_values_as_they_are()
            && reading.has_no_repairs()
            && self.found.extensions.as_ref().is_none_or(|extensions| !hook::any(extensions))
    }

    /// What the model reads, after everybody who takes part in it.
    fn finished(&self, outcome: Outcome) -> CallOutput {
        if hook::any(self.extensions()) {
            // Contexts that hooks keep are those of a call that is over.
            self.shared();
        }
        let outcome = match self.shared.get().and_then(|shared| shared.end()) {
            Some(ending) => finish::ended(outcome, ending),
            None => outcome,
        };
        finish::finish(self.tool(), self.settings(), self.extensions(), self, outcome)
    }

    #[cold]
    fn give_up(&self) {
        if self.shared.get().is_some() || hook::any(self.extensions()) {
            let shared = self.shared();
            shared.cancel();
            shared.end();
        }
        // Without a runtime a body runs where its call is made.
        let has_begun = self.entered.load(Ordering::Relaxed);
        let failure = if has_begun { Failure::Cancelled } else { Failure::CancelledBefore };
        let output = finish::finish(self.tool(), self.settings(), self.extensions(), self, Err(failure));
        self.tell_end(output.code());
    }

    /// Leaves the tool, unless that is left to a [`Run`].
    fn leave(&self) {
        if let Some(runs) = &self.found.entry.runs
            && self.shared.get().is_none()
        {
            runs.leave();
        }
    }

    /// Tells the last event.
    #[inline]
    pub(super) fn tell_end(&self, code: Option<ErrorCode>) {
        if let Some(shared) = self.shared.get() {
            shared.over.store(true, Ordering::Release);
        }
        self.tell(EventKind::Finished { code });
        self.told.store(true, Ordering::Relaxed);
    }

    /// Enters the body; it has not been polled then.
    #[inline]
    pub(super) fn enter(&self, bound: Option<&str>, reading: Reading) -> (Entered, Reading) {
        self.begin_clock();
        let invocation = self.invocation(bound, reading);
        let entered = match contained(|| self.tool().enter(&invocation)) {
            Some(Reply::Ready(outcome)) => Entered::Ended(outcome),
            Some(Reply::Pending(body)) => Entered::Body(Contained::new(body), false),
            Some(Reply::Blocking(begin)) => {
                let run = self.run_of_owner().map(|run| run as Arc<_>);
                Entered::Body(Contained::new(begin(run)), true)
            }
            Some(Reply::Described) | None => Entered::Ended(Err(Failure::Panicked)),
        };
        (entered, invocation.reading)
    }
}

/// Whether a call may begin, as far as permits and keys go.
pub(super) enum Permit {
    NotNeeded,
    Taken(Box<dyn Any + Send>),
    /// It has to wait for one, or for a key.
    NotYet,
}

/// How a body was entered.
pub(super) enum Entered {
    Ended(Outcome),
    /// It is to be polled; whether it blocks a thread.
    Body(Contained<'static, Outcome>, bool),
}

impl MakeCaller for Live<'_> {
    fn caller(&self) -> Arc<dyn Caller> {
        Arc::clone(self.shared()) as Arc<dyn Caller>
    }
}

impl Drop for Live<'_> {
    /// A call that nobody waits for any more before its body has begun, or whose body nobody else goes on with, ends here.
    #[inline]
    fn drop(&mut self) {
        if !self.told.load(Ordering::Relaxed) {
            self.give_up();
        }
        if self.found.entry.runs.is_some() {
            self.leave();
        }
    }
}

impl fmt::Debug for Live<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("name", &self.sent.name).finish_non_exhaustive()
    }
}

fn event<'e>(site: Place<'e>, sent: &Sent<'e>, unique: u64, kind: EventKind<'e>) -> Event<'e> {
    Event {
        call_id: sent.id,
        root_call_id: sent.parent.map_or(sent.id, |parent| &parent.facts.root),
        tool: sent.name,
        scope: site.node().name(),
        unique,
        kind,
    }
}
