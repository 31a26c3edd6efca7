//! A body that did not end at once: its signal, its time, its way into the background, its end when nobody waits for it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::event::EventKind;
use super::finish;
use super::life::Ending;
use super::shared::{Of, Shared};
use super::site::{Background, Held};
use super::within::Within;
use crate::error::contained;
use crate::output::CallOutput;
use crate::registry::Run;
use crate::tool::{Failure, Outcome, Reading};

/// How long a body that yields has at least to go once it was stopped.
const MOMENT: Duration = Duration::from_millis(250);

/// A body that runs as a task of its own, and who looks after it.
pub(super) struct Running {
    shared: Arc<Shared>,
    runtime: Handle,
    body: Option<JoinHandle<Option<Outcome>>>,
    /// That the call runs, for whoever waits for that.
    run: Option<Arc<Run>>,
    blocks: bool,
    /// Whether the runtime has timers; without them there are no deadlines.
    timers: bool,
    reading: Option<Reading>,
    /// Permits and keys, for as long as the body runs.
    held: Held,
    /// Whether nobody waits for it; then it is not handed on again.
    detached: bool,
}

/// What may end the wait for a body.
enum Next {
    Ended(Outcome),
    Signal,
    TimeOver,
}

impl Running {
    /// Hands a body to the runtime.
    ///
    /// # Errors
    /// Gives it back where there is no runtime.
    pub(super) fn begin(
        shared: &Arc<Shared>,
        body: Within,
        run: Option<Arc<Run>>,
        blocks: bool,
        reading: Reading,
        held: Held,
    ) -> Result<Self, (Within, Reading, Held)> {
        let Ok(runtime) = Handle::try_current() else { return Err((body, reading, held)) };
        let body = Some(crate::task::spawn(&runtime, body));
        let timers = crate::task::has_timers(&runtime);
        let (shared, reading) = (Arc::clone(shared), Some(reading));
        Ok(Self { shared, runtime, body, run, blocks, timers, reading, held, detached: false })
    }

    /// Waits for the end of the body, or for what ends it. Dropped, it goes on where nobody waits, and is cancelled there.
    pub(super) async fn supervise(mut self) -> CallOutput {
        let settings = self.shared.site.node.tree().settings;
        // Where nothing can go to the background, the call is waited for.
        if self.shared.site.at_once
            && let Promotion::Begun(background) = self.promoted()
        {
            return self.go_on(background);
        }
        let outcome = match self.next().await {
            Next::Ended(outcome) => outcome,
            Next::Signal => {
                self.shared.life.cancel();
                self.wind_down(Failure::Cancelled).await
            }
            Next::TimeOver => {
                let after = self.limit();
                match self.promoted() {
                    Promotion::Begun(background) => return self.go_on(background),
                    Promotion::Full(most) if self.shared.life.time_out() => {
                        self.shared.token().cancel();
                        let text = super::texts::limit("the number of background tasks", most);
                        let outcome = self.wind_down(Failure::Cancelled).await;
                        contained(|| drop(outcome));
                        Err(Failure::Limit(text))
                    }
                    Promotion::Never if self.shared.life.time_out() => {
                        self.shared.token().cancel();
                        self.wind_down(Failure::TimedOut { after, goes_on: false }).await
                    }
                    // Something else ends it.
                    Promotion::Full(_) | Promotion::Never => self.wind_down(Failure::Cancelled).await,
                }
            }
        };
        self.end(outcome, &settings)
    }

    fn limit(&self) -> Duration {
        self.shared.limit().unwrap_or_default()
    }

    async fn next(&mut self) -> Next {
        let token = self.shared.token().clone();
        let shared = Arc::clone(&self.shared);
        let timers = self.timers;
        let body = self.outcome();
        tokio::select! {
            biased;
            outcome = body => Next::Ended(outcome),
            () = token.cancelled() => Next::Signal,
            () = shared.time_over(), if timers => Next::TimeOver,
        }
    }

    /// The end of the body; once only.
    async fn outcome(&mut self) -> Outcome {
        match &mut self.body {
            Some(body) => {
                let outcome = body.await;
                self.body = None;
                outcome.ok().flatten().unwrap_or_else(|| Err(Failure::Panicked))
            }
            None => std::future::pending().await,
        }
    }

    /// Gives the body its grace after the signal, then stops it; what it came to, or why it did not.
    async fn wind_down(&mut self, failure: Failure) -> Outcome {
        let grace = self.shared.site.node.tree().settings.grace;
        if self.timers {
            let shared = Arc::clone(&self.shared);
            tokio::select! {
                biased;
                outcome = self.outcome() => return outcome,
                () = shared.stopping.grace_over(grace) => {}
            }
        }
        // A body that blocks its thread cannot be stopped; one that yields is gone at once.
        let mut goes_on = self.blocks || self.shared.blocking.load(Ordering::Relaxed) > 0;
        if !goes_on && let Some(body) = &self.body {
            body.abort();
            goes_on = !self.timers || !self.is_gone_within(grace.max(MOMENT)).await;
        }
        if goes_on {
            self.leave();
        }
        match failure {
            Failure::TimedOut { after, .. } => Err(Failure::TimedOut { after, goes_on }),
            failure => Err(failure),
        }
    }

