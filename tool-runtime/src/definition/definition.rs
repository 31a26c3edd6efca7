//! The definition of a tool.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::{Effect, Fingerprint, ToolName, fingerprint};
use crate::schema::{Schema, SchemaError};
use crate::sync::Kept;

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
/// The schemas are made on first use and kept. Cheap to clone.
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
#[derive(Clone)]
pub struct ToolDefinition(Arc<Inner>);

struct Inner {
    told: Told,
    source: SchemaSource,
    schemas: OnceLock<Schemas>,
    fingerprints: OnceLock<(Fingerprint, Fingerprint)>,
    /// What requests say of it, as far as they were asked for.
    texts: Kept<Form, Box<str>>,
}

/// A form in which a definition goes out to a provider, where that depends on nothing but the definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Chat,
    ChatOfLlamaCpp,
    Messages,
    MessagesDeferring,
}

/// All of a definition but its schemas.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) name: ToolName,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) facts: Facts,
}

/// What is known of a tool besides its name, description and schemas.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) keywords: Words,
    pub(crate) tags: Words,
    pub(crate) owner: Option<Cow<'static, str>>,
    pub(crate) origin: Origin,
    pub(crate) effect: Effect,
    pub(crate) idempotent: bool,
    pub(crate) deferred: Option<bool>,
    pub(crate) background: Option<bool>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) annotations: &'static [(&'static str, bool)],
    /// A fixed permission, where there is one.
    pub(crate) permission: Option<Cow<'static, str>>,
}

impl Facts {
    pub(crate) const NONE: Self = Self {
        keywords: Words::Static(&[]),
        tags: Words::Static(&[]),
        owner: None,
        origin: Origin::Runtime,
        effect: Effect::Write,
        idempotent: false,
        deferred: None,
        background: None,
        timeout: None,
        annotations: &[],
        permission: None,
    };
}

/// Where a tool comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// A crate of the program, by its package name.
    Package(&'static str),
    /// Made while the program runs.
    Runtime,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Package(name) => write!(f, "crate `{name}`"),
            Self::Runtime => f.write_str("made at run time"),
        }
    }
}

/// A few words, written in the program or made while it runs.
#[derive(Debug, Clone)]
pub(crate) enum Words {
    Static(&'static [&'static str]),
    Made(Arc<[String]>),
}

impl Words {
    fn iter(&self) -> impl Iterator<Item = &str> {
        let (fixed, made): (&[&str], &[String]) = match self {
            Self::Static(words) => (words, &[]),
            Self::Made(words) => (&[], words),
        };
        fixed.iter().copied().chain(made.iter().map(String::as_str))
    }
}

impl FromIterator<String> for Words {
    fn from_iter<I: IntoIterator<Item = String>>(words: I) -> Self {
        Self::Made(words.into_iter().collect())
    }
}

impl ToolDefinition {
    pub(crate) fn new(told: Told, source: SchemaSource) -> Self {
        let (schemas, fingerprints) = (OnceLock::new(), OnceLock::new());
        Self(Arc::new(Inner { told, source, schemas, fingerprints, texts: Kept::new() }))
    }

    /// All of it but the schemas, to make another of.
    pub(crate) fn told(&self) -> &Told {
        &self.0.told
    }

    /// The same with other words and facts.
    pub(crate) fn retold(&self, told: Told) -> Self {
        let schemas = self
            .0
            .schemas
            .get()
            .map_or_else(|| self.0.source.clone(), |made| SchemaSource::Made(made.clone()));
        Self::new(told, schemas)
    }

    /// The definition's text in one form, which `make` makes always the same.
    #[inline]
    pub(crate) fn text(&self, form: Form, make: impl Fn() -> Box<str>) -> &str {
        self.0.texts.get(form, make)
    }

    /// Whether the two are one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Makes the schemas now, so that a fault is met here and not on first use.
    pub(crate) fn check(&self) -> Result<(), SchemaError> {
        let schemas = match &self.0.source {
            SchemaSource::Static(make) => make.make()?,
            SchemaSource::Made(schemas) => schemas.clone(),
        };
        self.0.schemas.get_or_init(|| schemas);
        Ok(())
    }

    fn schemas(&self) -> &Schemas {
        self.0.schemas.get_or_init(|| match &self.0.source {
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
        self.0.told.name.as_str()
    }

    /// The name, checked.
    pub fn tool_name(&self) -> &ToolName {
        &self.0.told.name
    }

    /// A name for people.
    pub fn title(&self) -> Option<&str> {
        self.0.told.title.as_deref()
    }

    /// What the tool does, for the model.
    pub fn description(&self) -> &str {
        &self.0.told.description
    }

    /// Words under which the tool is found, too.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        self.0.told.facts.keywords.iter()
    }

    /// Tags for filters.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.0.told.facts.tags.iter()
    }

    /// Who brought the tool.
    pub fn owner(&self) -> Option<&str> {
        self.0.told.facts.owner.as_deref()
    }

    /// Where the tool comes from.
    pub fn origin(&self) -> &Origin {
        &self.0.told.facts.origin
    }

    /// What running it does to the world.
    pub fn effect(&self) -> Effect {
        self.0.told.facts.effect
    }

    /// Whether running it twice does no more than running it once.
    pub fn is_idempotent(&self) -> bool {
        self.0.told.facts.idempotent || self.0.told.facts.effect == Effect::Read
    }

    /// Whether the tool is kept out of the first listing; `None` leaves it to the scope.
    pub fn deferred(&self) -> Option<bool> {
        self.0.told.facts.deferred
    }

    /// Whether a call may go on in the background; `None` leaves it to the registry.
    pub fn background(&self) -> Option<bool> {
        self.0.told.facts.background
    }

    /// How long a call may take.
    pub fn timeout(&self) -> Option<Duration> {
        self.0.told.facts.timeout
    }

    /// Further annotations, as MCP knows them.
    pub fn annotations(&self) -> &[(&str, bool)] {
        self.0.told.facts.annotations
    }

    /// The permission that every call needs, where it does not depend on the arguments.
    pub fn permission(&self) -> Option<&str> {
        self.0.told.facts.permission.as_deref()
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
        self.0.fingerprints.get_or_init(|| fingerprint::of(self)).0
    }

    /// SHA-256 over all that a model sees and all that decides about calls: origin, owner, effect, annotations,
    /// output schema, permission.
    pub fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprints.get_or_init(|| fingerprint::of(self)).1
    }
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition").field("name", self.tool_name()).finish_non_exhaustive()
    }
}
