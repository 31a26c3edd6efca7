//! The definition of a tool.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use super::{Effect, Fingerprint, ToolName, fingerprint};
use crate::schema::{Schema, SchemaError};

/// The two schemas of a tool.
#[derive(Debug, Clone)]
pub(crate) struct Schemas {
    pub(crate) input: Schema,
    /// `None` where the output has no structure.
    pub(crate) output: Option<Schema>,
}

/// Makes a tool's schemas, when they are first asked for.
pub(crate) trait MakeSchemas: Send + Sync {
    fn make(&self) -> Result<Schemas, SchemaError>;
}

/// Where the schemas come from.
#[derive(Clone)]
pub(crate) enum SchemaSource {
    Static(&'static dyn MakeSchemas),
    Made(Schemas),
}

/// What a model is told of a tool, and what the runtime knows of it besides.
///
/// The schemas are made on first use and kept.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, tool};
///
/// /// Adds two numbers.
/// #[tool(effect = read, title = "Addition")]
/// fn add(
///     /// The first.
///     a: i64,
///     /// The second.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// let registry = Registry::builder().register::<add>().build()?;
/// let definition = registry.definition("add").expect("was registered");
/// assert_eq!(definition.description(), "Adds two numbers.");
/// assert_eq!(definition.title(), Some("Addition"));
/// assert!(definition.input_schema().text().starts_with(r#"{"type":"object""#));
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
pub struct ToolDefinition {
    pub(crate) name: ToolName,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) facts: Facts,
    pub(crate) source: SchemaSource,
    pub(crate) schemas: OnceLock<Schemas>,
    pub(crate) fingerprints: OnceLock<(Fingerprint, Fingerprint)>,
}

/// What is known of a tool besides its name, description and schemas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) keywords: &'static [&'static str],
    pub(crate) tags: &'static [&'static str],
    pub(crate) owner: Option<&'static str>,
    pub(crate) effect: Effect,
    pub(crate) idempotent: bool,
    pub(crate) deferred: Option<bool>,
    pub(crate) background: Option<bool>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) annotations: &'static [(&'static str, bool)],
    /// A fixed permission, where there is one.
    pub(crate) permission: Option<&'static str>,
}

impl Facts {
    pub(crate) const NONE: Self = Self {
        keywords: &[],
        tags: &[],
        owner: None,
        effect: Effect::Write,
        idempotent: false,
        deferred: None,
        background: None,
        timeout: None,
        annotations: &[],
        permission: None,
    };
}

impl ToolDefinition {
    pub(crate) fn new(
        name: ToolName,
        title: Option<Cow<'static, str>>,
        description: Cow<'static, str>,
        facts: Facts,
        source: SchemaSource,
    ) -> Self {
        Self {
            name,
            title,
            description,
            facts,
            source,
            schemas: OnceLock::new(),
            fingerprints: OnceLock::new(),
        }
    }

    /// Makes the schemas now, so that a fault is met here and not on first use.
    pub(crate) fn check(&self) -> Result<(), SchemaError> {
        let schemas = match &self.source {
            SchemaSource::Static(make) => make.make()?,
            SchemaSource::Made(schemas) => schemas.clone(),
        };
        self.schemas.get_or_init(|| schemas);
        Ok(())
    }

    fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| match &self.source {
            // Only proved schemas are made this late. A proof that failed is a fault of this crate, which
            // `Registry::verify` reports; a tool without arguments is then the safe reading.
            SchemaSource::Static(make) => {
                make.make().unwrap_or_else(|_| Schemas { input: Schema::no_arguments(), output: None })
            }
            SchemaSource::Made(schemas) => schemas.clone(),
        })
    }

    /// The name under which a model calls the tool.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The name, checked.
    pub fn tool_name(&self) -> &ToolName {
        &self.name
    }

    /// A name for people.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What the tool does, for the model.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Words under which the tool is found, too.
    pub fn keywords(&self) -> &[&str] {
        self.facts.keywords
    }

    /// Tags for filters.
    pub fn tags(&self) -> &[&str] {
        self.facts.tags
    }

    /// Who brought the tool.
    pub fn owner(&self) -> Option<&str> {
        self.facts.owner
    }

    /// What running it does to the world.
    pub fn effect(&self) -> Effect {
        self.facts.effect
    }

    /// Whether running it twice does no more than running it once.
    pub fn is_idempotent(&self) -> bool {
        self.facts.idempotent || self.facts.effect == Effect::Read
    }

    /// Whether the tool is kept out of the first listing; `None` leaves it to the scope.
    pub fn deferred(&self) -> Option<bool> {
        self.facts.deferred
    }

    /// Whether a call may go on in the background; `None` leaves it to the registry.
    pub fn background(&self) -> Option<bool> {
        self.facts.background
    }

    /// How long a call may take.
    pub fn timeout(&self) -> Option<Duration> {
        self.facts.timeout
    }

    /// Further annotations, as MCP knows them.
    pub fn annotations(&self) -> &[(&str, bool)] {
        self.facts.annotations
    }

    /// The permission that every call needs, where it does not depend on the arguments.
    pub fn permission(&self) -> Option<&str> {
        self.facts.permission
    }

    /// The schema of the arguments, in the deserialize contract.
    pub fn input_schema(&self) -> &Schema {
        &self.schemas().input
    }

    /// The schema of the value, in the serialize contract; `None` where it has no structure.
    pub fn output_schema(&self) -> Option<&Schema> {
        self.schemas().output.as_ref()
    }

    /// SHA-256 over all that a model sees: name, title, description and input schema, as canonical JSON.
    pub fn prompt_fingerprint(&self) -> Fingerprint {
        self.fingerprints.get_or_init(|| fingerprint::of(self)).0
    }

    /// SHA-256 over all that a model sees and all that decides about calls: owner, effect, annotations, output
    /// schema, permission.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprints.get_or_init(|| fingerprint::of(self)).1
    }
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition").field("name", &self.name).finish_non_exhaustive()
    }
}
