//! `#[tool]` on a method whose block lacks `#[toolset]`.
use tool_runtime::tool;

struct Service;

impl Service {
    /// A
    #[tool]
    fn method(&self) {}

    /// B
    #[tool]
    fn associated(
        /// A
        a: u8,
    ) {
        let _ = a;
    }
}

trait Operations {
    /// C
    #[tool]
    fn operation(&self);
}

fn main() {
    Service.method();
    Service::associated(1);
    fn operations<T: Operations>(t: &T) {
        t.operation();
    }
}
