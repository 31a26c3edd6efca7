//! Typed Rust functions as tools for language models.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod arguments;
pub mod definition;
pub mod error;
pub mod output;
pub mod provider;

#[doc(inline)]
pub use self::arguments::ToolCall;
#[doc(inline)]
pub use self::definition::{Effect, ToolName};
#[doc(inline)]
pub use self::error::ToolError;
#[doc(inline)]
pub use self::output::{ContentBlock, ToolResult};
