//! Two parts that hold for one value become one part that holds wherever both did.
//!
//! Where the two cannot be said as one, the first stays and the second becomes a loss: what comes out takes at
//! least what both took.

use super::super::node::Kind;
use super::part::{Document, Part, kind_of};
use super::{Loss, LossKind};
use crate::value::{Exact, Json};

/// Merges `allOf` away, here and below. `document` says where references lead.
pub(super) fn merge_all_of(part: &mut Part, document: &Document, losses: &mut Vec<Loss>) {
    let mut left = MAX_PARTS;
    merge_below(part, document, losses, 0, &mut left);
}

/// What is merged can bring further `allOf`, again and again where it leads back into itself.
fn merge_below(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, depth: usize, left: &mut usize) {
    let mut depth = depth;
    if !part.all_of.is_empty() {
        depth += 1;
        if depth > MAX_LEVELS || *left == 0 {
            part.all_of.clear();
            let what = "leads back into itself or is too large, and was left out";
            losses.push(Loss::new(&part.at, "allOf", LossKind::Loosened, what));
        } else {
            fold_all_of(part, document, losses, 0);
            *left = left.saturating_sub(part.count());
        }
    }
    for child in part.children_mut() {
        merge_below(child, document, losses, depth, left);
    }
}

/// The most levels at which what was merged brings a further `allOf`.
const MAX_LEVELS: usize = 6;

/// The most steps from `allOf` to reference to `allOf`, and the most parts that come of it.
const MAX_STEPS: usize = 16;
const MAX_PARTS: usize = 10_000;

pub(super) fn fold_all_of(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, step: usize) {
    let branches = std::mem::take(&mut part.all_of);
    let mut count = part.count();
    for mut branch in branches {
        // A lone reference stays one.
        if branch.is_bare_reference() && part.reference.is_none() {
            part.reference = branch.reference;
            continue;
        }
        count += branch.count();
        if step >= MAX_STEPS || count > MAX_PARTS {
            losses.push(Loss::new(&branch.at, "allOf", LossKind::Loosened, "is too large to be written out"));
            continue;
        }
        follow(&mut branch, document, losses, step);
        fold_all_of(&mut branch, document, losses, step + 1);
        if part.reference.is_some() {
            follow(part, document, losses, step);
        }
        merge(part, branch, losses);
    }
}

/// Writes out what the part's own reference leads to.
pub(super) fn follow(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, step: usize) {
    let mut steps = step;
    while let Some(target) = part.reference.take() {
        steps += 1;
        let Some(target) = document.get(target).filter(|_| steps <= MAX_STEPS * 4) else {
            losses.push(Loss::new(&part.at, "$ref", LossKind::Loosened, "leads too far to be written out"));
            return;
        };
        let mut target = target.clone();
        if step < MAX_STEPS {
            fold_all_of(&mut target, document, losses, step + 1);
        }
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
    into.patterns.extend(from.patterns);
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
pub(super) fn takes_null(part: &Part, document: &Document, depth: usize) -> bool {
    if depth > 24 || part.never {
        return false;
    }
    let by_type = part.types.is_empty() || part.types.contains(&Kind::Null);
    let by_value = part.values().is_none_or(|values| values.iter().any(|value| kind_of(value) == Kind::Null));
    let below = |inner: &Part| takes_null(inner, document, depth + 1);
    let by_reference =
        part.reference.is_none_or(|target| document.get(target).is_none_or(|target| below(target)));
    by_type
        && by_value
        && by_reference
        && (part.any_of.is_empty() || part.any_of.iter().any(below))
        && (part.one_of.is_empty() || part.one_of.iter().filter(|branch| below(branch)).count() == 1)
        && part.all_of.iter().all(below)
        && part.others.is_empty()
}
