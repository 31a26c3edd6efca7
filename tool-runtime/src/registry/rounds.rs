//! Work that one does for all: who finds another at it leaves it to that one, which then goes round once more.
//!
//! Architecture invariant: this file names nothing but `crate::sync`, so that loom can try every order of its steps.

use crate::sync::{AtomicBool, Ordering};

/// How often in a row it goes round where the work makes more of itself; what is left is done with the next.
const MAX_ROUNDS: usize = 16;

/// Whether somebody is at it, and whether there is more to do.
#[derive(Default)]
pub(crate) struct Rounds {
    running: AtomicBool,
    again: AtomicBool,
}

impl Rounds {
    /// Sees to it that `round` runs from its beginning after this was called: here, or where it runs already. It does not panic.
    pub(crate) fn run(&self, mut round: impl FnMut()) {
        // Swaps and no stores: who leaves the work to another has to be seen by that one, with all that it did before.
        self.again.swap(true, Ordering::AcqRel);
        for _ in 0..MAX_ROUNDS {
            if !self.again.load(Ordering::Acquire) || self.running.swap(true, Ordering::AcqRel) {
                return;
            }
            self.again.swap(false, Ordering::AcqRel);
            round();
            self.running.swap(false, Ordering::AcqRel);
        }
    }
}
