//! Lossless repair: from what a model sent to the only thing that it can have meant.
//!
//! Invariants: what is right as it was sent is never changed; every repair is recorded; nothing that was cut off is
//! completed; where two readings are right, neither is taken.

mod change;
mod envelope;
mod kind;
mod polish;
mod readings;
mod text;
mod tolerant;
mod value;

#[cfg(test)]
mod tests;

use serde_json::Value;

use self::change::Changer;
pub use self::kind::{Repair, RepairKind};
use self::value::{Fix, Mender};
use super::error::ArgumentsError;
use super::text::{ParsedArguments, TextError, parse_arguments_within};
use super::{Limits, TextErrorKind};
use crate::schema::{Schema, Violation};
use crate::value::ParseLimits;

/// How the arguments of a call are read.
///
/// # Examples
/// ```
/// use tool_runtime::arguments::ReadOptions;
///
/// let options = ReadOptions::for_tool("forecast").repair(false);
/// assert!(!options.repairs());
/// ```
#[derive(Debug, Clone, Copy)]
#[must_use = "options do nothing by themselves"]
pub struct ReadOptions<'t> {
    tool: &'t str,
    repair: bool,
    defaults: bool,
    limits: Limits,
}

impl<'t> ReadOptions<'t> {
    /// For calls of a tool: repairs are made and defaults come in, within the default limits.
    pub fn for_tool(name: &'t str) -> Self {
        Self { tool: name, repair: true, defaults: true, limits: Limits::default() }
    }

    /// Sets whether repairs are made. Without them, only "no arguments" is read in several ways, and a number
    /// without a fraction as an integer.
    pub const fn repair(mut self, repair: bool) -> Self {
        self.repair = repair;
        self
    }

    /// Sets whether the defaults of the schema come in for what is not there.
    pub const fn defaults(mut self, defaults: bool) -> Self {
        self.defaults = defaults;
        self
    }

    /// Sets what the arguments may cost.
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether repairs are made.
    pub const fn repairs(&self) -> bool {
        self.repair
    }
}

/// Arguments that a schema takes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadArguments {
    /// The arguments: always a JSON object.
    pub value: Value,
    /// What was read otherwise than it was written, text first.
    pub repairs: Vec<Repair>,
}

/// Reads the text of a call's arguments, holds it against the schema, and repairs it where that loses nothing.
///
/// The text is read strictly first; right arguments are taken as they are. Only then repairs are tried: of the
/// text, of an envelope around the arguments, and of values, each where one reading is right and the value as sent
/// is not. The cost is linear in the text.
///
/// # Errors
/// Returns [`ArgumentsError`] with everything that is wrong with the arguments as they were sent.
///
/// # Examples
/// ```
/// use serde_json::json;
/// use tool_runtime::arguments::{ReadOptions, RepairKind, read_arguments};
/// use tool_runtime::schema::Schema;
///
/// let schema = Schema::parse(r#"{"type":"object","properties":{"days":{"type":"integer"}},"required":["days"]}"#)?;
/// let read = read_arguments(r#"{"days": "3"}"#, &schema, ReadOptions::for_tool("forecast"))?;
/// assert_eq!(read.value, json!({"days": 3}));
/// assert_eq!((read.repairs[0].kind(), read.repairs[0].pointer()), (RepairKind::Literal, "/days"));
///
/// let error = read_arguments(r#"{"days": "three"}"#, &schema, ReadOptions::for_tool("forecast")).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Error: invalid arguments for \"forecast\":\n- /days: expected integer, got string \"three\"\n\
///      Call it like: {\"days\":1}"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_arguments(
    text: &str,
    schema: &(impl AsRef<Schema> + ?Sized),
    options: ReadOptions<'_>,
) -> Result<ReadArguments, ArgumentsError> {
    let schema = schema.as_ref();
    let mut repairs = Vec::new();
    let value = match parse_arguments_within(text, &options.limits) {
        Ok(ParsedArguments { value, empty }) => {
            if empty {
                repairs.push(Repair::of_text(RepairKind::Empty));
            }
            value
        }
        Err(error) if options.repair => mend_text(text, &options, error, &mut repairs)?,
        Err(error) => return Err(error.into()),
    };
    let invalid = |violations: Vec<Violation>| ArgumentsError::invalid(options.tool, violations, schema);
    if schema.is_valid(&value) {
        return finish(schema, value, repairs, options).map_err(|violation| invalid(vec![violation]));
    }
    if options.repair
        && let Some(value) = mend(schema, text, &value, &options, &mut repairs)
        && let Ok(read) = finish(schema, value, repairs, options)
    {
        return Ok(read);
    }
    Err(invalid(schema.explain(&value)))
}

