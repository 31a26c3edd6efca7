//! From parts to the schema of a dialect.

use std::collections::{BTreeMap, BTreeSet};

use super::super::node::Kind;
use super::merge::{FUEL, fold_all_of, follow, merge_all_of, takes_null};
use super::part::{Document, Part, Target};
use super::reverse::{self, ReverseMap};
use super::rules::{References, Rules};
use super::table::{Fate, Feature};
use super::union::flatten;
use super::write::{ordered, reference};
use super::{DialectError, Loss, LossKind, expand};
use crate::value::{Json, unhidden, visible};

/// A schema in a dialect, before its limits are looked at.
pub(super) struct Projected {
    pub(super) schema: Json,
    pub(super) losses: Vec<Loss>,
    /// Why `strict` does not hold.
    pub(super) reasons: Vec<String>,
    pub(super) reverse: ReverseMap,
}

/// Projects a document by the rules of one dialect.
pub(super) fn project(
    mut document: Document,
    mut losses: Vec<Loss>,
    rules: &'static Rules,
) -> Result<Projected, DialectError> {
    root_object(&mut document, &mut losses)?;
    let mut fuel = FUEL;
    if !rules.keeps(Feature::RootUnion) {
        let mut root = document.root.clone();
        follow(&mut root, &document, &mut losses, &mut fuel);
        fold_all_of(&mut root, &document, &mut losses, &mut fuel);
        // The last one of a list of references is left to be followed.
        follow(&mut root, &document, &mut losses, &mut fuel);
        flatten(&mut root, &document, &mut losses, &mut fuel);
        document.root = root;
    }
    if !rules.keeps(Feature::AllOf) {
        let source = document.clone();
        merge_all_of(&mut document.root, &source, &mut losses, &mut fuel);
        for (_, part) in &mut document.definitions {
            merge_all_of(part, &source, &mut losses, &mut fuel);
        }
    }
    let recursive = expand::recursive(&document);
    let mut document = expand::expand(document, rules.references, &mut losses)?;
    if rules.apart {
        let source = document.clone();
        apart(&mut document.root, &source, &mut losses, &mut fuel);
    }
    let projector = Projector {
        rules,
        document: &document,
        losses,
        reasons: Vec::new(),
        map: Vec::new(),
        positions: BTreeMap::new(),
        wanted: Vec::new(),
        recursive,
        followed: Vec::new(),
        current: Target::Root,
        unions: 0,
        fuel,
    };
    Ok(projector.all())
}

/// The root of arguments is an object, whatever the schema allows besides.
pub(super) fn root_object(document: &mut Document, losses: &mut Vec<Loss>) -> Result<(), DialectError> {
    let types: Vec<Vec<Kind>> = document
        .chain(&document.root)
        .map(|part| part.types.clone())
        .filter(|types| !types.is_empty())
        .collect();
    let excludes_objects = types.iter().any(|types| !types.contains(&Kind::Object));
    let is_object = |value: &Json| matches!(value, Json::Object(_));
    let lists_none = document.chain(&document.root).any(|part| {
        part.listed.as_ref().is_some_and(|values| !values.iter().any(is_object))
            || part.constant.as_ref().is_some_and(|value| !is_object(value))
    });
    let is_misread = losses.iter().any(|loss| loss.pointer().is_empty() && loss.keyword() == "type");
    if document.root.never || excludes_objects || lists_none || is_misread {
        let first = types.first().and_then(|types| types.first());
        return Err(DialectError::NotAnObject { got: first.map_or("no object", |kind| kind.name()) });
    }
    document.root.types = vec![Kind::Object];
    for (keyword, listed) in
        [("enum", document.root.listed.take().is_some()), ("const", document.root.constant.take().is_some())]
    {
        if listed {
            losses.push(Loss::new(
                "",
                keyword,
                LossKind::Omitted,
                "lists whole objects, which no provider takes",
            ));
        }
    }
    let has_default = document.root.take_word("default").is_some();
    if has_default {
        losses.push(Loss::new("", "default", LossKind::Omitted, "has no meaning for all arguments together"));
    }
    Ok(())
}

/// Makes one object wherever properties and a union stand together.
fn apart(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, fuel: &mut usize) {
    if part.properties.is_some() && part.branches().next().is_some() {
        flatten(part, document, losses, fuel);
    }
    for child in part.children_mut() {
        apart(child, document, losses, fuel);
    }
}

pub(super) struct Projector<'d> {
    pub(super) rules: &'static Rules,
    pub(super) document: &'d Document,
    pub(super) losses: Vec<Loss>,
    pub(super) reasons: Vec<String>,
    pub(super) map: Vec<reverse::Node>,
    /// Where each definition stands in the map.
    positions: BTreeMap<Target, usize>,
    /// Definitions that something leads to.
    wanted: Vec<Target>,
    pub(super) recursive: BTreeSet<Target>,
    /// Definitions that are being written out in a union.
    pub(super) followed: Vec<Target>,
    /// The definition that is being written, and how many unions deep.
    current: Target,
    pub(super) unions: usize,
    pub(super) fuel: usize,
}

