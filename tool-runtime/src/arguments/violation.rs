//! The one report for all faults of a call's arguments.

use super::masked::is_secret;
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
    report(tool, violations, schema.right_text(), told)
}

/// Writes the same report without any value that the model sent.
pub fn redacted_arguments_text(tool: &str, violations: &[Violation], schema: &Schema) -> String {
    report(tool, violations, schema.right_text(), redacted)
}

/// Writes the report for a model without the values in the place of secrets, and around those.
pub(super) fn masked_arguments_text(tool: &str, violations: &[Violation], schema: &Schema) -> String {
    let value = schema.to_value();
    report(tool, violations, schema.right_text(), |violation, text| {
        if is_secret(violation.pointer(), violation.is_of_many(), &value) {
            redacted(violation, text);
        } else {
            told(violation, text);
        }
    })
}

/// The longest line of a report, in characters: names and patterns may be long.
const LONGEST_LINE: usize = 400;

/// Writes the report, each line by a function.
fn report(
    tool: &str,
    violations: &[Violation],
    example: &str,
    line: impl Fn(&Violation, &mut String),
) -> String {
    let shown = violations.len().min(MOST + 1);
    let mut text = String::with_capacity(64 + 96 * shown + example.len().min(LONGEST_EXAMPLE));
    text.extend(["Error: invalid arguments for \"", tool, "\":"]);
    for violation in violations.iter().take(MOST) {
        text.push_str("\n- ");
        let start = text.len();
        line(violation, &mut text);
        shorten(&mut text, start);
    }
    if let Some(more) = violations.len().checked_sub(MOST).filter(|more| *more > 0) {
        text.extend(["\n- and ", &more.to_string(), " more"]);
    }
    if !example.is_empty() && example.len() <= LONGEST_EXAMPLE {
        text.extend(["\nCall it like: ", example]);
    }
    text
}

/// Cuts the line that begins at `start`, if it is too long.
fn shorten(text: &mut String, start: usize) {
    let line = text.get(start..).unwrap_or_default();
    if line.len() > LONGEST_LINE
        && let Some((end, _)) = line.char_indices().nth(LONGEST_LINE)
    {
        text.truncate(start + end);
        text.push('…');
    }
}

/// The line as the model reads it.
fn told(violation: &Violation, text: &mut String) {
    // Writing to a `String` cannot fail.
    let _ = violation.write(text);
}

/// The line without the value that was sent.
fn redacted(violation: &Violation, text: &mut String) {
    text.push_str(&violation.redacted());
}
