//! What can be flattened into the arguments.
use std::collections::HashMap;

use tool_runtime::{Registry, tool};

/// A
#[tool]
fn map(#[arg(flatten)] a: HashMap<String, u8>) {
    let _ = a;
}

/// B
#[tool]
fn number(#[arg(flatten)] a: u8) {
    let _ = a;
}

/// C
#[tool]
fn optional(#[arg(flatten)] a: Option<String>) {
    let _ = a;
}

struct Plain;

/// D
#[tool]
fn plain(#[arg(flatten)] a: Plain) {
    let _ = a;
}

fn main() {
    let _ = (map, number, optional, plain);
    let _ = Registry::builder().register::<map>().register::<plain>().build();
}
