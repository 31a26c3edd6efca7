//! Tool definitions: what a model is told of a tool, and what the runtime knows of it besides.

#[expect(clippy::module_inception, reason = "the room's central type lives in a file of its name")]
mod definition;
mod effect;
mod fingerprint;
mod name;

pub(crate) use self::definition::{Facts, Form, MakeSchemas, SchemaSource, Schemas, Told, Words};
pub use self::definition::{Origin, ToolDefinition};
pub use self::effect::Effect;
pub use self::fingerprint::Fingerprint;
pub(crate) use self::name::RESULT_READ;
pub use self::name::{MAX_TOOL_NAME, NameError, PROJECTION_PREFIX, RESERVED_TOOL_NAMES, ToolName};
