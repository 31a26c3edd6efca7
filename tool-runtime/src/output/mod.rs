//! Results: content blocks for the model, and the checks between a tool's value and them.

mod content;
#[allow(dead_code, reason = "for the pipeline, which is written beside this")]
mod fault;
#[allow(dead_code, reason = "for the pipeline, which is written beside this")]
mod json;
mod result;

pub use self::content::ContentBlock;
#[allow(unused_imports, reason = "for the pipeline, which is written beside this")]
pub(crate) use self::json::{OutputError, to_json};
pub use self::result::ToolResult;

#[cfg(test)]
mod tests;
