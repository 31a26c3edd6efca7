//! Why a body did not produce a value.

use crate::error::BoxError;
use crate::output::OutputError;
use crate::schema::Violation;

/// Why a call failed between its arguments and its value.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The arguments are not what the tool takes; the text that the model reads.
    Arguments(String),
    /// The tool returned an error.
    Tool(BoxError),
    /// The value cannot be written as JSON.
    Output(OutputError),
    /// The value is not what the output schema says.
    Value(Vec<Violation>),
    /// The tool panicked; what it said stays behind.
    Panicked,
}
