//! The handle of a tool is a type of its name, so a primitive type's name is taken.
use tool_runtime::tool;

/// A
#[tool]
fn str() {}

/// B
#[tool]
fn u8() {}

/// C
#[tool(handle = f64)]
fn float() {}

fn main() {
    str();
    u8();
    float();
}
