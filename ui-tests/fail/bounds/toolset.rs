//! What a registry keeps.
use std::marker::PhantomData;

use tool_runtime::{Registry, tool, toolset};

struct Service<T>(PhantomData<T>);

#[toolset]
impl<T> Service<T> {
    /// A
    #[tool]
    fn unbounded(&self) {}
}

struct Echo<T>(PhantomData<T>);

#[toolset]
impl<T: Send + Sync + 'static> Echo<T> {
    /// B
    #[tool]
    fn echo(
        &self,
        /// A
        a: T,
    ) {
        let _ = a;
    }
}

struct Plain;

fn main() {
    let _ = Registry::builder().register_all(Plain).build();
    let _ = Registry::builder().register::<Plain>().build();
}
