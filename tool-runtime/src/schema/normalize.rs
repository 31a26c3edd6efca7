//! What schemars writes for Rust types, turned into what JSON Schema and providers know.

use super::rules::{first_integer, last_integer};
use super::settle::order;
use crate::value::{Exact, Json};

/// Rewrites a whole document.
pub(super) fn normalize(document: &mut Json) {
    if let Json::Object(members) = document {
        // Made from the name of the Rust type, which says nothing to a model.
        members.retain(|(keyword, _)| keyword != "title" && keyword != "$schema");
    }
    schema(document);
}

/// Rewrites one schema and those below it. The depth was bounded when the tree was made.
fn schema(json: &mut Json) {
    let Json::Object(members) = json else { return };
    for (keyword, value) in members.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Json::Object(named)) => {
                for (_, inner) in named {
                    schema(inner);
                }
            }
            ("items" | "additionalProperties", inner) => schema(inner),
            ("anyOf" | "oneOf", Json::Array(branches)) => {
                branches.iter_mut().for_each(close_variant);
                branches.iter_mut().for_each(schema);
            }
            _ => {}
        }
    }
    close_known(members);
    sort_sets(members);
    drop_null_defaults(members);
    format(members);
    not_zero(members);
    fold_units(members);
    fold_nullable(members);
    unwrap_single(members);
}

type Members = Vec<(String, Json)>;

fn get<'m>(members: &'m Members, keyword: &str) -> Option<&'m Json> {
    members.iter().find(|(key, _)| key == keyword).map(|(_, value)| value)
}

fn set(members: &mut Members, keyword: &str, value: Json) {
    match members.iter_mut().find(|(key, _)| key == keyword) {
        Some((_, slot)) => *slot = value,
        None => members.push((keyword.to_owned(), value)),
    }
}

fn remove(members: &mut Members, keyword: &str) -> Option<Json> {
    let index = members.iter().position(|(key, _)| key == keyword)?;
    Some(members.remove(index).1)
}

fn string(text: &str) -> Json {
    Json::String(text.to_owned())
}

/// serde takes no other member for types of the standard library (`Duration`, `SystemTime`, ranges), which schemars does
/// not say.
fn close_known(members: &mut Members) {
    const KNOWN: &[[&str; 2]] =
        &[["secs", "nanos"], ["secs_since_epoch", "nanos_since_epoch"], ["start", "end"]];
    let Some(Json::Object(properties)) = get(members, "properties") else { return };
    let is_known = KNOWN.iter().any(|names| {
        properties.len() == 2 && names.iter().all(|name| properties.iter().any(|(key, _)| key == name))
    });
    if is_known {
        close(members);
    }
}

/// A variant with data of `Bound` or `Result` is an object of one member, which schemars does not say of them.
fn close_variant(branch: &mut Json) {
    let Json::Object(members) = branch else { return };
    let (Some(Json::Object(properties)), Some(Json::Array(required))) =
        (get(members, "properties"), get(members, "required"))
    else {
        return;
    };
    if let ([(name, _)], [only]) = (properties.as_slice(), required.as_slice())
        && only.as_str() == Some(name)
        && ["Included", "Excluded", "Ok", "Err"].contains(&name.as_str())
    {
        close(members);
    }
}

fn close(members: &mut Members) {
    let open =
        ["additionalProperties", "$ref", "anyOf", "oneOf"].iter().all(|key| get(members, key).is_none());
    if open && get(members, "type") == Some(&string("object")) {
        set(members, "additionalProperties", Json::Bool(false));
    }
}

/// A default or an example of a set has no order of its own; one is given to it, so that listings are the same in every run.
fn sort_sets(members: &mut Members) {
    if get(members, "uniqueItems") != Some(&Json::Bool(true)) {
        return;
    }
    for (keyword, value) in members.iter_mut() {
        match (keyword.as_str(), value) {
            ("default", Json::Array(items)) => items.sort_by(order),
            ("examples", Json::Array(examples)) => {
                for example in examples {
                    if let Json::Array(items) = example {
                        items.sort_by(order);
                    }
                }
            }
            _ => {}
        }
    }
}

/// `default: null` of a property that may be left out says nothing.
fn drop_null_defaults(members: &mut Members) {
    let required = get(members, "required").cloned();
    let is_required = |name: &str| match &required {
        Some(Json::Array(names)) => names.iter().any(|required| required.as_str() == Some(name)),
        _ => false,
    };
    let Some((_, Json::Object(properties))) = members.iter_mut().find(|(key, _)| key == "properties") else {
        return;
    };
    for (name, property) in properties {
        if let Json::Object(keywords) = property
            && get(keywords, "default") == Some(&Json::Null)
            && !is_required(name)
        {
            remove(keywords, "default");
        }
    }
}

