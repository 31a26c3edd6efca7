//! Execution: from a call to its one result.
//!
//! Every call goes through the same stages, whatever fails on the way, and ends exactly once: resolve, read the arguments, gates and
//! guards, middleware around the body, output check, result hooks, content hooks, the last event.
//!
//! Architecture invariant: a body is polled once where the call is made, and what is then pending runs as a task of its own; no panic of
//! a user's code leaves this room.

mod around;
mod called;
mod cap;
mod card;
mod clock;
mod confirm;
mod contain;
mod drive;
mod event;
mod finish;
mod gate;
mod hook;
mod life;
mod live;
mod shared;
mod site;
mod stages;
mod stop;
mod texts;
mod told;
mod unload;
mod within;

use std::sync::Arc;

pub(crate) use self::contain::contained_future;
pub use self::event::{Event, EventKind, Events, Observer, OwnedEvent, OwnedKind};
pub use self::gate::Gate;
pub use self::hook::HookVerdict;
pub(crate) use self::live::{Live, Sent};
pub(crate) use self::shared::Shared;
use self::site::Place;
pub(crate) use self::site::{Background, Conversation, Held, Site};
pub use self::unload::{StillRunning, Unloaded};
pub(crate) use self::within::is_cancelled;
use crate::arguments::ToolCall;
use crate::error::ErrorCode;
use crate::output::{CallOutput, ToolResult};
use crate::registry::{Scope, Step};
use crate::tool::{Concurrency, PermissionRequest, Values};

impl Scope {
    /// Runs one call to its one result, whatever happens on the way: unknown tool, invalid arguments, an error
    /// or a panic of the tool, a value that JSON cannot hold.
    ///
    /// # Cancel safety
    /// Dropped, the call is cancelled: its body gets the signal, then its grace, and goes on meanwhile where nobody waits for it; its
    /// effect may have happened. The last event still comes.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, ToolCall};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().build()?;
    /// let result = registry.call(ToolCall::new("call_1", "nothing", "{}")).await;
    /// assert!(result.is_error());
    /// assert_eq!(result.text(), r#"Error: unknown tool "nothing""#);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        let (id, name, arguments) = call.into_parts();
        let sent = Sent { id: &id, name: &name, arguments: &arguments, parent: None };
        let output = Live::run(Place::Scope(self.node()), sent).await;
        Site::of_scope(self.node()).answer(id, name, output)
    }

    /// The same with values of this call alone, which are injected before those of the scope and of the registry, also into the calls that it
    /// makes: the user, a locale, a trace.
    ///
    /// # Cancel safety
    /// As [`call`](Self::call).
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{CallContext, Registry, ToolCall, Values, tool};
    ///
    /// struct User(&'static str);
    ///
    /// /// Greets the user.
    /// #[tool(effect = read)]
    /// fn greet(cx: &CallContext) -> String {
    ///     cx.state::<User>().map_or("hello".to_owned(), |user| format!("hello, {}", user.0))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<greet>().build()?;
    /// let call = ToolCall::new("1", "greet", "{}");
    /// let result = registry.call_with(call, Values::new().with(User("Ada"))).await;
    /// assert_eq!(result.text(), r#""hello, Ada""#);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call_with(&self, call: ToolCall, values: Values) -> ToolResult {
        let (id, name, arguments) = call.into_parts();
        let sent = Sent { id: &id, name: &name, arguments: &arguments, parent: None };
        let site = Site::of_scope(self.node()).with_values(values);
        let output = Live::run(&site, sent).await;
        site.answer(id, name, output)
    }

    /// Runs a tool for the program itself, without an id: the arguments are JSON text, as a model would send it.
    ///
    /// Everything else is as in [`call`](Self::call).
    ///
    /// # Cancel safety
    /// As [`call`](Self::call).
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, tool};
    ///
    /// /// Doubles a number.
    /// #[tool(effect = read)]
    /// fn double(
    ///     /// The number.
    ///     n: i64,
    /// ) -> i64 {
    ///     2 * n
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<double>().build()?;
    /// assert_eq!(registry.invoke("double", r#"{"n": 21}"#).await.into_text(), "42");
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn invoke<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
    ) -> impl Future<Output = CallOutput> + Send + 'a {
        Live::run(Place::Scope(self.node()), Sent { id: "", name, arguments, parent: None })
    }

    /// Whether a call may run beside others. A call that will not run counts as running alone.
    pub fn concurrency(&self, call: &ToolCall) -> Concurrency {
        Site::of_scope(self.node()).concurrency(call)
    }

    /// What a call needs permission for: what the tool declares, or `tool:<name>`.
    ///
    /// # Errors
    /// Returns the result of a call that cannot be judged: an unknown tool, invalid arguments, a function that
    /// failed or panicked.
    pub fn permissions(&self, call: &ToolCall) -> Result<Vec<PermissionRequest>, Box<ToolResult>> {
        Site::of_scope(self.node()).permissions(call)
    }
}

impl Site {
    pub(crate) fn concurrency(&self, call: &ToolCall) -> Concurrency {
        Live::found(self, Sent::of(call)).map_or(Concurrency::Alone, |live| live.concurrency())
    }
}

impl Site {
    fn permissions(&self, call: &ToolCall) -> Result<Vec<PermissionRequest>, Box<ToolResult>> {
        match Live::found(self, Sent::of(call)) {
            Some(live) => live.permissions(),
            None => {
                let text = texts::unknown(call.name(), self.nearest(call.name()).as_deref());
                Err(CallOutput::failure(ErrorCode::UnknownTool, text))
            }
        }
        .map_err(|output| Box::new(output.answer(call.id().to_owned(), call.name().to_owned())))
    }
}

impl<'a> Sent<'a> {
    pub(crate) fn of(call: &'a ToolCall) -> Self {
        Self { id: call.id(), name: call.name(), arguments: call.arguments(), parent: None }
    }
}

impl Step {
    /// Runs one call of the step, as [`Scope::call`] does: a tool that the step lists and that the scope still has.
    ///
    /// # Cancel safety
    /// As [`Scope::call`].
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        let (id, name, arguments) = call.into_parts();
        let sent = Sent { id: &id, name: &name, arguments: &arguments, parent: None };
        let site = self.site();
        let output = Live::run(&site, sent).await;
        site.answer(id, name, output)
    }

    /// Whether a call of the step may run beside others. A call that will not run counts as running alone.
    pub fn concurrency(&self, call: &ToolCall) -> Concurrency {
        self.site().concurrency(call)
    }

    /// What a call of the step needs permission for: what the tool declares, or `tool:<name>`.
    ///
    /// # Errors
    /// As [`Scope::permissions`].
    pub fn permissions(&self, call: &ToolCall) -> Result<Vec<PermissionRequest>, Box<ToolResult>> {
        self.site().permissions(call)
    }

    fn site(&self) -> Site {
        Site {
            node: Arc::clone(&self.node),
            step: Some(Arc::new(self.clone())),
            conversation: None,
            abort: None,
            bounded: false,
            at_once: false,
            values: None,
        }
    }
}
