//! The tasks of one session.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::TaskStore;
use crate::error::ErrorCode;
use crate::execution::{Background, Shared};
use crate::output::CallOutput;

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskState {
    /// It runs.
    Running,
    /// It was told to stop and has not yet.
    Cancelling,
    /// It ended with a result.
    Completed,
    /// It ended with an error.
    Failed,
    /// It was stopped.
    Cancelled,
    /// The program that ran it is gone.
    Lost,
}

impl TaskState {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Cancelling => "cancelling",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Lost => "lost",
        }
    }

    /// Whether it is over.
    pub const fn is_over(self) -> bool {
        !matches!(self, Self::Running | Self::Cancelling)
    }
}

impl fmt::Display for TaskState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is known of a task.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TaskRecord {
    /// Its id, under which a model knows it.
    pub id: String,
    /// The same as a number, in the order of their beginnings.
    pub number: u64,
    /// The tool.
    pub tool: String,
    /// The call that became the task.
    pub call_id: String,
    /// How far it is.
    pub state: TaskState,
    /// When it went to the background.
    pub began: Instant,
    /// When it was over.
    pub ended: Option<Instant>,
    /// How it ended.
    pub result: Option<CallOutput>,
}

/// That a task is over: a message for the model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The task's id.
    pub task: String,
    /// The tool.
    pub tool: String,
    /// The call that became the task.
    pub call_id: String,
    /// How it ended.
    pub state: TaskState,
    /// What the model reads of its result.
    pub text: String,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Task {} of \"{}\" has {}", self.task, self.tool, ended(self.state))?;
        if self.text.is_empty() { Ok(()) } else { write!(f, ":\n{}", self.text) }
    }
}

fn ended(state: TaskState) -> &'static str {
    match state {
        TaskState::Completed => "completed",
        TaskState::Failed => "failed",
        TaskState::Cancelled => "been cancelled",
        TaskState::Lost => "been lost",
        TaskState::Running | TaskState::Cancelling => "not ended",
    }
}

/// How many tasks a session may have, and how long it remembers them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskLimits {
    /// Running at once.
    pub(crate) running: usize,
    /// Remembered after their end.
    pub(crate) kept: usize,
    /// For how long.
    pub(crate) kept_for: Duration,
    /// How long a task may run.
    pub(crate) max_runtime: Option<Duration>,
}

impl Default for TaskLimits {
    fn default() -> Self {
        Self { running: 8, kept: 64, kept_for: Duration::from_hours(1), max_runtime: None }
    }
}

/// The tasks of one session.
pub(crate) struct Tasks {
    store: Box<dyn TaskStore>,
    limits: TaskLimits,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// How many tasks there have been.
    count: u64,
    /// Rooms that are taken, by tasks that run and by calls that are about to become one.
    taken: usize,
    running: BTreeMap<String, Arc<Shared>>,
    reports: VecDeque<Report>,
}

impl Tasks {
    pub(crate) fn new(store: Box<dyn TaskStore>, limits: TaskLimits) -> Arc<Self> {
        Arc::new(Self { store, limits, state: Mutex::default(), changed: Notify::new() })
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
        !self.store.list().is_empty() || !self.state().running.is_empty()
    }

    /// How many run.
    pub(crate) fn running(&self) -> usize {
        self.state().running.len()
    }

    /// Which task a call has become.
    pub(crate) fn task_of(&self, call: &Shared) -> Option<String> {
        self.state()
            .running
            .iter()
            .find(|(_, other)| std::ptr::eq(Arc::as_ptr(other), call))
            .map(|(id, _)| id.clone())
    }

    pub(crate) fn list(&self) -> Vec<TaskRecord> {
        self.prune();
        self.store.list()
    }

    pub(crate) fn get(&self, id: &str) -> Option<TaskRecord> {
        self.prune();
        self.store.get(id)
    }

    /// The call behind a task that runs.
    pub(crate) fn call(&self, id: &str) -> Option<Arc<Shared>> {
        self.state().running.get(id).cloned()
    }

    /// Tells a task to stop; whether it runs.
    pub(crate) fn cancel(&self, id: &str) -> bool {
        let Some(call) = self.call(id) else { return false };
        if let Some(mut record) = self.store.get(id)
            && record.state == TaskState::Running
        {
            record.state = TaskState::Cancelling;
            self.store.put(record);
        }
        call.cancel();
        true
    }

    /// Waits until a task is over, at most so long; what is known of it then. Its report is not needed any more if it is over.
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
        let record = match timeout(at_most, over).await {
            Ok(record) => record?,
            Err(_) => self.get(id)?,
        };
        if record.state.is_over() {
            self.state().reports.retain(|report| report.task != id);
        }
        Some(record)
    }

    /// The reports of tasks that are over, each once.
    pub(crate) fn reports(&self) -> Vec<Report> {
        self.state().reports.drain(..).collect()
    }

    pub(crate) fn cancel_all(&self) {
        let calls: Vec<Arc<Shared>> = self.state().running.values().cloned().collect();
        for call in calls {
            call.cancel();
        }
    }

    /// Forgets what is too old or too much.
    fn prune(&self) {
        let mut over: Vec<TaskRecord> =
            self.store.list().into_iter().filter(|record| record.state.is_over()).collect();
        over.sort_by_key(|record| std::cmp::Reverse(record.ended));
        for (index, record) in over.into_iter().enumerate() {
            let old = record.ended.is_some_and(|ended| ended.elapsed() > self.limits.kept_for);
            if old || index >= self.limits.kept {
                self.store.remove(&record.id);
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
        self.tasks.store.put(TaskRecord {
            id: self.id.clone(),
            number: self.number,
            tool: call.facts.tool.clone(),
            call_id: call.facts.id.clone(),
            state: TaskState::Running,
            began: Instant::now(),
            ended: None,
            result: None,
        });
        self.tasks.state().running.insert(self.id.clone(), Arc::clone(call));
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
        let report = self.tasks.store.get(&self.id).map(|mut record| {
            record.state = state;
            record.ended = Some(Instant::now());
            let report = Report {
                task: self.id.clone(),
                tool: record.tool.clone(),
                call_id: record.call_id.clone(),
                state,
                text: output.text(),
            };
            record.result = Some(output);
            self.tasks.store.put(record);
            report
        });
        let call = {
            let mut state = self.tasks.state();
            // Older reports that nobody fetched go before the list grows without end.
            if state.reports.len() >= self.tasks.limits.kept {
                state.reports.pop_front();
            }
            state.reports.extend(report);
            state.running.remove(&self.id)
        };
        drop(call);
        self.tasks.prune();
        self.tasks.changed.notify_waiters();
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let call = {
            let mut state = self.tasks.state();
            state.taken = state.taken.saturating_sub(1);
            state.running.remove(&self.id)
        };
        // The runtime went away with the task.
        if call.is_some()
            && let Some(mut record) = self.tasks.store.get(&self.id)
        {
            record.state = TaskState::Lost;
            record.ended = Some(record.began);
            self.tasks.store.put(record);
        }
        drop(call);
        self.tasks.changed.notify_waiters();
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("running", &self.running()).finish_non_exhaustive()
    }
}
