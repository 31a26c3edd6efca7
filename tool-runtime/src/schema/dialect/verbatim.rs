//! Schemas that go out as they are, found without reading them anew.

use super::super::node::{Kind, Node};
use super::rules::{References, Rules};
use super::table::Feature;
use super::{Dialect, Measure, Projection, ReverseMap, Strictness};
use crate::schema::Schema;
use crate::value::Json;

/// The deepest nesting that is looked at; what is deeper is projected.
const DEEPEST: usize = 32;

/// The longest text that is looked at, in bytes. One within it has fewer parts than the limits of reading allow.
const LONGEST: usize = 32 * 1024;

/// The projection of a schema that a plain dialect leaves as it is; `None` where it takes a closer look to know.
pub(super) fn verbatim(dialect: Dialect, schema: &Schema) -> Option<Projection> {
    let rules = dialect.rules().filter(|rules| !rules.strict)?;
    // The others say more of what they take, such as what an open object loses.
    let is_known = matches!(dialect, Dialect::OpenAi | Dialect::Anthropic | Dialect::Bedrock);
    if !is_known || schema.is_foreign() || schema.text().len() > LONGEST {
        return None;
    }
    let root = schema.root();
    let is_object = root.types == [Kind::Object] && root.reference.is_none();
    if !is_object || root.listed.is_some() || root.default.is_some() {
        return None;
    }
    let mut measure = Measure::default();
    let mut all = stays(root, rules, 0, DEEPEST, &mut measure);
    for (name, node) in schema.definitions() {
        measure.characters += name.chars().count();
        // Other names are given anew.
        let is_simple = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        all = all
            && (1..=64).contains(&name.len())
            && name.bytes().all(is_simple)
            && rules.references == References::Keep
            && rules.keeps(Feature::Recursion)
            && stays(node, rules, measured_from(root), DEEPEST, &mut measure);
    }
    all.then(|| Projection {
        schema: schema.text().to_owned(),
        losses: Vec::new(),
        strictness: Strictness::NotAsked,
        reverse: ReverseMap::identity(),
        measure,
    })
}

/// How deep [`Measure::of`] takes the definitions to be: as deep as the root.
fn measured_from(root: &Node) -> usize {
    usize::from(root.properties.is_some() || root.items.is_some())
}

/// Whether a node and those below it stay as they are, which are measured on the way as [`Measure::of`] does.
fn stays(node: &Node, rules: &Rules, depth: usize, left: usize, measure: &mut Measure) -> bool {
    let Some(left) = left.checked_sub(1) else { return false };
    let is_plain = node.boolean.is_none()
        && node.constant.is_none()
        && node.any_of.is_empty()
        && node.one_of.is_empty()
        && node.all_of.is_empty()
        && node.comment.is_none();
    let words = [
        (node.title.is_some(), Feature::Title),
        (node.format.is_some(), Feature::Format),
        (node.pattern.is_some(), Feature::Pattern),
        (node.minimum.is_some() || node.maximum.is_some(), Feature::Range),
        (
            node.exclusive_minimum.is_some()
                || node.exclusive_maximum.is_some()
                || node.multiple_of.is_some(),
            Feature::ExclusiveRange,
        ),
        (node.min_length.is_some() || node.max_length.is_some(), Feature::Length),
        (node.min_items.is_some() || node.max_items.is_some(), Feature::Items),
        (node.unique_items, Feature::UniqueItems),
        (node.default.is_some(), Feature::Default),
        (!node.examples.is_empty(), Feature::Examples),
        (node.deprecated || node.read_only || node.write_only, Feature::OtherWord),
        (node.types.contains(&Kind::Null), Feature::NullType),
        (node.types.len() > 1, Feature::SeveralTypes),
        (node.listed.is_some(), Feature::EnumOfTexts),
    ];
    let keep = |words: &[(bool, Feature)]| words.iter().all(|(has, feature)| !has || rules.keeps(*feature));
    if !is_plain || !keep(&words) {
        return false;
    }
    if node.types.is_empty() {
        // A reference with no more than a description beside it.
        let alone = node.reference.is_some()
            && node.listed.is_none()
            && node.properties.is_none()
            && node.required.is_empty()
            && node.additional.is_none()
            && node.items.is_none();
        return alone && rules.keeps(Feature::Reference) && rules.keeps(Feature::ReferenceSiblings);
    }
    if node.reference.is_some() {
        return false;
    }
    let depth = depth + usize::from(node.properties.is_some() || node.items.is_some());
    measure.nesting = measure.nesting.max(depth);
    measure.unions += usize::from(node.types.len() > 1);
    if let Some(listed) = &node.listed {
        let texts: Option<Vec<&str>> = listed.values.iter().map(Json::as_str).collect();
        let Some(texts) = texts else { return false };
        let characters = texts.iter().map(|text| text.chars().count()).sum();
        measure.enum_values += texts.len();
        measure.characters += characters;
        if texts.len() > 250 {
            measure.large_enum = measure.large_enum.max(characters);
        }
    }
    object(node, rules, depth, left, measure) && array(node, rules, depth, left, measure)
}

fn object(node: &Node, rules: &Rules, depth: usize, left: usize, measure: &mut Measure) -> bool {
    let is_object = node.types.contains(&Kind::Object);
    if !is_object {
        return node.properties.is_none() && node.required.is_empty() && node.additional.is_none();
    }
    if node.properties.is_none() && !rules.keeps(Feature::NoProperties) {
        return false;
    }
    for (name, inner) in node.properties() {
        let is_optional = !node.requires(name);
        measure.properties += 1;
        measure.characters += name.chars().count();
        measure.optional += usize::from(is_optional);
        let keeps = rules.keys.allow(name) && (!is_optional || rules.keeps(Feature::Optional));
        if !keeps || !stays(inner, rules, depth, left, measure) {
            return false;
        }
    }
    match node.additional.as_deref() {
        None => rules.keeps(Feature::Open),
        Some(_) if node.is_closed() => rules.keeps(Feature::Closed),
        Some(inner) => rules.keeps(Feature::Map) && stays(inner, rules, depth, left, measure),
    }
}

fn array(node: &Node, rules: &Rules, depth: usize, left: usize, measure: &mut Measure) -> bool {
    match (&node.items, node.types.contains(&Kind::Array)) {
        (Some(inner), true) => stays(inner, rules, depth, left, measure),
        (None, is_array) => !is_array || rules.keeps(Feature::AnyItems),
        (Some(_), false) => false,
    }
}
