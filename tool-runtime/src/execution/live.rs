//! One call on its way through the stages.
//!
//! Resolve, read the arguments, gates and guards, middleware around the body, result hooks, content hooks, the last event. What
//! others have to know of the call is made when they first ask: most calls are over before.

use std::any::Any;
use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use tokio::time::Instant;

use super::contain::Contained;
use super::drive::Running;
use super::event::{Event, EventKind, tell};
use super::shared::Shared;
use super::site::{Held, Site};
use super::{finish, gate, texts};
use crate::error::contained;
use crate::middleware::{self, Answer, Next};
use crate::output::CallOutput;
use crate::registry::{Extension, ExtensionKind, Found, Settings};
use crate::tool::{
    BoxFuture, CallContext, CallFacts, Caller, Concurrency, Denied, Failure, Invocation, MakeCaller, Outcome,
    Parallel, Permission, PermissionRequest, Reading, Reply, Tool,
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
    site: &'a Site,
    sent: Sent<'a>,
    found: Found,
    unique: u64,
    shared: OnceLock<Arc<Shared>>,
    /// Whether the last event was told, or somebody else will.
    told: AtomicBool,
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
        let found = site.find(sent.name)?;
        Some(Self { site, sent, found, unique: 0, shared: OnceLock::new(), told: AtomicBool::new(true) })
    }

    fn tool(&self) -> &Tool {
        self.found.entry.tool()
    }

    fn settings(&self) -> &Settings {
        &self.site.node.tree().settings
    }

    fn extensions(&self) -> &[Extension] {
        self.found.extensions.as_deref().unwrap_or_default()
    }

    #[inline]
    fn tell(&self, kind: EventKind<'_>) {
        if let Some(extensions) = &self.found.extensions {
            tell(extensions, &event(self.site, &self.sent, self.unique, kind));
        }
    }

    fn shared(&self) -> &Arc<Shared> {
        self.shared.get_or_init(|| {
            let parent = self.sent.parent;
            let timeout = self.tool().definition().timeout().or(self.settings().timeout);
            let own = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
            let around = parent.and_then(|parent| parent.facts.deadline);
            let facts = CallFacts {
                id: self.sent.id.to_owned(),
                root: parent.map_or(self.sent.id, |parent| &parent.facts.root).to_owned(),
                parent: parent.map(|parent| parent.facts.id.clone()),
                unique: self.unique,
                tool: self.tool().name().to_owned(),
                scope: self.site.node.name().to_owned(),
                arguments: self.sent.arguments.to_owned(),
                depth: parent.map_or(0, |parent| parent.facts.depth + 1),
                deadline: own.into_iter().chain(around).min(),
            };
            let shared = Shared::new(facts, self.site.clone(), self.found.clone(), parent.cloned());
            if let Some(conversation) = &self.site.conversation {
                conversation.joined(&shared);
            }
            if self.site.is_closing(parent) {
                shared.cancel();
            }
            shared
        })
    }

    fn context(&self) -> CallContext {
        CallContext::new(Arc::clone(self.shared()) as Arc<dyn Caller>)
    }

    fn invocation<'b>(&'b self, bound: Option<&'b str>, reading: Reading) -> Invocation<'b> {
        Invocation {
            text: bound.unwrap_or(self.sent.arguments),
            tool: self.tool(),
            states: &self.found.states,
            reading,
            caller: self,
        }
    }

    /// Everything before the body: arguments where somebody wants to know them, gates, guards.
    async fn admitted(&self, reading: &Reading) -> Result<Option<String>, Failure> {
        let tool = self.tool();
        if self.site.is_closing(self.sent.parent) {
            return Err(Failure::CancelledBefore);
        }
        let bound = if tool.is_derived() {
            contained(|| tool.bound(self.sent.arguments, reading))
                .unwrap_or_else(|| Err(Failure::Panicked))?
        } else {
            None
        };
        let extensions = self.extensions();
        let judged = gate::any(extensions);
        if judged || self.has_middleware() {
            self.check(bound.as_deref())?;
        }
        if judged {
            let context = self.context();
            // Before anybody is asked, so that nobody approves in vain.
            gate::guards(extensions, &context).map_err(refused)?;
            if gate::has_gates(extensions) {
                let requests = self.requests(bound.as_deref())?;
                self.tell(EventKind::Asked);
                let verdict = tokio::select! {
                    biased;
                    () = context.cancelled() => return Err(Failure::CancelledBefore),
                    verdict = gate::judge(extensions, &context, &requests) => verdict,
                };
                self.tell(EventKind::Answered { allowed: verdict.is_ok() });
                verdict.map_err(refused)?;
            }
            // Whatever was decided, it holds for what is there and allowed now.
            if context.is_cancelled() {
                return Err(Failure::CancelledBefore);
            }
            gate::judge_again(extensions, &context).map_err(refused)?;
        }
        Ok(bound)
    }

    /// Takes the key that the call needs, unless one around it has it; whether there was one.
    async fn take_key(&self, held: &mut Held) -> bool {
        let Some(conversation) = &self.site.conversation else { return false };
        if !matches!(self.tool().spec().map(|spec| spec.parallel), Some(Parallel::Judged(_))) {
            return false;
        }
        let Concurrency::Keyed(key) = self.concurrency() else { return false };
        if self.sent.parent.is_some_and(|parent| parent.holds_key(&key)) {
            return false;
        }
        if let Some(task) = conversation.key_holder(&key) {
            self.tell(EventKind::Waiting { task: &task });
        }
        let guard = conversation.key(key.clone(), Arc::clone(self.shared())).await;
        // A call that was cancelled while it waited has none.
        if !guard.is_empty() {
            held.extend(guard);
            let _ = self.shared().key.set(key);
        }
        true
    }

    /// Whether what was found is there still.
    fn is_current(&self) -> bool {
        self.site.find(self.sent.name).is_some_and(|now| now.entry.id == self.found.entry.id)
    }

    fn has_middleware(&self) -> bool {
        self.tool().around().is_some()
            || self.extensions().iter().any(|extension| extension.kind == ExtensionKind::Middleware)
    }

    fn check(&self, bound: Option<&str>) -> Result<(), Failure> {
        let invocation = self.invocation(bound, Reading::new(self.settings().repairs));
        contained(|| self.tool().check_arguments(&invocation)).unwrap_or_else(|| Err(Failure::Panicked))
    }

    fn requests(&self, bound: Option<&str>) -> Result<Vec<PermissionRequest>, Failure> {
        let tool = self.tool();
        let effect = tool.definition().effect();
        if let Some(Permission::Judged(judge)) = tool.spec().map(|spec| spec.permission) {
            let invocation = self.invocation(bound, Reading::new(self.settings().repairs));
            return contained(|| judge(&invocation)).unwrap_or_else(|| Err(Failure::Panicked));
        }
        Ok(vec![match tool.definition().permission() {
            Some(permission) => PermissionRequest::new(permission, "", effect),
            None => PermissionRequest::new(format!("tool:{}", tool.name()), "", effect),
        }])
    }

    /// What the call needs permission for, or how it would fail.
    pub(crate) fn permissions(&self) -> Result<Vec<PermissionRequest>, CallOutput> {
        let judged = || {
            let reading = Reading::new(self.settings().repairs);
            let bound = self.tool().bound(self.sent.arguments, &reading)?;
            self.check(bound.as_deref())?;
            self.requests(bound.as_deref())
        };
        contained(judged)
            .unwrap_or_else(|| Err(Failure::Panicked))
            .map_err(|failure| texts::fail(self.tool(), failure))
    }

    pub(crate) fn concurrency(&self) -> Concurrency {
        match self.tool().spec().map(|spec| spec.parallel) {
            Some(Parallel::Always) => Concurrency::Together,
            Some(Parallel::Judged(judge)) => {
                let judged = || {
                    let reading = Reading::new(self.settings().repairs);
                    let bound = self.tool().bound(self.sent.arguments, &reading)?;
                    judge(&self.invocation(bound.as_deref(), reading))
                };
                contained(judged).and_then(Result::ok).unwrap_or(Concurrency::Alone)
            }
            Some(Parallel::Never) | None => Concurrency::Alone,
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
            && (self.site.conversation.is_none()
                || !matches!(tool.spec().map(|spec| spec.parallel), Some(Parallel::Judged(_))))
    }

    /// The end of the call.
    #[inline]
    fn end(self, outcome: Outcome, reading: Reading) -> CallOutput {
        let mut repairs = reading.into_repairs();
        let outcome = match self.shared.get() {
            Some(shared) => {
                if let Some(inner) = shared.repairs.get() {
                    repairs.clone_from(inner);
                }
                match shared.life.end() {
                    Some(ending) => finish::ended(outcome, ending, self.settings()),
                    None => outcome,
                }
            }
            None => outcome,
        };
        let mut output = finish::finish(self.tool(), self.settings(), self.extensions(), &self, outcome);
        output.note_repairs(repairs);
        self.tell_end(&output);
        output
    }

    /// Tells the last event.
    #[inline]
    fn tell_end(&self, output: &CallOutput) {
        self.tell(EventKind::Finished { code: output.code() });
        self.told.store(true, Ordering::Relaxed);
    }

    /// Enters the body; it has not been polled then.
    #[inline]
    fn enter(&self, bound: Option<&str>, reading: Reading) -> (Entered, Reading) {
        let invocation = self.invocation(bound, reading);
        let entered = match contained(|| self.tool().enter(&invocation)) {
            Some(Reply::Ready(outcome)) => Entered::Ended(outcome),
            Some(Reply::Pending(body)) => Entered::Body(Contained::new(body), false),
            Some(Reply::Blocking(body)) => Entered::Body(Contained::new(body), true),
            Some(Reply::Described) | None => Entered::Ended(Err(Failure::Panicked)),
        };
        (entered, invocation.reading)
    }

    /// The call with all who take part in it.
    async fn stages(self, reading: Reading, mut held: Held) -> CallOutput {
        let bound = match self.admitted(&reading).await {
            Ok(bound) => bound,
            Err(failure) => return self.end(Err(failure), reading),
        };
        let waited = self.take_key(&mut held).await;
        if (waited || gate::any(self.extensions())) && !self.is_current() {
            let output = texts::unknown(self.sent.name, self.site.nearest(self.sent.name).as_deref());
            if let Some(shared) = self.shared.get() {
                shared.life.end();
            }
            self.tell_end(&output);
            return output;
        }
        if let Some(shared) = self.shared.get()
            && (shared.token().is_cancelled() || !shared.life.start())
        {
            return self.end(Err(Failure::CancelledBefore), reading);
        }
        let (entered, reading) = if self.has_middleware() {
            let stack = stack(self.extensions(), self.tool());
            let around = Around { shared: Arc::clone(self.shared()), stack, bound };
            self.shared().life.start();
            let chain = around.run(0);
            let body = Contained::new(Box::pin(async move { chain.await.into_outcome() }));
            (Entered::Body(body, false), reading)
        } else {
            self.enter(bound.as_deref(), reading)
        };
        let (mut body, blocks) = match entered {
            Entered::Ended(outcome) => return self.end(outcome, reading),
            Entered::Body(body, blocks) => (body, blocks),
        };
        match poll_fn(|context| Poll::Ready(body.poll_once(context))).await {
            Poll::Ready(outcome) => self.end(outcome.unwrap_or_else(|| Err(Failure::Panicked)), reading),
            Poll::Pending => self.drive(body, blocks, reading, held).await,
        }
    }

    /// The rest of a call whose body did not end at once.
    async fn drive(
        self,
        body: Contained<'static, Outcome>,
        blocks: bool,
        reading: Reading,
        held: Held,
    ) -> CallOutput {
        let shared = self.shared();
        shared.life.start();
        match Running::begin(shared, body, blocks, reading, held) {
            Ok(running) => {
                self.told.store(true, Ordering::Relaxed);
                running.supervise().await
            }
            // Without a runtime there are no timers and nobody to go on elsewhere.
            Err((body, reading)) => {
                let outcome = body.await.unwrap_or_else(|| Err(Failure::Panicked));
                self.end(outcome, reading)
            }
        }
    }
}

