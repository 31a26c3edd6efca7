//! Schemas of the types that `#[tool_type]` describes.
//!
//! Types compose through schemars' trait; what is written here is how fields and variants make one schema: closed,
//! in the order of declaration, and the same on the wire as serde's derives.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::tool::{Constraint, Example, Literal};

pub(super) type Members = Map<String, Value>;

/// Used by generated code. A type that a field of a `#[tool_type]` can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a `#[tool_type]`",
    label = "a tool cannot describe this type",
    note = "put `#[tool_type]` on it, or derive `Serialize`, `Deserialize` and `JsonSchema`"
)]
pub trait Described: JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema + ?Sized> Described for T {}

/// Used by generated code. What is said of a field.
#[derive(Debug)]
pub struct Property<'a> {
    pub(super) name: Case<'a>,
    pub(super) optional: bool,
    pub(super) written_sometimes: bool,
    secret: bool,
    constraints: &'a [Constraint],
    default: Option<Example>,
    examples: &'a [Example],
}

/// Used by generated code. A name on the wire, of a field or a variant.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    read: &'a str,
    write: &'a str,
    pub(super) description: &'a str,
    is_read: bool,
    is_written: bool,
}

impl<'a> Case<'a> {
    /// Used by generated code.
    pub const fn new(name: &'a str, description: &'a str) -> Self {
        Self { read: name, write: name, description, is_read: true, is_written: true }
    }
    /// Used by generated code. It has another name when written.
    #[must_use]
    pub const fn written_as(mut self, name: &'a str) -> Self {
        self.write = name;
        self
    }
    /// Used by generated code.
    #[must_use]
    pub const fn only_read(mut self) -> Self {
        self.is_written = false;
        self
    }
    /// Used by generated code.
    #[must_use]
    pub const fn only_written(mut self) -> Self {
        self.is_read = false;
        self
    }

    /// The name by the generator's contract, `None` where it does not stand on the wire.
    pub(super) fn on(&self, generator: &SchemaGenerator) -> Option<&'a str> {
        if generator.contract().is_deserialize() {
            self.is_read.then_some(self.read)
        } else {
            self.is_written.then_some(self.write)
        }
    }
}

impl<'a> Property<'a> {
    /// Used by generated code. A field, and whether reading does without it.
    pub const fn new(name: &'a str, description: &'a str, optional: bool) -> Self {
        Self {
            name: Case::new(name, description),
            optional,
            written_sometimes: false,
            secret: false,
            constraints: &[],
            default: None,
            examples: &[],
        }
    }
    /// Used by generated code. It has another name when written.
    #[must_use]
    pub const fn written_as(mut self, name: &'a str) -> Self {
        self.name = self.name.written_as(name);
        self
    }
    /// Used by generated code.
    #[must_use]
    pub const fn only_read(mut self) -> Self {
        self.name = self.name.only_read();
        self
    }
    /// Used by generated code.
    #[must_use]
    pub const fn only_written(mut self) -> Self {
        self.name = self.name.only_written();
        self
    }
    /// Used by generated code. A function decides whether it is written.
    #[must_use]
    pub const fn written_sometimes(mut self) -> Self {
        self.written_sometimes = true;
        self
    }
    /// Used by generated code.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }
    /// Used by generated code.
    #[must_use]
    pub const fn constraints(mut self, constraints: &'a [Constraint]) -> Self {
        self.constraints = constraints;
        self
    }
    /// Used by generated code. What reading makes of its absence.
    #[must_use]
    pub const fn default(mut self, default: Example) -> Self {
        self.default = Some(default);
        self
    }
    /// Used by generated code.
    #[must_use]
    pub const fn examples(mut self, examples: &'a [Example]) -> Self {
        self.examples = examples;
        self
    }

    /// The type's schema with what is said of the field.
    pub(super) fn dress(&self, schema: Value) -> Value {
        let mut members = members(schema);
        describe(&mut members, self.name.description);
        if let Some(default) = self.default.and_then(|default| default.value())
            && !(default.is_null() && self.optional)
        {
            members.insert("default".into(), default);
        }
        let examples: Vec<Value> = self.examples.iter().filter_map(Example::value).collect();
        if !examples.is_empty() {
            members.insert("examples".into(), examples.into());
        }
        for constraint in self.constraints {
            let (keyword, value) = keyword(constraint);
            members.insert(keyword.to_owned(), value);
        }
        if self.secret {
            members.insert("writeOnly".into(), true.into());
        }
        members.into()
    }
}

/// Used by generated code. The schema of a struct that is on the wire what its one field is.
pub fn newtype<T: Described + ?Sized>(
    generator: &mut SchemaGenerator,
    property: &Property<'_>,
    description: &str,
) -> Schema {
    let mut schema = members(property.dress(T::json_schema(generator).into()));
    describe(&mut schema, description);
    schema.into()
}

/// Used by generated code. The name of a generic type, told apart by its parameters.
pub fn name_with(name: &str, parameters: &[Cow<'static, str>]) -> Cow<'static, str> {
    Cow::Owned(format!("{name}_of_{}", parameters.join("_and_")))
}

/// Used by generated code. A literal as a value of the field's type, which a constant has checked.
///
/// # Panics
/// If a type without a shape refuses the literal, whose schema took it when the tool was registered.
pub fn decoded<T: DeserializeOwned>(literal: Literal) -> T {
    match serde_json::from_value(literal.value()) {
        Ok(value) => value,
        Err(error) => panic!("the default {literal:?} is no `{}`: {error}", std::any::type_name::<T>()),
    }
}

fn keyword(constraint: &Constraint) -> (&'static str, Value) {
    match *constraint {
        Constraint::Bound(keyword, value) => (keyword, value.value()),
        Constraint::Unique => ("uniqueItems", true.into()),
        Constraint::Pattern(pattern) => ("pattern", pattern.into()),
        Constraint::Format(format) => ("format", format.into()),
    }
}

pub(super) fn constant(name: &str) -> Members {
    let mut members = Members::new();
    members.insert("type".into(), "string".into());
    members.insert("const".into(), name.into());
    members
}

pub(super) fn describe(members: &mut Members, description: &str) {
    if !description.is_empty() {
        members.insert("description".into(), description.into());
    }
}

/// A schema's keywords; `true` has none, and `false` refuses everything.
pub(super) fn members(schema: Value) -> Members {
    match schema {
        Value::Object(members) => members,
        Value::Bool(false) => {
            let mut never = Members::new();
            never.insert("not".into(), Members::new().into());
            never
        }
        _ => Members::new(),
    }
}
