//! At most 24 parameters, the injected ones included.
use tool_runtime::{Registry, tool};

/// A
#[tool(docs(optional))]
fn many(
    a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8, m: u8, n: u8, o: u8, p: u8, q: u8,
    r: u8, s: u8, t: u8, u: u8, v: u8, w: u8, x: u8, y: u8,
) {
    let _ = (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y);
}

fn main() {
    let _ = Registry::builder().register::<many>().build();
}