/// How a body was entered.
enum Entered {
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
    let Some(found) = site.find(sent.name) else { return Begun::Ended(unknown(site, &sent, unique)) };
    let live = Live { site, sent, found, unique, shared: OnceLock::new(), told: AtomicBool::new(false) };
    live.tell(EventKind::Started);
    let reading = Reading::new(live.settings().repairs);
    if !live.is_plain() {
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

/// The call of a tool that is not there, or hidden.
#[cold]
fn unknown(site: &Site, sent: &Sent<'_>, unique: u64) -> CallOutput {
    let output = texts::unknown(sent.name, site.nearest(sent.name).as_deref());
    if let Some(extensions) = site.extensions() {
        let event = |kind| event(site, sent, unique, kind);
        tell(&extensions, &event(EventKind::Started));
        tell(&extensions, &event(EventKind::Finished { code: output.code() }));
    }
    output
}

impl MakeCaller for Live<'_> {
    fn caller(&self) -> Arc<dyn Caller> {
        Arc::clone(self.shared()) as Arc<dyn Caller>
    }
}

impl Drop for Live<'_> {
    /// A call that nobody waits for any more before its body has begun ends here.
    fn drop(&mut self) {
        if !self.told.load(Ordering::Relaxed) {
            if let Some(shared) = self.shared.get() {
                shared.cancel();
                shared.life.end();
            }
            self.tell(EventKind::Finished { code: Some(Failure::CancelledBefore.code()) });
        }
    }
}

