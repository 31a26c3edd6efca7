//! What the macro writes down of a tool: constant data and one entry point.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use schemars::{Schema as RawSchema, SchemaGenerator};

use super::judge::Judge;
use super::{Concurrency, Failure, MakeCaller, PermissionRequest, StateMap, Tool};
use crate::arguments::Repair;
use crate::definition::Effect;
use crate::output::ContentBlock;
use crate::schema::shape::{Beginnings, Kind};

/// Constant data about a tool, as `#[tool]` writes it down.
///
/// Programs name it through [`ToolHandle::SPEC`] only; its fields serve the runtime.
#[derive(Debug)]
#[non_exhaustive]
pub struct ToolSpec {
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: &'static str,
    pub(crate) keywords: &'static [&'static str],
    pub(crate) tags: &'static [&'static str],
    pub(crate) owner: Option<&'static str>,
    pub(crate) effect: Effect,
    pub(crate) idempotent: bool,
    pub(crate) deferred: Option<bool>,
    pub(crate) background: Option<bool>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) annotations: &'static [(&'static str, bool)],
    pub(crate) parallel: Parallel,
    pub(crate) permission: Permission,
    pub(crate) output_check: Option<OutputCheck>,
    pub(crate) parameters: &'static [Parameter],
    pub(crate) output: Kind,
    pub(crate) location: Location,
    pub(crate) entry: Entry,
}

/// Where a tool is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The source file, as rustc names it.
    pub file: &'static str,
    /// The line of the tool's name.
    pub line: u32,
    /// The module's path.
    pub module: &'static str,
    /// The package.
    pub package: &'static str,
}

impl Location {
    /// Used by generated code.
    #[doc(hidden)]
    pub const fn new(file: &'static str, line: u32, module: &'static str, package: &'static str) -> Self {
        Self { file, line, module, package }
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Whether calls of a tool may run beside others.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Parallel {
    /// Alone.
    Never,
    /// Beside others.
    Always,
    /// As a function of the arguments says.
    Judged(Judge<Concurrency>),
}

/// What a call of a tool needs permission for.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Permission {
    /// `tool:<name>`.
    Default,
    /// A fixed name.
    Fixed(&'static str),
    /// As a function of the arguments says.
    Judged(Judge<Vec<PermissionRequest>>),
}

/// What happens to a result that the output schema refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the three answers are a promise of the contract")]
pub enum OutputCheck {
    /// The call fails.
    Error,
    /// The call succeeds and an event tells of the fault.
    Warn,
    /// Nothing is checked beyond what JSON can hold.
    Off,
}

/// One parameter of a tool's function.
#[derive(Debug)]
#[non_exhaustive]
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) kind: Kind,
    /// What the text of a value can begin with.
    pub(crate) beginnings: Beginnings,
    pub(crate) optional: bool,
    pub(crate) role: Role,
    pub(crate) constraints: &'static [Constraint],
    pub(crate) default: Option<Literal>,
    pub(crate) has_default: bool,
    pub(crate) examples: &'static [Example],
    pub(crate) secret: bool,
}

/// Where a parameter's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Argument,
    Flattened,
    Injected,
}

/// A constant in JSON's terms.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// `null`.
    Null,
    /// A boolean.
    Boolean(bool),
    /// An integer.
    Integer(i128),
    /// A number with a fraction.
    Number(f64),
    /// A string.
    String(&'static str),
}

/// An example of an argument.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Example {
    /// A constant.
    Literal(Literal),
    /// A value that only the program can compute; `None` if it cannot stand in a schema.
    Computed(fn() -> Option<serde_json::Value>),
}

