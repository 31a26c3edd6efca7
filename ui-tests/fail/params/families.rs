//! A constraint beside one for another kind of type.
use tool_runtime::{Registry, tool};

/// A
#[tool]
fn mixed(
    /// A
    #[arg(minimum = 1, max_length = 3)]
    a: u8,
    /// B
    #[arg(pattern = "a", min_items = 3, multiple_of = 2)]
    b: String,
) {
    let _ = (a, b);
}

fn main() {
    mixed(1, String::new());
    let _ = Registry::builder().register::<mixed>().build();
}
