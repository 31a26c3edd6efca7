//! A call that nobody makes: arguments are only looked at.

use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::StateMap;
use super::call_context::{
    BoxFuture, CallFacts, Caller, Denied, Elicitation, Elicited, MakeCaller, Question,
};
use crate::error::ErrorCode;
use crate::output::CallOutput;

/// Makes contexts of no call, for tools that ask for one before they run.
#[derive(Debug)]
pub(crate) struct NoCaller;

struct Nothing {
    facts: CallFacts,
    states: Arc<StateMap>,
}

impl MakeCaller for NoCaller {
    fn caller(&self) -> Arc<dyn Caller> {
        let facts = CallFacts {
            id: String::new(),
            root: String::new(),
            parent: None,
            unique: 0,
            tool: String::new(),
            scope: String::new(),
            arguments: "{}".to_owned(),
            depth: 0,
        };
        Arc::new(Nothing { facts, states: Arc::default() })
    }
}

impl Caller for Nothing {
    fn facts(&self) -> &CallFacts {
        &self.facts
    }
    fn states(&self) -> &Arc<StateMap> {
        &self.states
    }
    fn arguments(&self) -> &str {
        &self.facts.arguments
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
    fn cancellation(&self) -> CancellationToken {
        CancellationToken::new()
    }
    fn is_cancelled(&self) -> bool {
        false
    }
    fn progress(&self, _: String) {}
    fn write(&self, _: &str, _: &str) {}
    fn call(self: Arc<Self>, _: String, _: String) -> BoxFuture<'static, CallOutput> {
        let text = "Error: nothing can be called here".to_owned();
        Box::pin(async { CallOutput::failure(ErrorCode::Unavailable, text) })
    }
    fn judge(self: Arc<Self>, _: Question) -> BoxFuture<'static, Result<(), Denied>> {
        Box::pin(async { Err(Denied::Nobody) })
    }
    fn elicit(self: Arc<Self>, _: Elicitation) -> BoxFuture<'static, Elicited> {
        Box::pin(async { Elicited::Declined })
    }
    fn add_message(&self, _: String) {}
    fn conclude_turn(&self) {}
}
