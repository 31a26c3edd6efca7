//! What several areas need.

use tool_runtime::{Registry, ToolCall, ToolHandle, ToolResult};

/// Runs a future to its end.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

/// A registry of one tool.
pub(crate) fn only<T: ToolHandle>() -> Registry {
    Registry::builder().register::<T>().build().unwrap_or_else(|error| panic!("{error}"))
}

/// Calls the one tool of a registry.
pub(crate) fn call<T: ToolHandle>(arguments: &str) -> ToolResult {
    block_on(only::<T>().call(ToolCall::new("call_1", T::SPEC.name(), arguments)))
}

/// The text of a call's result.
pub(crate) fn text<T: ToolHandle>(arguments: &str) -> String {
    call::<T>(arguments).text()
}

/// The text of a tool's input schema.
pub(crate) fn input<T: ToolHandle>() -> String {
    let registry = only::<T>();
    registry.definition(T::SPEC.name()).expect("registered").input_schema().text().to_owned()
}
