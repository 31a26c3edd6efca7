//! Tests of the room as a whole, by what they are about.

mod agreement;
mod explain;
#[cfg(feature = "foreign-schemas")]
mod foreign;
mod normalize;
mod stack;
mod subset;
mod text;
