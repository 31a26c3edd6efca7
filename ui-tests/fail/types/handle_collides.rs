//! The handle is a type of the tool's name; a module or a type of that name is in its way (E0255, E0428).
use tool_runtime::tool;

mod weather {
    pub(crate) mod lookup {}
}

use weather::lookup;

/// A
#[tool]
fn lookup() {}

struct Search;

/// B
#[tool(handle = Search)]
fn search() {}

mod list {}

/// C
#[tool]
fn list() {}

fn main() {
    let _: Option<Search> = None;
}
