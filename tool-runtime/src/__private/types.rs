//! Schemas of the types that `#[tool_type]` describes.
//!
//! Types compose through schemars' trait; what is written here is how fields and variants make one schema: closed,
//! in the order of declaration, and the same on the wire as serde's derives.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::tool::{Constraint, Example, Literal};

type Members = Map<String, Value>;

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
    name: Case<'a>,
    optional: bool,
    written_sometimes: bool,
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
    description: &'a str,
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
    fn on(&self, generator: &SchemaGenerator) -> Option<&'a str> {
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
    fn dress(&self, schema: Value) -> Value {
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

/// Used by generated code. The schema of a struct, or of a variant's fields.
#[derive(Debug)]
pub struct ObjectSchema<'g> {
    generator: &'g mut SchemaGenerator,
    properties: Members,
    order: Vec<Value>,
    required: Vec<Value>,
    /// What other members may hold.
    others: Value,
    /// Schemas that are no objects and so could not be merged; the check at registration names them.
    unmerged: Vec<Value>,
}

impl<'g> ObjectSchema<'g> {
    /// Used by generated code.
    pub fn new(generator: &'g mut SchemaGenerator) -> Self {
        Self {
            generator,
            properties: Members::new(),
            order: Vec::new(),
            required: Vec::new(),
            others: Value::Bool(false),
            unmerged: Vec::new(),
        }
    }

    /// Used by generated code. Adds a field.
    pub fn property<T: Described + ?Sized>(&mut self, property: &Property<'_>) {
        let Some(name) = property.name.on(self.generator) else { return };
        let schema = property.dress(self.generator.subschema_for::<T>().into());
        let optional = if self.generator.contract().is_deserialize() {
            property.optional
        } else {
            property.written_sometimes
        };
        self.insert(name, schema, !optional);
    }

    /// Used by generated code. Adds the fields of a struct, or the members of a map, in place of the field.
    pub fn flatten<T: Described + ?Sized>(&mut self) {
        let schema = T::json_schema(self.generator).into();
        self.merge(schema);
    }

    /// Used by generated code.
    pub fn finish(&mut self, description: &str) -> Schema {
        let mut all = Members::new();
        describe(&mut all, description);
        all.insert("type".into(), "object".into());
        all.insert("properties".into(), std::mem::take(&mut self.properties).into());
        if !self.required.is_empty() {
            all.insert("required".into(), std::mem::take(&mut self.required).into());
        }
        all.insert("additionalProperties".into(), self.others.take());
        if !self.order.is_empty() {
            all.insert("x-tool-order".into(), std::mem::take(&mut self.order).into());
        }
        if !self.unmerged.is_empty() {
            all.insert("allOf".into(), std::mem::take(&mut self.unmerged).into());
        }
        all.into()
    }

    fn insert(&mut self, name: &str, schema: Value, required: bool) {
        if self.properties.insert(name.to_owned(), schema).is_none() {
            self.order.push(name.into());
        }
        if required && !self.required.iter().any(|known| known == name) {
            self.required.push(name.into());
        }
    }

    fn merge(&mut self, schema: Value) {
        let schema = self.followed(schema);
        let Value::Object(mut flat) = schema else { return self.unmerged.push(schema) };
        if flat.get("type").and_then(Value::as_str) != Some("object")
            || ["anyOf", "oneOf", "allOf"].iter().any(|keyword| flat.contains_key(*keyword))
        {
            return self.unmerged.push(flat.into());
        }
        let required = match flat.remove("required") {
            Some(Value::Array(names)) => names,
            _ => Vec::new(),
        };
        if let Some(Value::Object(mut properties)) = flat.remove("properties") {
            if let Some(Value::Array(order)) = flat.remove("x-tool-order") {
                for name in order.iter().filter_map(Value::as_str) {
                    if let Some(property) = properties.remove(name) {
                        self.insert(name, property, required.iter().any(|known| known == name));
                    }
                }
            }
            let mut rest: Vec<_> = properties.into_iter().collect();
            rest.sort_by(|(a, _), (b, _)| a.cmp(b));
            for (name, property) in rest {
                let required = required.iter().any(|known| *known == name);
                self.insert(&name, property, required);
            }
        }
        // A struct that says nothing of other members does not take them in here.
        if let Some(others) = flat.remove("additionalProperties") {
            if others != Value::Bool(false) {
                self.others = others;
            }
        }
    }

    /// The definition behind a reference.
    fn followed(&self, schema: Value) -> Value {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix("#/$defs/"));
        match name.and_then(|name| self.generator.definitions().get(name)) {
            Some(definition) => definition.clone(),
            None => schema,
        }
    }
}

