//! What other libraries write gets a message with our spelling.
use tool_runtime::{Registry, tool};

/// As in others.
#[tool(desc = "x")]
fn desc() {}

#[tool(description("Adds."))]
fn list() {}

#[tool("Adds.")]
fn bare() {}

/// As in MCP.
#[tool(read_only_hint = true, idempotent_hint, annotations(readOnlyHint = true))]
fn hints() {}

/// As in rig.
#[tool(params(a = "The first."), required(a))]
fn rig(
    /// A
    a: u8,
) {
    let _ = a;
}

/// As in validator, schemars and serde.
#[tool]
fn validator(
    /// A
    #[arg(min = 1, max = 3)]
    a: u8,
    /// B
    #[arg(range(min = 1), length(max = 3))]
    b: u8,
    /// C
    #[arg(regex = "a", alias = "x", examples = ["a"])]
    c: String,
    /// D
    #[arg(optional)]
    d: u8,
) {
    let _ = (a, b, c, d);
}

fn main() {
    desc();
    list();
    bare();
    hints();
    rig(1);
    validator(1, 1, String::new(), 1);
    let _ = Registry::builder()
        .register::<desc>()
        .register::<list>()
        .register::<bare>()
        .register::<hints>()
        .register::<rig>()
        .register::<validator>()
        .build();
}
