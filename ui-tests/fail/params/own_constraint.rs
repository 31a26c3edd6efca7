//! Defaults and examples that break the constraint beside them.
use tool_runtime::{Registry, tool};

/// A
#[tool]
fn defaults(
    /// A
    #[arg(default = 0, minimum = 1)]
    a: u8,
    /// B
    #[arg(default = 11, maximum = 10)]
    b: u8,
    /// C
    #[arg(default = 0.5, exclusive_minimum = 0.5)]
    c: f64,
    /// D
    #[arg(example = 1, example = 5, exclusive_maximum = 5)]
    d: u8,
    /// E
    #[arg(default = 7, multiple_of = 5)]
    e: u8,
    /// F
    #[arg(default = "", min_length = 1)]
    f: String,
    /// G
    #[arg(example = "größer", max_length = 5)]
    g: String,
    /// H
    #[arg(example = "Ab1", pattern = "^[a-z]+$")]
    h: String,
    /// I
    #[arg(default = "2024-13-01", format = "date")]
    i: String,
    /// J: both bounds at once.
    #[arg(default = 0, example = 100, minimum = 1, maximum = 9)]
    j: u8,
    /// K: of these, 0.3 is a multiple.
    #[arg(default = 0.75, example = 0.3, example = 1, multiple_of = 0.3)]
    k: f64,
) {
    let _ = (a, b, c, d, e, f, g, h, i, j, k);
}

fn main() {
    let _ = (defaults, Registry::builder().register::<defaults>().build());
}
