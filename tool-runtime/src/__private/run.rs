//! The one call that a tool's expansion makes: describe the tool, or run its body.
#![expect(clippy::needless_pass_by_value, reason = "expansions hand over what they made for this call")]

use std::borrow::Borrow;
use std::future::Future;

use super::{Elements, Function, Open, Output};
use crate::tool::{
    Concurrency, Failure, IntoPermissionRequests, Invocation, PermissionRequest, Produced, Reply, Request,
};

/// Used by generated code. An `async` tool.
pub fn asynchronous<'a, S, F, P>(
    request: Request<'a>,
    elements: S,
    output: Output<P>,
    function: F,
) -> Reply<'a>
where
    S: Elements,
    F: Function<S::Values>,
    F::Output: Future<Output = P::Original> + Send + 'a,
    P: Open + 'a,
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
pub fn synchronous<S, F, P>(request: Request<'_>, elements: S, output: Output<P>, function: F) -> Reply<'_>
where
    S: Elements,
    F: Function<S::Values, Output = P::Original>,
    P: Open,
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
pub fn blocking<S, F, P>(request: Request<'_>, elements: S, output: Output<P>, function: F) -> Reply<'_>
where
    S: Elements,
    S::Values: Send + 'static,
    F: Function<S::Values, Output = P::Original> + Send + 'static,
    P: Open + 'static,
{
    match request {
        Request::Describe(description) => {
            elements.describe(description);
            output.describe(description);
            Reply::Described
        }
        Request::Check(invocation) => Reply::Ready(elements.take(invocation).map(|_| Produced::default())),
        Request::Call(invocation) => match elements.take(invocation) {
            Ok(values) => Reply::Pending(Box::pin(async move {
                crate::task::blocking(move || output.finish(function.call(values)))
                    .await
                    .unwrap_or(Err(Failure::Panicked))
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
    F::Output: Into<Concurrency>,
{
    elements.take(invocation).map(|values| function.call(values).into())
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

/// Used by generated code. Lends an owned argument to a parameter that borrows.
pub fn lend<U: ?Sized>(owned: &impl Borrow<U>) -> &U {
    owned.borrow()
}

/// Used by generated code. Lends an owned argument to an optional parameter that borrows.
pub fn lend_option<U: ?Sized, T: Borrow<U>>(owned: &Option<T>) -> Option<&U> {
    owned.as_ref().map(Borrow::borrow)
}
