//! The tasks of one session.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::Instant;

use super::TaskStore;
use super::task::{Report, TaskLimits, TaskRecord, TaskState};
use crate::error::{ErrorCode, Foreign, contained};
use crate::execution::{Background, Shared};
use crate::output::CallOutput;
use crate::task::within;

/// The tasks of one session.
pub(crate) struct Tasks {
    store: Foreign<Box<dyn TaskStore>>,
    limits: TaskLimits,
    /// Whether there has been a task.
    any: AtomicBool,
    state: Mutex<State>,
    changed: Notify,
    begun: Notify,
}

#[derive(Default)]
struct State {
    /// How many tasks there have been.
    count: u64,
    /// Rooms that are taken, by tasks that run and by calls that are about to become one.
    taken: usize,
    active: BTreeMap<String, Active>,
    reports: VecDeque<Report>,
}

/// A task whose end the store does not know yet. What is known of it stands here; the store, which is code of others and is never called
/// under a lock, is told of every change.
struct Active {
    call: Arc<Shared>,
    record: TaskRecord,
    /// How often the record has changed.
    revision: u64,
    /// How many are telling the store.
    writers: usize,
}

impl State {
    fn report(&mut self, record: &TaskRecord, text: String, kept: usize) {
        // Older reports that nobody fetched go before the list grows without end. How few tasks are remembered takes no report away.
        if self.reports.len() >= kept.max(TaskLimits::default().kept) {
            self.reports.pop_front();
        }
        self.reports.push_back(Report {
            task: record.id.clone(),
            tool: record.tool.clone(),
            call_id: record.call_id.clone(),
            state: record.state,
            text,
        });
    }
}

