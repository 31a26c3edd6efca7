//! The SDK under another name (F004).
#![deny(warnings)]

use toolkit::{Registry, Render, tool, tool_type, toolset};

/// A tool.
#[toolkit::tool]
pub async fn by_path(
    /// The text.
    #[arg(default = "x")]
    text: &str,
) -> Result<Answer, String> {
    Ok(Answer { text: text.to_owned() })
}

/// A type.
#[tool_type]
#[derive(Debug, Render)]
#[render("{text}!")]
pub struct Answer {
    /// The text.
    pub text: String,
}

/// A service.
#[derive(Debug)]
pub struct Service;

#[toolset]
impl Service {
    /// A method.
    #[tool(docs(optional))]
    pub fn method(&self, answer: Answer) -> Answer {
        answer
    }
}

/// A registry of all.
pub fn registry() -> Result<Registry, toolkit::registry::RegistryError> {
    Registry::builder().register_all(Service).collect()
}

#[test]
fn f004_a_renamed_dependency_works() {
    let names: Vec<String> =
        registry().expect("it is right").definitions().iter().map(|definition| definition.name().to_string()).collect();
    assert_eq!(names, ["by_path", "method"]);
}
