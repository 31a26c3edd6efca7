//! One call on its way through the stages.
//!
//! Resolve, read the arguments, gates and guards, middleware around the body, result hooks, content hooks, the last event. What
//! others have to know of the call is made when they first ask: most calls are over before.

use std::fmt;
use std::future::poll_fn;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use super::contain::Contained;
use super::event::{Event, EventKind, tell};
use super::shared::{MAX_DEPTH, Shared};
use super::site::{Held, Site};
use super::{finish, hook, texts};
use crate::error::contained;
use crate::output::CallOutput;
use crate::registry::{Extension, ExtensionKind, Found, Run, Settings, nothing};
use crate::tool::{
    BoxFuture, CallContext, CallFacts, Caller, Failure, Invocation, MakeCaller, Outcome, Reading, Reply, Tool,
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
    pub(super) site: &'a Site,
    pub(super) sent: Sent<'a>,
    pub(super) found: Found,
    unique: u64,
    /// In a box, since a call is moved, and most never make it.
    pub(super) shared: OnceLock<Box<Known>>,
    /// Whether the body was entered, so that its time counts.
    entered: AtomicBool,
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

static CALLS: AtomicU64 = AtomicU64::new(1);

impl<'a> Live<'a> {
    /// Runs a call to its end, or until it goes on in the background.
    #[cfg(not(feature = "tracing"))]
    #[inline]
    pub(crate) fn run<'r>(
        site: &'r Site,
        sent: Sent<'r>,
        held: Held,
    ) -> impl Future<Output = CallOutput> + Send + 'r {
        Live::run_unseen(site, sent, held)
    }

    /// The same within a span, by OpenTelemetry's semantic conventions for generative AI, "Execute tool span".
    #[cfg(feature = "tracing")]
    pub(crate) async fn run(site: &Site, sent: Sent<'_>, held: Held) -> CallOutput {
        use tracing::Instrument;
        use tracing::field::Empty;

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
        let output = Live::run_unseen(site, sent, held).instrument(span.clone()).await;
        if let Some(code) = output.code() {
            span.record("error.type", code.as_str());
        }
        output
    }

    async fn run_unseen(site: &Site, sent: Sent<'_>, mut held: Held) -> CallOutput {
        match poll_fn(|context| Poll::Ready(begin(site, sent, &mut held, context))).await {
            Begun::Ended(output) => output,
            Begun::GoesOn(rest) => rest.await,
        }
    }

    pub(crate) fn found(site: &'a Site, sent: Sent<'a>) -> Option<Self> {
        Some(Self::new(site, sent, site.enter(sent.name)?, 0, true))
    }

    /// A call of a tool that it has entered; it leaves the tool when it is dropped.
    #[inline]
    fn new(site: &'a Site, sent: Sent<'a>, found: Found, unique: u64, told: bool) -> Self {
        let (entered, told) = (AtomicBool::new(false), AtomicBool::new(told));
        Self { site, sent, found, unique, shared: OnceLock::new(), entered, told }
    }

    pub(super) fn tool(&self) -> &Tool {
        self.found.entry.tool()
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.site.node.tree().settings
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
                scope: self.site.node.name().to_owned(),
                arguments: self.sent.arguments.to_owned(),
                depth: parent.map_or(0, |parent| parent.facts.depth + 1),
            };
            let shared = Shared::new(facts, self.site.clone(), self.found.clone(), parent.cloned(), limit);
            if self.entered.load(Ordering::Relaxed) {
                shared.begin_clock();
            }
            if let Some(conversation) = &self.site.conversation {
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
        self.site.bounded && self.sent.parent.is_none() && !self.found.entry.is_offered()
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

    /// Whether nobody but observers takes part in the call before its body has begun.
    #[inline]
    fn is_plain(&self) -> bool {
        let tool = self.tool();
        let observed = |extension: &Extension| extension.kind == ExtensionKind::Observer;
        !tool.is_derived()
            && tool.around().is_none()
            && self.extensions().iter().all(observed)
            && !self.asks_how_it_runs()
    }

    /// Takes a permit where the call needs one and one is free; whether it has what it needs.
    #[inline]
    fn has_permit(&self, held: &mut Held) -> bool {
        if !self.needs_permit() {
            return true;
        }
        let permit = self.site.conversation.as_ref().and_then(|conversation| conversation.permit_now());
        let has_permit = permit.is_some();
        held.extend(permit);
        has_permit
    }

    /// The end of the call.
    #[inline]
    pub(super) fn end(self, outcome: Outcome, reading: Reading) -> CallOutput {
        if hook::any(self.extensions()) {
            // Contexts that hooks keep are those of a call that is over.
            self.shared();
        }
        let outcome = match self.shared.get().and_then(|shared| shared.end()) {
            Some(ending) => finish::ended(outcome, ending),
            None => outcome,
        };
        let mut output = finish::finish(self.tool(), self.settings(), self.extensions(), &self, outcome);
        output.note_repairs(reading.into_repairs());
        self.tell_end(&output);
        output
    }

    /// Tells the last event.
    #[inline]
    pub(super) fn tell_end(&self, output: &CallOutput) {
        if let Some(shared) = self.shared.get() {
            shared.over.store(true, Ordering::Release);
        }
        self.tell(EventKind::Finished { code: output.code() });
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

/// How a body was entered.
pub(super) enum Entered {
    Ended(Outcome),
    /// It is to be polled; whether it blocks a thread.
    Body(Contained<'static, Outcome>, bool),
}

/// How a call began.
enum Begun<'a> {
    Ended(CallOutput),
    GoesOn(BoxFuture<'a, CallOutput>),
}

/// Begins a call, and ends it where nobody takes part in it and its body ends at once: most calls are no more than this.
fn begin<'a>(site: &'a Site, sent: Sent<'a>, held: &mut Held, context: &mut Context<'_>) -> Begun<'a> {
    let unique = CALLS.fetch_add(1, Ordering::Relaxed);
    let too_deep = sent.parent.is_some_and(|parent| parent.facts.depth >= MAX_DEPTH);
    let found = if too_deep { None } else { site.enter(sent.name) };
    let Some(found) = found else { return Begun::Ended(not_begun(site, sent, unique, too_deep)) };
    let live = Live::new(site, sent, found, unique, false);
    live.tell(EventKind::Started);
    let reading = Reading::new(live.settings().repairs);
    if !live.is_plain() || !live.has_permit(held) {
        return Begun::GoesOn(Box::pin(live.stages(reading, std::mem::take(held))));
    }
    if site.is_closing(sent.parent) {
        return Begun::Ended(live.end(Err(Failure::CancelledBefore), reading));
    }
    let (entered, reading) = live.enter(None, reading);
    let outcome = match entered {
        Entered::Ended(outcome) => outcome,
        Entered::Body(mut body, blocks) => match body.poll_once(context) {
            Poll::Ready(outcome) => outcome.unwrap_or_else(|| Err(Failure::Panicked)),
            Poll::Pending => {
                return Begun::GoesOn(Box::pin(live.drive(body, blocks, reading, std::mem::take(held))));
            }
        },
    };
    Begun::Ended(live.end(outcome, reading))
}

/// A call whose tool is not there, or hidden, or that is nested too deep: for everybody who looks on it is a call like others.
#[cold]
fn not_begun(site: &Site, sent: Sent<'_>, unique: u64, too_deep: bool) -> CallOutput {
    let seen = site.node.seen();
    let found =
        Found { entry: nothing(), states: Arc::clone(seen.states()), extensions: seen.extensions().cloned() };
    let live = Live::new(site, sent, found, unique, false);
    live.tell(EventKind::Started);
    let failure = if too_deep {
        Failure::Limit(texts::limit("the depth of nested calls", MAX_DEPTH))
    } else {
        Failure::Unknown(texts::unknown(sent.name, site.nearest(sent.name).as_deref()))
    };
    live.end(Err(failure), Reading::default())
}

impl MakeCaller for Live<'_> {
    fn caller(&self) -> Arc<dyn Caller> {
        Arc::clone(self.shared()) as Arc<dyn Caller>
    }
}

