//! A map of a foreign schema: every place where a schema stands, and where its references lead.
//!
//! Places are known by their parent and step, never by a pointer of their own, so that the map stays linear in the
//! text however long the names are.

use std::collections::HashMap;
use std::ptr::from_ref;

use super::super::error::SchemaViolation;
use super::super::pattern::Pattern;
use super::super::subset::{MAX_DEPTH, MAX_SCHEMAS};
use super::{Draft, resolve};
use crate::value::{Json, Pointer};

/// The most faults that are kept of one schema.
pub(super) const MOST_FAULTS: usize = 64;

/// The longest address of a schema.
const LONGEST_ADDRESS: usize = 2_048;

/// The most bytes that the pointers to all keywords may have, all together.
const MAX_WAYS: usize = 32 << 20;

/// What all patterns together may cost, about the bytes that they are compiled to.
const PATTERN_BUDGET: usize = 8 << 20;

pub(super) struct Survey<'j> {
    pub(super) places: Vec<Place<'j>>,
    pub(super) children: HashMap<(usize, &'j str, Step<'j>), usize>,
    by_address: HashMap<*const Json, usize>,
    pub(super) resources: HashMap<String, usize>,
    addresses: HashMap<usize, String>,
    pub(super) anchors: HashMap<(usize, &'j str), usize>,
    dynamic: HashMap<&'j str, Vec<usize>>,
    /// The compiled patterns; of those that only the full validator may take, `None`.
    patterns: HashMap<&'j str, Option<Pattern>>,
    faults: Vec<SchemaViolation>,
    draft: Draft,
}

/// A place where a schema stands.
pub(super) struct Place<'j> {
    pub(super) json: &'j Json,
    parent: Option<(usize, &'j str, Step<'j>)>,
    /// The place whose `$id` holds here.
    pub(super) resource: usize,
    /// Schemas below that hold for the value itself.
    pub(super) inside: Vec<usize>,
    /// Schemas below that hold for parts of the value.
    pub(super) below: Vec<usize>,
    /// Where the references lead.
    pub(super) links: Vec<usize>,
    /// The bytes of the pointer to it.
    length: usize,
}

/// The second half of a step: some keywords hold one schema, some several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Step<'j> {
    One,
    Name(&'j str),
    Index(usize),
}

/// What a keyword does with the schemas in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Inside,
    Below,
    /// Nothing, unless something refers to them.
    Kept,
}

/// The keywords that hold schemas: one, a list, or a map of them.
fn holds(keyword: &str) -> Option<Effect> {
    Some(match keyword {
        "not" | "if" | "then" | "else" | "allOf" | "anyOf" | "oneOf" | "dependentSchemas"
        | "dependencies" => Effect::Inside,
        "properties"
        | "patternProperties"
        | "additionalProperties"
        | "items"
        | "additionalItems"
        | "prefixItems"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Effect::Below,
        "$defs" | "definitions" => Effect::Kept,
        _ => return None,
    })
}

pub(super) fn is_map(keyword: &str) -> bool {
    matches!(
        keyword,
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs" | "definitions"
    )
}

impl<'j> Survey<'j> {
    pub(super) fn new(root: &'j Json, draft: Draft) -> Self {
        let mut survey = Self {
            places: Vec::new(),
            children: HashMap::new(),
            by_address: HashMap::new(),
            resources: HashMap::new(),
            addresses: HashMap::new(),
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
            patterns: HashMap::new(),
            faults: Vec::new(),
            draft,
        };
        survey.map(root);
        survey.compile();
        survey.link();
        survey
    }

    pub(super) fn into_faults(self) -> Vec<SchemaViolation> {
        self.faults
    }

    pub(super) fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    pub(super) fn place_of(&self, json: &Json) -> Option<usize> {
        self.by_address.get(&from_ref(json)).copied()
    }

    pub(super) fn fault(&mut self, place: usize, keyword: &str, problem: impl Into<String>, hint: &str) {
        if self.faults.len() < MOST_FAULTS {
            let mut pointer = self.pointer(place);
            if !keyword.is_empty() {
                pointer.push(keyword);
            }
            self.faults.push(SchemaViolation::new(pointer.as_str(), keyword, problem, hint));
        }
    }

    /// The pointer to a place.
    pub(super) fn pointer(&self, place: usize) -> Pointer {
        let mut steps = Vec::new();
        let mut at = self.places.get(place);
        while let Some((parent, keyword, step)) = at.and_then(|place| place.parent) {
            steps.push((keyword, step));
            at = self.places.get(parent);
        }
        let mut pointer = Pointer::root();
        for (keyword, step) in steps.into_iter().rev() {
            pointer.push(keyword);
            match step {
                Step::One => {}
                Step::Name(name) => pointer.push(name),
                Step::Index(index) => pointer.push_index(index),
            }
        }
        pointer
    }

