//! F007: what a macro inside the block makes is out of sight, so it is refused and not silently left out.
use tool_runtime::{Registry, tool, toolset};

struct Service;

macro_rules! made {
    () => {
        /// A
        fn made(&self) {}
    };
}

#[toolset]
impl Service {
    made! {}

    /// B
    #[tool]
    fn written(&self) {}
}

fn main() {
    Service.made();
    Service.written();
    let _ = Registry::builder().register_all(Service).build();
}
