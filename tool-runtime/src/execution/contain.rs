//! Panics end a call, not the program.
//!
//! With `panic = "abort"` nothing can be contained, and a second panic while one unwinds aborts, too.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::error::contained;

/// Polls a future; `None` if a poll or its drop panicked.
pub(super) fn contained_future<T>(
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
        let Some(mut future) = self.0.take() else { return Poll::Ready(None) };
        match contained(|| future.as_mut().poll(context)) {
            Some(Poll::Pending) => {
                self.0 = Some(future);
                Poll::Pending
            }
            Some(Poll::Ready(value)) => match contained(|| drop(future)) {
                Some(()) => Poll::Ready(Some(value)),
                None => {
                    contained(|| drop(value));
                    Poll::Ready(None)
                }
            },
            None => {
                // The future is half unwound; what is left of it is dropped apart from the next poll.
                contained(|| drop(future));
                Poll::Ready(None)
            }
        }
    }
}

impl<T> Future for Contained<'_, T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.poll_once(context)
    }
}

impl<T> Drop for Contained<'_, T> {
    fn drop(&mut self) {
        if let Some(future) = self.0.take() {
            contained(|| drop(future));
        }
    }
}
