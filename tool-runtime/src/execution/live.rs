//! One call on its way through the stages.
//!
//! Resolve, read the arguments, gates and guards, middleware around the body, result hooks, content hooks, the last event. What
//! others have to know of the call is made when they first ask: most calls are over before.

use std::any::Any;
use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::Poll;

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

    async fn run_unseen(site: &Site, sent: Sent<'_>, held: Held) -> CallOutput {
        let unique = CALLS.fetch_add(1, Ordering::Relaxed);
        let Some(found) = site.find(sent.name) else {
            let output = texts::unknown(sent.name, site.nearest(sent.name).as_deref());
            if let Some(extensions) = site.extensions() {
                let event = |kind| event(site, &sent, unique, kind);
                tell(&extensions, &event(EventKind::Started));
                tell(&extensions, &event(EventKind::Finished { code: output.code() }));
            }
            return output;
        };
        let live = Live { site, sent, found, unique, shared: OnceLock::new(), told: AtomicBool::new(false) };
        live.tell(EventKind::Started);
        let reading = Reading::new(live.settings().repairs);
        let outcome = match live.admitted(&reading).await {
            Ok(bound) => match live.body(bound, reading, held).await {
                Bodied::Ended(outcome, reading) => (outcome, reading),
                Bodied::Supervised(output) => return output,
            },
            Err(failure) => (Err(failure), reading),
        };
        let (outcome, reading) = outcome;
        let outcome = match live.shared.get().and_then(|shared| shared.life.end()) {
            Some(ending) => finish::ended(outcome, ending, live.settings()),
            None => outcome,
        };
        let mut output = finish::finish(live.tool(), live.settings(), live.extensions(), &live, outcome);
        output.note_repairs(reading.into_repairs());
        live.tell(EventKind::Finished { code: output.code() });
        live.told.store(true, Ordering::Relaxed);
        output
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
            contained(|| tool.bound(self.sent.arguments, reading)).unwrap_or_else(|| Err(Failure::Panicked))?
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
            if gate::has_gates(extensions) {
                let requests = self.requests(bound.as_deref())?;
                self.tell(EventKind::Asked);
                let verdict = gate::judge(extensions, &context, &requests).await;
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
        held.extend(conversation.key(key.clone(), Arc::clone(self.shared())).await);
        let _ = self.shared().key.set(key);
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

    /// Runs the body, and the middleware around it.
    async fn body(&self, bound: Option<String>, reading: Reading, mut held: Held) -> Bodied {
        let tool = self.tool();
        let waited = self.take_key(&mut held).await;
        if (waited || gate::any(self.extensions())) && !self.is_current() {
            let output = texts::unknown(self.sent.name, self.site.nearest(self.sent.name).as_deref());
            if let Some(shared) = self.shared.get() {
                shared.life.end();
            }
            self.tell(EventKind::Finished { code: output.code() });
            self.told.store(true, Ordering::Relaxed);
            return Bodied::Supervised(output);
        }
        if let Some(shared) = self.shared.get()
            && !shared.life.start()
        {
            return Bodied::Ended(Err(Failure::CancelledBefore), reading);
        }
        let (reply, reading) = if self.has_middleware() {
            let stack = stack(self.extensions(), tool);
            let around = Around { shared: Arc::clone(self.shared()), stack, bound };
            self.shared().life.start();
            let repair = reading.repair;
            let chain = around.run(0);
            (Some(Reply::Pending(Box::pin(async move { chain.await.into_outcome() }))), Reading::new(repair))
        } else {
            let invocation = self.invocation(bound.as_deref(), reading);
            let reply = contained(|| tool.enter(&invocation));
            (reply, invocation.reading)
        };
        let (body, blocks) = match reply {
            Some(Reply::Ready(outcome)) => return Bodied::Ended(outcome, reading),
            Some(Reply::Pending(body)) => (body, false),
            Some(Reply::Blocking(body)) => (body, true),
            Some(Reply::Described) | None => return Bodied::Ended(Err(Failure::Panicked), reading),
        };
        let mut body = Contained::new(body);
        if let Poll::Ready(outcome) = poll_fn(|context| Poll::Ready(body.poll_once(context))).await {
            return Bodied::Ended(outcome.unwrap_or_else(|| Err(Failure::Panicked)), reading);
        }
        let shared = self.shared();
        shared.life.start();
        match Running::begin(shared, body, blocks, reading, held) {
            Ok(running) => {
                self.told.store(true, Ordering::Relaxed);
                Bodied::Supervised(running.supervise().await)
            }
            // Without a runtime there are no timers and nobody to go on elsewhere.
            Err((body, reading)) => {
                let outcome = body.await.unwrap_or_else(|| Err(Failure::Panicked));
                Bodied::Ended(outcome, reading)
            }
        }
    }
}

/// How a body went on.
enum Bodied {
    Ended(Outcome, Reading),
    /// Somebody else has told the end of it, or will.
    Supervised(CallOutput),
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
        contained(|| tool.enter(&invocation))
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
