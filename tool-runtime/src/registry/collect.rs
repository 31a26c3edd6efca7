//! Collecting every tool of the program.

use crate::tool::ToolSpec;

/// Used by generated code. One tool, as the linker collects it.
#[derive(Debug)]
#[doc(hidden)]
pub struct Collected(pub &'static ToolSpec);

inventory::collect!(Collected);

/// Every tool linked into the program, sorted by name and then by place, since link order means nothing.
pub(super) fn collected() -> Vec<&'static ToolSpec> {
    let mut specs: Vec<&'static ToolSpec> =
        inventory::iter::<Collected>.into_iter().map(|collected| collected.0).collect();
    specs.sort_unstable_by_key(|spec| (spec.name, spec.location.file, spec.location.line));
    specs
}
