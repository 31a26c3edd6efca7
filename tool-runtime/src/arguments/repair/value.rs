//! Repairs values where the value as sent is wrong and one reading of it is right.
//!
//! The schema directs the walk: at each value stands the list of all schemas that hold for it. Each such pair is
//! looked at once, and steps are counted, so that the cost is linear in the arguments.

use std::collections::HashMap;
use std::ptr::from_ref;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::RepairKind;
use super::change::{Change, Kind, MemberChange};
use super::readings::{self, Written};
use crate::schema::{Node, Schema, Validator};
use crate::value::ParseLimits;

/// The deepest calls within calls.
const MAX_NESTING: usize = 300;

/// The most steps for each value, for all, and at least.
const STEPS_A_VALUE: usize = 128;
const MOST_STEPS: usize = 2_000_000;
const LEAST_STEPS: usize = 20_000;

/// How a value comes to be right.
#[derive(Debug, Clone)]
pub(super) enum Fix {
    /// It is.
    Keep,
    /// By a change.
    By(Rc<Change>),
    /// In no way, or in several.
    No,
}

pub(super) struct Mender<'s> {
    pub(super) schema: &'s Schema,
    /// The text of the arguments.
    text: &'s str,
    written: Option<Written<'s>>,
    limits: ParseLimits,
    validator: Validator<'s>,
    known: HashMap<(Vec<*const Node>, *const Value), Fix>,
    /// What strings were read as, once each, however many schemas ask.
    read: HashMap<*const Value, Option<(RepairKind, Rc<Value>)>>,
    /// Other values that were read from strings: alive as long as their addresses are remembered.
    kept: Vec<Rc<Value>>,
    /// How many steps have been taken, and how many may be.
    steps: usize,
    most: usize,
    /// The value as a whole, until the steps that it may take have been counted.
    whole: Option<&'s Value>,
    nesting: usize,
}

impl<'s> Mender<'s> {
    pub(super) fn new(schema: &'s Schema, text: &'s str, value: &'s Value, limits: ParseLimits) -> Self {
        Self {
            schema,
            text,
            written: None,
            limits,
            validator: Validator::remembering(schema),
            known: HashMap::new(),
            read: HashMap::new(),
            kept: Vec::new(),
            steps: 0,
            most: LEAST_STEPS,
            whole: Some(value),
            nesting: 0,
        }
    }

    /// How a value that is wrong at the root comes to be right there.
    pub(super) fn root(&mut self, value: &Value) -> Fix {
        self.mend(&[self.schema.root()], value)
    }

    fn may_go_on(&mut self, cost: usize) -> bool {
        self.steps = self.steps.saturating_add(cost);
        if self.steps >= self.most
            && let Some(value) = self.whole.take()
        {
            self.most = count(value).saturating_mul(STEPS_A_VALUE).clamp(LEAST_STEPS, MOST_STEPS);
        }
        self.steps < self.most && self.nesting < MAX_NESTING
    }