/// Used by generated code. How an enum says which variant it is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Tagging<'a> {
    /// `{"Variant": …}`, or `"Variant"`.
    External,
    /// `{"tag": "Variant", …}`.
    Internal(&'a str),
    /// `{"tag": "Variant", "content": …}`.
    Adjacent(&'a str, &'a str),
    /// Nothing but the data.
    Untagged,
}

/// Used by generated code. The schema of an enum.
#[derive(Debug)]
pub struct UnionSchema<'g> {
    generator: &'g mut SchemaGenerator,
    tagging: Tagging<'g>,
    branches: Vec<Value>,
    /// Variants without data and without a description, in a row.
    names: Vec<Value>,
}

impl<'g> UnionSchema<'g> {
    /// Used by generated code.
    pub fn new(generator: &'g mut SchemaGenerator, tagging: Tagging<'g>) -> Self {
        Self { generator, tagging, branches: Vec::new(), names: Vec::new() }
    }

    /// Used by generated code. Adds a variant without data.
    pub fn unit(&mut self, case: &Case<'_>) {
        let Some(name) = case.on(self.generator) else { return };
        match self.tagging {
            Tagging::External if case.description.is_empty() => self.names.push(name.into()),
            Tagging::External => self.push(constant(name).into(), case),
            Tagging::Internal(tag) | Tagging::Adjacent(tag, _) => {
                let object = &mut ObjectSchema::new(self.generator);
                object.insert(tag, constant(name).into(), true);
                let schema = object.finish("");
                self.push(schema.into(), case);
            }
            Tagging::Untagged => {
                let mut null = Members::new();
                null.insert("type".into(), "null".into());
                self.push(null.into(), case);
            }
        }
    }

    /// Used by generated code. Adds a variant that holds a `T`.
    pub fn newtype<T: Described + ?Sized>(&mut self, case: &Case<'_>, property: &Property<'_>) {
        let Some(name) = case.on(self.generator) else { return };
        if let Tagging::Internal(tag) = self.tagging {
            let schema = T::json_schema(self.generator).into();
            let object = &mut ObjectSchema::new(self.generator);
            object.insert(tag, constant(name).into(), true);
            object.merge(schema);
            let schema = object.finish("");
            return self.push(schema.into(), case);
        }
        let schema = property.dress(self.generator.subschema_for::<T>().into());
        self.hold(name, schema, case);
    }

    /// Used by generated code. Adds a variant with fields.
    pub fn object(&mut self, case: &Case<'_>, fields: impl FnOnce(&mut ObjectSchema<'_>)) {
        let Some(name) = case.on(self.generator) else { return };
        let object = &mut ObjectSchema::new(self.generator);
        if let Tagging::Internal(tag) = self.tagging {
            object.insert(tag, constant(name).into(), true);
        }
        fields(object);
        let schema = object.finish("").into();
        self.hold(name, schema, case);
    }

    /// Used by generated code.
    pub fn finish(&mut self, description: &str) -> Schema {
        self.flush();
        let mut branches = std::mem::take(&mut self.branches);
        let mut all = if branches.len() == 1 {
            branches.pop().map_or_else(Members::new, members)
        } else {
            let keyword = if matches!(self.tagging, Tagging::Untagged) { "anyOf" } else { "oneOf" };
            let mut all = Members::new();
            all.insert(keyword.into(), branches.into());
            all
        };
        describe(&mut all, description);
        all.into()
    }

    fn hold(&mut self, name: &str, schema: Value, case: &Case<'_>) {
        let object = &mut ObjectSchema::new(self.generator);
        let schema = match self.tagging {
            Tagging::External => {
                object.insert(name, schema, true);
                object.finish("").into()
            }
            Tagging::Adjacent(tag, content) => {
                object.insert(tag, constant(name).into(), true);
                object.insert(content, schema, true);
                object.finish("").into()
            }
            Tagging::Internal(_) | Tagging::Untagged => schema,
        };
        self.push(schema, case);
    }

    fn push(&mut self, schema: Value, case: &Case<'_>) {
        self.flush();
        let mut schema = members(schema);
        describe(&mut schema, case.description);
        self.branches.push(schema.into());
    }

    fn flush(&mut self) {
        if !self.names.is_empty() {
            let mut choice = Members::new();
            choice.insert("type".into(), "string".into());
            choice.insert("enum".into(), std::mem::take(&mut self.names).into());
            self.branches.push(choice.into());
        }
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

fn constant(name: &str) -> Members {
    let mut members = Members::new();
    members.insert("type".into(), "string".into());
    members.insert("const".into(), name.into());
    members
}

fn describe(members: &mut Members, description: &str) {
    if !description.is_empty() {
        members.insert("description".into(), description.into());
    }
}

/// A schema's keywords; `true` has none, and `false` refuses everything.
fn members(schema: Value) -> Members {
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
