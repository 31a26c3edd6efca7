//! Contract D4: every kind of violation, with its place and what to do.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::super::Schema;

fn check(schema: &str, expect: &Expect) {
    let text = match Schema::parse(schema) {
        Ok(_) => "right".to_owned(),
        Err(error) => error.to_string(),
    };
    expect.assert_eq(&text);
}

fn check_each(schemas: &[&str], expect: &Expect) {
    let lines: Vec<String> = schemas
        .iter()
        .map(|schema| match Schema::parse(schema) {
            Ok(_) => format!("{schema}\n  right\n"),
            Err(error) => format!("{schema}\n  {}\n", error.to_string().replace('\n', "\n  ")),
        })
        .collect();
    expect.assert_eq(&lines.concat());
}

#[test]
fn all_violations_are_reported_together() {
    check(
        r#"{"type":"object","properties":{"a":{"type":"int"},"b":{"type":"string","minimum":1,"enum":[]}},
           "required":["c"],"allOf":[]}"#,
        &expect![[r#"
            /properties/a/type: JSON Schema has no type "int"; write "integer"
            /properties/b/enum: `enum` is empty, so that no value is right; list at least one value
            /properties/b/minimum: `minimum` has an effect on numbers only, and the type is string; leave `minimum` out, or change `type`
            /allOf: `allOf` is no keyword that is enforced; write the keywords of its branches in one schema
            /required/0: `required` names no property with "c"; declare it in `properties`, or leave it out of `required`"#]],
    );
}

#[test]
fn unknown_keywords_are_refused_with_what_to_do() {
    check_each(
        &[
            r#"{"type":"string","minLenght":1}"#,
            r#"{"type":"object","propertys":{}}"#,
            r#"{"type":"array","prefixItems":[]}"#,
            r#"{"type":"object","patternProperties":{"^a":{}}}"#,
            r#"{"type":"object","propertyNames":{"type":"string"}}"#,
            r#"{"not":{}}"#,
            r#"{"type":"string","nullable":true}"#,
            r#"{"definitions":{}}"#,
            r#"{"x-mine":1}"#,
            r#"{"type":"object","properties":{"a":{"$id":"x"}}}"#,
            r#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
        ],
        &expect![[r#"
            {"type":"string","minLenght":1}
              /minLenght: `minLenght` is no keyword that is enforced; did you mean `minLength`?
            {"type":"object","propertys":{}}
              /propertys: `propertys` is no keyword that is enforced; did you mean `properties`?
            {"type":"array","prefixItems":[]}
              /prefixItems: `prefixItems` is no keyword that is enforced; use a struct with named fields instead of a tuple
            {"type":"object","patternProperties":{"^a":{}}}
              /patternProperties: `patternProperties` is no keyword that is enforced; use strings as the keys of the map, and check them in the tool
            {"type":"object","propertyNames":{"type":"string"}}
              /propertyNames: `propertyNames` is no keyword that is enforced; use strings as the keys of the map, and check them in the tool
            {"not":{}}
              /not: `not` is no keyword that is enforced; describe the alternatives with `anyOf`, or check it in the tool
            {"type":"string","nullable":true}
              /nullable: `nullable` is no keyword that is enforced; add "null" to `type`
            {"definitions":{}}
              /definitions: `definitions` is no keyword that is enforced; write `$defs`
            {"x-mine":1}
              /x-mine: `x-mine` is no keyword that is enforced; leave it out
            {"type":"object","properties":{"a":{"$id":"x"}}}
              /properties/a/$id: `$id` is no keyword that is enforced; leave it out; references lead to `#/$defs/…` only
            {"$schema":"http://json-schema.org/draft-07/schema#"}
              /$schema: `$schema` names another dialect than 2020-12; leave `$schema` out
        "#]],
    );
}

#[test]
fn keywords_on_the_wrong_type_are_refused() {
    check_each(
        &[
            r#"{"type":"string","minimum":1}"#,
            r#"{"type":"integer","pattern":"a"}"#,
            r#"{"type":["boolean","null"],"items":{}}"#,
            r#"{"type":"array","properties":{}}"#,
            r#"{"type":["string","integer"],"minimum":1,"maxLength":3}"#,
        ],
        &expect![[r#"
            {"type":"string","minimum":1}
              /minimum: `minimum` has an effect on numbers only, and the type is string; leave `minimum` out, or change `type`
            {"type":"integer","pattern":"a"}
              /pattern: `pattern` has an effect on strings only, and the type is integer; leave `pattern` out, or change `type`
            {"type":["boolean","null"],"items":{}}
              /items: `items` has an effect on arrays only, and the type is boolean or null; leave `items` out, or change `type`
            {"type":"array","properties":{}}
              /properties: `properties` has an effect on objects only, and the type is array; leave `properties` out, or change `type`
            {"type":["string","integer"],"minimum":1,"maxLength":3}
              right
        "#]],
    );
}

#[test]
fn required_must_name_properties() {
    check_each(
        &[
            r#"{"type":"object","properties":{"city":{}},"required":["citty"]}"#,
            r#"{"type":"object","required":["city"]}"#,
            r#"{"type":"object","properties":{"a":{}},"required":["a","a"]}"#,
            r#"{"type":"object","properties":{"a":{"type":"string","required":true}}}"#,
            r#"{"type":"object","properties":{"a":{}},"required":[1]}"#,
        ],
        &expect![[r#"
            {"type":"object","properties":{"city":{}},"required":["citty"]}
              /required/0: `required` names no property with "citty"; did you mean "city"?
            {"type":"object","required":["city"]}
              /required/0: `required` names no property with "city"; declare it in `properties`, or leave it out of `required`
            {"type":"object","properties":{"a":{}},"required":["a","a"]}
              /required: `required` names "a" twice; name it once
            {"type":"object","properties":{"a":{"type":"string","required":true}}}
              /properties/a/required: `required` is a boolean; list the property's name in the `required` of the object around it
            {"type":"object","properties":{"a":{}},"required":[1]}
              /required: `required` is not an array of property names; write an array of property names
        "#]],
    );
}

#[test]
fn enum_and_const_must_agree_with_the_rest() {
    check_each(
        &[
            r#"{"enum":[]}"#,
            r#"{"type":"string","enum":["a",1]}"#,
            r#"{"type":"integer","enum":[1,1.0,1.5]}"#,
            r#"{"type":"integer","const":"a"}"#,
            r#"{"enum":["a","b"],"const":"c"}"#,
            r#"{"type":"integer","maximum":3,"enum":[1,5]}"#,
        ],
        &expect![[r#"
            {"enum":[]}
              /enum: `enum` is empty, so that no value is right; list at least one value
            {"type":"string","enum":["a",1]}
              /enum/1: 1 is an integer, and the type is string; change the value or `type`
            {"type":"integer","enum":[1,1.0,1.5]}
              /enum/2: 1.5 is a number, and the type is integer; change the value or `type`
            {"type":"integer","const":"a"}
              /const: "a" is a string, and the type is integer; change the value or `type`
            {"enum":["a","b"],"const":"c"}
              /const: `const` is "c", which `enum` does not list; list it, or leave `enum` out
            {"type":"integer","maximum":3,"enum":[1,5]}
              /enum/1: 5 is excluded by the bounds beside it; change the value or the bounds
        "#]],
    );
}

#[test]
fn bounds_that_exclude_everything_are_refused() {
    check_each(
        &[
            r#"{"type":"integer","minimum":5,"maximum":3}"#,
            r#"{"type":"number","minimum":1,"exclusiveMaximum":1}"#,
            r#"{"type":"integer","minimum":0.2,"maximum":0.8}"#,
            r#"{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2}"#,
            r#"{"type":"integer","minimum":11,"maximum":19,"multipleOf":10}"#,
            r#"{"type":"integer","minimum":18446744073709551615,"maximum":18446744073709551614}"#,
            r#"{"type":"string","minLength":2,"maxLength":1}"#,
            r#"{"type":"array","items":{},"minItems":2,"maxItems":1}"#,
            r#"{"type":"number","minimum":0.2,"maximum":0.8}"#,
            r#"{"type":"number","minimum":0.1,"maximum":0.4,"multipleOf":0.5}"#,
            r#"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5,"multipleOf":0.5}"#,
            r#"{"type":"number","minimum":-0.4,"maximum":-0.1,"multipleOf":0.5}"#,
            r#"{"minimum":1e-9,"maximum":3e-9,"multipleOf":4e-9}"#,
            r#"{"type":"integer","minimum":1,"maximum":2,"multipleOf":1.5}"#,
            r#"{"type":"integer","minimum":1,"maximum":4,"multipleOf":2.5}"#,
            r#"{"type":"integer","minimum":1,"maximum":5,"multipleOf":2.5}"#,
            r#"{"type":"number","minimum":0.1,"maximum":0.3,"multipleOf":0.1}"#,
            r#"{"type":"number","minimum":0.3,"maximum":0.3,"multipleOf":0.1}"#,
            r#"{"type":"number","minimum":-0.4,"maximum":0.4,"multipleOf":0.5}"#,
            r#"{"type":"number","minimum":1e300,"maximum":2e300,"multipleOf":1e-300}"#,
        ],
        &expect![[r#"
            {"type":"integer","minimum":5,"maximum":3}
              /maximum: `minimum` and `maximum` exclude every integer; widen the bounds
            {"type":"number","minimum":1,"exclusiveMaximum":1}
              /exclusiveMaximum: `minimum` and `exclusiveMaximum` exclude every number; widen the bounds
            {"type":"integer","minimum":0.2,"maximum":0.8}
              /maximum: `minimum` and `maximum` exclude every integer; widen the bounds
            {"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2}
              /exclusiveMaximum: `exclusiveMinimum` and `exclusiveMaximum` exclude every integer; widen the bounds
            {"type":"integer","minimum":11,"maximum":19,"multipleOf":10}
              /maximum: `minimum` and `maximum` exclude every integer that is a multiple of 10; widen the bounds
            {"type":"integer","minimum":18446744073709551615,"maximum":18446744073709551614}
              /maximum: `minimum` and `maximum` exclude every integer; widen the bounds
            {"type":"string","minLength":2,"maxLength":1}
              /maxLength: `minLength` 2 and `maxLength` 1 exclude every string; make `maxLength` at least 2
            {"type":"array","items":{},"minItems":2,"maxItems":1}
              /maxItems: `minItems` 2 and `maxItems` 1 exclude every array; make `maxItems` at least 2
            {"type":"number","minimum":0.2,"maximum":0.8}
              right
            {"type":"number","minimum":0.1,"maximum":0.4,"multipleOf":0.5}
              /maximum: `minimum` and `maximum` exclude every number that is a multiple of 0.5; widen the bounds
            {"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.5,"multipleOf":0.5}
              /exclusiveMaximum: `exclusiveMinimum` and `exclusiveMaximum` exclude every number that is a multiple of 0.5; widen the bounds
            {"type":"number","minimum":-0.4,"maximum":-0.1,"multipleOf":0.5}
              /maximum: `minimum` and `maximum` exclude every number that is a multiple of 0.5; widen the bounds
            {"minimum":1e-9,"maximum":3e-9,"multipleOf":4e-9}
              /maximum: `minimum` and `maximum` exclude every number that is a multiple of 4e-9; widen the bounds
            {"type":"integer","minimum":1,"maximum":2,"multipleOf":1.5}
              /maximum: `minimum` and `maximum` exclude every integer that is a multiple of 1.5; widen the bounds
            {"type":"integer","minimum":1,"maximum":4,"multipleOf":2.5}
              /maximum: `minimum` and `maximum` exclude every integer that is a multiple of 2.5; widen the bounds
            {"type":"integer","minimum":1,"maximum":5,"multipleOf":2.5}
              right
            {"type":"number","minimum":0.1,"maximum":0.3,"multipleOf":0.1}
              right
            {"type":"number","minimum":0.3,"maximum":0.3,"multipleOf":0.1}
              right
            {"type":"number","minimum":-0.4,"maximum":0.4,"multipleOf":0.5}
              right
            {"type":"number","minimum":1e300,"maximum":2e300,"multipleOf":1e-300}
              right
        "#]],
    );
}

#[test]
fn defaults_and_examples_must_be_right() {
    check_each(
        &[
            r#"{"type":"integer","default":"1"}"#,
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/A","default":7}},"$defs":{"A":{"type":"string"}}}"##,
            r#"{"type":"array","items":{"type":"string","examples":["a",1]}}"#,
            r#"{"type":"string","default":null}"#,
            r#"{"$defs":{"A":{"type":"integer","default":"x"}}}"#,
            r#"{"examples":1}"#,
        ],
        &expect![[r##"
            {"type":"integer","default":"1"}
              /default: the schema refuses its own default: expected integer, got string "1"; change `default` or the schema
            {"type":"object","properties":{"a":{"$ref":"#/$defs/A","default":7}},"$defs":{"A":{"type":"string"}}}
              /properties/a/default: the schema refuses its own default: expected string, got integer 7; change `default` or the schema
            {"type":"array","items":{"type":"string","examples":["a",1]}}
              /items/examples/1: the schema refuses its own example: expected string, got integer 1; change `examples` or the schema
            {"type":"string","default":null}
              /default: the schema refuses its own default: expected string, got null; change `default` or the schema
            {"$defs":{"A":{"type":"integer","default":"x"}}}
              /$defs/A/default: the schema refuses its own default: expected integer, got string "x"; change `default` or the schema
            {"examples":1}
              /examples: `examples` is not an array of values; write an array of values
        "##]],
    );
}

#[test]
fn unions_need_branches() {
    check_each(
        &[
            r#"{"oneOf":[{"type":"string"}]}"#,
            r#"{"anyOf":[]}"#,
            r#"{"anyOf":{}}"#,
            r#"{"anyOf":[{"type":"null"}]}"#,
        ],
        &expect![[r#"
            {"oneOf":[{"type":"string"}]}
              /oneOf: `oneOf` has fewer than two branches; write the one branch in its place
            {"anyOf":[]}
              /anyOf: `anyOf` is empty; list the alternatives
            {"anyOf":{}}
              /anyOf: `anyOf` is not an array of schemas; write an array of schemas
            {"anyOf":[{"type":"null"}]}
              right
        "#]],
    );
}

#[test]
fn patterns_and_formats_must_be_ones_that_run() {
    check_each(
        &[
            r#"{"type":"string","pattern":"("}"#,
            r#"{"type":"string","pattern":"(?=a)"}"#,
            r#"{"type":"string","format":"datetime"}"#,
            r#"{"type":"integer","format":"uint32"}"#,
        ],
        &expect![[r#"
            {"type":"string","pattern":"("}
              /pattern: `(` is no pattern: unclosed group; write one without look-around and backreferences, as RE2 or Rust's `regex` take it
            {"type":"string","pattern":"(?=a)"}
              /pattern: `(?=a)` is no pattern: look-around, including look-ahead and look-behind, is not supported; write one without look-around and backreferences, as RE2 or Rust's `regex` take it
            {"type":"string","format":"datetime"}
              /format: the format "datetime" is not enforced; did you mean "date-time"?
            {"type":"integer","format":"uint32"}
              /format: the format "uint32" is not enforced; leave it out, or use a `pattern` or one of date-time, date, time, uuid, ipv4, ipv6, email, uri, hostname
        "#]],
    );
}

#[test]
fn references_must_lead_somewhere_and_end() {
    check_each(
        &[
            r##"{"$ref":"#/$defs/Pont","$defs":{"Point":{}}}"##,
            r#"{"$ref":"https://example.com/a.json"}"#,
            r##"{"properties":{"a":{"$ref":"#/properties/b"},"b":{}}}"##,
            r##"{"$ref":"#"}"##,
            r##"{"$ref":"#/$defs/A","$defs":{"A":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/B"}]},"B":{"$ref":"#/$defs/A"}}}"##,
            r##"{"$ref":"#/$defs/a~1%C3%A9%20b","$defs":{"a/é b":{"type":"string"}}}"##,
            r##"{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}}}"##,
            r#"{"items":{"$defs":{}}}"#,
        ],
        &expect![[r##"
            {"$ref":"#/$defs/Pont","$defs":{"Point":{}}}
              /$ref: `$ref` leads nowhere: there is no "Pont" in `$defs`; did you mean "#/$defs/Point"?
            {"$ref":"https://example.com/a.json"}
              /$ref: `$ref` leads out of the document, to "https://example.com/a.json"; copy the schema into `$defs` and refer to it there
            {"properties":{"a":{"$ref":"#/properties/b"},"b":{}}}
              /properties/a/$ref: `$ref` leads to "#/properties/b", which is no definition; refer to `#` or to `#/$defs/…`
            {"$ref":"#"}
              (root): its `$ref`s lead in a circle that no value can leave; let one of the references stand at a property or an item
            {"$ref":"#/$defs/A","$defs":{"A":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/B"}]},"B":{"$ref":"#/$defs/A"}}}
              /$defs/A: its `$ref`s lead in a circle that no value can leave; let one of the references stand at a property or an item
            {"$ref":"#/$defs/a~1%C3%A9%20b","$defs":{"a/é b":{"type":"string"}}}
              right
            {"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}}}
              right
            {"items":{"$defs":{}}}
              /items/$defs: `$defs` stands below the root; move the definitions to the root's `$defs`
        "##]],
    );
}

#[test]
fn type_names_of_other_languages_are_named_right() {
    let names = ["dict", "float", "int", "str", "bool", "list", "strng", "any", "xyz", "String"];
    let schemas: Vec<String> = names.iter().map(|name| format!("{{\"type\":\"{name}\"}}")).collect();
    check_each(
        &schemas.iter().map(String::as_str).collect::<Vec<_>>(),
        &expect![[r#"
        {"type":"dict"}
          /type: JSON Schema has no type "dict"; write "object"
        {"type":"float"}
          /type: JSON Schema has no type "float"; write "number"
        {"type":"int"}
          /type: JSON Schema has no type "int"; write "integer"
        {"type":"str"}
          /type: JSON Schema has no type "str"; write "string"
        {"type":"bool"}
          /type: JSON Schema has no type "bool"; write "boolean"
        {"type":"list"}
          /type: JSON Schema has no type "list"; write "array"
        {"type":"strng"}
          /type: JSON Schema has no type "strng"; write "string"
        {"type":"any"}
          /type: JSON Schema has no type "any"; leave `type` out for any value
        {"type":"xyz"}
          /type: JSON Schema has no type "xyz"; write one of null, boolean, integer, number, string, array, object
        {"type":"String"}
          /type: JSON Schema has no type "String"; write "string"
    "#]],
    );
    check_each(
        &[r#"{"type":[]}"#, r#"{"type":["string","string"]}"#, r#"{"type":7}"#],
        &expect![[r#"
            {"type":[]}
              /type: `type` is not the name of a type, or an array of them; write the name of a type, or an array of them
            {"type":["string","string"]}
              /type: the type "string" stands twice; write it once
            {"type":7}
              /type: `type` is not the name of a type, or an array of them; write the name of a type, or an array of them
        "#]],
    );
}

#[test]
fn keywords_of_the_wrong_kind_say_what_they_want() {
    check_each(
        &[
            r#"{"minimum":"1"}"#,
            r#"{"minLength":-1}"#,
            r#"{"maxItems":1.5}"#,
            r#"{"multipleOf":0}"#,
            r#"{"uniqueItems":1}"#,
            r#"{"title":1}"#,
            r#"{"properties":[]}"#,
            r#"{"properties":{"a":7}}"#,
            r#"{"items":[{}]}"#,
            r#"{"exclusiveMinimum":true,"minimum":1}"#,
            r"7",
            r#"{"a":"#,
            r#"{"type":"string","type":"string"}"#,
        ],
        &expect![[r#"
            {"minimum":"1"}
              /minimum: `minimum` is not a number; write a number
            {"minLength":-1}
              /minLength: `minLength` is not an integer of at least 0; write an integer of at least 0
            {"maxItems":1.5}
              /maxItems: `maxItems` is not an integer of at least 0; write an integer of at least 0
            {"multipleOf":0}
              /multipleOf: `multipleOf` is not a number above 0; write a number above 0
            {"uniqueItems":1}
              /uniqueItems: `uniqueItems` is not `true` or `false`; write `true` or `false`
            {"title":1}
              /title: `title` is not a string; write a string
            {"properties":[]}
              /properties: `properties` is not an object of schemas; write an object of schemas
            {"properties":{"a":7}}
              /properties/a: a schema is an object or a boolean, not an integer; write an object, `{}` for anything
            {"items":[{}]}
              /items: `items` is an array; write one schema for all items, or an object with a property for each
            {"exclusiveMinimum":true,"minimum":1}
              /exclusiveMinimum: `exclusiveMinimum` is a boolean, as in draft 4; write the number of `minimum` here and leave `minimum` out
            7
              (root): a schema is an object or a boolean, not an integer; write an object, `{}` for anything
            {"a":
              /a: the text ends inside a value (line 1, column 6); write one JSON value
            {"type":"string","type":"string"}
              /type: the name stands twice (line 1, column 18); write one JSON value
        "#]],
    );
}

#[test]
fn budgets_hold_before_anything_is_built() {
    let nested = |levels: usize| r#"{"items":"#.repeat(levels) + "{}" + &"}".repeat(levels);
    let chain = |links: usize| {
        let definitions: Vec<String> = (0..links)
            .map(|link| format!("\"d{link}\":{{\"$ref\":\"#/$defs/d{}\"}}", link + 1))
            .chain([format!("\"d{links}\":{{}}")])
            .collect();
        format!("{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{}}}}}", definitions.join(","))
    };
    let wide = |count: usize| format!("{{\"anyOf\":[{}]}}", vec!["{}"; count].join(","));
    assert!(Schema::parse(&nested(63)).is_ok());
    assert!(Schema::parse(&chain(63)).is_ok());
    assert!(Schema::parse(&wide(9_999)).is_ok());
    for text in [nested(64), nested(5000), chain(64), chain(5000), wide(10_000), " ".repeat(300_000)] {
        let error = Schema::parse(&text).unwrap_err();
        assert_eq!(error.violations().len(), 1, "{error}");
    }
    let mut value = json!({});
    for _ in 0..5000 {
        value = Value::Object([("items".to_owned(), value)].into_iter().collect());
    }
    assert_eq!(
        Schema::from_value(&value).unwrap_err().to_string(),
        "(root): the schema is nested too deeply; move parts to `$defs`"
    );
    std::mem::forget(value);
    let long = json!({"description": "x".repeat(300_000)});
    assert!(Schema::from_value(&long).is_err());
}

#[test]
fn properties_may_be_named_like_keywords() {
    let names =
        ["properties", "type", "$ref", "enum", "required", "items", "default", "x-tool-order", "anyOf"];
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({"type": "integer"}))).collect();
    let schema = json!({"type": "object", "properties": properties, "required": names});
    let schema = Schema::from_value(&schema).unwrap();
    let value: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!(1))).collect();
    let mut value = Value::Object(value);
    assert!(schema.is_valid(&value));
    value["$ref"] = json!("x");
    let lines: Vec<String> = schema.explain(&value).iter().map(ToString::to_string).collect();
    assert_eq!(lines, [r#"/$ref: expected integer, got string "x""#]);
}
