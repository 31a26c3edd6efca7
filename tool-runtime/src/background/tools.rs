//! The tools by which a model reads and stops its tasks.

use std::fmt::Write;
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::{TaskRecord, Tasks};
use crate::definition::Effect;
use crate::error::ToolError;
use crate::execution::is_cancelled;
use crate::tool::{DynamicTool, DynamicToolError, Tool};
use crate::tool_type;

/// No arguments.
#[tool_type(crate = crate)]
struct List {}

/// Which task, and how long to wait for it.
#[tool_type(crate = crate)]
struct Output {
    /// The task's id.
    id: String,
    /// How many seconds to wait for its end.
    #[arg(maximum = 600, default = 30)]
    wait: u16,
}

/// Which task.
#[tool_type(crate = crate)]
struct Cancel {
    /// The task's id.
    id: String,
}

/// `task_list`, `task_output` and `task_cancel` of one session.
pub(crate) fn task_tools(tasks: &Arc<Tasks>) -> Result<Vec<Tool>, DynamicToolError> {
    let listing = Arc::downgrade(tasks);
    let reading = Arc::downgrade(tasks);
    let stopping = Arc::downgrade(tasks);
    Ok(vec![
        DynamicTool::reserved("task_list", "Lists the calls that still run, and those that ended lately.")
            .effect(Effect::Read)
            .typed(move |_: List| std::future::ready(list(&listing)))?,
        DynamicTool::reserved(
            "task_output",
            "Reads what a call that runs on has written so far, or its result if it has ended.",
        )
        .effect(Effect::Read)
        .background(false)
        .timeout(Duration::from_mins(11))
        .typed(move |output: Output| read(reading.clone(), output))?,
        DynamicTool::reserved("task_cancel", "Stops a call that runs on.")
            .effect(Effect::Write)
            .typed(move |cancel: Cancel| std::future::ready(stop(&stopping, &cancel.id)))?,
    ])
}

fn gone() -> ToolError {
    ToolError::new("the session is over")
}

fn line(record: &TaskRecord) -> String {
    format!("{}: \"{}\", {}", record.id, record.tool, record.state)
}

fn list(tasks: &Weak<Tasks>) -> Result<String, ToolError> {
    let tasks = tasks.upgrade().ok_or_else(gone)?;
    let lines: Vec<String> = tasks
        .list()
        .iter()
        .map(|record| {
            let progress = tasks.call(&record.id).map(|call| call.told().progress).unwrap_or_default();
            if progress.is_empty() { line(record) } else { format!("{} ({progress})", line(record)) }
        })
        .collect();
    Ok(if lines.is_empty() { "there are no tasks".to_owned() } else { lines.join("\n") })
}

async fn read(tasks: Weak<Tasks>, output: Output) -> Result<String, ToolError> {
    let tasks = tasks.upgrade().ok_or_else(gone)?;
    let call = tasks.call(&output.id);
    let wait = Duration::from_secs(output.wait.into());
    let record = tasks.wait(&output.id, wait).await.ok_or_else(|| unknown(&output.id))?;
    if !is_cancelled() {
        tasks.read(&record);
    }
    let mut text = line(&record);
    if let Some(result) = &record.result {
        text.push('\n');
        text.push_str(&result.text());
        return Ok(text);
    }
    if let Some(call) = call {
        let told = call.told();
        if !told.progress.is_empty() {
            text.push_str("\nprogress: ");
            text.push_str(&told.progress);
        }
        for stream in told.streams() {
            let (written, lost) = stream.kept();
            if !stream.name.is_empty() {
                let _ = write!(text, "\n[{}]", stream.name);
            }
            if lost > 0 {
                let _ = write!(text, "\n[{lost} bytes before this are gone]");
            }
            text.push('\n');
            text.push_str(written);
        }
    }
    Ok(text)
}

fn stop(tasks: &Weak<Tasks>, id: &str) -> Result<String, ToolError> {
    let tasks = tasks.upgrade().ok_or_else(gone)?;
    if tasks.cancel(id) {
        return Ok(format!("{id} was told to stop"));
    }
    let record = tasks.get(id).ok_or_else(|| unknown(id))?;
    Ok(format!("{id} is over: {}", record.state))
}

fn unknown(id: &str) -> ToolError {
    let shown: String = id.chars().take(64).collect();
    ToolError::new(format!("there is no task {}; task_list lists them", serde_json::Value::from(shown)))
}
