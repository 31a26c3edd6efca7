//! A library of tools that a program may forget to name.

use tool_runtime::tool;

/// Is linked if the crate is named.
#[tool]
pub fn linked() -> u8 {
    1
}

mod private {
    /// Is linked, though nothing outside can name it.
    #[tool_runtime::tool(handle = off)]
    fn private() -> u8 {
        2
    }
}

/// Stays in the test binary of this crate.
#[cfg(test)]
#[tool]
fn only_in_tests() -> u8 {
    3
}

#[test]
fn f143_tools_of_tests_are_there_in_tests() {
    let registry = tool_runtime::Registry::collect().expect("it is right");
    assert!(registry.definition("only_in_tests").is_some());
}
