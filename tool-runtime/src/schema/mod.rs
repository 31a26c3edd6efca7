//! Schemas: what a value must look like, checked by code of our own.
//!
//! A [`Schema`] holds only keywords that the validator enforces, each in a place where it has an effect; anything
//! else is refused when the schema is made, with everything that is wrong with it. So a schema that exists means
//! what it says. Schemas that others wrote and that go beyond the executable subset never become a [`Schema`].

mod decoding;
mod describe;
pub mod dialect;
mod ecma;
mod error;
mod example;
mod explain;
mod foreign;
mod format;
mod hint;
mod link;
mod multiple;
mod node;
mod normalize;
mod pattern;
mod rules;
mod settle;
pub mod shape;
mod subset;
mod union;
mod validator;
mod violation;
mod without;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use self::decoding::Decoding;
use self::dialect::{Dialect, Kept, Projections};
pub use self::error::{SchemaError, SchemaViolation};
pub use self::foreign::{Draft, ForeignSchema};
pub use self::violation::{Got, Violation};

pub(crate) use self::node::{Kind, Node, Reference, Target};
pub(crate) use self::validator::Validator;
use crate::value::{Json, ParseLimits, Pointer, parse};

/// A JSON Schema in the executable subset.
///
/// The subset: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `anyOf`,
/// `oneOf`, `$ref` to `#` or `#/$defs/…`, `$defs` at the root; the bounds `minimum`, `maximum`,
/// `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`, `minLength`, `maxLength`, `minItems`, `maxItems`,
/// `uniqueItems`; `pattern`; the formats `date-time`, `date`, `time`, `uuid`, `ipv4`, `ipv6`, `email`, `uri` and
/// `hostname`; and the annotations `title`, `description`, `default`, `examples`, `deprecated`, `readOnly`,
/// `writeOnly` and `$comment`. A clone is cheap.
///
/// # Examples
/// ```
/// use serde_json::json;
/// use tool_runtime::schema::Schema;
///
/// let schema = Schema::parse(
///     r#"{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":255}},"required":["n"]}"#,
/// )?;
/// assert!(schema.is_valid(&json!({"n": 7})));
/// let lines: Vec<String> = schema.explain(&json!({"n": 300})).iter().map(ToString::to_string).collect();
/// assert_eq!(lines, ["/n: expected integer from 0 to 255, got integer 300"]);
///
/// let error = Schema::parse(r#"{"type":"int"}"#).map(|_| ()).unwrap_err();
/// assert_eq!(error.to_string(), "/type: JSON Schema has no type \"int\"; write \"integer\"");
/// # Ok::<(), tool_runtime::schema::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct Schema {
    inner: Arc<Inner>,
}

/// A schema whose references are resolved.
struct Inner {
    root: Node,
    definitions: Vec<(String, Node)>,
    text: String,
    /// Whether several ways can lead to one definition, so that verdicts are worth remembering.
    remember: bool,
    /// Whether a property has a default.
    defaults: bool,
    /// What its types can be read from.
    decoding: OnceLock<Decoding>,
    /// Whether something in it is marked as secret.
    secrets: OnceLock<bool>,
    /// The text of a right value, for messages; empty where none is found.
    right: OnceLock<String>,
    /// What a foreign schema has besides: its own JSON and its verdict.
    foreign: Option<foreign::Verdict>,
    /// What providers read of it, as far as they were asked for.
    projections: Projections,
}

/// The longest schema, in bytes of its text.
const MAX_BYTES: usize = 256 * 1024;

/// The most schemas that are looked at together for one value.
const MAX_AT_ONCE: usize = 4 * link::MAX_CHAIN;

/// The deepest nesting of the JSON that a schema is written in: 64 schemas, their keywords, and values below.
const MAX_JSON_DEPTH: usize = 200;

