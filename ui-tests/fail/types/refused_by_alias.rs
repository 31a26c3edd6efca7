//! Types that no tool takes, behind an alias: the compiler's constants see through it.
use std::collections::{BTreeMap, HashMap};

use tool_runtime::{Registry, tool, toolset};

type Pair = (u8, u8);
type Wide = u128;
type Numbered = HashMap<u8, String>;
type Key = u32;

/// A
#[tool]
fn pair(
    /// A
    a: Pair,
) {
    let _ = a;
}

/// B
#[tool]
fn pairs(
    /// A
    a: Option<Vec<Pair>>,
) {
    let _ = a;
}

/// C
#[tool]
fn wide(
    /// A
    a: Wide,
) {
    let _ = a;
}

/// D
#[tool]
fn numbered(
    /// A
    a: Numbered,
) {
    let _ = a;
}

/// E
#[tool]
fn keyed(
    /// A
    a: BTreeMap<Key, u8>,
) {
    let _ = a;
}

/// F
#[tool]
fn returns_pair() -> Pair {
    (1, 2)
}

/// G
#[tool]
fn returns_wide() -> Result<Option<Wide>, String> {
    Ok(None)
}

/// H
#[tool]
fn returns_numbered() -> Numbered {
    HashMap::new()
}

struct Service;

#[toolset]
impl Service {
    /// I
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
    let _ = (pair, pairs, wide, numbered, keyed, returns_pair, returns_wide, returns_numbered);
    Service.method((1, 2));
    let _ = Registry::builder().register::<pair>().register::<returns_pair>().register_all(Service).build();
}
