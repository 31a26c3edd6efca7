//! F050: all mistakes of a tool are reported in one build.
use tool_runtime::{Registry, tool};

#[tool(name = "bad name!", timeot = "3s")]
const unsafe fn everything<'a, T>(
    undocumented: &'a str,
    /// B
    #[arg(minimum = 5, maximum = 1)]
    b: u8,
    /// C
    (c, d): (u8, u8),
) -> &'a str {
    let _ = (undocumented, b, c, d);
    ""
}

/// Is right.
#[tool]
fn right() {}

fn main() {
    right();
    let _ = Registry::builder().register::<everything>().register::<right>().build();
}
