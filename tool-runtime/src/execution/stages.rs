//! The stages of a call in which others take part: permits, gates, guards, keys, middleware, a body that does not end at once.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;

use super::around::{Around, stack};
use super::contain::Contained;
use super::drive::Running;
use super::event::EventKind;
use super::gate;
use super::live::{Entered, Live};
use super::shared::Asking;
use super::site::Held;
use super::within::Within;
use crate::error::contained;
use crate::output::CallOutput;
use crate::registry::ExtensionKind;
use crate::tool::{
    Concurrency, Denied, Failure, Invocation, Outcome, Parallel, Permission, PermissionRequest, Reading, Tool,
};

/// What the stages before the body came to.
struct Admitted {
    /// The arguments with those that are added to what was sent.
    bound: Option<String>,
    /// Whether they were read, and what was repaired of them noted.
    is_read: bool,
}

impl Live<'_> {
    /// Everything before the body: permits, arguments where somebody wants to know them, guards, gates, keys.
    async fn admitted(&mut self, reading: &mut Reading, held: &mut Held) -> Result<Admitted, Failure> {
        if self.site.is_closing(self.sent.parent) {
            return Err(Failure::CancelledBefore);
        }
        let key = self.key();
        let mut has_waited = false;
        if key.is_none() {
            has_waited |= self.take_permit(held).await?;
        }
        let tool = self.tool();
        let bound = if tool.is_derived() {
            contained(|| tool.bound(self.sent.arguments, reading))
                .unwrap_or_else(|| Err(Failure::Panicked))?
        } else {
            None
        };
        let is_judged = gate::any(self.extensions());
        let is_read = is_judged || self.has_middleware();
        if is_read {
            self.check(bound.as_deref(), reading)?;
        }
        if is_judged {
            self.judge(bound.as_deref()).await?;
        }
        if let Some(key) = key {
            has_waited |= self.take_key(key, held).await?;
            // After the key, so that who waits for one keeps nobody else from running.
            has_waited |= self.take_permit(held).await?;
        }
        if is_judged || has_waited || self.asks_how_it_runs() {
            self.confirm(bound.as_deref()).await?;
        }
        Ok(Admitted { bound, is_read })
    }

    async fn judge(&self, bound: Option<&str>) -> Result<(), Failure> {
        let extensions = self.extensions();
        let context = self.context();
        // Before anybody is asked, so that nobody approves in vain.
        gate::guards(extensions, &context).map_err(refused)?;
        if gate::has_gates(extensions) {
            let requests = self.requests(bound)?;
            self.tell(EventKind::Asked);
            let asking = Asking::new(self.shared());
            let verdict = tokio::select! {
                biased;
                () = context.cancelled() => return Err(Failure::CancelledBefore),
                verdict = gate::judge(gate::gates(extensions), &context, &requests) => verdict,
            };
            drop(asking);
            self.tell(EventKind::Answered { allowed: verdict.is_ok() });
            verdict.map_err(refused)?;
        }
        Ok(())
    }

    /// Whatever was decided, it holds for what is there and allowed now.
    async fn confirm(&mut self, bound: Option<&str>) -> Result<(), Failure> {
        let shared = Arc::clone(self.shared());
        let (now, run) = shared.confirmed(bound, self.run_of_owner().as_ref()).await?;
        let same = |one: &Option<Arc<[_]>>, other: &Option<Arc<[_]>>| match (one, other) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        if now.entry.id != self.found.entry.id || !same(&now.extensions, &self.found.extensions) {
            shared.renew(now.clone());
            self.renew(now, run);
        }
        Ok(())
    }

    /// The key that the call needs, unless a call around it has it.
    fn key(&self) -> Option<String> {
        if !self.asks_how_it_runs() {
            return None;
        }
        let Concurrency::Keyed(key) = self.concurrency() else { return None };
        let is_held = self.sent.parent.is_some_and(|parent| parent.holds_key(&key));
        (!is_held).then_some(key)
    }

    /// Whether a function of the tool's says if the call may run beside others.
    pub(super) fn asks_how_it_runs(&self) -> bool {
        self.site.conversation().is_some()
            && matches!(self.tool().spec().map(|spec| spec.parallel), Some(Parallel::Judged(_)))
    }

    /// Takes a key; whether that took a wait.
    async fn take_key(&self, key: String, held: &mut Held) -> Result<bool, Failure> {
        let Some(conversation) = self.site.conversation() else { return Ok(false) };
        let guard = conversation.key(key.clone(), Arc::clone(self.shared())).await;
        // A call that was cancelled while it waited has none.
        if guard.is_empty() {
            return Err(Failure::CancelledBefore);
        }
        held.extend(guard);
        let _ = self.shared().key.set(key);
        Ok(true)
    }

    /// Takes a permit where calls need one and it has none; whether that took a wait. Calls within calls need none, so that they never
    /// wait for what a call around them holds, and neither do the tools of the conversation itself.
    async fn take_permit(&self, held: &mut Held) -> Result<bool, Failure> {
        let Some(conversation) = self.site.conversation() else { return Ok(false) };
        if !self.needs_permit() {
            return Ok(false);
        }
        if let Some(permit) = conversation.permit_now() {
            held.push(permit);
            return Ok(false);
        }
        let permit = conversation.permit(Arc::clone(self.shared())).await;
        if permit.is_empty() {
            return Err(Failure::CancelledBefore);
        }
        held.extend(permit);
        Ok(true)
    }

    fn has_middleware(&self) -> bool {
        self.tool().around().is_some()
            || self.extensions().iter().any(|extension| extension.kind == ExtensionKind::Middleware)
    }

    fn check(&self, bound: Option<&str>, reading: &mut Reading) -> Result<(), Failure> {
        let invocation = self.invocation(bound, std::mem::take(reading));
        let checked = contained(|| self.tool().check_arguments(&invocation));
        *reading = invocation.reading;
        checked.unwrap_or_else(|| Err(Failure::Panicked))
    }

    fn requests(&self, bound: Option<&str>) -> Result<Vec<PermissionRequest>, Failure> {
        requests(self.tool(), &self.invocation(bound, Reading::new(self.settings().repairs)))
    }

    /// What the call needs permission for, or how it would fail.
    pub(crate) fn permissions(&self) -> Result<Vec<PermissionRequest>, CallOutput> {
        let judged = || {
            let mut reading = Reading::new(self.settings().repairs);
            let bound = self.tool().bound(self.sent.arguments, &reading)?;
            self.check(bound.as_deref(), &mut reading)?;
            self.requests(bound.as_deref())
        };
        contained(judged)
            .unwrap_or_else(|| Err(Failure::Panicked))
            .map_err(|failure| super::texts::fail(self.tool(), failure))
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

    /// The call with all who take part in it.
    pub(super) async fn stages(mut self, mut reading: Reading, mut held: Held) -> CallOutput {
        let Admitted { bound, is_read } = match self.admitted(&mut reading, &mut held).await {
            Ok(admitted) => admitted,
            Err(failure) => return self.end(Err(failure), reading),
        };
        if let Some(shared) = self.shared.get()
            && (shared.token().is_cancelled() || !shared.life.start())
        {
            return self.end(Err(Failure::CancelledBefore), reading);
        }
        let (entered, reading) = if self.has_middleware() {
            self.begin_clock();
            self.shared().life.start();
            let stack = stack(self.extensions(), self.tool());
            let chain =
                Around { shared: Arc::clone(self.shared()), stack, bound, run: self.run_of_owner() }.run(0);
            let body = Contained::new(Box::pin(async move { chain.await.into_outcome() }));
            (Entered::Body(body, false), reading)
        } else if is_read {
            // What was repaired is noted already.
            (self.enter(bound.as_deref(), Reading::new(self.settings().repairs)).0, reading)
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
    pub(super) async fn drive(
        self,
        body: Contained<'static, Outcome>,
        blocks: bool,
        reading: Reading,
        held: Held,
    ) -> CallOutput {
        let shared = self.shared();
        shared.life.start();
        let run = self.run_of_owner();
        let body = Within::new(shared, body, run.clone());
        match Running::begin(shared, body, run, blocks, reading, held) {
            Ok(running) => {
                self.told.store(true, Ordering::Relaxed);
                running.supervise().await
            }
            // Without a runtime there are no timers and nobody to go on elsewhere.
            Err((body, reading, held)) => {
                let outcome = body.await.unwrap_or_else(|| Err(Failure::Panicked));
                drop(held);
                self.end(outcome, reading)
            }
        }
    }
}

pub(super) fn refused(denied: Denied) -> Failure {
    Failure::Denied(Box::new(denied))
}

/// What a call needs permission for: what its tool declares, or `tool:<name>`.
pub(super) fn requests(tool: &Tool, invocation: &Invocation<'_>) -> Result<Vec<PermissionRequest>, Failure> {
    let effect = tool.definition().effect();
    if let Some(Permission::Judged(judge)) = tool.spec().map(|spec| spec.permission) {
        return contained(|| judge(invocation)).unwrap_or_else(|| Err(Failure::Panicked));
    }
    Ok(vec![match tool.definition().permission() {
        Some(permission) => PermissionRequest::new(permission, "", effect),
        None => PermissionRequest::new(format!("tool:{}", tool.name()), "", effect),
    }])
}
