//! What must hold for any bytes from outside. A fuzz target is one line that calls a law.
//!
//! `cargo xtask soak` runs them. A law panics where it does not hold, which is what the fuzzer looks for.
#![forbid(unsafe_code)]

pub mod arguments;
pub mod provider;
pub mod schema;

mod frame;
