//! What else a scalar can be read as.

use serde_json::{Number, Value};

use super::RepairKind;
use super::tolerant::rewrite;
use crate::schema::{Node, Schema};
use crate::value::{Json, ParseLimits, parse};

/// The digits of an integer.
pub(super) fn digits(number: &Number) -> (RepairKind, Value) {
    (RepairKind::Digits, Value::String(number.to_string()))
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
