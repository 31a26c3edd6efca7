//! Types of other crates and what they are on the wire; the table stands in `docs/schemas.md`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc, Weekday};
use expect_test::expect;
use rust_decimal::Decimal;
use tool_runtime::{Registry, tool, toolset};
use url::Url;
use uuid::Uuid;

use crate::support::{call, fails, failure, input, output, run, text};

/// Takes what other crates bring.
#[tool(docs(optional))]
#[expect(clippy::too_many_arguments, reason = "one of each")]
fn formats(
    id: Uuid,
    url: Url,
    at: DateTime<Utc>,
    day: NaiveDate,
    time: Option<NaiveTime>,
    local: Option<NaiveDateTime>,
    weekday: Option<Weekday>,
    wait: Duration,
    ip: IpAddr,
    v4: Option<Ipv4Addr>,
    v6: Option<Ipv6Addr>,
    path: PathBuf,
    bytes: Bytes,
) -> String {
    format!(
        "{id} {url} {at} {day} {time:?} {local:?} {weekday:?} {wait:?} {ip} {v4:?} {v6:?} {path:?} {bytes:?}"
    )
}

const RIGHT: &str = r#"{"id":"123e4567-e89b-12d3-a456-426614174000","url":"https://example.com/a?b=c","at":"2026-01-31T12:00:00+01:00","day":"2024-02-29","wait":{"secs":1,"nanos":5},"ip":"2001:db8::1","path":"/ü","bytes":[1,2,255]}"#;

