//! What is known of a task, and what is told of its end.

use std::fmt;
use std::time::Duration;

use tokio::time::Instant;

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
    /// The scope in which it was called.
    pub scope: String,
    /// The plugin that brought the tool, if one did.
    pub owner: Option<String>,
    /// How far it is.
    pub state: TaskState,
    /// When it went to the background.
    pub began: Instant,
    /// When it was over.
    pub ended: Option<Instant>,
    /// How it ended.
    pub result: Option<CallOutput>,
}

/// What a task has written to one stream so far.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskOutput {
    /// The stream's name; empty for the usual one.
    pub stream: String,
    /// The end of what was written.
    pub text: String,
    /// How many bytes before it are gone.
    pub lost: usize,
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
