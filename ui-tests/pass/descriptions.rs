//! Descriptions of every form (F053, F054, F056).
use tool_runtime::{ToolHandle, tool};

const CONSTANT: &str = "From a constant.";

mod elsewhere {
    pub(super) const CONSTANT: &str = "From a module.";
}

#[tool(description = CONSTANT)]
fn constant() {}

#[tool(description = elsewhere::CONSTANT)]
fn path_docs() {}

#[tool(description = concat!("a", "b"))]
fn joined() {}

#[tool(description = include_str!("descriptions.txt"))]
fn included() {}

#[doc = include_str!("descriptions.txt")]
#[tool]
fn documented() {}

#[doc = concat!("a", " b")]
#[tool]
fn doc_joined(
    #[doc = concat!("c", " d")] a: u8,
    /** A block. */
    b: u8,
    #[arg(description = CONSTANT)] c: u8,
) {
    let _ = (a, b, c);
}

/// The attribute wins over docs.
#[tool(description = "The attribute.")]
fn attribute_wins() {}

/**
 A block comment.

 Of two paragraphs.
*/
#[tool]
fn block_docs() {}

/// A paragraph.
///
/// - a list
///   goes on
///
/// ```
/// let code = 1;
/// ```
#[tool]
fn markdown() {}

#[test]
fn f053_f054_f056_descriptions_of_every_form() {
    assert_eq!(constant::SPEC.description(), "From a constant.");
    assert_eq!(path_docs::SPEC.description(), "From a module.");
    assert_eq!(joined::SPEC.description(), "ab");
    assert_eq!(included::SPEC.description(), "From a file.");
    assert_eq!(documented::SPEC.description(), "From a file.");
    assert_eq!(doc_joined::SPEC.description(), "a b");
    assert_eq!(attribute_wins::SPEC.description(), "The attribute.");
    assert_eq!(block_docs::SPEC.description(), "A block comment.\n\nOf two paragraphs.");
    assert_eq!(
        markdown::SPEC.description(),
        "A paragraph.\n\n- a list\n  goes on\n\n```\nlet code = 1;\n```"
    );
    let functions: [fn(); 7] =
        [constant, path_docs, joined, included, documented, attribute_wins, block_docs];
    functions.iter().for_each(|function| function());
    markdown();
    doc_joined(1, 2, 3);
}
