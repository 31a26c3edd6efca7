//! The only place that hands work to threads or tasks of the executor.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::runtime::{Handle, Id};
use tokio::task::JoinSet;

use crate::error::contained;

/// What is known of runtimes that were asked about lately.
static TIMERS: Mutex<Vec<(Id, bool)>> = Mutex::new(Vec::new());

/// How many runtimes are remembered.
const MAX_KNOWN: usize = 64;

/// Whether a runtime has timers. One that was built without them has no deadlines; that it has none shows in a panic alone, so
/// it is asked once.
pub(crate) fn has_timers(runtime: &Handle) -> bool {
    let id = runtime.id();
    let known = TIMERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, timers)) = known.iter().find(|(known, _)| *known == id) {
        return *timers;
    }
    drop(known);
    let timers = contained(|| drop(tokio::time::sleep(Duration::ZERO))).is_some();
    let mut known = TIMERS.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() == MAX_KNOWN {
        known.remove(0);
    }
    known.push((id, timers));
    timers
}

/// Hands a future to a runtime; it goes on if the handle is dropped.
pub(crate) fn spawn<T: Send + 'static>(
    runtime: &Handle,
    future: impl Future<Output = T> + Send + 'static,
) -> tokio::task::JoinHandle<T> {
    #[cfg(feature = "tracing")]
    let future = tracing::Instrument::in_current_span(future);
    runtime.spawn(future)
}

/// Runs a blocking function on the blocking pool, or in place where no runtime is at hand.
///
/// # Errors
/// Returns `None` if the function panicked or the runtime was shut down before it ran.
/// # Cancel safety
/// Dropped, the function goes on to its end and its value is lost.
pub(crate) async fn blocking<T: Send + 'static>(function: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    match Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(function).await.ok(),
        Err(_) => Some(function()),
    }
}

/// Waits for a future, at most so long; where the runtime has no timers, or there is none, without end.
///
/// # Errors
/// Returns `None` when it took too long.
pub(crate) async fn within<T>(at_most: Duration, future: impl Future<Output = T>) -> Option<T> {
    match Handle::try_current() {
        Ok(runtime) if has_timers(&runtime) => tokio::time::timeout(at_most, future).await.ok(),
        _ => Some(future.await),
    }
}

/// Futures that run as tasks of their own, and are stopped when nobody waits for them any more. Without a runtime they run where
/// they are waited for.
pub(crate) struct Group<T> {
    tasks: JoinSet<T>,
    here: Vec<Pin<Box<dyn Future<Output = T> + Send>>>,
}

impl<T: Send + 'static> Group<T> {
    pub(crate) fn new() -> Self {
        Self { tasks: JoinSet::new(), here: Vec::new() }
    }

    /// Adds one.
    pub(crate) fn spawn(&mut self, future: Pin<Box<dyn Future<Output = T> + Send>>) {
        let Ok(runtime) = Handle::try_current() else {
            self.here.push(future);
            return;
        };
        #[cfg(feature = "tracing")]
        let future = tracing::Instrument::in_current_span(future);
        self.tasks.spawn_on(future, &runtime);
    }

    /// Waits for the end of any; `Some(None)` of one that panicked, `None` where none is left.
    ///
    /// # Cancel safety
    /// Dropped, nothing is lost.
    pub(crate) async fn next(&mut self) -> Option<Option<T>> {
        poll_fn(|context| {
            if let Poll::Ready(ended) = self.next_here(context) {
                return Poll::Ready(Some(ended));
            }
            match self.tasks.poll_join_next(context) {
                Poll::Ready(Some(ended)) => Poll::Ready(Some(ended.ok())),
                Poll::Ready(None) if self.here.is_empty() => Poll::Ready(None),
                Poll::Ready(None) | Poll::Pending => Poll::Pending,
            }
        })
        .await
    }

    fn next_here(&mut self, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut all = self.here.iter_mut().enumerate();
        let ended = all.find_map(|(index, future)| match contained(|| future.as_mut().poll(context)) {
            Some(Poll::Pending) => None,
            Some(Poll::Ready(value)) => Some((index, Some(value))),
            None => Some((index, None)),
        });
        let Some((index, value)) = ended else { return Poll::Pending };
        let ended = self.here.swap_remove(index);
        contained(|| drop(ended));
        Poll::Ready(value)
    }
}
