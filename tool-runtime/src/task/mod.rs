//! The only place that hands work to threads or tasks of the executor.

/// Runs a blocking function on the blocking pool, or in place where no runtime is at hand.
///
/// # Errors
/// Returns `None` if the function panicked or the runtime was shut down before it ran.
/// # Cancel safety
/// Dropped, the function goes on to its end and its value is lost.
pub(crate) async fn blocking<T: Send + 'static>(function: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(function).await.ok(),
        Err(_) => Some(function()),
    }
}
