//! Any tower layer around a tool or a scope.

use std::convert::Infallible;
use std::fmt;
use std::future::poll_fn;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use super::{Answer, Middleware, Next};
use crate::error::BoxError;
use crate::tool::{BoxFuture, CallContext};

/// A call on its way through tower's services.
#[derive(Debug, Clone)]
pub struct TowerCall {
    context: CallContext,
    next: Next,
}

impl TowerCall {
    /// The context of the call.
    pub fn context(&self) -> &CallContext {
        &self.context
    }
}

/// The innermost service: it runs what is inside of the layer.
#[derive(Debug, Clone, Copy)]
pub struct TowerInner(());

impl Service<TowerCall> for TowerInner {
    type Response = Answer;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Answer, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, call: TowerCall) -> Self::Future {
        Box::pin(async move { Ok(call.next.run().await) })
    }
}

/// A tower layer as middleware. The layer is applied once, so that what it counts is counted over all calls.
///
/// An error of the layer is an error of the tool: the model reads its text.
///
/// # Examples
/// ```
/// use tool_runtime::middleware::tower_layer;
/// use tool_runtime::{Registry, ToolCall, tool};
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
/// registry.middleware(tower_layer(tower_layer::Identity::new()))?;
/// assert_eq!(registry.call(ToolCall::new("1", "now", "{}")).await.text(), r#""12:00""#);
/// # Ok(())
/// # }
/// ```
pub fn tower_layer<L>(layer: L) -> TowerLayer<L::Service>
where
    L: Layer<TowerInner>,
{
    TowerLayer(layer.layer(TowerInner(())))
}

/// See [`tower_layer()`].
#[derive(Clone)]
pub struct TowerLayer<S>(S);

impl<S> Middleware for TowerLayer<S>
where
    S: Service<TowerCall, Response = Answer> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
{
    fn call<'a>(&'a self, call: &'a CallContext, next: Next) -> BoxFuture<'a, Answer> {
        let mut service = self.0.clone();
        let call = TowerCall { context: call.clone(), next };
        Box::pin(async move {
            // The error is made ours before anything else is waited for.
            let ready: Result<(), BoxError> =
                poll_fn(|context| service.poll_ready(context)).await.map_err(Into::into);
            if let Err(error) = ready {
                return Answer::error(error);
            }
            service.call(call).await.unwrap_or_else(Answer::error)
        })
    }
}

impl<S> fmt::Debug for TowerLayer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TowerLayer")
    }
}