impl fmt::Debug for Live<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("name", &self.sent.name).finish_non_exhaustive()
    }
}

fn refused(denied: Denied) -> Failure {
    Failure::Denied(Box::new(denied))
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

type Stack = Arc<[Arc<dyn Any + Send + Sync>]>;

/// The middleware around a tool, outermost first.
fn stack(extensions: &[Extension], tool: &Tool) -> Stack {
    extensions
        .iter()
        .filter(|extension| extension.kind == ExtensionKind::Middleware)
        .map(|extension| Arc::clone(&extension.value))
        .chain(tool.around().iter().flat_map(|around| around.iter()).map(Arc::clone))
        .collect()
}

/// A body and the middleware around it.
struct Around {
    shared: Arc<Shared>,
    stack: Stack,
    bound: Option<String>,
}

impl Around {
    fn run(self, index: usize) -> BoxFuture<'static, Answer> {
        run_from(Arc::new(self), index)
    }
}

fn run_from(around: Arc<Around>, index: usize) -> BoxFuture<'static, Answer> {
    let Some(held) = around.stack.get(index).cloned() else {
        return Box::pin(async move { Answer::new(innermost(&around).await) });
    };
    Box::pin(async move {
        let context = CallContext::new(Arc::clone(&around.shared) as Arc<dyn Caller>);
        let next = Next::new(move || run_from(Arc::clone(&around), index + 1));
        let called = contained(|| middleware::of(&*held).map(|middleware| middleware.call(&context, next)));
        match called.flatten() {
            Some(future) => match super::contain::contained_future(future).await {
                Some(answer) => answer,
                None => Answer::new(Err(Failure::Panicked)),
            },
            None => Answer::new(Err(Failure::Panicked)),
        }
    })
}

