//! Edition 2021 (F047), with raw identifiers (F015) and conditions (F018).
#![deny(warnings, rust_2024_compatibility)]
#![allow(
    keyword_idents_2024,
    edition_2024_expr_fragment_specifier,
    reason = "what this edition allows is what is shown"
)]

use tool_runtime::{tool, tool_type, toolset, Render};

/// Names that are keywords in another edition, or in all.
#[tool(docs(optional))]
pub async fn keywords(gen: u8, r#type: &str, r#async: Option<bool>) -> String {
    format!("{gen} {} {:?}", r#type, r#async)
}

/// A type with them.
#[tool_type]
#[derive(Debug, Render)]
#[render("{gen} {type}")]
pub struct Keywords {
    /// A keyword of edition 2024.
    pub gen: u8,
    /// A keyword.
    pub r#type: String,
    /// Is not there.
    #[cfg(any())]
    pub absent: Missing,
}

/// Takes it.
#[tool(docs(optional))]
pub fn r#match(keywords: Keywords, #[cfg(any())] absent: Missing, #[cfg(not(any()))] present: u8) -> Keywords {
    Keywords { gen: keywords.gen + present, ..keywords }
}

/// A service.
#[derive(Debug)]
pub struct Service;

#[toolset]
impl Service {
    /// A method.
    #[tool(docs(optional))]
    pub async fn method(&self, r#in: &str) -> String {
        r#in.to_owned()
    }

    /// Is not there.
    #[cfg(any())]
    #[tool]
    pub fn absent(&self) -> Missing {}
}

macro_rules! made {
    ($name:ident, $type:ty, $default:expr) => {
        /// Is made by a macro.
        #[tool(docs(optional))]
        pub fn $name(#[arg(default = $default)] a: $type) -> $type {
            a
        }
    };
}

made!(made_number, u8, 1 + 1);
made!(made_text, String, "x".to_owned());

#[test]
fn f047_edition_2021_works() {
    let registry = tool_runtime::Registry::builder().register_all(Service).collect().expect("it is right");
    registry.verify().expect("it is right");
    let definition = registry.definition("keywords").expect("it is there");
    assert!(definition.input_schema().text().contains(r#""required":["gen","type"]"#));
    assert!(registry.definition("match").is_some() && registry.definition("absent").is_none());
}
