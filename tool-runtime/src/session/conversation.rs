//! What the calls of a session need of it.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio_util::sync::CancellationToken;

use super::results::result_tool;
use super::{Inner, MAX_MESSAGES, locked};
use crate::background::task_tools;
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

    fn key_holder(&self, key: &str) -> Option<String> {
        self.keys.holder(key).and_then(|call| self.tasks.task_of(&call))
    }

    fn key(&self, key: String, call: Arc<Shared>) -> BoxFuture<'static, Held> {
        let keys = Arc::clone(&self.keys);
        Box::pin(async move {
            let mut held = Held::new();
            tokio::select! {
                biased;
                () = call.token().cancelled() => {}
                guard = keys.take(key, &call) => held.push(Box::new(guard)),
            }
            held
        })
    }

    fn permit_now(&self) -> Option<Box<dyn Any + Send>> {
        let permit = Arc::clone(&self.permits).try_acquire_owned().ok()?;
        Some(Box::new(permit))
    }

    fn permit_holder(&self) -> Option<String> {
        self.tasks.first()
    }

    fn permit(&self, call: Arc<Shared>) -> BoxFuture<'static, Held> {
        let permits = Arc::clone(&self.permits);
        Box::pin(async move {
            let mut held = Held::new();
            tokio::select! {
                biased;
                () = call.token().cancelled() => {}
                permit = permits.acquire_owned() => if let Ok(permit) = permit {
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
