//! Values that a constraint does not take.
use tool_runtime::{Registry, tool};

const LIMIT: u8 = 3;

/// A
#[tool]
fn values(
    /// A
    #[arg(minimum = "1")]
    a: u8,
    /// B
    #[arg(maximum = LIMIT)]
    b: u8,
    /// C
    #[arg(min_length = -1)]
    c: String,
    /// D
    #[arg(max_length = 1.5)]
    d: String,
    /// E
    #[arg(max_length = 99999999999)]
    e: String,
    /// F
    #[arg(pattern = 5)]
    f: String,
    /// G
    #[arg(unique_items = true)]
    g: Vec<u8>,
    /// H
    #[arg(minimum)]
    h: u8,
    /// I
    #[arg(minimum(1))]
    i: u8,
    /// J
    #[arg(format = date)]
    j: String,
    /// K
    #[arg(rename = k)]
    k: u8,
    /// L
    #[arg]
    l: u8,
    /// M
    #[arg = 1]
    m: u8,
    /// N
    #[arg(secret = true)]
    n: u8,
    /// O
    #[arg(default)]
    o: u8,
    /// P
    #[arg(minimum = 1 maximum = 2)]
    p: u8,
    /// Q
    #[arg(minimum = 1e999)]
    q: f64,
    /// R
    #[arg()]
    r: u8,
) {
    let _ = (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, LIMIT);
}

fn main() {
    let _ = (values, Registry::builder().register::<values>().build());
}
