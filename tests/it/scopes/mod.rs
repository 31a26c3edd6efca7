//! Scopes: a model of them, the laws that they keep, and what threads and tools may do to them meanwhile.

mod compare;
mod drops;
mod inside;
mod laws;
mod model;
mod run;
mod stress;
mod words;
