//! Who changes something and finds another telling of changes already may leave it to that one.

use loom::thread;

use crate::rounds::Rounds;
use crate::sync::{Arc, AtomicU64, Ordering};

#[test]
fn every_change_is_told_by_the_end() {
    loom::model(|| {
        let shared = Arc::new((Rounds::default(), AtomicU64::new(0), AtomicU64::new(0)));
        let change = |shared: &(Rounds, AtomicU64, AtomicU64)| {
            let (rounds, made, told) = shared;
            made.fetch_add(1, Ordering::Relaxed);
            rounds.run(|| told.store(made.load(Ordering::Relaxed), Ordering::Relaxed));
        };
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || change(&shared))
        };
        change(&shared);
        other.join().expect("no panic");
        assert_eq!(shared.2.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn one_tells_at_a_time() {
    loom::model(|| {
        let shared = Arc::new((Rounds::default(), AtomicU64::new(0)));
        let run = |shared: &(Rounds, AtomicU64)| {
            shared.0.run(|| {
                assert_eq!(shared.1.fetch_add(1, Ordering::Relaxed), 0);
                thread::yield_now();
                shared.1.fetch_sub(1, Ordering::Relaxed);
            });
        };
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || run(&shared))
        };
        run(&shared);
        other.join().expect("no panic");
    });
}
