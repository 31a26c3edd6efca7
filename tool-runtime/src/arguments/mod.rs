//! Arguments: from the text that a model sent to what a tool takes.

mod call;
mod error;
mod limits;
mod masked;
mod reader;
mod repair;
mod strict;
mod text;
mod violation;

#[cfg(test)]
mod tests;

pub use self::call::ToolCall;
pub use self::error::ArgumentsError;
pub use self::limits::Limits;
pub(crate) use self::masked::mask;
pub(crate) use self::reader::type_refusal;
#[doc(hidden)]
pub use self::reader::{Reader, Slip};
pub use self::repair::{ReadArguments, ReadOptions, Repair, RepairKind, read_arguments};
pub(crate) use self::text::says_nothing;
pub use self::text::{ParsedArguments, TextError, TextErrorKind, parse_arguments, parse_arguments_within};
pub use self::violation::{Got, Violation, invalid_arguments_text, redacted_arguments_text};
