//! Schemas that others wrote: kept as they were sent, enforced as far as JSON Schema goes, within budgets.
//!
//! Two readers share one schema. The verdict is the full validator's, built offline and with linear regular
//! expressions. Explanations, examples and repairs are made over a typed tree of as much of the schema as our own
//! code understands. Nothing here ever asks the full validator why: its reports cost exponentially much on
//! recursive unions.

mod budget;
mod draft;
mod read;
mod resolve;
mod survey;

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

pub use self::draft::Draft;
pub(super) use self::read::Foreign;
use self::survey::Survey;
use super::error::{SchemaError, SchemaViolation};
use super::{MAX_BYTES, MAX_JSON_DEPTH, Schema, Violation, rules};
use crate::value::{Json, ParseLimits, parse};

/// A schema that came from elsewhere: the full JSON Schema, draft 4 to 2020-12, within budgets.
///
/// It is kept as it was sent. What has no effect or is not enforced is listed among its findings; what cannot be
/// relied on (references that lead out of it, dialects that nobody knows, sizes beyond the budgets) is refused,
/// with every place and reason. A clone is cheap.
///
/// # Examples
/// ```
/// use serde_json::json;
/// use tool_runtime::schema::ForeignSchema;
///
/// let schema = ForeignSchema::parse(
///     r#"{"type":"object","properties":{"n":{"type":"integer","nullable":true}},"minProperties":1}"#,
/// )?;
/// assert!(schema.is_valid(&json!({"n": 7})));
/// assert!(!schema.is_valid(&json!({})));
/// assert_eq!(schema.findings()[0].pointer(), "/properties/n/nullable");
///
/// let error = ForeignSchema::parse(r#"{"type":"object","$ref":"https://example.com/s"}"#).map(|_| ()).unwrap_err();
/// assert_eq!(error.violations()[0].pointer(), "/$ref");
/// # Ok::<(), tool_runtime::schema::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct ForeignSchema {
    schema: Schema,
    about: Arc<About>,
}

struct About {
    findings: Vec<SchemaViolation>,
    draft: Draft,
    is_guessed: bool,
}

impl ForeignSchema {
    /// Reads a schema from the text that was sent.
    ///
    /// Its dialect is what `$schema` declares, or else the first of 2020-12, draft-07 and draft-04 that it is right
    /// in.
    ///
    /// # Errors
    /// Returns [`SchemaError`] with every place for which the schema is refused, and why.
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let limits = ParseLimits { bytes: MAX_BYTES, depth: MAX_JSON_DEPTH, nodes: MAX_BYTES };
        match parse(text, &limits) {
            Ok(json) => Self::read(json, text.to_owned()),
            Err(error) => Err(SchemaError::new(vec![rules::unreadable(text, &error)])),
        }
    }

    /// Reads a schema from a value; properties are sorted by name.
    ///
    /// # Errors
    /// As [`ForeignSchema::parse`].
    pub fn from_value(value: &Value) -> Result<Self, SchemaError> {
        let json = Json::from_value(value, MAX_JSON_DEPTH).ok_or_else(rules::too_deep)?;
        let text = json.text();
        if text.len() > MAX_BYTES {
            return Err(SchemaError::new(vec![rules::too_long(text.len())]));
        }
        Self::read(json, text)
    }

    fn read(json: Json, text: String) -> Result<Self, SchemaError> {
        let declared = match json.get("$schema") {
            None => None,
            Some(uri) => match uri.as_str().and_then(Draft::from_uri) {
                Some(draft) => Some(draft),
                None => return Err(SchemaError::new(vec![unknown_dialect(uri)])),
            },
        };
        if let Some(draft) = declared {
            return Self::read_as(json, text, draft, false);
        }
        let mut first: Option<SchemaError> = None;
        for draft in Draft::GUESSES {
            let is_void = |violation: &SchemaViolation| draft.is_void_at(violation.pointer());
            if first.as_ref().is_some_and(|error| error.violations().iter().any(is_void)) {
                continue;
            }
            match Self::read_as(json.clone(), text.clone(), draft, draft != Draft::Draft202012) {
                Ok(schema) => return Ok(schema),
                // What is wrong with it in every draft is told in the words of the newest.
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or_else(|| SchemaError::new(Vec::new())))
    }

    fn read_as(json: Json, text: String, draft: Draft, is_guessed: bool) -> Result<Self, SchemaError> {
        let mut survey = Survey::new(&json, draft);
        let steps = if survey.has_faults() { 0 } else { budget::check(&mut survey) };
        if survey.has_faults() {
            return Err(SchemaError::new(survey.into_faults()));
        }
        let places = survey.places.len();
        let tree = read::read(&survey, &json, draft);
        drop(survey);
        if !tree.faults.is_empty() {
            return Err(SchemaError::new(tree.faults));
        }
        let verdict = Verdict::build(json, draft, steps, places)?;
        let schema = Schema::assemble(tree.root, tree.definitions, text, Some(verdict));
        let mut findings = tree.findings;
        if is_guessed {
            let problem = format!("the schema declares no dialect, and is right as {draft} only");
            findings.insert(0, SchemaViolation::new("", "$schema", problem, "declare it by `$schema`"));
        }
        findings.extend(schema.annotation_faults());
        Ok(Self { schema, about: Arc::new(About { findings, draft, is_guessed }) })
    }

    /// The text as it was sent.
    pub fn text(&self) -> &str {
        self.schema.text()
    }

    /// The dialect that the schema is read in.
    pub fn draft(&self) -> Draft {
        self.about.draft
    }

    /// Whether the dialect was guessed, since the schema declares none and is wrong in 2020-12.
    pub fn is_draft_guessed(&self) -> bool {
        self.about.is_guessed
    }

    /// What has no effect or is not enforced, in the order of the schema.
    pub fn findings(&self) -> &[SchemaViolation] {
        &self.about.findings
    }

    /// Whether the value is right. Formats are not asserted.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.schema.is_valid(value)
    }

    /// What is wrong with the value, at a cost linear in it; empty if it is right.
    pub fn explain(&self, value: &Value) -> Vec<Violation> {
        self.schema.explain(value)
    }

    /// A small value that is right, as far as one is found.
    pub fn example(&self) -> Value {
        self.schema.example()
    }

    /// The schema as a tool takes it.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }
}

