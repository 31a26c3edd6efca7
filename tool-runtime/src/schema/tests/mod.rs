//! Tests of the room as a whole, by what they are about.

mod agreement;
mod explain;
mod foreign;
mod normalize;
mod stack;
mod subset;
mod text;
