//! Where descriptions come from and what of them survives.

use expect_test::expect;
use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolHandle, tool};

use crate::support::{fails, input, text, with_definition};

fn description<T: ToolHandle>() -> String {
    with_definition::<T, _>(|definition| definition.description().to_owned())
}

/// d
#[allow(dead_code, reason = "stands between docs and function")]
#[tool]
fn docs_before_attribute() -> u8 {
    1
}

#[tool]
/// d
fn docs_after_tool() -> u8 {
    1
}

/// a
#[inline]
/// b
#[tool]
#[allow(dead_code, reason = "stands between docs and function")]
/// c
fn docs_all_around() -> u8 {
    1
}

#[test]
fn f020_attributes_between_docs_and_function_lose_nothing() {
    assert_eq!(description::<docs_before_attribute>(), "d");
    assert_eq!(description::<docs_after_tool>(), "d");
    assert_eq!(description::<docs_all_around>(), "a\nb\nc");
}

#[tool]
#[doc = include_str!("../cases/description.md")]
fn described_by_file() -> u8 {
    1
}

/// Head.
#[doc = include_str!("../cases/description.md")]
/// Tail.
#[tool(docs(optional))]
fn described_by_file_and_lines(
    /// A number.
    #[doc = include_str!("../cases/description.md")]
    n: u8,
) -> u8 {
    n
}

