//! Types that no tool takes, behind an alias: the compiler's constants see through it.
use std::collections::{BTreeMap, HashMap};

use tool_runtime::{Registry, tool, toolset};

type Pair = (u8, u8);
type Wide = u128;
type Numbered = HashMap<u8, String>;
type Key = u32;

/// A
#[tool]
fn arguments(
    /// A
    a: Pair,
    /// B
    b: Vec<Pair>,
    /// C
    c: Wide,
    /// D
    d: Option<Wide>,
    /// E
    e: Numbered,
    /// F
    f: BTreeMap<Key, u8>,
) {
    let _ = (a, b, c, d, e, f);
}

/// B
#[tool]
fn pair() -> Pair {
    (1, 2)
}

/// C
#[tool]
fn wide() -> Result<Option<Wide>, String> {
    Ok(None)
}

/// D
#[tool]
fn numbered() -> Numbered {
    HashMap::new()
}

struct Service;

#[toolset]
impl Service {
    /// E
    #[tool]
    fn method(
        &self,
        /// A
        a: Pair,
    ) -> Wide {
        let _ = a;
        1
    }
}

fn main() {
    let _ = (arguments, pair, wide, numbered);
    Service.method((1, 2));
    let _ = Registry::builder().register::<arguments>().register::<pair>().register_all(Service).build();
}
