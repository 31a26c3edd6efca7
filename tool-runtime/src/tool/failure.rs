//! Why a body did not produce a value.

use std::error::Error;
use std::time::Duration;

use super::Denied;
use crate::error::{BoxError, ErrorCode};
use crate::output::OutputError;

/// Why a call failed between its arguments and its value.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The arguments are not what the tool takes; the text that the model reads.
    Arguments(String),
    /// A limit is exceeded; the text that the model reads.
    Limit(String),
    /// State that the tool cannot do without is missing; registration refuses that.
    State,
    /// The tool returned an error.
    Tool(BoxError),
    /// The value cannot be written as JSON.
    Output(Box<OutputError>),
    /// The tool panicked; what it said stays behind.
    Panicked,
    /// There is no such tool, or not any more; the text that the model reads.
    Unknown(String),
    /// What the tool needs is not reachable.
    Unavailable {
        /// What is not reachable.
        server: String,
    },
    /// The tool is called too often.
    RateLimited {
        /// When it may be called again.
        after: Duration,
    },
    /// The call may not run.
    Denied(Box<Denied>),
    /// The call was cancelled before its body began.
    CancelledBefore,
    /// The call was cancelled.
    Cancelled,
    /// The time of the call was over.
    TimedOut {
        /// How long it had.
        after: Duration,
        /// Whether the body could not be stopped.
        goes_on: bool,
    },
}

impl Failure {
    #[cold]
    pub(crate) fn output(error: OutputError) -> Self {
        Self::Output(Box::new(error))
    }

    /// The code under which the call fails.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::Arguments(_) => ErrorCode::InvalidArgs,
            Self::Limit(_) => ErrorCode::ResourceLimit,
            Self::State => ErrorCode::ToolFailed,
            Self::Tool(error) => denied(&**error).map_or(ErrorCode::ToolFailed, Denied::code),
            Self::Output(_) => ErrorCode::InvalidToolOutput,
            Self::Panicked => ErrorCode::ToolPanicked,
            Self::Unknown(_) => ErrorCode::UnknownTool,
            Self::Unavailable { .. } => ErrorCode::Unavailable,
            Self::RateLimited { .. } => ErrorCode::RateLimited,
            Self::Denied(denied) => denied.code(),
            Self::CancelledBefore => ErrorCode::AbortedBeforeDispatch,
            Self::Cancelled => ErrorCode::Aborted,
            Self::TimedOut { .. } => ErrorCode::ToolTimeout,
        }
    }

    /// The refusal, where that is what it is: a body's may be wrapped by other errors.
    pub(crate) fn denied(&self) -> Option<&Denied> {
        match self {
            Self::Denied(denied) => Some(&**denied),
            Self::Tool(error) => denied(&**error),
            _ => None,
        }
    }
}

/// Longer chains of sources are taken for endless.
const MAX_CHAIN: usize = 64;

fn denied<'e>(error: &'e (dyn Error + Send + Sync + 'static)) -> Option<&'e Denied> {
    let first: &'e (dyn Error + 'static) = error;
    std::iter::successors(Some(first), |error: &&'e (dyn Error + 'static)| (**error).source())
        .take(MAX_CHAIN)
        .find_map(|error| error.downcast_ref())
}
