//! Why a body did not produce a value.

use crate::error::BoxError;
use crate::output::OutputError;

/// Why a call failed between its arguments and its value.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The arguments are not what the tool takes; the text that the model reads.
    Arguments(String),
    /// The arguments exceed a limit; the text that the model reads.
    Limit(String),
    /// State that the tool cannot do without is missing; registration refuses that.
    State,
    /// The tool returned an error.
    Tool(BoxError),
    /// The value cannot be written as JSON.
    Output(Box<OutputError>),
    /// The tool panicked; what it said stays behind.
    Panicked,
}

impl Failure {
    #[cold]
    pub(crate) fn output(error: OutputError) -> Self {
        Self::Output(Box::new(error))
    }
}
