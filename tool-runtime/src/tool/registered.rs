//! A tool in its erased form: a definition, a body, and what the body is called on.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::derived::Bound;
use super::dynamic::Body;
use super::measure::{has_long_number, nesting};
use super::{
    Example, Failure, Invocation, Location, OutputCheck, Parameter, Permission, Reading, Receiver, Reply,
    Request, Role, StateNeed, ToolSpec, assemble,
};
use crate::arguments::{Limits, ReadOptions, Slip, TextError, mask, read_arguments, type_refusal};
use crate::definition::{Facts, Origin, SchemaSource, Told, ToolDefinition, ToolName, Words};
use crate::error::Foreign;
use crate::output::{OutputError, Presenter};
use crate::schema::Schema;
use crate::schema::shape::Kind;
use crate::value::canonical;

/// A tool as a registry holds it: made by `#[tool]`, by a method of a `#[toolset]`, or from a closure. Cheap to clone.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is known of the types")]
pub struct Tool {
    pub(super) definition: ToolDefinition,
    body: TheBody,
    receiver: Option<Receiver>,
    /// What stands around the body; what it is, a later room knows.
    around: Option<Arc<[Arc<dyn Any + Send + Sync>]>>,
    /// Who draws its cards.
    presenter: Option<Arc<Foreign<Box<dyn Presenter>>>>,
    /// What is added to the arguments, where the tool is made of another.
    pub(super) bound: Option<Arc<Bound>>,
    /// What the body reads its arguments by, where that is not the definition.
    pub(super) inner: Option<ToolDefinition>,
    /// The types accept what the schema accepts.
    exact: bool,
    /// Every text that is short enough is read alike.
    plain: bool,
    /// A type is part of itself, so that only the schema says how deep its values may nest.
    recursive: bool,
    /// A type would round an integer too long for 64 bits.
    numbers: bool,
    /// A value may hold a set, which has no order of its own.
    sets: bool,
    /// A value may be outside of the output schema.
    checked: bool,
}

/// The longest text that is read straight, in bytes: it cannot hold more elements than the limits allow.
const MAX_DIRECT: usize = 128 * 1024;

/// The deepest nesting that `serde_json` reads.
const SERDE_DEPTH: usize = 127;

#[derive(Clone)]
enum TheBody {
    Spec(&'static ToolSpec),
    Dynamic(Arc<dyn Body>),
}

impl Tool {
    /// A tool that a macro wrote down, under a name that is one.
    pub(crate) fn named(spec: &'static ToolSpec, name: ToolName, receiver: Option<Receiver>) -> Self {
        let told = Told {
            name,
            title: spec.title.map(Cow::Borrowed),
            description: Cow::Borrowed(spec.description),
            facts: facts(spec),
        };
        let definition = ToolDefinition::new(told, SchemaSource::Static(spec));
        let exact = spec
            .parameters
            .iter()
            .all(|parameter| parameter.constraints.is_empty() && parameter.kind.is_exact());
        let numbers = exact && spec.parameters.iter().any(|parameter| parameter.kind.has_numbers());
        let recursive = exact && spec.parameters.iter().any(|parameter| parameter.kind.is_recursive());
        let checked = !spec.output.is_described() || spec.output.is_constrained();
        Self {
            definition,
            body: TheBody::Spec(spec),
            receiver,
            around: None,
            presenter: None,
            bound: None,
            inner: None,
            exact,
            plain: !numbers && !recursive,
            recursive,
            numbers,
            sets: spec.output.may_have_sets(),
            checked,
        }
    }

    /// The same, brought by somebody.
    pub(crate) fn owned_by(mut self, owner: &str) -> Self {
        let mut told = self.definition.told().clone();
        told.facts.owner = Some(Cow::Owned(owner.to_owned()));
        self.definition = self.definition.retold(told);
        self
    }

    pub(crate) fn from_body(definition: ToolDefinition, body: Arc<dyn Body>) -> Self {
        let body = TheBody::Dynamic(body);
        Self {
            definition,
            body,
            receiver: None,
            around: None,
            presenter: None,
            bound: None,
            inner: None,
            exact: false,
            plain: false,
            recursive: false,
            numbers: false,
            sets: true,
            checked: true,
        }
    }

