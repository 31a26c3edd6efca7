//! F050: what the compiler finds in the types is told beside what the macro finds, but for parameters that are not in
//! order themselves.
use tool_runtime::{Registry, tool, toolset};

type Pair = (u8, u8);

#[tool(timeot = "3s")]
fn several(
    undocumented: u8,
    #[arg(maximum = 300)] a: u8,
    #[arg(default = "x")] b: bool,
    #[arg(min_length = 3)] c: Vec<u8>,
    d: Pair,
    #[arg(maximum = 300, minimum = 400)] in_no_order: u8,
    #[arg(maximum = 300, minimun = 4)] not_understood: u8,
) {
    let _ = (undocumented, a, b, c, d, in_no_order, not_understood);
}

/// The types of a generic function say nothing.
#[tool(docs(optional))]
fn generic<T>(#[arg(maximum = 300)] a: u8, #[arg(maximum = 300)] b: T) {
    let _ = (a, b);
}

/// A type that is not there, or is no argument, is told when the macro has no mistakes left to tell.
#[tool(docs(optional), timeot = "3s")]
fn other_types(a: Missing, b: NoArgument) {
    let _ = (a, b);
}

struct NoArgument;

struct Set;

#[toolset]
impl Set {
    /// Is right but for its key.
    #[tool(docs(optional), timeot = "3s")]
    fn method(&self, #[arg(maximum = 300)] a: u8) {
        let _ = a;
    }
}

fn main() {
    let _ = (several, generic::<u8>, other_types, Registry::builder().register_all(Set).build());
}
