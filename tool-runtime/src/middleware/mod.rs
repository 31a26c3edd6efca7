//! Middleware: code around the bodies of tools.
//!
//! It stands between the decision that a call may run and the hooks that look at what came of it: retries, caches, limits,
//! measurements. It may run what is inside it not at all, once, or several times; it never changes arguments.

#[cfg(feature = "tower")]
mod tower;

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::error::{BoxError, ErrorCode};
use crate::output::to_json;
use crate::registry::{ExtensionKind, Handle, RegistryError, Scope};
use crate::tool::{BoxFuture, CallContext, Failure, Outcome, Produced, Tool, Tools};

#[cfg(feature = "tower")]
#[cfg_attr(docsrs, doc(cfg(feature = "tower")))]
pub use self::tower::{TowerCall, TowerInner, TowerLayer, tower_layer};

/// Code around the bodies of tools.
///
/// Every function of a [`CallContext`] and a [`Next`] that returns a future of an [`Answer`] is one. Of several, the registry's
/// stands outermost, then those of the scopes on the chain, the farthest first, then the tool's own.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use tool_runtime::{CallContext, Next, Registry, ToolCall, tool};
///
/// /// Tells the time.
/// #[tool(effect = read)]
/// fn now() -> String {
///     "12:00".to_owned()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().register::<now>().build()?;
/// let count = Arc::new(AtomicUsize::new(0));
/// let counted = Arc::clone(&count);
/// registry.middleware(move |_: CallContext, next: Next| {
///     counted.fetch_add(1, Ordering::Relaxed);
///     async move { next.run().await }
/// })?;
/// registry.call(ToolCall::new("1", "now", "{}")).await;
/// assert_eq!(count.load(Ordering::Relaxed), 1);
/// # Ok(())
/// # }
/// ```
pub trait Middleware: Send + Sync + 'static {
    /// Runs what is inside, or answers instead of it.
    fn call<'a>(&'a self, call: &'a CallContext, next: Next) -> BoxFuture<'a, Answer>;
}

impl<F, Fut> Middleware for F
where
    F: Fn(CallContext, Next) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Answer> + Send + 'static,
{
    fn call<'a>(&'a self, call: &'a CallContext, next: Next) -> BoxFuture<'a, Answer> {
        Box::pin(self(call.clone(), next))
    }
}

/// What is inside a middleware: further middleware, and the body at last. Cheap to clone.
#[derive(Clone)]
pub struct Next(Arc<dyn Fn() -> BoxFuture<'static, Answer> + Send + Sync>);

impl Next {
    pub(crate) fn new(run: impl Fn() -> BoxFuture<'static, Answer> + Send + Sync + 'static) -> Self {
        Self(Arc::new(run))
    }

    /// Runs all of it once.
    pub fn run(&self) -> BoxFuture<'static, Answer> {
        (self.0)()
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Next")
    }
}

/// What came of running a body: its value, or why there is none.
#[derive(Debug)]
pub struct Answer(Outcome);

impl Answer {
    /// A value in place of the body's. It is checked as the body's is.
    ///
    /// # Errors
    /// Returns what JSON cannot hold of the value.
    pub fn of(value: &impl Serialize) -> Result<Self, crate::output::OutputError> {
        Ok(Self(Ok(Produced { value: Some(to_json(value)?), content: None, foreign: true })))
    }

    /// An error in place of a value.
    pub fn error(error: impl Into<BoxError>) -> Self {
        Self(Err(Failure::Tool(error.into())))
    }

    /// That what the tool needs is not reachable now: the model reads that it is reconnecting.
    pub fn unavailable(server: impl Into<String>) -> Self {
        Self(Err(Failure::Unavailable { server: server.into() }))
    }

    /// That the tool is called too often, and when it may be called again.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::middleware::Answer;
    /// use tool_runtime::{CallContext, Next, Registry, ToolCall, tool};
    ///
    /// /// Tells the time.
    /// #[tool(effect = read)]
    /// fn now() -> String {
    ///     "12:00".to_owned()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<now>().build()?;
    /// registry.middleware(|_: CallContext, _: Next| async { Answer::rate_limited(Duration::from_secs(30)) })?;
    /// let result = registry.call(ToolCall::new("1", "now", "{}")).await;
    /// assert_eq!(result.text(), r#"Error: "now" is called too often; try again in 30 s"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn rate_limited(after: Duration) -> Self {
        Self(Err(Failure::RateLimited { after }))
    }

    pub(crate) fn new(outcome: Outcome) -> Self {
        Self(outcome)
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        self.0
    }

    /// Whether there is no value.
    pub fn is_error(&self) -> bool {
        self.0.is_err()
    }

    /// The JSON text of the value; `None` of an error and of content blocks.
    pub fn text(&self) -> Option<&str> {
        self.0.as_ref().ok()?.value.as_deref()
    }

    /// The value, read from its text when it is asked for.
    pub fn value(&self) -> Option<Value> {
        serde_json::from_str(self.text()?).ok()
    }

    /// The error that the body returned.
    pub fn cause(&self) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
        match &self.0 {
            Err(Failure::Tool(error)) => Some(&**error),
            _ => None,
        }
    }

    /// Under which code the call would fail.
    pub fn code(&self) -> Option<ErrorCode> {
        self.0.as_ref().err().map(Failure::code)
    }
}

/// A middleware as registries and tools hold it.
struct Held(Box<dyn Middleware>);

impl Scope {
    /// Puts middleware around the calls of the scope and of those below it, inside of what was put there before.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    pub fn middleware(&self, middleware: impl Middleware) -> Result<Handle, RegistryError> {
        self.middleware_at(0, middleware)
    }

    /// The same with a place among the scope's own: lower ones are farther outside; 0 by default.
    ///
    /// # Errors
    /// As [`middleware`](Self::middleware).
    pub fn middleware_at(&self, order: i32, middleware: impl Middleware) -> Result<Handle, RegistryError> {
        self.extend(ExtensionKind::Middleware, order, held(middleware))
    }
}

impl Tool {
    /// The same tool with middleware around its body, inside of that of every scope and of what the tool has already.
    #[must_use]
    pub fn with_middleware(self, middleware: impl Middleware) -> Self {
        self.with_inner(held(middleware))
    }
}

impl Tools {
    /// The same with one middleware around the body of every tool, inside of that of every scope and of what the tool has already.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Answer, CallContext, Next, Registry, Tool, ToolCall, Tools, tool};
    ///
    /// /// Shows the log.
    /// #[tool(effect = read)]
    /// fn log() -> &'static str {
    ///     "the log"
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Tools::new([Tool::of::<log>()])?
    ///     .with_middleware(|_: CallContext, next: Next| async move {
    ///         let answer: Answer = next.run().await;
    ///         answer // look at it here, or give another
    ///     })
    ///     .prefixed("git_")?;
    /// let registry = Registry::builder().tools(tools).build()?;
    /// assert_eq!(registry.call(ToolCall::new("1", "git_log", "{}")).await.text(), r#""the log""#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_middleware(self, middleware: impl Middleware) -> Self {
        self.with_inner(&held(middleware))
    }
}

fn held(middleware: impl Middleware) -> Arc<dyn Any + Send + Sync> {
    Arc::new(Held(Box::new(middleware)))
}

/// The middleware behind what a registry or a tool holds.
pub(crate) fn of(held: &(dyn Any + Send + Sync)) -> Option<&dyn Middleware> {
    held.downcast_ref::<Held>().map(|held| &*held.0)
}