/// A constraint beyond a parameter's type, as `#[arg]` states it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Constraint {
    /// The keyword and its number.
    Bound(&'static str, Literal),
    /// `uniqueItems`.
    Unique,
    /// A regular expression that the text must match.
    Pattern(&'static str),
    /// A format of the executable subset.
    Format(&'static str),
}

/// The one entry point of a tool.
pub type Entry = for<'a> fn(Request<'a>) -> Reply;

/// What the runtime asks of an entry point.
#[derive(Debug)]
#[non_exhaustive]
pub enum Request<'a> {
    /// The schemas.
    Describe(&'a mut Description),
    /// Whether the arguments would be taken; the body does not run.
    Check(&'a Invocation<'a>),
    /// A call.
    Call(&'a Invocation<'a>),
}

/// What an entry point answers.
#[non_exhaustive]
pub enum Reply {
    /// The description has been filled in.
    Described,
    /// The call has ended.
    Ready(Outcome),
    /// The call goes on.
    Pending(Body),
    /// The call goes on, on a thread of its own, and cannot be stopped there.
    Blocking(Blocking),
}

/// A body on its way to its outcome. It owns what it needs, so that it can go on where nobody waits for it.
pub(crate) type Body = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// Makes a body that blocks a thread. What it is given is kept until that thread is done.
pub(crate) type Blocking = Box<dyn FnOnce(Option<Arc<dyn Any + Send + Sync>>) -> Body + Send>;

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Described => "Described",
            Self::Ready(_) => "Ready(..)",
            Self::Pending(_) => "Pending(..)",
            Self::Blocking(_) => "Blocking(..)",
        })
    }
}

/// How a body ended.
pub type Outcome = Result<Produced, Failure>;

/// What a body produced.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Produced {
    /// The JSON text of the value; `None` where the tool returned content blocks.
    pub(crate) value: Option<String>,
    /// What the model reads, where it is not the value's text.
    pub(crate) content: Option<Box<[ContentBlock]>>,
    /// Whether the value is another than the body's, of which the types say nothing.
    pub(crate) foreign: bool,
}

/// What an entry point tells about itself.
#[derive(Debug, Default)]
pub struct Description {
    pub(crate) generator: SchemaGenerator,
    /// One for each parameter, `None` for injected ones.
    pub(crate) parameters: Vec<Option<ParameterDescription>>,
    pub(crate) states: Vec<super::StateNeed>,
    /// `None` where the output has no structure.
    pub(crate) output: Option<RawSchema>,
}

/// What an entry point tells about one parameter.
#[derive(Debug)]
pub(crate) struct ParameterDescription {
    pub(crate) schema: RawSchema,
    /// A default that only the program could compute, or why it cannot stand in a schema.
    pub(crate) default: Option<serde_json::Value>,
}

/// One call, on its way into a body.
#[derive(Debug)]
pub struct Invocation<'a> {
    pub(crate) text: &'a str,
    pub(crate) tool: &'a Tool,
    pub(crate) states: &'a Arc<StateMap>,
    pub(crate) reading: Reading,
    pub(crate) caller: &'a dyn MakeCaller,
}

/// How the arguments of a call are read, and how they were.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Whether repairs are made.
    pub(crate) repair: bool,
    repairs: OnceLock<Box<[Repair]>>,
}

impl Reading {
    #[inline]
    pub(crate) fn new(repair: bool) -> Self {
        Self { repair, repairs: OnceLock::new() }
    }

    /// Notes what was repaired; of several readings of one call, the first.
    pub(crate) fn note(&self, repairs: Vec<Repair>) {
        if !repairs.is_empty() {
            self.repairs.get_or_init(|| repairs.into());
        }
    }

    #[inline]
    pub(crate) fn has_no_repairs(&self) -> bool {
        self.repairs.get().is_none()
    }

    #[inline]
    pub(crate) fn into_repairs(self) -> Option<Box<[Repair]>> {
        self.repairs.into_inner()
    }
}

/// The value a method's tool is called on.
pub(crate) type Receiver = Arc<dyn Any + Send + Sync>;

/// The handle of a tool: a type of the function's name, made by `#[tool]`.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, ToolHandle, tool};
///
/// /// Says hello.
/// #[tool]
/// fn hello() -> String {
///     "hello".to_owned()
/// }
///
/// assert_eq!(hello::SPEC.name(), "hello");
/// let registry = Registry::builder().register::<hello>().build()?;
/// assert_eq!(registry.definitions().len(), 1);
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool",
    label = "no tool's handle",
    note = "the handle of a tool is named like the function that has `#[tool]`"
)]
pub trait ToolHandle {
    /// The tool's constant data.
    const SPEC: &'static ToolSpec;
}

