//! The last look before a body: whatever was decided about a call, its tool has to be there still, and allowed (contract P7).

use std::sync::Arc;

use super::gate;
use super::shared::{Asking, Of, Shared};
use super::stages::{refused, requests};
use super::texts;
use crate::registry::{Found, Run};
use crate::tool::{CallContext, Caller, Failure, Invocation, Reading};

impl Shared {
    /// What the call may run now: what was found, or what has taken its place and is the same to the model and to policies. Gates that
    /// came since the decision are asked.
    pub(super) async fn confirmed(
        self: &Arc<Self>,
        bound: Option<&str>,
        run: Option<&Arc<Run>>,
    ) -> Result<(Found, Option<Arc<Run>>), Failure> {
        let context = CallContext::new(Arc::clone(self) as Arc<dyn Caller>);
        let mut decided = vec![self.found().clone()];
        loop {
            if context.is_cancelled() {
                return Err(Failure::CancelledBefore);
            }
            let was = &self.found().entry;
            let is_like = |now: &Found| {
                let print = |found: &Found| found.entry.tool().definition().fingerprint();
                now.entry.id == was.id || print(now) == print(self.found())
            };
            let Some(now) = self.site.find(&self.facts.tool).filter(is_like) else { return Err(self.gone()) };
            let new: Vec<_> = gate::held(&now)
                .filter(|gate| decided.iter().flat_map(gate::held).all(|other| !Arc::ptr_eq(gate, other)))
                .collect();
            if new.is_empty() {
                let extensions = now.extensions.as_deref().unwrap_or_default();
                gate::judge_again(extensions, &context).map_err(refused)?;
                if let Some(run) = run.filter(|run| run.is_of(&now.entry)) {
                    return Ok((now, Some(Arc::clone(run))));
                }
                if !now.entry.enter() {
                    // It was taken away just now.
                    continue;
                }
                let run = now.entry.runs.as_ref().map(|runs| Run::entered(runs, self));
                return Ok((now, run));
            }
            let caller = Of(Arc::clone(self));
            let reading = Reading::new(self.site.node.tree().settings.repairs);
            let requests = requests(now.entry.tool(), &self.invocation(&now, bound, reading, &caller))?;
            let gates = new.iter().filter_map(|held| gate::of(held));
            let _asking = Asking::new(self);
            tokio::select! {
                biased;
                () = context.cancelled() => return Err(Failure::CancelledBefore),
                verdict = gate::judge(gates, &context, &requests) => verdict.map_err(refused)?,
            }
            decided.push(now);
        }
    }

    /// That there is no such tool any more, as if there had never been one.
    fn gone(&self) -> Failure {
        Failure::Unknown(texts::unknown(&self.facts.tool, self.site.nearest(&self.facts.tool).as_deref()))
    }

    pub(super) fn invocation<'b>(
        &'b self,
        found: &'b Found,
        bound: Option<&'b str>,
        reading: Reading,
        caller: &'b Of,
    ) -> Invocation<'b> {
        Invocation {
            text: bound.unwrap_or(&self.facts.arguments),
            tool: found.entry.tool(),
            states: &found.states,
            reading,
            caller,
        }
    }
}
