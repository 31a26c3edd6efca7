//! F035, F036: names that providers refuse are errors at the literal.
use tool_runtime::{Registry, tool, toolset};

/// A
#[tool(name = "")]
fn empty() {}

/// B
#[tool(name = "bad name!")]
fn blank() {}

/// C
#[tool(name = "files/read")]
fn slash() {}

/// D
#[tool(name = "files.read")]
fn dot() {}

/// E
#[tool(name = "x23456789012345678901234567890123456789012345678901234567890123_65")]
fn long() {}

/// F
#[tool(name = "x23456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456_129")]
fn longer() {}

/// G
#[tool(name = "tool_search")]
fn reserved() {}

/// H
#[tool(name = "mcp__files__read")]
fn projected() {}

/// I
#[tool]
fn größe() {}

/// J
#[tool]
fn task_cancel() {}

/// K
#[tool]
fn x23456789012345678901234567890123456789012345678901234567890123_65() {}

struct Service;

#[toolset]
impl Service {
    /// L
    #[tool(name = "no good")]
    fn method(&self) {}
}

fn main() {
    empty();
    größe();
    task_cancel();
    let _ = Registry::builder().register::<größe>().register::<empty>().register_all(Service).build();
}
