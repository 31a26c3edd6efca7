//! Empty: `links` in the manifest needs a build script.

fn main() {}