#[test]
fn f082_types_of_other_crates_have_a_documented_form() {
    expect![[r##"{"type":"object","properties":{"id":{"type":"string","format":"uuid"},"url":{"type":"string","format":"uri"},"at":{"type":"string","format":"date-time"},"day":{"type":"string","format":"date"},"time":{"type":["string","null"],"pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?$"},"local":{"type":["string","null"],"pattern":"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?$"},"weekday":{"type":["string","null"],"enum":["Mon","Tue","Wed","Thu","Fri","Sat","Sun",null]},"wait":{"$ref":"#/$defs/Duration"},"ip":{"anyOf":[{"type":"string","format":"ipv4"},{"type":"string","format":"ipv6"}]},"v4":{"type":["string","null"],"format":"ipv4"},"v6":{"type":["string","null"],"format":"ipv6"},"path":{"type":"string"},"bytes":{"$ref":"#/$defs/Bytes"}},"required":["id","url","at","day","wait","ip","path","bytes"],"additionalProperties":false,"$defs":{"Bytes":{"type":["array","string"],"items":{"type":"integer","minimum":0,"maximum":255}},"Duration":{"type":"object","properties":{"nanos":{"type":"integer","minimum":0,"maximum":4294967295},"secs":{"type":"integer","minimum":0,"maximum":18446744073709551615}},"required":["nanos","secs"],"additionalProperties":false}}}"##]].assert_eq(&input::<formats>());
    expect![[r#""123e4567-e89b-12d3-a456-426614174000 https://example.com/a?b=c 2026-01-31 11:00:00 UTC 2024-02-29 None None None 1.000000005s 2001:db8::1 None None \"/ü\" b\"\\x01\\x02\\xff\"""#]].assert_eq(&text::<formats>(RIGHT));
    let more = RIGHT.replacen(
        '{',
        r#"{"time":"12:30:00","local":"2026-01-31T12:00:00","weekday":"Mon","v4":"192.0.2.1","v6":"::1","#,
        1,
    );
    expect![[r#""123e4567-e89b-12d3-a456-426614174000 https://example.com/a?b=c 2026-01-31 11:00:00 UTC 2024-02-29 Some(12:30:00) Some(2026-01-31T12:00:00) Some(Mon) 1.000000005s 2001:db8::1 Some(192.0.2.1) Some(::1) \"/ü\" b\"\\x01\\x02\\xff\"""#]].assert_eq(&text::<formats>(&more));
}

#[test]
fn f082_wrong_values_are_told_what_is_right_and_not_what_a_crate_says() {
    fails::<formats>(
        r#"{"id":"123","url":"not a url","at":"yesterday","day":"31.01.2026","time":"noon","local":"x","weekday":"Monday","wait":"1s"}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "formats":
            - /id: expected a UUID such as 123e4567-e89b-12d3-a456-426614174000, got string "123"
            - /url: expected a URI such as https://example.com/, got string "not a url"
            - /at: expected an RFC 3339 date-time such as 2026-01-31T12:00:00Z, got string "yesterday"
            - /day: expected a date such as 2026-01-31, got string "31.01.2026"
            - /time: expected string matching ^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?$ or null, got string "noon"
            - /local: expected string matching ^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?$ or null, got string "x"
            - /weekday: must be one of "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", null, got string "Monday"
            - /wait: expected object, got string "1s"
            - and 3 more
            Call it like: {"id":"123e4567-e89b-12d3-a456-426614174000","url":"https://example.com/","at":"2026-01-31T12:00:00Z","day":"2026-01-31","wait":{"nanos":1,"secs":1},"ip":"192.0.2.1","path":"text","bytes":[]}"#]],
    );
    fails::<formats>(
        r#"{"id":"123e4567-e89b-12d3-a456-42661417400g","url":"/relative","at":"2026-02-30T12:00:00Z","day":"2026-02-30","wait":{"secs":-1},"ip":"256.0.0.1","v4":"::1","path":1,"bytes":"AQI="}"#,
        expect![[r#"
            INVALID_ARGS
            Error: invalid arguments for "formats":
            - /id: expected a UUID such as 123e4567-e89b-12d3-a456-426614174000, got string "123e4567-e89b-12d3-a456-42661417400g"
            - /url: expected a URI such as https://example.com/, got string "/relative"
            - /at: expected an RFC 3339 date-time such as 2026-01-31T12:00:00Z, got string "2026-02-30T12:00:00Z"
            - /day: expected a date such as 2026-01-31, got string "2026-02-30"
            - missing required property "/wait/nanos"
            - /wait/secs: expected integer from 0 to 18446744073709551615, got integer -1
            - /ip: expected an IPv4 address such as 192.0.2.1 or an IPv6 address such as 2001:db8::1, got string "256.0.0.1"
            - /v4: expected an IPv4 address such as 192.0.2.1 or null, got string "::1"
            - and 1 more
            Call it like: {"id":"123e4567-e89b-12d3-a456-426614174000","url":"https://example.com/","at":"2026-01-31T12:00:00Z","day":"2026-01-31","wait":{"nanos":1,"secs":1},"ip":"192.0.2.1","path":"text","bytes":[]}"#]],
    );
    // Right by the schema, and refused by the type alone.
    for wrong in [
        RIGHT.replace("https://example.com/a?b=c", "http://[::1]:99999/"),
        RIGHT.replacen('{', r#"{"local":"2026-02-30T12:00:00","#, 1),
    ] {
        assert!(call::<formats>(&wrong).is_error(), "{wrong}");
    }
}

/// Its methods are not collected, since their schemas take more than their types.
struct Loose;

#[toolset]
impl Loose {
    /// Takes an address, of which schemars says no more than that it is a text.
    #[tool(docs(optional))]
    fn connect(&self, to: SocketAddr, list: Option<Vec<SocketAddr>>) -> String {
        format!("{to} {list:?}")
    }

    /// Takes an amount, of which schemars says that it may be any number.
    #[tool(docs(optional))]
    fn pay(&self, amount: Decimal) -> Decimal {
        amount
    }
}

#[test]
fn what_only_a_type_refuses_is_told_with_the_arguments_name() {
    let registry = Registry::builder().register_all(Loose).build().expect("builds");
    let call = |name: &str, arguments: &str| run(&registry, name, arguments);
    assert_eq!(call("connect", r#"{"to":"192.0.2.1:80"}"#).text(), "\"192.0.2.1:80 None\"");
    expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "connect":
        - /to: invalid socket address syntax
        Call it like: {"to":"text"}"#]]
    .assert_eq(&failure(&call("connect", r#"{"to":"here"}"#)));
    expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "connect":
        - /list: invalid socket address syntax
        Call it like: {"to":"text"}"#]]
    .assert_eq(&failure(&call("connect", r#"{"to":"[::1]:80","list":["192.0.2.1"]}"#)));
    expect![[r#"{"type":"object","properties":{"amount":{"type":["string","number"],"pattern":"^-?\\d+(\\.\\d+)?([eE]\\d+)?$"}},"required":["amount"],"additionalProperties":false}"#]].assert_eq(registry.definition("pay").expect("registered").input_schema().text());
    assert_eq!(call("pay", r#"{"amount":"12.50"}"#).text(), "\"12.50\"");
    assert_eq!(call("pay", r#"{"amount":12.5}"#).text(), "\"12.5\"");
    expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "pay":
        - /amount: expected string matching ^-?\d+(\.\d+)?([eE]\d+)?$ or number, got string "12,5"
        Call it like: {"amount":"1"}"#]]
    .assert_eq(&failure(&call("pay", r#"{"amount":"12,5"}"#)));
    expect![[r#"
        INVALID_ARGS
        Error: invalid arguments for "pay":
        - /amount: invalid value: string "99999999999999999999999999999999999", expected a Decimal type representing a fixed-point number
        Call it like: {"amount":"1"}"#]].assert_eq(&failure(&call("pay", r#"{"amount":"99999999999999999999999999999999999"}"#)));
    let error = std::thread::spawn(move || tool_runtime::testing::check(&registry))
        .join()
        .expect_err("they disagree");
    expect![[r#"
        tool `connect`: the schema takes {"to":"text"}, and the types do not: Error: invalid arguments for "connect":
        - /to: invalid socket address syntax
        Call it like: {"to":"text"}
        tool `connect`: the schema takes {"list":[],"to":"text"}, and the types do not: Error: invalid arguments for "connect":
        - /to: invalid socket address syntax
        Call it like: {"to":"text"}
        tool `connect`: the schema takes {"list":null,"to":"text"}, and the types do not: Error: invalid arguments for "connect":
        - /to: invalid socket address syntax
        Call it like: {"to":"text"}
        tool `pay`: the schema takes {"amount":1e+300}, and the types do not: Error: invalid arguments for "pay":
        - /amount: invalid value: floating point `1e+300`, expected a Decimal type representing a fixed-point number
        Call it like: {"amount":"1"}
    "#]].assert_eq(error.downcast_ref::<String>().expect("a text"));
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Everything {
    id: Uuid,
    url: Url,
    at: DateTime<Utc>,
    day: NaiveDate,
    wait: Duration,
    amount: Decimal,
    ip: IpAddr,
    path: PathBuf,
    bytes: Bytes,
}

/// Returns what other crates bring.
#[tool(effect = read)]
fn returns_formats() -> Result<Everything, Box<dyn std::error::Error + Send + Sync>> {
    Ok(Everything {
        id: Uuid::nil(),
        url: Url::parse("https://example.com")?,
        at: DateTime::UNIX_EPOCH,
        day: NaiveDate::default(),
        wait: Duration::from_millis(1_500),
        amount: Decimal::new(1_250, 2),
        ip: IpAddr::V4(Ipv4Addr::LOCALHOST),
        path: PathBuf::from("/a"),
        bytes: Bytes::from_static(b"ab"),
    })
}

#[test]
fn f082_results_pass_their_own_schema() {
    expect![[r##"{"type":"object","properties":{"amount":{"type":"string","pattern":"^-?\\d+(\\.\\d+)?$"},"at":{"type":"string","format":"date-time"},"bytes":{"$ref":"#/$defs/Bytes"},"day":{"type":"string","format":"date"},"id":{"type":"string","format":"uuid"},"ip":{"anyOf":[{"type":"string","format":"ipv4"},{"type":"string","format":"ipv6"}]},"path":{"type":"string"},"url":{"type":"string","format":"uri"},"wait":{"$ref":"#/$defs/Duration"}},"required":["amount","at","bytes","day","id","ip","path","url","wait"],"$defs":{"Bytes":{"type":"array","items":{"type":"integer","minimum":0,"maximum":255}},"Duration":{"type":"object","properties":{"nanos":{"type":"integer","minimum":0,"maximum":4294967295},"secs":{"type":"integer","minimum":0,"maximum":18446744073709551615}},"required":["nanos","secs"],"additionalProperties":false}}}"##]].assert_eq(&output::<returns_formats>().expect("a schema"));
    expect![[r#"{"id":"00000000-0000-0000-0000-000000000000","url":"https://example.com/","at":"1970-01-01T00:00:00Z","day":"1970-01-01","wait":{"secs":1,"nanos":500000000},"amount":"12.50","ip":"127.0.0.1","path":"/a","bytes":[97,98]}"#]].assert_eq(&text::<returns_formats>(""));
}
