//! F033: qualifiers that a tool cannot have, each at its keyword.
use tool_runtime::{Registry, tool};

/// A
#[tool]
const fn constant() {}

/// B
#[tool]
unsafe fn dangerous() {}

/// C
#[tool]
extern "C" fn foreign() {}

/// D
#[tool]
const unsafe extern "C" fn all() {}

/// E
#[tool]
async unsafe fn both() {}

fn main() {
    constant();
    foreign();
    let _ = Registry::builder()
        .register::<constant>()
        .register::<dangerous>()
        .register::<foreign>()
        .register::<all>()
        .register::<both>()
        .build();
}
