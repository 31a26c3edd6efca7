//! A program that depends on a library of tools and names it: `use … as _;` is enough.

use some_tools as _;
use tool_runtime::Registry;

/// Is the program's own.
#[tool_runtime::tool]
fn own() -> u8 {
    1
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::builder().expect_crate("some-tools").expect_crate("program").collect()?;
    let names: Vec<String> = registry.definitions().iter().map(|definition| definition.name().to_string()).collect();
    // F143: `only_in_tests` is not among them.
    if names == ["linked", "own", "private"] { Ok(()) } else { Err(format!("{names:?}").into()) }
}
