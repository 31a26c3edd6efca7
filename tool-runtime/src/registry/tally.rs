//! How many calls of a tool run, and whether it is gone, as one number.
//!
//! Whoever takes the tool away learns how many calls run then, and no call begins after that; whoever ends a call learns
//! whether somebody may wait for it.
//!
//! Architecture invariant: this file names nothing but `crate::sync`, so that loom can try every order of its steps.

use crate::sync::{AtomicU64, Ordering};

/// Twice the number of calls that run, and one more once the tool is gone.
pub(crate) struct Tally(AtomicU64);

const GONE: u64 = 1;
const CALL: u64 = 2;

impl Tally {
    pub(crate) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// A call begins; not if the tool is gone.
    #[inline]
    pub(crate) fn enter(&self) -> bool {
        let mut now = self.0.load(Ordering::Acquire);
        while now & GONE == 0 {
            match self.0.compare_exchange_weak(now, now + CALL, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return true,
                Err(newer) => now = newer,
            }
        }
        false
    }

    /// A call that has begun ends; whether the tool is gone, so that somebody may wait for the end.
    #[inline]
    pub(crate) fn leave(&self) -> bool {
        self.0.fetch_sub(CALL, Ordering::AcqRel) & GONE != 0
    }

    /// The tool is gone: no call begins any more. How many run.
    pub(crate) fn close(&self) -> u64 {
        self.0.fetch_or(GONE, Ordering::AcqRel) / CALL
    }

    /// How many calls run.
    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire) / CALL
    }
}
