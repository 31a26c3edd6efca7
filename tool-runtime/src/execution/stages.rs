//! The stages of a call in which others take part: gates, guards, keys, middleware, a body that does not end at once.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;

use super::around::{Around, stack};
use super::contain::Contained;
use super::drive::Running;
use super::event::EventKind;
use super::live::{Entered, Live};
use super::site::Held;
use super::{gate, texts};
use crate::error::contained;
use crate::output::CallOutput;
use crate::registry::ExtensionKind;
use crate::tool::{Concurrency, Denied, Failure, Outcome, Parallel, Permission, PermissionRequest, Reading};

impl Live<'_> {
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

    /// The call with all who take part in it.
    pub(super) async fn stages(self, reading: Reading, mut held: Held) -> CallOutput {
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
    pub(super) async fn drive(
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

fn refused(denied: Denied) -> Failure {
    Failure::Denied(Box::new(denied))
}
