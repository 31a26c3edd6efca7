//! The verdict: whether a value is right, and nothing else.

use std::collections::{HashMap, HashSet};
use std::ptr::from_ref;

use serde_json::{Map, Value};

use super::Schema;
use super::node::Node;
use crate::value::{Exact, canonical};

/// The most schemas at work inside one another; values that nest deeper are refused, since the stack is bounded.
const MAX_NESTING: usize = 1_500;

/// Decides about one value; what it found out at a definition it remembers, so that recursive unions stay cheap.
pub(crate) struct Validator<'s> {
    schema: &'s Schema,
    verdicts: Option<HashMap<(*const Node, *const Value), bool>>,
    nesting: usize,
}

impl<'s> Validator<'s> {
    pub(crate) fn new(schema: &'s Schema) -> Self {
        Self { schema, verdicts: schema.inner.remember.then(HashMap::new), nesting: 0 }
    }

    /// The same, remembering verdicts whatever the schema is: for a caller that asks again below.
    pub(crate) fn remembering(schema: &'s Schema) -> Self {
        Self { schema, verdicts: Some(HashMap::new()), nesting: 0 }
    }

    /// Whether a value is right at a node.
    pub(crate) fn is_valid(&mut self, node: &Node, value: &Value) -> bool {
        if let Some(flag) = node.boolean {
            return flag;
        }
        if !node.fits_here(value) || self.nesting >= MAX_NESTING {
            return false;
        }
        self.nesting += 1;
        let valid = match value {
            Value::Object(members) => self.object(node, members),
            Value::Array(items) => {
                node.items.as_ref().is_none_or(|node| items.iter().all(|item| self.is_valid(node, item)))
            }
            _ => true,
        };
        let valid = valid
            && node.all_of.iter().all(|part| self.branch(part, value))
            && self.alternatives(node, value)
            && self.referenced(node, value);
        self.nesting -= 1;
        valid
    }

    fn object(&mut self, node: &Node, members: &Map<String, Value>) -> bool {
        node.required.iter().all(|name| members.contains_key(name))
            && members.iter().all(|(name, member)| match node.property(name) {
                Some(property) => self.is_valid(property, member),
                None => node.additional.as_ref().is_none_or(|node| self.is_valid(node, member)),
            })
    }

    fn referenced(&mut self, node: &Node, value: &Value) -> bool {
        let Some(reference) = &node.reference else { return true };
        let schema = self.schema;
        let Some(target) = schema.definition(reference) else { return false };
        self.remembered(target, value, |validator| validator.is_valid(target, value))
    }

    /// Whether `anyOf` and `oneOf` of a node hold.
    pub(super) fn alternatives(&mut self, node: &Node, value: &Value) -> bool {
        if node.any_of.is_empty() && node.one_of.is_empty() {
            return true;
        }
        // A node's own address stands for its alternatives: a definition that has some is asked through them.
        let any = node.any_of.is_empty() || node.any_of.iter().any(|branch| self.branch(branch, value));
        any && (node.one_of.is_empty() || self.count(&node.one_of, value, 2) == 1)
    }

    /// How many branches a value fits, counted up to a limit.
    pub(crate) fn count(&mut self, branches: &[Node], value: &Value, limit: usize) -> usize {
        branches.iter().filter(|branch| self.branch(branch, value)).take(limit).count()
    }

    fn branch(&mut self, branch: &Node, value: &Value) -> bool {
        // A scalar is decided faster than looked up.
        if value.is_object() || value.is_array() {
            self.remembered(branch, value, |validator| validator.is_valid(branch, value))
        } else {
            self.is_valid(branch, value)
        }
    }

    fn remembered(&mut self, node: &Node, value: &Value, decide: impl FnOnce(&mut Self) -> bool) -> bool {
        let key = (from_ref(node), from_ref(value));
        if let Some(verdict) = self.verdicts.as_ref().and_then(|verdicts| verdicts.get(&key)) {
            return *verdict;
        }
        let verdict = decide(self);
        if let Some(verdicts) = &mut self.verdicts {
            verdicts.insert(key, verdict);
        }
        verdict
    }
}

impl Node {
    /// Whether a value fits what the node says of it, without what it says of its parts and without alternatives.
    pub(crate) fn fits_here(&self, value: &Value) -> bool {
        self.allows_kind_of(value)
            && self.constant.as_ref().is_none_or(|constant| constant.equals(value))
            && self.listed.as_ref().is_none_or(|listed| listed.contains(value))
            && fits_bounds(self, value)
    }
}

/// Whether a value is within the bounds of a node.
pub(super) fn fits_bounds(node: &Node, value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            let number = Exact::of(number);
            let order = |bound| number.compare(Exact::of(bound));
            node.minimum.as_ref().is_none_or(|bound| order(bound).is_ge())
                && node.exclusive_minimum.as_ref().is_none_or(|bound| order(bound).is_gt())
                && node.maximum.as_ref().is_none_or(|bound| order(bound).is_le())
                && node.exclusive_maximum.as_ref().is_none_or(|bound| order(bound).is_lt())
                && node.multiple_of.as_ref().is_none_or(|divisor| number.is_multiple_of(Exact::of(divisor)))
        }
        Value::String(text) => {
            (node.min_length.is_none() && node.max_length.is_none() || {
                let length = text.chars().count();
                within(length, node.min_length, node.max_length)
            }) && node.pattern.as_ref().is_none_or(|pattern| pattern.fits(text))
                && node.format.is_none_or(|format| node.format_is_told || format.fits(text))
        }
        Value::Array(items) => {
            within(items.len(), node.min_items, node.max_items) && (!node.unique_items || are_unique(items))
        }
        _ => true,
    }
}

fn within(count: usize, low: Option<u64>, high: Option<u64>) -> bool {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    low.is_none_or(|low| count >= low) && high.is_none_or(|high| count <= high)
}

/// Whether no two items are equal.
pub(super) fn are_unique(items: &[Value]) -> bool {
    let mut seen = HashSet::with_capacity(items.len());
    items.iter().all(|item| seen.insert(canonical(item)))
}
