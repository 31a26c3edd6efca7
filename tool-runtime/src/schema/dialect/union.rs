//! A union of objects becomes one object, for places where a dialect takes no union.

use super::super::node::Kind;
use super::merge::{fold_all_of, follow, takes_null};
use super::part::{Document, Part, Variants};
use super::{Loss, LossKind};
use crate::value::Json;

/// The deepest unions within unions that become one object.
const MAX_DEPTH: usize = 4;

/// The most branches that the description tells.
const MAX_TOLD: usize = 24;

/// Makes one object of a part with branches: every property of any branch, the tag as an `enum`.
///
/// What a value was allowed before, it is allowed after; which properties go together is told in the description.
pub(super) fn flatten(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, fuel: &mut usize) {
    flatten_at(part, document, losses, fuel, 0);
}

fn flatten_at(part: &mut Part, document: &Document, losses: &mut Vec<Loss>, fuel: &mut usize, depth: usize) {
    for keyword in ["anyOf", "oneOf"] {
        let branches = std::mem::take(if keyword == "anyOf" { &mut part.any_of } else { &mut part.one_of });
        if branches.is_empty() {
            continue;
        }
        if depth >= MAX_DEPTH {
            let what = "is nested too deeply in unions and was left out";
            losses.push(Loss::new(&part.at, keyword, LossKind::Loosened, what));
            continue;
        }
        let mut objects = Vec::new();
        for mut branch in branches {
            follow(&mut branch, document, losses, fuel);
            fold_all_of(&mut branch, document, losses, fuel);
            follow(&mut branch, document, losses, fuel);
            flatten_at(&mut branch, document, losses, fuel, depth + 1);
            // A branch that no object fits is none for an object.
            let is_object = branch.types.is_empty() || branch.types.contains(&Kind::Object);
            if is_object && !branch.never && branch.values().is_none() {
                objects.push(branch);
            }
        }
        let what = "became one object; which properties belong together is told in the description";
        losses.push(Loss::new(&part.at, keyword, LossKind::Loosened, what));
        combine(part, &objects, document);
    }
}

fn combine(part: &mut Part, branches: &[Part], document: &Document) {
    let Some(first) = branches.first() else { return };
    let is_closed = part.is_closed();
    let told = tell(branches);
    let tag = tag(branches);
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in branches.iter().flat_map(Part::properties) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let own = part.properties.get_or_insert_default();
    for name in names {
        let variants: Vec<&Part> = branches.iter().filter_map(|branch| branch.property(name)).collect();
        let is_tag = variants.len() == branches.len();
        match own.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) if is_tag && known.values().is_none() => {
                if let Some(values) = all_values(&variants) {
                    known.listed = Some(values);
                }
            }
            Some(_) => {}
            // A closed object takes no property but its own, whatever its branches say.
            None if is_closed => {}
            None => own.push((name.to_owned(), either(&variants, &part.at))),
        }
    }
    for name in &first.required {
        if branches.iter().all(|branch| branch.requires(name)) && !part.requires(name) {
            part.required.push(name.clone());
        }
    }
    if part.additional.is_none() && branches.iter().all(Part::is_closed) {
        part.additional.clone_from(&first.additional);
    }
    part.types = vec![Kind::Object];
    part.variants = part.variants.take().or_else(|| Some(variants(tag.as_deref(), branches, document)));
    if let Some(told) = told {
        part.describe(&told);
    }
}

/// The property by which all branches are told apart.
fn tag(branches: &[Part]) -> Option<String> {
    let is_tag = |name: &&String| {
        branches.len() > 1
            && branches.iter().all(|branch| {
                branch.requires(name) && branch.property(name).is_some_and(|part| part.values().is_some())
            })
    };
    branches.first()?.required.iter().find(is_tag).cloned()
}

