//! State is shared between threads.
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use tool_runtime::{Registry, State, tool, toolset};

/// A
#[tool]
fn cell(a: State<Cell<u8>>) {
    let _ = a;
}

/// B
#[tool]
fn counted(#[state] a: &Rc<u8>) {
    let _ = a;
}

/// C
#[tool]
fn shared(#[state] a: Arc<Cell<u8>>) {
    let _ = a;
}

/// D
#[tool]
fn context(#[context] a: &u8) {
    let _ = a;
}

struct Service(Cell<u8>);

#[toolset]
impl Service {
    /// E
    #[tool]
    fn method(&self) -> u8 {
        self.0.get()
    }
}

fn main() {
    let _ = (cell, counted, shared, context, Service(Cell::new(1)).method());
    let _ = Registry::builder().register::<cell>().register::<shared>().build();
}
