//! Parameters of every kind (F015, F017, F018).
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use tool_runtime::tool;

use crate::text;

/// Nothing.
#[tool]
fn no_parameters() {}

/// Raw names.
#[tool(docs(optional))]
fn raw(r#type: String, r#match: Option<u8>) -> String {
    format!("{type} {match:?}", type = r#type, match = r#match)
}

/// A mutable parameter.
#[tool(docs(optional))]
async fn mutable(mut list: Vec<u8>) -> Vec<u8> {
    list.push(1);
    list
}

/// Conditional parameters.
#[tool(docs(optional))]
fn conditional(
    #[cfg(any())] x: Missing,
    a: u8,
    #[cfg(not(any()))] b: u8,
    #[cfg(not(test))] c: u8,
    #[cfg(test)] c: Option<u8>,
    #[cfg(any())]
    #[arg(default = missing())]
    y: Missing,
) -> String {
    format!("{a} {b} {c:?}")
}

/// A name with an underscore, renamed; and one without a name.
#[tool(docs(optional))]
fn unused(#[arg(rename = "a")] _a: u8, #[arg(rename = "b")] _: u8) {}

/// Twenty-four parameters.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, clippy::many_single_char_names, reason = "a test of the limit")]
fn many(
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
    g: u8,
    h: u8,
    i: u8,
    j: u8,
    k: u8,
    l: u8,
    m: u8,
    n: u8,
    o: u8,
    p: u8,
    q: u8,
    r: u8,
    s: u8,
    t: u8,
    u: u8,
    v: u8,
    w: u8,
    #[arg(default = 1)] x: u8,
) -> u8 {
    a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + x
}

/// Types of the standard library.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "one of each")]
fn standard(
    a: HashMap<String, u8>,
    b: BTreeMap<String, Vec<u8>>,
    c: HashSet<u8>,
    d: BTreeSet<String>,
    e: [u8; 2],
    f: PathBuf,
    g: char,
    h: Box<str>,
    i: Option<Option<u8>>,
    j: Box<u8>,
    k: std::net::IpAddr,
    l: std::num::NonZeroU8,
) -> String {
    format!("{a:?} {b:?} {c:?} {d:?} {e:?} {f:?} {g} {h} {i:?} {j} {k} {l}")
}

/// Aliases, paths and parentheses.
#[tool(docs(optional))]
#[allow(unused_parens, unused_qualifications, reason = "a user may write so")]
fn spelt(a: Text, b: ::std::option::Option<(u8)>, c: Maybe<u8>, d: crate::signatures::Text) -> String {
    format!("{a} {b:?} {c:?} {d}")
}

type Text = String;
type Maybe<T> = Option<T>;

/// A type from serde's and schemars' own derives.
#[derive(Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Foreign {
    a: u8,
    #[serde(default)]
    b: Vec<String>,
}

/// Takes it, and returns it.
#[tool(docs(optional))]
fn foreign(
    a: Foreign,
    b: Option<Foreign>,
    #[arg(example = Foreign { a: 1, b: vec![] })] c: Foreign,
) -> Foreign {
    let _ = (b, &c.b);
    a
}

/// Flattens it.
#[tool(docs(optional))]
fn flattened(before: u8, #[arg(flatten)] a: Foreign, after: u8) -> String {
    format!("{before} {} {after}", a.a)
}

#[test]
fn f015_f017_f018_parameters_of_every_kind() {
    assert_eq!(text::<no_parameters>(""), "ok");
    assert_eq!(text::<raw>(r#"{"type":"a"}"#), "\"a None\"");
    assert_eq!(text::<mutable>(r#"{"list":[2]}"#), "[2,1]");
    assert_eq!(text::<conditional>(r#"{"a":1,"b":2}"#), "\"1 2 None\"");
    assert_eq!(text::<unused>(r#"{"a":1,"b":2}"#), "ok");
    assert_eq!(text::<spelt>(r#"{"a":"x","d":"y"}"#), "\"x None None y\"");
    assert_eq!(text::<foreign>(r#"{"a":{"a":1},"c":{"a":2}}"#), r#"{"a":1,"b":[]}"#);
    assert_eq!(text::<flattened>(r#"{"before":1,"a":2,"after":3}"#), "\"1 2 3\"");
    assert_eq!(
        text::<standard>(
            r#"{"a":{},"b":{},"c":[1],"d":["x"],"e":[1,2],"f":"/x","g":"x","h":"y","j":1,"k":"127.0.0.1","l":1}"#
        ),
        r#""{} {} {1} {\"x\"} [1, 2] \"/x\" x y None 1 127.0.0.1 1""#
    );
    let arguments: Vec<String> = ('a'..='w').map(|name| format!("\"{name}\":1")).collect();
    assert_eq!(text::<many>(&format!("{{{}}}", arguments.join(","))), "24");
}