impl Drop for Live<'_> {
    /// A call that nobody waits for any more before its body has begun, or whose body nobody else goes on with, ends here.
    fn drop(&mut self) {
        if !self.told.load(Ordering::Relaxed) {
            if self.shared.get().is_some() || hook::any(self.extensions()) {
                let shared = self.shared();
                shared.cancel();
                shared.end();
            }
            // Without a runtime a body runs where its call is made.
            let has_begun = self.entered.load(Ordering::Relaxed);
            let failure = if has_begun { Failure::Cancelled } else { Failure::CancelledBefore };
            let output = finish::finish(self.tool(), self.settings(), self.extensions(), self, Err(failure));
            self.tell_end(&output);
        }
        if let Some(runs) = &self.found.entry.runs
            && self.shared.get().is_none()
        {
            runs.leave();
        }
    }
}

impl fmt::Debug for Live<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("name", &self.sent.name).finish_non_exhaustive()
    }
}

fn event<'e>(site: &'e Site, sent: &Sent<'e>, unique: u64, kind: EventKind<'e>) -> Event<'e> {
    Event {
        call_id: sent.id,
        root_call_id: sent.parent.map_or(sent.id, |parent| &parent.facts.root),
        tool: sent.name,
        scope: site.node.name(),
        unique,
        kind,
    }
}
