//! A request's tools: what goes out, what was lost on the way, and the way back.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::arguments::ToolCall;
use crate::definition::{Form, ToolDefinition, ToolName};
use crate::schema::dialect::{Dialect, DialectError, Kept, Loss, Projection, ReverseMap, Strictness, digest};

/// The tools of one request, with a report a tool.
///
/// # Examples
/// ```
/// use tool_runtime::provider::openai::Chat;
/// use tool_runtime::schema::dialect::Strictness;
/// use tool_runtime::{Registry, ToolCall, tool};
///
/// /// Waits.
/// #[tool]
/// fn wait(
///     /// For how long, in seconds.
///     seconds: Option<u8>,
/// ) {
///     let _ = seconds;
/// }
///
/// let registry = Registry::builder().register::<wait>().build()?;
/// let request = Chat::strict().request(&registry.definition("wait"));
/// assert_eq!(request.reports()[0].strictness(), &Strictness::Holds);
/// let sent = ToolCall::new("call_1", "wait", r#"{"seconds":null}"#);
/// assert_eq!(request.restore(vec![sent])[0].name(), "wait");
/// # Ok::<(), tool_runtime::registry::RegistryError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    tools: String,
    reports: Vec<ToolReport>,
    notes: Vec<String>,
}

/// What became of one tool on the way into a request.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolReport {
    name: ToolName,
    /// Another name under which it went out.
    sent: Option<Box<str>>,
    outcome: Result<Sent, DialectError>,
}

#[derive(Debug, Clone, PartialEq)]
struct Sent {
    projection: Arc<Projection>,
    /// Why the tool is not strict in this request, while it could be in others.
    strictness: Option<Strictness>,
}

impl Request {
    /// The request's `tools`, as JSON text.
    pub fn tools(&self) -> &str {
        &self.tools
    }

    /// The same with another text of the tools.
    pub(super) fn with_tools(self, tools: String) -> Self {
        Self { tools, ..self }
    }

    /// One report a tool, in the order given.
    pub fn reports(&self) -> &[ToolReport] {
        &self.reports
    }

    /// What the provider may refuse of the request as a whole: too many tools, descriptions that are too long.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Every loss, with the name of its tool.
    pub fn losses(&self) -> impl Iterator<Item = (&str, &Loss)> {
        self.reports.iter().flat_map(|report| report.losses().iter().map(|loss| (report.name(), loss)))
    }

    /// The calls with the names and arguments that the tools know.
    ///
    /// A call of a name that was not sent stays as it is.
    pub fn restore(&self, calls: Vec<ToolCall>) -> Vec<ToolCall> {
        let restored = |call: ToolCall| {
            let Some(report) = self.reports.iter().find(|report| report.sent_name() == call.name()) else {
                return call;
            };
            let Some(reverse) = report.reverse() else { return call };
            let arguments = reverse.restore(call.arguments()).into_owned();
            ToolCall::new(call.id(), report.name(), arguments)
        };
        calls.into_iter().map(restored).collect()
    }

    /// The name under which a tool went out.
    pub fn sent_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.reports.iter().find(|report| report.name() == name).map_or(name, ToolReport::sent_name)
    }
}

impl ToolReport {
    /// The tool's name.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The name under which it went out.
    pub fn sent_name(&self) -> &str {
        self.sent.as_deref().unwrap_or_else(|| self.name())
    }

    /// Why the tool was left out of the request; `None` if it is in it.
    pub fn left_out(&self) -> Option<&DialectError> {
        self.outcome.as_ref().err()
    }

    /// What the provider does not learn as the tool's schema says it.
    pub fn losses(&self) -> &[Loss] {
        self.outcome.as_ref().map_or(&[], |sent| sent.projection.losses())
    }

    /// Whether the tool is strict in the request, and why not.
    pub fn strictness(&self) -> &Strictness {
        self.outcome.as_ref().map_or(&Strictness::NotAsked, |sent| {
            sent.strictness.as_ref().unwrap_or_else(|| sent.projection.strictness())
        })
    }

    /// How to map the arguments of a call back.
    pub fn reverse(&self) -> Option<&ReverseMap> {
        self.outcome.as_ref().ok().map(|sent| sent.projection.reverse())
    }
}

