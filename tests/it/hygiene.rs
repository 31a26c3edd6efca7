//! Crate paths and hygiene, as far as a program that compiles shows it.

use expect_test::expect;
use tool_runtime::{ToolHandle, tool, toolset};

use crate::support::{input, only, run, text};

/// Adds six numbers whose names an expansion might use.
#[tool(docs(optional))]
fn args(
    args: u8,
    #[arg(rename = "_context")] _context: u8,
    result: u8,
    value: u8,
    self_: u8,
    ctx: u8,
) -> String {
    format!("{args} {_context} {result} {value} {self_} {ctx}")
}

/// The same for names that this expansion does use.
#[tool(docs(optional))]
#[expect(non_snake_case, reason = "a name that the expansion uses")]
async fn names_of_ours(
    #[arg(rename = "a")] __tool_request: &str,
    #[arg(rename = "b")] __tool_0: u8,
    #[arg(rename = "c")] __tool_1: &str,
    #[arg(rename = "d")] __tool_value: Option<&str>,
    #[arg(rename = "e", default = seven())] __TOOL: u8,
) -> String {
    format!("{__tool_request} {__tool_0} {__tool_1} {__tool_value:?} {__TOOL}")
}

fn seven() -> u8 {
    7
}

#[test]
fn f005_names_of_the_expansion_reach_the_body_unchanged() {
    assert_eq!(
        text::<args>(r#"{"args":1,"_context":2,"result":3,"value":4,"self_":5,"ctx":6}"#),
        "\"1 2 3 4 5 6\""
    );
    assert_eq!(text::<names_of_ours>(r#"{"a":"x","b":1,"c":"y"}"#), "\"x 1 y None 7\"");
    assert_eq!(args(1, 2, 3, 4, 5, 6), "1 2 3 4 5 6");
}

mod named_like_ours {
    use super::{text, tool};

    /// A tool named like the crate of the macros.
    #[tool]
    fn tool_runtime() -> u8 {
        1
    }

    /// A tool named like a crate of the expansion.
    #[tool]
    fn core() -> u8 {
        2
    }

    /// A tool named like a crate of the expansion.
    #[tool]
    fn std() -> u8 {
        3
    }

    /// A tool named like a function of the runtime.
    #[tool]
    async fn asynchronous() -> u8 {
        4
    }

    #[test]
    fn f005_tools_may_be_named_like_what_the_expansion_uses() {
        assert_eq!(text::<tool_runtime>("{}"), "1");
        assert_eq!(text::<core>("{}"), "2");
        assert_eq!(text::<std>("{}"), "3");
        assert_eq!(text::<asynchronous>("{}"), "4");
    }
}

mod same_names_elsewhere {
    #![allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms, reason = "hostile names")]
    use super::{text, tool};

    mod core {}
    mod std {}
    mod serde {}
    mod schemars {}
    mod tool_runtime {}
    struct Option;
    struct Result;
    struct String;
    struct Vec;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    struct Send;
    struct Into;
    struct Fn;
    type Box<T> = T;

    /// A tool beside hostile names.
    #[tool(docs(optional), name = "hostile_names")]
    async fn hostile(
        text: &str,
        n: ::core::option::Option<u8>,
        #[arg(default = 3)] k: u8,
    ) -> ::std::string::String {
        ::std::format!("{text} {n:?} {k}")
    }

    #[test]
    fn f008_local_names_shadow_nothing_of_the_expansion() {
        assert_eq!(text::<hostile>(r#"{"text":"a"}"#), r#""a None 3""#);
    }
}

macro_rules! make_tool {
    ($name:ident, $ty:ty, $body:expr) => {
        /// Made by a macro.
        #[tool(docs(optional))]
        fn $name(value: $ty) -> $ty {
            let made: fn($ty) -> $ty = $body;
            made(value)
        }
    };
}
make_tool!(doubled_by_macro, i64, |n| n * 2);
make_tool!(reversed_by_macro, String, |s| s.chars().rev().collect());

#[test]
fn f007_tools_made_by_a_macro_are_tools() {
    assert_eq!(text::<doubled_by_macro>(r#"{"value":4}"#), "8");
    assert_eq!(text::<reversed_by_macro>(r#"{"value":"ab"}"#), "\"ba\"");
    assert_eq!(reversed_by_macro::SPEC.name(), "reversed_by_macro");
}

mod ops {
    pub(super) trait Ops {
        async fn a(&self, x: u8) -> u8;
        fn b(&self) -> &'static str {
            "given"
        }
    }
}
use ops::Ops;

struct OpsOfFive;

#[toolset]
impl Ops for OpsOfFive {
    /// Adds five.
    #[tool(docs(optional))]
    async fn a(&self, x: u8) -> u8 {
        x + 5
    }
}

#[test]
fn f026_methods_of_a_trait_impl_are_tools() {
    let registry = tool_runtime::Registry::builder().register_all(OpsOfFive).build().expect("builds");
    assert_eq!(run(&registry, "a", r#"{"x":1}"#).text(), "6");
    assert_eq!(OpsOfFive.b(), "given");
    expect![[r#"{"type":"object","properties":{"x":{"type":"integer","minimum":0,"maximum":255}},"required":["x"],"additionalProperties":false}"#]]
        .assert_eq(registry.definition("a").expect("registered").input_schema().text());
}

#[test]
fn handles_are_types_and_functions_stay_functions() {
    assert_eq!(only::<doubled_by_macro>().definitions().len(), 1);
    assert_eq!(doubled_by_macro(2), 4);
    expect![[r#"{"type":"object","properties":{"value":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}},"required":["value"],"additionalProperties":false}"#]]
        .assert_eq(&input::<doubled_by_macro>());
}
