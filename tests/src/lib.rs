//! Unpublished: behaviour across modules, as one binary.
#![forbid(unsafe_code)]
