//! JSON values: one canonical form a value, JSON pointers, exact numbers, and a strict reader of JSON text.
//!
//! Invariant: nothing here knows of schemas or tools, and nothing depends on which `serde_json` features another
//! crate of the program turns on.

mod canonical;
mod duplicates;
mod json;
mod nearest;
mod number;
mod parse;
mod pointer;
mod tokens;
mod visible;

pub use self::canonical::canonical;
pub(crate) use self::canonical::write_string;
pub use self::pointer::Pointer;

pub(crate) use self::json::Json;
pub(crate) use self::nearest::nearest;
pub(crate) use self::number::Exact;
pub(crate) use self::parse::{
    Fault, ParseError, ParseLimits, Prefix, parse, parse_collapsing, parse_prefix, parse_value,
};
pub(crate) use self::pointer::Trail;
pub(crate) use self::visible::{is_hidden, is_plain, quoted, unhidden, visible};
