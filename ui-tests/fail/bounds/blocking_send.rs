//! What a blocking tool takes goes to another thread, and what it returns comes back from one.
use std::rc::Rc;

use tool_runtime::{Registry, tool};

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Local {
    #[serde(skip)]
    shared: Option<Rc<u8>>,
}

/// A
#[tool(blocking)]
fn takes(
    /// A
    a: Local,
) {
    let _ = a.shared;
}

fn main() {
    let _ = takes;
    let _ = Registry::builder().register::<takes>().build();
}
