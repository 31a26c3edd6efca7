//! F029: borrows that a call cannot lend.
use std::borrow::Cow;

use tool_runtime::{Registry, tool};

struct Borrowing<'a>(&'a str);

/// A
#[tool]
fn borrows(
    /// A
    a: &'static str,
    /// B
    b: &mut String,
    /// C
    c: Vec<&str>,
    /// D
    d: Borrowing<'_>,
    /// E
    e: Option<&'static str>,
    /// F
    f: &&str,
    /// G
    g: Option<Vec<&u8>>,
    /// H
    h: &mut [u8],
    /// I
    i: Cow<'static, str>,
) {
    let _ = (a, b, c, d.0, e, f, g, h, i);
}

fn main() {
    let _ = borrows;
    let _ = Registry::builder().register::<borrows>().build();
}
