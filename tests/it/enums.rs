//! Enums with `#[tool_type]`, in each of serde's forms.

use expect_test::expect;
use tool_runtime::{testing, tool, tool_type};

use crate::structs::Point;
use crate::support::{fails, input, only, text};

#[tool_type]
#[derive(Debug)]
enum External {
    /// Nothing.
    Nothing,
    Circle {
        #[arg(exclusive_minimum = 0)]
        radius: f64,
    },
    At(Point),
    Many(Vec<External>),
}

#[tool_type]
#[derive(Debug)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Internal {
    /// It went.
    WentTo {
        in_days: u8,
        #[serde(flatten)]
        point: Point,
    },
    At(Point),
    Stopped,
}

#[tool_type]
#[derive(Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    List(Vec<u8>),
    Fields {
        #[arg(default = 7)]
        x: u8,
    },
    Nothing,
}

#[tool_type]
#[derive(Debug)]
#[serde(untagged)]
enum Untagged {
    Whole(i64),
    Fraction(f64),
    Text(String),
    Point(Point),
    Named { name: String },
}

/// Enums.
#[tool(docs(optional))]
fn enums(external: External, internal: Internal, adjacent: Adjacent, untagged: Untagged) -> String {
    format!("{external:?} {internal:?} {adjacent:?} {untagged:?}")
}

#[test]
fn enums_have_the_schema_of_their_form() {
    expect![[r##"
        {"type":"object",
        "properties":{"external":{"$ref":"#/$defs/External"},
        "internal":{"$ref":"#/$defs/Internal"},
        "adjacent":{"$ref":"#/$defs/Adjacent"},
        "untagged":{"$ref":"#/$defs/Untagged"}},
        "required":["external",
        "internal",
        "adjacent",
        "untagged"],
        "additionalProperties":false,
        "$defs":{"Adjacent":{"oneOf":[{"type":"object",
        "properties":{"t":{"type":"string",
        "const":"List"},
        "c":{"type":"array",
        "items":{"type":"integer",
        "minimum":0,
        "maximum":255}}},
        "required":["t",
        "c"],
        "additionalProperties":false},{"type":"object",
        "properties":{"t":{"type":"string",
        "const":"Fields"},
        "c":{"type":"object",
        "properties":{"x":{"type":"integer",
        "minimum":0,
        "maximum":255,
        "default":7}},
        "additionalProperties":false}},
        "required":["t",
        "c"],
        "additionalProperties":false},{"type":"object",
        "properties":{"t":{"type":"string",
        "const":"Nothing"}},
        "required":["t"],
        "additionalProperties":false}]},
        "External":{"oneOf":[{"type":"string",
        "description":"Nothing.",
        "const":"Nothing"},{"type":"object",
        "properties":{"Circle":{"type":"object",
        "properties":{"radius":{"type":"number",
        "exclusiveMinimum":0}},
        "required":["radius"],
        "additionalProperties":false}},
        "required":["Circle"],
        "additionalProperties":false},{"type":"object",
        "properties":{"At":{"$ref":"#/$defs/Point"}},
        "required":["At"],
        "additionalProperties":false},{"type":"object",
        "properties":{"Many":{"type":"array",
        "items":{"$ref":"#/$defs/External"}}},
        "required":["Many"],
        "additionalProperties":false}]},
        "Internal":{"oneOf":[{"type":"object",
        "description":"It went.",
        "properties":{"type":{"type":"string",
        "const":"went_to"},
        "inDays":{"type":"integer",
        "minimum":0,
        "maximum":255},
        "latitude":{"type":"number"},
        "longitudeEast":{"type":"number"}},
        "required":["type",
        "inDays",
        "latitude",
        "longitudeEast"],
        "additionalProperties":false},{"type":"object",
        "properties":{"type":{"type":"string",
        "const":"at"},
        "latitude":{"type":"number"},
        "longitudeEast":{"type":"number"}},
        "required":["type",
        "latitude",
        "longitudeEast"],
        "additionalProperties":false},{"type":"object",
        "properties":{"type":{"type":"string",
        "const":"stopped"}},
        "required":["type"],
        "additionalProperties":false}]},
        "Point":{"type":"object",
        "properties":{"latitude":{"type":"number"},
        "longitudeEast":{"type":"number"}},
        "required":["latitude",
        "longitudeEast"],
        "additionalProperties":false},
        "Untagged":{"anyOf":[{"type":"integer",
        "minimum":-9223372036854775808,
        "maximum":9223372036854775807},{"type":"number"},{"type":"string"},{"$ref":"#/$defs/Point"},{"type":"object",
        "properties":{"name":{"type":"string"}},
        "required":["name"],
        "additionalProperties":false}]}}}"##]].assert_eq(&input::<enums>().replace(",\"", ",\n\""));
    let first =
        r#"{"external":"Nothing","internal":{"type":"stopped"},"adjacent":{"t":"Nothing"},"untagged":1}"#;
    expect![[r#""Nothing Stopped Nothing Whole(1)""#]].assert_eq(&text::<enums>(first));
    let second = r#"{
        "external": {"Many": [{"At": {"latitude": 1, "longitudeEast": 2}}]},
        "internal": {"longitudeEast": 2, "type": "went_to", "latitude": 1, "inDays": 3},
        "adjacent": {"c": {}, "t": "Fields"},
        "untagged": {"name": "x"}
    }"#;
    expect![[r#""Many([At(Point { latitude: 1.0, longitude_east: 2.0 })]) WentTo { in_days: 3, point: Point { latitude: 1.0, longitude_east: 2.0 } } Fields { x: 7 } Named { name: \"x\" }""#]].assert_eq(&text::<enums>(second));
    let wrong = r#"{
        "external": {"Nothing": null},
        "internal": {"type": "at", "latitude": 1, "longitudeEast": 2, "x": 1},
        "adjacent": {"t": "Fields", "c": [1]},
        "untagged": true
    }"#;
    fails::<enums>(
        wrong,
        expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "enums":
        - /external: expected object with exactly one of the properties "Circle", "At", "Many", got object {"Nothing":null}
        - unknown property "/internal/x"
        - /adjacent/c: expected object, got array [1]
        - /untagged: expected integer from -9223372036854775808 to 9223372036854775807 or number or string or object, got boolean true
        Call it like: {"external":"Nothing","internal":{"type":"went_to","inDays":1,"latitude":1,"longitudeEast":1},"adjacent":{"t":"List","c":[]},"untagged":1}"#]],
    );
    testing::check(&only::<enums>());
}