impl Schema {
    /// Reads a schema from text; properties keep the order in which they stand.
    ///
    /// # Errors
    /// Returns [`SchemaError`] with everything that is outside of the executable subset or has no effect.
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let limits = ParseLimits { bytes: MAX_BYTES, depth: MAX_JSON_DEPTH, nodes: MAX_BYTES };
        match parse(text, &limits) {
            Ok(json) => Self::read(&json, false),
            Err(error) => Err(SchemaError::new(vec![rules::unreadable(text, &error)])),
        }
    }

    /// Reads a schema from a value; properties are sorted by name.
    ///
    /// # Errors
    /// As [`Schema::parse`].
    pub fn from_value(value: &Value) -> Result<Self, SchemaError> {
        let json = Json::from_value(value, MAX_JSON_DEPTH).ok_or_else(rules::too_deep)?;
        Self::read(&json, true)
    }

    /// Reads what schemars made of a Rust type: what only Rust knows becomes what JSON Schema knows.
    #[expect(clippy::needless_pass_by_value, reason = "the value was made for this call alone")]
    pub(crate) fn from_schemars(value: Value) -> Result<Self, SchemaError> {
        let mut json = Json::from_value(&value, MAX_JSON_DEPTH).ok_or_else(rules::too_deep)?;
        normalize::normalize(&mut json);
        Self::read(&json, true)
    }

    /// Whether every valid value is an object, as a tool's arguments must be. Of a foreign schema it is enough that
    /// it takes objects, since arguments are never anything else.
    pub fn is_object(&self) -> bool {
        let root = &self.inner.root;
        if self.inner.foreign.is_some() {
            return self.chain(root).all(|node| {
                node.boolean != Some(false) && (node.types.is_empty() || node.types.contains(&Kind::Object))
            });
        }
        root.types == [Kind::Object]
    }

    /// Whether others wrote it.
    pub(crate) fn is_foreign(&self) -> bool {
        self.inner.foreign.is_some()
    }

    /// Whether it says nothing.
    pub(crate) fn is_any(&self) -> bool {
        matches!(self.text(), "{}" | "true")
    }

    /// Whether only `null` is valid.
    pub(crate) fn is_null(&self) -> bool {
        self.inner.root.types == [Kind::Null]
    }

    /// The same with `properties` written even where there are none, since providers refuse objects without.
    pub(crate) fn with_properties(self) -> Self {
        if self.inner.root.properties.is_some() || self.inner.foreign.is_some() || !self.is_object() {
            return self;
        }
        let root = Node { properties: Some(node::Properties::default()), ..self.inner.root.clone() };
        Self::from_nodes(root, self.inner.definitions.clone())
    }

    /// The same, but for a struct without a field, which becomes the schema of no arguments.
    pub(crate) fn closed_if_empty(self) -> Self {
        let root = &self.inner.root;
        let is_empty = self.is_object()
            && root.properties().is_empty()
            && root.additional.is_none()
            && root.reference.is_none()
            && root.branches().next().is_none();
        if is_empty { Self::no_arguments() } else { self.with_properties() }
    }

    /// Whether the schema says anything of an object beyond that it is one: properties, or what may stand beside.
    pub(crate) fn has_properties(&self) -> bool {
        let root = &self.inner.root;
        !(root.properties().is_empty()
            && root.is_closed()
            && root.reference.is_none()
            && root.branches().next().is_none())
    }

    /// The schema of the arguments of a tool that takes none.
    pub fn no_arguments() -> Self {
        let closed = Node { boolean: Some(false), ..Node::default() };
        let root = Node {
            types: vec![Kind::Object],
            properties: Some(node::Properties::default()),
            additional: Some(Box::new(closed)),
            ..Node::default()
        };
        Self::from_nodes(root, Vec::new())
    }

    /// The text of the schema, without blanks.
    ///
    /// Keywords stand in one order: `$ref`, `type`, `title`, `description`, `enum`, `const`, `format`, `pattern`,
    /// `minimum`, `exclusiveMinimum`, `maximum`, `exclusiveMaximum`, `multipleOf`, `minLength`, `maxLength`,
    /// `properties`, `required`, `additionalProperties`, `items`, `minItems`, `maxItems`, `uniqueItems`, `anyOf`,
    /// `oneOf`, `default`, `examples`, `deprecated`, `readOnly`, `writeOnly`, `$comment`, `$defs`. Properties
    /// stand in the order of their declaration.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The schema in a dialect, made once.
    pub(crate) fn projection(&self, dialect: Dialect) -> &Kept {
        self.inner.projections.get(dialect, self)
    }

    /// The schema as a value.
    pub fn to_value(&self) -> Value {
        match &self.inner.foreign {
            Some(foreign) => foreign.to_value(),
            None => write::write(&self.inner.root, &self.inner.definitions).into_value(),
        }
    }

    /// Whether the value is right.
    pub fn is_valid(&self, value: &Value) -> bool {
        let verdict = self.inner.foreign.as_ref().and_then(|foreign| foreign.is_valid(value));
        verdict.unwrap_or_else(|| Validator::new(self).is_valid(self.root(), value))
    }

    /// Everything that is wrong with the value, in the order of the schema; empty if it is right.
    ///
    /// The cost is linear in the value. Of a union, the branch that fits best is reported.
    pub fn explain(&self, value: &Value) -> Vec<Violation> {
        let violations = explain::explain(self, value);
        if violations.is_empty() && !self.is_valid(value) {
            // Only a foreign schema has rules that are not explained.
            return vec![Violation::unexplained(value)];
        }
        violations
    }

    /// A small value that is right: required properties only, or the schema's own example.
    ///
    /// Where a `pattern` is too intricate to find a text for, the text in its place is not right.
    pub fn example(&self) -> Value {
        example::example(self).into_value()
    }

    /// A small value that one position of the schema takes.
    pub(crate) fn example_of(&self, node: &Node) -> Option<Value> {
        example::example_of(self, node).map(Json::into_value)
    }

    /// The same, made once; empty where no right value is found.
    pub(crate) fn right_text(&self) -> &str {
        self.inner
            .right
            .get_or_init(|| if self.is_valid(&self.example()) { self.example_text() } else { String::new() })
    }

    /// The JSON of [`Schema::example`], properties in the order of the schema.
    pub(crate) fn example_text(&self) -> String {
        example::example(self).text()
    }

    /// The tree.
    pub(crate) fn root(&self) -> &Node {
        &self.inner.root
    }

    /// The definitions in their order.
    pub(crate) fn definitions(&self) -> &[(String, Node)] {
        &self.inner.definitions
    }

    /// Whether something anywhere in it is marked as secret.
    pub(crate) fn has_secrets(&self) -> bool {
        *self.inner.secrets.get_or_init(|| self.text().contains(r#""writeOnly":true"#))
    }

    /// Whether a property has a default.
    pub(crate) fn has_defaults(&self) -> bool {
        self.inner.defaults
    }

    /// Where a reference leads; always somewhere for the references of this schema.
    pub(crate) fn definition(&self, reference: &Reference) -> Option<&Node> {
        match reference.target {
            Target::Root => Some(&self.inner.root),
            Target::Definition(index) => self.inner.definitions.get(index).map(|(_, node)| node),
        }
    }

    /// A node, its `allOf` and what its `$ref` leads to, and so on: all that hold for a value at once.
    pub(crate) fn chain<'s>(&'s self, node: &'s Node) -> impl Iterator<Item = &'s Node> {
        let mut next = Some(node);
        let mut pending = Vec::new();
        let all = std::iter::from_fn(move || {
            let node = next.take().or_else(|| pending.pop())?;
            pending.extend(node.all_of.iter().rev());
            next = node.reference.as_ref().and_then(|reference| self.definition(reference));
            Some(node)
        });
        // References that lead in a circle were refused; the limit is a second lock on the same door.
        all.take(MAX_AT_ONCE)
    }

    fn read(json: &Json, sorted: bool) -> Result<Self, SchemaError> {
        let mut reader = subset::Reader::new(json, sorted);
        let (root, definitions) = reader.document(json);
        let mut violations = reader.into_violations();
        // What was refused of a node was left out of it, so that the rest can still be held against it; only
        // references must lead somewhere.
        if violations.iter().any(|violation| violation.keyword() == "$ref") {
            return Err(SchemaError::new(violations));
        }
        let before = violations.len();
        link::check(&root, &definitions, &mut violations);
        if violations.len() > before {
            return Err(SchemaError::new(violations));
        }
        let schema = Self::from_nodes(root, definitions);
        if schema.inner.text.len() > MAX_BYTES {
            violations.push(rules::too_long(schema.inner.text.len()));
        }
        violations.extend(schema.annotation_faults());
        if violations.is_empty() { Ok(schema) } else { Err(SchemaError::new(violations)) }
    }

    /// The defaults and examples that the schema itself refuses.
    fn annotation_faults(&self) -> Vec<SchemaViolation> {
        let mut violations = Vec::new();
        rules::check_annotations(self, self.root(), &mut Pointer::root(), &mut violations);
        let mut pointer = Pointer::root();
        pointer.push("$defs");
        for (name, node) in self.definitions() {
            pointer.push(name);
            rules::check_annotations(self, node, &mut pointer, &mut violations);
            pointer.pop();
        }
        violations
    }

    fn from_nodes(root: Node, definitions: Vec<(String, Node)>) -> Self {
        let text = write::write(&root, &definitions).text();
        Self::assemble(root, definitions, text, None)
    }

    fn assemble(
        root: Node,
        definitions: Vec<(String, Node)>,
        text: String,
        foreign: Option<foreign::Verdict>,
    ) -> Self {
        let remember = link::has_several_ways(&root, &definitions);
        let defaults = link::has_defaults(&root, &definitions);
        Self {
            inner: Arc::new(Inner {
                root,
                definitions,
                text,
                remember,
                defaults,
                decoding: OnceLock::new(),
                secrets: OnceLock::new(),
                right: OnceLock::new(),
                foreign,
                projections: Projections::default(),
            }),
        }
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.text()).finish()
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl AsRef<Self> for Schema {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Schema {}
