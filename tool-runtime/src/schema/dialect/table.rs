//! What each provider does with each part of a schema, as data.
//!
//! The facts are of [`FACTS_OF`]; providers change them by the month. A test holds every cell against what the
//! projection does, and `docs/providers.md` shows the table.

/// The day on which the facts were collected.
pub const FACTS_OF: &str = "2026-11-30";

/// What becomes of a part of a schema on the way to a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It goes as it is.
    Keep,
    /// It is written in another way that takes at least the same values.
    Respell,
    /// Some of its values go as they are; the others move into the description.
    Some,
    /// It moves into the description.
    Describe,
    /// It is left out.
    Omit,
    /// `strict` does not hold for a schema that has it.
    NotStrict,
}

/// A part of a schema that providers treat each in their own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    RootUnion,
    Closed,
    Open,
    Map,
    Optional,
    NullType,
    SeveralTypes,
    NullableWord,
    AnyOf,
    OneOf,
    AllOf,
    Not,
    Const,
    EnumOfTexts,
    EnumOfNumbers,
    EnumOfOthers,
    Reference,
    ReferenceSiblings,
    Recursion,
    Dialect,
    Title,
    Default,
    Examples,
    Format,
    Range,
    ExclusiveRange,
    Length,
    Pattern,
    Items,
    UniqueItems,
    Tuple,
    AnyItems,
    PatternProperties,
    PropertyNames,
    Anything,
    NoProperties,
    Undeclared,
    OtherWord,
}

use Fate::{Describe as D, Keep as K, NotStrict as N, Omit as X, Respell as R, Some as S};

