//! F033: variadic functions.
use tool_runtime::{Registry, tool};

/// A
#[tool]
unsafe extern "C" fn variadic(
    /// A
    a: u8,
    ...
) {
    let _ = a;
}

fn main() {
    let _ = Registry::builder().register::<variadic>().build();
}
