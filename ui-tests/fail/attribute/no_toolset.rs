//! `#[tool]` on a method whose block lacks `#[toolset]`, and on functions without a body.
use tool_runtime::tool;

struct Service;

impl Service {
    /// A
    #[tool]
    fn method(&self) {}
}

trait Operations {
    /// B
    #[tool]
    fn operation(&self);

    /// C
    #[tool]
    fn associated();

    /// D
    #[tool]
    fn provided(&self) {}
}

fn main() {
    Service.method();
    fn operations<T: Operations>(t: &T) {
        T::associated();
        t.operation();
        t.provided();
    }
}
