//! The way of one call: begun where it is first polled, and most often over then.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use super::contain::{Contained, First};
use super::event::EventKind;
use super::live::{Live, Permit, Sent};
use super::shared::MAX_DEPTH;
use super::site::{Held, Place};
use super::texts;
use crate::output::CallOutput;
use crate::registry::{Found, nothing};
use crate::tool::{BoxFuture, Failure, Invocation, Produced, Reading};

static CALLS: AtomicU64 = AtomicU64::new(1);

/// One call on its way to its end. Nothing happens before it is first polled.
pub(crate) struct Called<'a> {
    site: Place<'a>,
    pub(super) sent: Sent<'a>,
    has_begun: bool,
    /// The rest of a call that did not end at once.
    rest: Option<BoxFuture<'a, CallOutput>>,
}

impl<'a> Called<'a> {
    #[inline]
    pub(super) fn new(site: Place<'a>, sent: Sent<'a>) -> Self {
        Self { site, sent, has_begun: false, rest: None }
    }

    /// Begins the call, and ends it where nobody takes part in it and its body ends at once: most calls are no more than this.
    fn begin(&mut self, context: &mut Context<'_>) -> Poll<CallOutput> {
        self.has_begun = true;
        let site = self.site;
        let unique = CALLS.fetch_add(1, Ordering::Relaxed);
        let too_deep = self.sent.parent.is_some_and(|parent| parent.facts.depth >= MAX_DEPTH);
        let found = if too_deep { None } else { site.find(self.sent.name) };
        let Some(mut found) = found else {
            return Poll::Ready(not_begun(site, self.sent, unique, too_deep));
        };
        if !found.entry.enter() {
            match site.enter(self.sent.name) {
                Some(again) => found = again,
                None => return Poll::Ready(not_begun(site, self.sent, unique, false)),
            }
        }
        let live = Live::new(site, self.sent, found, unique, false);
        live.tell(EventKind::Started);
        let tool = live.tool();
        let permit = match site {
            _ if !live.is_plain(tool) => Permit::NotYet,
            Place::Scope(_) => Permit::NotNeeded,
            Place::Site(_) => live.permit_now(),
        };
        let repairs = site.node().tree().settings.repairs;
        if matches!(permit, Permit::NotYet) {
            return self.go_on(Box::pin(live.stages(Reading::new(repairs), Held::new())), context);
        }
        if site.is_closing(live.sent.parent) {
            return Poll::Ready(live.end(Err(Failure::CancelledBefore), Reading::default()));
        }
        live.entered.store(true, Ordering::Relaxed);
        let invocation = Invocation {
            text: live.sent.arguments,
            tool,
            states: &live.found.states,
            reading: Reading::new(repairs),
            caller: &live,
        };
        let run = || live.run_of_owner().map(|run| run as Arc<_>);
        let (mut text, mut outcome, mut body, mut blocks) = (None, None, None, false);
        let first = First { text: &mut text, outcome: &mut outcome, body: &mut body, blocks: &mut blocks };
        first.poll(|| tool.enter(&invocation), run, context);
        if let Some(text) = text {
            if live.shows_values_at_once(tool, &invocation.reading) {
                // As `tell_end`, for a call that nobody knows of.
                live.tell(EventKind::Finished { code: None });
                live.told.store(true, Ordering::Relaxed);
                return Poll::Ready(CallOutput::success_text(text));
            }
            let produced = Produced { value: Some(text), ..Produced::default() };
            return Poll::Ready(live.end(Ok(produced), invocation.reading));
        }
        if let Some(outcome) = outcome {
            return Poll::Ready(live.end(outcome, invocation.reading));
        }
        let reading = invocation.reading;
        let Some(body) = body else { return Poll::Ready(live.end(Err(Failure::Panicked), reading)) };
        let held = if let Permit::Taken(permit) = permit { vec![permit] } else { Held::new() };
        self.go_on(Box::pin(live.drive(Contained::new(body), blocks, reading, held)), context)
    }

    #[cold]
    fn go_on(&mut self, rest: BoxFuture<'a, CallOutput>, context: &mut Context<'_>) -> Poll<CallOutput> {
        self.rest = Some(rest);
        self.poll_rest(context)
    }

    #[cold]
    fn poll_rest(&mut self, context: &mut Context<'_>) -> Poll<CallOutput> {
        let Some(rest) = &mut self.rest else { return Poll::Pending };
        let polled = rest.as_mut().poll(context);
        if polled.is_ready() {
            self.rest = None;
        }
        polled
    }
}

impl Future for Called<'_> {
    type Output = CallOutput;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<CallOutput> {
        if self.has_begun { self.poll_rest(context) } else { self.begin(context) }
    }
}

/// A call whose tool is not there, or hidden, or that is nested too deep: for everybody who looks on it is a call like others.
#[cold]
fn not_begun(site: Place<'_>, sent: Sent<'_>, unique: u64, too_deep: bool) -> CallOutput {
    let seen = site.node().seen();
    let found =
        Found { entry: nothing(), states: Arc::clone(seen.states()), extensions: seen.extensions().cloned() };
    let live = Live::new(site, sent, found, unique, false);
    live.tell(EventKind::Started);
    let failure = if too_deep {
        Failure::Limit(texts::limit("the depth of nested calls", MAX_DEPTH))
    } else {
        Failure::Unknown(texts::unknown(sent.name, site.nearest(sent.name).as_deref()))
    };
    live.end(Err(failure), Reading::default())
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::atomic::AtomicUsize;
    use std::task::Waker;

    use super::*;
    use crate::registry::Registry;
    use crate::tool::DynamicTool;

    #[test]
    fn a_call_that_is_polled_after_its_end_does_not_begin_again() {
        let began = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&began);
        let tool = DynamicTool::new("count", "Counts.").expect("a name").typed(move |(): ()| {
            counter.fetch_add(1, Ordering::Relaxed);
            std::future::ready(Ok::<_, std::io::Error>(7))
        });
        let registry = Registry::builder().tool(tool.expect("a schema")).build().expect("one tool");
        let sent = Sent { id: "", name: "count", arguments: "{}", parent: None };
        let mut called = pin!(Called::new(Place::Scope(registry.global().node()), sent));
        let context = &mut Context::from_waker(Waker::noop());
        let Poll::Ready(output) = called.as_mut().poll(context) else { panic!("it ends at once") };
        assert_eq!(output.text(), "7");
        assert!(called.as_mut().poll(context).is_pending());
        assert_eq!(began.load(Ordering::Relaxed), 1);
    }
}
