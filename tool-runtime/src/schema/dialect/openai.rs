//! OpenAI's Chat Completions and Responses, which read schemas alike.

use super::rules::{Limits, Rules, without_lookaround};
use crate::value::Json;

/// Schemas are part of the prompt; the root must be an object with `properties`.
pub(super) const PLAIN: Rules = Rules::plain(0);

/// Structured outputs: closed objects, everything required, no defaults.
pub(super) const STRICT: Rules = Rules {
    strict: true,
    plain: Some(&PLAIN),
    formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
    limits: Limits {
        properties: 5_000,
        nesting: 10,
        characters: 120_000,
        enum_values: 1_000,
        ..Limits::NONE
    },
    pattern: without_lookaround,
    ..Rules::plain(1)
};

/// Puts the property first by which the objects of a union differ, since their first properties must not be alike.
///
/// Returns the faults that are left.
pub(super) fn first_keys(schema: &mut Json) -> Vec<String> {
    let mut wishes = Vec::new();
    let mut faults = Vec::new();
    look(schema, schema, &mut String::new(), &mut wishes, &mut faults);
    for (place, tag) in wishes {
        if let Some(object) = at(schema, &place) {
            bring_first(object, &tag);
        }
    }
    faults
}

/// Finds the unions whose objects begin alike: a place and the property that should stand first there.
fn look(
    root: &Json,
    schema: &Json,
    place: &mut String,
    wishes: &mut Vec<(String, String)>,
    faults: &mut Vec<String>,
) {
    let Json::Object(members) = schema else { return };
    for (keyword, value) in members {
        let length = place.len();
        let mut below = |token: &str, inner: &Json, wishes: &mut Vec<_>, faults: &mut Vec<_>| {
            let token = token.replace('~', "~0").replace('/', "~1");
            place.extend(["/", keyword, "/", &token]);
            look(root, inner, place, wishes, faults);
            place.truncate(length);
        };
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Json::Object(named)) => {
                for (name, inner) in named {
                    below(name, inner, wishes, faults);
                }
            }
            ("items", inner) => {
                place.push_str("/items");
                look(root, inner, place, wishes, faults);
                place.truncate(length);
            }
            ("anyOf", Json::Array(branches)) => {
                for (index, branch) in branches.iter().enumerate() {
                    below(&index.to_string(), branch, wishes, faults);
                }
                alike(root, branches, &format!("{place}/anyOf"), wishes, faults);
            }
            _ => {}
        }
    }
}

fn alike(
    root: &Json,
    branches: &[Json],
    place: &str,
    wishes: &mut Vec<(String, String)>,
    faults: &mut Vec<String>,
) {
    // The objects of the union, each with the place where its properties stand.
    let objects: Vec<(String, &Vec<(String, Json)>)> = branches
        .iter()
        .enumerate()
        .filter_map(|(index, branch)| {
            let (place, object) =
                match branch.get("$ref").and_then(Json::as_str).and_then(|text| text.strip_prefix('#')) {
                    Some("") => (String::new(), root),
                    Some(text) => (text.to_owned(), root.get("$defs")?.get(text.strip_prefix("/$defs/")?)?),
                    None => (format!("{place}/{index}"), branch),
                };
            match object.get("properties") {
                Some(Json::Object(properties)) if !properties.is_empty() => Some((place, properties)),
                _ => None,
            }
        })
        .collect();
    let firsts: Vec<&str> = objects
        .iter()
        .filter_map(|(_, properties)| properties.first())
        .map(|(name, _)| name.as_str())
        .collect();
    let is_alone = |name: &str, firsts: &[&str]| firsts.iter().filter(|first| **first == name).count() == 1;
    if firsts.iter().all(|name| is_alone(name, &firsts)) {
        return;
    }
    let values = |properties: &[(String, Json)], name: &str| -> Option<Vec<String>> {
        let part = properties.iter().find(|(known, _)| known == name).map(|(_, part)| part)?;
        match (part.get("const"), part.get("enum")) {
            (Some(value), _) => Some(vec![value.text()]),
            (None, Some(Json::Array(values))) => Some(values.iter().map(Json::text).collect()),
            _ => None,
        }
    };
    let tells_apart = |name: &&String| {
        let lists: Option<Vec<Vec<String>>> =
            objects.iter().map(|(_, properties)| values(properties, name)).collect();
        lists.is_some_and(|lists| {
            let mut all: Vec<&String> = lists.iter().flatten().collect();
            let count = all.len();
            all.sort();
            all.dedup();
            all.len() == count
        })
    };
    let tag =
        objects.first().and_then(|(_, properties)| properties.iter().map(|(name, _)| name).find(tells_apart));
    if let Some(tag) = tag {
        wishes.extend(objects.iter().map(|(place, _)| (place.clone(), tag.clone())));
        return;
    }
    // Else each begins with a property that no other has.
    let mut own = Vec::new();
    for (index, (place, properties)) in objects.iter().enumerate() {
        let is_elsewhere = |name: &str| {
            objects.iter().enumerate().any(|(other, (_, properties))| {
                other != index && properties.iter().any(|(known, _)| known == name)
            })
        };
        let free = properties.iter().map(|(name, _)| name).find(|name| !is_elsewhere(name));
        own.push((place.clone(), free.cloned()));
    }
    if own.iter().filter(|(_, free)| free.is_none()).count() <= 1 {
        wishes.extend(own.into_iter().filter_map(|(place, free)| Some((place, free?))));
    } else {
        faults.push(format!("{place}: the objects of the union begin alike; give each a tag"));
    }
}

fn at<'j>(schema: &'j mut Json, place: &str) -> Option<&'j mut Json> {
    let mut json = schema;
    for token in place.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        json = match json {
            Json::Object(members) => {
                members.iter_mut().find(|(name, _)| *name == token).map(|(_, inner)| inner)?
            }
            Json::Array(items) => items.get_mut(token.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(json)
}

fn bring_first(object: &mut Json, name: &str) {
    let Json::Object(members) = object else { return };
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties", Json::Object(named)) => named.sort_by_key(|(known, _)| known != name),
            ("required", Json::Array(names)) => names.sort_by_key(|known| known.as_str() != Some(name)),
            _ => {}
        }
    }
}
