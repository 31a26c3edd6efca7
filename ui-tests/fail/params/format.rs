//! Formats that the runtime does not check.
use tool_runtime::{Registry, tool};

/// A
#[tool]
fn formats(
    /// A
    #[arg(format = "datetime")]
    a: String,
    /// B
    #[arg(format = "ip")]
    b: String,
    /// C
    #[arg(format = "phone")]
    c: String,
    /// D
    #[arg(format = "")]
    d: String,
    /// E
    #[arg(format = "uint64")]
    e: String,
) {
    let _ = (a, b, c, d, e);
}

fn main() {
    let _ = (formats, Registry::builder().register::<formats>().build());
}
