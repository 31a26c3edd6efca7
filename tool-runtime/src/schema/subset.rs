//! From JSON to the typed tree: contract D4 as one walk that keeps going after a fault.
//!
//! The walk knows at each step whether it stands at a schema or at a map of names, so that a property may be named
//! like a keyword.

use serde_json::Number;

use super::error::{SchemaViolation, note};
use super::foreign::Foreign;
use super::format::Format;
use super::node::{Kind, Listed, Node, Properties, Reference, Target};
use super::pattern::Pattern;
use super::{hint, rules};
use crate::value::{Exact, Json, Pointer};

/// The deepest nesting of schemas.
pub(super) const MAX_DEPTH: usize = 64;

/// The most schemas in one document.
pub(super) const MAX_SCHEMAS: usize = 10_000;

/// Reads one document.
pub(super) struct Reader<'j> {
    violations: Vec<SchemaViolation>,
    pub(super) pointer: Pointer,
    /// The names in `$defs`, in their order.
    names: Vec<&'j str>,
    /// Whether properties came without an order of their own.
    sorted: bool,
    depth: usize,
    schemas: usize,
    /// What is read otherwise in a schema that others wrote.
    pub(super) foreign: Option<Foreign<'j>>,
}

impl<'j> Reader<'j> {
    pub(super) fn new(document: &'j Json, sorted: bool) -> Self {
        let names = match document.get("$defs") {
            Some(Json::Object(members)) => members.iter().map(|(name, _)| name.as_str()).collect(),
            _ => Vec::new(),
        };
        Self {
            violations: Vec::new(),
            pointer: Pointer::root(),
            names,
            sorted,
            depth: 0,
            schemas: 0,
            foreign: None,
        }
    }

    pub(super) fn into_violations(self) -> Vec<SchemaViolation> {
        self.violations
    }

    /// Reads the root and its definitions.
    pub(super) fn document(&mut self, document: &Json) -> (Node, Vec<(String, Node)>) {
        let root = self.schema(document);
        let definitions = match document.get("$defs") {
            Some(definitions) => self.within("$defs", |reader| reader.named("$defs", definitions)),
            None => Vec::new(),
        };
        (root, definitions)
    }

    pub(super) fn within<T>(&mut self, step: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.pointer.push(step);
        let result = read(self);
        self.pointer.pop();
        result
    }

    /// Notes a fault of the keyword at which the reader stands.
    pub(super) fn fault(&mut self, keyword: &str, problem: impl Into<String>, hint: impl Into<String>) {
        let violation = SchemaViolation::new(self.pointer.as_str(), keyword, problem, hint);
        note(&mut self.violations, violation);
    }

    pub(super) fn wants(&mut self, keyword: &str, what: &str) {
        self.fault(keyword, format!("`{keyword}` is not {what}"), format!("write {what}"));
    }

    pub(super) fn schema(&mut self, json: &Json) -> Node {
        // What references lead to in a foreign schema is read once more.
        let most = if self.foreign.is_some() { 2 * MAX_SCHEMAS } else { MAX_SCHEMAS };
        self.schemas += 1;
        if self.schemas == most + 1 {
            self.fault("", format!("there are more than {most} schemas in it"), "make it smaller");
        }
        if self.schemas > most {
            return Node::default();
        }
        if self.depth >= MAX_DEPTH {
            self.fault("", format!("schemas are nested more than {MAX_DEPTH} deep"), "move parts to `$defs`");
            return Node::default();
        }
        self.depth += 1;
        let node = match json {
            Json::Bool(flag) => Node { boolean: Some(*flag), ..Node::default() },
            Json::Object(members) => self.keywords(json, members),
            other => {
                let problem =
                    format!("a schema is an object or a boolean, not {}", rules::with_article(other.kind()));
                self.fault("", problem, "write an object, `{}` for anything");
                Node::default()
            }
        };
        self.depth -= 1;
        node
    }

    fn keywords(&mut self, json: &Json, members: &[(String, Json)]) -> Node {
        let mut node = Node::default();
        for (keyword, value) in members {
            self.pointer.push(keyword);
            if self.foreign.is_none() || !self.foreign_keyword(json, &mut node, keyword, value) {
                self.keyword(&mut node, keyword, value);
            }
            self.pointer.pop();
        }
        if let Some(foreign) = &mut self.foreign {
            rules::check_node(&node, members, &mut self.pointer, &mut foreign.findings);
            return node;
        }
        if let Some(order) = json.get("x-tool-order") {
            self.within("x-tool-order", |reader| reader.order(&mut node, order));
        }
        if self.sorted || json.get("x-tool-order").is_some() {
            let place = |name: &String| node.properties().iter().position(|(key, _)| key == name);
            let mut required: Vec<_> = node.required.iter().map(|name| (place(name), name.clone())).collect();
            required.sort();
            node.required = required.into_iter().map(|(_, name)| name).collect();
        }
        rules::check_node(&node, members, &mut self.pointer, &mut self.violations);
        node
    }