/// Formats that only Rust knows become bounds, or go.
fn format(members: &mut Members) {
    let Some(name) = get(members, "format").and_then(Json::as_str).map(ToOwned::to_owned) else { return };
    let integers = |low: i128, high: i128| Some((Exact::Integer(low), Exact::Integer(high)));
    let bounds = match name.as_str() {
        "uint8" => integers(0, u8::MAX.into()),
        "uint16" => integers(0, u16::MAX.into()),
        "uint32" => integers(0, u32::MAX.into()),
        // More than 64 bits never arrive: the text of such a number is refused.
        "uint64" | "uint" | "uint128" => integers(0, u64::MAX.into()),
        "int8" => integers(i8::MIN.into(), i8::MAX.into()),
        "int16" => integers(i16::MIN.into(), i16::MAX.into()),
        "int32" => integers(i32::MIN.into(), i32::MAX.into()),
        "int64" | "int" => integers(i64::MIN.into(), i64::MAX.into()),
        "int128" => integers(i64::MIN.into(), u64::MAX.into()),
        "float" => Some((Exact::Float(f64::from(f32::MIN)), Exact::Float(f64::from(f32::MAX)))),
        "double" | "duration" => None,
        "partial-time" => return by_pattern(members, &format!("^{LOCAL_TIME}$")),
        "partial-date-time" => return by_pattern(members, &format!("^{LOCAL_DATE}T{LOCAL_TIME}$")),
        partial if partial.starts_with("partial-") => None,
        "ip" => {
            remove(members, "format");
            remove(members, "type");
            let branch =
                |name| Json::Object(vec![("type".into(), string("string")), ("format".into(), string(name))]);
            set(members, "anyOf", Json::Array(vec![branch("ipv4"), branch("ipv6")]));
            return;
        }
        // Known ones stay, and unknown ones are for the check to report.
        _ => return,
    };
    remove(members, "format");
    if let Some((low, high)) = bounds {
        tighten(members, "minimum", low, |bound, own| own.compare(bound).is_lt());
        tighten(members, "maximum", high, |bound, own| own.compare(bound).is_gt());
    }
}

/// A time of day without an offset, as RFC 3339 writes `partial-time`.
const LOCAL_TIME: &str = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?";

/// A date of which the number of days in the month is not looked at.
const LOCAL_DATE: &str = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";

/// A format that no validator knows becomes a pattern, unless one stands there.
fn by_pattern(members: &mut Members, pattern: &str) {
    remove(members, "format");
    if get(members, "pattern").is_none() {
        set(members, "pattern", string(pattern));
    }
}

/// Sets a bound unless one that is as tight stands there.
fn tighten(members: &mut Members, keyword: &str, bound: Exact, is_looser: fn(Exact, Exact) -> bool) {
    let exclusive = if keyword == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
    let number = |json: Option<&Json>| match json {
        Some(Json::Number(number)) => Some(Exact::of(number)),
        _ => None,
    };
    if number(get(members, exclusive)).is_some_and(|own| !is_looser(bound, own)) {
        return;
    }
    if number(get(members, keyword)).is_none_or(|own| is_looser(bound, own))
        && let Some(number) = bound.to_number()
    {
        set(members, keyword, Json::Number(number));
    }
}

/// `not: {const: 0}` of a signed `NonZero` becomes two ranges.
fn not_zero(members: &mut Members) {
    let zero =
        |json: Option<&Json>| matches!(json, Some(Json::Number(n)) if Exact::of(n) == Exact::Integer(0));
    let is_zero =
        matches!(get(members, "not"), Some(Json::Object(not)) if not.len() == 1 && zero(get(not, "const")));
    if !is_zero || get(members, "type") != Some(&string("integer")) || get(members, "anyOf").is_some() {
        return;
    }
    remove(members, "not");
    let take = |members: &mut Members, keyword| match remove(members, keyword) {
        Some(Json::Number(number)) => Some(Exact::of(&number)),
        _ => None,
    };
    let low = take(members, "minimum").and_then(|low| first_integer(low, false));
    let high = take(members, "maximum").and_then(|high| last_integer(high, false));
    remove(members, "type");
    let branch = |low: Option<i128>, high: Option<i128>| {
        let mut branch = vec![("type".to_owned(), string("integer"))];
        for (keyword, bound) in [("minimum", low), ("maximum", high)] {
            if let Some(number) = bound.and_then(|bound| Exact::Integer(bound).to_number()) {
                set(&mut branch, keyword, Json::Number(number));
            }
        }
        Json::Object(branch)
    };
    set(members, "anyOf", Json::Array(vec![branch(Some(1), high), branch(low, Some(-1))]));
}

