//! A key is given once.
use tool_runtime::{Registry, tool, toolset};

#[tool(
    description = "One.",
    effect = read,
    description = "Two.",
    effect = write,
    idempotent,
    idempotent
)]
fn keys() {}

/// Repeats keys of a parameter.
#[tool]
fn parameter(
    /// A
    #[arg(minimum = 1, default = 2, minimum = 2, default = 3)]
    #[arg(rename = "b")]
    #[arg(rename = "c", secret, secret)]
    a: u8,
) {
    let _ = a;
}

/// Repeats an annotation.
#[tool(annotations(open_world, open_world = false))]
fn annotated() {}

struct Service;

#[toolset]
impl Service {
    /// Is a tool twice.
    #[tool]
    #[tool(effect = read)]
    fn method(&self) {}
}

/// Is a tool twice.
#[tool]
#[tool]
fn twice() {}

/// Is injected twice.
#[tool]
fn injected(
    #[state]
    #[context]
    a: &u8,
) {
    let _ = a;
}

fn main() {
    keys();
    parameter(1);
    annotated();
    Service.method();
    twice();
    injected(&1);
    let _ = Registry::builder()
        .register::<keys>()
        .register::<parameter>()
        .register::<annotated>()
        .register::<twice>()
        .register::<injected>()
        .register_all(Service)
        .build();
}
