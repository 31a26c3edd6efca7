//! What must compile without a word, and what it then does. A file is a module, since a binary each would be a link
//! each; a function is a case.
#![deny(warnings)]

#[path = "../pass/attributes.rs"]
mod attributes;
#[path = "../pass/borrowed.rs"]
mod borrowed;
#[path = "../pass/descriptions.rs"]
mod descriptions;
#[path = "../pass/futures.rs"]
mod futures;
#[path = "../pass/hygiene.rs"]
mod hygiene;
#[path = "../pass/macros.rs"]
mod macros;
#[path = "../pass/outputs.rs"]
mod outputs;
#[path = "../pass/places.rs"]
mod places;
#[path = "../pass/signatures.rs"]
mod signatures;
#[path = "../pass/toolsets.rs"]
mod toolsets;
#[path = "../pass/types.rs"]
mod types;

use tool_runtime::{Registry, ToolCall, ToolHandle, ToolResult};

/// Runs a future to its end.
fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

/// Calls the one tool of a registry.
fn call<T: ToolHandle>(arguments: &str) -> ToolResult {
    let registry = Registry::builder().register::<T>().build().unwrap_or_else(|error| panic!("{error}"));
    registry.verify().unwrap_or_else(|error| panic!("{error}"));
    block_on(registry.call(ToolCall::new("call_1", T::SPEC.name(), arguments)))
}

/// The text of a call's result.
fn text<T: ToolHandle>(arguments: &str) -> String {
    call::<T>(arguments).text()
}

#[test]
fn every_file_of_pass_is_declared() {
    let this = include_str!("pass.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("pass");
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let file = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if !file.ends_with(".rs") {
            continue;
        }
        assert!(this.contains(&format!("\"../pass/{file}\"")), "{file} is not declared");
    }
}
