//! Background: calls that go on after their time, as tasks that a model can read and stop.
//!
//! Architecture invariant: a task's result reaches its conversation once, as a report, and never as a second result of the call.

mod store;
mod task;
mod tasks;
mod tools;

pub use self::store::{MemoryStore, TaskStore};
pub(crate) use self::task::TaskLimits;
pub use self::task::{Report, TaskOutput, TaskRecord, TaskState};
pub(crate) use self::tasks::Tasks;
pub(crate) use self::tools::task_tools;
