//! A tool goes while calls of it begin and end: whoever waits for their end is told of it.

use loom::model::Builder;
use loom::thread;

use crate::sync::{Arc, AtomicBool, Ordering};
use crate::tally::Tally;

/// Calls that begin and end, each on a thread of its own, while the tool goes; `bound` is how often a thread is interrupted at most.
fn every_end_is_seen(calls: usize, bound: Option<usize>) {
    let mut builder = Builder::new();
    builder.preemption_bound = bound;
    builder.check(move || {
        let tally = Arc::new(Tally::new());
        let is_gone = Arc::new(AtomicBool::new(false));
        let threads: Vec<_> = (0..calls)
            .map(|_| {
                let (tally, is_gone) = (Arc::clone(&tally), Arc::clone(&is_gone));
                thread::spawn(move || {
                    let was_gone = is_gone.load(Ordering::SeqCst);
                    if !tally.enter() {
                        return false;
                    }
                    assert!(!was_gone, "a call of a tool that is gone has begun");
                    // The last to leave finds that nobody is there.
                    tally.leave() && tally.count() == 0
                })
            })
            .collect();
        let running = tally.close();
        is_gone.store(true, Ordering::SeqCst);
        assert!(!tally.enter());
        let told = threads.into_iter().map(|thread| thread.join().expect("no panic"));
        let told = told.filter(|told| *told).count();
        assert_eq!(tally.count(), 0);
        assert_eq!(running > 0, told > 0, "{running} ran, {told} were told");
    });
}

#[test]
fn two_calls_and_a_removal() {
    every_end_is_seen(2, None);
}

#[test]
fn three_calls_and_a_removal() {
    every_end_is_seen(3, Some(2));
}
