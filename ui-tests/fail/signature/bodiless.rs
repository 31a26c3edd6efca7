//! Functions without a body of their own.
use tool_runtime::tool;

trait Operations {
    /// A
    #[tool]
    fn operation();
}

fn main() {
    fn operations<T: Operations>() {
        T::operation();
    }
}
