//! Futures that cannot move between threads: the error is at the tool's name, its notes name the variable and the
//! place where it is held (F024).
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Mutex;

use tool_runtime::{Registry, tool, toolset};

async fn pause() {}

/// A
#[tool]
async fn counted() {
    let shared = Rc::new(1);
    pause().await;
    drop(shared);
}

/// B
#[tool]
async fn locked(
    /// A
    name: &str,
) {
    let lock = Mutex::new(name);
    let held = lock.lock();
    pause().await;
    drop(held);
}

/// C
#[tool]
async fn borrowed() {
    let cell = RefCell::new(1);
    let borrow = &cell;
    pause().await;
    let _ = borrow;
}

struct Service;

#[toolset]
impl Service {
    /// D
    #[tool]
    async fn method(&self) {
        let cell = Rc::new(Cell::new(1));
        pause().await;
        cell.set(2);
    }
}

fn main() {
    let _ = (counted(), locked(""), borrowed(), Service.method());
    let _ = Registry::builder().register::<counted>().register_all(Service).build();
}
