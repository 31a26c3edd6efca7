//! F052: a key that no attribute knows is an error with the nearest one, and never ignored.
use tool_runtime::{Registry, tool, toolset};

/// Misspells a description.
#[tool(desciption = "x")]
fn misspelt() {}

/// Misspells two keys, and has one that is like no other.
#[tool(Effect = read, timout = "3s", colour = "red")]
fn three() {}

/// Misspells the keys of its parameter.
#[tool]
fn parameter(
    /// A
    #[arg(minium = 1, maxLength = 3, colour = "red")]
    a: u8,
) {
    let _ = a;
}

/// Misspells an annotation.
#[tool(annotations(openworld, cheap))]
fn annotated() {}

struct Service;

#[toolset(nam = "x")]
impl Service {
    /// Misspells a key on a method.
    #[tool(idempotnet)]
    fn method(&self) {}
}

fn main() {
    // What the tools would have made is there, so no second error follows.
    misspelt();
    three();
    parameter(1);
    annotated();
    Service.method();
    let _ = Registry::builder()
        .register::<misspelt>()
        .register::<three>()
        .register::<parameter>()
        .register::<annotated>()
        .register_all(Service)
        .build();
}
