//! What schemars writes, and what becomes of it.

#![expect(dead_code, reason = "the types are described, never built")]

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::num::NonZeroI32;

use expect_test::{Expect, expect};
use schemars::{JsonSchema, schema_for};
use serde::Deserialize;
use serde_json::json;

use super::super::Schema;

fn check<T: JsonSchema>(expect: &Expect) {
    let text = match Schema::from_schemars(schema_for!(T).to_value()) {
        Ok(schema) => {
            let example = schema.example();
            assert!(schema.is_valid(&example), "{schema} refuses its example {example}");
            schema.text().to_owned()
        }
        Err(error) => error.to_string(),
    };
    expect.assert_eq(&text);
}

#[test]
fn rust_numbers_become_bounds() {
    #[derive(JsonSchema)]
    struct Numbers {
        a: u8,
        b: i16,
        c: u32,
        d: u64,
        e: i64,
        f: usize,
        g: f32,
        h: f64,
        i: NonZeroI32,
        #[schemars(range(min = 1, max = 10))]
        j: u32,
    }
    check::<Numbers>(&expect![[
        r#"{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255},"b":{"type":"integer","minimum":-32768,"maximum":32767},"c":{"type":"integer","minimum":0,"maximum":4294967295},"d":{"type":"integer","minimum":0,"maximum":18446744073709551615},"e":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"f":{"type":"integer","minimum":0,"maximum":18446744073709551615},"g":{"type":"number","minimum":-3.4028234663852886e+38,"maximum":3.4028234663852886e+38},"h":{"type":"number"},"i":{"anyOf":[{"type":"integer","minimum":1,"maximum":2147483647},{"type":"integer","minimum":-2147483648,"maximum":-1}]},"j":{"type":"integer","minimum":1,"maximum":10}},"required":["a","b","c","d","e","f","g","h","i","j"]}"#
    ]]);
}

/// Where to look.
#[derive(JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    /// Degrees Celsius.
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
    Kelvin,
}

#[derive(JsonSchema)]
enum Plain {
    A,
    B,
}

#[test]
fn unit_enums_are_flat_and_keep_the_words_of_their_variants() {
    #[derive(JsonSchema)]
    struct Units {
        /// The unit.
        unit: Unit,
        maybe: Option<Unit>,
        plain: Plain,
        inline: Option<InlinePlain>,
    }
    #[derive(JsonSchema)]
    #[schemars(inline)]
    enum InlinePlain {
        /// The first.
        A,
        B,
    }
    check::<Unit>(&expect![[
        r#"{"type":"string","description":"Where to look.\n- `celsius`: Degrees Celsius.\n- `fahrenheit`: Degrees Fahrenheit.","enum":["kelvin","celsius","fahrenheit"]}"#
    ]]);
    check::<Units>(&expect![[
        r##"{"type":"object","properties":{"inline":{"type":["string","null"],"description":"- `A`: The first.","enum":["B","A",null]},"maybe":{"anyOf":[{"$ref":"#/$defs/Unit"},{"type":"null"}]},"plain":{"$ref":"#/$defs/Plain"},"unit":{"$ref":"#/$defs/Unit","description":"The unit."}},"required":["plain","unit"],"$defs":{"Plain":{"type":"string","enum":["A","B"]},"Unit":{"type":"string","description":"Where to look.\n- `celsius`: Degrees Celsius.\n- `fahrenheit`: Degrees Fahrenheit.","enum":["kelvin","celsius","fahrenheit"]}}}"##
    ]]);
}

#[test]
fn enums_with_data_stay_unions() {
    #[derive(JsonSchema, Deserialize)]
    #[serde(tag = "kind")]
    enum Shape {
        Circle { r: f64 },
        Group { of: Vec<Shape> },
    }
    #[derive(JsonSchema)]
    enum External {
        Unit,
        Tuple(u8),
        Struct { a: bool },
    }
    check::<Shape>(&expect![[
        r##"{"oneOf":[{"type":"object","properties":{"kind":{"type":"string","const":"Circle"},"r":{"type":"number"}},"required":["kind","r"]},{"type":"object","properties":{"kind":{"type":"string","const":"Group"},"of":{"type":"array","items":{"$ref":"#"}}},"required":["kind","of"]}]}"##
    ]]);
    check::<External>(&expect![[
        r#"{"oneOf":[{"type":"string","enum":["Unit"]},{"type":"object","properties":{"Tuple":{"type":"integer","minimum":0,"maximum":255}},"required":["Tuple"],"additionalProperties":false},{"type":"object","properties":{"Struct":{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]}},"required":["Struct"],"additionalProperties":false}]}"#
    ]]);
}

#[test]
fn optional_properties_lose_null_defaults() {
    #[derive(JsonSchema, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        #[serde(default)]
        a: Option<u8>,
        #[serde(default = "five")]
        b: u8,
        #[serde(default)]
        c: Vec<String>,
        d: Option<serde_json::Value>,
        e: HashMap<String, bool>,
    }
    fn five() -> u8 {
        5
    }
    check::<Options>(&expect![[
        r#"{"type":"object","properties":{"a":{"type":["integer","null"],"minimum":0,"maximum":255},"b":{"type":"integer","minimum":0,"maximum":255,"default":5},"c":{"type":"array","items":{"type":"string"},"default":[]},"d":{},"e":{"type":"object","additionalProperties":{"type":"boolean"}}},"required":["e"],"additionalProperties":false}"#
    ]]);
}

#[test]
fn addresses_and_partial_times_are_known_formats_or_patterns() {
    check::<IpAddr>(&expect![[
        r#"{"anyOf":[{"type":"string","format":"ipv4"},{"type":"string","format":"ipv6"}]}"#
    ]]);
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "format": "partial-date-time"},
        "b": {"type": "string", "format": "duration"},
        "c": {"type": "string", "format": "date-time"},
        "d": {"type": "string", "format": "shoe-size"},
    }});
    assert_eq!(
        Schema::from_schemars(schema).unwrap_err().to_string(),
        "/properties/d/format: the format \"shoe-size\" is not enforced; leave it out, or use a `pattern` or one of \
         date-time, date, time, uuid, ipv4, ipv6, email, uri, hostname"
    );
}

#[test]
fn local_times_are_held_to_a_pattern() {
    let fits = |format: &str, text: &str| {
        let schema = json!({"type": "string", "format": format});
        Schema::from_schemars(schema).is_ok_and(|schema| schema.is_valid(&json!(text)))
    };
    for right in ["00:00:00", "23:59:59", "12:30:00.123456789"] {
        assert!(fits("partial-time", right), "{right}");
        assert!(fits("partial-date-time", &format!("2026-01-31T{right}")), "{right}");
    }
    for wrong in ["noon", "24:00:00", "12:60:00", "12:30:00Z", "1:2:3", "12:30:00.", ""] {
        assert!(!fits("partial-time", wrong), "{wrong}");
        assert!(!fits("partial-date-time", &format!("2026-01-31T{wrong}")), "{wrong}");
    }
}

#[test]
fn tuples_and_maps_with_other_keys_say_what_to_do() {
    #[derive(JsonSchema)]
    struct Hard {
        pair: (u8, String),
        map: BTreeMap<u32, String>,
    }
    check::<Hard>(&expect![[r"
        /properties/map/patternProperties: `patternProperties` is no keyword that is enforced; use strings as the keys of the map, and check them in the tool
        /properties/pair/prefixItems: `prefixItems` is no keyword that is enforced; use a struct with named fields instead of a tuple"]]);
}
