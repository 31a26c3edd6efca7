//! Regular expressions that the runtime could not run.
use tool_runtime::{Registry, tool};

/// A
#[tool]
fn patterns(
    /// A
    #[arg(pattern = "(")]
    a: String,
    /// B
    #[arg(pattern = "^(?=.*[0-9]).+$")]
    b: String,
    /// C
    #[arg(pattern = r"(a)\1")]
    c: String,
    /// D
    #[arg(pattern = "[z-a]")]
    d: String,
    /// E
    #[arg(pattern = "*a")]
    e: String,
    /// F
    #[arg(pattern = "a{3,1}")]
    f: String,
    /// G
    #[arg(pattern = r"\p{Nonsense}")]
    g: String,
    /// H
    #[arg(pattern = "(?<!a)b")]
    h: String,
    /// I
    #[arg(pattern = r"\Aa\z")]
    i: String,
) {
    let _ = (a, b, c, d, e, f, g, h, i);
}

fn main() {
    let _ = (patterns, Registry::builder().register::<patterns>().build());
}
