//! Leads every `$ref` to a definition.

use super::part::{Document, Part, Target};
use super::read::Reader;
use super::{DialectError, Loss};
use crate::value::{Json, Pointer};

/// The longest way from reference to reference.
const MAX_CHAIN: usize = 64;

/// The most definitions.
const MAX_DEFINITIONS: usize = 2_000;

pub(super) struct Resolver<'j> {
    source: &'j Json,
    /// The place of each definition in the source.
    places: Vec<String>,
    definitions: Vec<(String, Part)>,
}

impl<'j> Resolver<'j> {
    /// Resolves the references of a document; definitions that nothing leads to are read, too.
    pub(super) fn resolve(
        source: &'j Json,
        mut root: Part,
        mut reader: Reader,
    ) -> Result<(Document, Vec<Loss>), DialectError> {
        let mut resolver = Self { source, places: Vec::new(), definitions: Vec::new() };
        for keyword in ["$defs", "definitions"] {
            if let Some(Json::Object(named)) = source.get(keyword) {
                for (name, inner) in named {
                    let mut pointer = Pointer::root();
                    pointer.push(keyword);
                    pointer.push(name);
                    resolver.add(name, inner, &mut pointer, &mut reader)?;
                }
            }
        }
        // Reading a definition can find further references.
        let mut next = 0;
        let mut targets: Vec<(String, Target)> = Vec::new();
        while let Some((at, text)) = reader.references.get(next).cloned() {
            let target = resolver.target(&at, &text, &mut reader)?;
            targets.push((at, target));
            next += 1;
        }
        targets.sort();
        let lookup = |at: &str| {
            let index = targets.binary_search_by(|(place, _)| place.as_str().cmp(at)).ok()?;
            targets.get(index).map(|(_, target)| *target)
        };
        set(&mut root, &lookup);
        for (_, part) in &mut resolver.definitions {
            set(part, &lookup);
        }
        let document = Document { root, definitions: resolver.definitions };
        endless(&document)?;
        Ok((document, reader.losses))
    }

    fn add(
        &mut self,
        name: &str,
        json: &Json,
        pointer: &mut Pointer,
        reader: &mut Reader,
    ) -> Result<usize, DialectError> {
        if self.definitions.len() >= MAX_DEFINITIONS {
            return Err(DialectError::TooLarge { pointer: pointer.as_str().to_owned() });
        }
        let place = pointer.as_str().to_owned();
        let part = reader.part(json, pointer)?;
        let name = self.free_name(name);
        self.places.push(place);
        self.definitions.push((name, part));
        Ok(self.definitions.len() - 1)
    }

