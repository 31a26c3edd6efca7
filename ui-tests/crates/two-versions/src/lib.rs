//! Never compiles: cargo refuses its dependencies.
