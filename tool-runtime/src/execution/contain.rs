//! Panics end a call, not the program.
//!
//! With `panic = "abort"` nothing can be contained, and a second panic while one unwinds aborts, too.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::error::contained;

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
