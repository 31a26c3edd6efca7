//! Rust's syntax as we need it: types taken apart, signatures read, each oddity handled in one place.

pub(crate) mod signature;
pub(crate) mod spelling;
