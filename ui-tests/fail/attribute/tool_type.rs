//! What the tokens of a `#[tool_type]` show.
use tool_runtime::{Registry, tool, tool_type};

/// A
#[tool_type]
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Derives {
    /// A
    a: u8,
}

/// B
#[tool_type(nam = "x", docs(required))]
struct Keys {
    /// A
    a: u8,
}

/// C
#[tool_type]
struct Borrows<'a> {
    /// A
    a: &'a str,
}

/// D
#[tool_type]
struct Foreign {
    /// A
    #[schemars(range(min = 1, max = 3))]
    a: u8,
    /// B
    #[serde(alias = "c")]
    b: u8,
    /// C
    #[schemars(length(max = 3))]
    c: String,
    /// D
    #[validate(length(max = 3))]
    d: String,
    /// E
    #[serde(renam = "x")]
    e: u8,
}

/// E
#[tool_type]
struct Pair(u8, u8);

/// F
#[tool_type]
struct Unit;

/// G
#[tool_type]
enum Empty {}

/// H
#[tool_type]
enum Shapes {
    /// A
    Circle(u8, u8),
    /// B
    Square(),
}

/// I
#[tool_type]
struct Names {
    /// A
    größe: u8,
    /// B
    _b: u8,
    /// C
    #[arg(rename = "has space")]
    c: u8,
    /// D
    d: u8,
    /// E
    #[arg(rename = "d")]
    e: u8,
}

/// J
#[tool_type]
#[serde(rename_all = "camel")]
struct Cases {
    /// A
    a: u8,
}

/// K
#[tool_type]
#[serde(tag = "type", content = "type")]
enum SameName {
    /// A
    A {
        /// A
        a: u8,
    },
}

/// L
#[tool_type]
#[serde(tag = "kind")]
enum Tagged {
    /// A
    A {
        /// A
        kind: u8,
    },
}

/// M
#[tool_type]
enum SameVariant {
    /// A
    A,
    /// B
    #[serde(rename = "A")]
    B,
}

/// N
#[tool_type]
struct Twice {
    /// A
    #[arg(rename = "b", default = 1)]
    #[serde(rename = "c", default)]
    a: u8,
}

/// O
#[tool_type]
#[arg(minimum = 1)]
struct Misplaced {
    /// A
    a: u8,
}

/// P
#[tool_type]
struct Conditional {
    /// A
    #[cfg_attr(all(), arg(minimum = 1))]
    a: u8,
    /// B
    #[cfg_attr(all(), serde(rename = "c"))]
    b: u8,
}

/// Q
#[tool_type]
struct Constrained {
    /// A
    #[arg(minimum = 5, maximum = 1)]
    a: u8,
    /// B
    #[arg(pattern = "(", format = "phone")]
    b: String,
    /// C
    #[arg(default = 0, minimum = 1)]
    c: u8,
}

/// R
#[tool_type]
#[serde(untagged, tag = "type")]
enum Both {
    /// A
    A,
}

/// S
#[tool_type]
#[serde(untagged)]
struct NoEnum {
    /// A
    a: u8,
}

/// Uses them all the same.
#[tool(docs(optional))]
fn uses(a: Derives, b: Keys, c: Foreign, d: Names, e: Constrained, f: Shapes, g: Twice) {
    let _ = (a.a, b.a, c.a, d.c, e.b, g.a);
    match f {
        Shapes::Circle(..) | Shapes::Square() => {}
    }
}

fn main() {
    let _ = (uses, Pair(1, 2), Unit, Borrows { a: "" }.a);
    let _ = Registry::builder().register::<uses>().build();
}
