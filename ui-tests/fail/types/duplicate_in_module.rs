//! N3, F037: two tools of one name in one module.
use tool_runtime::tool;

/// A
#[tool(name = "read")]
fn read_one() {}

/// B
#[tool(name = "read")]
fn read_two() {}

/// C
#[tool(name = "get-time")]
fn get_time() {}

/// D
#[tool(name = "get-time")]
fn time() {}

/// E
#[tool]
fn write() {}

/// F
#[tool(name = "write")]
fn write_file() {}

fn main() {}
