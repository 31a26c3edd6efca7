//! F005: nothing of the expansion can be named from the user's code.
use tool_runtime::tool;

/// A
#[tool]
fn names(
    /// A
    #[arg(default = __tool_0)]
    a: u8,
    /// B
    #[arg(default = __tool_request)]
    b: u8,
) {
    let _ = (a, b, __tool_1, __TOOL);
}

fn main() {
    let _ = names;
}
