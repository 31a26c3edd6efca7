//! Values that a key does not take, each with the form to write.
use tool_runtime::{Registry, tool, toolset};

/// A
#[tool(name, title = 5, description = )]
fn texts() {}

/// B
#[tool(effect = "read", effect = reed, blocking = true, idempotent = false)]
fn words() {}

/// C
#[tool(parallel = true, deferred = yes, background)]
fn flags() {}

/// D
#[tool(keywords = "x", tags = [1, "", "ok"])]
fn lists() {}

/// E
#[tool(docs = optional, output(wran), annotations = "x")]
fn choices() {}

/// F
#[tool(docs(required), output(), handle = "Name")]
fn more_choices() {}

/// G
#[tool(, name "x")]
fn commas() {}

/// H
#[tool(effect = read idempotent)]
fn no_comma() {}

/// I
#[tool = "x"]
fn name_value() {}

/// J
#[tool(title = "", owner = " ", permission = "")]
fn empty() {}

/// K
#[tool(annotations(open_world = 1))]
fn annotated() {}

/// L
#[tool(render, permission, timeout)]
fn lacking() {}

struct Service;

#[toolset]
impl Service {
    /// L
    #[tool = "x"]
    fn method(&self) {}
}

fn main() {
    texts();
    words();
    flags();
    lists();
    choices();
    more_choices();
    commas();
    no_comma();
    empty();
    annotated();
    lacking();
    Service.method();
    let _ = Registry::builder().register::<texts>().register::<commas>().register_all(Service).build();
}
