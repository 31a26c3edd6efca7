//! Behaviour across modules, as one binary.

mod signatures;
mod support;
