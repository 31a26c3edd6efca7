//! Stands in for the definition until the branch `schema` is merged.
#![allow(missing_docs, missing_debug_implementations, dead_code, reason = "goes with the merge")]

pub struct ToolDefinition(String, String, Schema);

pub struct Schema(String);

impl ToolDefinition {
    pub(crate) fn stub(name: &str, description: &str, schema: &str) -> Self {
        Self(name.to_owned(), description.to_owned(), Schema(schema.to_owned()))
    }

    pub fn name(&self) -> &str {
        &self.0
    }

    pub fn description(&self) -> &str {
        &self.1
    }

    pub fn title(&self) -> Option<&str> {
        None
    }

    pub fn input_schema(&self) -> &Schema {
        &self.2
    }
}

impl Schema {
    pub fn text(&self) -> &str {
        &self.0
    }
}