    fn is_valid(&mut self, nodes: &[&'s Node], value: &Value) -> bool {
        nodes.iter().all(|node| self.validator.is_valid(node, value))
    }

    fn fix(&mut self, nodes: &[&'s Node], value: &Value) -> Fix {
        if nodes.is_empty() {
            return Fix::Keep;
        }
        // A scalar is repaired faster than it is found again.
        let is_container = value.is_array() || value.is_object();
        let key = is_container.then(|| (nodes.iter().map(|node| from_ref(*node)).collect(), from_ref(value)));
        if let Some(fix) = key.as_ref().and_then(|key| self.known.get(key)) {
            return fix.clone();
        }
        if !self.may_go_on(nodes.len()) {
            return Fix::No;
        }
        self.nesting += 1;
        let fix = if self.is_valid(nodes, value) { Fix::Keep } else { self.mend(nodes, value) };
        self.nesting -= 1;
        if let Some(key) = key {
            self.known.insert(key, fix.clone());
        }
        fix
    }

    /// How a value that is wrong comes to be right.
    fn mend(&mut self, nodes: &[&'s Node], value: &Value) -> Fix {
        match value {
            Value::Object(_) | Value::Array(_) => {
                let facets = self.facets(nodes, &[]);
                self.parts(&facets, &[], value)
            }
            scalar => self.reading(nodes, scalar),
        }
    }

    /// The one reading of a scalar that is right, if there is one.
    fn reading(&mut self, nodes: &[&'s Node], value: &Value) -> Fix {
        let facets = self.facets(nodes, &[]);
        let mut readings = Vec::new();
        match value {
            Value::String(text) => {
                readings.extend(self.read(value, text));
                let listed = readings::listed(self.schema, &facets, text);
                readings.extend(listed.into_iter().map(|(kind, value)| (kind, self.kept(value))));
            }
            Value::Number(number) if !number.is_f64() => {
                let written = self.written.get_or_insert_with(|| Written::new(self.text));
                let digits = readings::digits(number, written);
                readings.extend(digits.map(|(kind, digits)| (kind, self.kept(digits))));
            }
            _ => return Fix::No,
        }
        let mut found = Fix::No;
        for (kind, reading) in readings {
            let then = match self.fix_reading(nodes, &reading) {
                Fix::No => continue,
                Fix::Keep => None,
                Fix::By(change) => Some(change),
            };
            let change = Change::Whole(Kind(kind), reading, then);
            match &found {
                Fix::By(other) if **other == change => {}
                Fix::By(_) | Fix::Keep => return Fix::No,
                Fix::No => found = Fix::By(Rc::new(change)),
            }
        }
        found
    }

    /// What the text of a string is read as.
    fn read(&mut self, value: &Value, text: &str) -> Option<(RepairKind, Rc<Value>)> {
        let limits = self.limits;
        let read = || readings::read(text, &limits).map(|(kind, value)| (kind, Rc::new(value)));
        self.read.entry(from_ref(value)).or_insert_with(read).clone()
    }

    fn kept(&mut self, value: Value) -> Rc<Value> {
        let value = Rc::new(value);
        self.kept.push(Rc::clone(&value));
        value
    }

    /// A reading is right as it is, or its parts are repaired; it is not read once more.
    fn fix_reading(&mut self, nodes: &[&'s Node], reading: &Value) -> Fix {
        match reading {
            Value::Object(_) | Value::Array(_) => self.fix(nodes, reading),
            scalar if self.is_valid(nodes, scalar) => Fix::Keep,
            _ => Fix::No,
        }
    }

    /// All schemas that hold for a value at once, each once.
    fn facets(&self, nodes: &[&'s Node], before: &[&'s Node]) -> Vec<&'s Node> {
        let mut facets = before.to_vec();
        for node in nodes.iter().flat_map(|node| self.schema.chain(node)) {
            if !facets.iter().any(|facet| std::ptr::eq(*facet, node)) {
                facets.push(node);
            }
        }
        facets
    }

    /// Repairs the parts of a container: of unions, branch by branch, where one outcome must be right.
    fn parts(&mut self, facets: &[&'s Node], chosen: &[*const Node], value: &Value) -> Fix {
        if !self.may_go_on(facets.len()) {
            return Fix::No;
        }
        let union = facets
            .iter()
            .flat_map(|facet| [&facet.any_of, &facet.one_of])
            .find(|branches| branches.first().is_some_and(|first| !chosen.contains(&from_ref(first))));
        let Some(branches) = union else {
            return match value {
                Value::Object(members) => self.object(facets, value, members),
                Value::Array(items) => self.array(facets, value, items),
                _ => Fix::No,
            };
        };
        let mut chosen = chosen.to_vec();
        chosen.extend(branches.first().map(from_ref));
        let mut found: Option<Fix> = None;
        self.nesting += 1;
        for branch in branches {
            let facets = self.facets(&[branch], facets);
            if !facets.iter().all(|facet| facet.allows_kind_of(value)) {
                continue;
            }
            let fix = self.parts(&facets, &chosen, value);
            found = match (found, fix) {
                (found, Fix::No) => found,
                (None, fix) => Some(fix),
                (Some(Fix::Keep), Fix::Keep) => Some(Fix::Keep),
                (Some(Fix::By(a)), Fix::By(b)) if a == b => Some(Fix::By(a)),
                _ => {
                    found = Some(Fix::No);
                    break;
                }
            };
        }
        self.nesting -= 1;
        found.unwrap_or(Fix::No)
    }

    fn object(&mut self, facets: &[&'s Node], value: &Value, members: &Map<String, Value>) -> Fix {
        if !fits(facets, value) {
            return Fix::No;
        }
        let is_required = |name: &str| facets.iter().any(|facet| facet.requires(name));
        if !facets.iter().flat_map(|facet| &facet.required).all(|name| members.contains_key(name)) {
            return Fix::No;
        }
        let mut changes = Vec::new();
        for (name, member) in members {
            let is_declared = facets.iter().any(|facet| facet.property(name).is_some());
            let nodes: Vec<&'s Node> = facets
                .iter()
                .filter_map(|facet| facet.property(name).or(facet.additional.as_deref()))
                .collect();
            match self.fix(&nodes, member) {
                Fix::Keep => {}
                Fix::By(change) => changes.push((name.clone(), MemberChange::Inner(change))),
                Fix::No if member.is_null() && is_declared && !is_required(name) => {
                    changes.push((name.clone(), MemberChange::Drop));
                }
                Fix::No => return Fix::No,
            }
        }
        Change::object(changes).map_or(Fix::Keep, Fix::By)
    }

    fn array(&mut self, facets: &[&'s Node], value: &Value, items: &[Value]) -> Fix {
        if !fits(facets, value) {
            return Fix::No;
        }
        let nodes: Vec<&'s Node> = facets.iter().filter_map(|facet| facet.items.as_deref()).collect();
        let mut changes = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match self.fix(&nodes, item) {
                Fix::Keep => {}
                Fix::By(change) => changes.push((index, change)),
                Fix::No => return Fix::No,
            }
        }
        if changes.is_empty() { Fix::Keep } else { Fix::By(Rc::new(Change::Array(changes))) }
    }
}

/// Whether a container fits what the schemas say of it without its parts.
fn fits(facets: &[&Node], value: &Value) -> bool {
    facets.iter().all(|facet| facet.fits_here(value))
}

/// The number of values in a value, itself included.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count).sum::<usize>() + 1,
        Value::Object(members) => members.values().map(count).sum::<usize>() + 1,
        // The steps that a string may take when it is read.
        Value::String(text) => 1 + text.len() / 8,
        _ => 1,
    }
}
