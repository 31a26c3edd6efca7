//! Keys on parameters that are no arguments themselves.
use tool_runtime::{CallContext, Registry, State, tool};

/// A
#[tool]
fn injected(
    #[arg(minimum = 1)] a: State<u8>,
    #[arg(default = 1, secret)]
    #[state]
    b: &u16,
    #[arg(rename = "c")] c: &CallContext,
    #[state(x)] d: &u32,
    #[state] e: u64,
    #[state] f: &mut u64,
) {
    let _ = (a, b, c, d, e, f);
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    #[allow(dead_code)]
    page: u8,
}

/// B
#[tool]
fn flattened(
    #[arg(flatten, rename = "x", description = "y", minimum = 1)] a: Page,
    #[arg(flatten)] b: Page,
    #[arg(flatten)] c: &str,
    #[arg(flatten = true)] d: u8,
) {
    let _ = (a, b, c, d);
}

fn main() {
    let _ = (injected, flattened);
    let _ = Registry::builder().register::<injected>().register::<flattened>().build();
}
