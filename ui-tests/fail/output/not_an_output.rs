//! Types that a tool cannot return: one error each, at the type.
use tool_runtime::{Registry, tool, toolset};

struct Plain;

#[derive(serde::Serialize)]
struct WithoutSchema;

#[derive(Debug)]
struct NoError;

type Fallible = Result<Plain, String>;

/// A
#[tool]
fn plain() -> Plain {
    Plain
}

/// B
#[tool]
fn fallible() -> Fallible {
    Ok(Plain)
}

/// C
#[tool]
fn list() -> Vec<Plain> {
    vec![]
}

/// D
#[tool]
async fn optional() -> Option<Result<Plain, String>> {
    None
}

/// E
#[tool]
fn without_schema() -> WithoutSchema {
    WithoutSchema
}

/// F: the error is no error.
#[tool]
fn no_error() -> Result<u8, NoError> {
    Ok(1)
}

/// G
#[tool]
async fn no_error_either() -> Result<Result<u8, NoError>, String> {
    Ok(Ok(1))
}

struct Service;

#[toolset]
impl Service {
    /// H
    #[tool]
    fn method(&self) -> Plain {
        Plain
    }
}

fn main() {
    let _ = (plain(), fallible(), list(), optional(), without_schema(), no_error(), no_error_either(), Service.method());
    let _ = Registry::builder().register::<plain>().register::<no_error>().register_all(Service).build();
}