fn mend_text(
    text: &str,
    options: &ReadOptions<'_>,
    strict: TextError,
    repairs: &mut Vec<Repair>,
) -> Result<Value, ArgumentsError> {
    match strict.kind() {
        TextErrorKind::NotJson | TextErrorKind::NotAnObject | TextErrorKind::EqualDuplicate => {}
        // A property that stands twice in different ways is told, though another stood twice before it.
        _ => return Err(strict.into()),
    }
    match text::read(text, &options.limits.for_parser()) {
        Ok((json, made)) => {
            repairs.extend(made);
            Ok(json.into_value())
        }
        Err(Some(error)) => Err(TextError::new(text, &error, &options.limits).into()),
        Err(None) => Err(strict.into()),
    }
}

/// Repairs a value; `None` if there is no way, or several.
fn mend(
    schema: &Schema,
    text: &str,
    value: &Value,
    options: &ReadOptions<'_>,
    repairs: &mut Vec<Repair>,
) -> Option<Value> {
    let limits = options.limits.for_parser();
    let plain = fixed(schema, text, value, &limits);
    let opened = value.as_object().and_then(|members| envelope::open(schema, options.tool, members, &limits));
    let opened = opened.and_then(|(inner, pointer)| {
        let (value, made) = if schema.is_valid(&inner) {
            Some((inner, Vec::new()))
        } else {
            fixed(schema, text, &inner, &limits)
        }?;
        let taken_out = Repair { kind: RepairKind::Envelope, pointer };
        Some((value, std::iter::once(taken_out).chain(made).collect()))
    });
    let (value, made): (Value, Vec<Repair>) = match (plain, opened) {
        (Some(plain), None) => plain,
        (None, Some(opened)) => opened,
        (None, None) | (Some(_), Some(_)) => return None,
    };
    repairs.extend(made);
    Some(value)
}

/// A value whose parts are repaired, if it is right then.
fn fixed(schema: &Schema, text: &str, value: &Value, limits: &ParseLimits) -> Option<(Value, Vec<Repair>)> {
    let Fix::By(change) = Mender::new(schema, text, value, *limits).root(value) else { return None };
    let mut made = Vec::new();
    let value = Changer::new(&mut made).apply(&change, value.clone());
    // Texts that were read as values count as if they had been sent as such.
    let (nodes, depth) = extent(&value);
    (nodes <= limits.nodes && depth <= limits.depth && schema.is_valid(&value)).then_some((value, made))
}

/// How many values there are in a value, itself included, and how deep arrays and objects are nested in it.
fn extent(value: &Value) -> (usize, usize) {
    let together = |(nodes, depth), inner: &Value| {
        let (more, deeper): (usize, usize) = extent(inner);
        (nodes + more, deeper.max(depth))
    };
    let (nodes, depth) = match value {
        Value::Array(items) => items.iter().fold((0, 0), together),
        Value::Object(members) => members.values().fold((0, 0), together),
        _ => return (1, 0),
    };
    (nodes + 1, depth + 1)
}

/// Makes integers of floats that are to be integers, and brings in the defaults.
fn finish(
    schema: &Schema,
    value: Value,
    mut repairs: Vec<Repair>,
    options: ReadOptions<'_>,
) -> Result<ReadArguments, Violation> {
    let value = match polish::polish(schema, &value, options.defaults)? {
        None => value,
        Some(change) => {
            let mut made = Vec::new();
            let polished = Changer::new(&mut made).apply(&change, value.clone());
            if schema.is_valid(&polished) {
                repairs.extend(made);
                polished
            } else {
                // Defaults that are right one by one need not be right together.
                match polish::polish(schema, &value, false)? {
                    Some(change) => Changer::new(&mut repairs).apply(&change, value),
                    None => value,
                }
            }
        }
    };
    Ok(ReadArguments { value, repairs })
}