/// One row: the part, what it is called in the docs, and its fate in each column.
pub(super) type Row = (Feature, &'static str, [Fate; COLUMNS.len()]);

/// The columns, in the order of [`super::Dialect::ALL`] without the text dialect.
pub(super) const COLUMNS: [&str; 13] = [
    "OpenAI",
    "OpenAI strict",
    "Anthropic",
    "Anthropic strict",
    "Gemini `parameters`",
    "Gemini `parametersJsonSchema`",
    "Bedrock",
    "Bedrock strict",
    "DeepSeek strict",
    "Ollama",
    "llama.cpp",
    "MCP 2025-11-25",
    "MCP 2026-07-28",
];

/// The table, one row a feature, in the order of [`Feature`].
#[rustfmt::skip]
pub(super) const TABLE: [Row; 38] = [
    //                                                                      OA OS AN AS GP GJ BR BS DS OL LC M5 M6
    (Feature::RootUnion, "`anyOf`, `oneOf`, `allOf` at the root",           [R, R, R, R, R, R, R, R, R, R, R, R, K]),
    (Feature::Closed, "`additionalProperties: false`",                      [K, K, K, K, X, K, K, K, K, X, K, K, K]),
    (Feature::Open, "open objects",                                         [K, N, K, N, R, K, K, N, N, R, K, K, K]),
    (Feature::Map, "`additionalProperties` with a schema",                  [K, N, K, N, D, K, K, N, N, D, K, K, K]),
    (Feature::Optional, "optional properties",                              [K, R, K, K, K, K, K, K, R, K, K, K, K]),
    (Feature::NullType, "`type: [T, \"null\"]`",                            [K, K, K, K, R, K, K, K, S, K, K, K, K]),
    (Feature::SeveralTypes, "several types",                                [K, R, K, R, R, K, K, R, R, K, K, K, K]),
    (Feature::NullableWord, "`nullable`",                                   [K, X, K, X, K, X, K, X, X, X, X, K, K]),
    (Feature::AnyOf, "`anyOf`",                                             [K, K, K, K, K, K, K, K, K, K, K, K, K]),
    (Feature::OneOf, "`oneOf`",                                             [K, R, K, R, R, K, K, R, R, R, K, K, K]),
    (Feature::AllOf, "`allOf`",                                             [K, R, K, R, R, R, K, R, R, R, R, K, K]),
    (Feature::Not, "`not`, `if`, `dependent…`",                             [K, D, K, D, D, D, K, D, D, D, D, K, K]),
    (Feature::Const, "`const`",                                             [K, K, K, K, R, R, K, K, K, R, K, K, K]),
    (Feature::EnumOfTexts, "`enum` of texts",                               [K, K, K, K, K, K, K, K, K, K, K, K, K]),
    (Feature::EnumOfNumbers, "`enum` of numbers",                           [K, K, K, K, D, K, K, K, K, K, K, K, K]),
    (Feature::EnumOfOthers, "`enum` of lists and objects",                  [K, D, K, D, D, D, K, D, D, K, K, K, K]),
    (Feature::Reference, "local `$ref`",                                    [K, K, K, K, R, K, R, K, S, R, R, K, K]),
    (Feature::ReferenceSiblings, "`$ref` with siblings",                    [K, R, K, K, R, R, R, K, R, R, R, K, K]),
    (Feature::Recursion, "recursion",                                       [K, K, K, N, R, R, K, N, S, R, R, K, K]),
    (Feature::Dialect, "`$schema`, `$id`, `$comment`",                      [X, X, X, X, X, X, X, X, X, X, X, K, K]),
    (Feature::Title, "`title`",                                             [K, X, K, K, K, K, K, X, K, X, K, K, K]),
    (Feature::Default, "`default`",                                         [K, D, K, K, K, D, K, D, S, D, K, K, K]),
    (Feature::Examples, "`examples`",                                       [K, D, K, D, D, D, K, D, D, D, K, K, K]),
    (Feature::Format, "`format`",                                           [K, S, K, S, S, D, K, S, S, D, S, K, K]),
    (Feature::Range, "`minimum`, `maximum`",                                [K, K, K, D, K, K, K, D, K, D, S, K, K]),
    (Feature::ExclusiveRange, "`exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`",
                                                                            [K, K, K, D, S, S, K, D, K, D, S, K, K]),
    (Feature::Length, "`minLength`, `maxLength`",                           [K, D, K, D, K, D, K, K, D, D, S, K, K]),
    (Feature::Pattern, "`pattern`",                                         [K, S, K, S, K, D, K, K, K, D, S, K, K]),
    (Feature::Items, "`minItems`, `maxItems`",                              [K, K, K, S, K, K, K, S, D, D, S, K, K]),
    (Feature::UniqueItems, "`uniqueItems`, `contains`",                     [K, D, K, D, D, D, K, D, D, D, D, K, K]),
    (Feature::Tuple, "`prefixItems`",                                       [K, R, K, R, R, K, K, R, R, R, R, K, K]),
    (Feature::AnyItems, "arrays of anything",                               [K, N, K, N, R, K, K, N, N, K, K, K, K]),
    (Feature::PatternProperties, "`patternProperties`",                     [K, N, K, N, D, D, K, N, N, D, D, K, K]),
    (Feature::PropertyNames, "`propertyNames`, `minProperties`",            [K, D, K, D, S, D, K, D, D, D, D, K, K]),
    (Feature::Anything, "`true`, `{}`",                                     [K, N, K, N, R, K, K, N, N, K, K, K, K]),
    (Feature::NoProperties, "objects without `properties`",                 [R, R, K, K, K, K, K, K, S, K, K, K, K]),
    (Feature::Undeclared, "`required` of what is not declared",             [K, X, K, X, X, X, K, X, X, X, X, K, K]),
    (Feature::OtherWord, "other keywords",                                  [K, X, K, X, X, X, K, X, X, X, X, K, K]),
];

/// The fate of a feature in a column.
pub(super) fn fate(column: usize, feature: Feature) -> Fate {
    TABLE
        .iter()
        .find(|(row, ..)| *row == feature)
        .and_then(|(_, _, fates)| fates.get(column))
        .copied()
        .unwrap_or(Fate::Omit)
}

/// The feature that a keyword without subschemas belongs to.
pub(super) fn feature(keyword: &str) -> Feature {
    match keyword {
        "title" => Feature::Title,
        "default" => Feature::Default,
        "examples" | "example" => Feature::Examples,
        "format" => Feature::Format,
        "minimum" | "maximum" => Feature::Range,
        "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => Feature::ExclusiveRange,
        "minLength" | "maxLength" => Feature::Length,
        "pattern" => Feature::Pattern,
        "minItems" | "maxItems" => Feature::Items,
        "uniqueItems" | "contains" | "minContains" | "maxContains" => Feature::UniqueItems,
        "propertyNames" | "minProperties" | "maxProperties" => Feature::PropertyNames,
        "not" | "if" | "then" | "else" | "dependentRequired" | "dependentSchemas" => Feature::Not,
        "nullable" => Feature::NullableWord,
        "$schema" | "$id" | "$comment" | "$anchor" | "$vocabulary" => Feature::Dialect,
        _ => Feature::OtherWord,
    }
}
