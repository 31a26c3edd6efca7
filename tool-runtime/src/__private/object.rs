//! The schema of a struct, or of a variant's fields.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::property::{Described, Members, Property, describe};

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

    pub(super) fn insert(&mut self, name: &str, schema: Value, required: bool) {
        if self.properties.insert(name.to_owned(), schema).is_none() {
            self.order.push(name.into());
        }
        if required && !self.required.iter().any(|known| known == name) {
            self.required.push(name.into());
        }
    }

    pub(super) fn merge(&mut self, schema: Value) {
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
        if let Some(others) = flat.remove("additionalProperties")
            && others != Value::Bool(false)
        {
            self.others = others;
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
