//! Middleware around a body.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::contain::{Contained, contained_future};
use super::finish;
use super::shared::{Of, Shared};
use crate::error::contained;
use crate::middleware::{self, Answer, Next};
use crate::registry::{Extension, ExtensionKind, Run};
use crate::tool::{BoxFuture, CallContext, Caller, Failure, Outcome, Reading, Reply, Tool};

pub(super) type Stack = Arc<[Arc<dyn Any + Send + Sync>]>;

/// The middleware around a tool, outermost first.
pub(super) fn stack(extensions: &[Extension], tool: &Tool) -> Stack {
    extensions
        .iter()
        .filter(|extension| extension.kind == ExtensionKind::Middleware)
        .map(|extension| Arc::clone(&extension.value))
        .chain(tool.around().iter().flat_map(|around| around.iter()).map(Arc::clone))
        .collect()
}

/// A body and the middleware around it.
pub(super) struct Around {
    pub(super) shared: Arc<Shared>,
    pub(super) stack: Stack,
    pub(super) bound: Option<String>,
    /// Middleware may go on with the body where nobody waits for it.
    pub(super) run: Option<Arc<Run>>,
}

impl Around {
    pub(super) fn run(self, index: usize) -> BoxFuture<'static, Answer> {
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
            Some(future) => match contained_future(future).await {
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
    let bound = around.bound.as_deref();
    let (found, run) = match shared.confirmed(bound, around.run.as_ref()).await {
        Err(Failure::CancelledBefore) => return Err(Failure::Cancelled),
        found => found?,
    };
    let tool = found.entry.tool();
    let settings = shared.site.node.tree().settings;
    let reply = {
        let caller = Of(Arc::clone(shared));
        let invocation = shared.invocation(&found, bound, Reading::new(settings.repairs), &caller);
        contained(|| tool.enter(&invocation))
    };
    let outcome = match reply {
        Some(Reply::Ready(outcome)) => outcome,
        Some(Reply::Pending(body)) => Contained::new(body).await.unwrap_or_else(|| Err(Failure::Panicked)),
        Some(Reply::Blocking(begin)) => {
            let _blocking = Blocking::new(shared);
            let body = begin(run.clone().map(|run| run as Arc<_>));
            Contained::new(body).await.unwrap_or_else(|| Err(Failure::Panicked))
        }
        Some(Reply::Described) | None => Err(Failure::Panicked),
    };
    drop(run);
    finish::checked(tool, &settings, outcome)
}

/// Says of a call that a body of it blocks a thread, while it lives.
struct Blocking<'a>(&'a Shared);

impl<'a> Blocking<'a> {
    fn new(call: &'a Shared) -> Self {
        call.blocking.fetch_add(1, Ordering::Relaxed);
        Self(call)
    }
}

impl Drop for Blocking<'_> {
    fn drop(&mut self) {
        self.0.blocking.fetch_sub(1, Ordering::Relaxed);
    }
}
