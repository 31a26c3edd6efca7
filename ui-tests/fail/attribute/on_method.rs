//! `#[tool]` on a method without `#[toolset]` on its block, and keys that have no place on a method.
use tool_runtime::{Registry, tool, toolset};

struct Service;

#[toolset]
impl Service {
    /// A
    #[tool(handle = Handle)]
    fn handle(&self) {}

    /// B
    #[tool(crate = ::tool_runtime)]
    fn path(&self) {}
}

/// Takes `self` where there is none.
#[tool]
fn free(&self) {}

fn main() {
    Service.handle();
    Service.path();
    let _ = Registry::builder().register_all(Service).build();
}
