//! Panics end a call, not the program.
//!
//! With `panic = "abort"` nothing can be contained, and a second panic while one unwinds aborts, too.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::error::contained;
use crate::tool::{Body, Failure, Outcome, Produced, Reply};

/// Polls a future; `None` if a poll or its drop panicked.
pub(crate) fn contained_future<T>(
    future: Pin<Box<dyn Future<Output = T> + Send + '_>>,
) -> impl Future<Output = Option<T>> + Send {
    Contained::new(future)
}

/// A future whose panics, and those of its drop, are its end: `None`.
pub(super) struct Contained<'a, T>(Option<Pin<Box<dyn Future<Output = T> + Send + 'a>>>);

impl<'a, T> Contained<'a, T> {
    pub(super) fn new(future: Pin<Box<dyn Future<Output = T> + Send + 'a>>) -> Self {
        Self(Some(future))
    }

    /// Polls it; it need not stay where it is.
    pub(super) fn poll_once(&mut self, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut value = None;
        // Poll and drop are contained together; the value stays outside, since its own drop may panic as well.
        let is_ready = contained(|| {
            let Some(future) = &mut self.0 else { return true };
            match future.as_mut().poll(context) {
                Poll::Pending => false,
                Poll::Ready(ready) => {
                    value.get_or_insert(ready);
                    self.0 = None;
                    true
                }
            }
        });
        match is_ready {
            Some(true) => Poll::Ready(value),
            Some(false) => Poll::Pending,
            None => {
                // The future may be half unwound; what is left of it is dropped apart from the next poll.
                contained(|| self.0 = None);
                contained(|| drop(value));
                Poll::Ready(None)
            }
        }
    }
}

/// What the first poll of a body came to: the first of these that is there.
pub(super) struct First<'f> {
    /// A value's text and nothing besides, as most often.
    pub(super) text: &'f mut Option<String>,
    pub(super) outcome: &'f mut Option<Outcome>,
    /// It is to be polled again.
    pub(super) body: &'f mut Option<Body>,
    /// Whether the body blocks a thread.
    pub(super) blocks: &'f mut bool,
}

impl First<'_> {
    /// Enters a body and polls it once; `run` is for one that blocks a thread. What it comes to is put where it is wanted: to move it
    /// would cost as much as all the rest.
    #[inline]
    pub(super) fn poll(
        self,
        enter: impl FnOnce() -> Reply,
        run: impl FnOnce() -> Option<Arc<dyn Any + Send + Sync>>,
        context: &mut Context<'_>,
    ) {
        let Self { text, outcome, body, blocks } = self;
        // As in `poll_once`: what has come out stays outside.
        let done = contained(|| {
            let ready = match enter() {
                Reply::Ready(ready) => Poll::Ready(ready),
                Reply::Pending(pending) => body.insert(pending).as_mut().poll(context),
                Reply::Blocking(begin) => {
                    *blocks = true;
                    body.insert(begin(run())).as_mut().poll(context)
                }
                Reply::Described => Poll::Ready(Err(Failure::Panicked)),
            };
            match ready {
                Poll::Ready(Ok(Produced { value: Some(value), content: None, foreign: false })) => {
                    *text = Some(value);
                }
                Poll::Ready(other) => *outcome = Some(other),
                Poll::Pending => return,
            }
            if body.is_some() {
                *body = None;
            }
        });
        if done.is_none() {
            panicked(text, outcome, body);
        }
    }
}

/// A body may be half unwound; what is left of it is dropped apart from what came out of it.
#[cold]
fn panicked(text: &mut Option<String>, outcome: &mut Option<Outcome>, body: &mut Option<Body>) {
    contained(|| *body = None);
    let before = outcome.replace(Err(Failure::Panicked));
    contained(|| drop(before));
    *text = None;
}

impl<T> Future for Contained<'_, T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.poll_once(context)
    }
}

impl<T> Drop for Contained<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_some() {
            contained(|| self.0 = None);
        }
    }
}
