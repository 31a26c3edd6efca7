//! Tool definitions: what a model is told of a tool, and what the runtime knows of it besides.

mod effect;
mod name;
mod stub;

pub use self::effect::Effect;
pub use self::name::{MAX_TOOL_NAME, NameError, PROJECTION_PREFIX, RESERVED_TOOL_NAMES, ToolName};
pub use self::stub::{Schema, ToolDefinition};
