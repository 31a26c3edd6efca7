//! A reference behind an alias is no reference to the macro, which decides borrows by spelling.
use tool_runtime::{Registry, tool};

type Text<'a> = &'a str;
type Static = &'static str;

/// A
#[tool]
fn static_alias(
    /// A
    a: Static,
) {
    let _ = a;
}

/// B
#[tool]
fn alias(
    /// A
    a: Text,
) {
    let _ = a;
}

fn main() {
    let _ = (static_alias, alias);
    let _ = Registry::builder().register::<static_alias>().register::<alias>().build();
}
