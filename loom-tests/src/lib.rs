//! The protocols between threads of `tool-runtime`, tried in every order that loom can think of.
//!
//! The files of the runtime are compiled here once more, as they are; `sync` stands in for the runtime's own, with loom's atomics.
//! A protocol that names anything else does not compile.
#![forbid(unsafe_code)]
#![cfg(test)]

#[path = "../../tool-runtime/src/registry/epoch.rs"]
mod epoch;
#[path = "../../tool-runtime/src/execution/life.rs"]
mod life;
#[path = "../../tool-runtime/src/registry/rounds.rs"]
mod rounds;
mod sync;
#[path = "../../tool-runtime/src/registry/tally.rs"]
mod tally;

mod changes;
mod ending;
mod telling;
mod unloading;
