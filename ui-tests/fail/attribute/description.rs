//! D2, F060: a tool says what it does and what its parameters mean, in words of its own.
use tool_runtime::{Registry, tool, toolset};

#[tool]
fn undescribed() {}

///
///
#[tool]
fn blank_docs() {}

#[tool(description = "")]
fn empty() {}

/// Has docs, and an empty attribute, which wins.
#[tool(description = "  \n ")]
fn empty_attribute() {}

#[tool(description = 5)]
fn number() {}

/// Has undescribed parameters.
#[tool]
fn parameters(
    a: u8,
    /// B
    b: u8,
    ///
    c: u8,
    #[arg(description = "")] d: u8,
    #[arg(description = 5)] e: u8,
) {
    let _ = (a, b, c, d, e);
}

struct Service;

#[toolset]
impl Service {
    #[tool]
    fn method(&self, a: u8) {
        let _ = a;
    }
}

fn main() {
    undescribed();
    parameters(1, 2, 3, 4, 5);
    Service.method(1);
    let _ = Registry::builder().register::<undescribed>().register::<parameters>().register_all(Service).build();
}
