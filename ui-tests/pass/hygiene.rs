//! Local names that stand in the way of careless expansions (F005, F008), without a prelude.
#![no_implicit_prelude]
#![allow(dead_code, non_camel_case_types, unused_macros, reason = "most of these only stand in the way")]

mod core {}
mod std {}
mod alloc {}
mod serde {}
mod serde_json {}
mod schemars {}
mod inventory {}
mod tool_runtime {}
struct Option;
struct Result;
struct String;
struct Vec;
struct Tool;
struct Registry;
struct Some;
struct None;
struct Ok;
struct Err;
type Box<T> = T;
trait Send {}
trait Sync {}
trait Clone {}
trait Default {}
trait Into {}
trait From {}
trait Iterator {}
trait ToOwned {}
trait ToolHandle {}
macro_rules! concat {
    ($($any:tt)*) => {};
}
macro_rules! panic {
    ($($any:tt)*) => {};
}
macro_rules! vec {
    ($($any:tt)*) => {};
}

/// A tool among them.
#[::tool_runtime::tool]
async fn hostile(
    /// A
    #[arg(default = 3, example = 4, minimum = 1)]
    a: u8,
    /// B
    b: ::std::option::Option<&str>,
    /// C
    c: &str,
    /// D
    d: ::std::vec::Vec<::std::string::String>,
) -> ::std::result::Result<::std::string::String, ::std::string::String> {
    let _ = (b, d);
    ::std::result::Result::Ok(::std::format!("{a}{c}"))
}

/// Names of the expansion.
#[::tool_runtime::tool(docs(optional))]
fn args(
    args: u8,
    #[arg(rename = "_context")] _context: u8,
    result: u8,
    value: u8,
    self_: u8,
    ctx: u8,
    request: u8,
    output: u8,
    invocation: u8,
) -> u8 {
    args + _context + result + value + self_ + ctx + request + output + invocation
}

struct Service;

#[::tool_runtime::toolset]
impl Service {
    /// A method among them.
    #[::tool_runtime::tool(docs(optional))]
    async fn method(&self, a: &str, b: ::std::option::Option<u8>) -> ::std::option::Option<u8> {
        let _ = a;
        b
    }
}

/// A type among them.
#[::tool_runtime::tool_type]
#[derive(::std::fmt::Debug)]
struct Type {
    /// A
    #[arg(default = 3, minimum = 1)]
    a: u8,
    /// B
    b: ::std::option::Option<::std::string::String>,
    /// C
    #[arg(default = ::std::vec::Vec::new())]
    c: ::std::vec::Vec<u8>,
}

/// An enum among them.
#[::tool_runtime::tool_type]
#[derive(::std::fmt::Debug)]
enum Choice {
    /// A
    A,
    /// B
    B {
        /// C
        c: u8,
    },
}

/// A template among them.
#[derive(::tool_runtime::Render)]
#[render("{a:.1} {b}")]
#[::tool_runtime::tool_type]
struct Shown {
    /// A
    a: f64,
    /// B
    b: ::std::string::String,
}

/// Takes the types.
#[::tool_runtime::tool(docs(optional))]
fn types(a: Type, b: Choice) -> Shown {
    Shown { a: 1.0, b: ::std::format!("{a:?} {b:?}") }
}

#[test]
fn f008_local_names_do_not_matter() {
    let text = crate::text::<hostile>(r#"{"c":"x","d":[]}"#);
    ::std::assert_eq!(text, "\"3x\"");
    ::std::assert_eq!(
        crate::text::<args>(
            r#"{"args":1,"_context":1,"result":1,"value":1,"self_":1,"ctx":1,"request":1,"output":1,"invocation":1}"#
        ),
        "9"
    );
    ::std::assert_eq!(crate::text::<types>(r#"{"a":{},"b":"A"}"#), "1.0 Type { a: 3, b: None, c: [] } A");
}
