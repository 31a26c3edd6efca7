//! Answers that depend on a call's arguments: whether it may run beside others, and what it needs permission for.

use super::{Failure, Invocation};
use crate::definition::Effect;
use crate::error::BoxError;

/// Whether one call may run beside others.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Concurrency {
    /// Alone.
    Alone,
    /// Beside others.
    Together,
    /// Beside others, but one after another with calls of the same key.
    Keyed(String),
}

impl From<bool> for Concurrency {
    fn from(parallel: bool) -> Self {
        if parallel { Self::Together } else { Self::Alone }
    }
}

impl From<String> for Concurrency {
    fn from(key: String) -> Self {
        Self::Keyed(key)
    }
}

impl From<&str> for Concurrency {
    fn from(key: &str) -> Self {
        Self::Keyed(key.to_owned())
    }
}

/// Something that a call needs permission for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionRequest {
    name: String,
    target: String,
    effect: Effect,
}

impl PermissionRequest {
    /// A request by the permission's name, what it is to be used on, and what that does.
    pub fn new(name: impl Into<String>, target: impl Into<String>, effect: Effect) -> Self {
        Self { name: name.into(), target: target.into(), effect }
    }

    /// The permission's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is to be used on.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// What using it does.
    pub fn effect(&self) -> Effect {
        self.effect
    }
}

/// What a function named by `permission = …` may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what a call needs permission for",
    label = "says nothing of the kind",
    note = "a function named by `permission` returns a `PermissionRequest`, a `Vec` of them, or a `Result` of one"
)]
pub trait IntoPermissionRequests {
    /// The requests, all of which are judged; the strictest answer wins, an error denies.
    ///
    /// # Errors
    /// Returns the function's own error.
    fn into_requests(self) -> Result<Vec<PermissionRequest>, BoxError>;
}

impl IntoPermissionRequests for PermissionRequest {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, BoxError> {
        Ok(vec![self])
    }
}

impl IntoPermissionRequests for Vec<PermissionRequest> {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, BoxError> {
        Ok(self)
    }
}

impl<T: IntoPermissionRequests, E: Into<BoxError>> IntoPermissionRequests for Result<T, E> {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, BoxError> {
        self.map_err(Into::into).and_then(IntoPermissionRequests::into_requests)
    }
}

/// A function of the arguments, as generated code calls it.
pub(crate) type Judge<T> = for<'a> fn(&'a Invocation<'a>) -> Result<T, Failure>;
