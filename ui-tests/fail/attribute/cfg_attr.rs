//! `#[cfg_attr(…)]` is expanded after us, so an `arg` in it would be missed.
use tool_runtime::{tool, toolset};

/// A
#[tool]
fn parameter(
    /// A
    #[cfg_attr(all(), arg(minimum = 1))]
    a: u8,
    #[cfg_attr(all(), state)] b: &u8,
) {
    let _ = (a, b);
}

struct Service;

#[toolset]
impl Service {
    /// B
    #[cfg_attr(all(), tool)]
    fn method(&self) {}
}

fn main() {
    parameter(1, &2);
    Service.method();
}