#[test]
fn f053_docs_may_come_from_a_file() {
    expect![[r#"
        From a file.

        - with a list
          that goes on"#]]
    .assert_eq(&description::<described_by_file>());
    expect![[r#"
        Head.
        From a file.

        - with a list
          that goes on

        Tail."#]]
    .assert_eq(&description::<described_by_file_and_lines>());
    expect![[r#"{"type":"object","properties":{"n":{"type":"integer","description":"A number.\nFrom a file.\n\n- with a list\n  that goes on","minimum":0,"maximum":255}},"required":["n"],"additionalProperties":false}"#]].assert_eq(&input::<described_by_file_and_lines>());
}

const DESC: &str = "A constant.";
mod constants {
    pub(super) const PARAMETER: &str = concat!("From ", "afar", ".");
}

#[tool(description = DESC)]
fn described_by_constant(#[arg(description = constants::PARAMETER)] n: u8) -> u8 {
    n
}

/// Loses against the attribute.
#[tool(description = concat!("a", "b"))]
fn described_by_concat(
    /// Loses, too.
    #[arg(description = concat!("c", 1, "d"))]
    n: u8,
) -> u8 {
    n
}

#[doc = concat!("The crate is ", env!("CARGO_PKG_NAME"), ".")]
#[tool]
fn described_by_doc_concat(#[doc = concat!("x", "y")] n: u8) -> u8 {
    n
}

macro_rules! described {
    ($name:ident, $doc:literal, $expr:expr) => {
        #[doc = $doc]
        #[tool]
        fn $name(#[arg(description = $expr)] n: u8) -> u8 {
            n
        }
    };
}
described!(described_by_macro, "From a macro.", "also");

#[test]
fn f054_descriptions_are_constant_expressions() {
    assert_eq!(description::<described_by_constant>(), "A constant.");
    assert_eq!(description::<described_by_concat>(), "ab");
    assert_eq!(description::<described_by_doc_concat>(), "The crate is tests.");
    assert_eq!(description::<described_by_macro>(), "From a macro.");
    let of_parameter = |schema: String| {
        let value: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
        value.pointer("/properties/n/description").and_then(|text| text.as_str()).map(str::to_owned)
    };
    assert_eq!(of_parameter(input::<described_by_constant>()).as_deref(), Some("From afar."));
    assert_eq!(of_parameter(input::<described_by_concat>()).as_deref(), Some("c1d"));
    assert_eq!(of_parameter(input::<described_by_doc_concat>()).as_deref(), Some("xy"));
    assert_eq!(of_parameter(input::<described_by_macro>()).as_deref(), Some("also"));
}

/// First paragraph, which
/// goes on.
///
/// Second paragraph:
///
/// - a list
///   - an indented one
///     goes on
///
/// ```text
/// code {
///     indented
/// }
/// ```
///
/// Last.
#[tool]
fn described_at_length(
    /// One.
    ///
    /// - two
    ///   three
    n: u8,
) -> u8 {
    n
}

/**
 * A block comment
 *   with a list
 *
 * and an end.
 */
#[tool]
fn described_by_block() -> u8 {
    1
}

/** One line. */
#[tool]
fn described_by_short_block() -> u8 {
    1
}

mod indented {
    /**
        A block comment
          without stars

        and an end.
    */
    #[tool_runtime::tool]
    pub(super) fn described_by_bare_block() -> u8 {
        1
    }
}

#[tool]
#[doc = "No leading space,\n  indented, trailing spaces  \nkept apart"]
fn described_by_literal() -> u8 {
    1
}

///Without a space.
///  With two.
#[tool]
fn described_without_space() -> u8 {
    1
}

#[test]
fn f056_paragraphs_lists_and_code_survive() {
    expect![[r#"
        First paragraph, which
        goes on.

        Second paragraph:

        - a list
          - an indented one
            goes on

        ```text
        code {
            indented
        }
        ```

        Last."#]]
    .assert_eq(&description::<described_at_length>());
    expect![[r#"{"type":"object","properties":{"n":{"type":"integer","description":"One.\n\n- two\n  three","minimum":0,"maximum":255}},"required":["n"],"additionalProperties":false}"#]].assert_eq(&input::<described_at_length>());
    expect![[r#"
        A block comment
          with a list

        and an end."#]]
    .assert_eq(&description::<described_by_block>());
    expect!["One line."].assert_eq(&description::<described_by_short_block>());
    expect![[r#"
        A block comment
          without stars

        and an end."#]]
    .assert_eq(&description::<indented::described_by_bare_block>());
    expect![[r#"
        No leading space,
          indented, trailing spaces
        kept apart"#]]
    .assert_eq(&description::<described_by_literal>());
    expect![[r#"
        Without a space.
          With two."#]]
    .assert_eq(&description::<described_without_space>());
}

/// A scale.
#[derive(Deserialize, JsonSchema, Debug)]
enum Unit {
    /// Degrees Celsius.
    C,
    F,
}

/// Another scale.
#[derive(Deserialize, JsonSchema, Debug)]
#[serde(rename_all = "kebab-case")]
enum DocumentedUnit {
    /// Degrees Celsius,
    /// from 0.
    DegreesCelsius,
    /// Kelvin.
    #[serde(rename = "K")]
    Kelvin,
}

/// Takes units.
#[tool(docs(optional))]
fn units(
    unit: Unit,
    /// The other.
    other: Option<DocumentedUnit>,
    list: Vec<DocumentedUnit>,
) -> String {
    format!("{unit:?} {other:?} {list:?}")
}

#[test]
fn f059_docs_of_variants_reach_the_model_in_one_flat_enum() {
    expect![[r##"{"type":"object","properties":{"unit":{"$ref":"#/$defs/Unit"},"other":{"description":"The other.","anyOf":[{"$ref":"#/$defs/DocumentedUnit"},{"type":"null"}]},"list":{"type":"array","items":{"$ref":"#/$defs/DocumentedUnit"}}},"required":["unit","list"],"additionalProperties":false,"$defs":{"DocumentedUnit":{"type":"string","description":"Another scale.\n- `degrees-celsius`: Degrees Celsius,\n  from 0.\n- `K`: Kelvin.","enum":["degrees-celsius","K"]},"Unit":{"type":"string","description":"A scale.\n- `C`: Degrees Celsius.","enum":["F","C"]}}}"##]].assert_eq(&input::<units>());
    assert_eq!(text::<units>(r#"{"unit":"C","list":["K"]}"#), "\"C None [Kelvin]\"");
    fails::<units>(
        r#"{"unit":"c","other":"k","list":["degrees-celcius"]}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "units":
        - /unit: must be one of "F", "C", got string "c"; did you mean "C"?
        - /other: must be one of "degrees-celsius", "K", got string "k"; did you mean "K"?
        - /list/0: must be one of "degrees-celsius", "K", got string "degrees-celcius"; did you mean "degrees-celsius"?
        Call it like: {"unit":"F","list":[]}"#]],
    );
}

/// Has parameters without docs.
#[tool(docs(optional))]
fn undocumented(a: u8, b: Option<String>) -> String {
    format!("{a}{b:?}")
}

#[test]
fn f060_nothing_is_made_up_where_docs_are_missing() {
    expect![[r#"{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255},"b":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}"#]].assert_eq(&input::<undocumented>());
    assert_eq!(description::<undocumented>(), "Has parameters without docs.");
}
