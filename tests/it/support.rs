//! What several areas need.

use expect_test::Expect;
use tool_runtime::{Registry, ToolCall, ToolDefinition, ToolHandle, ToolResult};

/// Runs a future to its end.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

/// A registry of one tool.
pub(crate) fn only<T: ToolHandle>() -> Registry {
    Registry::builder().repair(false).register::<T>().build().unwrap_or_else(|error| panic!("{error}"))
}

/// Calls the one tool of a registry.
pub(crate) fn call<T: ToolHandle>(arguments: &str) -> ToolResult {
    run(&only::<T>(), T::SPEC.name(), arguments)
}

/// Calls a tool of a registry.
pub(crate) fn run(registry: &Registry, name: &str, arguments: &str) -> ToolResult {
    block_on(registry.call(ToolCall::new("call_1", name, arguments)))
}

/// The text of a successful call.
#[track_caller]
pub(crate) fn text<T: ToolHandle>(arguments: &str) -> String {
    let result = call::<T>(arguments);
    assert!(!result.is_error(), "{}", result.text());
    result.text()
}

/// The code and the text of a failed call.
#[track_caller]
pub(crate) fn failure(result: &ToolResult) -> String {
    let code = result.code().unwrap_or_else(|| panic!("no failure: {}", result.text()));
    format!("{code}\n{}", result.text())
}

/// Compares the code and the text of a failed call.
#[track_caller]
pub(crate) fn fails<T: ToolHandle>(arguments: &str, expected: Expect) {
    expected.assert_eq(&failure(&call::<T>(arguments)));
}

/// A tool's definition.
pub(crate) fn with_definition<T: ToolHandle, R>(look: impl FnOnce(&ToolDefinition) -> R) -> R {
    let registry = only::<T>();
    look(&registry.definition(T::SPEC.name()).expect("registered"))
}

/// The text of a tool's input schema.
pub(crate) fn input<T: ToolHandle>() -> String {
    with_definition::<T, _>(|definition| definition.input_schema().text().to_owned())
}

/// The text of a tool's output schema.
pub(crate) fn output<T: ToolHandle>() -> Option<String> {
    with_definition::<T, _>(|definition| definition.output_schema().map(|schema| schema.text().to_owned()))
}