    /// The last name on the way to a place, for a definition made of it.
    pub(super) fn name(&self, place: usize) -> &'j str {
        match self.places.get(place).and_then(|place| place.parent) {
            Some((_, _, Step::Name(name))) => name,
            Some((_, keyword, _)) => keyword,
            None => "root",
        }
    }

    fn map(&mut self, root: &'j Json) {
        let mut pending = vec![(root, None, 0_usize, 0_usize)];
        let mut bytes = 0_usize;
        while let Some((json, parent, resource, depth)) = pending.pop() {
            let place = self.places.len();
            let (inside, below, links) = (Vec::new(), Vec::new(), Vec::new());
            let length = parent.map_or(0, |(above, keyword, step): (usize, &str, Step<'_>)| {
                let name = if let Step::Name(name) = step { name.len() } else { 4 };
                self.places.get(above).map_or(0, |above| above.length) + keyword.len() + name + 2
            });
            self.places.push(Place { json, parent, resource, inside, below, links, length });
            if let Some((above, keyword, step)) = parent {
                self.children.insert((above, keyword, step), place);
                if let Some(above) = self.places.get_mut(above) {
                    match holds(keyword) {
                        Some(Effect::Inside) => above.inside.push(place),
                        Some(Effect::Below) => above.below.push(place),
                        _ => {}
                    }
                }
            }
            self.by_address.insert(from_ref(json), place);
            if place >= MAX_SCHEMAS {
                let problem = format!("there are more than {MAX_SCHEMAS} schemas in it");
                return self.fault(0, "", problem, "make it smaller");
            }
            if depth >= MAX_DEPTH {
                let problem = format!("schemas are nested more than {MAX_DEPTH} deep");
                return self.fault(place, "", problem, "move parts to `$defs`");
            }
            let Json::Object(members) = json else { continue };
            // A validator keeps the way to each keyword.
            let ways = length.saturating_add(16).saturating_mul(members.len() + 1);
            bytes = bytes.saturating_add(ways);
            if bytes > MAX_WAYS {
                let problem = "the names in it are too long for as many schemas as stand below them";
                return self.fault(0, "", problem, "make it smaller");
            }
            let resource = self.identify(place, resource, json);
            for (keyword, value) in members {
                if holds(keyword).is_none() {
                    continue;
                }
                let keyword = keyword.as_str();
                let mut add = |json: &'j Json, step| {
                    if matches!(json, Json::Object(_) | Json::Bool(_)) {
                        pending.push((json, Some((place, keyword, step)), resource, depth + 1));
                    }
                };
                match value {
                    Json::Object(named) if is_map(keyword) => {
                        for (name, schema) in named {
                            add(schema, Step::Name(name));
                        }
                    }
                    Json::Array(list) => {
                        for (index, schema) in list.iter().enumerate() {
                            add(schema, Step::Index(index));
                        }
                    }
                    one => add(one, Step::One),
                }
            }
        }
    }

    /// Notes the names of a place; gives the resource that holds for it and below.
    fn identify(&mut self, place: usize, above: usize, json: &'j Json) -> usize {
        if let Some(uri) = json.get("$schema")
            && uri.as_str().and_then(Draft::from_uri).is_none()
        {
            self.fault(place, "$schema", "`$schema` names a dialect that is not known", "leave it out");
        }
        let keyword = if self.draft == Draft::Draft4 { "id" } else { "$id" };
        let id = json.get(keyword).and_then(Json::as_str).unwrap_or_default();
        let mut resource = above;
        if !id.is_empty() && !id.starts_with('#') {
            let uri = resolve::address(self.base(above), id.trim_end_matches('#'));
            if uri.len() > LONGEST_ADDRESS {
                let problem = format!("the address has more than {LONGEST_ADDRESS} bytes");
                self.fault(place, keyword, problem, "leave it out");
            } else {
                self.resources.insert(uri.clone(), place);
                self.addresses.insert(place, uri);
                resource = place;
            }
        } else if let Some(anchor) = id.strip_prefix('#') {
            self.anchors.insert((resource, anchor), place);
        }
        if let Some(slot) = self.places.get_mut(place) {
            slot.resource = resource;
        }
        for (keyword, is_dynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
            if let Some(anchor) = json.get(keyword).and_then(Json::as_str) {
                self.anchors.insert((resource, anchor), place);
                if is_dynamic {
                    self.dynamic.entry(anchor).or_default().push(place);
                }
            }
        }
        resource
    }

    /// The address of a resource; empty for a document without one.
    pub(super) fn base(&self, resource: usize) -> &str {
        self.addresses.get(&resource).map_or("", String::as_str)
    }

    /// Compiles every pattern once, within one budget for all of them.
    fn compile(&mut self) {
        let mut budget = PATTERN_BUDGET;
        for place in 0..self.places.len() {
            let Some(json) = self.places.get(place).map(|place| place.json) else { continue };
            let own = json.get("pattern").and_then(Json::as_str).map(|source| ("pattern", source));
            let keys = match json.get("patternProperties") {
                Some(Json::Object(members)) => members.as_slice(),
                _ => &[],
            };
            let keys = keys.iter().map(|(source, _)| ("patternProperties", source.as_str()));
            for (keyword, source) in own.into_iter().chain(keys) {
                if self.patterns.contains_key(source) {
                    continue;
                }
                let (pattern, cost) = Pattern::foreign(source);
                self.patterns.insert(source, pattern);
                match budget.checked_sub(cost) {
                    Some(rest) => budget = rest,
                    None => {
                        let problem = "the patterns of the schema are too large, all together";
                        return self.fault(place, keyword, problem, "make them smaller, or leave some out");
                    }
                }
            }
        }
    }

    /// A pattern of the schema.
    pub(super) fn pattern(&self, source: &str) -> Option<Pattern> {
        self.patterns.get(source).cloned().flatten()
    }

    fn link(&mut self) {
        for place in 0..self.places.len() {
            let Some(json) = self.places.get(place).map(|place| place.json) else { continue };
            for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
                let Some(text) = json.get(keyword).and_then(Json::as_str) else { continue };
                match self.target(place, text) {
                    Ok(target) => {
                        let mut targets = vec![target];
                        if keyword == "$dynamicRef" {
                            let anchor = text.rsplit('#').next().unwrap_or_default();
                            targets.extend(self.dynamic.get(anchor).into_iter().flatten());
                        }
                        if let Some(slot) = self.places.get_mut(place) {
                            slot.links.extend(targets);
                        }
                    }
                    Err((problem, hint)) => self.fault(place, keyword, problem, hint),
                }
            }
        }
    }
}
