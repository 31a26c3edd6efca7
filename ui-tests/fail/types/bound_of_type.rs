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
    /// F: an exclusive bound beside the first and the last value takes nothing away.
    #[arg(exclusive_minimum = -1, exclusive_maximum = 256)]
    f: u8,
    /// G: no integer lies between, but fractions do.
    #[arg(exclusive_minimum = 3, exclusive_maximum = 4)]
    g: i32,
    /// H
    #[arg(exclusive_minimum = 3, exclusive_maximum = 4)]
    h: f32,
) {
    let _ = (a, b, c, d, e, f, g, h);
}

fn main() {
    let _ = (bounds, Registry::builder().register::<bounds>().build());
}
