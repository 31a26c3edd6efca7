//! A field whose type serde does not know: our error comes first, those of serde's derives follow.
use tool_runtime::tool_type;

struct Plain;

/// A
#[tool_type]
struct WithPlain {
    /// A
    a: Plain,
}

fn main() {
    let _ = WithPlain { a: Plain }.a;
}
