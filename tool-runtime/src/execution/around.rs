//! Middleware around a body.

use std::any::Any;
use std::sync::Arc;

use super::contain::{Contained, contained_future};
use super::finish;
use super::shared::Shared;
use crate::error::contained;
use crate::middleware::{self, Answer, Next};
use crate::registry::{Extension, ExtensionKind};
use crate::tool::{
    BoxFuture, CallContext, Caller, Failure, Invocation, MakeCaller, Outcome, Reading, Reply, Tool,
};

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
