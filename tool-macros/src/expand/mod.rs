//! Tokens: from our own tree to Rust. Nothing here can fail, and nothing looks at an attribute.

pub(crate) mod free;
pub(crate) mod method;
pub(crate) mod parameter;
pub(crate) mod spec;
