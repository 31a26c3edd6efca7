//! The report: everything in which a value departs from its schema, at a cost linear in the value.
//!
//! Of a union that no branch of fits, one branch is reported: the one that the value's tag, kind and properties
//! point to. Branches are compared by what stands in them directly, never by trying them out.

use std::collections::HashSet;
use std::ptr::from_ref;

use serde_json::{Map, Value};

use super::describe::{describe, describe_all};
use super::node::Node;
use super::validator::{Validator, fits_bounds};
use super::violation::{Got, Violation};
use super::{Schema, union};
use crate::value::{Json, Trail, nearest};

/// As deep as the verdict goes; below, one violation says so.
const MAX_NESTING: usize = 1_500;

/// The most values of an `enum` that are named.
const MOST_VALUES: usize = 8;

/// Explains a value at the root of a schema.
pub(super) fn explain(schema: &Schema, value: &Value) -> Vec<Violation> {
    explain_node(schema, schema.root(), value)
}

/// Explains a value at a node of a schema.
pub(super) fn explain_node(schema: &Schema, node: &Node, value: &Value) -> Vec<Violation> {
    explain_counted(schema, node, value).0
}

/// The same, with the number of schemas that were looked at.
pub(super) fn explain_counted(schema: &Schema, node: &Node, value: &Value) -> (Vec<Violation>, usize) {
    let validator = Validator::remembering(schema);
    let mut explainer = Explainer {
        schema,
        validator,
        trail: Trail::default(),
        out: Vec::new(),
        cost: 0,
        seen: schema.inner.remember.then(HashSet::new),
        steps: 0,
        nesting: 0,
    };
    explainer.node(node, value);
    (explainer.out, explainer.steps)
}

/// The most violations that are kept, and the most bytes of their pointers: a model reads eight of them.
const MOST: usize = 1_000;
const MOST_BYTES: usize = 1 << 20;

/// The most violations for which a near name or value is looked for.
const MOST_NEAR: usize = 16;

struct Explainer<'a> {
    schema: &'a Schema,
    validator: Validator<'a>,
    trail: Trail<'a>,
    out: Vec<Violation>,
    /// The bytes of the pointers in `out`.
    cost: usize,
    /// What has been explained, where several ways can lead to one schema for one value.
    seen: Option<HashSet<(*const Node, *const Value)>>,
    /// How many schemas were looked at.
    steps: usize,
    nesting: usize,
}

impl<'a> Explainer<'a> {
    fn node(&mut self, node: &'a Node, value: &'a Value) {
        if self.nesting >= MAX_NESTING {
            return self.expected("a value nested less deeply".to_owned(), value);
        }
        let place = (from_ref(node), from_ref(value));
        if self.is_full() || self.seen.as_mut().is_some_and(|seen| !seen.insert(place)) {
            return;
        }
        self.steps += 1;
        self.nesting += 1;
        let before = self.out.len();
        self.here(node, value);
        if let Some(target) = node.reference.as_ref().and_then(|reference| self.schema.definition(reference))
        {
            let between = self.out.len();
            self.node(target, value);
            self.without_repetition(before, between);
        }
        self.nesting -= 1;
    }

    fn is_full(&self) -> bool {
        self.out.len() >= MOST || self.cost >= MOST_BYTES
    }

    fn push(&mut self, violation: Violation) {
        if !self.is_full() {
            self.cost += violation.pointer().len();
            self.out.push(violation);
        }
    }

    /// Drops of the later violations those that the earlier ones have said.
    fn without_repetition(&mut self, before: usize, between: usize) {
        if before == between || between == self.out.len() {
            return;
        }
        let later = self.out.split_off(between);
        let said: HashSet<String> =
            self.out.get(before..).unwrap_or_default().iter().map(Violation::to_string).collect();
        self.out.extend(later.into_iter().filter(|violation| !said.contains(&violation.to_string())));
    }

    fn here(&mut self, node: &'a Node, value: &'a Value) {
        let before = self.out.len();
        match node.boolean {
            Some(true) => return,
            Some(false) => return self.expected("no value".to_owned(), value),
            None => {}
        }
        if let Some(values) = node.listed_values() {
            let is_constant = node.constant.as_ref().is_none_or(|constant| constant.equals(value));
            if !is_constant || node.listed.as_ref().is_some_and(|listed| !listed.contains(value)) {
                return self.not_listed(values, value);
            }
        }
        if !node.allows_kind_of(value) || !fits_bounds(node, value) {
            let what = describe(self.schema, node);
            return self.expected(what, value);
        }
        match value {
            Value::Object(members) => self.object(node, members),
            Value::Array(items) => {
                if let Some(inner) = &node.items {
                    for (index, item) in items.iter().enumerate() {
                        self.trail.push_index(index);
                        self.node(inner, item);
                        self.trail.pop();
                    }
                }
            }
            _ => {}
        }
        for part in &node.all_of {
            let between = self.out.len();
            self.node(part, value);
            self.without_repetition(before, between);
        }
        if self.validator.alternatives(node, value) {
            return;
        }
        if !node.any_of.is_empty() && self.validator.count(&node.any_of, value, 1) == 0 {
            self.alternatives(&node.any_of, value);
        }
        match node.one_of.as_slice() {
            [] => {}
            branches => match self.validator.count(branches, value, 2) {
                0 => self.alternatives(branches, value),
                1 => {}
                _ => {
                    let pointer = self.trail.pointer();
                    let what = describe_all(self.schema, branches);
                    self.push(Violation::Ambiguous { pointer, what });
                }
            },
        }
    }

