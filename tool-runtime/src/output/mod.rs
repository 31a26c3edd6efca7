//! Results: content blocks for the model, and the checks between a tool's value and them.

mod card;
mod content;
mod entries;
mod fault;
mod json;
mod render;
mod result;
mod truncate;

pub use self::card::{CallRecord, Card, FileDiff, Hit, MAX_CARD_DATA, Presenter, RecordedResult, presenter};
pub use self::content::ContentBlock;
pub use self::json::OutputError;
pub(crate) use self::json::to_json;
pub use self::render::Render;
#[doc(hidden)]
pub use self::render::{Parts, Rendered, Shown, ShownParts, ShownRender};
pub use self::result::{CallOutput, ToolResult};
pub use self::truncate::truncate;

#[cfg(test)]
mod tests;
