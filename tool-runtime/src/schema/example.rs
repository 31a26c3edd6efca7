//! A small value that a schema takes.

use serde_json::Number;

use super::Schema;
use super::node::{Kind, Node};
use super::rules::{first_integer, last_integer};
use super::validator::Validator;
use crate::value::{Exact, Json};

/// As deep as an example nests; a type that cannot end before has none.
const MAX_DEPTH: usize = 24;

/// The most nodes that are tried.
const MAX_STEPS: usize = 10_000;

/// The most items of an array; more are demanded by no schema that a model could follow.
const MAX_ITEMS: u64 = 64;

/// Makes an example; an empty object where none is found.
pub(super) fn example(schema: &Schema) -> Json {
    let mut maker = Maker { schema, steps: 0 };
    maker.make(schema.root(), MAX_DEPTH).unwrap_or(Json::Object(Vec::new()))
}

/// Makes an example of one position.
pub(super) fn example_of(schema: &Schema, node: &Node) -> Option<Json> {
    Maker { schema, steps: 0 }.make(node, MAX_DEPTH)
}

struct Maker<'s> {
    schema: &'s Schema,
    steps: usize,
}

impl<'s> Maker<'s> {
    fn make(&mut self, node: &'s Node, depth: usize) -> Option<Json> {
        self.steps += 1;
        let depth = depth.checked_sub(1)?;
        if self.steps > MAX_STEPS || node.boolean == Some(false) {
            return None;
        }
        let schema = self.schema;
        let chain: Vec<&'s Node> = schema.chain(node).collect();
        let given = chain.iter().flat_map(|node| {
            let listed = node.listed_values().unwrap_or_default();
            node.examples.iter().chain(listed).chain(&node.default)
        });
        if let Some(given) = given.into_iter().find(|value| self.fits(node, value)) {
            return Some(given.clone());
        }
        let types = chain.iter().find(|node| !node.types.is_empty()).map(|node| node.types.as_slice());
        let kind = types.and_then(|types| types.iter().find(|kind| **kind != Kind::Null).or(types.first()));
        let has_branches = chain.iter().any(|node| node.branches().next().is_some());
        let requires = chain.iter().any(|node| !node.required.is_empty());
        let has_properties = chain.iter().any(|node| node.properties.is_some());
        match kind {
            Some(Kind::Object) => self.object(node, &chain, depth),
            None if has_properties || (requires && !has_branches) => self.object(node, &chain, depth),
            Some(Kind::Array) => self.array(&chain, depth),
            Some(Kind::Null) => Some(Json::Null),
            Some(Kind::Boolean) => Some(Json::Bool(true)),
            _ if has_branches => self.branch(node, &chain, &[], depth),
            Some(kind @ (Kind::Integer | Kind::Number)) => {
                let candidates = numbers(&chain, *kind == Kind::Integer);
                let candidates = candidates.into_iter().filter_map(Exact::to_number).map(Json::Number);
                candidates.into_iter().find(|value| self.fits(node, value))
            }
            Some(Kind::String) | None => {
                let candidates: Vec<Json> = strings(&chain).into_iter().map(Json::String).collect();
                candidates.iter().find(|value| self.fits(node, value)).or(candidates.first()).cloned()
            }
        }
    }

    fn fits(&self, node: &Node, value: &Json) -> bool {
        Validator::new(self.schema).is_valid(node, &value.clone().into_value())
    }