/// How an interface takes tools.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) dialect: Dialect,
    /// The dialect of tools that are not strict.
    pub(super) plain: Dialect,
    pub(super) limits: Limits,
    /// Whether one tool that is not strict makes all so.
    pub(super) all_or_none: bool,
    /// Whether a name goes out as it is.
    pub(super) takes_name: fn(&str) -> bool,
}

/// The limits over a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) tools: usize,
    /// Characters beyond which descriptions were cut by the provider.
    pub(super) description: usize,
    pub(super) strict_tools: usize,
    pub(super) optional: usize,
    pub(super) unions: usize,
    pub(super) properties: usize,
}

impl Limits {
    pub(super) const NONE: Self = Self {
        tools: usize::MAX,
        description: usize::MAX,
        strict_tools: usize::MAX,
        optional: usize::MAX,
        unions: usize::MAX,
        properties: usize::MAX,
    };
}

impl Plan {
    pub(super) const fn plain(dialect: Dialect) -> Self {
        Self { dialect, plain: dialect, limits: Limits::NONE, all_or_none: false, takes_name: any_name }
    }
}

fn any_name(_: &str) -> bool {
    true
}

/// One tool as it goes out.
pub(super) struct Outgoing<'a> {
    pub(super) definition: &'a ToolDefinition,
    pub(super) name: &'a str,
    pub(super) schema: &'a str,
    pub(super) strict: bool,
}

/// Projects the definitions and writes each with `push`.
pub(super) fn request<'a>(
    plan: &Plan,
    definitions: impl IntoIterator<Item = &'a ToolDefinition>,
    push: impl FnMut(&mut String, &Outgoing<'_>),
) -> Request {
    let tools = planned(plan, definitions);
    let text = written(&tools, push);
    let notes = notes(plan, &tools);
    let report = |tool: Planned<'_>| {
        let outcome = tool.projection.as_ref().map_err(DialectError::clone).map(|projection| Sent {
            projection: Arc::clone(projection),
            strictness: tool.reason.map(|reason| Strictness::NotWith(vec![reason])),
        });
        let sent = match tool.name {
            Cow::Borrowed(_) => None,
            Cow::Owned(name) => Some(name.into()),
        };
        ToolReport { name: tool.definition.tool_name().clone(), sent, outcome }
    };
    Request { tools: text, reports: tools.into_iter().map(report).collect(), notes }
}

/// The text of [`request`] alone. With a form, a tool's part depends on the tool alone and is kept with its definition.
pub(super) fn tools<'a>(
    plan: &Plan,
    form: Option<Form>,
    definitions: impl IntoIterator<Item = &'a ToolDefinition>,
    push: impl Fn(&mut String, &Outgoing<'_>),
) -> String {
    let Some(form) = form else { return written(&planned(plan, definitions), push) };
    // A schema that cannot be told leaves the tool out.
    let one = |definition: &'a ToolDefinition| {
        definition.text(form, || match definition.input_schema().projection(plan.dialect) {
            Ok(projection) => {
                let mut text = String::new();
                let (name, schema) = (definition.name(), projection.schema());
                push(&mut text, &Outgoing { definition, name, schema, strict: false });
                text.into()
            }
            Err(_) => Box::default(),
        })
    };
    let texts: Vec<&str> = definitions.into_iter().map(one).collect();
    let mut out = String::with_capacity(2 + texts.iter().map(|text| text.len() + 1).sum::<usize>());
    out.push('[');
    for text in texts.into_iter().filter(|text| !text.is_empty()) {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(text);
    }
    out.push(']');
    out
}

/// A tool on its way into a request.
struct Planned<'a> {
    definition: &'a ToolDefinition,
    projection: &'a Kept,
    /// The name that goes out; owned where it is not the tool's own.
    name: Cow<'a, str>,
    /// Why the tool is not strict, though by itself it could be.
    reason: Option<String>,
}

impl Planned<'_> {
    fn is_strict(&self) -> bool {
        self.projection.as_ref().is_ok_and(|projection| *projection.strictness() == Strictness::Holds)
    }
}

