//! `blocking` moves a function that is not `async` to a thread of its own.
use tool_runtime::{Registry, tool, toolset};

/// A
#[tool(blocking)]
async fn both() {}

struct Service;

#[toolset]
impl Service {
    /// B
    #[tool(blocking)]
    async fn method(&self) {}
}

fn main() {
    let _ = both();
    let _ = Service.method();
    let _ = Registry::builder().register::<both>().register_all(Service).build();
}
