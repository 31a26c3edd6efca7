//! Whatever would end a call, and whatever comes together: it ends once.

use loom::model::Builder;
use loom::thread;

use crate::life::{Cancelled, Ending, Life};
use crate::sync::Arc;

/// Something that happens to a call that runs; the ending that it brought about.
type Event = fn(&Life) -> Option<Ending>;

const EVENTS: [Event; 6] = [
    // Its body ends.
    Life::end,
    // It is cancelled.
    |life| {
        life.cancel();
        None
    },
    // Its time is over.
    |life| if life.time_out() { life.end() } else { None },
    // It goes to the background, and ends there.
    |life| if life.promote() { life.end() } else { None },
    // Everything of its conversation that is not in the background is aborted.
    |life| {
        life.cancel_in_foreground();
        None
    },
    // Who drives it goes away.
    |life| {
        life.cancel();
        life.end()
    },
];

/// Tries some events, each on a thread of its own; `bound` is how often a thread is interrupted at most.
fn ends_once<const COUNT: usize>(events: [Event; COUNT], bound: Option<usize>) {
    let mut builder = Builder::new();
    builder.preemption_bound = bound;
    builder.check(move || {
        let life = Arc::new(Life::new());
        assert!(life.start());
        let [mine, others @ ..] = &events[..] else { return };
        let threads: Vec<_> = others
            .iter()
            .map(|event| {
                let (life, event) = (Arc::clone(&life), *event);
                thread::spawn(move || event(&life))
            })
            .collect();
        let mut endings: Vec<Ending> = mine(&life).into_iter().collect();
        for thread in threads {
            endings.extend(thread.join().expect("no panic"));
        }
        endings.extend(life.end());
        assert_eq!(endings.len(), 1, "{endings:?}");
        assert!(life.has_ended() && !life.is_in_background());
        assert_eq!(life.end(), None);
    });
}

#[test]
fn every_three_end_a_call_once() {
    for one in 0..EVENTS.len() {
        for two in one + 1..EVENTS.len() {
            for three in two + 1..EVENTS.len() {
                ends_once([one, two, three].map(|event| EVENTS[event]), None);
            }
        }
    }
}

#[test]
fn every_four_end_a_call_once() {
    for one in 0..EVENTS.len() {
        for two in one + 1..EVENTS.len() {
            for three in two + 1..EVENTS.len() {
                for four in three + 1..EVENTS.len() {
                    ends_once([one, two, three, four].map(|event| EVENTS[event]), Some(3));
                }
            }
        }
    }
}

/// What has gone to the background is not aborted, however close together both come.
#[test]
fn what_goes_to_the_background_is_not_aborted() {
    loom::model(|| {
        let life = Arc::new(Life::new());
        assert!(life.start());
        let other = Arc::clone(&life);
        let aborted = thread::spawn(move || other.cancel_in_foreground() != Cancelled::Already);
        let promoted = life.promote();
        let aborted = aborted.join().expect("no panic");
        assert!(promoted != aborted);
        assert_eq!(life.end(), Some(if promoted { Ending::InBackground } else { Ending::Cancelled }));
    });
}