/// A type whose methods are tools, made by `#[toolset]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tools",
    label = "no toolset",
    note = "put `#[toolset]` on an impl block of it, and `#[tool]` on the methods"
)]
pub trait Toolset: Send + Sync + 'static {
    /// Its tools, in the order in which they are written.
    const TOOLS: &'static [&'static ToolSpec];
}

impl ToolSpec {
    /// The tool's name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The tool's description.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// Where the tool is written.
    pub const fn location(&self) -> Location {
        self.location
    }
}

/// The constructors that generated code uses; not for programs.
#[doc(hidden)]
impl ToolSpec {
    pub const fn new(
        name: &'static str,
        description: &'static str,
        parameters: &'static [Parameter],
        output: Kind,
        location: Location,
        entry: Entry,
    ) -> Self {
        Self {
            name,
            title: None,
            description,
            keywords: &[],
            tags: &[],
            owner: None,
            effect: Effect::Write,
            idempotent: false,
            deferred: None,
            background: None,
            timeout: None,
            annotations: &[],
            parallel: Parallel::Never,
            permission: Permission::Default,
            output_check: None,
            parameters,
            output,
            location,
            entry,
        }
    }
    /// Stands in for a tool whose declaration has mistakes, so that no second error follows.
    pub const STUB: Self = Self::new(
        "stub",
        "Stands in for a tool whose declaration has mistakes.",
        &[],
        Kind::Null,
        Location::new("", 0, "", ""),
        |_| Reply::Described,
    );
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }
    #[must_use]
    pub const fn keywords(mut self, keywords: &'static [&'static str]) -> Self {
        self.keywords = keywords;
        self
    }
    #[must_use]
    pub const fn tags(mut self, tags: &'static [&'static str]) -> Self {
        self.tags = tags;
        self
    }
    #[must_use]
    pub const fn owner(mut self, owner: &'static str) -> Self {
        self.owner = Some(owner);
        self
    }
    #[must_use]
    pub const fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }
    #[must_use]
    pub const fn deferred(mut self, deferred: bool) -> Self {
        self.deferred = Some(deferred);
        self
    }
    #[must_use]
    pub const fn background(mut self, background: bool) -> Self {
        self.background = Some(background);
        self
    }
    #[must_use]
    pub const fn timeout(mut self, milliseconds: u64) -> Self {
        self.timeout = Some(Duration::from_millis(milliseconds));
        self
    }
    #[must_use]
    pub const fn annotations(mut self, annotations: &'static [(&'static str, bool)]) -> Self {
        self.annotations = annotations;
        self
    }
    #[must_use]
    pub const fn parallel(mut self, parallel: Parallel) -> Self {
        self.parallel = parallel;
        self
    }
    #[must_use]
    pub const fn permission(mut self, permission: Permission) -> Self {
        self.permission = permission;
        self
    }
    #[must_use]
    pub const fn output_check(mut self, check: OutputCheck) -> Self {
        self.output_check = Some(check);
        self
    }
}

/// The constructors that generated code uses; not for programs.
#[doc(hidden)]
impl Parameter {
    pub const fn new(name: &'static str, description: &'static str, kind: Kind, optional: bool) -> Self {
        Self {
            name,
            description,
            kind,
            beginnings: kind.beginnings(),
            optional,
            role: Role::Argument,
            constraints: &[],
            default: None,
            has_default: false,
            examples: &[],
            secret: false,
        }
    }
    pub const fn injected() -> Self {
        let mut parameter = Self::new("", "", Kind::Null, true);
        parameter.role = Role::Injected;
        parameter
    }
    pub const fn flattened(kind: Kind) -> Self {
        let mut parameter = Self::new("", "", kind, false);
        parameter.role = Role::Flattened;
        parameter
    }
    #[must_use]
    pub const fn constraints(mut self, constraints: &'static [Constraint]) -> Self {
        self.constraints = constraints;
        self
    }
    #[must_use]
    pub const fn default(mut self, default: Literal) -> Self {
        self.default = Some(default);
        self.has_default = true;
        self
    }
    #[must_use]
    pub const fn computed_default(mut self) -> Self {
        self.has_default = true;
        self
    }
    #[must_use]
    pub const fn examples(mut self, examples: &'static [Example]) -> Self {
        self.examples = examples;
        self
    }
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }
}
