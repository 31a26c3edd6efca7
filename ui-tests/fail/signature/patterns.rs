//! F030: a parameter needs a name that a model can read.
use tool_runtime::{Registry, tool};

struct Point {
    x: u8,
    y: u8,
}

struct Parameters<T>(T);

/// A
#[tool]
fn patterns(
    /// A
    Point { x, y }: Point,
    /// B
    (a, b): (u8, u8),
    /// C
    [c, d]: [u8; 2],
    /// D
    e @ _: u8,
    /// E
    ref f: u8,
    /// F
    &g: &u8,
    /// G
    Parameters(h): Parameters<Point>,
) {
    let _ = (x, y, a, b, c, d, e, f, g, h.x);
}

fn main() {
    patterns(Point { x: 1, y: 2 }, (1, 2), [1, 2], 1, 1, &1, Parameters(Point { x: 1, y: 2 }));
    let _ = Registry::builder().register::<patterns>().build();
}
