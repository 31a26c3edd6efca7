//! `render = …` names a function from a borrow of the value to something that a model can read.
use tool_runtime::{Registry, tool};

fn right(value: &u8) -> String {
    value.to_string()
}

fn by_value(value: u8) -> String {
    value.to_string()
}

fn of_another(value: &String) -> String {
    value.clone()
}

fn to_number(value: &u8) -> u8 {
    *value
}

fn of_two(value: &u8, other: &u8) -> String {
    (value + other).to_string()
}

/// A
#[tool(render = by_value)]
fn a() -> u8 {
    1
}

/// B
#[tool(render = of_another)]
fn b() -> u8 {
    1
}

/// C
#[tool(render = to_number)]
fn c() -> u8 {
    1
}

/// D
#[tool(render = of_two)]
fn d() -> u8 {
    1
}

/// E
#[tool(render = missing)]
fn e() -> u8 {
    1
}

/// F
#[tool(render = right)]
fn f() -> Result<u8, String> {
    Ok(1)
}

fn main() {
    let _ = Registry::builder().register::<a>().register::<f>().build();
}
