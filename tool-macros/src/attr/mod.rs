//! Attributes: from tokens to values. Every mistake is kept, and parsing goes on behind it.

pub(crate) mod arg;
pub(crate) mod docs;
pub(crate) mod entry;
pub(crate) mod literal;
pub(crate) mod tool;
