//! Which call a task is busy with.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::contain::Contained;
use super::shared::Shared;
use crate::registry::Run;
use crate::tool::Outcome;

thread_local! {
    static CURRENT: RefCell<Option<Arc<Shared>>> = const { RefCell::new(None) };
}

/// A body that did not end at its first poll, and the call that it belongs to. The call runs for as long as it is there.
pub(super) struct Within {
    // Before the other fields: what it holds goes while the call is still counted.
    body: Contained<'static, Outcome>,
    call: Arc<Shared>,
    _run: Option<Arc<Run>>,
}

impl Within {
    pub(super) fn new(call: &Arc<Shared>, body: Contained<'static, Outcome>, run: Option<Arc<Run>>) -> Self {
        Self { body, call: Arc::clone(call), _run: run }
    }
}

impl Future for Within {
    type Output = Option<Outcome>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Outcome>> {
        let _before = Restored(CURRENT.replace(Some(Arc::clone(&self.call))));
        self.body.poll_once(context)
    }
}

/// What this was busy with before, which it is again when this is dropped.
struct Restored(Option<Arc<Shared>>);

impl Drop for Restored {
    fn drop(&mut self) {
        let before = self.0.take();
        let gone = CURRENT.try_with(|current| current.replace(before));
        drop(gone);
    }
}

/// Whether the call that is busy here is to end: what it comes to then is lost.
pub(crate) fn is_cancelled() -> bool {
    current().is_some_and(|call| call.token().is_cancelled())
}

/// The call that is busy here.
pub(super) fn current() -> Option<Arc<Shared>> {
    CURRENT.with(|current| current.borrow().clone())
}
