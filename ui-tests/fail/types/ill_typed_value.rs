//! Defaults and examples that their types do not hold.
use tool_runtime::{Registry, tool};

const NAME: &str = "x";
const WIDE: u16 = 300;

/// A
#[tool]
fn literals(
    /// A
    #[arg(default = "1")]
    a: u8,
    /// B
    #[arg(default = 300)]
    b: u8,
    /// C
    #[arg(default = -1)]
    c: u64,
    /// D
    #[arg(default = 1.5)]
    d: i32,
    /// E
    #[arg(default = 1)]
    e: String,
    /// F
    #[arg(default = "true")]
    f: bool,
    /// G
    #[arg(example = true)]
    g: f64,
    /// H
    #[arg(example = "a")]
    h: Vec<String>,
    /// I
    #[arg(default = 1)]
    i: Option<String>,
    /// J
    #[arg(default = 1)]
    j: &str,
) {
    let _ = (a, b, c, d, e, f, g, h, i, j);
}

/// B: expressions are Rust, so the compiler's own errors say enough.
#[tool]
fn expressions(
    /// A
    #[arg(default = NAME)]
    a: u8,
    /// B
    #[arg(default = WIDE)]
    b: u8,
    /// C
    #[arg(example = vec![1])]
    c: Vec<String>,
    /// D
    #[arg(default = missing())]
    d: u8,
) {
    let _ = (a, b, c, d);
}

fn main() {
    let _ = (literals, expressions);
    let _ = Registry::builder().register::<literals>().register::<expressions>().build();
}
