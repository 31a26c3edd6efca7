//! Arguments: from the text that a model sent to what a tool takes.

mod call;
mod reader;
mod strict;

pub use self::call::ToolCall;
#[doc(hidden)]
pub use self::reader::{Reader, Slip};