    /// Whether the body is gone after so long. What it came to comes too late, and its drop may panic.
    async fn is_gone_within(&mut self, at_most: Duration) -> bool {
        let outcome = timeout(at_most, self.outcome()).await;
        let is_gone = outcome.is_ok();
        contained(|| drop(outcome));
        is_gone
    }

    /// Leaves a body that cannot be stopped to itself. What it holds, nobody else gets before it has ended.
    fn leave(&mut self) {
        let Some(body) = self.body.take() else { return };
        let held = std::mem::take(&mut self.held);
        crate::task::spawn(&self.runtime, async move {
            let outcome = body.await;
            contained(|| drop(outcome));
            drop(held);
        });
    }

    fn promoted(&self) -> Promotion {
        let shared = &self.shared;
        let wanted = shared.found().entry.tool().definition().background() != Some(false);
        if !wanted || shared.facts.depth > 0 || self.detached {
            return Promotion::Never;
        }
        match shared.site.conversation.as_ref().and_then(|conversation| conversation.reserve()) {
            Some(Err(most)) => Promotion::Full(most),
            Some(Ok(background)) if shared.life.promote() => Promotion::Begun(background),
            // Calls do not go on, or something else has ended this one.
            Some(Ok(_)) | None => Promotion::Never,
        }
    }

    /// Goes on in the background; what the model reads instead of a result.
    fn go_on(mut self, background: Box<dyn Background>) -> CallOutput {
        let id = background.id().to_owned();
        let name = self.shared.facts.tool.clone();
        background.begin(&self.shared);
        self.shared.tell(EventKind::Promoted { task: &id });
        self.detached = true;
        let runtime = self.runtime.clone();
        let max_runtime = background.max_runtime();
        let run = self.run.clone();
        crate::task::spawn(&runtime, async move {
            let shared = Arc::clone(&self.shared);
            let output = self.supervise_background(max_runtime).await;
            let facts = &shared.facts;
            background.finish(shared.site.capped(&facts.id, &facts.tool, output));
            drop(run);
        });
        CallOutput::text_only(format!(
            "\"{name}\" is still running as task {id}. Use task_output to read it, task_cancel to stop it."
        ))
    }

    async fn supervise_background(mut self, max_runtime: Option<Duration>) -> CallOutput {
        let settings = self.shared.site.node.tree().settings;
        let token = self.shared.token().clone();
        let timers = self.timers;
        let outcome = tokio::select! {
            biased;
            outcome = self.outcome() => Some(outcome),
            () = token.cancelled() => None,
            () = over(max_runtime), if timers => None,
        };
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => {
                self.shared.cancel();
                self.wind_down(Failure::Cancelled).await
            }
        };
        self.end(outcome, &settings)
    }

    fn end(mut self, outcome: Outcome, settings: &crate::registry::Settings) -> CallOutput {
        let ending = self.shared.end().unwrap_or(Ending::Finished);
        let outcome = match (ending, outcome) {
            (Ending::TimedOut, Ok(_)) => Err(Failure::TimedOut { after: self.limit(), goes_on: false }),
            (ending, outcome) => finish::ended(outcome, ending),
        };
        let tool = self.shared.found().entry.tool();
        let extensions = self.shared.found().extensions.as_deref().unwrap_or_default();
        let repairs = self.reading.take().and_then(Reading::into_repairs);
        let caller = Of(Arc::clone(&self.shared));
        let mut output = finish::finish(tool, settings, extensions, &caller, outcome);
        output.note_repairs(repairs);
        self.held.clear();
        self.shared.over.store(true, Ordering::Release);
        self.shared.tell(EventKind::Finished { code: output.code() });
        output
    }
}

/// Waits for the end of a time, if there is one.
async fn over(time: Option<Duration>) {
    match time {
        Some(time) => sleep(time).await,
        None => std::future::pending().await,
    }
}

enum Promotion {
    Begun(Box<dyn Background>),
    Full(usize),
    Never,
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.shared.life.has_ended() {
            return;
        }
        if self.detached || self.body.is_none() {
            // The runtime goes away, or something panicked: this is the last who could tell.
            if self.shared.end().is_some() {
                self.shared.tell(EventKind::Finished { code: Some(Failure::Cancelled.code()) });
            }
            return;
        }
        self.shared.cancel();
        let running = Self {
            shared: Arc::clone(&self.shared),
            runtime: self.runtime.clone(),
            body: self.body.take(),
            run: self.run.take(),
            blocks: self.blocks,
            timers: self.timers,
            reading: self.reading.take(),
            held: std::mem::take(&mut self.held),
            detached: true,
        };
        let runtime = self.runtime.clone();
        crate::task::spawn(&runtime, async move {
            running.supervise().await;
        });
    }
}