impl Tasks {
    /// With the tasks that a store knows already: those that ran are lost.
    pub(crate) fn new(store: Box<dyn TaskStore>, limits: TaskLimits) -> Arc<Self> {
        let mut state = State::default();
        let known = contained(|| store.list()).unwrap_or_default();
        let any = AtomicBool::new(!known.is_empty());
        for mut record in known {
            state.count = state.count.max(record.number);
            if !record.state.is_over() {
                record.state = TaskState::Lost;
                record.ended = Some(Instant::now());
                state.report(&record, String::new(), limits.kept);
                contained(|| store.put(record));
            }
        }
        Arc::new(Self {
            store: Foreign::new(store),
            limits,
            any,
            state: Mutex::new(state),
            changed: Notify::new(),
            begun: Notify::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for one more task.
    ///
    /// # Errors
    /// Returns how many there may be.
    pub(crate) fn reserve(self: &Arc<Self>) -> Result<Box<dyn Background>, usize> {
        let mut state = self.state();
        if state.taken >= self.limits.running {
            return Err(self.limits.running);
        }
        state.taken += 1;
        state.count += 1;
        let number = state.count;
        Ok(Box::new(Room { tasks: Arc::clone(self), id: format!("t{number}"), number }))
    }

    /// Whether there has been a task.
    pub(crate) fn any(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    /// A task begins.
    pub(crate) fn begun(&self) -> Notified<'_> {
        self.begun.notified()
    }

    /// The one that runs for longest of those that hold a permit.
    pub(crate) fn first(&self) -> Option<String> {
        let state = self.state();
        let bounded = state.active.values().filter(|active| active.call.site.bounded);
        let running = bounded.map(|active| &active.record);
        running
            .filter(|record| !record.state.is_over())
            .min_by_key(|record| record.number)
            .map(|record| record.id.clone())
    }

    /// Which task a call has become.
    pub(crate) fn task_of(&self, call: &Shared) -> Option<String> {
        let state = self.state();
        let mut all = state.active.iter();
        all.find(|(_, active)| std::ptr::eq(Arc::as_ptr(&active.call), call)).map(|(id, _)| id.clone())
    }

    /// Every task, in the order of their beginnings.
    pub(crate) fn list(&self) -> Vec<TaskRecord> {
        self.prune();
        let stored = contained(|| self.store.list()).unwrap_or_default();
        let stored = stored.into_iter().map(|record| (record.number, record));
        let mut all: BTreeMap<u64, TaskRecord> = stored.collect();
        for active in self.state().active.values() {
            all.insert(active.record.number, active.record.clone());
        }
        all.into_values().collect()
    }

    pub(crate) fn get(&self, id: &str) -> Option<TaskRecord> {
        self.prune();
        let active = self.state().active.get(id).map(|active| active.record.clone());
        active.or_else(|| contained(|| self.store.get(id)).flatten())
    }

    /// The call behind a task that runs.
    pub(crate) fn call(&self, id: &str) -> Option<Arc<Shared>> {
        self.state().active.get(id).map(|active| Arc::clone(&active.call))
    }

    /// Tells a task to stop; whether it runs.
    pub(crate) fn cancel(&self, id: &str) -> bool {
        let call = {
            let mut state = self.state();
            let Some(active) = state.active.get_mut(id).filter(|active| !active.record.state.is_over())
            else {
                return false;
            };
            active.record.state = TaskState::Cancelling;
            active.revision += 1;
            Arc::clone(&active.call)
        };
        call.cancel();
        self.write(id);
        true
    }

    /// Tells the store what is known of a task. Whoever is told last, by several at once, the last word is the newest.
    fn write(&self, id: &str) {
        let news = |state: &mut State| {
            let active = state.active.get(id)?;
            Some((active.record.clone(), active.revision))
        };
        let begin = |state: &mut State| {
            state.active.get_mut(id)?.writers += 1;
            news(state)
        };
        let Some(mut next) = begin(&mut self.state()) else { return };
        loop {
            let (record, revision) = next;
            contained(|| self.store.put(record));
            let mut state = self.state();
            match news(&mut state) {
                Some(newer) if newer.1 != revision => next = newer,
                _ => break,
            }
        }
        let gone = {
            let mut state = self.state();
            let Some(active) = state.active.get_mut(id) else { return };
            active.writers -= 1;
            let is_done = active.writers == 0 && active.record.state.is_over();
            if is_done { state.active.remove(id) } else { None }
        };
        drop(gone);
    }

    /// A task is over: its record and its report change together.
    fn end(&self, id: &str, to: TaskState, result: Option<CallOutput>) {
        {
            let mut state = self.state();
            let state = &mut *state;
            let Some(active) = state.active.get_mut(id).filter(|active| !active.record.state.is_over())
            else {
                return;
            };
            let text = result.as_ref().map(CallOutput::text).unwrap_or_default();
            active.record.state = to;
            active.record.ended = Some(Instant::now());
            active.record.result = result;
            active.revision += 1;
            let record = active.record.clone();
            state.report(&record, text, self.limits.kept);
        }
        self.write(id);
        self.prune();
        self.changed.notify_waiters();
    }

    /// Waits until a task is over, at most so long; what is known of it then.
    pub(crate) async fn wait(&self, id: &str, at_most: Duration) -> Option<TaskRecord> {
        let over = async {
            loop {
                let changed = self.changed.notified();
                match self.get(id) {
                    Some(record) if !record.state.is_over() => changed.await,
                    record => return record,
                }
            }
        };
        match within(at_most, over).await {
            Some(record) => record,
            None => self.get(id),
        }
    }

    /// The report of a task is not needed any more, since its result was read.
    pub(crate) fn read(&self, record: &TaskRecord) {
        if record.state.is_over() {
            self.state().reports.retain(|report| report.task != record.id);
        }
    }

    /// The reports of tasks that are over, each once.
    pub(crate) fn reports(&self) -> Vec<Report> {
        self.state().reports.drain(..).collect()
    }

    pub(crate) fn cancel_all(&self) {
        let ids: Vec<String> = self.state().active.keys().cloned().collect();
        for id in ids {
            self.cancel(&id);
        }
    }

    /// Forgets what is too old or too much.
    fn prune(&self) {
        let stored = contained(|| self.store.list()).unwrap_or_default();
        let mut over: Vec<TaskRecord> = stored.into_iter().filter(|record| record.state.is_over()).collect();
        over.sort_by_key(|record| std::cmp::Reverse(record.ended));
        for (index, record) in over.into_iter().enumerate() {
            let old = record.ended.is_some_and(|ended| ended.elapsed() > self.limits.kept_for);
            if old || index >= self.limits.kept {
                contained(|| self.store.remove(&record.id));
            }
        }
    }
}

/// The room of one task.
struct Room {
    tasks: Arc<Tasks>,
    id: String,
    number: u64,
}

impl Background for Room {
    fn id(&self) -> &str {
        &self.id
    }

    fn begin(&self, call: &Arc<Shared>) {
        let record = TaskRecord {
            id: self.id.clone(),
            number: self.number,
            tool: call.facts.tool.clone(),
            call_id: call.facts.id.clone(),
            scope: call.facts.scope.clone(),
            owner: call.found().entry.tool().definition().owner().map(str::to_owned),
            state: TaskState::Running,
            began: Instant::now(),
            ended: None,
            result: None,
        };
        let active = Active { call: Arc::clone(call), record, revision: 0, writers: 0 };
        self.tasks.state().active.insert(self.id.clone(), active);
        self.tasks.any.store(true, Ordering::Release);
        self.tasks.begun.notify_waiters();
        self.tasks.write(&self.id);
    }

    fn max_runtime(&self) -> Option<Duration> {
        self.tasks.limits.max_runtime
    }

    fn finish(&self, output: CallOutput) {
        let state = match output.code() {
            None => TaskState::Completed,
            Some(ErrorCode::Aborted) => TaskState::Cancelled,
            Some(_) => TaskState::Failed,
        };
        self.tasks.end(&self.id, state, Some(output));
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        {
            let mut state = self.tasks.state();
            state.taken = state.taken.saturating_sub(1);
        }
        // Where it is not over, the runtime went away with the task.
        self.tasks.end(&self.id, TaskState::Lost, None);
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("active", &self.state().active.len()).finish_non_exhaustive()
    }
}
