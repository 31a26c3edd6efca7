//! Two parts that hold for one value become one part that holds wherever both did.
//!
//! Where the two cannot be said as one, the first stays and the second becomes a loss: what comes out takes at
//! least what both took.

use super::super::node::Kind;
use super::part::{Document, Part, kind_of};
use super::{Loss, LossKind};
use crate::value::{Exact, Json};

/// Merges `allOf` away, here and below. `document` says where references lead; `fuel` is spent by the part.
pub(super) fn merge_all_of(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, fuel: &mut usize) {
    merge_below(part, document, losses, 0, fuel);
}

/// The parts that merging may write in one projection.
pub(super) const FUEL: usize = 20_000;

/// The most levels at which what was merged brings a further `allOf`, as it does where it leads back into itself.
const MAX_LEVELS: usize = 6;

fn merge_below(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, depth: usize, fuel: &mut usize) {
    let mut depth = depth;
    if !part.all_of.is_empty() {
        depth += 1;
        if depth > MAX_LEVELS {
            part.all_of.clear();
            let what = "leads back into itself, and was left out";
            losses.push(Loss::new(&part.at, "allOf", LossKind::Loosened, what));
        } else {
            fold_all_of(part, document, losses, fuel);
        }
    }
    for child in part.children_mut() {
        merge_below(child, document, losses, depth, fuel);
    }
}

/// Merges the `allOf` of the part itself. What references lead in a circle was refused, so this ends.
pub(super) fn fold_all_of(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, fuel: &mut usize) {
    for mut branch in std::mem::take(&mut part.all_of) {
        // A lone reference stays one.
        if branch.is_bare_reference() && part.reference.is_none() {
            part.reference = branch.reference;
            continue;
        }
        if part.reference.is_some() {
            follow(part, document, losses, fuel);
        }
        follow(&mut branch, document, losses, fuel);
        fold_all_of(&mut branch, document, losses, fuel);
        merge(part, branch, losses);
    }
}

/// Writes out what the part's own reference leads to.
pub(super) fn follow(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, fuel: &mut usize) {
    while let Some(target) = part.reference.take() {
        let target = document.get(target);
        let cost = target.map_or(0, Part::count);
        let Some((target, left)) = target.zip(fuel.checked_sub(cost)) else {
            *fuel = 0;
            losses.push(Loss::new(&part.at, "$ref", LossKind::Loosened, "is too large to be written out"));
            return;
        };
        *fuel = left;
        let mut target = target.clone();
        fold_all_of(&mut target, document, losses, fuel);
        merge(part, target, losses);
    }
}

/// Makes the first part take only what the second takes as well.
pub(super) fn merge(into: &mut Part, from: Part, losses: &mut Vec<Loss>) {
    into.never |= from.never;
    if into.reference.is_none() {
        into.reference = from.reference;
    } else if from.reference.is_some() && from.reference != into.reference {
        losses.push(Loss::new(&from.at, "$ref", LossKind::Loosened, "stands beside another reference"));
    }
    types(into, &from, losses);
    values(into, &from, losses);
    for (word, value) in from.words {
        merge_word(into, &from.at, word, value, losses);
    }
    properties(into, from.properties, losses);
    for name in from.required {
        if !into.requires(&name) {
            into.required.push(name);
        }
    }
    optional_part(&mut into.additional, from.additional, losses);
    optional_part(&mut into.items, from.items, losses);
    for (pattern, part) in from.patterns {
        match into.patterns.iter_mut().find(|(known, _)| *known == pattern) {
            Some((_, known)) => merge(known, part, losses),
            None => into.patterns.push((pattern, part)),
        }
    }
    let keyword_twice = |losses: &mut Vec<Loss>, keyword: &str| {
        losses.push(Loss::new(
            &from.at,
            keyword,
            LossKind::Loosened,
            "stands twice for one value; the first stays",
        ));
    };
    for (keyword, own, other) in [
        ("prefixItems", &mut into.prefix, from.prefix),
        ("anyOf", &mut into.any_of, from.any_of),
        ("oneOf", &mut into.one_of, from.one_of),
    ] {
        if own.is_empty() {
            *own = other;
        } else if !other.is_empty() {
            keyword_twice(losses, keyword);
        }
    }
    into.all_of.extend(from.all_of);
    for (keyword, other) in from.others {
        if into.others.iter().any(|(known, _)| *known == keyword) {
            keyword_twice(losses, &keyword);
        } else {
            into.others.push((keyword, other));
        }
    }
}