impl From<ForeignSchema> for Schema {
    fn from(foreign: ForeignSchema) -> Self {
        foreign.schema
    }
}

impl AsRef<Schema> for ForeignSchema {
    fn as_ref(&self) -> &Schema {
        &self.schema
    }
}

impl fmt::Debug for ForeignSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForeignSchema").field("text", &self.text()).finish_non_exhaustive()
    }
}

fn unknown_dialect(uri: &Json) -> SchemaViolation {
    let uri: String = uri.text().chars().take(120).collect();
    let problem = format!("`$schema` names a dialect that is not known: {uri}");
    SchemaViolation::new("/$schema", "$schema", problem, "write it in draft-04, 06, 07, 2019-09 or 2020-12")
}

/// The most schemas that one value may pass, all levels together: each is a few frames on the stack.
#[cfg(feature = "foreign-schemas")]
const MAX_NESTING: usize = 2_000;

/// The full validator of a foreign schema, and its JSON.
pub(super) struct Verdict {
    json: Json,
    /// The deepest value that can be judged within the stack.
    #[cfg(feature = "foreign-schemas")]
    deepest: usize,
    #[cfg(feature = "foreign-schemas")]
    validator: jsonschema::Validator,
}

impl Verdict {
    pub(super) fn to_value(&self) -> Value {
        self.json.clone().into_value()
    }
}

#[cfg(not(feature = "foreign-schemas"))]
impl Verdict {
    /// Without the full validator, a schema must be one that our own enforces.
    fn build(json: Json, _: Draft, _: usize, _: usize) -> Result<Self, SchemaError> {
        Schema::read(&json, false).map(|_| Self { json })
    }

    #[expect(clippy::unused_self, reason = "the full validator needs it")]
    pub(super) fn is_valid(&self, _: &Value) -> Option<bool> {
        None
    }
}

#[cfg(feature = "foreign-schemas")]
impl Verdict {
    fn build(json: Json, draft: Draft, steps: usize, places: usize) -> Result<Self, SchemaError> {
        /// Schemas of which every one can be held on a small stack while it is built.
        const FEW: usize = 300;
        const LARGE_STACK: usize = 64 << 20;
        let deepest = MAX_NESTING.checked_div(steps + 1).unwrap_or(MAX_NESTING);
        let value = json.clone().into_value();
        let built = if places <= FEW {
            validator(&value, draft)
        } else {
            std::thread::scope(|scope| {
                let builder = std::thread::Builder::new().stack_size(LARGE_STACK);
                let built = builder
                    .spawn_scoped(scope, || validator(&value, draft))
                    .map(std::thread::ScopedJoinHandle::join);
                match built {
                    Ok(Ok(built)) => built,
                    _ => {
                        Err(SchemaViolation::new("", "", "the schema cannot be compiled", "make it smaller"))
                    }
                }
            })
        };
        built
            .map(|validator| Self { json, deepest, validator })
            .map_err(|violation| SchemaError::new(vec![violation]))
    }

    #[expect(clippy::unnecessary_wraps, reason = "without the feature there is no full validator")]
    pub(super) fn is_valid(&self, value: &Value) -> Option<bool> {
        Some(is_at_most(value, self.deepest) && self.validator.is_valid(value))
    }
}

#[cfg(feature = "foreign-schemas")]
fn validator(schema: &Value, draft: Draft) -> Result<jsonschema::Validator, SchemaViolation> {
    let draft = match draft {
        Draft::Draft4 => jsonschema::Draft::Draft4,
        Draft::Draft6 => jsonschema::Draft::Draft6,
        Draft::Draft7 => jsonschema::Draft::Draft7,
        Draft::Draft201909 => jsonschema::Draft::Draft201909,
        Draft::Draft202012 => jsonschema::Draft::Draft202012,
    };
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .should_validate_formats(false)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(jsonschema::PatternOptions::regex().size_limit(super::pattern::FOREIGN_SIZE))
        .build(schema)
        .map_err(|error| {
            let reason: String = error.masked().to_string().chars().take(200).collect();
            let problem = format!("the schema cannot be compiled: {reason}");
            SchemaViolation::new(
                error.instance_path().as_str(),
                error.kind().keyword(),
                problem,
                "correct it",
            )
        })
}

/// Whether a value is nested at most so deep.
#[cfg(feature = "foreign-schemas")]
fn is_at_most(value: &Value, depth: usize) -> bool {
    let Some(inner) = depth.checked_sub(1) else { return false };
    match value {
        Value::Array(items) => items.iter().all(|item| is_at_most(item, inner)),
        Value::Object(members) => members.values().all(|member| is_at_most(member, inner)),
        _ => true,
    }
}
