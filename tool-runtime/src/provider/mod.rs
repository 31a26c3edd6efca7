//! Providers: definitions, calls and results in the JSON that a model's interface speaks.
//!
//! Invariant: nothing here does HTTP. A host sends and receives the messages; this room writes the parts of them that
//! concern tools, and reads the calls out of an answer. The same definitions and results give the same bytes.

pub mod anthropic;
pub mod bedrock;
pub mod deepseek;
pub mod gemini;
pub mod mcp;
pub mod ollama;
pub mod openai;
pub mod prompt;

mod calls;
mod frame;
mod request;
mod responses;
mod stream;
mod text;
mod wire;

pub use self::request::{Request, ToolReport};
pub use self::stream::Stream;
pub use self::wire::WireError;

#[cfg(test)]
mod tests;