    fn keyword(&mut self, node: &mut Node, keyword: &str, value: &Json) {
        match keyword {
            "type" => node.types = self.types(value),
            "enum" => node.listed = self.listed(value),
            "const" => node.constant = Some(value.clone()),
            "properties" => node.properties = Some(Properties::new(self.named(keyword, value))),
            "required" => node.required = self.required(value),
            "additionalProperties" => node.additional = Some(Box::new(self.schema(value))),
            "items" => node.items = self.items(value),
            "anyOf" => node.any_of = self.branches(keyword, value),
            "oneOf" => node.one_of = self.branches(keyword, value),
            "$ref" => node.reference = self.reference(value),
            "$defs" if self.depth > 1 => {
                self.fault(
                    keyword,
                    "`$defs` stands below the root",
                    "move the definitions to the root's `$defs`",
                );
            }
            // Read after the root, so that its faults come last.
            "$defs" | "x-tool-order" => {}
            "$schema" if self.depth == 1 => {
                let draft = value.as_str().map(|uri| uri.trim_end_matches('#'));
                if draft != Some("https://json-schema.org/draft/2020-12/schema") {
                    self.fault(
                        keyword,
                        "`$schema` names another dialect than 2020-12",
                        "leave `$schema` out",
                    );
                }
            }
            "minimum" => node.minimum = self.number(keyword, value),
            "maximum" => node.maximum = self.number(keyword, value),
            "exclusiveMinimum" => node.exclusive_minimum = self.number(keyword, value),
            "exclusiveMaximum" => node.exclusive_maximum = self.number(keyword, value),
            "multipleOf" => {
                node.multiple_of = self.number(keyword, value);
                if node.multiple_of.as_ref().is_some_and(|n| Exact::of(n).compare(Exact::Integer(0)).is_le())
                {
                    node.multiple_of = None;
                    self.wants(keyword, "a number above 0");
                }
            }
            "minLength" => node.min_length = self.count(keyword, value),
            "maxLength" => node.max_length = self.count(keyword, value),
            "minItems" => node.min_items = self.count(keyword, value),
            "maxItems" => node.max_items = self.count(keyword, value),
            "uniqueItems" => node.unique_items = self.flag(keyword, value),
            "pattern" => node.pattern = self.pattern(value),
            "format" => node.format = self.format(value),
            "title" => node.title = self.text(keyword, value),
            "description" => node.description = self.text(keyword, value),
            "$comment" => node.comment = self.text(keyword, value),
            "default" => node.default = Some(value.clone()),
            "examples" => match value {
                Json::Array(examples) => node.examples.clone_from(examples),
                _ => self.wants(keyword, "an array of values"),
            },
            "deprecated" => node.deprecated = self.flag(keyword, value),
            "readOnly" => node.read_only = self.flag(keyword, value),
            "writeOnly" => node.write_only = self.flag(keyword, value),
            "x-tool-fast" => node.fast = self.flag(keyword, value),
            unknown => {
                let hint = hint::for_keyword(unknown);
                self.fault(unknown, format!("`{unknown}` is no keyword that is enforced"), hint);
            }
        }
    }

    fn text(&mut self, keyword: &str, value: &Json) -> Option<String> {
        let text = value.as_str().map(ToOwned::to_owned);
        if text.is_none() {
            self.wants(keyword, "a string");
        }
        text
    }

    fn flag(&mut self, keyword: &str, value: &Json) -> bool {
        if let Json::Bool(flag) = value {
            return *flag;
        }
        self.wants(keyword, "`true` or `false`");
        false
    }

    pub(super) fn number(&mut self, keyword: &str, value: &Json) -> Option<Number> {
        match value {
            Json::Number(number) => Some(number.clone()),
            Json::Bool(_) if keyword.starts_with("exclusive") => {
                let bound = if keyword == "exclusiveMinimum" { "minimum" } else { "maximum" };
                self.fault(
                    keyword,
                    format!("`{keyword}` is a boolean, as in draft 4"),
                    format!("write the number of `{bound}` here and leave `{bound}` out"),
                );
                None
            }
            _ => {
                self.wants(keyword, "a number");
                None
            }
        }
    }

    fn count(&mut self, keyword: &str, value: &Json) -> Option<u64> {
        let count = match value {
            Json::Number(number) => match Exact::of(number) {
                Exact::Integer(integer) => u64::try_from(integer).ok(),
                Exact::Float(_) => None,
            },
            _ => None,
        };
        if count.is_none() {
            self.wants(keyword, "an integer of at least 0");
        }
        count
    }

