//! Signatures of tools for a system prompt, for models without an interface for tools.

use super::request::{Plan, Request, request};
use crate::definition::ToolDefinition;
use crate::schema::dialect::{Dialect, lines};

/// The tools as signatures, in the notation of TypeScript, each with its description as a comment.
///
/// # Examples
/// ```
/// use tool_runtime::provider::prompt::signatures;
/// use tool_runtime::{Registry, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// The first.
///     a: u8,
///     /// The second.
///     b: Option<u8>,
/// ) -> u16 {
///     u16::from(a) + u16::from(b.unwrap_or_default())
/// }
///
/// let registry = Registry::builder().register::<add>().build()?;
/// let text = signatures(&registry.definition("add"));
/// assert_eq!(
///     text.tools(),
///     "// Adds two numbers.\nadd({\n  // The first.\n  // (minimum: 0; maximum: 255)\n  a: integer;\n  // The second.\n  // (minimum: 0; maximum: 255)\n  b?: integer | null;\n})\n",
/// );
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
pub fn signatures<'a>(definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Request {
    let mut text = String::new();
    let request = request(&Plan::plain(Dialect::Text), definitions, |_, tool| {
        if !text.is_empty() {
            text.push('\n');
        }
        for line in lines(tool.definition.description()) {
            text.push_str("// ");
            text.push_str(line);
            text.push('\n');
        }
        let (arguments, types) = tool.schema.split_once("\ntype ").unwrap_or((tool.schema, ""));
        text.push_str(tool.name);
        text.push('(');
        text.push_str(arguments);
        text.push_str(")\n");
        if !types.is_empty() {
            text.push_str("type ");
            text.push_str(types);
            text.push('\n');
        }
    });
    request.with_tools(text)
}
