//! Tools made while the program runs.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Failure, Invocation, Outcome, Produced, Reply, Tool, output_schema, produce};
use crate::arguments::{Reader, Slip};
use crate::definition::{Effect, Facts, NameError, SchemaSource, Schemas, Told, ToolDefinition, ToolName};
use crate::error::BoxError;
use crate::schema::{ForeignSchema, Schema, SchemaError};
use crate::value::{ParseLimits, parse_value};

/// The body of a tool made while the program runs.
pub(crate) trait Body: Send + Sync {
    /// Whether arguments are read into a type of the program, and are not plain JSON.
    fn is_typed(&self) -> bool;
    fn call(&self, invocation: &Invocation<'_>) -> Reply;
    fn check(&self, invocation: &Invocation<'_>) -> Reply;
}

/// A tool made while the program runs: a name, a description, and a closure.
///
/// The same checks hold as for `#[tool]`: the name's grammar, a description, and a schema within the executable
/// subset.
///
/// # Examples
/// ```
/// use tool_runtime::{DynamicTool, Registry, ToolCall, tool_type};
///
/// #[tool_type]
/// struct Pair {
///     /// The first number.
///     a: i64,
///     /// The second number.
///     b: i64,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let add = DynamicTool::new("add", "Adds two numbers.")?
///     .typed(|pair: Pair| async move { Ok::<i64, std::io::Error>(pair.a + pair.b) })?;
/// let registry = Registry::builder().tool(add).build()?;
/// let result = registry.call(ToolCall::new("1", "add", r#"{"a":2,"b":3}"#)).await;
/// assert_eq!(result.text(), "5");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "finish it with `typed` or `with_schema`"]
pub struct DynamicTool {
    name: ToolName,
    title: Option<String>,
    description: String,
    facts: Facts,
}

/// Why a tool could not be made while the program ran.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicToolError {
    /// The name is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The description says nothing.
    #[error("tool `{name}` has no description; say what it does, models choose by it")]
    Description {
        /// The tool's name.
        name: ToolName,
    },
    /// A schema is outside the executable subset.
    #[error("the schema of tool `{name}` cannot be enforced:\n{source}")]
    Schema {
        /// The tool's name.
        name: ToolName,
        /// Every violation.
        #[source]
        source: SchemaError,
    },
    /// The schema's root is not an object.
    #[error("the arguments of tool `{name}` must be an object: give the schema `\"type\":\"object\"`")]
    Root {
        /// The tool's name.
        name: ToolName,
    },
}

impl DynamicTool {
    /// Begins a tool by its name and description.
    ///
    /// # Errors
    /// Returns [`DynamicToolError`] if the name is none or the description says nothing.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Result<Self, DynamicToolError> {
        let name = ToolName::new(name)?;
        let description = description.into();
        if description.trim().is_empty() {
            return Err(DynamicToolError::Description { name });
        }
        Ok(Self { name, title: None, description, facts: Facts::NONE })
    }

    /// Begins a tool that the runtime itself offers, under a name that is kept for it.
    pub(crate) fn reserved(name: &'static str, description: &'static str) -> Self {
        let (name, description) = (ToolName::checked(name), description.to_owned());
        Self { name, title: None, description, facts: Facts::NONE }
    }

    /// Sets a name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets what running it does to the world.
    pub fn effect(mut self, effect: Effect) -> Self {
        self.facts.effect = effect;
        self
    }

    /// Says that running it twice does no more than running it once.
    pub fn idempotent(mut self) -> Self {
        self.facts.idempotent = true;
        self
    }

    /// Sets the tags that filters go by.
    pub fn tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.facts.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Sets words under which it is found, too.
    pub fn keywords(mut self, keywords: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.facts.keywords = keywords.into_iter().map(Into::into).collect();
        self
    }

