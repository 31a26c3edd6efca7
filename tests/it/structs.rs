//! Structs with `#[tool_type]`: what stands in the schema, and that reading and writing agree with it.

use std::collections::BTreeMap;

use expect_test::expect;
use tool_runtime::{ToolHandle, testing, tool, tool_type};

use crate::support::{fails, input, only, output, text};

/// A place.
#[tool_type]
#[derive(Debug)]
struct Place {
    /// Its name.
    #[arg(min_length = 2, max_length = 10, example = "Paris")]
    name: String,
    /// How many people.
    #[arg(default = 3, minimum = 1, maximum = 10)]
    count: u8,
    at: Point,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<Tag>,
    #[arg(rename = "from-where", default = NOWHERE)]
    from: String,
    r#type: Option<Unit>,
    #[serde(default)]
    kids: Vec<Self>,
}

const NOWHERE: &str = "nowhere";

#[tool_type]
#[derive(Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Point {
    latitude: f64,
    longitude_east: f64,
}

#[tool_type]
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tag(#[arg(pattern = "^[a-z]+$")] String);

/// A unit.
#[tool_type]
#[derive(Debug)]
enum Unit {
    /// Degrees Celsius.
    C,
    F,
}

/// Places.
#[tool(docs(optional))]
fn place(place: Place) -> String {
    format!("{place:?}")
}

#[test]
fn a_struct_is_closed_in_its_order_with_constraints_and_defaults() {
    expect![[r##"{"type":"object","properties":{"place":{"$ref":"#/$defs/Place"}},"required":["place"],"additionalProperties":false,"$defs":{"Place":{"type":"object","description":"A place.","properties":{"name":{"type":"string","description":"Its name.","minLength":2,"maxLength":10,"examples":["Paris"]},"count":{"type":"integer","description":"How many people.","minimum":1,"maximum":10,"default":3},"at":{"$ref":"#/$defs/Point"},"tags":{"type":"array","items":{"$ref":"#/$defs/Tag"},"default":[]},"from-where":{"type":"string","default":"nowhere"},"type":{"anyOf":[{"$ref":"#/$defs/Unit"},{"type":"null"}]},"kids":{"type":"array","items":{"$ref":"#/$defs/Place"},"default":[]}},"required":["name","at"],"additionalProperties":false},"Point":{"type":"object","properties":{"latitude":{"type":"number"},"longitudeEast":{"type":"number"}},"required":["latitude","longitudeEast"],"additionalProperties":false},"Tag":{"type":"string","pattern":"^[a-z]+$"},"Unit":{"type":"string","description":"A unit.\n- `C`: Degrees Celsius.","enum":["C","F"]}}}"##]].assert_eq(&input::<place>());
    let least = r#"{"place":{"name":"Rome","at":{"latitude":1.5,"longitudeEast":2}}}"#;
    expect![[r#""Place { name: \"Rome\", count: 3, at: Point { latitude: 1.5, longitude_east: 2.0 }, tags: [], from: \"nowhere\", type: None, kids: [] }""#]].assert_eq(&text::<place>(least));
    let wrong = r#"{"place":{"name":"R","at":[1,2],"count":11,"tags":["A"],"type":"K","x":1}}"#;
    fails::<place>(
        wrong,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "place":
        - /place/name: expected string of 2 to 10 characters, got string "R"
        - /place/count: expected integer from 1 to 10, got integer 11
        - /place/at: expected object, got array [1,2]
        - /place/tags/0: expected string matching ^[a-z]+$, got string "A"
        - /place/type: must be one of "C", "F", got string "K"
        - unknown property "/place/x"
        Call it like: {"place":{"name":"Paris","at":{"latitude":1,"longitudeEast":1}}}"#]],
    );
    check::<place>();
}

/// A query.
#[tool_type]
#[derive(Debug)]
struct Query {
    words: String,
    #[arg(flatten)]
    page: Page,
    #[arg(flatten)]
    rest: BTreeMap<String, i64>,
}

#[tool_type]
#[derive(Debug)]
struct Page {
    #[arg(default = 20)]
    size: u32,
    after: Option<String>,
    number: u32,
}

/// Queries.
#[tool(docs(optional))]
fn query(query: Query) -> String {
    format!("{query:?}")
}

#[test]
fn f077_a_flattened_struct_and_map_make_one_schema() {
    expect![[r##"{"type":"object","properties":{"query":{"$ref":"#/$defs/Query"}},"required":["query"],"additionalProperties":false,"$defs":{"Query":{"type":"object","description":"A query.","properties":{"words":{"type":"string"},"size":{"type":"integer","minimum":0,"maximum":4294967295,"default":20},"after":{"type":["string","null"]},"number":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["words","number"],"additionalProperties":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}}}}"##]].assert_eq(&input::<query>());
    expect![[
        r#""Query { words: \"a\", page: Page { size: 20, after: None, number: 2 }, rest: {\"other\": 7} }""#
    ]]
    .assert_eq(&text::<query>(r#"{"query":{"words":"a","number":2,"other":7}}"#));
    fails::<query>(
        r#"{"query":{"words":"a","number":2,"other":"x"}}"#,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "query":
        - /query/other: expected integer from -9223372036854775808 to 9223372036854775807, got string "x"
        Call it like: {"query":{"words":"text","number":1}}"#]],
    );
    check::<query>();
}

/// A page of a list.
#[tool_type]
#[derive(Debug)]
struct Listing<T> {
    items: Vec<T>,
    next: Option<T>,
    #[arg(default = 0, maximum = 100)]
    total: u64,
}

#[tool_type]
#[derive(Debug)]
struct Tree(Vec<Tree>);

/// As text.
#[tool_type]
#[derive(Debug, Clone)]
#[serde(try_from = "String", into = "String")]
struct Upper {
    text: String,
}

impl TryFrom<String> for Upper {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        Ok(Self { text: text.to_uppercase() })
    }
}

impl From<Upper> for String {
    fn from(upper: Upper) -> Self {
        upper.text
    }
}

/// Others.
#[tool(docs(optional))]
fn others(numbers: Listing<u8>, texts: Listing<String>, tree: Tree, upper: Upper, empty: Empty) -> String {
    format!("{numbers:?} {texts:?} {tree:?} {upper:?} {empty:?}")
}

#[tool_type]
#[derive(Debug)]
struct Empty {}

#[test]
fn generic_recursive_and_converted_types_work() {
    expect![[r##"
        {"type":"object",
        "properties":{"numbers":{"$ref":"#/$defs/Listing_of_uint8"},
        "texts":{"$ref":"#/$defs/Listing_of_string"},
        "tree":{"$ref":"#/$defs/Tree"},
        "upper":{"$ref":"#/$defs/Upper"},
        "empty":{"$ref":"#/$defs/Empty"}},
        "required":["numbers",
        "texts",
        "tree",
        "upper",
        "empty"],
        "additionalProperties":false,
        "$defs":{"Empty":{"type":"object",
        "properties":{},
        "additionalProperties":false},
        "Listing_of_string":{"type":"object",
        "description":"A page of a list.",
        "properties":{"items":{"type":"array",
        "items":{"type":"string"}},
        "next":{"type":["string",
        "null"]},
        "total":{"type":"integer",
        "minimum":0,
        "maximum":100,
        "default":0}},
        "required":["items"],
        "additionalProperties":false},
        "Listing_of_uint8":{"type":"object",
        "description":"A page of a list.",
        "properties":{"items":{"type":"array",
        "items":{"type":"integer",
        "minimum":0,
        "maximum":255}},
        "next":{"type":["integer",
        "null"],
        "minimum":0,
        "maximum":255},
        "total":{"type":"integer",
        "minimum":0,
        "maximum":100,
        "default":0}},
        "required":["items"],
        "additionalProperties":false},
        "Tree":{"type":"array",
        "items":{"$ref":"#/$defs/Tree"}},
        "Upper":{"type":"string"}}}"##]]
    .assert_eq(&input::<others>().replace(",\"", ",\n\""));
    let right = r#"{"numbers":{"items":[1]},"texts":{"items":["a"],"next":"b","total":1},"tree":[[],[[]]],"upper":"x","empty":{}}"#;
    expect![[r#""Listing { items: [1], next: None, total: 0 } Listing { items: [\"a\"], next: Some(\"b\"), total: 1 } Tree([Tree([]), Tree([Tree([])])]) Upper { text: \"X\" } Empty""#]].assert_eq(&text::<others>(right));
    check::<others>();
}

/// Settings.
#[tool_type]
#[derive(Debug)]
#[serde(default, rename_all(serialize = "UPPERCASE"))]
struct Settings {
    size: u16,
    #[serde(skip)]
    cache: u8,
    #[serde(skip_deserializing)]
    computed: bool,
    #[serde(skip_serializing)]
    password: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { size: 9, cache: 1, computed: true, password: "x".into(), note: None }
    }
}

/// Settings.
#[tool(docs(optional))]
fn settings(settings: Settings) -> Settings {
    assert_eq!(settings.cache, 1);
    settings
}

#[test]
fn f089_output_follows_the_serialize_contract() {
    expect![[r##"{"type":"object","properties":{"settings":{"$ref":"#/$defs/Settings"}},"required":["settings"],"additionalProperties":false,"$defs":{"Settings":{"type":"object","description":"Settings.","properties":{"size":{"type":"integer","minimum":0,"maximum":65535,"default":9},"password":{"type":"string"},"note":{"type":["string","null"]}},"additionalProperties":false}}}"##]].assert_eq(&input::<settings>());
    expect![[r#"{"type":"object","description":"Settings.","properties":{"SIZE":{"type":"integer","minimum":0,"maximum":65535,"default":9},"COMPUTED":{"type":"boolean","default":true},"NOTE":{"type":["string","null"]}},"required":["SIZE","COMPUTED"],"additionalProperties":false}"#]].assert_eq(&output::<settings>().unwrap_or_default());
    expect![[r#"{"SIZE":2,"COMPUTED":true}"#]].assert_eq(&text::<settings>(r#"{"settings":{"size":2}}"#));
    check::<settings>();
}

/// Fields that are named like keywords.
#[tool_type]
#[derive(Debug)]
struct Keywords {
    properties: u8,
    r#type: u8,
    required: u8,
    items: u8,
    #[arg(rename = "additionalProperties")]
    additional: u8,
    r#enum: u8,
}

/// Keywords.
#[tool(docs(optional))]
fn keywords(keywords: Keywords) -> String {
    format!("{keywords:?}")
}

#[test]
fn f074_fields_may_be_named_like_keywords() {
    expect![[r##"{"type":"object","properties":{"keywords":{"$ref":"#/$defs/Keywords"}},"required":["keywords"],"additionalProperties":false,"$defs":{"Keywords":{"type":"object","description":"Fields that are named like keywords.","properties":{"properties":{"type":"integer","minimum":0,"maximum":255},"type":{"type":"integer","minimum":0,"maximum":255},"required":{"type":"integer","minimum":0,"maximum":255},"items":{"type":"integer","minimum":0,"maximum":255},"additionalProperties":{"type":"integer","minimum":0,"maximum":255},"enum":{"type":"integer","minimum":0,"maximum":255}},"required":["properties","type","required","items","additionalProperties","enum"],"additionalProperties":false}}}"##]].assert_eq(&input::<keywords>());
    check::<keywords>();
}

fn check<T: ToolHandle>() {
    testing::check(&only::<T>());
}
