//! Knows the SDK through a facade only.
#![deny(warnings)]

use facade::tool_runtime::{Registry, Render, tool, tool_type, toolset};

/// A tool.
#[tool(crate = ::facade::tool_runtime)]
pub async fn through_facade(
    /// The text.
    #[arg(min_length = 1)]
    text: &str,
    /// The answer.
    #[arg(default = Answer { text: String::new() })]
    answer: Answer,
) -> Result<Answer, String> {
    Ok(Answer { text: format!("{text}{}", answer.text) })
}

/// A type.
#[tool_type(crate = ::facade::tool_runtime)]
#[derive(Debug, Render)]
#[render("{text}!", crate = ::facade::tool_runtime)]
pub struct Answer {
    /// The text.
    pub text: String,
}

/// A service.
#[derive(Debug)]
pub struct Service;

#[toolset(crate = ::facade::tool_runtime)]
impl Service {
    /// A method.
    #[tool(docs(optional))]
    pub fn method(&self, answer: Answer) -> Answer {
        answer
    }
}

facade::constant_tool!(made: Option<u8> = Some(2), "Is made by the facade's macro.");

mod inner {
    pub(crate) use facade::tool_runtime as sdk;
}

/// Names the SDK from the crate's root.
#[tool(crate = crate::inner::sdk)]
pub fn from_root() -> u8 {
    3
}

/// A registry of all.
pub fn registry() -> Result<Registry, facade::tool_runtime::registry::RegistryError> {
    Registry::builder().register_all(Service).collect()
}

#[test]
fn a_facade_is_enough() {
    let names: Vec<String> =
        registry().expect("it is right").definitions().iter().map(|definition| definition.name().to_string()).collect();
    assert_eq!(names, ["from_root", "made", "method", "own", "through_facade"]);
}
