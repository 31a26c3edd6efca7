//! The one call that a tool's expansion makes: describe the tool, or run its body.
#![expect(clippy::needless_pass_by_value, reason = "expansions hand over what they made for this call")]

use std::borrow::Borrow;
use std::future::Future;

use super::{Elements, Function, Output};
use crate::tool::{
    Concurrency, Failure, IntoPermissionRequests, Invocation, PermissionRequest, Produced, Reply, Request,
};

/// Used by generated code. An `async` tool.
pub fn asynchronous<S, F, R, T>(request: Request<'_>, elements: S, output: Output<R, T>, function: F) -> Reply
where
    S: Elements,
    F: Function<S::Values>,
    F::Output: Future<Output = R> + Send + 'static,
    R: 'static,
    T: 'static,
{
    match request {
        Request::Describe(description) => {
            elements.describe(description);
            output.describe(description);
            Reply::Described
        }
        Request::Check(invocation) => Reply::Ready(elements.take(invocation).map(|_| Produced::default())),
        Request::Call(invocation) => match elements.take(invocation) {
            Ok(values) => {
                let future = function.call(values);
                Reply::Pending(Box::pin(async move { output.finish(future.await) }))
            }
            Err(failure) => Reply::Ready(Err(failure)),
        },
    }
}

/// Used by generated code. A tool that is not `async`.
pub fn synchronous<S, F, R, T>(request: Request<'_>, elements: S, output: Output<R, T>, function: F) -> Reply
where
    S: Elements,
    F: Function<S::Values, Output = R>,
{
    match request {
        Request::Describe(description) => {
            elements.describe(description);
            output.describe(description);
            Reply::Described
        }
        Request::Check(invocation) => Reply::Ready(elements.take(invocation).map(|_| Produced::default())),
        Request::Call(invocation) => {
            Reply::Ready(elements.take(invocation).and_then(|values| output.finish(function.call(values))))
        }
    }
}

/// Used by generated code. A tool that is not `async` and blocks its thread.
pub fn blocking<S, F, R, T>(request: Request<'_>, elements: S, output: Output<R, T>, function: F) -> Reply
where
    S: Elements,
    S::Values: Send + 'static,
    F: Function<S::Values, Output = R> + Send + 'static,
    R: 'static,
    T: 'static,
{
    match request {
        Request::Describe(description) => {
            elements.describe(description);
            output.describe(description);
            Reply::Described
        }
        Request::Check(invocation) => Reply::Ready(elements.take(invocation).map(|_| Produced::default())),
        Request::Call(invocation) => match elements.take(invocation) {
            Ok(values) => Reply::Blocking(Box::new(move |held| {
                Box::pin(async move {
                    let body = move || {
                        let outcome = output.finish(function.call(values));
                        drop(held);
                        outcome
                    };
                    crate::task::blocking(body).await.unwrap_or(Err(Failure::Panicked))
                })
            })),
            Err(failure) => Reply::Ready(Err(failure)),
        },
    }
}

/// Used by generated code. What a function named by `parallel = …` says of one call.
pub fn concurrency<S, F>(
    invocation: &Invocation<'_>,
    elements: S,
    function: F,
) -> Result<Concurrency, Failure>
where
    S: Elements,
    F: Function<S::Values>,
    F::Output: IntoConcurrency,
{
    elements.take(invocation).map(|values| function.call(values).into_concurrency())
}

/// Used by generated code. What a function named by `parallel = …` may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether a call may run beside others",
    label = "says nothing of the kind",
    note = "a function named by `parallel` returns `bool`, a key as `String` or `&str`, or `Concurrency`"
)]
pub trait IntoConcurrency {
    /// The answer.
    fn into_concurrency(self) -> Concurrency;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Concurrency>> IntoConcurrency for T {
    fn into_concurrency(self) -> Concurrency {
        self.into()
    }
}

/// Used by generated code. What a function named by `permission = …` says of one call.
pub fn permissions<S, F>(
    invocation: &Invocation<'_>,
    elements: S,
    function: F,
) -> Result<Vec<PermissionRequest>, Failure>
where
    S: Elements,
    F: Function<S::Values>,
    F::Output: IntoPermissionRequests,
{
    let values = elements.take(invocation)?;
    function.call(values).into_requests().map_err(Failure::Tool)
}

/// Used by generated code. What the value of a parameter that borrows a `U` is read as.
pub type Lent<U> = <U as ToOwned>::Owned;

/// Used by generated code. Lends an owned argument to a parameter that borrows.
pub fn lend<U: ?Sized>(owned: &impl Borrow<U>) -> &U {
    owned.borrow()
}

/// Used by generated code. Lends an owned argument to an optional parameter that borrows.
pub fn lend_option<U: ?Sized, T: Borrow<U>>(owned: &Option<T>) -> Option<&U> {
    owned.as_ref().map(Borrow::borrow)
}