fn planned<'a>(plan: &Plan, definitions: impl IntoIterator<Item = &'a ToolDefinition>) -> Vec<Planned<'a>> {
    let tool = |definition: &'a ToolDefinition| Planned {
        definition,
        projection: definition.input_schema().projection(plan.dialect),
        name: Cow::Borrowed(definition.name()),
        reason: None,
    };
    let mut tools: Vec<Planned<'a>> = definitions.into_iter().map(tool).collect();
    budget(plan, &mut tools);
    let is_not = |tool: &Planned<'_>| {
        tool.projection.as_ref().is_ok_and(|known| matches!(known.strictness(), Strictness::NotWith(_)))
    };
    if plan.all_or_none && tools.iter().any(is_not) {
        for tool in tools.iter_mut().filter(|tool| tool.is_strict()) {
            tool.projection = tool.definition.input_schema().projection(plan.plain);
            tool.reason =
                Some("(root): another tool of the request is not strict, and all must be".to_owned());
        }
    }
    names(plan, &mut tools);
    tools
}

fn written(tools: &[Planned<'_>], mut push: impl FnMut(&mut String, &Outgoing<'_>)) -> String {
    // About what stands around the texts of a tool; the list is long, and growing it would copy it.
    const AROUND: usize = 96;
    let length = |tool: &Planned<'_>| {
        let schema = tool.projection.as_ref().map_or(0, |projection| projection.schema().len());
        schema + tool.name.len() + tool.definition.description().len() + AROUND
    };
    let mut out = String::with_capacity(2 + tools.iter().map(length).sum::<usize>());
    out.push('[');
    for tool in tools {
        let Ok(projection) = tool.projection else { continue };
        if out.len() > 1 {
            out.push(',');
        }
        let strict = tool.reason.is_none() && *projection.strictness() == Strictness::Holds;
        let (definition, name, schema) = (tool.definition, &*tool.name, projection.schema());
        push(&mut out, &Outgoing { definition, name, schema, strict });
    }
    out.push(']');
    out
}

/// Makes tools plain once the request's budget for strict ones is used up, and says why.
fn budget(plan: &Plan, all: &mut [Planned<'_>]) {
    let limits = plan.limits;
    let (mut tools, mut optional, mut unions, mut properties) = (0_usize, 0_usize, 0_usize, 0_usize);
    for tool in all {
        let Ok(projection) = tool.projection else { continue };
        if *projection.strictness() != Strictness::Holds {
            continue;
        }
        let measure = projection.measure();
        let next = [
            (tools + 1, limits.strict_tools, "strict tools"),
            (optional + measure.optional, limits.optional, "optional properties of strict tools"),
            (unions + measure.unions, limits.unions, "unions of strict tools"),
            (properties + measure.properties, limits.properties, "properties of strict tools"),
        ];
        match next.into_iter().find(|(would, most, _)| would > most) {
            Some((_, most, what)) => {
                tool.reason = Some(format!("(root): a request takes {most} {what}"));
                tool.projection = tool.definition.input_schema().projection(plan.plain);
            }
            None => [tools, optional, unions, properties] = next.map(|(would, ..)| would),
        }
    }
}

/// The names that go out: one a tool, none twice.
fn names(plan: &Plan, tools: &mut [Planned<'_>]) {
    if tools.iter().all(|tool| (plan.takes_name)(&tool.name)) {
        return;
    }
    let mut taken: BTreeSet<String> = tools.iter().map(|tool| tool.definition.name().to_owned()).collect();
    for tool in tools {
        let name = tool.definition.name();
        if (plan.takes_name)(name) {
            continue;
        }
        // A tool's name is in a common grammar; what a provider refuses is where it begins, or its length.
        let hex = digest(name);
        let mut lengths = (12..=40).step_by(4);
        let made = |length: usize| {
            let kept: String = name.chars().take(62 - length).collect();
            format!("_{kept}_{}", hex.get(..length).unwrap_or(&hex))
        };
        let made =
            lengths.by_ref().map(made).find(|made| !taken.contains(made)).unwrap_or_else(|| name.to_owned());
        taken.insert(made.clone());
        tool.name = Cow::Owned(made);
    }
}

fn notes(plan: &Plan, tools: &[Planned<'_>]) -> Vec<String> {
    let mut notes = Vec::new();
    let count = tools.len();
    if count > plan.limits.tools {
        notes.push(format!("the request has {count} tools, and the provider takes {}", plan.limits.tools));
    }
    let most = plan.limits.description;
    // Characters are counted only where there can be so many.
    let is_long = |text: &str| text.len() > most && text.chars().count() > most;
    let definitions = tools.iter().map(|tool| tool.definition);
    for definition in definitions.filter(|definition| is_long(definition.description())) {
        notes.push(format!(
            "the description of `{}` has more than {} characters, beyond which the provider may cut it",
            definition.name(),
            plan.limits.description
        ));
    }
    notes
}
