//! What several areas need.

use expect_test::Expect;
use tool_runtime::{
    DynamicTool, Effect, Registry, Scope, Step, Tool, ToolCall, ToolDefinition, ToolHandle, ToolResult, View,
};

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

/// A tool made at run time that answers a number.
pub(crate) fn dynamic(name: &str, answer: i64) -> Tool {
    DynamicTool::new(name, format!("Answers {answer}."))
        .and_then(|tool| {
            tool.effect(Effect::Read).typed(move |(): ()| async move { Ok::<_, String>(answer) })
        })
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The names of a listing.
pub(crate) fn names(view: &View) -> String {
    view.iter().map(ToolDefinition::name).collect::<Vec<_>>().join(" ")
}

/// What a call of a tool without arguments ends with.
pub(crate) fn said(scope: &Scope, name: &str) -> String {
    block_on(scope.call(ToolCall::new("call_1", name, "{}"))).text()
}

/// The same for a call of a step.
pub(crate) fn said_in(step: &Step, name: &str) -> String {
    block_on(step.call(ToolCall::new("call_1", name, "{}"))).text()
}
