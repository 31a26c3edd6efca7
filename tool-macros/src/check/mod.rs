//! Rules: from what was written to what is wrong with it. Nothing here makes tokens.

pub(crate) mod constraints;
pub(crate) mod names;
pub(crate) mod tool;
