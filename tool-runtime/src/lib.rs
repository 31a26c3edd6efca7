//! Typed Rust functions as tools for language models.
#![cfg_attr(docsrs, feature(doc_cfg))]

// Expansions inside this crate name it like everybody else does.
extern crate self as tool_runtime;

pub mod arguments;
pub mod definition;
pub mod error;
pub mod execution;
pub mod output;
pub mod provider;
pub mod registry;
pub mod schema;
pub(crate) mod task;
pub mod tool;
pub mod value;

#[doc(hidden)]
pub mod __private;

#[doc(inline)]
pub use self::arguments::ToolCall;
#[doc(inline)]
pub use self::definition::{Effect, ToolDefinition, ToolName};
#[doc(inline)]
pub use self::error::ToolError;
#[doc(inline)]
pub use self::output::{ContentBlock, ToolResult};
#[doc(inline)]
pub use self::registry::Registry;
#[doc(inline)]
pub use self::tool::{CallContext, State, ToolHandle, Toolset};

pub use tool_macros::{Render, tool, tool_type, toolset};
