//! `#[tool]` goes on functions and methods, `#[toolset]` on impl blocks (F026: not on traits).
use tool_runtime::{tool, toolset};

#[tool]
struct Struct;

#[tool]
pub(crate) enum Enum {}

#[tool]
mod module {}

#[tool]
impl Struct {}

#[tool]
trait Trait {}

#[tool]
const CONSTANT: u8 = 1;

#[tool]
type Alias = u8;

#[tool]
static STATIC: u8 = 1;

#[tool]
use std::fmt::Debug;

struct Service;

#[toolset]
trait Operations {
    /// A
    fn method(&self);
}

#[toolset]
fn function() {}

#[toolset]
struct Other;

#[toolset]
impl Service {
    /// Is no tool.
    fn plain(&self) {}
}

#[toolset]
impl Struct {
    #[tool]
    const CONSTANT: u8 = 1;

    /// Is one.
    #[tool]
    fn one(&self) {}
}

fn debug<T: Debug + ?Sized>(_: Option<&T>) {}

fn main() {
    debug::<u8>(None);
    let _: (Alias, u8, u8) = (1, CONSTANT, STATIC);
    let _ = (Struct, Other, function, Service::plain);
    fn operations<T: Operations + Trait>() {}
}
