//! Unpublished: what the compiler says, and what it must take.
#![forbid(unsafe_code)]
