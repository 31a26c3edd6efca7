//! What only the compiler knows of a `#[tool_type]`: its neighbours' shapes.
use std::collections::HashMap;

use tool_runtime::{Registry, tool, tool_type};

type Wide = u128;
type Pair = (u8, u8);

/// A
#[tool_type]
struct Refused {
    /// A
    a: Wide,
    /// B
    b: Pair,
    /// C
    c: HashMap<u8, String>,
    /// D
    d: Vec<Option<Pair>>,
}

/// B
#[tool_type]
struct Constrained {
    /// A
    #[arg(minimum = 1)]
    a: String,
    /// B
    #[arg(max_length = 1)]
    b: u8,
    /// C
    #[arg(maximum = 300)]
    c: u8,
    /// D
    #[arg(default = "x")]
    d: u8,
    /// E
    #[arg(unique_items)]
    e: Option<String>,
}

/// C
#[tool_type]
enum Choice {
    /// A
    A,
    /// B
    B {
        /// C
        c: u8,
    },
}

/// D
#[tool_type]
struct Page {
    /// A
    page: u8,
}

/// E
#[tool_type]
struct FlattenedEnum {
    /// A
    #[arg(flatten)]
    a: Choice,
}

/// F
#[tool_type]
struct FlattenedOption {
    /// A
    #[arg(flatten)]
    a: Option<Page>,
}

/// G
#[tool_type]
struct FlattenedTwice {
    /// A
    page: u8,
    /// B
    #[arg(flatten)]
    b: Page,
}

/// H
#[tool_type]
struct FlattenedNumber {
    /// A
    #[arg(flatten)]
    a: u8,
}

/// I
#[tool_type]
#[serde(untagged)]
enum Overlap {
    /// A
    A {
        /// A
        a: u8,
    },
    /// B
    B {
        /// A
        a: u8,
        /// B
        b: Option<u8>,
    },
}

/// J
#[tool_type]
#[serde(untagged)]
enum Numbers {
    /// A
    Float(f64),
    /// B
    Integer(u8),
}

/// K
#[tool_type]
#[serde(tag = "page")]
enum TaggedNewtype {
    /// A
    A(Page),
    /// B
    B(u8),
}

/// M
#[tool_type]
enum Tag {
    /// A
    A,
    /// B
    B,
}

/// N
#[tool]
fn flattened(
    #[arg(flatten)] a: Choice,
) {
    let _ = a;
}

/// O
#[tool]
fn collides(
    /// A
    page: u8,
    #[arg(flatten)] a: Page,
) {
    let _ = (page, a);
}

/// P
#[tool]
fn defaults(
    /// A
    #[arg(default = "C")]
    a: Tag,
    /// B
    #[arg(minimum = 1)]
    b: Tag,
    /// C
    #[arg(min_items = 1)]
    c: Page,
    /// D
    #[arg(example = 1)]
    d: Page,
) {
    let _ = (a, b, c, d);
}

/// Q
#[tool]
fn optional(#[arg(flatten)] a: Option<Page>) {
    let _ = a;
}

fn main() {
    let _ = (flattened, collides, defaults, optional);
    let _ = Registry::builder().register::<flattened>().register::<collides>().register::<defaults>().build();
}
