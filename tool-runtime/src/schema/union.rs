//! Which branch of a union a value was meant for.

use std::collections::{HashMap, HashSet};
use std::ptr::from_ref;

use serde_json::{Map, Value};

use super::Schema;
use super::node::Node;
use crate::value::Json;

/// What of a union is worth reporting.
pub(super) enum Pick<'s> {
    /// No branch takes a value of this kind, or several do and nothing tells which was meant.
    Kind,
    /// The branches that take a value of this kind list values.
    Listed(Vec<Json>),
    /// All branches for objects are told apart by one property, whose value is none of theirs.
    Tag {
        /// The name of the property.
        name: &'s str,
        /// The values of the branches.
        values: Vec<Json>,
    },
    /// All branches for objects have one property each, and the value has none of them.
    Key(Vec<&'s str>),
    /// The branch that fits best.
    Branch(&'s Node),
}

/// Picks what to report of a union that no branch of fits.
pub(super) fn pick<'s>(schema: &'s Schema, branches: &'s [Node], value: &Value) -> Pick<'s> {
    let mut scorer = Scorer { schema, scores: HashMap::new(), nesting: 0 };
    let kin: Vec<&Node> = branches.iter().filter(|branch| scorer.takes_kind(branch, value)).collect();
    let mut scores = kin.iter().map(|branch| (scorer.score(branch, value), *branch));
    let Some(mut best) = scores.next() else { return Pick::Kind };
    for other in scores {
        // Of equal ones the first stays.
        if other.0 > best.0 {
            best = other;
        }
    }
    let lists = kin.iter().map(|branch| schema.chain(branch).find_map(Node::listed_values));
    if let Some(lists) = lists.collect::<Option<Vec<_>>>() {
        return Pick::Listed(lists.concat());
    }
    if kin.len() > 1 && !value.is_object() && !value.is_array() {
        // Nothing stands within that could tell which was meant.
        return Pick::Kind;
    }
    if let (Value::Object(members), true) = (value, kin.len() > 1) {
        if let Some(pick) = tag(schema, &kin, members) {
            return pick;
        }
        if let Some(names) = keys(schema, &kin)
            && !names.iter().any(|name| members.contains_key(*name))
        {
            return Pick::Key(names);
        }
    }
    Pick::Branch(best.1)
}

/// The property by which all branches are told apart, if the value's is none of theirs.
fn tag<'s>(schema: &'s Schema, kin: &[&'s Node], members: &Map<String, Value>) -> Option<Pick<'s>> {
    let first = kin.first()?;
    let names =
        schema.chain(first).flat_map(Node::properties).filter(|(_, node)| node.only_value().is_some());
    for (name, _) in names {
        let value_of =
            |branch: &&'s Node| schema.chain(branch).find_map(|node| node.property(name)?.only_value());
        let Some(values) = kin.iter().map(value_of).collect::<Option<Vec<_>>>() else { continue };
        let sent = members.get(name);
        if !values.iter().any(|value| sent.is_some_and(|sent| value.equals(sent))) {
            let mut seen = HashSet::new();
            let distinct = values.into_iter().filter(|value| seen.insert(value.text())).cloned().collect();
            return Some(Pick::Tag { name, values: distinct });
        }
    }
    None
}

/// The one property of each branch, if each is closed and has one that is required.
fn keys<'s>(schema: &'s Schema, kin: &[&'s Node]) -> Option<Vec<&'s str>> {
    kin.iter()
        .map(|branch| {
            schema.chain(branch).find_map(|node| match node.required.as_slice() {
                [only] if node.is_closed() && node.properties().len() == 1 => Some(only.as_str()),
                _ => None,
            })
        })
        .collect()
}

/// As deep as unions within unions are looked into.
const MAX_NESTING: usize = 64;

const WRONG_KIND: i64 = -1_000_000;
const TAG: i64 = 10_000;

struct Scorer<'s> {
    schema: &'s Schema,
    /// Each node is scored once a value, however many ways lead to it.
    scores: HashMap<*const Node, i64>,
    nesting: usize,
}

impl<'s> Scorer<'s> {
    fn takes_kind(&mut self, node: &'s Node, value: &Value) -> bool {
        self.score(node, value) > WRONG_KIND / 2
    }

    fn score(&mut self, node: &'s Node, value: &Value) -> i64 {
        if let Some(score) = self.scores.get(&from_ref(node)) {
            return *score;
        }
        if self.nesting >= MAX_NESTING {
            return 0;
        }
        self.nesting += 1;
        let mut score = self.own(node, value);
        for branches in [&node.any_of, &node.one_of] {
            score += branches.iter().map(|branch| self.score(branch, value)).max().unwrap_or(0);
        }
        for part in &node.all_of {
            score += self.score(part, value);
        }
        let schema = self.schema;
        if let Some(target) = node.reference.as_ref().and_then(|reference| schema.definition(reference)) {
            score += self.score(target, value);
        }
        self.nesting -= 1;
        let score = score.max(WRONG_KIND);
        self.scores.insert(from_ref(node), score);
        score
    }

    /// What the keywords of the node itself say of a value.
    fn own(&self, node: &'s Node, value: &Value) -> i64 {
        if !node.allows_kind_of(value) {
            return WRONG_KIND;
        }
        if let Some(values) = node.listed_values() {
            // A list of one kind does not take another, even without a `type`.
            return match values {
                values if values.iter().any(|listed| listed.equals(value)) => 100,
                values if values.iter().any(|listed| same_kind(listed, value)) => -100,
                _ => WRONG_KIND,
            };
        }
        match value {
            Value::Object(members) => self.object(node, members),
            Value::Array(items) => match (&node.items, items.first()) {
                (Some(inner), Some(item)) if !self.directly_takes(inner, item) => -5,
                _ => 0,
            },
            _ => 0,
        }
    }

    fn object(&self, node: &'s Node, members: &Map<String, Value>) -> i64 {
        let mut score = 0;
        let mut known = 0;
        for (name, property) in node.properties() {
            let Some(member) = members.get(name) else { continue };
            known += 1;
            score += match self.schema.chain(property).find_map(Node::only_value) {
                Some(only) if only.equals(member) => TAG,
                Some(_) => -TAG,
                None if self.directly_takes(property, member) => 12,
                None => 5,
            };
        }
        let missing = node.required.iter().filter(|name| !members.contains_key(*name)).count();
        let unknown = if node.is_closed() { members.len().saturating_sub(known) } else { 0 };
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::from(i32::MAX));
        // Far from the weight of a tag, however large the object.
        score - 10 * count(missing).min(100) - 3 * count(unknown).min(100)
    }

    /// Whether the types that stand at a node, or where its `$ref` leads, take a value of this kind.
    fn directly_takes(&self, node: &'s Node, value: &Value) -> bool {
        self.schema.chain(node).all(|node| node.allows_kind_of(value))
    }
}

fn same_kind(listed: &Json, value: &Value) -> bool {
    matches!(
        (listed, value),
        (Json::Null, Value::Null)
            | (Json::Bool(_), Value::Bool(_))
            | (Json::Number(_), Value::Number(_))
            | (Json::String(_), Value::String(_))
            | (Json::Array(_), Value::Array(_))
            | (Json::Object(_), Value::Object(_))
    )
}
