//! Unloading an owner: what it brought goes, and what runs of it ends.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::{Instant, sleep_until};

use super::shared::Shared;
use super::within;
use crate::registry::{Gone, Owner, Runs};

/// How long it takes at most until what was dropped is gone.
const MOMENT: Duration = Duration::from_millis(250);

/// What an unloading came to, see [`Owner::unload`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unloaded {
    /// How many things were taken away: tools, restrictions, filters, rules, state and whatever else the owner brought.
    pub removed: usize,
    /// What runs still, by the tools' names: bodies that block their thread, which nobody can stop.
    pub running: Vec<StillRunning>,
}

/// Calls of one tool that could not be stopped, see [`Unloaded::running`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StillRunning {
    /// The tool's name.
    pub tool: String,
    /// How many calls.
    pub calls: u64,
}

impl Owner {
    /// Takes away all that it brought, as [`remove`](Self::remove) does, then ends the calls of its tools that run, and waits for
    /// their end.
    ///
    /// Every such call gets its signal, also one that has become a task, that waits for an approval or a key, or that another call
    /// made; so does one of a tool that the owner had removed or replaced before. After `grace` what still runs is dropped.
    /// A body that blocks its thread cannot be: it is in [`running`](Unloaded::running), and goes on.
    /// So is a call whose future nobody polls. Without a runtime with timers there is no grace, and nothing is waited for.
    ///
    /// A call that unloads its own owner is not waited for, and gets no signal, nor do the calls around it: they end by themselves.
    /// That is seen where the body itself awaits this, and not where a task or a thread that the body has
    /// begun does, or where it blocks its thread for it; the call then has its grace like the others.
    ///
    /// # Cancel safety
    /// Dropped once it was polled, everything is gone and the calls have their signal and their grace; nobody waits for them.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    ///
    /// use tool_runtime::{CallContext, Registry, ToolCall, tool};
    ///
    /// /// Watches a file until it is told to stop.
    /// #[tool(effect = read)]
    /// async fn watch(cx: &CallContext) {
    ///     cx.cancelled().await;
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().build()?;
    /// let plugin = registry.load("files", |owner| registry.owned_by(owner).register::<watch>().map(drop))?;
    /// let agent = registry.scope("agent");
    /// let call = tokio::spawn(async move { agent.call(ToolCall::new("1", "watch", "{}")).await });
    /// tokio::task::yield_now().await;
    ///
    /// let unloaded = plugin.unload(Duration::from_secs(5)).await;
    /// assert_eq!((unloaded.removed, unloaded.running.len()), (1, 0));
    /// assert!(call.await?.text().contains("was cancelled"));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn unload(&self, grace: Duration) -> Unloaded {
        let removed = self.remove();
        let Some(gone) = self.gone() else { return Unloaded { removed, running: Vec::new() } };
        let mut ending = Ending::new(gone, grace);
        if !ending.is_over() {
            // A body is polled once where its call is made; which call it belongs to is known from then on.
            yield_once().await;
            ending.signal(within::current());
            ending.wait().await;
        }
        Unloaded { removed, running: ending.running() }
    }
}

/// The end of an owner's calls.
struct Ending {
    gone: Arc<Gone>,
    runs: Vec<Arc<Runs>>,
    /// The calls that the unloading is a part of.
    own: Vec<Arc<Shared>>,
    until: Instant,
    timers: bool,
    signalled: bool,
}

impl Ending {
    fn new(gone: &Arc<Gone>, grace: Duration) -> Self {
        let timers = Handle::try_current().is_ok_and(|runtime| crate::task::has_timers(&runtime));
        let now = Instant::now();
        // So far away that nobody sees its end.
        let far = Duration::from_hours(24 * 365);
        let until = if timers { now.checked_add(grace.min(far)).unwrap_or(now) } else { now };
        let (gone, runs) = (Arc::clone(gone), gone.runs());
        Self { gone, runs, own: Vec::new(), until, timers, signalled: false }
    }

    /// Tells every call but those around this one to end.
    fn signal(&mut self, current: Option<Arc<Shared>>) {
        self.signalled = true;
        let own = std::iter::successors(current, |call| call.parent().cloned());
        self.own = own.collect();
        let own = self.addresses();
        for runs in &self.runs {
            runs.stop(self.until, &own);
        }
    }

    /// Waits for the end of the calls, and for a moment more than their grace for that of what is dropped then.
    async fn wait(&self) {
        let until = if self.timers { self.until.checked_add(MOMENT) } else { None };
        let Some(until) = until else { return };
        let mut over = pin!(sleep_until(until));
        loop {
            let mut ended = pin!(self.gone.ended.notified());
            ended.as_mut().enable();
            if self.is_over() {
                return;
            }
            tokio::select! {
                () = ended => {}
                () = &mut over => return,
            }
        }
    }

    fn addresses(&self) -> Vec<usize> {
        self.own.iter().map(|call| Arc::as_ptr(call).addr()).collect()
    }

    fn is_over(&self) -> bool {
        self.runs.iter().all(|runs| self.count(runs) == 0)
    }

    /// How many calls run that are waited for.
    fn count(&self, runs: &Arc<Runs>) -> u64 {
        runs.count().saturating_sub(runs.count_of(&self.addresses()))
    }

    fn running(&self) -> Vec<StillRunning> {
        let mut by_tool = BTreeMap::new();
        for runs in &self.runs {
            *by_tool.entry(runs.tool()).or_insert(0) += self.count(runs);
        }
        let running = by_tool.into_iter().filter(|(_, calls)| *calls > 0);
        running.map(|(tool, calls)| StillRunning { tool: tool.to_owned(), calls }).collect()
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        if !self.signalled {
            self.signal(None);
        }
    }
}

/// Lets others have their turn.
async fn yield_once() {
    let mut yielded = false;
    std::future::poll_fn(|context| {
        if yielded {
            return Poll::Ready(());
        }
        yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