    fn object(&mut self, node: &'a Node, members: &'a Map<String, Value>) {
        // Few names are found faster without a table.
        let table: Option<HashSet<&str>> =
            (node.required.len() > 32).then(|| node.required.iter().map(String::as_str).collect());
        let is_required =
            |name: &str| table.as_ref().map_or_else(|| node.requires(name), |table| table.contains(name));
        let mut declared = 0;
        for (name, property) in node.properties() {
            match members.get(name) {
                Some(member) => {
                    declared += 1;
                    self.trail.push(name);
                    self.node(property, member);
                    self.trail.pop();
                }
                None if is_required(name) => self.missing(name),
                None => {}
            }
        }
        let Some(additional) = node.additional.as_deref().filter(|_| declared < members.len()) else {
            return;
        };
        let mut others: Vec<_> = members.iter().filter(|(name, _)| node.property(name).is_none()).collect();
        others.sort_unstable_by_key(|(name, _)| *name);
        for (name, member) in others {
            if additional.boolean == Some(false) {
                // A property that is there already was not meant by another name.
                let free = node.properties().iter().map(|(name, _)| name.as_str());
                self.unknown(name, free.filter(|name| !members.contains_key(*name)));
            } else {
                self.trail.push(name);
                self.node(additional, member);
                self.trail.pop();
            }
        }
    }

    fn alternatives(&mut self, branches: &'a [Node], value: &'a Value) {
        let before = self.out.len();
        match union::pick(self.schema, branches, value) {
            union::Pick::Kind => {
                let what = describe_all(self.schema, branches);
                self.expected(what, value);
            }
            union::Pick::Listed(values) => self.not_listed(&values, value),
            union::Pick::Tag { name, values } => match value.get(name) {
                Some(tag) => {
                    self.trail.push(name);
                    self.not_listed(&values, tag);
                    self.trail.pop();
                }
                None => self.missing(name),
            },
            union::Pick::Key(names) => {
                let keys = value.as_object().into_iter().flat_map(Map::keys);
                let near = keys.into_iter().find(|key| nearest(key, names.iter().copied()).is_some());
                if let Some(key) = near {
                    self.unknown(key, names.into_iter());
                } else {
                    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
                    let what = format!("object with exactly one of the properties {}", shown(&names));
                    self.expected(what, value);
                }
            }
            union::Pick::Branch(branch) => self.node(branch, value),
        }
        // Whatever was picked, a value that is wrong has a violation.
        if self.out.len() == before && !self.is_full() {
            let what = describe_all(self.schema, branches);
            self.expected(what, value);
        }
    }

    fn expected(&mut self, what: String, value: &Value) {
        let pointer = self.trail.pointer();
        self.push(Violation::Expected { pointer, what, got: Got::new(value) });
    }

    fn missing(&mut self, name: &str) {
        self.push(Violation::MissingProperty { pointer: self.trail.child(name) });
    }

    fn unknown<'n>(&mut self, name: &str, known: impl Iterator<Item = &'n str> + Clone) {
        let near = if self.out.len() < MOST_NEAR { nearest(name, known) } else { None };
        let near = near.map(ToOwned::to_owned);
        self.push(Violation::UnknownProperty { pointer: self.trail.child(name), near });
    }

    fn not_listed(&mut self, values: &[Json], value: &Value) {
        let texts = values.iter().filter_map(Json::as_str);
        let near = value.as_str().filter(|_| self.out.len() < MOST_NEAR);
        let near = near.and_then(|text| nearest(text, texts));
        self.push(Violation::NotListed {
            pointer: self.trail.pointer(),
            values: values.iter().take(MOST_VALUES).map(Json::text).collect(),
            more: values.len().saturating_sub(MOST_VALUES),
            got: Got::new(value),
            near: near.map(|near| Json::String(near.to_owned()).text()),
        });
    }
}

/// The first of some names, and how many more there are.
fn shown(names: &[String]) -> String {
    let first = names.iter().take(MOST_VALUES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_VALUES) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