    /// Sets how long a call may take.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.facts.timeout = Some(timeout);
        self
    }

    /// Sets whether a call may go on in the background.
    pub fn background(mut self, background: bool) -> Self {
        self.facts.background = Some(background);
        self
    }

    /// Sets whether it is kept out of the first listing.
    pub fn deferred(mut self, deferred: bool) -> Self {
        self.facts.deferred = Some(deferred);
        self
    }

    /// Sets the permission that every call needs; `tool:<name>` by default.
    pub fn permission(mut self, permission: impl Into<String>) -> Self {
        self.facts.permission = Some(Cow::Owned(permission.into()));
        self
    }

    /// Finishes it with a closure of typed arguments.
    ///
    /// # Errors
    /// Returns [`DynamicToolError::Schema`] if a type's schema is outside the executable subset, and
    /// [`DynamicToolError::Root`] if the arguments are no object.
    pub fn typed<A, T, E, F, Fut>(self, function: F) -> Result<Tool, DynamicToolError>
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        T: Serialize + JsonSchema + 'static,
        E: Into<BoxError>,
        F: Fn(A) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
    {
        let input = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<A>();
        let input = Schema::from_schemars(input.into());
        let output = output_schema::<T>().map(Value::from).map(Schema::from_schemars).transpose();
        let (input, output) = match (input, output) {
            (Ok(input), Ok(output)) => (input, output.filter(|schema| !schema.is_any())),
            (input, output) => {
                let source = SchemaError::join(
                    [input.err().map(|e| e.within("input")), output.err().map(|e| e.within("output"))]
                        .into_iter()
                        .flatten(),
                );
                return Err(DynamicToolError::Schema { name: self.name, source });
            }
        };
        // `()` and unit structs are read from `null`, which is no object; nor does it need to be, without a property.
        let (input, unit) =
            if input.is_null() { (Schema::no_arguments(), true) } else { (input.closed_if_empty(), false) };
        self.finish(
            Schemas { input, output },
            Arc::new(Typed { function, plain: false, unit, types: PhantomData }),
        )
    }

    /// Finishes it with a hand-written schema and a closure of plain JSON.
    ///
    /// # Errors
    /// Returns [`DynamicToolError::Root`] if the schema takes anything but objects.
    pub fn with_schema<E, F, Fut>(self, schema: Schema, function: F) -> Result<Tool, DynamicToolError>
    where
        E: Into<BoxError>,
        F: Fn(Value) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, E>> + Send + 'static,
    {
        let body = Arc::new(Typed { function, plain: true, unit: false, types: PhantomData });
        self.finish(Schemas { input: schema.with_properties(), output: None }, body)
    }

    /// Finishes it with a schema that others wrote, as it was sent, and a closure of plain JSON.
    ///
    /// # Errors
    /// Returns [`DynamicToolError::Root`] if the schema takes no objects.
    pub fn with_foreign_schema<E, F, Fut>(
        self,
        schema: ForeignSchema,
        function: F,
    ) -> Result<Tool, DynamicToolError>
    where
        E: Into<BoxError>,
        F: Fn(Value) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, E>> + Send + 'static,
    {
        let body = Arc::new(Typed { function, plain: true, unit: false, types: PhantomData });
        self.finish(Schemas { input: schema.into(), output: None }, body)
    }

    fn finish(self, schemas: Schemas, body: Arc<dyn Body>) -> Result<Tool, DynamicToolError> {
        if !schemas.input.is_object() {
            return Err(DynamicToolError::Root { name: self.name });
        }
        let told = Told {
            name: self.name,
            title: self.title.map(Cow::Owned),
            description: Cow::Owned(self.description),
            facts: self.facts,
        };
        let definition = ToolDefinition::new(told, SchemaSource::Made(schemas));
        Ok(Tool::from_body(definition, body))
    }
}

struct Typed<F, A> {
    function: F,
    /// Whether the arguments are plain JSON.
    plain: bool,
    /// Whether there are no arguments to read.
    unit: bool,
    types: PhantomData<fn() -> A>,
}

impl<A, T, E, F, Fut> Body for Typed<F, A>
where
    A: DeserializeOwned + Send + 'static,
    T: Serialize + 'static,
    E: Into<BoxError>,
    F: Fn(A) -> Fut + Send + Sync,
    Fut: Future<Output = Result<T, E>> + Send + 'static,
{
    fn is_typed(&self) -> bool {
        !self.plain
    }

    fn check(&self, invocation: &Invocation<'_>) -> Reply {
        Reply::Ready(self.arguments(invocation).map(|_| Produced::default()))
    }

    fn call(&self, invocation: &Invocation<'_>) -> Reply {
        match self.arguments(invocation) {
            Ok(arguments) => {
                let future = (self.function)(arguments);
                Reply::Pending(Box::pin(async move { finish(future.await) }))
            }
            Err(failure) => Reply::Ready(Err(failure)),
        }
    }
}

/// Validated text was read once; its defaults may nest deeper than what a model may send.
const VALIDATED: ParseLimits = ParseLimits { bytes: usize::MAX, depth: usize::MAX, nodes: usize::MAX };

impl<F, A: DeserializeOwned + 'static> Typed<F, A> {
    fn arguments(&self, invocation: &Invocation<'_>) -> Result<A, Failure> {
        let text = invocation.tool.validate(invocation)?;
        // As deep as was allowed, and not only as `serde_json` reads.
        if self.plain
            && let Ok(value) = parse_value(&text, &VALIDATED)
            && let Ok(value) = (Box::new(value) as Box<dyn Any>).downcast::<A>()
        {
            return Ok(*value);
        }
        let text = if self.unit { "null" } else { &text };
        Reader::new(text).value::<A>().map_err(|slip: Slip| invocation.tool.refused_by_type(&slip))
    }
}

fn finish<T: Serialize + 'static, E: Into<BoxError>>(returned: Result<T, E>) -> Outcome {
    let value = returned.map_err(|error| Failure::Tool(error.into()))?;
    produce(&value)
}

impl fmt::Debug for dyn Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Body")
    }
}
