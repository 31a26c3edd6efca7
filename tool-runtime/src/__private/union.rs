//! The schema of an enum.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::object::ObjectSchema;
use super::property::{Case, Described, Members, Property, constant, describe, members};

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
