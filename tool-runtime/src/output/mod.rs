//! Results: content blocks for the model, and the checks between a tool's value and them.

mod cap;
mod card;
mod content;
mod entries;
mod fault;
mod json;
mod kept;
mod render;
mod result;
mod truncate;

pub(crate) use self::cap::{Limits as ContentLimits, capped};
pub use self::card::{CallRecord, Card, FileDiff, Hit, MAX_CARD_DATA, Presenter, RecordedResult, presenter};
pub use self::content::ContentBlock;
pub use self::json::OutputError;
pub(crate) use self::json::to_json;
pub use self::kept::{ContentStore, DirectoryContents, MemoryContents};
pub use self::render::Render;
#[doc(hidden)]
pub use self::render::{Parts, Rendered, Shown, ShownParts, ShownRender};
pub use self::result::{CallOutput, ToolResult};
pub use self::truncate::truncate;

#[cfg(test)]
mod tests;
