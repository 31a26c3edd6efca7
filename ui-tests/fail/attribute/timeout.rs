//! A timeout is a whole number and a unit.
use tool_runtime::tool;

/// A
#[tool(timeout = "30")]
fn no_unit() {}

/// B
#[tool(timeout = "30 s")]
fn space() {}

/// C
#[tool(timeout = "0s")]
fn nothing() {}

/// D
#[tool(timeout = "soon")]
fn word() {}

/// E
#[tool(timeout = "-5s")]
fn negative() {}

/// F
#[tool(timeout = "99999999999999999h")]
fn too_long() {}

/// G
#[tool(timeout = 30)]
fn number() {}

/// H
#[tool(timeout = "1.5s")]
fn fraction() {}

fn main() {
    let _ = (no_unit, space, nothing, word, negative, too_long, number, fraction);
}
