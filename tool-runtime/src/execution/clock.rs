//! The time limit of one call. The time that questions take does not count.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

pub(super) struct Clock {
    limit: Option<Duration>,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    begun: bool,
    /// When the time is over, but for what questions have taken.
    deadline: Option<Instant>,
    /// How many questions are open.
    asking: usize,
    since: Option<Instant>,
    spent: Duration,
}

impl Clock {
    pub(super) fn new(limit: Option<Duration>) -> Self {
        Self { limit, state: Mutex::default(), changed: Notify::new() }
    }

    pub(super) fn limit(&self) -> Option<Duration> {
        self.limit
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time begins to count, the first time.
    pub(super) fn begin(&self) {
        let mut state = self.state();
        if !state.begun {
            state.begun = true;
            // A limit beyond what the clock can count is none.
            state.deadline = self.limit.and_then(|limit| Instant::now().checked_add(limit));
        }
    }

    /// When the time is over, as far as is known now; `None` before it began, without a limit, and while a question is open.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let state = self.state();
        let deadline = state.deadline.filter(|_| state.asking == 0)?;
        deadline.checked_add(state.spent)
    }

    /// Waits until the time is over.
    pub(super) async fn over(&self) {
        if self.limit.is_none() {
            return std::future::pending().await;
        }
        loop {
            // Made before the look, so that no change in between is missed.
            let changed = self.changed.notified();
            match self.deadline() {
                Some(deadline) if deadline <= Instant::now() => return,
                Some(deadline) => tokio::select! {
                    () = tokio::time::sleep_until(deadline) => {}
                    () = changed => {}
                },
                None => changed.await,
            }
        }
    }

    /// A question begins.
    pub(super) fn stop(&self) {
        let mut state = self.state();
        state.asking += 1;
        state.since.get_or_insert_with(Instant::now);
        drop(state);
        self.changed.notify_waiters();
    }

    /// A question ends.
    pub(super) fn go_on(&self) {
        let mut state = self.state();
        state.asking = state.asking.saturating_sub(1);
        if state.asking == 0
            && let Some(since) = state.since.take()
        {
            // What was asked before the time began to count takes nothing from it.
            let taken = if state.begun { since.elapsed() } else { Duration::ZERO };
            state.spent += taken;
        }
        drop(state);
        self.changed.notify_waiters();
    }
}
