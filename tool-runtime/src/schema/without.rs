//! Schemas with a property less, for tools made of other tools.

use serde_json::Value;

use super::node::Properties;
use super::{ForeignSchema, Node, Schema};

impl Schema {
    /// The names of the properties that the root itself lists.
    pub(crate) fn property_names(&self) -> impl Iterator<Item = &str> {
        self.root().properties().iter().map(|(name, _)| name.as_str())
    }

    /// Whether an object must have the property.
    pub(crate) fn requires(&self, name: &str) -> bool {
        self.root().requires(name)
    }

    /// What is wrong with a value of one property, if anything is.
    pub(crate) fn fault_of_property(&self, name: &str, value: &Value) -> Option<String> {
        let mut whole = self.example();
        whole.as_object_mut()?.insert(name.to_owned(), value.clone());
        let place = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        let faults = self.explain(&whole);
        let of_property = |pointer: &str| {
            pointer.strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let own: Vec<String> =
            faults.iter().filter(|fault| of_property(fault.pointer())).map(ToString::to_string).collect();
        (!own.is_empty()).then(|| own.join("; "))
    }

    /// The same without one of the properties that the root lists.
    ///
    /// # Errors
    /// Returns why it cannot be done: the root is a union or refers elsewhere, so that more than the property hangs on it.
    pub(crate) fn without_property(&self, name: &str) -> Result<Self, String> {
        let root = self.root();
        let is_plain = root.reference.is_none() && root.branches().next().is_none() && root.all_of.is_empty();
        if !is_plain {
            return Err(
                "the arguments are no plain list of properties, others may hang on this one".to_owned()
            );
        }
        if self.is_foreign() {
            return self.foreign_without(name);
        }
        let properties: Vec<(String, Node)> =
            root.properties().iter().filter(|(other, _)| other != name).cloned().collect();
        let root = Node {
            properties: Some(Properties::new(properties)),
            required: root.required.iter().filter(|other| *other != name).cloned().collect(),
            ..root.clone()
        };
        Ok(Self::from_nodes(root, self.definitions().to_vec()))
    }

    fn foreign_without(&self, name: &str) -> Result<Self, String> {
        let mut value = self.to_value();
        if let Some(properties) = value.get_mut("properties").and_then(Value::as_object_mut) {
            properties.remove(name);
        }
        if let Some(required) = value.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|other| other != name);
            if required.is_empty() {
                value.as_object_mut().map(|members| members.remove("required"));
            }
        }
        let schema = ForeignSchema::from_value(&value).map_err(|error| error.to_string())?;
        Ok(schema.into())
    }
}