/// The body itself, with its output checked.
async fn innermost(around: &Around) -> Outcome {
    let shared = &around.shared;
    // Middleware may come here late, or once more.
    if shared.token().is_cancelled() || shared.life.has_ended() {
        return Err(Failure::Cancelled);
    }
    let tool = shared.found.entry.tool();
    let settings = shared.site.node.tree().settings;
    let reply = {
        let caller = OfShared(Arc::clone(shared));
        let invocation = Invocation {
            text: around.bound.as_deref().unwrap_or(&shared.facts.arguments),
            tool,
            states: &shared.found.states,
            reading: Reading::new(settings.repairs),
            caller: &caller,
        };
        let reply = contained(|| tool.enter(&invocation));
        let _ = shared.repairs.set(invocation.reading.into_repairs());
        reply
    };
    let outcome = match reply {
        Some(Reply::Ready(outcome)) => outcome,
        Some(Reply::Pending(body) | Reply::Blocking(body)) => {
            Contained::new(body).await.unwrap_or_else(|| Err(Failure::Panicked))
        }
        Some(Reply::Described) | None => Err(Failure::Panicked),
    };
    finish::checked(tool, &settings, outcome)
}

#[derive(Debug)]
struct OfShared(Arc<Shared>);

impl MakeCaller for OfShared {
    fn caller(&self) -> Arc<dyn Caller> {
        Arc::clone(&self.0) as Arc<dyn Caller>
    }
}
