//! A request's tools: what goes out, what was lost on the way, and the way back.

use std::collections::BTreeSet;

use crate::arguments::ToolCall;
use crate::definition::ToolDefinition;
use crate::schema::dialect::{Dialect, DialectError, Loss, Projection, ReverseMap, Strictness, digest};

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
    name: String,
    sent: String,
    outcome: Result<Sent, DialectError>,
}

#[derive(Debug, Clone, PartialEq)]
struct Sent {
    losses: Vec<Loss>,
    strictness: Strictness,
    reverse: ReverseMap,
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
            let Some(report) = self.reports.iter().find(|report| report.sent == call.name()) else {
                return call;
            };
            let Ok(sent) = &report.outcome else { return call };
            let arguments = sent.reverse.restore(call.arguments()).into_owned();
            ToolCall::new(call.id(), report.name.as_str(), arguments)
        };
        calls.into_iter().map(restored).collect()
    }

    /// The name under which a tool went out.
    pub fn sent_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.reports.iter().find(|report| report.name == name).map_or(name, |report| &report.sent)
    }
}

impl ToolReport {
    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name under which it went out.
    pub fn sent_name(&self) -> &str {
        &self.sent
    }

    /// Why the tool was left out of the request; `None` if it is in it.
    pub fn left_out(&self) -> Option<&DialectError> {
        self.outcome.as_ref().err()
    }

    /// What the provider does not learn as the tool's schema says it.
    pub fn losses(&self) -> &[Loss] {
        self.outcome.as_ref().map_or(&[], |sent| &sent.losses)
    }

    /// Whether the tool is strict in the request, and why not.
    pub fn strictness(&self) -> &Strictness {
        self.outcome.as_ref().map_or(&Strictness::NotAsked, |sent| &sent.strictness)
    }

    /// How to map the arguments of a call back.
    pub fn reverse(&self) -> Option<&ReverseMap> {
        self.outcome.as_ref().ok().map(|sent| &sent.reverse)
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
    let definitions: Vec<&ToolDefinition> = definitions.into_iter().collect();
    let project =
        |dialect: Dialect, definition: &ToolDefinition| dialect.project(definition.input_schema().text());
    let mut projected: Vec<Result<Projection, DialectError>> =
        definitions.iter().map(|definition| project(plan.dialect, definition)).collect();
    let mut strict = budget(plan, &definitions, &mut projected);
    let one_is_not = projected.iter().flatten().any(|p| matches!(p.strictness(), Strictness::NotWith(_)));
    if plan.all_or_none && one_is_not {
        for (definition, (slot, reasons)) in definitions.iter().zip(projected.iter_mut().zip(&mut strict)) {
            if matches!(slot.as_ref().map(Projection::strictness), Ok(Strictness::Holds)) {
                *slot = project(plan.plain, definition);
                *reasons =
                    Some("(root): another tool of the request is not strict, and all must be".to_owned());
            }
        }
    }
    let names = names(plan, &definitions);
    let tools = written(&definitions, &projected, &names, &strict, push);
    let notes = notes(plan, &definitions);
    let reports = definitions.iter().zip(names).zip(projected.into_iter().zip(strict));
    let reports = reports
        .map(|((definition, sent), (projection, reason))| {
            let outcome = projection.map(|projection| Sent {
                losses: projection.losses().to_vec(),
                strictness: match reason {
                    Some(reason) => Strictness::NotWith(vec![reason]),
                    None => projection.strictness().clone(),
                },
                reverse: projection.reverse().clone(),
            });
            ToolReport { name: definition.name().to_owned(), sent, outcome }
        })
        .collect();
    Request { tools, reports, notes }
}

fn written(
    definitions: &[&ToolDefinition],
    projected: &[Result<Projection, DialectError>],
    names: &[String],
    reasons: &[Option<String>],
    mut push: impl FnMut(&mut String, &Outgoing<'_>),
) -> String {
    let mut tools = "[".to_owned();
    for (((definition, projection), name), reason) in
        definitions.iter().zip(projected).zip(names).zip(reasons)
    {
        let Ok(projection) = projection else { continue };
        if tools.len() > 1 {
            tools.push(',');
        }
        let strict = reason.is_none() && *projection.strictness() == Strictness::Holds;
        push(&mut tools, &Outgoing { definition, name, schema: projection.schema(), strict });
    }
    tools.push(']');
    tools
}

/// Makes tools plain once the request's budget for strict ones is used up, and says why.
fn budget(
    plan: &Plan,
    definitions: &[&ToolDefinition],
    projected: &mut [Result<Projection, DialectError>],
) -> Vec<Option<String>> {
    let limits = plan.limits;
    let (mut tools, mut optional, mut unions, mut properties) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut reasons = Vec::new();
    for (definition, slot) in definitions.iter().zip(projected) {
        let mut reason = None;
        if let Ok(projection) = slot.as_ref()
            && *projection.strictness() == Strictness::Holds
        {
            let measure = projection.measure();
            let next = [
                (tools + 1, limits.strict_tools, "strict tools"),
                (optional + measure.optional, limits.optional, "optional properties of strict tools"),
                (unions + measure.unions, limits.unions, "unions of strict tools"),
                (properties + measure.properties, limits.properties, "properties of strict tools"),
            ];
            match next.into_iter().find(|(would, most, _)| would > most) {
                Some((_, most, what)) => reason = Some(format!("(root): a request takes {most} {what}")),
                None => [tools, optional, unions, properties] = next.map(|(would, ..)| would),
            }
        }
        if reason.is_some() {
            *slot = plan.plain.project(definition.input_schema().text());
        }
        reasons.push(reason);
    }
    reasons
}

/// The names that go out: one a tool, none twice.
fn names(plan: &Plan, definitions: &[&ToolDefinition]) -> Vec<String> {
    let mut taken: BTreeSet<String> =
        definitions.iter().map(|definition| definition.name().to_owned()).collect();
    let mut names = Vec::new();
    for definition in definitions {
        let name = definition.name();
        if (plan.takes_name)(name) {
            names.push(name.to_owned());
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
        names.push(made);
    }
    names
}

fn notes(plan: &Plan, definitions: &[&ToolDefinition]) -> Vec<String> {
    let mut notes = Vec::new();
    let count = definitions.len();
    if count > plan.limits.tools {
        notes.push(format!("the request has {count} tools, and the provider takes {}", plan.limits.tools));
    }
    let long = definitions.iter().filter(|d| d.description().chars().count() > plan.limits.description);
    for definition in long {
        notes.push(format!(
            "the description of `{}` has more than {} characters, beyond which the provider may cut it",
            definition.name(),
            plan.limits.description
        ));
    }
    notes
}