    fn types(&mut self, value: &Json) -> Vec<Kind> {
        let names = match value {
            Json::String(_) => std::slice::from_ref(value),
            Json::Array(names) if !names.is_empty() => names,
            _ => {
                self.wants("type", "the name of a type, or an array of them");
                return Vec::new();
            }
        };
        let mut kinds = Vec::new();
        for name in names {
            match name.as_str().map(|name| (name, Kind::from_name(name))) {
                Some((name, Some(kind))) if kinds.contains(&kind) => {
                    self.fault("type", format!("the type \"{name}\" stands twice"), "write it once");
                }
                Some((_, Some(kind))) => kinds.push(kind),
                Some((name, None)) => {
                    let hint = hint::for_type(name);
                    self.fault("type", format!("JSON Schema has no type \"{name}\""), hint);
                }
                None => self.wants("type", "the name of a type, or an array of them"),
            }
        }
        kinds
    }

    fn listed(&mut self, value: &Json) -> Option<Listed> {
        match value {
            Json::Array(values) if values.is_empty() => {
                self.fault("enum", "`enum` is empty, so that no value is right", "list at least one value");
                None
            }
            Json::Array(values) => Some(Listed::new(values.clone())),
            _ => {
                self.wants("enum", "an array of values");
                None
            }
        }
    }

    fn named(&mut self, keyword: &str, value: &Json) -> Vec<(String, Node)> {
        let Json::Object(members) = value else {
            self.wants(keyword, "an object of schemas");
            return Vec::new();
        };
        members
            .iter()
            .map(|(name, schema)| (name.clone(), self.within(name, |reader| reader.schema(schema))))
            .collect()
    }

    fn required(&mut self, value: &Json) -> Vec<String> {
        if let Json::Bool(_) = value {
            let hint = "list the property's name in the `required` of the object around it";
            self.fault("required", "`required` is a boolean", hint);
            return Vec::new();
        }
        let names = match value {
            Json::Array(items) => items.iter().map(|item| item.as_str().map(ToOwned::to_owned)).collect(),
            _ => None,
        };
        names.unwrap_or_else(|| {
            self.wants("required", "an array of property names");
            Vec::new()
        })
    }

    fn items(&mut self, value: &Json) -> Option<Box<Node>> {
        if let Json::Array(_) = value {
            let hint = "write one schema for all items, or an object with a property for each";
            self.fault("items", "`items` is an array", hint);
            return None;
        }
        Some(Box::new(self.schema(value)))
    }

    fn branches(&mut self, keyword: &str, value: &Json) -> Vec<Node> {
        let Json::Array(branches) = value else {
            self.wants(keyword, "an array of schemas");
            return Vec::new();
        };
        if branches.is_empty() {
            self.fault(keyword, format!("`{keyword}` is empty"), "list the alternatives");
        } else if keyword == "oneOf" && branches.len() < 2 {
            self.fault(keyword, "`oneOf` has fewer than two branches", "write the one branch in its place");
        }
        let read =
            |(index, branch): (usize, &Json)| self.within(&index.to_string(), |reader| reader.schema(branch));
        branches.iter().enumerate().map(read).collect()
    }

    fn reference(&mut self, value: &Json) -> Option<Reference> {
        let Some(text) = value.as_str() else {
            self.wants("$ref", "a string");
            return None;
        };
        match rules::target(text, &self.names) {
            Ok(target) => Some(Reference { text: text.to_owned(), target }),
            Err((problem, hint)) => {
                self.fault("$ref", problem, hint);
                // Whatever is named after the root's faults stays checkable.
                Some(Reference { text: text.to_owned(), target: Target::Definition(usize::MAX) })
            }
        }
    }

    fn pattern(&mut self, value: &Json) -> Option<Pattern> {
        let source = self.text("pattern", value)?;
        match Pattern::new(&source) {
            Ok(pattern) => Some(pattern),
            Err(reason) => {
                let hint =
                    "write one without look-around and backreferences, as RE2 or Rust's `regex` take it";
                self.fault("pattern", format!("`{source}` is no pattern: {reason}"), hint);
                None
            }
        }
    }

    fn format(&mut self, value: &Json) -> Option<Format> {
        let name = self.text("format", value)?;
        let format = Format::from_name(&name);
        if format.is_none() {
            let hint = hint::for_format(&name);
            self.fault("format", format!("the format \"{name}\" is not enforced"), hint);
        }
        format
    }

    fn order(&mut self, node: &mut Node, value: &Json) {
        let Json::Array(names) = value else {
            return self.wants("x-tool-order", "an array of property names");
        };
        let place = |name: &str| names.iter().position(|listed| listed.as_str() == Some(name));
        if let Some(unknown) =
            names.iter().filter_map(Json::as_str).find(|name| node.property(name).is_none())
        {
            let problem = format!("`x-tool-order` names no property with \"{unknown}\"");
            self.fault("x-tool-order", problem, "name properties of this object only");
        }
        let mut list = node.properties().to_vec();
        list.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        if node.properties.is_some() {
            node.properties = Some(Properties::new(list));
        }
    }
}
