//! The rules that hold between keywords, and the words for what breaks them.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::Schema;
use super::error::{SchemaError, SchemaViolation, note};
use super::multiple::{Decimal, has_no_multiple};
use super::node::{Kind, Node, Target};
use super::validator::fits_bounds;
use crate::value::{Exact, Fault, Json, ParseError, Pointer, nearest};

/// As many violations as get the nearest of many names.
const MANY: usize = 256;

/// Where a `$ref` leads, or what is wrong with it and what to do.
pub(super) fn target(text: &str, names: &[&str]) -> Result<Target, (String, String)> {
    let Some(fragment) = text.strip_prefix('#') else {
        return Err((
            format!("`$ref` leads out of the document, to \"{text}\""),
            "copy the schema into `$defs` and refer to it there".to_owned(),
        ));
    };
    if fragment.is_empty() {
        return Ok(Target::Root);
    }
    let name = decode(fragment).and_then(|pointer| {
        let name = pointer.strip_prefix("/$defs/")?.to_owned();
        (!name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))
    });
    let Some(name) = name else {
        return Err((
            format!("`$ref` leads to \"{text}\", which is no definition"),
            "refer to `#` or to `#/$defs/…`".to_owned(),
        ));
    };
    names.iter().position(|known| *known == name).map(Target::Definition).ok_or_else(|| {
        let hint = match nearest(&name, names.iter().copied()) {
            Some(near) => format!("did you mean \"#/$defs/{near}\"?"),
            None => "define it in the root's `$defs`".to_owned(),
        };
        (format!("`$ref` leads nowhere: there is no \"{name}\" in `$defs`"), hint)
    })
}

/// Undoes the percent encoding of a fragment.
pub(super) fn decode(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let code = digit()? * 16 + digit()?;
            bytes.push(u8::try_from(code).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The types that a keyword has an effect on, if not all.
fn types_of(keyword: &str) -> Option<(&'static [Kind], &'static str)> {
    Some(match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            (&[Kind::Integer, Kind::Number], "numbers")
        }
        "minLength" | "maxLength" | "pattern" | "format" => (&[Kind::String], "strings"),
        "items" | "minItems" | "maxItems" | "uniqueItems" => (&[Kind::Array], "arrays"),
        "properties" | "required" | "additionalProperties" => (&[Kind::Object], "objects"),
        _ => return None,
    })
}

/// Holds the keywords of one schema against one another.
pub(super) fn check_node(
    node: &Node,
    members: &[(String, Json)],
    pointer: &mut Pointer,
    out: &mut Vec<SchemaViolation>,
) {
    let mut rules = Rules { pointer, out };
    for (keyword, _) in members {
        if let Some((kinds, plural)) = types_of(keyword)
            && !node.types.is_empty()
            && !node.types.iter().any(|kind| kinds.contains(kind))
            && !rules.has_fault_of(keyword)
        {
            let problem =
                format!("`{keyword}` has an effect on {plural} only, and the type is {}", types(node));
            rules.fault(&[keyword], problem, format!("leave `{keyword}` out, or change `type`"));
        }
    }
    let mut seen = HashSet::new();
    for (index, name) in node.required.iter().enumerate() {
        if node.property(name).is_none() {
            let names = node.properties().iter().map(|(name, _)| name.as_str());
            let near = if rules.out.len() < MANY { nearest(name, names) } else { None };
            let hint = match near {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "declare it in `properties`, or leave it out of `required`".to_owned(),
            };
            let problem = format!("`required` names no property with \"{name}\"");
            rules.fault(&["required", &index.to_string()], problem, hint);
        } else if !seen.insert(name) {
            rules.fault(&["required"], format!("`required` names \"{name}\" twice"), "name it once");
        }
    }
    check_listed(node, &mut rules);
    check_numbers(node, &mut rules);
    for (low, high, minimum, maximum, what) in [
        (node.min_length, node.max_length, "minLength", "maxLength", "string"),
        (node.min_items, node.max_items, "minItems", "maxItems", "array"),
    ] {
        if let (Some(low), Some(high)) = (low, high)
            && low > high
        {
            let problem = format!("`{minimum}` {low} and `{maximum}` {high} exclude every {what}");
            rules.fault(&[maximum], problem, format!("make `{maximum}` at least {low}"));
        }
    }
}

struct Rules<'a> {
    pointer: &'a mut Pointer,
    out: &'a mut Vec<SchemaViolation>,
}

