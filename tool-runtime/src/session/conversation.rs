//! What the calls of a session need of it.

use std::any::Any;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio_util::sync::CancellationToken;

use super::results::result_tool;
use super::{Inner, MAX_MESSAGES, locked};
use crate::background::{Tasks, task_tools};
use crate::definition::{RESERVED_TOOL_NAMES, RESULT_READ};
use crate::error::contained;
use crate::execution::{Background, Conversation, Held, Shared, contained_future};
use crate::output::ContentBlock;
use crate::registry::{Entry, Found};
use crate::task::within;
use crate::tool::{BoxFuture, Elicitation, Elicited};

impl Conversation for Inner {
    fn closing(&self) -> CancellationToken {
        self.closing.clone()
    }

    fn joined(&self, call: &Arc<Shared>) {
        // Calls within calls end with those around them.
        if call.facts.depth > 0 {
            return;
        }
        let mut calls = locked(&self.calls);
        if calls.len() == calls.capacity() {
            calls.retain(|call| call.strong_count() > 0);
        }
        calls.push(Arc::downgrade(call));
    }

    fn tool(&self, name: &str) -> Option<Found> {
        if !RESERVED_TOOL_NAMES.contains(&name) {
            return None;
        }
        let offered = self.offered();
        let entry = offered.iter().find(|entry| entry.name() == name)?;
        let seen = self.scope.node().seen();
        Some(Found {
            entry: Arc::clone(entry),
            states: Arc::clone(seen.states()),
            extensions: seen.extensions().cloned(),
        })
    }

    fn reserve(&self) -> Option<Result<Box<dyn Background>, usize>> {
        self.background.then(|| self.tasks.reserve())
    }

    fn key(&self, key: String, call: Arc<Shared>) -> BoxFuture<'static, Held> {
        let (keys, tasks) = (Arc::clone(&self.keys), Arc::clone(&self.tasks));
        Box::pin(async move {
            let mut held = Held::new();
            let holder = || keys.holder(&key).and_then(|call| tasks.task_of(&call));
            let taken = Arc::clone(&keys).take(key.clone(), &call);
            tokio::select! {
                biased;
                () = call.token().cancelled() => {}
                guard = told(&tasks, &call, holder, taken) => held.push(Box::new(guard)),
            }
            held
        })
    }

    fn permit_now(&self) -> Option<Box<dyn Any + Send>> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
        Some(Box::new(permit))
    }

    fn permit(&self, call: Arc<Shared>) -> BoxFuture<'static, Held> {
        let (permits, tasks) = (Arc::clone(&self.permits), Arc::clone(&self.tasks));
        Box::pin(async move {
            let mut held = Held::new();
            tokio::select! {
                biased;
                () = call.token().cancelled() => {}
                permit = told(&tasks, &call, || tasks.first(), permits.acquire_owned()) => if let Ok(permit) = permit {
                    held.push(Box::new(permit));
                },
            }
            held
        })
    }

    fn elicit(&self, request: Elicitation, call: Arc<Shared>) -> BoxFuture<'static, Elicited> {
        let Some(elicitor) = self.elicitor.clone() else {
            return Box::pin(std::future::ready(Elicited::Declined));
        };
        let at_most = self.answer_within;
        Box::pin(async move {
            let Some(asked) = contained(|| elicitor.elicit(request)) else { return Elicited::Cancelled };
            tokio::select! {
                biased;
                () = call.token().cancelled() => Elicited::Cancelled,
                answer = within(at_most, contained_future(asked)) => answer.flatten().unwrap_or(Elicited::Cancelled),
            }
        })
    }

    fn keep(&self, call_id: &str, content: &[ContentBlock]) -> Option<String> {
        self.results.keep(call_id, content)
    }

    fn add_message(&self, text: String) {
        let mut messages = locked(&self.messages);
        if messages.len() < MAX_MESSAGES {
            messages.push(text);
        }
    }

    fn conclude_turn(&self) {
        self.concluded.store(true, Ordering::Release);
    }
}

/// Waits for something, and tells of the call that waits which task has it, also of one that only becomes a task meanwhile.
async fn told<T>(
    tasks: &Tasks,
    call: &Shared,
    holder: impl Fn() -> Option<String>,
    taken: impl Future<Output = T>,
) -> T {
    let mut taken = pin!(taken);
    let mut told = None;
    loop {
        // Made before the look, so that no task in between is missed.
        let begun = tasks.begun();
        let task = holder();
        if let Some(task) = task.as_deref().filter(|_| task != told) {
            call.waits_for(task);
        }
        told = task;
        tokio::select! {
            biased;
            value = &mut taken => return value,
            () = begun => {}
        }
    }
}

impl Inner {
    /// The tools of the conversation itself: those of tasks once there has been one, that of results once one was too long. What was there
    /// stays in its place.
    pub(super) fn offered(&self) -> Vec<Arc<Entry>> {
        let has = |offered: &[Arc<Entry>], name: &str| offered.iter().any(|entry| entry.name() == name);
        let known = locked(&self.offered).clone();
        let mut new = Vec::new();
        // Their types are ours; that they are refused is a fault of this crate which its tests would show.
        if self.tasks.any() && !has(&known, "task_list") {
            new.extend(task_tools(&self.tasks).unwrap_or_default());
        }
        if self.results.any() && !has(&known, RESULT_READ) {
            new.extend(result_tool(&self.results));
        }
        if new.is_empty() {
            return known;
        }
        let mut offered = locked(&self.offered);
        for tool in new {
            if !has(&offered, tool.name()) {
                offered.push(crate::registry::offered(tool));
            }
        }
        offered.clone()
    }
}
