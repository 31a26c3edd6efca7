//! The calls of one answer of a model, together.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use super::Session;
use crate::arguments::ToolCall;
use crate::error::ErrorCode;
use crate::execution::{Live, Sent, Site};
use crate::output::{CallOutput, ToolResult};
use crate::task::Group;
use crate::tool::{Concurrency, Values};

type Running = Pin<Box<dyn Future<Output = (usize, ToolResult)> + Send>>;

impl Session {
    /// Runs the calls of one answer of the model: one result for each, in their order, whatever happens.
    ///
    /// Calls begin in their order. Parallel ones run together, up to the session's bound; those of one key one after another; every other
    /// one alone: it waits for those before it, and those after it wait. A call that goes on in the background holds nobody up,
    /// but for those of its key.
    ///
    /// # Cancel safety
    /// Dropped, every call that runs is cancelled and no other begins. See [`abort`](Self::abort) to get their results.
    pub async fn call_all(&self, calls: Vec<ToolCall>) -> Vec<ToolResult> {
        self.run_all(calls, self.inner().site()).await
    }

    /// The same with values of these calls alone, which are injected before those of the session, see [`Scope::call_with`](crate::Scope::call_with).
    ///
    /// # Cancel safety
    /// As [`call_all`](Self::call_all).
    pub async fn call_all_with(&self, calls: Vec<ToolCall>, values: Values) -> Vec<ToolResult> {
        self.run_all(calls, self.inner().site().with_values(values)).await
    }

    async fn run_all(&self, calls: Vec<ToolCall>, mut site: Site) -> Vec<ToolResult> {
        site.bounded = true;
        let mut results: Vec<Option<ToolResult>> = Vec::new();
        results.resize_with(calls.len(), || None);
        let names: Vec<(String, String)> =
            calls.iter().map(|call| (call.id().to_owned(), call.name().to_owned())).collect();
        let mut running: Group<(usize, ToolResult)> = Group::new();
        for (index, call) in calls.into_iter().enumerate() {
            self.inner().note(&call);
            let together = match site.concurrency(&call) {
                Concurrency::Alone => {
                    collect(&mut running, &mut results).await;
                    false
                }
                Concurrency::Together | Concurrency::Keyed(_) => true,
            };
            let mut future: Running = Box::pin(one(site.clone(), index, call));
            if !together {
                let (index, result) = future.await;
                put(&mut results, index, result);
                continue;
            }
            // What a call does before it first waits is done in the order of the calls.
            match poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await {
                Poll::Ready((index, result)) => put(&mut results, index, result),
                Poll::Pending => running.spawn(future),
            }
        }
        collect(&mut running, &mut results).await;
        let lost = |(id, name): (String, String)| {
            let text = format!("Error: \"{name}\" failed unexpectedly");
            CallOutput::failure(ErrorCode::ToolPanicked, text).answer(id, name)
        };
        results.into_iter().zip(names).map(|(result, names)| result.unwrap_or_else(|| lost(names))).collect()
    }
}

async fn one(site: Site, index: usize, call: ToolCall) -> (usize, ToolResult) {
    let (id, name, arguments) = call.into_parts();
    let sent = Sent { id: &id, name: &name, arguments: &arguments, parent: None };
    let output = Live::run(&site, sent).await;
    (index, site.answer(id, name, output))
}

fn put(results: &mut [Option<ToolResult>], index: usize, result: ToolResult) {
    if let Some(slot) = results.get_mut(index) {
        *slot = Some(result);
    }
}

/// Waits for all that run.
async fn collect(running: &mut Group<(usize, ToolResult)>, results: &mut [Option<ToolResult>]) {
    while let Some(ended) = running.next().await {
        if let Some((index, result)) = ended {
            put(results, index, result);
        }
    }
}
