//! Arguments: from the text that a model sent to what a tool takes.

mod call;

pub use self::call::ToolCall;
