//! Names of tools and arguments, made while the program runs and across crates.

use expect_test::{Expect, expect};
use tool_runtime::DynamicTool;
use tool_runtime::{Registry, ToolHandle, ToolName, tool, toolset};

use crate::linking::with_all_state;
use crate::support::{fails, failure, run, text};

fn refused(name: &str, expected: Expect) {
    let error = DynamicTool::new(name, "Does.").map(|_| ()).expect_err("no name for a tool");
    assert_eq!(ToolName::new(name).expect_err("no name").to_string(), error.to_string());
    expected.assert_eq(&error.to_string());
}

#[test]
fn f036_bad_names_are_refused_when_they_are_made() {
    refused(
        "bad name!",
        expect![[r#"tool name "bad name!" has the character ' '; write only a-z, A-Z, 0-9, `_` and `-`"#]],
    );
    refused("", expect!["a tool name must have at least one character"]);
    refused(
        &"x".repeat(65),
        expect![[
            r#"tool name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" has 65 characters; at most 64 are allowed"#
        ]],
    );
    refused(
        &"x".repeat(129),
        expect![[
            r#"tool name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" has 129 characters; at most 64 are allowed"#
        ]],
    );
    refused(
        "a/b",
        expect![[r#"tool name "a/b" has the character '/'; write only a-z, A-Z, 0-9, `_` and `-`"#]],
    );
    refused(
        "a.b",
        expect![[r#"tool name "a.b" has the character '.'; write only a-z, A-Z, 0-9, `_` and `-`"#]],
    );
    refused(
        "größe",
        expect![[r#"tool name "größe" has the character 'ö'; write only a-z, A-Z, 0-9, `_` and `-`"#]],
    );
    refused(
        "a\nb",
        expect![[r#"tool name "a\nb" has the character '\n'; write only a-z, A-Z, 0-9, `_` and `-`"#]],
    );
    refused(
        "a\u{0}",
        expect![[r#"tool name "a\0" has the character '\0'; write only a-z, A-Z, 0-9, `_` and `-`"#]],
    );
    refused(
        " a",
        expect![[r#"tool name " a" has the character ' '; write only a-z, A-Z, 0-9, `_` and `-`"#]],
    );
    refused(
        "tool_search",
        expect![[
            r#"tool name "tool_search" is reserved; take another, for example with a prefix of your own"#
        ]],
    );
    refused(
        "task_output",
        expect![[
            r#"tool name "task_output" is reserved; take another, for example with a prefix of your own"#
        ]],
    );
    refused(
        "mcp__server__tool",
        expect![[
            r#"tool name "mcp__server__tool" is reserved; take another, for example with a prefix of your own"#
        ]],
    );
    for good in ["0x", "-a", "_", "mcp_", &"x".repeat(64)] {
        assert!(DynamicTool::new(good, "Does.").is_ok(), "{good}");
    }
}

/// Is renamed.
#[tool(name = "get-weather_2")]
fn renamed_tool() -> u8 {
    2
}

#[test]
fn f036_names_given_by_attribute_go_to_the_wire() {
    assert_eq!(renamed_tool::SPEC.name(), "get-weather_2");
    assert_eq!(text::<renamed_tool>("{}"), "2");
    let error = Registry::builder().register_as::<renamed_tool>("bad name!").build().expect_err("no name");
    expect![[r#"
        the registry cannot be built:
        - tool name "bad name!" has the character ' '; write only a-z, A-Z, 0-9, `_` and `-`"#]]
    .assert_eq(&error.to_string());
}

/// Is the first.
#[tool]
fn first_of_two() -> u8 {
    1
}

/// Is the second.
#[tool]
fn second_of_two() -> u8 {
    2
}

struct Left;
#[toolset]
impl Left {
    /// Is in both.
    #[tool]
    fn in_both(&self) -> u8 {
        1
    }
}
struct Right;
#[toolset]
impl Right {
    /// Is in both.
    #[tool]
    fn in_both(&self) -> u8 {
        2
    }
}

fn place<T: ToolHandle>() -> String {
    T::SPEC.location().to_string()
}

#[test]
fn f037_two_tools_of_one_name_are_refused_with_both_places() {
    assert_eq!(place::<first_of_two>(), format!("tests/it/names.rs:{}", first_of_two::SPEC.location().line));
    let error = Registry::builder()
        .register::<first_of_two>()
        .register_as::<second_of_two>("first_of_two")
        .build()
        .expect_err("one name twice");
    let (first, second) = (place::<first_of_two>(), place::<second_of_two>());
    assert_ne!(first, second);
    assert_eq!(
        error.to_string(),
        format!(
            "the registry cannot be built:\n- two tools are called `first_of_two`: {first} and {second}; rename one \
             with `#[tool(name = \"…\")]`"
        )
    );
    // Across toolsets, with what was collected, and with what was made at run time.
    let error =
        Registry::builder().register_all(Left).register_all(Right).build().expect_err("one name twice");
    let lines = |error: &dyn ToString| {
        let text = error.to_string();
        text.replace(char::is_numeric, "#").replace("##", "#").replace("##", "#")
    };
    expect![[r#"
        the registry cannot be built:
        - two tools are called `in_both`: tests/it/names.rs:# and tests/it/names.rs:#; rename one with `#[tool(name = "…")]`"#]].assert_eq(&lines(&error));
    let made = || {
        DynamicTool::new("second_of_two", "Does.")
            .expect("a name")
            .typed(async |(): ()| Ok::<_, std::io::Error>(3_u8))
            .expect("a schema")
    };
    let error = with_all_state(Registry::builder())
        .tool(made())
        .register_as::<second_of_two>("first_of_two")
        .collect()
        .expect_err("two names twice");
    expect![[r#"
        the registry cannot be built, for # reasons:
        - two tools are called `first_of_two`: tests/it/names.rs:# and tests/it/names.rs:#; rename one with `#[tool(name = "…")]`
        - two tools are called `second_of_two`: made at run time and tests/it/names.rs:#; rename one with `#[tool(name = "…")]`"#]].assert_eq(&lines(&error));
    let error = Registry::builder().tool(made()).tool(made()).build().expect_err("one name twice");
    expect![[r#"
        the registry cannot be built:
        - two tools are called `second_of_two`: made at run time and made at run time; rename one with `#[tool(name = "…")]`"#]].assert_eq(&lines(&error));
}

/// Is called by name.
#[tool(name = "foo")]
fn foo_tool() -> u8 {
    1
}

/// Is called by another case.
#[tool(name = "Foo")]
fn other_foo_tool() -> u8 {
    2
}

#[test]
fn f042_names_match_exactly_and_the_nearest_is_suggested() {
    let registry =
        Registry::builder().register::<foo_tool>().register::<other_foo_tool>().build().expect("builds");
    assert_eq!(run(&registry, "foo", "{}").text(), "1");
    assert_eq!(run(&registry, "Foo", "{}").text(), "2");
    let unknown = |name: &str| failure(&run(&registry, name, "{}"));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "foo "; did you mean "foo"?"#]]
    .assert_eq(&unknown("foo "));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "Foo "; did you mean "Foo"?"#]]
    .assert_eq(&unknown("Foo "));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "functions.foo"; did you mean "foo"?"#]]
    .assert_eq(&unknown("functions.foo"));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "functions.Foo"; did you mean "Foo"?"#]]
    .assert_eq(&unknown("functions.Foo"));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "FOO"; did you mean "Foo"?"#]]
    .assert_eq(&unknown("FOO"));
    assert_eq!(
        unknown("foo\u{200b}"),
        "UNKNOWN_TOOL\nError: unknown tool \"foo\\u{200b}\"; did you mean \"Foo\"?"
    );
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "ｆｏｏ""#]]
    .assert_eq(&unknown("ｆｏｏ"));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "tools/foo"; did you mean "foo"?"#]]
    .assert_eq(&unknown("tools/foo"));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "default_api:foo"; did you mean "foo"?"#]]
    .assert_eq(&unknown("default_api:foo"));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool """#]]
    .assert_eq(&unknown(""));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "a\n\"quoted\" name""#]]
    .assert_eq(&unknown("a\n\"quoted\" name"));
    expect![[r#"
        UNKNOWN_TOOL
        Error: unknown tool "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…""#]]
    .assert_eq(&unknown(&"x".repeat(1_000)));
}

/// Measures.
#[tool(docs(optional))]
#[expect(non_snake_case, reason = "the parameter is named like that on the wire")]
fn size_of(#[arg(rename = "strasse")] straße: String, r#enum: u8, camelCase: u8) -> String {
    format!("{straße}{enum}{camelCase}", r#enum = r#enum)
}

#[test]
fn f035_identifiers_beyond_ascii_stay_in_rust() {
    assert_eq!(text::<size_of>(r#"{"strasse":"a","enum":1,"camelCase":2}"#), "\"a12\"");
    fails::<size_of>(
        r#"{"straße":"a","enum":1,"camelcase":2}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "size_of":
        - missing required property "/strasse"
        - missing required property "/camelCase"
        - unknown property "/camelcase"; did you mean "camelCase"?
        - unknown property "/straße"; did you mean "strasse"?
        Call it like: {"strasse":"text","enum":1,"camelCase":1}"#]],
    );
}
