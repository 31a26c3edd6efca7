//! Collecting every tool of the program.

use expect_test::expect;
use tool_runtime::registry::RegistryBuilder;
use tool_runtime::{Registry, ToolDefinition, tool};

use crate::dispatch::{Counts, Shared};
use crate::registry::{Config, Database};

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
}

/// The state of every tool in this binary.
pub(crate) fn with_all_state(builder: RegistryBuilder) -> RegistryBuilder {
    builder
        .state(Database)
        .state(Config)
        .state(Counts::default())
        .state(Shared::default())
        .state(crate::pipeline::Ran::default())
        .state(crate::pipeline_schedules::Alive::default())
        .state(crate::pipeline_clocks::Holding::default())
        .state(crate::unloads::Bodies::default())
        .state(crate::unloads::Door::default())
        .state(1_u8)
        .state(2_u32)
        .expect_crate("tests")
}

fn collect() -> Registry {
    with_all_state(Registry::builder()).collect().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn f141_collecting_finds_the_tools_of_every_module_sorted_by_name() {
    let view = collect().definitions();
    let names: Vec<&str> = view.iter().map(ToolDefinition::name).collect();
    assert!(names.is_sorted() && names.len() > 90, "{names:?}");
    for name in
        ["is_collected", "is_collected_in_tests", "is_collected_without_handle", "match", "inside_a_function"]
    {
        assert!(names.contains(&name), "{name}");
    }
    for gone in ["gone_altogether", "gone_altogether_too", "greet", "stub"] {
        assert!(!names.contains(&gone), "{gone}");
    }
    assert_eq!(elsewhere::is_collected_without_handle(), 1);
}

#[test]
fn f127_what_is_listed_can_be_called() {
    let registry = collect();
    for definition in &registry.definitions() {
        let result = crate::support::run(&registry, definition.name(), "[]");
        assert_eq!(result.code(), Some(tool_runtime::error::ErrorCode::InvalidArgs), "{}", definition.name());
    }
}

#[test]
fn schemas_and_types_of_every_tool_agree() {
    tool_runtime::testing::check_all();
}

#[test]
fn a_collected_tool_that_is_registered_by_hand_as_well_is_there_twice() {
    let error = with_all_state(Registry::builder()).register::<is_collected>().collect().expect_err("twice");
    let place = <is_collected as tool_runtime::ToolHandle>::SPEC.location();
    expect![[r#"
        the registry cannot be built:
        - tool `is_collected` (the place) is registered twice; `collect` finds it without `register`"#]]
    .assert_eq(&error.to_string().replace(&place.to_string(), "the place"));
}