    fn object(&mut self, node: &'s Node, chain: &[&'s Node], depth: usize) -> Option<Json> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let required = |name: &str| chain.iter().any(|part| part.requires(name));
        for (name, property) in chain.iter().flat_map(|part| part.properties()) {
            if required(name) && !members.iter().any(|(known, _)| known == name) {
                members.push((name.clone(), self.make(property, depth)?));
            }
        }
        // A foreign schema may demand what it does not declare.
        for name in chain.iter().flat_map(|part| &part.required) {
            if !members.iter().any(|(known, _)| known == name) {
                let others = chain.iter().find_map(|part| part.additional.as_deref());
                let value =
                    others.map_or(Some(Json::String("text".to_owned())), |node| self.make(node, depth))?;
                members.push((name.clone(), value));
            }
        }
        if chain.iter().all(|node| node.branches().next().is_none()) {
            return Some(Json::Object(members));
        }
        self.branch(node, chain, &members, depth)
    }

    /// The first branch that makes a right value together with members that hold for all.
    fn branch(
        &mut self,
        node: &'s Node,
        chain: &[&'s Node],
        members: &[(String, Json)],
        depth: usize,
    ) -> Option<Json> {
        let schema = self.schema;
        for branch in chain.iter().flat_map(|node| node.branches()) {
            let candidate = match self.make(branch, depth) {
                Some(Json::Object(own)) => {
                    let mut all = own;
                    for (name, value) in &mut all {
                        // What the branch only demands is declared for all of them.
                        let declared = |nodes: &[&'s Node]| nodes.iter().find_map(|node| node.property(name));
                        let by_branch = schema.chain(branch).any(|node| node.property(name).is_some());
                        if let Some(property) = declared(chain).filter(|_| !by_branch) {
                            *value = self.make(property, depth)?;
                        }
                    }
                    let known: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
                    all.retain(|(name, _)| !known.contains(&name.as_str()));
                    Some(Json::Object(members.iter().cloned().chain(all).collect()))
                }
                other => other,
            };
            if let Some(candidate) = candidate.filter(|candidate| self.fits(node, candidate)) {
                return Some(candidate);
            }
        }
        None
    }

    fn array(&mut self, chain: &[&'s Node], depth: usize) -> Option<Json> {
        let count = chain.iter().filter_map(|node| node.min_items).max().unwrap_or(0).min(MAX_ITEMS);
        let unique = chain.iter().any(|node| node.unique_items);
        let inner = chain.iter().find_map(|node| node.items.as_deref());
        let mut items: Vec<Json> = Vec::new();
        for index in 0..count {
            let item = match inner {
                Some(inner) => self.make(inner, depth)?,
                None => Json::String("text".to_owned()),
            };
            let item = match inner {
                Some(inner) if unique && items.contains(&item) => {
                    let another =
                        another(&item, index, self.schema.chain(inner).find_map(Node::listed_values));
                    another
                        .into_iter()
                        .find(|other| !items.contains(other) && self.fits(inner, other))
                        .unwrap_or(item)
                }
                None if unique => Json::String(format!("text{index}")),
                _ => item,
            };
            items.push(item);
        }
        Some(Json::Array(items))
    }
}

/// Values that are not the one given, where an array takes no duplicates.
fn another(value: &Json, index: u64, listed: Option<&[Json]>) -> Vec<Json> {
    if let Some(listed) = listed {
        return listed.to_vec();
    }
    let shift = i128::from(index);
    match value {
        Json::Number(number) => match Exact::of(number) {
            Exact::Integer(integer) => [integer.saturating_add(shift), integer.saturating_sub(shift)]
                .into_iter()
                .filter_map(|integer| Exact::Integer(integer).to_number())
                .map(Json::Number)
                .collect(),
            Exact::Float(_) => vec![Json::Number(Number::from(index))],
        },
        Json::String(text) => {
            let digits = index.to_string();
            let kept: String = text.chars().take(text.chars().count().saturating_sub(digits.len())).collect();
            vec![Json::String(format!("{text}{digits}")), Json::String(kept + &digits)]
        }
        Json::Bool(flag) => vec![Json::Bool(!flag)],
        _ => Vec::new(),
    }
}

fn numbers(chain: &[&Node], is_integer: bool) -> Vec<Exact> {
    let mut candidates = vec![Exact::Integer(1), Exact::Integer(0)];
    let step = chain.iter().find_map(|node| node.multiple_of.as_ref()).map(Exact::of);
    candidates.extend(step);
    for node in chain {
        let low = node.minimum.as_ref().or(node.exclusive_minimum.as_ref()).map(Exact::of);
        let high = node.maximum.as_ref().or(node.exclusive_maximum.as_ref()).map(Exact::of);
        if !is_integer {
            candidates.extend(low.into_iter().chain(high));
            if let (Some(low), Some(high)) = (low, high) {
                candidates.push(Exact::from_f64(low.to_f64() / 2.0 + high.to_f64() / 2.0));
            }
        }
        let first = low.and_then(|low| first_integer(low, node.exclusive_minimum.is_some()));
        let last = high.and_then(|high| last_integer(high, node.exclusive_maximum.is_some()));
        candidates.extend(first.into_iter().chain(last).map(Exact::Integer));
        if let Some(Exact::Integer(step)) = step {
            // The first multiple from below, or the last from above.
            let up = first.and_then(|first| first.checked_add((-first).rem_euclid(step.max(1))));
            let down = last.and_then(|last| last.checked_sub(last.rem_euclid(step.max(1))));
            candidates.extend(up.into_iter().chain(down).map(Exact::Integer));
        } else if let (Some(step), Some(low)) = (step, low) {
            let step = step.to_f64();
            candidates.push(Exact::from_f64((low.to_f64() / step).ceil() * step));
        }
    }
    candidates
}

/// Texts that common patterns take.
const SAMPLES: [&str; 24] = [
    "text",
    "a",
    "A",
    "1",
    "abc",
    "ABC",
    "12",
    "123",
    "1234",
    "12345",
    "a1",
    "A1",
    "AB",
    "ab",
    "ABC-123",
    "abc-123",
    "1.0",
    "1.0.0",
    "#aabbcc",
    "deadbeef",
    "/",
    "/a",
    "a/b",
    "+15550100",
];

fn strings(chain: &[&Node]) -> Vec<String> {
    let low = chain.iter().filter_map(|node| node.min_length).max().unwrap_or(0);
    let high = chain.iter().filter_map(|node| node.max_length).min().unwrap_or(u64::MAX);
    let length = |bound: u64| usize::try_from(bound).unwrap_or(usize::MAX).min(10_000);
    let formats = chain.iter().filter_map(|node| node.format).map(super::format::Format::example);
    let fitted = |sample: &str| {
        let filler = sample.chars().last().unwrap_or('x');
        let missing = length(low).saturating_sub(sample.chars().count());
        let cut: String = sample.chars().take(length(high)).collect();
        cut + &filler.to_string().repeat(missing)
    };
    let domains =
        ["http://example.com", "name@example.com", "2026-01-31", "12:00", "v1.0.0", "x-y_z", "id_1"];
    formats
        .map(ToOwned::to_owned)
        .chain(SAMPLES.into_iter().map(fitted))
        .chain(domains.into_iter().map(ToOwned::to_owned))
        .collect()
}
