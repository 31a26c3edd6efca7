//! The serialising pass against `serde_json`, and what it refuses.

use std::collections::BTreeMap;
use std::fmt;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::to_json;

#[derive(Debug, Serialize)]
struct Unit;

#[derive(Debug, Serialize)]
struct Newtype(f32);

#[derive(Debug, Serialize)]
struct Pair(i8, Option<char>);

#[derive(Debug, Clone, Serialize)]
enum Variant {
    Unit,
    Newtype(f64),
    Tuple(u64, f64),
    Struct {
        #[serde(rename = "a/b~\"c\"")]
        odd: f64,
        list: Vec<f64>,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Tagged {
    Circle { radius: f32 },
    Inner(Inner),
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Many(Vec<i16>),
}

#[derive(Debug, Serialize)]
struct Inner {
    name: String,
    #[serde(flatten)]
    rest: BTreeMap<String, f64>,
}

#[derive(Debug, Serialize)]
struct Everything {
    unit: Unit,
    newtype: Newtype,
    pair: Pair,
    variants: Vec<Variant>,
    tagged: Vec<Tagged>,
    untagged: Vec<Untagged>,
    by_number: BTreeMap<i64, Option<()>>,
    by_char: BTreeMap<char, bool>,
    by_bool: BTreeMap<bool, u8>,
    wide: (i128, u128),
    nothing: Vec<()>,
    empty: BTreeMap<String, u8>,
}

fn same<T: Serialize>(value: &T) {
    let ours = to_json(value).map_err(|error| error.to_string());
    let theirs = serde_json::to_string(value).map_err(|error| error.to_string());
    assert_eq!(ours, theirs);
}

fn refused<T: Serialize>(value: &T, expected: &Expect) {
    let error = to_json(value).map_or_else(|error| error.to_string(), |json| format!("accepted: {json}"));
    expected.assert_eq(&error);
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn variants() -> impl Strategy<Value = Variant> {
    let finite = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
    prop_oneof![
        Just(Variant::Unit),
        finite.prop_map(Variant::Newtype),
        (any::<u64>(), finite).prop_map(|(a, b)| Variant::Tuple(a, b)),
        (finite, prop::collection::vec(finite, 0..4)).prop_map(|(odd, list)| Variant::Struct { odd, list }),
    ]
}

proptest! {
    #[test]
    fn values_are_written_as_serde_json_writes_them(value in json()) {
        prop_assert_eq!(to_json(&value).ok(), serde_json::to_string(&value).ok());
    }

    #[test]
    fn structs_are_written_as_serde_json_writes_them(
        variants in prop::collection::vec(variants(), 0..5),
        newtype in prop::num::f32::NORMAL,
        pair in (any::<i8>(), any::<Option<char>>()),
        name in any::<String>(),
        rest in prop::collection::btree_map(any::<String>(), prop::num::f64::NORMAL, 0..4),
        by_number in prop::collection::btree_map(any::<i64>(), any::<Option<()>>(), 0..4),
        by_char in prop::collection::btree_map(any::<char>(), any::<bool>(), 0..4),
        by_bool in prop::collection::btree_map(any::<bool>(), any::<u8>(), 0..3),
        wide in any::<(i128, u128)>(),
    ) {
        let value = Everything {
            unit: Unit,
            newtype: Newtype(newtype),
            pair: Pair(pair.0, pair.1),
            variants,
            tagged: vec![Tagged::Circle { radius: newtype }, Tagged::Inner(Inner { name: name.clone(), rest })],
            untagged: vec![Untagged::Text(name), Untagged::Many(vec![1, -2])],
            by_number,
            by_char,
            by_bool,
            wide,
            nothing: vec![(), ()],
            empty: BTreeMap::new(),
        };
        // But for maps, flattened ones among them, whose keys are sorted here.
        let read = |text: String| serde_json::from_str::<Value>(&text).ok();
        prop_assert_eq!(to_json(&value).ok().map(read), serde_json::to_string(&value).ok().map(read));
    }
}

#[test]
fn raw_json_passes_as_it_is() -> anyhow::Result<()> {
    let raw = RawValue::from_string("{ \"a\" : [1, 2.50, \"\\u00e9\"] }".to_owned())?;
    same(&BTreeMap::from([("raw", (&raw, 1, &raw))]));
    same(&raw);
    Ok(())
}

/// What `serde_json::Number` says of itself under `arbitrary_precision`.
struct Precise;

impl Serialize for Precise {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let token = "$serde_json::private::Number";
        let mut fields = serializer.serialize_struct(token, 1)?;
        serde::ser::SerializeStruct::serialize_field(&mut fields, token, "1.50")?;
        serde::ser::SerializeStruct::end(fields)
    }
}

#[test]
fn precise_numbers_pass_as_serde_json_writes_them() {
    same(&[Precise, Precise]);
}

/// Serialised as bytes, which JSON writes as an array of numbers.
struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

#[test]
fn odd_scalars_and_keys_are_written_as_serde_json_writes_them() {
    same(&Bytes(b"\xff\x00"));
    same(&Bytes(b""));
    same(&BTreeMap::from([(Some("some"), 1)]));
    same(&BTreeMap::from([("\u{0}\u{1f}\u{7f}\u{2028}\"\\/\n", "\u{0}\u{1f}\u{7f}\u{2028}\"\\/\n")]));
    same(&vec![(u128::MAX, i128::MIN, f32::MIN_POSITIVE, 1e300_f64, -0.0_f64)]);
    same(&format_args!("{}-{}", "a\"", 1));
    same(&BTreeMap::from([((), 1)]));
    same(&BTreeMap::from([([1], 1)]));
}

#[test]
fn nan_and_infinities_are_refused_with_their_place() {
    refused(&f64::NAN, &expect!["NaN is not a JSON number"]);
    refused(&Some(Newtype(f32::NEG_INFINITY)), &expect!["-infinity is not a JSON number"]);
    let price = BTreeMap::from([("name", 1.0), ("price", f64::NAN)]);
    refused(
        &BTreeMap::from([("items", vec![BTreeMap::new(), BTreeMap::new(), price])]),
        &expect!["/items/2/price: NaN is not a JSON number"],
    );
    refused(&BTreeMap::from([(-3, (1, f32::INFINITY))]), &expect!["/-3/1: infinity is not a JSON number"]);
    refused(
        &BTreeMap::from([("a\"\n/ü~", f64::NAN)]),
        &expect![[r#"
        /a"
        ~1ü~0: NaN is not a JSON number"#]],
    );
    refused(&Variant::Newtype(f64::NAN), &expect!["/Newtype: NaN is not a JSON number"]);
    refused(&Variant::Tuple(1, f64::NAN), &expect!["/Tuple/1: NaN is not a JSON number"]);
    refused(
        &[Variant::Struct { odd: f64::NAN, list: vec![] }],
        &expect![[r#"/0/Struct/a~1b~0"c": NaN is not a JSON number"#]],
    );
    refused(
        &Variant::Struct { odd: 0.0, list: vec![0.0, f64::NAN] },
        &expect!["/Struct/list/1: NaN is not a JSON number"],
    );
    let inner = Inner { name: String::new(), rest: BTreeMap::from([("x".to_owned(), f64::NAN)]) };
    refused(&(Tagged::Inner(inner),), &expect!["/0/x: NaN is not a JSON number"]);
}

struct Failing;

impl Serialize for Failing {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("the store is locked"))
    }
}

impl fmt::Display for Failing {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Err(fmt::Error)
    }
}

struct Shown(Failing);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[test]
fn other_errors_keep_their_text() {
    refused(&[[Failing]], &expect!["/0/0: the store is locked"]);
    refused(&(Shown(Failing),), &expect!["/0: an error occurred when formatting an argument"]);
    refused(&BTreeMap::from([("a", BTreeMap::from([([1], 2)]))]), &expect!["/a: key must be a string"]);
}

#[derive(Serialize)]
enum Nest {
    List(Vec<Nest>),
}

#[test]
fn nesting_is_bounded_at_what_can_be_read_back() -> anyhow::Result<()> {
    let nested = |levels: usize| (0..levels).fold(Value::Null, |inner, _| Value::from(vec![inner]));
    let deepest = to_json(&nested(127))?;
    assert_eq!(serde_json::from_str::<Value>(&deepest)?, nested(127));
    let problem = to_json(&nested(128)).map_err(|error| error.problem);
    assert_eq!(problem, Err("nested deeper than 127 levels".to_owned()));
    let nest = (0..100_000).fold(Nest::List(vec![]), |inner, _| Nest::List(vec![inner]));
    let depth = to_json(&nest).map_err(|error| error.pointer.split('/').count());
    assert_eq!(depth, Err(128));
    // Dropping it would recurse.
    std::mem::forget(nest);
    Ok(())
}

/// So many newtypes, or `Some`s, around nothing; a value of its own would overflow the stack when it is dropped.
enum Wrapped {
    Newtype(u32),
    Some(u32),
}

impl Serialize for Wrapped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Newtype(0) | Self::Some(0) => serializer.serialize_unit(),
            Self::Newtype(count) => serializer.serialize_newtype_struct("Wrapped", &Self::Newtype(count - 1)),
            Self::Some(count) => serializer.serialize_some(&Self::Some(count - 1)),
        }
    }
}

#[test]
fn what_leaves_no_trace_in_the_text_is_bounded_too() {
    let run = || {
        assert_eq!(to_json(&[Wrapped::Newtype(1_000), Wrapped::Some(1_000)]), Ok("[null,null]".to_owned()));
        for wrapped in [Wrapped::Newtype(1_001), Wrapped::Some(200_000)] {
            refused(&[[wrapped]], &expect!["/0/0: wrapped in more than 1000 newtypes"]);
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}
