//! The way back: from arguments in a provider's dialect to the arguments of the tool.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::super::node::Kind;
use super::part::kind_of;
use crate::value::{Json, ParseLimits, parse};

/// How to make a tool's arguments of what a model sends in a provider's dialect.
///
/// # Examples
/// ```
/// use tool_runtime::schema::dialect::Dialect;
///
/// let schema = r#"{"type":"object","properties":{"$top":{"type":"integer"}},"additionalProperties":false}"#;
/// let projection = Dialect::AnthropicStrict.project(schema)?;
/// let sent = r#"{"_top_81bf98e4094e":5}"#;
/// assert_eq!(projection.reverse().restore(sent), r#"{"$top":5}"#);
/// # Ok::<(), tool_runtime::schema::dialect::DialectError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReverseMap {
    nodes: Vec<Node>,
    is_identity: bool,
}

/// One position of the schema.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Node {
    /// Another position that says it all.
    pub(super) alias: Option<usize>,
    pub(super) fields: Vec<Field>,
    pub(super) additional: Option<usize>,
    pub(super) items: Option<usize>,
    /// Positions that hold for the same value.
    pub(super) all: Vec<usize>,
    /// Positions of which one holds.
    pub(super) branches: Vec<usize>,
    /// Which branch of a former union takes null where.
    pub(super) variants: Option<super::part::Variants>,
    pub(super) facts: Facts,
}

/// A declared property.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) sent: String,
    pub(super) name: String,
    pub(super) node: usize,
    /// Whether null stands for "left out".
    pub(super) null_is_absent: bool,
}

/// What tells one branch of a union from another, as a model sends it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Facts {
    pub(super) kinds: Vec<Kind>,
    pub(super) values: Option<Vec<Json>>,
    pub(super) required: Vec<String>,
    pub(super) closed: bool,
}

/// The most values that are looked at to choose one branch.
const FUEL: usize = 256;

impl ReverseMap {
    pub(super) fn new(nodes: Vec<Node>) -> Self {
        let changes = |field: &Field| field.null_is_absent || field.sent != field.name;
        let is_identity = !nodes.iter().any(|node| node.fields.iter().any(changes));
        if is_identity { Self::identity() } else { Self { nodes, is_identity } }
    }

    /// The map that changes nothing.
    pub fn identity() -> Self {
        Self { nodes: Vec::new(), is_identity: true }
    }

    /// Whether arguments stay as they are.
    pub fn is_identity(&self) -> bool {
        self.is_identity
    }

    /// The tool's arguments; a text that is not JSON stays as it is, for decoding to report.
    pub fn restore<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_identity {
            return Cow::Borrowed(text);
        }
        match parse(text, &ParseLimits::default()) {
            Ok(value) => Cow::Owned(self.value(&[0], value).text()),
            Err(_) => Cow::Borrowed(text),
        }
    }

    fn node(&self, mut id: usize) -> Option<&Node> {
        for _ in 0..64 {
            let node = self.nodes.get(id)?;
            match node.alias {
                Some(next) => id = next,
                None => return Some(node),
            }
        }
        None
    }

    /// Restores a value for which all of the positions hold. The nesting was bounded when the text was read.
    fn value(&self, ids: &[usize], value: Json) -> Json {
        let layers = self.layers(ids, &value);
        match value {
            Json::Array(items) => {
                let below: Vec<usize> = layers.iter().filter_map(|node| node.items).collect();
                Json::Array(items.into_iter().map(|item| self.value(&below, item)).collect())
            }
            Json::Object(members) => {
                // A tag is looked up before its own name changes.
                let absent = |field: &Field, node: &Node| match &node.variants {
                    Some(variants) => !variants.take_null(&members, &field.name, node),
                    None => field.null_is_absent,
                };
                let mut dropped = BTreeSet::new();
                for (name, member) in &members {
                    let field = layers.iter().find_map(|node| Some((node, node.field(name)?)));
                    if let Some((node, field)) = field
                        && *member == Json::Null
                        && field.null_is_absent
                        && absent(field, node)
                    {
                        dropped.insert(name.clone());
                    }
                }
                let restored = |(name, member): (String, Json)| {
                    let fields: Vec<&Field> = layers.iter().filter_map(|node| node.field(&name)).collect();
                    let below: Vec<usize> = match fields.as_slice() {
                        [] => layers.iter().filter_map(|node| node.additional).collect(),
                        fields => fields.iter().map(|field| field.node).collect(),
                    };
                    let own = fields.first().map(|field| field.name.clone());
                    (own.unwrap_or(name), self.value(&below, member))
                };
                Json::Object(
                    members.into_iter().filter(|(name, _)| !dropped.contains(name)).map(restored).collect(),
                )
            }
            scalar => scalar,
        }
    }

    /// The positions and the branches that fit the value.
    fn layers(&self, ids: &[usize], value: &Json) -> Vec<&Node> {
        let mut layers: Vec<&Node> = Vec::new();
        let mut open: Vec<usize> = ids.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            let Some(node) = self.node(id) else { continue };
            layers.push(node);
            if layers.len() > 64 {
                break;
            }
            open.extend(&node.all);
            let fits = |branch: &&usize| self.fits(**branch, value, &mut FUEL.clone());
            open.extend(node.branches.iter().find(fits).or(node.branches.first()));
        }
        layers
    }

    /// Whether the value looks like one of this position.
    fn fits(&self, id: usize, value: &Json, fuel: &mut usize) -> bool {
        let Some(node) = self.node(id) else { return true };
        let Some(left) = fuel.checked_sub(1) else { return true };
        *fuel = left;
        let facts = &node.facts;
        let kind = kind_of(value);
        let is_kind = |wanted: &Kind| *wanted == kind || (*wanted == Kind::Number && kind == Kind::Integer);
        if !facts.kinds.is_empty() && !facts.kinds.iter().any(is_kind) {
            return false;
        }
        if facts.values.as_ref().is_some_and(|values| !values.contains(value)) {
            return false;
        }
        let below = match value {
            Json::Object(members) => {
                facts.required.iter().all(|name| value.get(name).is_some())
                    && members.iter().all(|(name, member)| match node.field(name) {
                        Some(field) if field.null_is_absent && *member == Json::Null => true,
                        Some(field) => self.fits(field.node, member, fuel),
                        None if facts.closed => false,
                        None => node.additional.is_none_or(|below| self.fits(below, member, fuel)),
                    })
            }
            Json::Array(items) => {
                node.items.is_none_or(|below| items.iter().all(|item| self.fits(below, item, fuel)))
            }
            _ => true,
        };
        below
            && node.all.iter().all(|all| self.fits(*all, value, fuel))
            && (node.branches.is_empty()
                || node.branches.iter().any(|branch| self.fits(*branch, value, fuel)))
    }
}

impl Node {
    fn field(&self, sent: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.sent == sent)
    }
}

impl super::part::Variants {
    /// Whether the branch that the tag names takes null for a property; without a tag, whether all do.
    fn take_null(&self, members: &[(String, Json)], name: &str, node: &Node) -> bool {
        let takes = |(_, with_null): &(Vec<Json>, Vec<String>)| with_null.iter().any(|known| known == name);
        let Some(own) = &self.tag else { return self.branches.iter().all(takes) };
        let sent = node.fields.iter().find(|field| field.name == *own).map_or(own, |field| &field.sent);
        let tag = members.iter().find(|(name, _)| name == sent).map(|(_, value)| value);
        let branch = tag.and_then(|tag| self.branches.iter().find(|(values, _)| values.contains(tag)));
        branch.is_some_and(takes)
    }
}
