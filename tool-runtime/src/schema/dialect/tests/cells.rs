//! Every cell of the table, held against what the projection does.

use expect_test::expect_file;

use super::super::table::{COLUMNS, FACTS_OF, Fate, Feature, TABLE};
use super::super::{Dialect, LossKind, Projection, Strictness};
use super::{projected, told};
use crate::value::{Json, ParseLimits, parse};

/// For each feature the keyword to look for, and schemas of a property `x` that have it (whole schemas if they
/// begin with `!`).
#[rustfmt::skip]
const SAMPLES: &[(Feature, &str, &[&str])] = &[
    (Feature::RootUnion, "anyOf", &[r#"!{"type":"object","anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false},{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":false}]}"#]),
    (Feature::Closed, "additionalProperties", &[r#"{"type":"object","properties":{"y":{"type":"string"}},"required":["y"],"additionalProperties":false}"#]),
    (Feature::Open, "additionalProperties", &[r#"{"type":"object","properties":{"y":{"type":"string"}},"required":["y"],"additionalProperties":true}"#]),
    (Feature::Map, "additionalProperties", &[r#"{"type":"object","properties":{"y":{"type":"string"}},"required":["y"],"additionalProperties":{"type":"string"}}"#]),
    (Feature::Optional, "", &[r#"!{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}"#]),
    (Feature::NullType, "type", &[r#"{"type":["string","null"]}"#, r#"{"type":["array","null"],"items":{"type":"string"}}"#]),
    (Feature::SeveralTypes, "type", &[r#"{"type":["string","integer"]}"#]),
    (Feature::NullableWord, "nullable", &[r#"{"type":"string","nullable":true}"#]),
    (Feature::AnyOf, "anyOf", &[r#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#]),
    (Feature::OneOf, "oneOf", &[r#"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#]),
    (Feature::AllOf, "allOf", &[r#"{"allOf":[{"type":"string"},{"description":"two"}]}"#]),
    (Feature::Not, "not", &[r#"{"type":"string","not":{"const":"a"}}"#]),
    (Feature::Const, "const", &[r#"{"type":"string","const":"a"}"#]),
    (Feature::EnumOfTexts, "enum", &[r#"{"type":"string","enum":["a","b"]}"#]),
    (Feature::EnumOfNumbers, "enum", &[r#"{"type":"integer","enum":[1,2]}"#]),
    (Feature::EnumOfOthers, "enum", &[r#"{"type":"array","items":{"type":"integer"},"enum":[[1],[2]]}"#]),
    (Feature::Reference, "$ref", &[
        r##"!{"type":"object","properties":{"x":{"$ref":"#/$defs/a"}},"required":["x"],"additionalProperties":false,"$defs":{"a":{"type":"string"}}}"##,
        r##"!{"type":"object","properties":{"x":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"integer"}]}},"required":["x"],"additionalProperties":false,"$defs":{"a":{"type":"string"}}}"##]),
    (Feature::ReferenceSiblings, "$ref", &[r##"!{"type":"object","properties":{"x":{"$ref":"#/$defs/a","description":"d"}},"required":["x"],"additionalProperties":false,"$defs":{"a":{"type":"string"}}}"##]),
    (Feature::Recursion, "$ref", &[
        r##"!{"type":"object","properties":{"x":{"$ref":"#/$defs/n"}},"required":["x"],"additionalProperties":false,"$defs":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}},"required":["kids"],"additionalProperties":false}}}"##,
        r##"!{"type":"object","properties":{"x":{"$ref":"#/$defs/n"}},"required":["x"],"additionalProperties":false,"$defs":{"n":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}},"required":["next"],"additionalProperties":false}}}"##]),
    (Feature::Dialect, "$comment", &[r#"{"type":"string","$comment":"c"}"#]),
    (Feature::Title, "title", &[r#"{"type":"string","title":"T"}"#]),
    (Feature::Default, "default", &[r#"{"type":"string","default":"a"}"#, r#"{"type":"integer","default":5}"#]),
    (Feature::Examples, "examples", &[r#"{"type":"string","examples":["a"]}"#]),
    (Feature::Format, "format", &[
        r#"{"type":"string","format":"date-time"}"#, r#"{"type":"string","format":"email"}"#,
        r#"{"type":"string","format":"iri"}"#]),
    (Feature::Range, "minimum", &[r#"{"type":"integer","minimum":1}"#, r#"{"type":"number","minimum":1}"#]),
    (Feature::ExclusiveRange, "exclusiveMinimum", &[r#"{"type":"integer","exclusiveMinimum":1}"#, r#"{"type":"number","exclusiveMinimum":1}"#]),
    (Feature::Length, "maxLength", &[r#"{"type":"string","maxLength":9}"#, r#"{"type":"string","maxLength":9000}"#]),
    (Feature::Pattern, "pattern", &[r#"{"type":"string","pattern":"^[a-z]+$"}"#, r#"{"type":"string","pattern":"(?!x)\\bq"}"#]),
    (Feature::Items, "minItems", &[
        r#"{"type":"array","items":{"type":"string"},"minItems":1}"#,
        r#"{"type":"array","items":{"type":"string"},"minItems":7}"#,
        r#"{"type":"array","items":{"type":"string"},"minItems":7000}"#]),
    (Feature::UniqueItems, "uniqueItems", &[r#"{"type":"array","items":{"type":"string"},"uniqueItems":true}"#]),
    (Feature::Tuple, "prefixItems", &[r#"{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"maxItems":2}"#]),
    (Feature::AnyItems, "", &[r#"{"type":"array"}"#]),
    (Feature::PatternProperties, "patternProperties", &[r#"{"type":"object","properties":{"y":{"type":"string"}},"required":["y"],"patternProperties":{"^a":{"type":"string"}},"additionalProperties":false}"#]),
    (Feature::PropertyNames, "minProperties|propertyNames", &[
        r#"{"type":"object","properties":{"y":{"type":"string"}},"required":["y"],"additionalProperties":false,"propertyNames":{"maxLength":5}}"#,
        r#"{"type":"object","properties":{"y":{"type":"string"}},"required":["y"],"additionalProperties":false,"minProperties":1}"#]),
    (Feature::Anything, "", &[r#"{"description":"anything"}"#]),
    (Feature::NoProperties, "properties", &[r#"!{"type":"object","additionalProperties":false}"#, r#"{"type":"object","additionalProperties":false}"#]),
    (Feature::Undeclared, "required", &[r#"!{"type":"object","properties":{},"required":["zz"],"additionalProperties":false}"#]),
    (Feature::OtherWord, "x-word", &[r#"{"type":"string","x-word":1}"#]),
];

fn whole(sample: &str) -> String {
    match sample.strip_prefix('!') {
        Some(whole) => whole.to_owned(),
        None => format!(
            r#"{{"type":"object","properties":{{"x":{sample}}},"required":["x"],"additionalProperties":false}}"#
        ),
    }
}

fn dialect(column: usize) -> Dialect {
    Dialect::ALL[column]
}

fn json(text: &str) -> Json {
    parse(text, &ParseLimits::default()).expect("is JSON")
}

/// The part of a schema that a sample is about: `x`, or all, but for how it is closed.
fn about(sample: &str, keyword: &str, schema: &str) -> Option<Json> {
    let schema = json(schema);
    let part = if sample.starts_with('!') { schema } else { schema.get("properties")?.get("x")?.clone() };
    let Json::Object(mut members) = part else { return None };
    members.retain(|(name, _)| name != "additionalProperties" || keyword == name);
    Some(Json::Object(members))
}

/// What happened to a sample, by what came out.
fn happened(keyword: &str, sample: &str, projection: &Projection) -> Fate {
    if let Strictness::NotWith(_) = projection.strictness() {
        return Fate::NotStrict;
    }
    let place = if sample.starts_with('!') { "" } else { "/properties/x" };
    let losses: Vec<_> = projection
        .losses()
        .iter()
        .filter(|loss| {
            loss.pointer().starts_with(place) && keyword.split('|').any(|word| word == loss.keyword())
        })
        .collect();
    if losses.iter().any(|loss| loss.kind() == LossKind::Described) {
        let is_told = |word: &str| projection.schema().contains(&format!("{word}: "));
        assert!(keyword.split('|').any(is_told), "{}", projection.schema());
        return Fate::Describe;
    }
    let before = about(sample, keyword, &whole(sample)).as_ref().map(sorted);
    if before.is_some() && before == about(sample, keyword, projection.schema()).as_ref().map(sorted) {
        return Fate::Keep;
    }
    if losses.iter().any(|loss| loss.what().ends_with("was left out")) { Fate::Omit } else { Fate::Respell }
}

fn sorted(json: &Json) -> String {
    crate::value::canonical(&json.clone().into_value())
}

#[test]
fn every_cell_is_what_the_projection_does() {
    let mut wrong = Vec::new();
    for (feature, name, fates) in TABLE {
        let (_, keyword, samples) = SAMPLES.iter().find(|(of, ..)| *of == feature).expect("has a sample");
        for (column, fate) in fates.into_iter().enumerate() {
            let dialect = dialect(column);
            let seen: Vec<Fate> = samples
                .iter()
                .map(|sample| happened(keyword, sample, &projected(dialect, &whole(sample))))
                .collect();
            let is_right = match fate {
                Fate::Some => {
                    seen.contains(&Fate::Keep) && seen.iter().any(|seen| *seen != Fate::Keep)
                        || seen.contains(&Fate::Respell)
                }
                fate => seen.iter().all(|seen| *seen == fate),
            };
            if !is_right {
                wrong.push(format!("{name} in {}: {fate:?}, but saw {seen:?}", COLUMNS[column]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_sample_comes_out_as_it_was_read() {
    let mut out = format!("Facts of {FACTS_OF}.\n");
    for (feature, _, samples) in SAMPLES {
        for sample in *samples {
            out.extend(["\n== ", &format!("{feature:?}"), ": ", sample, "\n"]);
            let mut before = String::new();
            for (column, name) in COLUMNS.iter().enumerate() {
                let text = told(dialect(column), &whole(sample));
                let same = if text == before { "(the same)\n" } else { &text };
                out.extend(["-- ", name, "\n", same]);
                before.clone_from(&text);
            }
        }
    }
    expect_file!["cells.txt"].assert_eq(&out);
}

#[test]
fn the_table_has_every_feature_once_and_every_dialect() {
    assert_eq!(COLUMNS.len() + 1, Dialect::ALL.len());
    for (index, (feature, name, _)) in TABLE.iter().enumerate() {
        let same = |(other, other_name, _): &super::super::table::Row| other == feature || other_name == name;
        assert_eq!(TABLE.iter().position(same), Some(index), "{name}");
    }
}