    pub(crate) fn with_inner(mut self, held: Arc<dyn Any + Send + Sync>) -> Self {
        self.around = Some(self.around.iter().flat_map(|all| all.iter()).cloned().chain([held]).collect());
        self
    }

    pub(crate) fn around(&self) -> Option<&Arc<[Arc<dyn Any + Send + Sync>]>> {
        self.around.as_ref()
    }

    /// The same tool with somebody who draws its cards, see [`Scope::card`](crate::Scope::card).
    #[must_use]
    pub fn with_presenter(mut self, presenter: impl Presenter) -> Self {
        self.presenter = Some(Arc::new(Foreign::new(Box::new(presenter))));
        self
    }

    pub(crate) fn presenter(&self) -> Option<&dyn Presenter> {
        self.presenter.as_deref().map(|presenter| &***presenter)
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

    /// Whether reading these arguments straight from the text accepts exactly what the schema accepts.
    #[inline]
    pub(crate) fn is_exact(&self, text: &str) -> bool {
        self.exact && text.len() <= MAX_DIRECT && (self.plain || self.is_exact_for(text))
    }

    fn is_exact_for(&self, text: &str) -> bool {
        !(self.numbers && has_long_number(text) || self.recursive && self.is_too_deep(text))
    }

    /// Whether a text nests deeper than the types can be read on any stack.
    fn is_too_deep(&self, text: &str) -> bool {
        nesting(text) > self.limits().max_depth()
    }

    /// What arguments are read by: the tool's own definition, or that of the tool that it was made of.
    fn read_by(&self) -> &Schema {
        self.inner.as_ref().unwrap_or(&self.definition).input_schema()
    }

    /// What arguments may cost, so that they can be read into the types of the body.
    fn limits(&self) -> Limits {
        let limits = Limits::default();
        let is_whole = match &self.body {
            TheBody::Spec(spec) => spec.parameters.iter().any(|parameter| parameter.role == Role::Flattened),
            TheBody::Dynamic(body) if body.is_typed() => true,
            // Plain JSON is read as it is.
            TheBody::Dynamic(_) => return limits,
        };
        let decoding = self.read_by().decoding();
        let depth = decoding.depth.unwrap_or(usize::MAX).min(limits.max_depth());
        // Where all arguments are read as one value, serde_json's own limit is one level less.
        let depth = if is_whole { depth.min(SERDE_DEPTH) } else { depth };
        limits.with_max_depth(depth).with_max_nodes(decoding.nodes.unwrap_or(limits.max_nodes()))
    }

    /// Checks arguments against the schema, repairs them where the call allows it, and notes what was repaired.
    ///
    /// # Errors
    /// Returns the text that names every fault.
    pub(crate) fn validate(&self, invocation: &Invocation<'_>) -> Result<String, Failure> {
        let options = ReadOptions::for_tool(self.name())
            .repair(invocation.reading.repair)
            .limits(self.limits())
            // The types of a function bring their own.
            .defaults(self.spec().is_none());
        let read = read_arguments(invocation.text, self.read_by(), options).map_err(|error| {
            let is_limit = error.text_error().is_some_and(TextError::is_limit);
            let failure = if is_limit { Failure::Limit } else { Failure::Arguments };
            // What was sent in the place of a secret may be one.
            failure(if self.read_by().has_secrets() { error.masked() } else { error.text() })
        })?;
        invocation.reading.note(read.repairs);
        Ok(canonical(&read.value))
    }

    /// The effective arguments for others than the tool, see [`CallContext::arguments`](super::CallContext::arguments); `None` where they
    /// cannot be read.
    pub(crate) fn effective(&self, text: &str, repair: bool) -> Option<String> {
        let reading = Reading::new(repair);
        let bound = self.bound(text, &reading).ok()?;
        let options = ReadOptions::for_tool(self.name()).repair(repair);
        let schema = self.inner.as_ref().unwrap_or(&self.definition).input_schema();
        let mut value = read_arguments(bound.as_deref().unwrap_or(text), schema, options).ok()?.value;
        mask(&mut value, &schema.to_value());
        Some(canonical(&value))
    }

    /// What the model reads where the schema takes the arguments and the type behind it does not.
    pub(crate) fn refused_by_type(&self, slip: &Slip) -> Failure {
        let reason = match slip {
            // What a type says of a value may quote it.
            Slip::Argument(name, _) if self.read_by().has_secrets() => {
                format!("/{name}: not what the tool takes")
            }
            Slip::Type(_) if self.read_by().has_secrets() => "the arguments do not fit the tool".to_owned(),
            Slip::Type(error) => type_refusal(error),
            Slip::Argument(name, error) => format!("/{name}: {}", type_refusal(error)),
            Slip::Text | Slip::Member | Slip::State => "the arguments do not fit the tool".to_owned(),
        };
        let example = self.definition.input_schema().example_text();
        Failure::Arguments(format!(
            "Error: invalid arguments for \"{}\":\n- {reason}\nCall it like: {example}",
            self.name()
        ))
    }

    /// The text of a value with every set in it in one order.
    #[inline]
    pub(crate) fn settled(&self, text: String) -> String {
        if !self.sets {
            return text;
        }
        match self.definition.output_schema() {
            Some(schema) => schema.settled(text),
            None => text,
        }
    }

    /// Whether a value's text is what the model reads, without a further look.
    #[inline]
    pub(crate) fn shows_values_as_they_are(&self) -> bool {
        !self.sets && !self.checked
    }

    /// Whether a value may be outside of the output schema.
    pub(crate) fn is_checked(&self) -> bool {
        self.checked
    }

    /// What is wrong with the text of a value, where the types do not rule it out.
    pub(crate) fn output_fault(&self, text: &str) -> Option<OutputError> {
        let schema = self.definition.output_schema()?;
        let value: serde_json::Value = serde_json::from_str(text).ok()?;
        if schema.is_valid(&value) {
            return None;
        }
        let violations = schema.explain(&value);
        let problem = violations.iter().take(8).map(ToString::to_string).collect::<Vec<_>>().join("; ");
        Some(OutputError { pointer: String::new(), problem })
    }

    /// Whether the arguments would be taken; the body does not run.
    pub(crate) fn check_arguments(&self, invocation: &Invocation<'_>) -> Result<(), Failure> {
        let reply = match &self.body {
            TheBody::Spec(spec) => (spec.entry)(Request::Check(invocation)),
            TheBody::Dynamic(body) => body.check(invocation),
        };
        match reply {
            // Without the state, everything before it was read.
            Reply::Ready(Err(Failure::State)) | Reply::Described | Reply::Pending(_) | Reply::Blocking(_) => {
                Ok(())
            }
            Reply::Ready(outcome) => outcome.map(|_| ()),
        }
    }

    #[inline]
    pub(crate) fn enter(&self, invocation: &Invocation<'_>) -> Reply {
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
        keywords: Words::Static(spec.keywords),
        tags: Words::Static(spec.tags),
        owner: spec.owner.map(Cow::Borrowed),
        origin: Origin::Package(spec.location.package),
        effect: spec.effect,
        idempotent: spec.idempotent,
        deferred: spec.deferred,
        background: spec.background,
        timeout: spec.timeout,
        annotations: spec.annotations,
        permission: match spec.permission {
            Permission::Fixed(name) => Some(Cow::Borrowed(name)),
            Permission::Default | Permission::Judged(_) => None,
        },
    }
}

impl ToolSpec {
    /// Whether the compiler has proved the schemas, so that nothing is left to check: plain types, described down to their
    /// last leaf. Whether bounds leave a value over, and what only the program computes, shows in the schema alone.
    pub(crate) fn is_proved(&self) -> bool {
        let plain = |kind: Kind| kind.is_described() && !kind.is_constrained();
        plain(self.output)
            && self.parameters.iter().all(|parameter| {
                plain(parameter.kind)
                    && parameter.role != Role::Flattened
                    && parameter.constraints.is_empty()
                    && parameter.has_default == parameter.default.is_some()
                    && parameter.examples.iter().all(|example| matches!(example, Example::Literal(_)))
            })
    }

    /// The state that the body cannot do without.
    pub(crate) fn needs(&self) -> Vec<StateNeed> {
        if self.parameters.iter().all(|parameter| parameter.role != Role::Injected) {
            return Vec::new();
        }
        assemble::describe(self).states
    }
}
