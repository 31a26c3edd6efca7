//! Types that the spelling alone refuses.
use std::collections::{BTreeMap, HashMap};

use tool_runtime::{Registry, tool, toolset};

/// A
#[tool]
fn types(
    /// A
    a: (u8, u8),
    /// B
    b: Vec<(String,)>,
    /// C
    c: u128,
    /// D
    d: Option<i128>,
    /// E
    e: HashMap<u8, String>,
    /// F
    f: BTreeMap<char, u8>,
    /// G
    g: Box<dyn Fn()>,
    /// H
    h: fn(),
    /// I
    i: *const u8,
    /// J
    j: _,
    /// K
    k: HashMap<(u8, u8), String>,
    /// L
    l: std::collections::HashMap<bool, ::std::string::String>,
) {
    let _ = (a, b, c, d, e, f, g, h, i, k, l);
}

/// B
#[tool]
fn tuple() -> (u8, u8) {
    (1, 2)
}

/// C
#[tool]
fn wide() -> Result<u128, String> {
    Ok(1)
}

/// D
#[tool]
fn map() -> HashMap<u8, u8> {
    HashMap::new()
}

struct Service;

#[toolset]
impl Service {
    /// E
    #[tool]
    fn method(
        &self,
        /// A
        a: (u8, u8),
    ) -> i128 {
        let _ = a;
        1
    }
}

fn main() {
    let _ = (tuple(), wide(), map(), Service.method((1, 2)));
    let _ = Registry::builder()
        .register::<types>()
        .register::<tuple>()
        .register::<wide>()
        .register::<map>()
        .register_all(Service)
        .build();
}