/// A schema that is being written.
#[derive(Default)]
pub(super) struct Out {
    pub(super) members: Vec<(String, Json)>,
    /// What moves into the description.
    pub(super) notes: Vec<String>,
    pub(super) nullable: bool,
    pub(super) reverse: reverse::Node,
}

impl Out {
    pub(super) fn push(&mut self, keyword: &str, value: Json) {
        self.members.push((keyword.to_owned(), value));
    }

    fn has(&self, keyword: &str) -> bool {
        self.members.iter().any(|(known, _)| known == keyword)
    }
}

/// The longest text of a keyword that moves into the description, in characters.
const MAX_NOTE: usize = 200;

impl Projector<'_> {
    fn all(mut self) -> Projected {
        let document = self.document;
        let root = self.position(Target::Root);
        let (schema, id) = self.node(&document.root);
        self.alias(root, id);
        let mut definitions = BTreeMap::new();
        if !self.rules.strict && self.rules.references != References::Inline {
            self.wanted.extend((0..document.definitions.len()).map(Target::Definition));
        }
        while let Some(target) = self.wanted.pop() {
            let (Target::Definition(index), Some(part)) = (target, document.get(target)) else { continue };
            if definitions.contains_key(&index) {
                continue;
            }
            let position = self.position(target);
            self.current = target;
            let (schema, id) = self.node(part);
            self.alias(position, id);
            definitions.insert(index, schema);
        }
        let mut members = match schema {
            Json::Object(members) => members,
            _ => Vec::new(),
        };
        if !definitions.is_empty() {
            let named = definitions.into_iter().filter_map(|(index, schema)| {
                document.definitions.get(index).map(|(name, _)| (name.clone(), schema))
            });
            members.push(("$defs".to_owned(), Json::Object(named.collect())));
        }
        self.losses.sort_by(|a, b| a.pointer().cmp(b.pointer()));
        self.losses.dedup();
        let reverse = ReverseMap::new(self.map);
        Projected { schema: Json::Object(members), losses: self.losses, reasons: self.reasons, reverse }
    }

    /// The place in the map of a definition, made on first use.
    fn position(&mut self, target: Target) -> usize {
        if let Some(id) = self.positions.get(&target) {
            return *id;
        }
        self.map.push(reverse::Node::default());
        let id = self.map.len() - 1;
        self.positions.insert(target, id);
        id
    }

    fn alias(&mut self, from: usize, to: usize) {
        if let Some(node) = self.map.get_mut(from) {
            node.alias = Some(to);
        }
    }

    pub(super) fn lose(&mut self, part: &Part, keyword: &str, kind: LossKind, what: &str) {
        self.losses.push(Loss::new(&part.at, keyword, kind, what));
    }

    pub(super) fn not_strict(&mut self, part: &Part, why: &str) {
        let at = if part.at.is_empty() { "(root)" } else { &part.at };
        self.reasons.push(format!("{at}: {why}"));
    }

    /// Moves a keyword into the description.
    pub(super) fn tell(&mut self, part: &Part, out: &mut Out, keyword: &str, value: &Json) {
        let text = value.text();
        let short: String = text.chars().take(MAX_NOTE).collect();
        let cut = if short.len() < text.len() { "…" } else { "" };
        // Neither may break the line that it stands in, or hide something there.
        out.notes.push(format!("{}: {}{cut}", visible(keyword), unhidden(&short)));
        let what =
            if cut.is_empty() { "moved into the description" } else { "moved into the description, cut" };
        self.lose(part, keyword, LossKind::Described, what);
    }

    /// Writes one part, and returns it with its place in the map.
    pub(super) fn node(&mut self, part: &Part) -> (Json, usize) {
        if let Some(other) = self.other_spelling(part) {
            return self.node(&other);
        }
        let mut out = Out::default();
        if part.never {
            if self.rules.strict {
                self.not_strict(part, "takes no value at all");
            }
            self.lose(part, "", LossKind::Loosened, "takes no value at all, which was said with `not`");
            let nothing = if self.rules.keeps(Feature::Not) {
                vec![("not".to_owned(), Json::Object(Vec::new()))]
            } else {
                Vec::new()
            };
            return self.finish(part, Out { members: nothing, ..out });
        }
        if part.is_anything() {
            self.anything(part, &mut out);
        }
        self.reference(part, &mut out);
        self.types(part, &mut out);
        self.values(part, &mut out);
        self.words(part, &mut out);
        self.object(part, &mut out);
        self.array(part, &mut out);
        self.union(part, &mut out);
        self.others(part, &mut out);
        self.finish(part, out)
    }

    fn anything(&mut self, part: &Part, out: &mut Out) {
        match self.rules.fate(Feature::Anything) {
            Fate::NotStrict => self.not_strict(part, "takes any value; give it a type"),
            Fate::Respell => {
                let what = "takes any value, told as a union of all types, with plain values in lists";
                self.lose(part, "", LossKind::Narrowed, what);
                out.push("anyOf", any_union());
                out.nullable = true;
            }
            _ => {}
        }
    }

    fn reference(&mut self, part: &Part, out: &mut Out) {
        let Some(target) = part.reference else { return };
        if self.recursive.contains(&target) {
            let through_union = self.unions > 0 && self.recursive.contains(&self.current);
            match self.rules.fate(Feature::Recursion) {
                Fate::NotStrict => self.not_strict(part, "leads back into itself"),
                Fate::Some if through_union => {
                    self.not_strict(part, "leads back into itself through a union");
                }
                _ => {}
            }
        }
        let position = self.position(target);
        out.push("$ref", reference(target, self.document));
        out.reverse.all.push(position);
        self.wanted.push(target);
    }

    fn types(&mut self, part: &Part, out: &mut Out) {
        let mut kinds = part.types.clone();
        out.reverse.facts.kinds.clone_from(&kinds);
        out.reverse.facts.values = part.values().map(<[Json]>::to_vec);
        if self.rules.fate(Feature::NullType) == Fate::Respell && kinds.contains(&Kind::Null) {
            out.nullable = true;
            kinds.retain(|kind| *kind != Kind::Null);
            if kinds.is_empty() && part.branches().next().is_none() {
                out.notes.push("null only".to_owned());
                self.lose(part, "type", LossKind::Loosened, "is null alone, told as a text that may be null");
                kinds.push(Kind::String);
            }
        }
        match kinds.as_slice() {
            [] => {}
            [only] => out.push("type", Json::String(only.name().to_owned())),
            kinds => {
                let names = kinds.iter().map(|kind| Json::String(kind.name().to_owned()));
                out.push("type", Json::Array(names.collect()));
            }
        }
    }

    /// Puts the description together and the keywords in order.
    fn finish(&mut self, part: &Part, mut out: Out) -> (Json, usize) {
        if self.rules.strict
            && !part.never
            && !part.is_anything()
            && !["type", "anyOf", "$ref", "oneOf", "allOf"].iter().any(|keyword| out.has(keyword))
        {
            self.not_strict(part, "has no `type`");
        }
        if self.rules.nullable && !out.has("type") && !out.has("anyOf") {
            if out.nullable {
                out.push("type", Json::String("string".to_owned()));
                out.notes.push("null only".to_owned());
            } else {
                self.anything(part, &mut out);
            }
        }
        if out.nullable {
            out.push("nullable", Json::Bool(true));
        }
        let inner = out.members.iter().find(|(keyword, _)| keyword == "description");
        let inner = inner.and_then(|(_, text)| text.as_str());
        let mut description = part.description().or(inner).unwrap_or_default().to_owned();
        if !out.notes.is_empty() {
            let gap = if description.is_empty() { "" } else { "\n" };
            description = format!("{description}{gap}({})", out.notes.join("; "));
        }
        if part.description().is_some() || !description.is_empty() {
            out.members.retain(|(keyword, _)| keyword != "description");
            out.push("description", Json::String(description));
        }
        out.reverse.variants.clone_from(&part.variants);
        self.map.push(out.reverse);
        (ordered(out.members), self.map.len() - 1)
    }

    pub(super) fn takes_null(&self, part: &Part) -> bool {
        takes_null(part, self.document)
    }

    /// Writes out references that may not stand in a union.
    pub(super) fn in_union(&mut self, part: &Part) -> (Json, usize) {
        if self.rules.references == References::OutsideUnions
            && let Some(target) = part.reference
            && let Some(whole) = self.written_out(part)
        {
            self.followed.push(target);
            let written = self.node(&whole);
            self.followed.pop();
            return written;
        }
        self.node(part)
    }
}

/// Every type, for dialects in which everything has one.
fn any_union() -> Json {
    let of = |name: &str| ("type".to_owned(), Json::String(name.to_owned()));
    let plain: Vec<Json> =
        ["string", "number", "boolean", "object"].map(|name| Json::Object(vec![of(name)])).into();
    let items = Json::Object(vec![("anyOf".to_owned(), Json::Array(plain.clone()))]);
    let mut all = plain;
    all.push(Json::Object(vec![of("array"), ("items".to_owned(), items)]));
    Json::Array(all)
}