impl Rules<'_> {
    /// Whether the keyword's value was found wrong already, which is enough.
    fn has_fault_of(&mut self, keyword: &str) -> bool {
        const RECENT: usize = 64;
        let pointer = self.pointer.child(keyword);
        self.out.iter().rev().take(RECENT).any(|violation| violation.pointer() == pointer)
    }

    fn fault(&mut self, steps: &[&str], problem: impl Into<String>, hint: impl Into<String>) {
        for step in steps {
            self.pointer.push(step);
        }
        let keyword = steps.first().copied().unwrap_or_default();
        note(self.out, SchemaViolation::new(self.pointer.as_str(), keyword, problem, hint));
        for _ in steps {
            self.pointer.pop();
        }
    }
}

/// The name of a kind of value within a sentence.
pub(super) fn with_article(kind: &str) -> String {
    match kind {
        "null" => kind.to_owned(),
        "integer" | "array" | "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

fn types(node: &Node) -> String {
    node.types.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ")
}

fn check_listed(node: &Node, rules: &mut Rules<'_>) {
    let listed = node.listed.as_ref().map(|listed| listed.values.iter()).into_iter().flatten();
    let listed = listed.enumerate().map(|(index, value)| ("enum", Some(index.to_string()), value));
    let constant = node.constant.iter().map(|value| ("const", None, value));
    for (keyword, index, value) in listed.chain(constant) {
        let steps: Vec<&str> = std::iter::once(keyword).chain(index.as_deref()).collect();
        if !node.types.is_empty() && !node.types.iter().any(|kind| kind.fits_name(value.kind())) {
            let problem = format!(
                "{} is {}, and the type is {}",
                short(value),
                with_article(value.kind()),
                types(node)
            );
            rules.fault(&steps, problem, "change the value or `type`");
        } else if !fits_bounds(node, &value.clone().into_value()) {
            let problem = format!("{} is excluded by the bounds beside it", short(value));
            rules.fault(&steps, problem, "change the value or the bounds");
        }
    }
    if let (Some(constant), Some(listed)) = (&node.constant, &node.listed)
        && !listed.contains(&constant.clone().into_value())
    {
        let problem = format!("`const` is {}, which `enum` does not list", short(constant));
        rules.fault(&["const"], problem, "list it, or leave `enum` out");
    }
}

/// A value of a schema in a message.
fn short(value: &Json) -> String {
    super::violation::shortened(&value.clone().into_value())
}

fn check_numbers(node: &Node, rules: &mut Rules<'_>) {
    let bound = |inclusive: &Option<_>, exclusive: &Option<_>, names: [&'static str; 2], tighter| {
        let inclusive = inclusive.as_ref().map(|number| (Exact::of(number), false, names[0]));
        let exclusive = exclusive.as_ref().map(|number| (Exact::of(number), true, names[1]));
        match (inclusive, exclusive) {
            (Some(a), Some(b)) if a.0.compare(b.0) == tighter => Some(a),
            (a, None) => a,
            (_, b) => b,
        }
    };
    let low =
        bound(&node.minimum, &node.exclusive_minimum, ["minimum", "exclusiveMinimum"], Ordering::Greater);
    let high = bound(&node.maximum, &node.exclusive_maximum, ["maximum", "exclusiveMaximum"], Ordering::Less);
    let (Some((low, above, minimum)), Some((high, below, maximum))) = (low, high) else { return };
    let crossed = match low.compare(high) {
        Ordering::Greater => true,
        Ordering::Equal => above || below,
        Ordering::Less => false,
    };
    let only_integers = node.types.contains(&Kind::Integer) && !node.types.contains(&Kind::Number);
    let step = node.multiple_of.as_ref().map(Exact::of);
    let excluded = crossed
        || if only_integers {
            no_integer(low, above, high, below, step)
        } else {
            no_multiple((low, above), (high, below), step).unwrap_or(false)
        };
    if excluded {
        let what = if only_integers { "integer" } else { "number" };
        let problem = match &node.multiple_of {
            Some(step) if !crossed => {
                format!("`{minimum}` and `{maximum}` exclude every {what} that is a multiple of {step}")
            }
            _ => format!("`{minimum}` and `{maximum}` exclude every {what}"),
        };
        rules.fault(&[maximum], problem, "widen the bounds");
    }
}

/// Whether no integer, or no multiple of `multipleOf` among them, lies between two bounds.
fn no_integer(low: Exact, above: bool, high: Exact, below: bool, step: Option<Exact>) -> bool {
    let (Some(first), Some(last)) = (first_integer(low, above), last_integer(high, below)) else {
        return false;
    };
    let step = step.and_then(decimal).and_then(Decimal::least_integer).unwrap_or(1);
    let bound = |integer| (Decimal::integer(integer), false);
    has_no_multiple(bound(first), bound(last), Decimal::integer(step)).unwrap_or(first > last)
}

/// Whether no multiple of `multipleOf` lies between two bounds; `None` if there is no telling.
fn no_multiple(low: (Exact, bool), high: (Exact, bool), step: Option<Exact>) -> Option<bool> {
    has_no_multiple((decimal(low.0)?, low.1), (decimal(high.0)?, high.1), decimal(step?)?)
}

fn decimal(number: Exact) -> Option<Decimal> {
    match number {
        Exact::Integer(integer) => Some(Decimal::integer(integer)),
        Exact::Float(float) => Decimal::float(float),
    }
}

/// The least integer of at least the bound, or above it.
pub(super) fn first_integer(bound: Exact, above: bool) -> Option<i128> {
    match bound {
        Exact::Integer(integer) if above => integer.checked_add(1),
        Exact::Integer(integer) => Some(integer),
        Exact::Float(float) => match Exact::from_f64(float.ceil()) {
            Exact::Integer(integer) => Some(integer),
            Exact::Float(_) => None,
        },
    }
}

/// The greatest integer of at most the bound, or below it.
pub(super) fn last_integer(bound: Exact, below: bool) -> Option<i128> {
    match bound {
        Exact::Integer(integer) if below => integer.checked_sub(1),
        Exact::Integer(integer) => Some(integer),
        Exact::Float(float) => match Exact::from_f64(float.floor()) {
            Exact::Integer(integer) => Some(integer),
            Exact::Float(_) => None,
        },
    }
}

/// Holds each default and example against the schema that it stands in.
pub(super) fn check_annotations(
    schema: &Schema,
    node: &Node,
    pointer: &mut Pointer,
    out: &mut Vec<SchemaViolation>,
) {
    let default = node.default.iter().map(|value| ("default", None, value));
    let examples = node.examples.iter().enumerate();
    let examples = examples.map(|(index, value)| ("examples", Some(index.to_string()), value));
    for (keyword, index, json) in default.chain(examples) {
        let value = json.clone().into_value();
        if super::validator::Validator::new(schema).is_valid(node, &value) {
            continue;
        }
        let steps: Vec<&str> = std::iter::once(keyword).chain(index.as_deref()).collect();
        let reason = super::explain::explain_node(schema, node, &value);
        let reason = reason.first().map_or_else(|| short(json), ToString::to_string);
        let reason = reason.trim_start_matches("(root): ");
        let mut rules = Rules { pointer, out };
        let problem = format!("the schema refuses its own {}: {reason}", keyword.trim_end_matches('s'));
        rules.fault(&steps, problem, format!("change `{keyword}` or the schema"));
    }
    let mut child = |steps: &[&str], node: &Node| {
        for step in steps {
            pointer.push(step);
        }
        check_annotations(schema, node, pointer, out);
        for _ in steps {
            pointer.pop();
        }
    };
    for (name, property) in node.properties() {
        child(&["properties", name], property);
    }
    for (keyword, inner) in [("additionalProperties", &node.additional), ("items", &node.items)] {
        if let Some(inner) = inner {
            child(&[keyword], inner);
        }
    }
    for (keyword, branches) in [("anyOf", &node.any_of), ("oneOf", &node.one_of), ("allOf", &node.all_of)] {
        for (index, branch) in branches.iter().enumerate() {
            child(&[keyword, &index.to_string()], branch);
        }
    }
}

/// The fault of a text that cannot be read as a schema.
pub(super) fn unreadable(text: &str, error: &ParseError) -> SchemaViolation {
    let pointer = error.pointer();
    let (line, column) = error.line_and_column(text);
    match error.fault {
        Fault::TooLarge => return length(text.len()),
        Fault::TooDeep => return depth(pointer.as_str()),
        _ => {}
    }
    let problem = match error.fault {
        Fault::EqualDuplicate | Fault::ConflictingDuplicate => "the name stands twice",
        Fault::IntegerRange | Fault::FloatRange => "the number is out of range",
        Fault::CutOff => "the text ends inside a value",
        _ => "the text is not JSON",
    };
    let problem = format!("{problem} (line {line}, column {column})");
    SchemaViolation::new(pointer.as_str(), "", problem, "write one JSON value")
}

fn depth(pointer: &str) -> SchemaViolation {
    SchemaViolation::new(pointer, "", "the schema is nested too deeply", "move parts to `$defs`")
}

fn length(bytes: usize) -> SchemaViolation {
    let problem = format!("the schema has {bytes} bytes, and {} are allowed", super::MAX_BYTES);
    SchemaViolation::new("", "", problem, "make it smaller")
}

/// The error of a value nested deeper than a schema can be.
pub(super) fn too_deep() -> SchemaError {
    SchemaError::new(vec![depth("")])
}

/// The fault of a schema whose text is too long.
pub(super) fn too_long(bytes: usize) -> SchemaViolation {
    length(bytes)
}
