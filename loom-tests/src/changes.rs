//! Changes of several cells against those who read them.

use loom::model::Builder;
use loom::sync::Mutex;
use loom::thread;

use crate::epoch::{Clock, Versioned, publish};
use crate::sync::{Arc, AtomicBool, Ordering};

/// A scope tree, as far as the protocol sees one.
struct Tree<const CELLS: usize> {
    clock: Clock,
    turn: Mutex<()>,
    cells: [Versioned<u8>; CELLS],
}

impl<const CELLS: usize> Tree<CELLS> {
    fn new() -> Arc<Self> {
        let cells = [(); CELLS].map(|()| Versioned::new(0));
        Arc::new(Self { clock: Clock::new(), turn: Mutex::new(()), cells })
    }

    /// Changes every cell by what it holds; what was replaced.
    fn change(&self, make: impl Fn(u8) -> u8) -> Vec<u8> {
        let _turn = self.turn.lock();
        let changed: Vec<u8> = self.cells.iter().map(|cell| make(*cell.newest())).collect();
        publish(&self.clock, self.cells.iter().zip(changed)).iter().map(|old| **old).collect()
    }

    fn read(&self) -> [u8; CELLS] {
        let mut values = [0; CELLS];
        self.clock.read(|moment| {
            for (value, cell) in values.iter_mut().zip(&self.cells) {
                *value = *cell.at(moment)?.1;
            }
            Some(())
        });
        values
    }
}

/// Tries every order in which threads are interrupted at most three times.
fn tried(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

#[test]
fn who_lists_sees_what_is_registered_or_not_yet() {
    loom::model(|| {
        let tree = Tree::<1>::new();
        let writer = {
            let tree = Arc::clone(&tree);
            thread::spawn(move || tree.change(|value| value + 1))
        };
        assert!(matches!(tree.read(), [0 | 1]));
        assert_eq!(writer.join().expect("no panic"), [0]);
        assert_eq!(tree.read(), [1]);
    });
}

#[test]
fn who_reads_several_cells_sees_no_half_of_a_change_and_never_goes_back() {
    tried(|| {
        let tree = Tree::<2>::new();
        let writer = {
            let tree = Arc::clone(&tree);
            thread::spawn(move || {
                tree.change(|value| value + 1);
                tree.change(|value| value + 1);
            })
        };
        let (first, second) = (tree.read(), tree.read());
        assert_eq!(first[0], first[1]);
        assert_eq!(second[0], second[1]);
        assert!(first <= second);
        writer.join().expect("no panic");
        assert_eq!(tree.read(), [2, 2]);
    });
}

#[test]
fn what_is_removed_is_not_found_by_who_knows_of_it() {
    tried(|| {
        let tree = Tree::<2>::new();
        tree.change(|_| 7);
        let removed = Arc::new(AtomicBool::new(false));
        let writer = {
            let (tree, removed) = (Arc::clone(&tree), Arc::clone(&removed));
            thread::spawn(move || {
                assert_eq!(tree.change(|_| 0), [7, 7]);
                removed.store(true, Ordering::Release);
            })
        };
        let is_gone = removed.load(Ordering::Acquire);
        let seen = tree.read();
        assert!(seen == [0, 0] || seen == [7, 7] && !is_gone);
        writer.join().expect("no panic");
    });
}

#[test]
fn a_snapshot_has_the_old_set_or_the_new_and_stays_so() {
    tried(|| {
        let tree = Tree::<2>::new();
        // What one scope had, the other has after the reload.
        publish(&tree.clock, tree.cells.iter().zip([1, 0]));
        let writer = {
            let tree = Arc::clone(&tree);
            thread::spawn(move || tree.change(|value| 1 - value))
        };
        let snapshot = tree.clock.read(|moment| Some([tree.cells[0].at(moment)?, tree.cells[1].at(moment)?]));
        let [one, other] = snapshot.map(|(since, value)| (since, *value));
        assert_eq!(one.1 + other.1, 1);
        assert_eq!(one.0, other.0);
        writer.join().expect("no panic");
    });
}

#[test]
fn two_writers_take_turns_and_lose_nothing() {
    tried(|| {
        let tree = Tree::<2>::new();
        let writers = [(); 2].map(|()| {
            let tree = Arc::clone(&tree);
            thread::spawn(move || tree.change(|value| value + 1))
        });
        let [one, other] = tree.read();
        assert_eq!(one, other);
        let mut replaced = writers.map(|writer| writer.join().expect("no panic"));
        replaced.sort();
        assert_eq!(replaced, [[0, 0], [1, 1]]);
        assert_eq!(tree.read(), [2, 2]);
    });
}
