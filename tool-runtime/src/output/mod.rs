//! Results: content blocks for the model, and the checks between a tool's value and them.

mod content;
#[allow(dead_code, reason = "for the pipeline, which is written beside this")]
mod fault;
#[allow(dead_code, reason = "for the pipeline, which is written beside this")]
mod json;
mod render;
mod result;
mod truncate;

pub use self::content::ContentBlock;
#[allow(unused_imports, reason = "for the pipeline, which is written beside this")]
pub(crate) use self::json::{OutputError, to_json};
pub use self::render::Render;
#[doc(hidden)]
pub use self::render::{Parts, Rendered, Shown, ShownParts, ShownRender};
pub use self::result::ToolResult;
pub use self::truncate::truncate;

#[cfg(test)]
mod tests;
