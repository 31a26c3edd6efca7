//! From what a macro wrote down to the schemas of a tool.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Number, Value};

use super::{
    Constraint, Description, Example, Literal, Parameter, ParameterDescription, Request, Role, ToolSpec,
};
use crate::definition::{MakeSchemas, Schemas};
use crate::schema::{Schema, SchemaError};

/// Asks a tool's entry point what it takes and returns.
pub(super) fn describe(spec: &ToolSpec) -> Description {
    let mut description =
        Description { generator: SchemaSettings::draft2020_12().into_generator(), ..Description::default() };
    (spec.entry)(Request::Describe(&mut description));
    description
}

impl MakeSchemas for ToolSpec {
    fn make(&self) -> Result<Schemas, SchemaError> {
        let description = describe(self);
        let output = description.output.clone().map(Value::from);
        let input = Schema::from_schemars(input(self, description));
        let output =
            output.filter(|schema| *schema != Value::Bool(true)).map(Schema::from_schemars).transpose();
        match (input, output) {
            (Ok(input), Ok(output)) => Ok(Schemas { input, output }),
            (input, output) => Err(SchemaError::join(
                [input.err().map(|e| e.within("input")), output.err().map(|e| e.within("output"))]
                    .into_iter()
                    .flatten(),
            )),
        }
    }
}

fn input(spec: &ToolSpec, mut description: Description) -> Value {
    let mut properties = Map::new();
    let mut order = Vec::new();
    let mut required = Vec::new();
    let described = std::mem::take(&mut description.parameters);
    for (parameter, described) in spec.parameters.iter().zip(described) {
        let Some(described) = described else { continue };
        if parameter.role == Role::Flattened {
            flatten(described.schema.into(), &mut properties, &mut order, &mut required);
            continue;
        }
        if !parameter.optional && !parameter.has_default {
            required.push(Value::from(parameter.name));
        }
        order.push(Value::from(parameter.name));
        properties.insert(parameter.name.to_owned(), property(parameter, described));
    }
    let mut root = Map::new();
    root.insert("type".into(), "object".into());
    root.insert("properties".into(), properties.into());
    root.insert("x-tool-order".into(), order.into());
    if !required.is_empty() {
        root.insert("required".into(), required.into());
    }
    root.insert("additionalProperties".into(), false.into());
    let definitions = description.generator.take_definitions(true);
    if !definitions.is_empty() {
        root.insert("$defs".into(), definitions.into());
    }
    root.into()
}

fn flatten(
    schema: Value,
    properties: &mut Map<String, Value>,
    order: &mut Vec<Value>,
    required: &mut Vec<Value>,
) {
    let Value::Object(mut schema) = schema else { return };
    if let Some(Value::Object(fields)) = schema.remove("properties") {
        match schema.remove("x-tool-order") {
            Some(Value::Array(names)) => order.extend(names),
            _ => {
                let mut names: Vec<&String> = fields.keys().collect();
                names.sort_unstable();
                order.extend(names.into_iter().map(|name| Value::from(name.as_str())));
            }
        }
        properties.extend(fields);
    }
    if let Some(Value::Array(names)) = schema.remove("required") {
        required.extend(names);
    }
}

fn property(parameter: &Parameter, described: ParameterDescription) -> Value {
    let mut schema = match Value::from(described.schema) {
        Value::Object(schema) => schema,
        Value::Bool(false) => {
            let mut never = Map::new();
            never.insert("not".into(), Value::Object(Map::new()));
            never
        }
        _ => Map::new(),
    };
    if !parameter.description.is_empty() {
        schema.insert("description".into(), parameter.description.into());
    }
    let default = parameter.default.map(Literal::value).or(described.default);
    if let Some(default) = default.filter(|default| !(default.is_null() && parameter.optional)) {
        schema.insert("default".into(), default);
    }
    if parameter.secret {
        schema.insert("writeOnly".into(), true.into());
    }
    if !parameter.examples.is_empty() {
        let examples: Vec<Value> = parameter.examples.iter().filter_map(Example::value).collect();
        schema.insert("examples".into(), examples.into());
    }
    for constraint in parameter.constraints {
        let (keyword, value) = match constraint {
            Constraint::Bound(keyword, value) => (*keyword, value.value()),
            Constraint::Unique => ("uniqueItems", Value::Bool(true)),
            Constraint::Pattern(pattern) => ("pattern", Value::from(*pattern)),
            Constraint::Format(format) => ("format", Value::from(*format)),
        };
        schema.insert(keyword.to_owned(), value);
    }
    schema.into()
}

impl Example {
    fn value(&self) -> Option<Value> {
        match self {
            Self::Literal(literal) => Some(literal.value()),
            Self::Computed(make) => make(),
        }
    }
}

impl Literal {
    /// The literal as a JSON value.
    pub(crate) fn value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Boolean(value) => value.into(),
            Self::Integer(value) => i64::try_from(value)
                .map(Value::from)
                .or_else(|_| u64::try_from(value).map(Value::from))
                .unwrap_or(Value::Null),
            Self::Number(value) => Number::from_f64(value).map_or(Value::Null, Value::Number),
            Self::String(value) => value.into(),
        }
    }

    /// The literal as JSON text.
    pub(crate) fn text(self) -> String {
        self.value().to_string()
    }
}
