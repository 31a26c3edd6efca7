//! When a call that is to end is stopped: after the grace of its registry, or when an unloading says so.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::life::Cancelled;
use super::shared::Shared;
use crate::registry::Stop;

/// What was said of one call.
#[derive(Default)]
pub(super) struct Stopping {
    said: Mutex<Option<Said>>,
    changed: Notify,
}

#[derive(Clone, Copy)]
struct Said {
    until: Instant,
    /// Whether that was what ended the call: its grace is then the unloading's, and the shorter one otherwise.
    first: bool,
}

impl Stopping {
    fn said(&self) -> MutexGuard<'_, Option<Said>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a call that has its signal now is to be stopped.
    pub(super) async fn grace_over(&self, grace: Duration) {
        let own = Instant::now().checked_add(grace);
        loop {
            let changed = self.changed.notified();
            let said = *self.said();
            let until = match said {
                Some(Said { until, first: true }) => Some(until),
                Some(Said { until, first: false }) => Some(own.map_or(until, |own| own.min(until))),
                None => own,
            };
            let over = async {
                match until {
                    Some(until) => sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = over => return,
                () = changed => {}
            }
        }
    }
}

impl Stop for Shared {
    fn stop(&self, until: Instant) {
        let mut said = self.stopping.said();
        let first = self.life.cancel() != Cancelled::Already;
        *said = Some(match *said {
            Some(earlier) => Said { until: until.min(earlier.until), ..earlier },
            None => Said { until, first },
        });
        drop(said);
        // Once it is said, since those whom these wake look there.
        if first {
            self.token().cancel();
        }
        self.stopping.changed.notify_waiters();
    }
}
