//! From what a macro wrote down to the schemas of a tool.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Number, Value};

use super::{
    Constraint, Description, Example, Literal, Parameter, ParameterDescription, Request, Role, ToolSpec,
};
use crate::definition::{MakeSchemas, Schemas};
use crate::schema::{Schema, SchemaError, SchemaViolation};
use crate::value::Pointer;

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
        let input = input(self, description).and_then(Schema::from_schemars);
        let output = output.map(Schema::from_schemars).transpose();
        match (input, output) {
            (Ok(input), Ok(output)) => {
                Ok(Schemas { input, output: output.filter(|schema| !schema.is_any()) })
            }
            (input, output) => Err(SchemaError::join(
                [input.err().map(|e| e.within("input")), output.err().map(|e| e.within("output"))]
                    .into_iter()
                    .flatten(),
            )),
        }
    }
}

fn input(spec: &ToolSpec, mut description: Description) -> Result<Value, SchemaError> {
    let mut arguments = Arguments::default();
    let described = std::mem::take(&mut description.parameters);
    for (parameter, described) in spec.parameters.iter().zip(described) {
        let Some(described) = described else { continue };
        if parameter.role == Role::Flattened {
            arguments.flatten(described.schema.into());
        } else {
            let required = !parameter.optional && !parameter.has_default;
            arguments.add(parameter.name, property(parameter, described), required);
        }
    }
    arguments.finish(description.generator.take_definitions(true))
}

/// The members of the object that a tool's arguments are.
#[derive(Default)]
struct Arguments {
    properties: Map<String, Value>,
    order: Vec<Value>,
    required: Vec<Value>,
    /// `additionalProperties` of a flattened struct that keeps the rest in a map.
    rest: Option<Value>,
    violations: Vec<SchemaViolation>,
}

impl Arguments {
    fn add(&mut self, name: &str, schema: Value, required: bool) {
        if self.properties.insert(name.to_owned(), schema).is_some() {
            let mut pointer = Pointer::root();
            pointer.push("properties");
            self.violations.push(SchemaViolation::new(
                pointer.child(name),
                "properties",
                format!("a field of the flattened struct and another argument are both called \"{name}\""),
                "rename one of them",
            ));
        }
        self.order.push(name.into());
        if required {
            self.required.push(name.into());
        }
    }

    /// Takes over the fields of a struct. What is more than fields would be lost among the others, so it is refused.
    fn flatten(&mut self, schema: Value) {
        let mut schema = match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        let is_struct = schema.remove("type").is_some_and(|kind| kind == "object");
        let strays = schema.keys().filter(|keyword| {
            !matches!(
                keyword.as_str(),
                "properties"
                    | "required"
                    | "additionalProperties"
                    | "title"
                    | "description"
                    | "x-tool-order"
                    | "x-tool-fast"
            )
        });
        let mut strays: Vec<String> = strays.map(|keyword| format!("`{keyword}`")).collect();
        strays.sort();
        if !is_struct || !strays.is_empty() {
            let what = if strays.is_empty() { "no object".to_owned() } else { strays.join(", ") };
            self.violations.push(SchemaViolation::new(
                "",
                "",
                format!("only the fields of a struct can be flattened into the arguments, and this type's schema has {what}"),
                "take it as a parameter of its own",
            ));
            return;
        }
        self.rest = schema.remove("additionalProperties").filter(|rest| *rest != Value::Bool(false));
        let required = match schema.remove("required") {
            Some(Value::Array(names)) => names,
            _ => Vec::new(),
        };
        let Some(Value::Object(mut fields)) = schema.remove("properties") else { return };
        let mut names: Vec<String> = match schema.remove("x-tool-order") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let mut others: Vec<String> = fields.keys().filter(|name| !names.contains(name)).cloned().collect();
        others.sort_unstable();
        names.append(&mut others);
        for name in names {
            if let Some(field) = fields.remove(&name) {
                let required = required.iter().any(|required| *required == name.as_str());
                self.add(&name, field, required);
            }
        }
    }

    fn finish(self, definitions: Map<String, Value>) -> Result<Value, SchemaError> {
        if !self.violations.is_empty() {
            return Err(SchemaError::new(self.violations));
        }
        let mut root = Map::new();
        root.insert("type".into(), "object".into());
        root.insert("properties".into(), self.properties.into());
        root.insert("x-tool-order".into(), self.order.into());
        if !self.required.is_empty() {
            root.insert("required".into(), self.required.into());
        }
        root.insert("additionalProperties".into(), self.rest.unwrap_or(Value::Bool(false)));
        if !definitions.is_empty() {
            root.insert("$defs".into(), definitions.into());
        }
        Ok(root.into())
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
    /// The example as a JSON value.
    pub(crate) fn value(&self) -> Option<Value> {
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
