//! The one report for all faults of a call's arguments.

use crate::schema::Schema;
pub use crate::schema::{Got, Violation};

/// The most faults that a model is told of at once.
const MOST: usize = 8;

/// The longest example that helps, in bytes.
const LONGEST_EXAMPLE: usize = 2_000;

/// Writes what a model reads when its arguments do not fit: every fault, and what a right call looks like.
///
/// # Examples
/// ```
/// use serde_json::json;
/// use tool_runtime::arguments::invalid_arguments_text;
/// use tool_runtime::schema::Schema;
///
/// let schema = Schema::parse(
///     r#"{"type":"object","properties":{"days":{"type":"integer","minimum":1}},"required":["days"]}"#,
/// )?;
/// let violations = schema.explain(&json!({"days": "two"}));
/// assert_eq!(
///     invalid_arguments_text("forecast", &violations, &schema),
///     "Error: invalid arguments for \"forecast\":\n\
///      - /days: expected integer of at least 1, got string \"two\"\n\
///      Call it like: {\"days\":1}"
/// );
/// # Ok::<(), tool_runtime::schema::SchemaError>(())
/// ```
pub fn invalid_arguments_text(tool: &str, violations: &[Violation], schema: &Schema) -> String {
    report(tool, violations.iter().map(Violation::to_string), violations.len(), schema.right_text())
}

/// Writes the same report without any value that the model sent.
pub fn redacted_arguments_text(tool: &str, violations: &[Violation], schema: &Schema) -> String {
    report(tool, violations.iter().map(Violation::redacted), violations.len(), schema.right_text())
}

/// The longest line of a report, in characters: names and patterns may be long.
const LONGEST_LINE: usize = 400;

pub(super) fn report(tool: &str, lines: impl Iterator<Item = String>, count: usize, example: &str) -> String {
    let mut text = format!("Error: invalid arguments for \"{tool}\":");
    for line in lines.take(MOST) {
        text.push_str("\n- ");
        match line.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => text.extend([line.get(..end).unwrap_or_default(), "…"]),
            None => text.push_str(&line),
        }
    }
    if let Some(more) = count.checked_sub(MOST).filter(|more| *more > 0) {
        text.extend(["\n- and ", &more.to_string(), " more"]);
    }
    if !example.is_empty() && example.len() <= LONGEST_EXAMPLE {
        text.extend(["\nCall it like: ", example]);
    }
    text
}
