//! Every constraint on a type that it cannot apply to. The compiler knows the type, so the errors are its.
use std::collections::HashMap;

use tool_runtime::{Registry, tool, toolset};

type Text = String;

/// A
#[tool]
fn numbers(
    /// A
    #[arg(minimum = 1)]
    a: String,
    /// B
    #[arg(maximum = 1)]
    b: bool,
    /// C
    #[arg(exclusive_minimum = 1)]
    c: Vec<u8>,
    /// D
    #[arg(exclusive_maximum = 1)]
    d: Option<Text>,
    /// E
    #[arg(multiple_of = 2)]
    e: HashMap<String, u8>,
) {
    let _ = (a, b, c, d, e);
}

/// B
#[tool]
fn strings(
    /// A
    #[arg(min_length = 1)]
    a: u8,
    /// B
    #[arg(max_length = 1)]
    b: Vec<String>,
    /// C
    #[arg(pattern = "a")]
    c: bool,
    /// D
    #[arg(format = "date")]
    d: f64,
    /// E
    #[arg(min_length = 1)]
    e: &[String],
) {
    let _ = (a, b, c, d, e);
}

/// C
#[tool]
fn arrays(
    /// A
    #[arg(min_items = 1)]
    a: String,
    /// B
    #[arg(max_items = 1)]
    b: u8,
    /// C
    #[arg(unique_items)]
    c: HashMap<String, u8>,
) {
    let _ = (a, b, c);
}

struct Service;

#[toolset]
impl Service {
    /// D
    #[tool]
    fn method(
        &self,
        /// A
        #[arg(minimum = 1)]
        a: &str,
    ) {
        let _ = a;
    }
}

fn main() {
    let _ = (numbers, strings, arrays);
    Service.method("");
    let _ = Registry::builder().register::<numbers>().register::<strings>().register_all(Service).build();
}
