//! F030, F035: argument names that would be refused by a provider, or say nothing to a model.
use tool_runtime::{Registry, tool};

/// A
#[tool]
fn names(
    /// A
    straße: String,
    /// B
    _b: u8,
    /// C
    _: u8,
    /// D
    #[arg(rename = "")]
    d: u8,
    /// E
    #[arg(rename = "has space")]
    e: u8,
    /// F
    #[arg(rename = "1st")]
    f: u8,
    /// G
    #[arg(rename = "größe")]
    g: u8,
    /// H
    #[arg(rename = "x23456789012345678901234567890123456789012345678901234567890123_65")]
    h: u8,
    /// I
    #[arg(rename = "-flag")]
    i: u8,
    /// J
    x23456789012345678901234567890123456789012345678901234567890123_65: u8,
) {
    let _ = (straße, d, e, f, g, h, i, x23456789012345678901234567890123456789012345678901234567890123_65);
}

fn main() {
    names(String::new(), 1, 1, 1, 1, 1, 1, 1, 1, 1);
    let _ = Registry::builder().register::<names>().build();
}
