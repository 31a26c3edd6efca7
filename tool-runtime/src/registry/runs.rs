//! The calls of an owner's tools that run: what an unloading stops and waits for.
//!
//! Calls of tools that no plugin brought are not counted: nothing unloads them.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::entry::Entry;
use super::tally::Tally;
use super::tree::locked;
use crate::definition::ToolName;

/// A call that can be told to end.
pub(crate) trait Stop: Send + Sync {
    /// The call is to end, and is stopped at that time.
    fn stop(&self, until: Instant);
}

/// The calls of one tool that run.
pub(crate) struct Runs {
    tool: ToolName,
    tally: Tally,
    calls: Mutex<Calls>,
    /// Where it is kept once the tool is gone, while calls of it run.
    gone: Arc<Gone>,
}

#[derive(Default)]
struct Calls {
    /// Those that can be told to end, by numbers.
    known: HashMap<u64, Weak<dyn Stop>>,
    next: u64,
    /// When the calls are stopped, if they are to end.
    until: Option<Instant>,
}

/// An owner's tools that are gone and of which calls run.
#[derive(Default)]
pub(crate) struct Gone {
    runs: Mutex<Vec<Arc<Runs>>>,
    /// Tells of the end of such a call.
    pub(crate) ended: Notify,
}

impl Gone {
    pub(crate) fn runs(&self) -> Vec<Arc<Runs>> {
        locked(&self.runs).clone()
    }
}

impl Runs {
    pub(super) fn new(tool: &ToolName, gone: &Arc<Gone>) -> Arc<Self> {
        let (tool, gone) = (tool.clone(), Arc::clone(gone));
        Arc::new(Self { tool, tally: Tally::new(), calls: Mutex::default(), gone })
    }

    pub(crate) fn tool(&self) -> &str {
        self.tool.as_str()
    }

    pub(crate) fn count(&self) -> u64 {
        self.tally.count()
    }

    /// A call that has entered ends.
    #[inline]
    pub(crate) fn leave(&self) {
        if self.tally.leave() {
            self.left();
        }
    }

    #[cold]
    fn left(&self) {
        let mut runs = locked(&self.gone.runs);
        let place = runs.iter().position(|runs| std::ptr::eq(&raw const **runs, self));
        let over = place.filter(|_| self.tally.count() == 0).map(|place| runs.swap_remove(place));
        drop(runs);
        drop(over);
        self.gone.ended.notify_waiters();
    }

    /// The tool is gone.
    pub(super) fn close(self: &Arc<Self>) {
        // Under the lock, so that the last call to end finds what it is to take out.
        let mut runs = locked(&self.gone.runs);
        if self.tally.close() > 0 && !runs.iter().any(|other| Arc::ptr_eq(other, self)) {
            runs.push(Arc::clone(self));
        }
    }

    /// How many of the calls that can be told to end stand at some addresses.
    pub(crate) fn count_of(&self, addresses: &[usize]) -> u64 {
        locked(&self.calls).known.values().filter(|call| addresses.contains(&address(call))).count() as u64
    }

    /// Every call but those at some addresses is to end, and is stopped at that time.
    pub(crate) fn stop(&self, until: Instant, but: &[usize]) {
        let mut calls = locked(&self.calls);
        let until = calls.until.map_or(until, |earlier| earlier.min(until));
        calls.until = Some(until);
        let others = calls.known.values().filter(|call| !but.contains(&address(call)));
        let told: Vec<Arc<dyn Stop>> = others.filter_map(Weak::upgrade).collect();
        drop(calls);
        for call in told {
            call.stop(until);
        }
    }
}

fn address(call: &Weak<dyn Stop>) -> usize {
    call.as_ptr().addr()
}

/// That a call runs, which can be told to end: held by whatever may go on with its body.
pub(crate) struct Run {
    runs: Arc<Runs>,
    number: u64,
}

impl Run {
    /// Takes over a call that has entered. It is told to end at once if the others were.
    pub(crate) fn entered(runs: &Arc<Runs>, call: &Arc<impl Stop + 'static>) -> Arc<Self> {
        let mut calls = locked(&runs.calls);
        let (number, until) = (calls.next, calls.until);
        calls.next += 1;
        let weak: Weak<dyn Stop> = Arc::downgrade(call) as _;
        calls.known.insert(number, weak);
        drop(calls);
        if let Some(until) = until {
            call.stop(until);
        }
        Arc::new(Self { runs: Arc::clone(runs), number })
    }

    pub(crate) fn is_of(&self, entry: &Entry) -> bool {
        entry.runs.as_ref().is_some_and(|runs| Arc::ptr_eq(&self.runs, runs))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let gone = locked(&self.runs.calls).known.remove(&self.number);
        drop(gone);
        self.runs.leave();
    }
}

impl Entry {
    /// A call of it begins, see [`Runs::leave`]; not if it is gone.
    #[inline]
    pub(crate) fn enter(&self) -> bool {
        self.runs.as_ref().is_none_or(|runs| runs.tally.enter())
    }
}

impl fmt::Debug for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runs").field("tool", &self.tool).field("count", &self.count()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.runs()).finish()
    }
}
