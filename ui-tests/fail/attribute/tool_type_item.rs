//! `#[tool_type]` stands on structs and enums.
use tool_runtime::tool_type;

#[tool_type]
fn function() {}

#[tool_type]
type Alias = u8;

#[tool_type]
union Union {
    a: u8,
    b: i8,
}

struct Service;

#[tool_type]
impl Service {}

#[tool_type]
mod module {}

fn main() {
    let _ = (function, Service, Union { a: 1 });
    let _: Alias = 1;
}
