//! Functions named by `parallel` and `permission` get a borrow of each argument.
use tool_runtime::{Registry, tool};

fn by_value(a: u8) -> bool {
    a == 1
}

fn of_another(a: &String) -> bool {
    a.is_empty()
}

fn of_two(a: &u8, b: &u8) -> bool {
    a == b
}

fn to_number(a: &u8) -> u8 {
    *a
}

/// A
#[tool(parallel = by_value)]
fn a(
    /// A
    a: u8,
) {
    let _ = a;
}

/// B
#[tool(parallel = of_another)]
fn b(
    /// A
    a: u8,
) {
    let _ = a;
}

/// C
#[tool(parallel = of_two)]
fn c(
    /// A
    a: u8,
) {
    let _ = a;
}

/// D
#[tool(parallel = to_number)]
fn d(
    /// A
    a: u8,
) {
    let _ = a;
}

/// E
#[tool(permission = by_value)]
fn e(
    /// A
    a: u8,
) {
    let _ = a;
}

/// F
#[tool(permission = to_number)]
fn f(
    /// A
    a: u8,
) {
    let _ = a;
}

/// G
#[tool(permission = missing)]
fn g() {}

fn main() {
    let _ = Registry::builder().register::<a>().register::<g>().build();
}
