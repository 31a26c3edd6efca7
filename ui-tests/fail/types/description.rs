//! Descriptions that are constants: blank ones, and values that are no texts.
use tool_runtime::{Registry, tool};

const BLANK: &str = "  \n";
const NUMBER: u8 = 5;

#[tool(description = BLANK)]
fn blank() {}

#[tool(description = concat!(" ", "\n"))]
fn joined() {}

#[tool(description = NUMBER)]
fn number() {}

#[tool(description = MISSING)]
fn missing() {}

#[tool(description = String::from("made while running"))]
fn made() {}

fn main() {
    blank();
    let _ = Registry::builder().register::<blank>().register::<number>().register::<missing>().build();
}
