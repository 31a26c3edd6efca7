//! `crate = …` is an absolute path, or one that begins with `crate`.
use tool_runtime::{tool, toolset};

/// A
#[tool(crate = "::tool_runtime")]
fn text() {}

/// B
#[tool(crate = tool_runtime)]
fn relative() {}

/// C
#[tool(crate)]
fn nothing() {}

/// D
#[tool(crate = self::sdk)]
fn from_self() {}

struct Service;

#[toolset(crate = tool_runtime)]
impl Service {
    /// E
    #[tool]
    fn method(&self) {}
}

fn main() {
    let _ = (text, relative, nothing, from_self);
    Service.method();
}
