//! Ranges that no value fits, and bounds given twice.
use tool_runtime::{Registry, tool};

/// A
#[tool]
fn ranges(
    /// A
    #[arg(minimum = 5, maximum = 1)]
    a: u8,
    /// B
    #[arg(minimum = 5, exclusive_maximum = 5)]
    b: i64,
    /// C
    #[arg(exclusive_minimum = -1, maximum = -1)]
    c: i64,
    /// D
    #[arg(exclusive_minimum = 1.5, exclusive_maximum = 1.5)]
    d: f64,
    /// E
    #[arg(min_length = 3, max_length = 2)]
    e: String,
    /// F
    #[arg(min_items = 3, max_items = 2)]
    f: Vec<u8>,
    /// G
    #[arg(minimum = 1, exclusive_minimum = 0)]
    g: u8,
    /// H
    #[arg(maximum = 1, exclusive_maximum = 2)]
    h: u8,
    /// I
    #[arg(multiple_of = 0)]
    i: u8,
    /// J
    #[arg(multiple_of = -2)]
    j: i8,
    /// K: between two neighbouring integers lie fractions; whether they count, the type tells.
    #[arg(exclusive_minimum = 3, exclusive_maximum = 4)]
    k: f64,
    /// L: no multiple within.
    #[arg(minimum = 1, maximum = 9, multiple_of = 10)]
    l: i8,
    /// M
    #[arg(minimum = 0.1, maximum = 0.4, multiple_of = 0.5)]
    m: f64,
    /// N
    #[arg(exclusive_minimum = 0, exclusive_maximum = 0.5, multiple_of = 0.5)]
    n: f64,
    /// O: has one.
    #[arg(minimum = -0.4, maximum = 0.4, multiple_of = 0.5)]
    o: f64,
) {
    let _ = (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
}

fn main() {
    let _ = (ranges, Registry::builder().register::<ranges>().build());
}
