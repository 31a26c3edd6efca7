//! What is done to right arguments: integers lose their point, defaults come in.

use std::collections::HashMap;
use std::ptr::from_ref;
use std::rc::Rc;

use serde_json::{Map, Number, Value};

use super::RepairKind;
use super::change::{Change, Kind, MemberChange};
use crate::schema::{Got, Kind as Type, Node, Schema, Validator, Violation};
use crate::value::{Exact, Pointer};

/// The deepest calls within calls.
const MAX_NESTING: usize = 400;

/// Floats of at least this size do not tell which integer was meant.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Finds what is to be done to a value that is right.
///
/// # Errors
/// Returns a violation for an integer that was written as a float and cannot be known exactly.
pub(super) fn polish(
    schema: &Schema,
    value: &Value,
    defaults: bool,
) -> Result<Option<Rc<Change>>, Violation> {
    let defaults = defaults && schema.has_defaults();
    if !defaults && !has_float(value) {
        return Ok(None);
    }
    let mut polisher = Polisher {
        schema,
        validator: Validator::remembering(schema),
        known: HashMap::new(),
        pointer: Pointer::root(),
        defaults,
        nesting: 0,
    };
    polisher.value(&[schema.root()], value)
}

fn has_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_float),
        Value::Object(members) => members.values().any(has_float),
        _ => false,
    }
}

struct Polisher<'s> {
    schema: &'s Schema,
    validator: Validator<'s>,
    known: HashMap<(Vec<*const Node>, *const Value), Option<Rc<Change>>>,
    pointer: Pointer,
    defaults: bool,
    nesting: usize,
}

type Polished = Result<Option<Rc<Change>>, Violation>;

impl<'s> Polisher<'s> {
    fn value(&mut self, nodes: &[&'s Node], value: &Value) -> Polished {
        if nodes.is_empty() || self.nesting >= MAX_NESTING {
            return Ok(None);
        }
        match value {
            Value::Number(number) => self.number(nodes, value, number),
            Value::Array(_) | Value::Object(_) => {
                let key = (nodes.iter().map(|node| from_ref(*node)).collect(), from_ref(value));
                if let Some(known) = self.known.get(&key) {
                    return Ok(known.clone());
                }
                self.nesting += 1;
                let facets = self.facets(nodes, value);
                let change = match value {
                    Value::Object(members) => self.object(&facets, members),
                    Value::Array(items) => self.array(&facets, items),
                    _ => Ok(None),
                };
                self.nesting -= 1;
                let change = change?;
                self.known.insert(key, change.clone());
                Ok(change)
            }
            _ => Ok(None),
        }
    }

    /// All schemas that hold for a value, and of unions the branches that it fits.
    fn facets(&mut self, nodes: &[&'s Node], value: &Value) -> Vec<&'s Node> {
        /// More are looked at for no value.
        const MOST: usize = 1_000;
        let schema = self.schema;
        let mut facets: Vec<&'s Node> = Vec::new();
        let mut pending: Vec<&'s Node> = nodes.iter().rev().copied().collect();
        while let Some(node) = pending.pop() {
            for facet in schema.chain(node) {
                if facets.len() >= MOST || facets.iter().any(|known| std::ptr::eq(*known, facet)) {
                    continue;
                }
                facets.push(facet);
                pending.extend(facet.branches().filter(|branch| self.validator.is_valid(branch, value)));
            }
        }
        facets
    }

    fn number(&mut self, nodes: &[&'s Node], value: &Value, number: &Number) -> Polished {
        let Some(float) = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0) else {
            return Ok(None);
        };
        if !nodes.iter().any(|node| self.wants_integer(node, value, number)) {
            return Ok(None);
        }
        if float.abs() < EXACT
            && let Exact::Integer(integer) = Exact::from_f64(float)
            && let Some(integer) = Exact::Integer(integer).to_number()
        {
            let kind = Kind(RepairKind::IntegralFloat);
            return Ok(Some(Rc::new(Change::Whole(kind, Rc::new(Value::Number(integer)), None))));
        }
        Err(Violation::Expected {
            pointer: self.pointer.as_str().to_owned(),
            what: "integer with all of its digits".to_owned(),
            got: Got::new(value),
        })
    }

    /// Whether a number that fits a schema has to be an integer there.
    fn wants_integer(&mut self, node: &'s Node, value: &Value, number: &Number) -> bool {
        let is_equal_integer = |listed: &crate::value::Json| match listed {
            crate::value::Json::Number(listed) => {
                !listed.is_f64() && Exact::of(listed).compare(Exact::of(number)).is_eq()
            }
            _ => false,
        };
        let schema = self.schema;
        schema.chain(node).any(|node| {
            let by_type = node.types.contains(&Type::Integer) && !node.types.contains(&Type::Number);
            let by_list = node.listed_values().is_some_and(|listed| listed.iter().any(is_equal_integer));
            by_type
                || by_list
                || [&node.any_of, &node.one_of].into_iter().any(|branches| {
                    let mut fitting =
                        branches.iter().filter(|branch| self.validator.is_valid(branch, value)).peekable();
                    // A branch that takes any number takes this one as it is.
                    fitting.peek().is_some()
                        && fitting
                            .collect::<Vec<_>>()
                            .into_iter()
                            .all(|branch| self.wants_integer(branch, value, number))
                })
        })
    }

    fn object(&mut self, facets: &[&'s Node], members: &Map<String, Value>) -> Polished {
        let mut changes = Vec::new();
        for (name, member) in members {
            let nodes: Vec<&'s Node> = facets
                .iter()
                .filter_map(|facet| facet.property(name).or(facet.additional.as_deref()))
                .collect();
            self.pointer.push(name);
            let change = self.value(&nodes, member);
            self.pointer.pop();
            if let Some(change) = change? {
                changes.push((name.clone(), MemberChange::Inner(change)));
            }
        }
        if self.defaults {
            self.absent(facets, members, &mut changes);
        }
        Ok(Change::object(changes))
    }

    /// Brings in the defaults of properties that are not there.
    fn absent(
        &mut self,
        facets: &[&'s Node],
        members: &Map<String, Value>,
        changes: &mut Vec<(String, MemberChange)>,
    ) {
        let schema = self.schema;
        for (name, property) in facets.iter().flat_map(|facet| facet.properties()) {
            if members.contains_key(name) || changes.iter().any(|(known, _)| known == name) {
                continue;
            }
            let Some(default) = schema.chain(property).find_map(|node| node.default.as_ref()) else {
                continue;
            };
            let default = default.clone().into_value();
            // Others write defaults that their own schemas refuse.
            if Validator::new(schema).is_valid(property, &default) {
                changes.push((name.clone(), MemberChange::Insert(Rc::new(default))));
            }
        }
    }

    fn array(&mut self, facets: &[&'s Node], items: &[Value]) -> Polished {
        let nodes: Vec<&'s Node> = facets.iter().filter_map(|facet| facet.items.as_deref()).collect();
        let mut changes = Vec::new();
        for (index, item) in items.iter().enumerate() {
            self.pointer.push_index(index);
            let change = self.value(&nodes, item);
            self.pointer.pop();
            if let Some(change) = change? {
                changes.push((index, change));
            }
        }
        Ok((!changes.is_empty()).then(|| Rc::new(Change::Array(changes))))
    }
}
