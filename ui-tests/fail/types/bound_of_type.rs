//! Bounds outside of what the type holds.
use tool_runtime::{Registry, tool};

type Small = u8;

/// A
#[tool]
fn bounds(
    /// A
    #[arg(minimum = -1)]
    a: u8,
    /// B
    #[arg(maximum = 256)]
    b: Small,
    /// C
    #[arg(exclusive_minimum = 127)]
    c: i8,
    /// D
    #[arg(exclusive_maximum = 0)]
    d: u64,
    /// E
    #[arg(maximum = 18446744073709551616)]
    e: Option<u64>,
    /// F: no integer lies between.
    #[arg(exclusive_minimum = 3, exclusive_maximum = 4)]
    f: i32,
    /// G: fractions of whole numbers.
    #[arg(minimum = 0.5)]
    g: u8,
    /// H
    #[arg(multiple_of = 0.5)]
    h: u8,
) {
    let _ = (a, b, c, d, e, f, g, h);
}

fn main() {
    let _ = (bounds, Registry::builder().register::<bounds>().build());
}
