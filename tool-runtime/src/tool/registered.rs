//! A tool in its erased form: a definition, a body, and what the body is called on.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::dynamic::Body;
use super::{
    Constraint, Example, Failure, Invocation, Location, Outcome, OutputCheck, Parameter, Permission, Produced, Receiver,
    Reply, Request, Role, StateNeed, ToolSpec, assemble,
};
use crate::arguments::{Slip, invalid_arguments_text, parse_arguments};
use crate::definition::{Facts, NameError, SchemaSource, ToolDefinition, ToolName};
use crate::value::canonical;

/// A tool as a registry holds it: made by `#[tool]`, by a method of a `#[toolset]`, or from a closure.
pub struct Tool {
    definition: ToolDefinition,
    body: TheBody,
    receiver: Option<Receiver>,
    exact: bool,
}

enum TheBody {
    Spec(&'static ToolSpec),
    Dynamic(Arc<dyn Body>),
}

impl Tool {
    /// A tool that a macro wrote down.
    pub(crate) fn from_spec(spec: &'static ToolSpec, receiver: Option<Receiver>) -> Self {
        Self::with_name(spec, ToolName::checked(spec.name), receiver)
    }

    /// The same under another name.
    ///
    /// # Errors
    /// Returns [`NameError`] if the name is none.
    pub(crate) fn from_spec_as(spec: &'static ToolSpec, name: String) -> Result<Self, NameError> {
        Ok(Self::with_name(spec, ToolName::new(name)?, None))
    }

    fn with_name(spec: &'static ToolSpec, name: ToolName, receiver: Option<Receiver>) -> Self {
        let definition = ToolDefinition::new(
            name,
            spec.title.map(Cow::Borrowed),
            Cow::Borrowed(spec.description),
            facts(spec),
            SchemaSource::Static(spec),
        );
        let exact = spec.parameters.iter().all(|parameter| {
            parameter.constraints.is_empty() && parameter.kind.is_exact()
        });
        Self { definition, body: TheBody::Spec(spec), receiver, exact }
    }

    pub(crate) fn from_body(definition: ToolDefinition, body: Arc<dyn Body>) -> Self {
        Self { definition, body: TheBody::Dynamic(body), receiver: None, exact: false }
    }

    /// What a model is told of it.
    pub fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.definition.name()
    }

    /// Where it is written; `None` for tools made at run time.
    pub fn location(&self) -> Option<Location> {
        self.spec().map(|spec| spec.location)
    }

    /// What happens to a result that the output schema refuses; `None` leaves it to the registry.
    pub fn output_check(&self) -> Option<OutputCheck> {
        self.spec().and_then(|spec| spec.output_check)
    }

    pub(crate) fn spec(&self) -> Option<&'static ToolSpec> {
        match &self.body {
            TheBody::Spec(spec) => Some(spec),
            TheBody::Dynamic(_) => None,
        }
    }

    pub(crate) fn parameters(&self) -> &'static [Parameter] {
        self.spec().map_or(&[], |spec| spec.parameters)
    }

    pub(crate) fn receiver(&self) -> Option<&Receiver> {
        self.receiver.as_ref()
    }

    /// Whether reading the arguments straight from the text accepts exactly what the schema accepts.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether the compiler has proved the schemas, so that nothing is left to check.
    pub(crate) fn is_proved(&self) -> bool {
        self.spec().is_some_and(|spec| {
            spec.output.is_described()
                && spec.parameters.iter().all(|parameter| {
                    // What the compiler could not see: the fields of a flattened struct, values that only the
                    // program computes, and whether a text matches a pattern.
                    let plain = parameter.has_default == parameter.default.is_some()
                        && parameter.examples.iter().all(|example| matches!(example, Example::Literal(_)));
                    let valued = parameter.has_default || !parameter.examples.is_empty();
                    let textual = parameter.constraints.iter().any(|constraint| {
                        matches!(constraint, Constraint::Pattern(_) | Constraint::Format(_))
                    });
                    parameter.kind.is_described()
                        && parameter.role != Role::Flattened
                        && plain
                        && !(valued && textual)
                })
        })
    }

    /// The state that the body cannot do without.
    pub(crate) fn needs(&self) -> Vec<StateNeed> {
        self.spec().map(|spec| spec.needs()).unwrap_or_default()
    }

    /// Checks arguments against the schema.
    ///
    /// # Errors
    /// Returns the text that names every fault.
    pub(crate) fn validate(&self, text: &str) -> Result<String, Failure> {
        let value = parse_arguments(text).map_err(|error| Failure::Arguments(error.to_string()))?.value;
        let schema = self.definition.input_schema();
        if schema.is_valid(&value) {
            return Ok(canonical(&value));
        }
        let violations = schema.explain(&value);
        Err(Failure::Arguments(invalid_arguments_text(self.name(), &violations, schema)))
    }

    /// Holds a value against the output schema, unless its type leaves nothing to check.
    ///
    /// # Errors
    /// Returns [`Failure::Value`] with everything that the schema refuses.
    pub(crate) fn check_output(&self, produced: Produced) -> Outcome {
        let (Some(text), Some(OutputCheck::Error)) = (&produced.value, self.checked_output()) else {
            return Ok(produced);
        };
        let (Some(schema), Ok(value)) = (self.definition.output_schema(), serde_json::from_str(text)) else {
            return Ok(produced);
        };
        if schema.is_valid(&value) { Ok(produced) } else { Err(Failure::Value(schema.explain(&value))) }
    }

    /// How the value is to be checked, if something is left to check.
    fn checked_output(&self) -> Option<OutputCheck> {
        let proved = self.spec().is_some_and(|spec| spec.output.is_plain());
        (!proved).then(|| self.output_check().unwrap_or(OutputCheck::Error))
    }

    /// What the model reads where the schema takes the arguments and the type behind it does not.
    pub(crate) fn refused_by_type(&self, slip: &Slip) -> Failure {
        let reason = match slip {
            Slip::Type(error) => crate::arguments::type_refusal(error),
            Slip::Text | Slip::Member => "the arguments do not fit the tool".to_owned(),
        };
        Failure::Arguments(format!("Error: invalid arguments for \"{}\":\n- {reason}", self.name()))
    }

    pub(crate) fn enter<'a>(&'a self, invocation: &'a Invocation<'a>) -> Reply<'a> {
        match &self.body {
            TheBody::Spec(spec) => (spec.entry)(Request::Call(invocation)),
            TheBody::Dynamic(body) => body.call(invocation),
        }
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name()).finish_non_exhaustive()
    }
}

fn facts(spec: &ToolSpec) -> Facts {
    Facts {
        keywords: spec.keywords,
        tags: spec.tags,
        owner: spec.owner,
        effect: spec.effect,
        idempotent: spec.idempotent,
        deferred: spec.deferred,
        background: spec.background,
        timeout: spec.timeout,
        annotations: spec.annotations,
        permission: match spec.permission {
            Permission::Fixed(name) => Some(name),
            Permission::Default | Permission::Judged(_) => None,
        },
    }
}

impl ToolSpec {
    fn needs(&self) -> Vec<StateNeed> {
        if self.parameters.iter().all(|parameter| parameter.role != Role::Injected) {
            return Vec::new();
        }
        assemble::describe(self).states
    }
}