fn types(into: &mut Part, from: &Part, losses: &mut Vec<Loss>) {
    if into.types.is_empty() {
        into.types.clone_from(&from.types);
    } else if !from.types.is_empty() {
        let both: Vec<Kind> = into.types.iter().filter_map(|kind| common(*kind, &from.types)).collect();
        if both.is_empty() {
            losses.push(Loss::new(&from.at, "type", LossKind::Loosened, "excludes the type beside it"));
        } else {
            into.types = both;
        }
    }
}

fn common(kind: Kind, others: &[Kind]) -> Option<Kind> {
    if others.contains(&kind) {
        return Some(kind);
    }
    match kind {
        Kind::Integer if others.contains(&Kind::Number) => Some(Kind::Integer),
        Kind::Number if others.contains(&Kind::Integer) => Some(Kind::Integer),
        _ => None,
    }
}

fn values(into: &mut Part, from: &Part, losses: &mut Vec<Loss>) {
    let Some(other) = from.values() else { return };
    let Some(own) = into.values() else {
        into.constant.clone_from(&from.constant);
        into.listed.clone_from(&from.listed);
        return;
    };
    let both: Vec<Json> = own.iter().filter(|value| other.contains(value)).cloned().collect();
    if both.is_empty() {
        losses.push(Loss::new(&from.at, "enum", LossKind::Loosened, "excludes the values beside it"));
    } else {
        into.constant = None;
        into.listed = Some(both);
    }
}

fn merge_word(into: &mut Part, at: &str, word: String, value: Json, losses: &mut Vec<Loss>) {
    let Some(own) = into.word(&word) else {
        into.words.push((word, value));
        return;
    };
    if *own == value {
        return;
    }
    let larger = match word.as_str() {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => Some(true),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => Some(false),
        "title" | "description" | "default" | "examples" | "example" | "$comment" | "$schema" | "$id" => {
            return;
        }
        _ => None,
    };
    match (larger, own, &value) {
        (Some(larger), Json::Number(a), Json::Number(b)) => {
            if Exact::of(b).compare(Exact::of(a)).is_gt() == larger {
                into.set_word(&word, value);
            }
        }
        _ => {
            let what = "stands twice for one value; the first stays";
            losses.push(Loss::new(at, &word, LossKind::Loosened, what));
        }
    }
}

fn properties(into: &mut Part, from: Option<Vec<(String, Part)>>, losses: &mut Vec<Loss>) {
    let Some(from) = from else { return };
    let own = into.properties.get_or_insert_default();
    for (name, other) in from {
        match own.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => merge(known, other, losses),
            None => own.push((name, other)),
        }
    }
}

fn optional_part(into: &mut Option<Box<Part>>, from: Option<Box<Part>>, losses: &mut Vec<Loss>) {
    match (into.as_deref_mut(), from) {
        (Some(own), Some(from)) => merge(own, *from, losses),
        (None, Some(from)) => *into = Some(from),
        (_, None) => {}
    }
}

/// Whether `null` is right for a part, as far as a bounded look tells; where in doubt, it is not.
pub(super) fn takes_null(part: &Part, document: &Document) -> bool {
    looks_nullable(part, document, &mut 256)
}

fn looks_nullable(part: &Part, document: &Document, fuel: &mut usize) -> bool {
    let Some(left) = fuel.checked_sub(1) else { return false };
    *fuel = left;
    let by_type = part.types.is_empty() || part.types.contains(&Kind::Null);
    let by_value = part.values().is_none_or(|values| values.iter().any(|value| kind_of(value) == Kind::Null));
    if part.never || !by_type || !by_value || !part.others.is_empty() {
        return false;
    }
    let target = part.reference.and_then(|target| document.get(target));
    target.is_none_or(|target| looks_nullable(target, document, fuel))
        && (part.any_of.is_empty() || part.any_of.iter().any(|branch| looks_nullable(branch, document, fuel)))
        && (part.one_of.is_empty()
            || part.one_of.iter().filter(|branch| looks_nullable(branch, document, fuel)).count() == 1)
        && part.all_of.iter().all(|branch| looks_nullable(branch, document, fuel))
}
