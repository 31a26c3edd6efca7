//! How a schema that others wrote is read into the typed tree: as much of it as the tree holds.
//!
//! What the tree does not hold stays with the full validator, which gives the verdict. The tree must never be
//! stricter than the schema: it explains values, and directs their repair.

use std::collections::HashSet;

use super::super::error::{SchemaViolation, note};
use super::super::format::Format;
use super::super::hint;
use super::super::node::{Listed, Node, Reference, Target};
use super::super::subset::Reader;
use super::Draft;
use super::survey::Survey;
use crate::value::{Json, Pointer};

/// What a reader of a foreign schema knows besides.
pub(in super::super) struct Foreign<'j> {
    survey: &'j Survey<'j>,
    draft: Draft,
    /// The places that references lead to, each a definition of the tree.
    targets: Vec<usize>,
    names: Vec<String>,
    taken: HashSet<String>,
    pub(in super::super) findings: Vec<SchemaViolation>,
}

/// Reads the tree; with it come its definitions, the faults and the findings.
pub(super) fn read<'j>(survey: &'j Survey<'j>, root: &'j Json, draft: Draft) -> Tree {
    let mut reader = Reader::new(&Json::Null, false);
    reader.foreign = Some(Foreign {
        survey,
        draft,
        targets: Vec::new(),
        names: Vec::new(),
        taken: HashSet::new(),
        findings: Vec::new(),
    });
    let root = reader.schema(root);
    let mut definitions = Vec::new();
    while let Some((place, name)) =
        reader.foreign.as_ref().and_then(|foreign| foreign.target(definitions.len()))
    {
        let Some(json) = survey.places.get(place).map(|place| place.json) else { break };
        let from_here = std::mem::replace(&mut reader.pointer, survey.pointer(place));
        let node = reader.schema(json);
        reader.pointer = from_here;
        definitions.push((name, node));
    }
    let findings = reader.foreign.take().map(|foreign| foreign.findings).unwrap_or_default();
    Tree { root, definitions, faults: distinct(reader.into_violations()), findings: distinct(findings) }
}

pub(super) struct Tree {
    pub(super) root: Node,
    pub(super) definitions: Vec<(String, Node)>,
    pub(super) faults: Vec<SchemaViolation>,
    pub(super) findings: Vec<SchemaViolation>,
}

/// What references lead to is read where it stands and as a definition; its faults are told once.
fn distinct(mut violations: Vec<SchemaViolation>) -> Vec<SchemaViolation> {
    let mut seen = HashSet::new();
    violations.retain(|violation| seen.insert(violation.to_string()));
    violations
}

impl Foreign<'_> {
    fn target(&self, index: usize) -> Option<(usize, String)> {
        Some((*self.targets.get(index)?, self.names.get(index)?.clone()))
    }

    fn definition(&mut self, place: usize) -> Reference {
        let index = self.targets.iter().position(|target| *target == place).unwrap_or_else(|| {
            let base = self.survey.name(place);
            let mut name = base.to_owned();
            let mut count = 1;
            while !self.taken.insert(name.clone()) {
                count += 1;
                name = format!("{base}_{count}");
            }
            self.targets.push(place);
            self.names.push(name);
            self.targets.len() - 1
        });
        let mut text = Pointer::root();
        text.push("$defs");
        text.push(self.names.get(index).map_or("", String::as_str));
        Reference { text: format!("#{text}"), target: Target::Definition(index) }
    }
}

