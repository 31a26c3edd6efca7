//! Results: content blocks for the model, and the checks between a tool's value and them.

mod content;
mod result;

pub use self::content::ContentBlock;
pub use self::result::ToolResult;