    /// The name, of letters that need no escapes, and with a number if it is taken.
    fn free_name(&self, name: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') { c } else { '_' };
        let mut base: String = name.chars().take(64).map(plain).collect();
        if base.is_empty() {
            base.push('_');
        }
        let is_taken = |name: &str| self.definitions.iter().any(|(taken, _)| taken == name);
        let numbered = (2..).map(|number| format!("{base}{number}"));
        std::iter::once(base.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(base)
    }

    fn target(&mut self, at: &str, text: &str, reader: &mut Reader) -> Result<Target, DialectError> {
        let fault = || DialectError::Reference { pointer: format!("{at}/$ref"), reference: text.to_owned() };
        if text == "#" {
            return Ok(Target::Root);
        }
        let place = match text.strip_prefix('#') {
            Some(pointer) if pointer.starts_with('/') => decoded(pointer).ok_or_else(fault)?,
            Some(anchor) => find(self.source, "$anchor", anchor).ok_or_else(fault)?,
            None => find(self.source, "$id", text).ok_or_else(fault)?,
        };
        if place.is_empty() {
            return Ok(Target::Root);
        }
        if let Some(index) = self.places.iter().position(|known| *known == place) {
            return Ok(Target::Definition(index));
        }
        let json = schema_at(self.source, &place).ok_or_else(fault)?;
        let mut pointer = Pointer::root();
        let tokens: Vec<String> = place.split('/').skip(1).map(unescaped).collect();
        for token in &tokens {
            pointer.push(token);
        }
        let name = tokens.last().map_or("", String::as_str);
        self.add(name, json, &mut pointer, reader).map(Target::Definition)
    }
}

fn set(part: &mut Part, lookup: &impl Fn(&str) -> Option<Target>) {
    part.reference = lookup(&part.at);
    for child in part.children_mut() {
        set(child, lookup);
    }
}

/// A reference that leads in a circle without a property or an item between never ends.
fn endless(document: &Document) -> Result<(), DialectError> {
    let count = document.definitions.len();
    let parts = (0..count).map(Target::Definition).chain([Target::Root]);
    // 0: not seen, 1: on the way, 2: done; the root stands last.
    let mut states = vec![0_u8; count + 1];
    for target in parts {
        visit(document, target, &mut states, 0)?;
    }
    Ok(())
}

fn visit(document: &Document, target: Target, states: &mut [u8], depth: usize) -> Result<(), DialectError> {
    let index = match target {
        Target::Root => document.definitions.len(),
        Target::Definition(index) => index,
    };
    let Some(part) = document.get(target) else { return Ok(()) };
    let fault = || DialectError::Endless { pointer: part.at.clone() };
    match states.get_mut(index) {
        Some(state @ 0) => *state = 1,
        Some(1) => return Err(fault()),
        _ => return Ok(()),
    }
    if depth > MAX_CHAIN {
        return Err(fault());
    }
    let mut next = Vec::new();
    same_value(part, &mut next);
    for target in next {
        visit(document, target, states, depth + 1)?;
    }
    if let Some(state) = states.get_mut(index) {
        *state = 2;
    }
    Ok(())
}

/// The references that hold for the same value as the part.
fn same_value(part: &Part, out: &mut Vec<Target>) {
    out.extend(part.reference);
    let others =
        part.others.iter().filter(|(keyword, _)| matches!(keyword.as_str(), "not" | "if" | "then" | "else"));
    for inner in part.branches().chain(&part.all_of).chain(others.map(|(_, part)| part)) {
        same_value(inner, out);
    }
}

/// A pointer of a reference with its percent escapes read and its own escapes made regular.
fn decoded(pointer: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    let mut regular = Pointer::root();
    for token in text.split('/').skip(1) {
        regular.push(&unescaped(token));
    }
    Some(regular.as_str().to_owned())
}

fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// What stands behind a keyword: one schema, a list, or schemas by name.
fn position(keyword: &str) -> Option<u8> {
    Some(match keyword {
        "items"
        | "additionalProperties"
        | "additionalItems"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties" => 0,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => 1,
        "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => 2,
        _ => return None,
    })
}

/// The schema at a pointer, if every step of it leads to a schema.
fn schema_at<'j>(source: &'j Json, place: &str) -> Option<&'j Json> {
    let mut json = source;
    let mut tokens = place.split('/').skip(1).map(unescaped);
    while let Some(keyword) = tokens.next() {
        let behind = json.get(&keyword)?;
        json = match (position(&keyword)?, behind) {
            (0 | 1, Json::Array(items)) => items.get(tokens.next()?.parse::<usize>().ok()?)?,
            (2, named) => named.get(&tokens.next()?)?,
            (0, schema) => schema,
            _ => return None,
        };
    }
    matches!(json, Json::Object(_) | Json::Bool(_)).then_some(json)
}

/// The place of the schema whose keyword has this text. The nesting was bounded when the text was read.
fn find(source: &Json, keyword: &str, text: &str) -> Option<String> {
    let mut open = vec![(source, Pointer::root())];
    while let Some((json, pointer)) = open.pop() {
        let Json::Object(members) = json else { continue };
        if json.get(keyword).and_then(Json::as_str) == Some(text) {
            return Some(pointer.as_str().to_owned());
        }
        for (key, behind) in members {
            let below = |token: &str| {
                let mut below = pointer.clone();
                below.push(key);
                if !token.is_empty() {
                    below.push(token);
                }
                below
            };
            match (position(key), behind) {
                (Some(2), Json::Object(named)) => {
                    open.extend(named.iter().map(|(name, inner)| (inner, below(name))));
                }
                (Some(0 | 1), Json::Array(items)) => {
                    let numbered = items.iter().enumerate();
                    open.extend(numbered.map(|(index, inner)| (inner, below(&index.to_string()))));
                }
                (Some(0), inner) => open.push((inner, below(""))),
                _ => {}
            }
        }
    }
    None
}