/// A union of texts becomes one flat `enum`, whose variants are described in the description.
fn fold_units(members: &mut Members) {
    for keyword in ["oneOf", "anyOf"] {
        let Some(Json::Array(branches)) = get(members, keyword) else { continue };
        let Some(units) = branches.iter().map(unit).collect::<Option<Vec<_>>>() else { continue };
        if units.is_empty() || get(members, "type").is_some_and(|kind| *kind != string("string")) {
            continue;
        }
        if get(members, "enum").is_some() || get(members, "const").is_some() {
            continue;
        }
        let mut description =
            get(members, "description").and_then(Json::as_str).unwrap_or_default().to_owned();
        for (values, doc) in &units {
            if let (Some(doc), [value]) = (doc, values.as_slice()) {
                if !description.is_empty() {
                    description.push('\n');
                }
                // A further line belongs to the item of the list.
                description.extend(["- `", value, "`: ", &doc.replace('\n', "\n  ")]);
            }
        }
        let values = units.into_iter().flat_map(|(values, _)| values).map(Json::String).collect();
        remove(members, keyword);
        set(members, "type", string("string"));
        set(members, "enum", Json::Array(values));
        if !description.is_empty() {
            set(members, "description", Json::String(description));
        }
        return;
    }
}

/// A union of one branch, as an enum of one variant gives it, becomes that branch.
fn unwrap_single(members: &mut Members) {
    for keyword in ["oneOf", "anyOf"] {
        let Some(Json::Array(branches)) = get(members, keyword) else { continue };
        let [Json::Object(branch)] = branches.as_slice() else { continue };
        let clashes = branch.iter().any(|(key, _)| key != "description" && get(members, key).is_some());
        if clashes {
            // Both hold at once, which one alternative says as well.
            if keyword == "oneOf" && get(members, "anyOf").is_none() {
                let branches = Json::Array(branches.clone());
                remove(members, keyword);
                set(members, "anyOf", branches);
            }
            continue;
        }
        let branch = branch.clone();
        remove(members, keyword);
        for (key, value) in branch {
            if key == "description" {
                join_description(members, value);
            } else {
                set(members, &key, value);
            }
        }
    }
}

/// Adds a line to the description.
fn join_description(members: &mut Members, more: Json) {
    let joined = match (get(members, "description").and_then(Json::as_str), more.as_str()) {
        (Some(own), Some(more)) if own != more => Json::String(format!("{own}\n{more}")),
        (Some(_), _) => return,
        (None, _) => more,
    };
    set(members, "description", joined);
}

/// The texts of a branch that is nothing but texts, and what it says of them.
fn unit(branch: &Json) -> Option<(Vec<String>, Option<String>)> {
    let Json::Object(members) = branch else { return None };
    let mut values = None;
    let mut description = None;
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("type", Json::String(kind)) if kind == "string" => {}
            ("const", Json::String(text)) => values = Some(vec![text.clone()]),
            ("enum", Json::Array(texts)) => {
                values = Some(
                    texts.iter().map(|text| text.as_str().map(ToOwned::to_owned)).collect::<Option<_>>()?,
                );
            }
            ("description", Json::String(text)) => description = Some(text.clone()),
            _ => return None,
        }
    }
    let values = values?;
    // A description of several texts has no one place to go.
    (description.is_none() || values.len() == 1).then_some((values, description))
}

/// A flat `enum` or null becomes one flat `enum` with null in it.
fn fold_nullable(members: &mut Members) {
    let Some(Json::Array(branches)) = get(members, "anyOf") else { return };
    let [Json::Object(flat), Json::Object(null)] = branches.as_slice() else { return };
    let is_null = null.len() == 1 && get(null, "type") == Some(&string("null"));
    let Some(Json::Array(values)) = get(flat, "enum") else { return };
    let only_flat = flat.iter().all(|(key, _)| matches!(key.as_str(), "type" | "enum" | "description"));
    if !is_null
        || !only_flat
        || get(flat, "type") != Some(&string("string"))
        || get(members, "type").is_some()
    {
        return;
    }
    let mut values = values.clone();
    values.push(Json::Null);
    let inner = get(flat, "description").and_then(Json::as_str).map(ToOwned::to_owned);
    let outer = get(members, "description").and_then(Json::as_str).map(ToOwned::to_owned);
    let description = match (outer, inner) {
        (Some(outer), Some(inner)) if outer != inner => Some(format!("{outer}\n{inner}")),
        (outer, inner) => outer.or(inner),
    };
    remove(members, "anyOf");
    set(members, "type", Json::Array(vec![string("string"), string("null")]));
    set(members, "enum", Json::Array(values));
    if let Some(description) = description {
        set(members, "description", Json::String(description));
    }
}
