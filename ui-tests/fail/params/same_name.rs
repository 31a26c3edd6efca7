//! Two arguments of one name after renaming.
use tool_runtime::{Registry, tool};

/// A
#[tool]
fn same(
    /// A
    a: u8,
    /// B
    #[arg(rename = "a")]
    b: u8,
    /// C
    #[arg(rename = "x")]
    c: u8,
    /// D
    #[arg(rename = "x")]
    d: u8,
    /// E
    r#type: u8,
    /// F
    #[arg(rename = "type")]
    f: u8,
) {
    let _ = (a, b, c, d, r#type, f);
}

fn main() {
    same(1, 2, 3, 4, 5, 6);
    let _ = Registry::builder().register::<same>().build();
}
