//! `#[tool_type]` and `#[derive(Render)]` of every kind.
use std::collections::BTreeMap;

use tool_runtime::{Render, tool, tool_type};

use crate::{call, text};

/// A struct with every key.
#[tool_type]
#[derive(Debug, Clone, PartialEq)]
struct Query {
    /// The text.
    #[arg(min_length = 1, max_length = 9, example = "x")]
    text: String,
    /// The limit.
    #[arg(default = 10, minimum = 1, maximum = 100)]
    limit: u8,
    /// Nested.
    nested: Option<Box<Query>>,
    /// A list.
    #[arg(default = Vec::new(), max_items = 2)]
    list: Vec<Kind>,
    /// A raw name.
    #[arg(default = false)]
    r#type: bool,
    /// Flattened.
    #[arg(flatten)]
    page: Page,
}

/// A page.
#[tool_type]
#[derive(Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Page {
    /// The number.
    #[serde(default)]
    page_number: u8,
}

/// A plain enum (F059).
#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// The first.
    FirstKind,
    /// The second.
    #[serde(rename = "second")]
    Other,
}

/// Tagged from within.
#[tool_type]
#[derive(Debug)]
#[serde(tag = "type")]
enum Internal {
    /// A circle.
    Circle {
        /// The radius.
        r: f64,
    },
    /// A page.
    Page(Page),
    /// Nothing.
    Nothing,
}

/// Tagged beside.
#[tool_type]
#[derive(Debug)]
#[serde(tag = "type", content = "value")]
enum Adjacent {
    /// A number.
    Number(u8),
    /// Nothing.
    Nothing,
}

/// Tagged by the property's name.
#[tool_type]
#[derive(Debug)]
enum External {
    /// A number.
    Number(u8),
    /// Fields.
    Fields {
        /// A
        a: u8,
    },
    /// Nothing.
    Nothing,
}

/// Untagged and apart.
#[tool_type]
#[derive(Debug)]
#[serde(untagged)]
enum Untagged {
    /// A number.
    Number(u8),
    /// A text.
    Text(String),
    /// Fields.
    Fields {
        /// A
        a: u8,
    },
}

/// A newtype.
#[tool_type]
#[derive(Debug)]
struct Percent(#[arg(minimum = 0, maximum = 100)] u8);

/// A generic type.
#[tool_type]
#[derive(Debug)]
struct Pair<T> {
    /// A
    a: T,
    /// B
    b: T,
}

/// Recursive (F076).
#[tool_type]
#[derive(Debug)]
struct Node {
    /// The children.
    #[arg(default = Vec::new())]
    children: Vec<Node>,
}

/// Named like JSON Schema's keywords (F074).
#[tool_type]
#[derive(Debug)]
struct Keywords {
    /// A
    properties: u8,
    /// B
    required: u8,
    /// C
    items: u8,
    /// D
    #[arg(rename = "enum")]
    enumeration: u8,
}

/// Empty (F061).
#[tool_type]
#[derive(Debug)]
struct Empty {}

/// Takes all of them.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "one of each")]
fn takes(
    a: Query,
    b: Internal,
    c: Adjacent,
    d: External,
    e: Untagged,
    f: Percent,
    g: Pair<Kind>,
    h: Node,
    i: Keywords,
    j: Empty,
    k: BTreeMap<String, Query>,
    #[arg(default = "second")] l: Kind,
) -> String {
    format!("{a:?} {b:?} {c:?} {d:?} {e:?} {f:?} {g:?} {h:?} {i:?} {j:?} {k:?} {l:?}")
}

/// Flattens one.
#[tool(docs(optional))]
fn flattens(first: u8, #[arg(flatten)] page: Page) -> u8 {
    first + page.page_number
}

/// Weather.
#[tool_type]
#[derive(Render)]
#[render("{city}: {now.temperature:.1} °C, {{{wind}}}")]
struct Weather {
    /// The city.
    city: String,
    /// Now.
    now: Now,
    /// The wind.
    wind: Wind,
}

/// Now.
#[tool_type]
struct Now {
    /// The temperature.
    temperature: f64,
}

/// The wind.
#[tool_type]
#[derive(Render)]
enum Wind {
    #[render("no wind")]
    /// None.
    Calm,
    #[render("{speed:>3} km/h")]
    /// Some.
    Blows {
        /// The speed.
        speed: u8,
    },
}

/// Shows itself.
#[tool(docs(optional))]
fn weather(blows: bool) -> Result<Weather, std::convert::Infallible> {
    let wind = if blows { Wind::Blows { speed: 9 } } else { Wind::Calm };
    Ok(Weather { city: "Ulm".to_owned(), now: Now { temperature: 3.25 }, wind })
}

#[test]
fn types_of_every_kind() {
    let arguments = r#"{"a":{"text":"x","pageNumber":3},"b":{"type":"Circle","r":1},"c":{"type":"Number","value":1},
        "d":{"Fields":{"a":1}},"e":{"a":1},"f":50,"g":{"a":"first_kind","b":"second"},"h":{"children":[{}]},
        "i":{"properties":1,"required":2,"items":3,"enum":4},"j":{},"k":{"x":{"text":"y"}}}"#;
    let result = call::<takes>(arguments);
    assert!(!result.is_error(), "{}", result.text());
    assert!(result.text().contains("page_number: 3"), "{}", result.text());
    assert_eq!(text::<flattens>(r#"{"first":1,"pageNumber":2}"#), "3");
}

#[test]
fn templates_show_values() {
    assert_eq!(text::<weather>(r#"{"blows":true}"#), "Ulm: 3.2 °C, {  9 km/h}");
    assert_eq!(text::<weather>(r#"{"blows":false}"#), "Ulm: 3.2 °C, {no wind}");
}
