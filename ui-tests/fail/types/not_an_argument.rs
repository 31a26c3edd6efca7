//! Types that arguments cannot be read into: one error each, at the type.
use std::collections::HashMap;
use std::time::Instant;

use tool_runtime::{Registry, State, tool, toolset};

struct Plain;

#[derive(serde::Deserialize)]
struct WithoutSchema;

#[derive(schemars::JsonSchema)]
struct WithoutDeserialize;

/// A
#[tool]
fn arguments(
    /// A
    a: Plain,
    /// B
    b: Option<Plain>,
    /// C
    c: Vec<Vec<Plain>>,
    /// D
    d: WithoutSchema,
    /// E
    e: WithoutDeserialize,
    /// F
    f: Instant,
    /// G
    g: &Plain,
    /// H
    h: HashMap<String, Plain>,
    /// I
    #[arg(default = Plain)]
    i: Plain,
    /// J
    j: std::sync::Mutex<u8>,
) {
    let _ = (a, b, c, d, e, f, g, h, i, j);
}

/// B
#[tool]
async fn asynchronous(
    /// A
    a: Plain,
) {
    let _ = a;
}

struct Service;

#[toolset]
impl Service {
    /// C
    #[tool]
    fn method(
        &self,
        /// A
        a: Plain,
    ) {
        let _ = a;
    }
}

/// D: what is injected need not be read.
#[tool]
fn injected(a: State<Plain>) {
    let _ = a;
}

fn main() {
    let _ = (arguments, asynchronous(Plain), Service.method(Plain), injected);
    let _ = Registry::builder()
        .register::<arguments>()
        .register::<asynchronous>()
        .register_all(Service)
        .build();
}
