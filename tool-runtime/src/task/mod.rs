//! The only place that hands work to threads or tasks of the executor.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::{Handle, Id};

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
