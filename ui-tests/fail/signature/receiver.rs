//! F033: what a method may take of `self`.
use std::rc::Rc;
use std::sync::Arc;

use tool_runtime::{Registry, tool, toolset};

struct Service;

#[toolset]
impl Service {
    /// A
    #[tool]
    fn by_value(self) {}

    /// B
    #[tool]
    fn exclusive(&mut self) {}

    /// C
    #[tool]
    fn boxed(self: Box<Self>) {}

    /// D
    #[tool]
    fn counted(self: Rc<Self>) {}

    /// E
    #[tool]
    fn shared(self: &Arc<Self>) {}

    /// F
    #[tool]
    fn exclusive_typed(self: &mut Self) {}

    /// G
    #[tool]
    fn mutable(mut self) {
        self = Service;
        let _ = self;
    }
}

fn main() {
    Service.by_value();
    let _ = Registry::builder().register_all(Service).build();
}
