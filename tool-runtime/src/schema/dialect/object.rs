//! Objects and arrays in a dialect.

use std::collections::BTreeSet;

use super::super::node::Kind;
use super::LossKind;
use super::expand::references;
use super::keys::stand_in;
use super::part::Part;
use super::project::{Out, Projector};
use super::reverse::Field;
use super::rules::References;
use super::table::{Fate, Feature};
use super::write::plain;
use crate::value::Json;

impl Projector<'_> {
    pub(super) fn object(&mut self, part: &Part, out: &mut Out) {
        let has_keywords = part.properties.is_some()
            || part.additional.is_some()
            || !part.required.is_empty()
            || !part.patterns.is_empty();
        let is_object = part.types.contains(&Kind::Object);
        if !is_object && !has_keywords {
            return;
        }
        let names = self.sent_names(part);
        self.properties(part, &names, out);
        self.additional(part, is_object, out);
        for (pattern, inner) in &part.patterns {
            match self.rules.fate(Feature::PatternProperties) {
                Fate::Keep => {
                    let (schema, _) = self.node(inner);
                    match out.members.iter_mut().find(|(keyword, _)| keyword == "patternProperties") {
                        Some((_, Json::Object(named))) => named.push((pattern.clone(), schema)),
                        _ => out.push("patternProperties", Json::Object(vec![(pattern.clone(), schema)])),
                    }
                }
                Fate::NotStrict => self.not_strict(part, "has properties by pattern"),
                _ => {
                    let told = Json::Object(vec![(pattern.clone(), plain(inner, self.document))]);
                    self.tell(part, out, "patternProperties", &told);
                }
            }
        }
    }

    /// The name under which each property goes out.
    fn sent_names(&mut self, part: &Part) -> Vec<String> {
        let keys = self.rules.keys;
        let mut taken: BTreeSet<String> =
            part.properties().iter().map(|(name, _)| name.clone()).filter(|name| keys.allow(name)).collect();
        let mut names = Vec::new();
        for (name, inner) in part.properties() {
            if keys.allow(name) {
                names.push(name.clone());
                continue;
            }
            let sent = stand_in(name, keys, |candidate| taken.contains(candidate));
            taken.insert(sent.clone());
            let what = format!("is refused as a property name and goes out as {sent:?}");
            self.lose(inner, "", LossKind::Respelled, &what);
            names.push(sent);
        }
        names
    }

    fn properties(&mut self, part: &Part, names: &[String], out: &mut Out) {
        let mut schemas = Vec::new();
        let mut required: Vec<String> = Vec::new();
        let nulls = self.rules.fate(Feature::Optional) == Fate::Respell;
        for ((name, inner), sent) in part.properties().iter().zip(names) {
            if inner.never {
                // In a closed object, what is not declared is refused as well.
                if !part.is_closed() {
                    self.lose(inner, "", LossKind::Loosened, "takes no value at all, and was left out");
                }
                continue;
            }
            let is_optional = !part.requires(name);
            let adds_null = nulls && is_optional && !self.takes_null(inner);
            let in_union = adds_null && inner.reference.is_some();
            let (mut schema, node) = if in_union { self.in_union(inner) } else { self.node(inner) };
            if adds_null {
                let lists = self.rules.keeps(Feature::NullType);
                schema = with_null(schema, lists);
            }
            out.reverse.fields.push(Field {
                sent: sent.clone(),
                name: name.clone(),
                node,
                null_is_absent: nulls && is_optional && (adds_null || part.variants.is_some()),
            });
            schemas.push((sent.clone(), schema));
            if nulls {
                required.push(sent.clone());
            }
        }
        for name in &part.required {
            match part.properties().iter().zip(names).find(|((known, _), _)| known == name) {
                Some(((_, inner), sent)) if !inner.never => {
                    if !nulls && !self.unrolls(part, inner) {
                        required.push(sent.clone());
                    }
                }
                Some(_) | None if self.rules.keeps(Feature::Undeclared) => required.push(name.clone()),
                _ => {
                    let what = format!("names {name:?}, which is not declared, and was left out");
                    self.lose(part, "required", LossKind::Loosened, &what);
                }
            }
        }
        let is_object = part.types.contains(&Kind::Object);
        let is_root = part.at.is_empty();
        let fate = self.rules.fate(Feature::NoProperties);
        if fate == Fate::Some && is_object && schemas.is_empty() && !is_root {
            self.not_strict(part, "is an object without properties");
        }
        if part.properties.is_some() || (is_object && fate != Fate::Keep) {
            out.push("properties", Json::Object(schemas));
        }
        out.reverse.facts.required.clone_from(&required);
        out.reverse.facts.closed = part.is_closed();
        if !required.is_empty() {
            out.push("required", Json::Array(required.into_iter().map(Json::String).collect()));
        }
    }

    /// Whether recursion stands below a required property, in a dialect that allows it below optional ones only.
    fn unrolls(&mut self, part: &Part, inner: &Part) -> bool {
        let is_kept = self.rules.fate(Feature::Recursion) == Fate::Respell
            && self.rules.references == References::Keep
            && !self.recursive.is_empty();
        let mut targets = BTreeSet::new();
        if is_kept {
            references(inner, &mut targets);
        }
        let found = targets.iter().any(|target| self.recursive.contains(target));
        if found {
            let what = "names a property with recursion below, and was loosened";
            self.lose(part, "required", LossKind::Loosened, what);
        }
        found
    }

    fn additional(&mut self, part: &Part, is_object: bool, out: &mut Out) {
        let Some(inner) = part.additional.as_deref() else {
            if is_object && self.rules.fate(Feature::Open) == Fate::NotStrict {
                self.not_strict(part, "is open; give it `\"additionalProperties\":false`");
            }
            if is_object && self.rules.apart {
                let what = "is missing, which the server takes for false";
                self.lose(part, "additionalProperties", LossKind::Narrowed, what);
            }
            return;
        };
        if inner.never {
            if self.rules.keeps(Feature::Closed) {
                out.push("additionalProperties", Json::Bool(false));
            } else {
                self.lose(part, "additionalProperties", LossKind::Loosened, "was left out");
            }
            return;
        }
        let is_open = inner.is_anything();
        let fate = self.rules.fate(if is_open { Feature::Open } else { Feature::Map });
        match fate {
            Fate::Keep => {
                let (schema, node) = if is_open {
                    (Json::Object(Vec::new()), None)
                } else {
                    let (schema, node) = self.node(inner);
                    (schema, Some(node))
                };
                out.reverse.additional = node;
                let is_plain = schema == Json::Object(Vec::new());
                out.push("additionalProperties", if is_plain { Json::Bool(true) } else { schema });
            }
            Fate::NotStrict if is_open => {
                self.not_strict(part, "is open; give it `\"additionalProperties\":false`");
            }
            Fate::NotStrict => self.not_strict(part, "is a map, which strict schemas cannot say"),
            // Open is what an object is without the keyword.
            Fate::Respell => {}
            _ => {
                let told = plain(inner, self.document);
                self.tell(part, out, "additionalProperties", &told);
            }
        }
    }

    pub(super) fn array(&mut self, part: &Part, out: &mut Out) {
        let is_array = part.types.contains(&Kind::Array);
        if !is_array && part.items.is_none() && part.prefix.is_empty() {
            return;
        }
        let inner = part.items.as_deref();
        if !part.prefix.is_empty() {
            if self.rules.keeps(Feature::Tuple) {
                let mut list = Vec::new();
                for item in &part.prefix {
                    let (schema, node) = self.node(item);
                    // Items of all places are restored alike, by whichever fits.
                    out.reverse.items = Some(self.joined(out.reverse.items, node));
                    list.push(schema);
                }
                out.push("prefixItems", Json::Array(list));
            } else {
                self.tuple(part, out);
                return;
            }
        }
        match inner {
            Some(inner) if inner.never && self.rules.keeps(Feature::Tuple) => {
                // A boolean schema where only plain dialects take one; a bound says the same.
                if self.rules.keeps(Feature::Not) {
                    out.push("items", Json::Bool(false));
                } else if part.word("maxItems").is_none() {
                    out.push("maxItems", Json::Number(part.prefix.len().into()));
                }
            }
            Some(inner) if inner.never => {
                out.notes.push("no items".to_owned());
                self.any_items(part, out);
            }
            Some(inner) if !inner.is_anything() || self.rules.keeps(Feature::AnyItems) => {
                let (schema, node) = self.node(inner);
                out.reverse.items = Some(self.joined(out.reverse.items, node));
                out.push("items", schema);
            }
            Some(inner) => {
                if let Some(text) = inner.description() {
                    out.notes.push(format!("items: {text}"));
                }
                self.any_items(part, out);
            }
            None if part.prefix.is_empty() => self.any_items(part, out),
            None => {}
        }
    }

    fn any_items(&mut self, part: &Part, out: &mut Out) {
        match self.rules.fate(Feature::AnyItems) {
            Fate::NotStrict => self.not_strict(part, "is a list of anything; give it `items`"),
            Fate::Respell => {
                let (schema, _) = self.node(&Part::anything(&part.at));
                out.push("items", schema);
            }
            _ => {}
        }
    }

    /// A tuple becomes a list of whatever any of its places takes.
    fn tuple(&mut self, part: &Part, out: &mut Out) {
        let places = Json::Array(part.prefix.iter().map(|item| plain(item, self.document)).collect());
        out.notes.push(format!("items in this order: {}", places.text()));
        let what = "became a list of any of its types; the order is told in the description";
        self.lose(part, "prefixItems", LossKind::Loosened, what);
        let ends = part.items.as_deref().is_some_and(|items| items.never)
            || match part.word("maxItems") {
                Some(Json::Number(most)) => most
                    .as_u64()
                    .is_some_and(|most| usize::try_from(most).is_ok_and(|most| most <= part.prefix.len())),
                _ => false,
            };
        let rest = match part.items.as_deref() {
            _ if ends => None,
            Some(items) => Some(items.clone()),
            None => Some(Part::anything(&part.at)),
        };
        if rest.as_ref().is_some_and(Part::is_anything) {
            self.any_items(part, out);
            return;
        }
        let mut places: Vec<Part> = part.prefix.iter().cloned().chain(rest).collect();
        let mut seen = Vec::new();
        places.retain(|place| {
            let text = plain(place, self.document).text();
            let is_new = !seen.contains(&text);
            seen.push(text);
            is_new
        });
        let item = match places.as_slice() {
            [only] => only.clone(),
            _ => Part { any_of: places, ..Part::anything(&part.at) },
        };
        let (schema, node) = self.node(&item);
        out.reverse.items = Some(node);
        out.push("items", schema);
    }

    /// One position that stands for two.
    fn joined(&mut self, known: Option<usize>, node: usize) -> usize {
        let Some(known) = known else { return node };
        self.map
            .push(super::reverse::Node { branches: vec![known, node], ..super::reverse::Node::default() });
        self.map.len() - 1
    }
}

