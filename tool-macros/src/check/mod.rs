//! Rules: from what was written to what is wrong with it. Nothing here makes tokens.

pub(crate) mod constraints;
mod ecma;
#[expect(dead_code, reason = "the runtime needs more of this file, and both have the same")]
mod format;
mod matches;
#[expect(dead_code, reason = "the runtime needs more of this file, and both have the same")]
mod multiple;
pub(crate) mod names;
pub(crate) mod tool;
