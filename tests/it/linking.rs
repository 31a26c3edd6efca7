//! Collecting every tool of the program.

use expect_test::expect;
use tool_runtime::{Registry, tool};

/// Is collected.
#[tool]
fn is_collected() -> u8 {
    1
}

/// Is collected as long as this is a test.
#[cfg(test)]
#[tool]
fn is_collected_in_tests() -> u8 {
    1
}

mod elsewhere {
    /// Is collected from a module, without a handle.
    #[tool_runtime::tool(handle = off)]
    pub(super) fn is_collected_without_handle() -> u8 {
        1
    }
}

fn build(crates: &[&str]) -> Result<Registry, String> {
    let builder = Registry::builder().register::<is_collected>();
    let builder = crates.iter().fold(builder, |builder, name| builder.expect_crate(*name));
    builder.build().map_err(|error| error.to_string())
}

#[test]
fn f140_crates_that_brought_no_tool_are_named() {
    build(&["tests"]).expect("this crate has tools");
    expect![[r#"
        the registry cannot be built:
        - no tool of crate `my-tools` is linked; name the crate somewhere, for example by `use my_tools as _;`"#]].assert_eq(&build(&["my-tools", "tests"]).map(|_| ()).expect_err("not linked"));
    expect![[r#"
        the registry cannot be built, for 2 reasons:
        - no tool of crate `my_tools` is linked; name the crate somewhere, for example by `use my_tools as _;`
        - no tool of crate `test` is linked; name the crate somewhere, for example by `use test as _;` (did you mean `tests`?)"#]].assert_eq(&build(&["test", "my_tools"]).map(|_| ()).expect_err("not linked"));
    expect![[r#"
        the registry cannot be built:
        - no tool of crate `` is linked; name the crate somewhere, for example by `use  as _;`"#]]
    .assert_eq(&build(&[""]).map(|_| ()).expect_err("not linked"));
}