/// The schema with null among its values.
fn with_null(schema: Json, lists: bool) -> Json {
    let null = || Json::Object(vec![("type".to_owned(), Json::String("null".to_owned()))]);
    let Json::Object(mut members) = schema else { return schema };
    let kind = members.iter().position(|(keyword, _)| keyword == "type");
    let in_list = match kind.and_then(|index| members.get(index)) {
        Some((_, Json::String(name))) => lists || !matches!(name.as_str(), "object" | "array"),
        Some(_) => true,
        None => false,
    };
    if in_list && !members.iter().any(|(keyword, _)| keyword == "anyOf") {
        for (keyword, value) in &mut members {
            match (keyword.as_str(), value) {
                ("type", value @ Json::String(_)) => {
                    *value = Json::Array(vec![value.clone(), Json::String("null".to_owned())]);
                }
                ("type", Json::Array(names)) => names.push(Json::String("null".to_owned())),
                ("enum", Json::Array(values)) => values.push(Json::Null),
                ("const", value) => {
                    *value = Json::Array(vec![value.clone(), Json::Null]);
                }
                _ => {}
            }
        }
        for (keyword, _) in &mut members {
            if keyword == "const" {
                "enum".clone_into(keyword);
            }
        }
        return super::write::ordered(members);
    }
    if kind.is_none()
        && let Some((_, Json::Array(branches))) = members.iter_mut().find(|(keyword, _)| keyword == "anyOf")
    {
        branches.push(null());
        return Json::Object(members);
    }
    let (notes, rules): (Vec<_>, Vec<_>) =
        members.into_iter().partition(|(keyword, _)| matches!(keyword.as_str(), "description" | "title"));
    let mut members = notes;
    members.push(("anyOf".to_owned(), Json::Array(vec![Json::Object(rules), null()])));
    Json::Object(members)
}