fn variants(tag: Option<&str>, branches: &[Part], document: &Document) -> Variants {
    let branch = |branch: &Part| {
        let values = tag.and_then(|tag| branch.property(tag)).and_then(Part::values).unwrap_or_default();
        let with_null = branch.properties().iter().filter(|(_, part)| takes_null(part, document));
        (values.to_vec(), with_null.map(|(name, _)| name.clone()).collect())
    };
    Variants { tag: tag.map(ToOwned::to_owned), branches: branches.iter().map(branch).collect() }
}

/// The values of all, if each lists its values.
fn all_values(variants: &[&Part]) -> Option<Vec<Json>> {
    let mut all = Vec::new();
    for variant in variants {
        for value in variant.values()? {
            if !all.contains(value) {
                all.push(value.clone());
            }
        }
    }
    Some(all)
}

/// A part that takes what any of the variants takes.
fn either(variants: &[&Part], at: &str) -> Part {
    let mut distinct: Vec<&Part> = Vec::new();
    for variant in variants {
        if !distinct.iter().any(|known| same(known, variant)) {
            distinct.push(variant);
        }
    }
    if let [only] = distinct.as_slice() {
        return (*only).clone();
    }
    if let Some(values) = all_values(&distinct) {
        let mut kinds = Vec::new();
        for kind in distinct.iter().flat_map(|part| &part.types) {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        // Where one variant says no type, its values say it.
        if distinct.iter().any(|part| part.types.is_empty()) {
            kinds.clear();
        }
        return Part { types: kinds, listed: Some(values), ..Part::anything(at) };
    }
    Part { any_of: distinct.into_iter().cloned().collect(), ..Part::anything(at) }
}

/// Whether two parts say the same, wherever they stand.
fn same(a: &Part, b: &Part) -> bool {
    let named = |a: &[(String, Part)], b: &[(String, Part)]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && same(&a.1, &b.1))
    };
    let listed = |a: &[Part], b: &[Part]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    let boxed = |a: &Option<Box<Part>>, b: &Option<Box<Part>>| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    };
    a.never == b.never
        && a.reference == b.reference
        && a.types == b.types
        && a.listed == b.listed
        && a.constant == b.constant
        && a.words == b.words
        && a.required == b.required
        && a.properties.is_some() == b.properties.is_some()
        && named(a.properties(), b.properties())
        && boxed(&a.additional, &b.additional)
        && boxed(&a.items, &b.items)
        && named(&a.patterns, &b.patterns)
        && named(&a.others, &b.others)
        && listed(&a.prefix, &b.prefix)
        && listed(&a.any_of, &b.any_of)
        && listed(&a.one_of, &b.one_of)
        && listed(&a.all_of, &b.all_of)
}

/// One line a branch, such as `kind "circle": radius, color (optional)`.
fn tell(branches: &[Part]) -> Option<String> {
    if branches.len() < 2 {
        return None;
    }
    let tag = tag(branches);
    let mut out = "Takes one of these forms:".to_owned();
    for branch in branches.iter().take(MAX_TOLD) {
        out.push_str("\n- ");
        if let Some(tag) = &tag
            && let Some(values) = branch.property(tag).and_then(Part::values)
        {
            let values: Vec<String> = values.iter().map(Json::text).collect();
            out.extend([tag, " ", &values.join(" or ")]);
            if let Some(description) = branch.description() {
                out.extend([" (", description, ")"]);
            }
            out.push_str(": ");
        }
        let mut names: Vec<String> = branch
            .properties()
            .iter()
            .filter(|(name, _)| tag.as_ref() != Some(name))
            .map(|(name, _)| if branch.requires(name) { name.clone() } else { format!("{name} (optional)") })
            .collect();
        let undeclared = branch.required.iter().filter(|name| branch.property(name).is_none());
        names.extend(undeclared.cloned());
        out.push_str(if names.is_empty() { "nothing else" } else { "" });
        out.push_str(&names.join(", "));
    }
    if branches.len() > MAX_TOLD {
        out.extend(["\n- and ", &(branches.len() - MAX_TOLD).to_string(), " more"]);
    }
    Some(out)
}
