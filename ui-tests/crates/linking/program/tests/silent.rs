//! A program that depends on a library of tools and never names it: the linker leaves it out, and the check says so.

use tool_runtime::Registry;

#[test]
fn f140_a_crate_that_nothing_names_is_missed() {
    let registry = Registry::collect().expect("it is right");
    assert_eq!(registry.definitions().len(), 0);
    let error = Registry::builder().expect_crate("some-tools").collect().expect_err("it is not linked");
    assert!(error.to_string().contains("use some_tools as _;"), "{error}");
}