impl Reader<'_> {
    fn finding(&mut self, keyword: &str, problem: impl Into<String>, hint: impl Into<String>) {
        let violation = SchemaViolation::new(self.pointer.as_str(), keyword, problem, hint);
        if let Some(foreign) = &mut self.foreign {
            note(&mut foreign.findings, violation);
        }
    }

    /// Reads a keyword where it is read otherwise than in a schema of our own; whether it was.
    pub(in super::super) fn foreign_keyword(
        &mut self,
        json: &Json,
        node: &mut Node,
        keyword: &str,
        value: &Json,
    ) -> bool {
        let Some(draft) = self.foreign.as_ref().map(|foreign| foreign.draft) else { return false };
        let has = |other: &str| json.get(other).is_some();
        if keyword != "$ref" && has("$ref") && draft.reference_stands_alone() {
            return true;
        }
        if draft.is_void(keyword) {
            let problem = format!("`{keyword}` has no effect in {draft}");
            self.finding(keyword, problem, "declare the dialect of the schema by `$schema`");
            return true;
        }
        match keyword {
            "$ref" => {
                let Some(text) = value.as_str() else { return false };
                if let Some(foreign) = &mut self.foreign {
                    let place = foreign.survey.place_of(json).unwrap_or(0);
                    // A reference that leads nowhere has been found by the survey.
                    if let Ok(target) = foreign.survey.target(place, text) {
                        node.reference = Some(foreign.definition(target));
                    }
                }
            }
            "allOf" => node.all_of = self.parts(keyword, value),
            "oneOf" if matches!(value, Json::Array(branches) if branches.len() == 1) => {
                self.finding(
                    keyword,
                    "`oneOf` has fewer than two branches",
                    "write the one branch in its place",
                );
                node.all_of.extend(self.parts(keyword, value));
            }
            "enum" if matches!(value, Json::Array(values) if values.is_empty()) => {
                self.finding(
                    keyword,
                    "`enum` is empty, so that no value is right",
                    "list at least one value",
                );
                node.listed = Some(Listed::new(Vec::new()));
            }
            "minimum" | "maximum" if draft == Draft::Draft4 => {
                let exclusive = if keyword == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
                let number = self.number(keyword, value);
                let is_exclusive = json.get(exclusive) == Some(&Json::Bool(true));
                *match (keyword, is_exclusive) {
                    ("minimum", false) => &mut node.minimum,
                    ("minimum", true) => &mut node.exclusive_minimum,
                    (_, false) => &mut node.maximum,
                    (_, true) => &mut node.exclusive_maximum,
                } = number;
            }
            "exclusiveMinimum" | "exclusiveMaximum" | "id" if draft == Draft::Draft4 => {}
            "items" if matches!(value, Json::Array(_)) && draft != Draft::Draft202012 => {}
            // The tree would be stricter than the schema.
            "items" if has("prefixItems") => {}
            "additionalProperties" if has("patternProperties") => {}
            // An expression that only the full validator reads is left to it; one that it refuses, it names.
            "pattern" => {
                let survey = self.foreign.as_ref().map(|foreign| foreign.survey);
                node.pattern = value.as_str().and_then(|source| survey?.pattern(source));
            }
            "format" => match value.as_str() {
                Some(name) => {
                    node.format = Format::from_name(name);
                    node.format_is_told = true;
                    let hint = "nothing is to be done if the server checks it";
                    self.finding(keyword, format!("the format \"{name}\" is told, and not enforced"), hint);
                }
                None => return false,
            },
            "examples" if !matches!(value, Json::Array(_)) => {
                self.finding(keyword, "`examples` is not an array of values", "write an array of values");
            }
            "deprecated" | "readOnly" | "writeOnly" if !matches!(value, Json::Bool(_)) => {
                let problem = format!("`{keyword}` is not `true` or `false`");
                self.finding(keyword, problem, "write `true` or `false`");
            }
            "$dynamicRef" | "$recursiveRef" => {
                self.finding(keyword, format!("`{keyword}` is enforced, and not explained"), "write `$ref`");
            }
            // Enforced by the full validator, or a name of something.
            "$schema"
            | "$id"
            | "$anchor"
            | "$dynamicAnchor"
            | "$recursiveAnchor"
            | "$defs"
            | "definitions"
            | "not"
            | "if"
            | "then"
            | "else"
            | "dependentSchemas"
            | "dependentRequired"
            | "dependencies"
            | "minProperties"
            | "maxProperties"
            | "propertyNames"
            | "patternProperties"
            | "prefixItems"
            | "additionalItems"
            | "contains"
            | "minContains"
            | "maxContains"
            | "unevaluatedItems"
            | "unevaluatedProperties" => {}
            "contentEncoding" | "contentMediaType" | "contentSchema" => {
                self.finding(
                    keyword,
                    format!("`{keyword}` is told, and not enforced"),
                    "leave it to the server",
                );
            }
            "$comment" if value.as_str().is_none() => {}
            extension if extension.starts_with("x-") => {}
            known if hint::is_known(known) => return false,
            unknown => {
                let hint = hint::for_keyword(unknown);
                self.finding(unknown, format!("`{unknown}` is no keyword, and has no effect"), hint);
            }
        }
        true
    }

    fn parts(&mut self, keyword: &str, value: &Json) -> Vec<Node> {
        let Json::Array(parts) = value else {
            self.wants(keyword, "an array of schemas");
            return Vec::new();
        };
        let read =
            |(index, part): (usize, &Json)| self.within(&index.to_string(), |reader| reader.schema(part));
        parts.iter().enumerate().map(read).collect()
    }
}
