//! The life of one call, as a pure state.
//!
//! Whatever comes together (the body's end, a cancellation, the time limit, going to the background, the loss of who drives
//! the call), exactly one of them ends the call.
//!
//! Architecture invariant: this file names nothing but `crate::sync`, so that loom can try every order of its steps.

use crate::sync::{AtomicU8, Ordering};

/// Where a call is. It only ever moves towards its end.
pub(crate) struct Life(AtomicU8);

const WAITING: u8 = 0;
const RUNNING: u8 = 1;
const CANCELLING: u8 = 2;
const TIMED_OUT: u8 = 3;
const BACKGROUND: u8 = 4;
const BACKGROUND_CANCELLING: u8 = 5;
const ENDED: u8 = 6;

/// How a call ended, for the one who ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It was cancelled before its body ran.
    BeforeStart,
    /// Its body ended by itself.
    Finished,
    /// It was cancelled while its body ran.
    Cancelled,
    /// Its time was over.
    TimedOut,
    /// Its body ended in the background.
    InBackground,
    /// It was cancelled in the background.
    CancelledInBackground,
}

/// What a cancellation found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cancelled {
    /// The body has not begun, and will not.
    BeforeStart,
    /// The body runs: it gets the signal.
    Running,
    /// The call has ended, or was cancelled before.
    Already,
}

impl Life {
    pub(crate) fn new() -> Self {
        Self(AtomicU8::new(WAITING))
    }

    /// The body is about to run; not if the call was cancelled before.
    pub(crate) fn start(&self) -> bool {
        self.moves(|state| (state == WAITING).then_some(RUNNING)).is_some()
    }

    /// The call is to end.
    pub(crate) fn cancel(&self) -> Cancelled {
        let before = self.moves(|state| match state {
            // Nobody but who drives the call may end it, so it waits to be told.
            WAITING | RUNNING => Some(CANCELLING),
            BACKGROUND => Some(BACKGROUND_CANCELLING),
            _ => None,
        });
        match before {
            Some(WAITING) => Cancelled::BeforeStart,
            Some(_) => Cancelled::Running,
            None => Cancelled::Already,
        }
    }

    /// The call is to end, unless it has gone to the background.
    pub(crate) fn cancel_in_foreground(&self) -> Cancelled {
        let before = self.moves(|state| matches!(state, WAITING | RUNNING).then_some(CANCELLING));
        match before {
            Some(WAITING) => Cancelled::BeforeStart,
            Some(_) => Cancelled::Running,
            None => Cancelled::Already,
        }
    }

    /// The time of the call is over; whether that is what ends it.
    pub(crate) fn time_out(&self) -> bool {
        self.moves(|state| (state == RUNNING).then_some(TIMED_OUT)).is_some()
    }

    /// The call goes on in the background; whether it does.
    pub(crate) fn promote(&self) -> bool {
        self.moves(|state| (state == RUNNING).then_some(BACKGROUND)).is_some()
    }

    /// The call ends: its body has, or who drives it goes away. Only the first of these gets an answer, and tells it.
    pub(crate) fn end(&self) -> Option<Ending> {
        let before = self.moves(|state| (state != ENDED).then_some(ENDED))?;
        Some(match before {
            WAITING => Ending::BeforeStart,
            RUNNING => Ending::Finished,
            CANCELLING => Ending::Cancelled,
            TIMED_OUT => Ending::TimedOut,
            BACKGROUND => Ending::InBackground,
            _ => Ending::CancelledInBackground,
        })
    }

    pub(crate) fn is_in_background(&self) -> bool {
        matches!(self.0.load(Ordering::Acquire), BACKGROUND | BACKGROUND_CANCELLING)
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.0.load(Ordering::Acquire) == ENDED
    }

    /// Moves on; the state before, if there was a way.
    fn moves(&self, way: impl Fn(u8) -> Option<u8>) -> Option<u8> {
        let mut state = self.0.load(Ordering::Acquire);
        loop {
            let next = way(state)?;
            match self.0.compare_exchange_weak(state, next, Ordering::AcqRel, Ordering::Acquire) {
                Ok(before) => return Some(before),
                Err(now) => state = now,
            }
        }
    }
}
