//! Bounded stack and linear cost, whatever is sent.

use serde_json::{Value, json};

use super::super::Schema;

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
}

/// A chain of 64 references and unions at each level of nesting.
fn tower() -> Schema {
    let mut definitions: Vec<String> = (0..60)
        .map(|link| {
            format!(r##""d{link}":{{"anyOf":[{{"type":"string"}},{{"$ref":"#/$defs/d{}"}}]}}"##, link + 1)
        })
        .collect();
    definitions.push(
        r##""d60":{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"required":["a"]}"##.to_owned(),
    );
    Schema::parse(&format!("{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{}}}}}", definitions.join(","))).unwrap()
}

fn nested(depth: usize, leaf: Value) -> Value {
    (0..depth).fold(leaf, |value, _| Value::Object([("a".to_owned(), value)].into_iter().collect()))
}

#[test]
fn deep_values_never_overflow() {
    on_a_small_stack(|| {
        let list = Schema::parse(
            r##"{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"integer"},{"type":"null"}]}}}"##,
        )
        .unwrap();
        for depth in [10, 120] {
            assert!(list.is_valid(&nested(depth, json!(1))), "{depth}");
            assert_eq!(list.explain(&nested(depth, json!("x"))).len(), 1);
        }
        for schema in [list, tower()] {
            for depth in [128, 5_000] {
                let value = nested(depth, json!(true));
                assert!(!schema.is_valid(&value));
                assert!(!schema.explain(&value).is_empty());
                drop_gently(value);
            }
        }
    });
}

/// Dropping a deep value recurses, which would overflow by itself.
fn drop_gently(mut value: Value) {
    while let Some(inner) = value.get_mut("a").map(Value::take) {
        value = inner;
    }
}

#[test]
fn recursive_tagged_unions_cost_no_more_than_the_value() {
    let branches: Vec<String> = ["and", "or", "not", "xor", "nor", "nand"]
        .iter()
        .map(|op| {
            format!(
                r##"{{"type":"object","properties":{{"op":{{"const":"{op}"}},"args":{{"type":"array","items":{{"$ref":"#/$defs/F"}}}}}},"required":["op","args"]}}"##
            )
        })
        .chain([r#"{"type":"object","properties":{"op":{"const":"eq"},"value":{"type":"integer"}},"required":["op","value"]}"#.to_owned()])
        .collect();
    for keyword in ["oneOf", "anyOf"] {
        let text = format!(
            "{{\"$ref\":\"#/$defs/F\",\"$defs\":{{\"F\":{{\"{keyword}\":[{}]}}}}}}",
            branches.join(",")
        );
        let schema = Schema::parse(&text).unwrap();
        let leaf = json!({"op": "eq", "value": "seven"});
        let value =
            (0..60).fold(leaf, |inner, _| json!({"op": "and", "args": [{"op": "eq", "value": 1}, inner]}));
        assert!(!schema.is_valid(&value));
        let lines: Vec<String> = schema.explain(&value).iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [format!("{}/value: expected integer, got string \"seven\"", "/args/1".repeat(60))]
        );
    }
}

#[test]
fn doubling_unions_are_decided_once_a_value() {
    let definitions: Vec<String> = (0..60)
        .map(|link| {
            let next = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, link + 1);
            format!(r#""d{link}":{{"anyOf":[{next},{next}]}}"#)
        })
        .chain([r#""d60":{"type":"object","properties":{"a":{"type":"integer"}}}"#.to_owned()])
        .collect();
    let schema = format!("{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{}}}}}", definitions.join(","));
    let schema = Schema::parse(&schema).unwrap();
    assert!(!schema.is_valid(&json!({"a": "x"})));
    assert!(!schema.is_valid(&json!("scalar")));
    assert_eq!(schema.explain(&json!({"a": "x"})).len(), 1);
    assert_eq!(schema.explain(&json!("scalar")).len(), 1);
    assert!(schema.is_valid(&schema.example()));
}
