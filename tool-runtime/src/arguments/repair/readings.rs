//! What else a scalar can be read as.

use std::collections::HashSet;

use serde_json::{Number, Value};

use super::RepairKind;
use super::tolerant::rewrite;
use crate::schema::{Node, Schema};
use crate::value::{Json, ParseLimits, parse};

/// The digits of an integer, if a model wrote them so.
pub(super) fn digits(number: &Number, written: &Written<'_>) -> Option<(RepairKind, Value)> {
    let digits = number.to_string();
    written.has(&digits).then_some((RepairKind::Digits, Value::String(digits)))
}

/// The integers of a text whose values do not tell how they were written: `1e16` is an integer as well, and `-0` is 0.
pub(super) struct Written<'t> {
    long: HashSet<&'t str>,
    has_minus_zero: bool,
}

impl<'t> Written<'t> {
    /// Integers of fewer digits are never written as floats that are read as integers.
    const LONG: usize = 16;

    pub(super) fn new(text: &'t str) -> Self {
        let (mut long, mut has_minus_zero, mut in_string) = (HashSet::new(), false, false);
        let mut rest = text;
        while let Some(first) = rest.bytes().next() {
            let is_part =
                |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
            let length = rest.bytes().take_while(|byte| is_part(byte)).count();
            let token = rest.get(..length).unwrap_or_default();
            let digits = token.strip_prefix('-').unwrap_or(token);
            if digits.len() >= Self::LONG && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                long.insert(token);
            }
            has_minus_zero |= token == "-0" && !in_string;
            let mut characters = rest.get(length..).unwrap_or_default().chars();
            if length == 0 {
                in_string ^= first == b'"';
                characters.next();
                if first == b'\\' {
                    characters.next();
                }
            }
            rest = characters.as_str();
        }
        Self { long, has_minus_zero }
    }

    fn has(&self, integer: &str) -> bool {
        let digits = integer.strip_prefix('-').unwrap_or(integer);
        if digits == "0" {
            return !self.has_minus_zero;
        }
        digits.len() < Self::LONG || self.long.contains(integer)
    }
}

/// The listed values that a text is in another case.
pub(super) fn listed(schema: &Schema, facets: &[&Node], text: &str) -> Vec<(RepairKind, Value)> {
    let mut listed = Vec::new();
    listed_as(schema, facets, text, DEEPEST, &mut listed);
    listed.into_iter().map(|text| (RepairKind::Case, Value::String(text))).collect()
}

/// The literal that a text is, or the container in any spelling that has one reading.
pub(super) fn read(text: &str, limits: &ParseLimits) -> Option<(RepairKind, Value)> {
    match text {
        "True" => return Some((RepairKind::Literal, Value::Bool(true))),
        "False" => return Some((RepairKind::Literal, Value::Bool(false))),
        _ => {}
    }
    let json = match parse(text, limits) {
        Ok(json) => json,
        Err(_) if text.trim_start().starts_with(['[', '{']) => {
            parse(&rewrite(text).ok()?.text, limits).ok()?
        }
        Err(_) => return None,
    };
    match json {
        // One layer: a text within the text stays one.
        Json::String(_) => None,
        Json::Array(_) | Json::Object(_) => Some((RepairKind::Container, json.into_value())),
        literal => Some((RepairKind::Literal, literal.into_value())),
    }
}

/// As deep as unions within unions are looked into.
const DEEPEST: usize = 16;

/// The most spellings that are of interest: two are one too many.
const MOST: usize = 2;

/// The listed texts that are the text in another case.
fn listed_as(schema: &Schema, facets: &[&Node], text: &str, depth: usize, found: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for facet in facets.iter().flat_map(|facet| schema.chain(facet)) {
        let values = facet.listed_values().into_iter().flatten().filter_map(Json::as_str);
        for value in values.filter(|value| value.eq_ignore_ascii_case(text)) {
            if found.len() < MOST && !found.iter().any(|known| known == value) {
                found.push(value.to_owned());
            }
        }
        for branch in facet.branches() {
            listed_as(schema, &[branch], text, depth, found);
        }
    }
}
