//! Field reports about schemas that a provider refused or misread.

use expect_test::{Expect, expect};

use super::super::{Dialect, DialectError, Strictness, dialects};
use super::{landed, projected, told};

fn check(dialect: Dialect, schema: &str, expected: &Expect) {
    projected(dialect, schema);
    expected.assert_eq(&told(dialect, schema));
}

/// An internally tagged enum as the arguments: an object or nothing works.
const TAGGED: &str = r#"{"type":"object","oneOf":[
    {"type":"object","description":"A disc.","properties":{"kind":{"type":"string","const":"circle"},"radius":{"type":"number","minimum":0}},"required":["kind","radius"],"additionalProperties":false},
    {"type":"object","properties":{"kind":{"type":"string","const":"square"},"side":{"type":"number"},"label":{"type":["string","null"]}},"required":["kind","side"],"additionalProperties":false}]}"#;

/// Filters of filters.
const FILTER: &str = r##"{"type":"object","properties":{"filter":{"$ref":"#/$defs/Filter"}},"required":["filter"],"additionalProperties":false,"$defs":{"Filter":{"oneOf":[
    {"type":"object","properties":{"op":{"type":"string","const":"and"},"args":{"type":"array","items":{"$ref":"#/$defs/Filter"}}},"required":["op","args"],"additionalProperties":false},
    {"type":"object","properties":{"op":{"type":"string","const":"eq"},"field":{"type":"string"}},"required":["op","field"],"additionalProperties":false}]}}}"##;

#[test]
fn f068_root_union_becomes_one_object_with_its_tag_as_enum() {
    check(
        Dialect::Anthropic,
        TAGGED,
        &expect![[r#"
        {"type":"object","description":"Takes one of these forms:\n- kind \"circle\" (A disc.): radius\n- kind \"square\": side, label (optional)","properties":{"kind":{"type":"string","enum":["circle","square"]},"radius":{"type":"number","minimum":0},"side":{"type":"number"},"label":{"type":["string","null"]}},"required":["kind"],"additionalProperties":false}
        - (root): `oneOf` became one object; which properties belong together is told in the description
    "#]],
    );
    check(
        Dialect::OpenAiStrict,
        TAGGED,
        &expect![[r#"
        {"type":"object","description":"Takes one of these forms:\n- kind \"circle\" (A disc.): radius\n- kind \"square\": side, label (optional)","properties":{"kind":{"type":"string","enum":["circle","square"]},"radius":{"type":["number","null"],"minimum":0},"side":{"type":["number","null"]},"label":{"type":["string","null"]}},"required":["kind","radius","side","label"],"additionalProperties":false}
        strict
        - (root): `oneOf` became one object; which properties belong together is told in the description
    "#]],
    );
    check(
        Dialect::GeminiParameters,
        TAGGED,
        &expect![[r#"
        {"type":"object","description":"Takes one of these forms:\n- kind \"circle\" (A disc.): radius\n- kind \"square\": side, label (optional)","properties":{"kind":{"type":"string","enum":["circle","square"]},"radius":{"type":"number","minimum":0},"side":{"type":"number"},"label":{"type":"string","nullable":true}},"required":["kind"]}
        - (root): `oneOf` became one object; which properties belong together is told in the description
        - (root): `additionalProperties` was left out
    "#]],
    );
    let strict = projected(Dialect::OpenAiStrict, TAGGED);
    for (sent, restored) in [
        (r#"{"kind":"circle","radius":1,"side":null,"label":null}"#, r#"{"kind":"circle","radius":1}"#),
        (
            r#"{"kind":"square","radius":null,"side":2,"label":null}"#,
            r#"{"kind":"square","side":2,"label":null}"#,
        ),
    ] {
        assert_eq!(strict.reverse().restore(sent), restored);
    }
    // Alternatives of what is required.
    let either = r#"{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"}},"anyOf":[{"required":["id"]},{"required":["name"]}]}"#;
    check(
        Dialect::OpenAi,
        either,
        &expect![[r#"
        {"type":"object","description":"Takes one of these forms:\n- id\n- name","properties":{"id":{"type":"string"},"name":{"type":"string"}}}
        - (root): `anyOf` became one object; which properties belong together is told in the description
    "#]],
    );
}

#[test]
fn f070_gemini_gets_enum_and_any_of_and_no_references() {
    check(
        Dialect::GeminiParameters,
        FILTER,
        &expect![[r#"
            {"type":"object","properties":{"filter":{"anyOf":[{"type":"object","properties":{"op":{"type":"string","enum":["and"]},"args":{"type":"array","items":{"anyOf":[{"type":"object","properties":{"op":{"type":"string","enum":["and"]},"args":{"type":"array","items":{"anyOf":[{"type":"object","properties":{"op":{"type":"string","enum":["and"]},"args":{"type":"array","items":{"type":"object","description":"Nested like the level above."}}},"required":["op","args"]},{"type":"object","properties":{"op":{"type":"string","enum":["eq"]},"field":{"type":"string"}},"required":["op","field"]}]}}},"required":["op","args"]},{"type":"object","properties":{"op":{"type":"string","enum":["eq"]},"field":{"type":"string"}},"required":["op","field"]}]}}},"required":["op","args"]},{"type":"object","properties":{"op":{"type":"string","enum":["eq"]},"field":{"type":"string"}},"required":["op","field"]}]}},"required":["filter"]}
            - (root): `additionalProperties` was left out
            - /$defs/Filter/oneOf/0: `additionalProperties` was left out
            - /$defs/Filter/oneOf/0/properties/args/items: `$ref` leads back into itself and was cut after 3 levels
            - /$defs/Filter/oneOf/0/properties/args/items: `oneOf` became `anyOf`
            - /$defs/Filter/oneOf/1: `additionalProperties` was left out
            - /properties/filter: `oneOf` became `anyOf`
        "#]],
    );
    let documented = r##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"unit":{"description":"The unit.","oneOf":[{"const":"c","description":"Celsius"},{"const":"f","description":"Fahrenheit"}]},"size":{"$ref":"#/definitions/Size"}},"definitions":{"Size":{"type":"integer","format":"uint8","exclusiveMinimum":0}}}"##;
    check(
        Dialect::GeminiParameters,
        documented,
        &expect![[r#"
        {"type":"object","properties":{"unit":{"description":"The unit.","anyOf":[{"type":"string","description":"Celsius","enum":["c"]},{"type":"string","description":"Fahrenheit","enum":["f"]}]},"size":{"type":"integer","description":"(format: \"uint8\")","minimum":1}}}
        - (root): `$schema` was left out
        - /properties/size: `format` moved into the description
        - /properties/unit: `oneOf` became `anyOf`
    "#]],
    );
    check(
        Dialect::GeminiJsonSchema,
        documented,
        &expect![[r##"
        {"type":"object","properties":{"unit":{"description":"The unit.","oneOf":[{"description":"Celsius","enum":["c"]},{"description":"Fahrenheit","enum":["f"]}]},"size":{"$ref":"#/$defs/Size"}},"$defs":{"Size":{"type":"integer","description":"(format: \"uint8\")","minimum":1}}}
        - (root): `$schema` was left out
        - /definitions/Size: `format` moved into the description
    "##]],
    );
}

#[test]
fn f071_nullable_list_is_a_list_with_nullable() {
    let schema = r#"{"type":"object","properties":{"tags":{"type":["array","null"],"items":{"type":"string"}},"one":{"anyOf":[{"type":"integer"},{"type":"null"}]},"none":{"type":"null"}},"additionalProperties":false}"#;
    check(
        Dialect::GeminiParameters,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"tags":{"type":"array","nullable":true,"items":{"type":"string"}},"one":{"type":"integer","nullable":true},"none":{"type":"string","description":"(null only)","nullable":true}}}
        - (root): `additionalProperties` was left out
        - /properties/none: `type` is null alone, told as a text that may be null
    "#]],
    );
    check(
        Dialect::DeepSeekStrict,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"tags":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"one":{"anyOf":[{"type":"integer"},{"type":"null"}]},"none":{"type":"null"}},"required":["tags","one","none"],"additionalProperties":false}
        strict
    "#]],
    );
}

#[test]
fn f073_required_names_only_what_is_declared() {
    let schema = r#"{"type":"object","properties":{"a":{"anyOf":[{"type":"object","properties":{"x":{"type":"string"}},"required":["x","gone"]},{"type":"string"}]}},"required":["a","b"]}"#;
    check(
        Dialect::GeminiParameters,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"a":{"anyOf":[{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]},{"type":"string"}]}},"required":["a"]}
        - (root): `required` names "b", which is not declared, and was left out
        - /properties/a/anyOf/0: `required` names "gone", which is not declared, and was left out
    "#]],
    );
    check(
        Dialect::GeminiJsonSchema,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"a":{"anyOf":[{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]},{"type":"string"}]}},"required":["a"]}
        - (root): `required` names "b", which is not declared, and was left out
        - /properties/a/anyOf/0: `required` names "gone", which is not declared, and was left out
    "#]],
    );
}

#[test]
fn f074_properties_named_like_keywords_are_properties() {
    let schema = r##"{"type":"object","properties":{"properties":{"type":"string"},"type":{"type":"string"},"required":{"type":"boolean"},"items":{"type":"array","items":{"type":"string"}},"$ref":{"type":"string"},"enum":{"type":"array","items":{"type":"string"}},"default":{"type":"object","properties":{"const":{"type":"string"},"$defs":{"type":"string"},"anyOf":{"type":"string"}},"required":["const","$defs","anyOf"],"additionalProperties":false}},"required":["properties","type","required","items","$ref","enum","default"],"additionalProperties":false}"##;
    for dialect in [
        Dialect::OpenAi,
        Dialect::OpenAiStrict,
        Dialect::GeminiJsonSchema,
        Dialect::DeepSeekStrict,
        Dialect::LlamaCpp,
        Dialect::Mcp20251125,
    ] {
        assert_eq!(projected(dialect, schema).schema(), schema, "{}", dialect.name());
    }
    check(
        Dialect::AnthropicStrict,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"properties":{"type":"string"},"type":{"type":"string"},"required":{"type":"boolean"},"items":{"type":"array","items":{"type":"string"}},"_ref_0b13baac8492":{"type":"string"},"enum":{"type":"array","items":{"type":"string"}},"default":{"type":"object","properties":{"const":{"type":"string"},"_defs_9c1a52627d65":{"type":"string"},"anyOf":{"type":"string"}},"required":["const","_defs_9c1a52627d65","anyOf"],"additionalProperties":false}},"required":["properties","type","required","items","_ref_0b13baac8492","enum","default"],"additionalProperties":false}
        strict
        - /properties/$ref: is refused as a property name and goes out as "_ref_0b13baac8492"
        - /properties/default/properties/$defs: is refused as a property name and goes out as "_defs_9c1a52627d65"
    "#]],
    );
}

#[test]
fn f076_recursion_is_kept_cut_or_refused_and_never_endless() {
    for dialect in dialects() {
        let projection = projected(*dialect, FILTER);
        assert!(projection.schema().len() < 20_000);
        let refuses =
            matches!(dialect, Dialect::AnthropicStrict | Dialect::BedrockStrict | Dialect::DeepSeekStrict);
        assert_eq!(matches!(projection.strictness(), Strictness::NotWith(_)), refuses, "{}", dialect.name());
    }
    check(
        Dialect::OpenAiStrict,
        FILTER,
        &expect![[r##"
        {"type":"object","properties":{"filter":{"$ref":"#/$defs/Filter"}},"required":["filter"],"additionalProperties":false,"$defs":{"Filter":{"anyOf":[{"type":"object","properties":{"op":{"type":"string","const":"and"},"args":{"type":"array","items":{"$ref":"#/$defs/Filter"}}},"required":["op","args"],"additionalProperties":false},{"type":"object","properties":{"op":{"type":"string","const":"eq"},"field":{"type":"string"}},"required":["op","field"],"additionalProperties":false}]}}}
        strict
        - /$defs/Filter: `oneOf` became `anyOf`
    "##]],
    );
    // The root itself, two that lead to each other, and a way round without a property between.
    let root = r##"{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}},"additionalProperties":false}"##;
    let mutual = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"additionalProperties":false,"$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/b"}},"additionalProperties":false},"b":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"again":{"$ref":"#/$defs/b"}},"additionalProperties":false}}}"##;
    for dialect in dialects() {
        projected(*dialect, root);
        projected(*dialect, mutual);
        let round = dialect.project(r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}}}"##);
        assert_eq!(round, Err(DialectError::Endless { pointer: "/$defs/a".to_owned() }));
    }
    check(
        Dialect::OpenAiStrict,
        root,
        &expect![[r##"
        {"type":"object","properties":{"kids":{"type":["array","null"],"items":{"$ref":"#"}}},"required":["kids"],"additionalProperties":false}
        strict
    "##]],
    );
    // Definitions that double with each step.
    let doubling: Vec<String> = (0..30)
        .map(|n| format!(r##""d{n}":{{"type":"object","properties":{{"l":{{"$ref":"#/$defs/d{m}"}},"r":{{"$ref":"#/$defs/d{m}"}}}}}}"##, m = n + 1))
        .collect();
    let bomb = format!(
        r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{},"d30":{{"type":"string"}}}}}}"##,
        doubling.join(",")
    );
    for dialect in dialects() {
        match dialect.project(&bomb) {
            Ok(projection) => assert!(landed(*dialect, &projection).check(projection.schema()).is_empty()),
            Err(error) => assert_eq!(error, DialectError::TooLarge { pointer: String::new() }),
        }
    }
    let all_of = bomb
        .replace(r#""properties":{"l":{"#, r#""allOf":[{"#)
        .replace(r#"},"r":{"#, "},{")
        .replace("}}}", "}]}");
    for dialect in dialects() {
        let _ = dialect.project(&all_of);
    }
}

#[test]
fn f079_formats_that_only_rust_knows_do_not_go_out() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer","format":"uint64"},"t":{"type":"string","format":"partial-time"},"f":{"type":"number","format":"float"}},"additionalProperties":false}"#;
    check(
        Dialect::OpenAiStrict,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"n":{"type":["integer","null"],"description":"(format: \"uint64\")"},"t":{"type":["string","null"],"description":"(format: \"partial-time\")"},"f":{"type":["number","null"],"description":"(format: \"float\")"}},"required":["n","t","f"],"additionalProperties":false}
        strict
        - /properties/f: `format` moved into the description
        - /properties/n: `format` moved into the description
        - /properties/t: `format` moved into the description
    "#]],
    );
    check(
        Dialect::GeminiParameters,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"n":{"type":"integer","description":"(format: \"uint64\")"},"t":{"type":"string","description":"(format: \"partial-time\")"},"f":{"type":"number","format":"float"}}}
        - (root): `additionalProperties` was left out
        - /properties/n: `format` moved into the description
        - /properties/t: `format` moved into the description
    "#]],
    );
    check(
        Dialect::LlamaCpp,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"n":{"type":"integer","description":"(format: \"uint64\")"},"t":{"type":"string","description":"(format: \"partial-time\")"},"f":{"type":"number","description":"(format: \"float\")"}},"additionalProperties":false}
        - /properties/f: `format` moved into the description
        - /properties/n: `format` moved into the description
        - /properties/t: `format` moved into the description
    "#]],
    );
}

#[test]
fn f085_default_is_told_and_null_stands_for_it() {
    let schema = r##"{"type":"object","properties":{"n":{"type":"integer","description":"How many.","default":5},"list":{"$ref":"#/$defs/L","default":[]}},"additionalProperties":false,"$defs":{"L":{"type":"array","items":{"type":"string"}}}}"##;
    check(
        Dialect::OpenAiStrict,
        schema,
        &expect![[r##"
        {"type":"object","properties":{"n":{"type":["integer","null"],"description":"How many.\n(default: 5)"},"list":{"description":"(default: [])","anyOf":[{"$ref":"#/$defs/L"},{"type":"null"}]}},"required":["n","list"],"additionalProperties":false,"$defs":{"L":{"type":"array","items":{"type":"string"}}}}
        strict
        - /properties/list: `default` moved into the description
        - /properties/n: `default` moved into the description
    "##]],
    );
    let strict = projected(Dialect::OpenAiStrict, schema);
    assert_eq!(strict.reverse().restore(r#"{"n":null,"list":null}"#), "{}");
    assert_eq!(strict.reverse().restore(r#"{"n":7,"list":["a"]}"#), r#"{"n":7,"list":["a"]}"#);
}

#[test]
fn f086_strict_is_claimed_only_where_it_holds() {
    let map = r#"{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}},"any":{}},"required":["m","any"],"additionalProperties":false}"#;
    for dialect in
        [Dialect::OpenAiStrict, Dialect::AnthropicStrict, Dialect::BedrockStrict, Dialect::DeepSeekStrict]
    {
        let projection = projected(dialect, map);
        assert!(matches!(projection.strictness(), Strictness::NotWith(_)), "{}", dialect.name());
    }
    check(
        Dialect::OpenAiStrict,
        map,
        &expect![[r#"
        {"type":"object","properties":{"m":{"type":"object","properties":{},"additionalProperties":{"type":"string"}},"any":{}},"required":["m","any"],"additionalProperties":false}
        not strict: /properties/any: takes any value; give it a type · /properties/m: is a map, which strict schemas cannot say
    "#]],
    );
    let open = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    check(
        Dialect::AnthropicStrict,
        open,
        &expect![[r#"
        {"type":"object","properties":{"a":{"type":"string"}}}
        not strict: (root): is open; give it `"additionalProperties":false`
    "#]],
    );
    let deep = (0..11).fold(r#"{"type":"string"}"#.to_owned(), |inner, _| {
        format!(r#"{{"type":"object","properties":{{"a":{inner}}},"required":["a"],"additionalProperties":false}}"#)
    });
    let projection = projected(Dialect::OpenAiStrict, &deep);
    assert_eq!(
        projection.strictness(),
        &Strictness::NotWith(vec!["(root): has 11 levels, and 10 are allowed".to_owned()])
    );
}

#[test]
fn f088_null_is_left_out_unless_it_is_a_value() {
    let schema = r#"{"type":"object","properties":{"plain":{"type":"string"},"nullable":{"type":["string","null"]},"inner":{"type":"array","items":{"type":"object","properties":{"x":{"type":"integer"}},"additionalProperties":false}}},"additionalProperties":false}"#;
    let strict = projected(Dialect::OpenAiStrict, schema);
    assert_eq!(
        strict.reverse().restore(r#"{"plain":null,"nullable":null,"inner":[{"x":null},{"x":1}]}"#),
        r#"{"nullable":null,"inner":[{},{"x":1}]}"#
    );
}

#[test]
fn names_of_properties_are_mapped_one_to_one() {
    let schema = r#"{"type":"object","properties":{"filter[id]":{"type":"string"},"filter.id.":{"type":"string"},"$top":{"type":"object","properties":{"@a":{"type":"string"}},"required":["@a"],"additionalProperties":false}},"required":["$top"],"additionalProperties":false}"#;
    check(
        Dialect::AnthropicStrict,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"filter_id__665d001d741b":{"type":"string"},"filter.id.":{"type":"string"},"_top_81bf98e4094e":{"type":"object","properties":{"_a_5e75a6ff1b5e":{"type":"string"}},"required":["_a_5e75a6ff1b5e"],"additionalProperties":false}},"required":["_top_81bf98e4094e"],"additionalProperties":false}
        strict
        - /properties/$top: is refused as a property name and goes out as "_top_81bf98e4094e"
        - /properties/$top/properties/@a: is refused as a property name and goes out as "_a_5e75a6ff1b5e"
        - /properties/filter[id]: is refused as a property name and goes out as "filter_id__665d001d741b"
    "#]],
    );
    let gemini = projected(Dialect::GeminiParameters, schema);
    assert!(!gemini.reverse().is_identity());
}

#[test]
fn the_objects_of_a_strict_union_begin_with_their_tag() {
    let schema = r#"{"type":"object","properties":{"u":{"anyOf":[{"type":"object","properties":{"id":{"type":"integer"},"kind":{"type":"string","const":"a"}},"required":["id","kind"],"additionalProperties":false},{"type":"object","properties":{"id":{"type":"integer"},"kind":{"type":"string","const":"b"}},"required":["id","kind"],"additionalProperties":false}]}},"required":["u"],"additionalProperties":false}"#;
    check(
        Dialect::OpenAiStrict,
        schema,
        &expect![[r#"
        {"type":"object","properties":{"u":{"anyOf":[{"type":"object","properties":{"kind":{"type":"string","const":"a"},"id":{"type":"integer"}},"required":["kind","id"],"additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","const":"b"},"id":{"type":"integer"}},"required":["kind","id"],"additionalProperties":false}]}},"required":["u"],"additionalProperties":false}
        strict
    "#]],
    );
    let alike = schema.replace(r#","const":"a""#, "").replace(r#","const":"b""#, "");
    check(
        Dialect::OpenAiStrict,
        &alike,
        &expect![[r#"
        {"type":"object","properties":{"u":{"anyOf":[{"type":"object","properties":{"id":{"type":"integer"},"kind":{"type":"string"}},"required":["id","kind"],"additionalProperties":false},{"type":"object","properties":{"id":{"type":"integer"},"kind":{"type":"string"}},"required":["id","kind"],"additionalProperties":false}]}},"required":["u"],"additionalProperties":false}
        not strict: /properties/u/anyOf: the objects of the union begin alike; give each a tag
    "#]],
    );
}

#[test]
fn what_is_no_schema_of_an_object_is_refused_with_a_reason() {
    for (schema, reason) in [
        ("{", "the schema is not JSON (line 1, column 2)"),
        ("true", ""),
        (
            r#"{"type":"dict"}"#,
            r#"the schema must be that of an object, and takes no object; give it `"type":"object"`"#,
        ),
        (
            r#"{"type":"array"}"#,
            r#"the schema must be that of an object, and takes array; give it `"type":"object"`"#,
        ),
        (
            r##"{"$ref":"#/$defs/x"}"##,
            r##"/$ref: the reference "#/$defs/x" leads to no schema within this one"##,
        ),
        (
            r#"{"$ref":"http://127.0.0.1/x"}"#,
            r#"/$ref: the reference "http://127.0.0.1/x" leads to no schema within this one"#,
        ),
        (
            r##"{"properties":{"x":{"$ref":"#/properties/y/default"},"y":{"default":{"type":"string"}}}}"##,
            r##"/properties/x/$ref: the reference "#/properties/y/default" leads to no schema within this one"##,
        ),
    ] {
        for dialect in dialects() {
            let error = dialect.project(schema).err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(error, reason, "{}", dialect.name());
        }
    }
    let deep = format!(
        "{}{}",
        r#"{"type":"object","properties":{"a":"#.repeat(80),
        "{}".to_owned() + &"}}".repeat(80)
    );
    assert!(dialects().iter().all(|dialect| dialect.project(&deep).is_err()));
}

#[test]
fn projections_fit_a_stack_of_two_megabytes() {
    let deep = |count: usize| {
        let open = r#"{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},"#.repeat(count);
        format!("{open}{{\"type\":\"string\"}}{}", "]}}}".repeat(count))
    };
    let run = move || {
        for dialect in dialects() {
            let _ = dialect.project(&deep(30));
            let _ = dialect.project(&deep(31));
            let nested = "{\"a\":".repeat(120) + "null" + &"}".repeat(120);
            if let Ok(projection) = dialect.project(FILTER) {
                let _ = projection.reverse().restore(&nested);
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run);
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
}

#[test]
fn a_root_that_lists_no_object_is_refused_by_every_dialect() {
    for schema in [
        r#"{"enum":["object","null"]}"#,
        r#"{"$schema":"http://json-schema.org/draft-06/schema#","enum":["object","null"]}"#,
        r#"{"const":1}"#,
    ] {
        for dialect in Dialect::ALL {
            let refused = dialect.project(schema).map(|projection| projection.schema().to_owned());
            assert!(
                matches!(refused, Err(DialectError::NotAnObject { .. })),
                "{} takes {schema}: {refused:?}",
                dialect.name()
            );
        }
    }
    for dialect in Dialect::ALL {
        let schema = r#"{"type":"object","properties":{"a":{"type":"integer"}},"enum":[{"a":1}]}"#;
        if let Ok(projection) = dialect.project(schema) {
            let faults = landed(dialect, &projection).check(projection.schema());
            assert!(faults.is_empty(), "{}: {faults:#?}", dialect.name());
        }
    }
}

#[test]
fn keywords_of_others_break_no_line() {
    let schema = r#"{"type":"object","properties":{"q":{"type":"string","mi\n}\nLength":"a\u202eb"}}}"#;
    let projection = Dialect::Text.project(schema).expect("an object");
    assert_eq!(Dialect::Text.check(projection.schema()), Vec::<String>::new());
    expect![[r#"
        {
          // (mi\u{a}}\u{a}Length: "a\u{202e}b")
          q?: string;
        }"#]]
    .assert_eq(projection.schema());
}

#[test]
fn the_one_example_of_openapi_goes_as_a_list_of_examples() {
    let schema = r#"{"type":"object","properties":{"n":{"example":0},"m":{"example":1,"examples":[2]}}}"#;
    let text = told(Dialect::LlamaCpp, schema);
    assert!(text.contains(r#""n":{"examples":[0]}"#) && text.contains(r#""m":{"examples":[2]}"#), "{text}");
}

#[test]
fn one_pattern_on_both_sides_of_a_reference_stands_once() {
    let schema = r##"{"type":"object","properties":{"a":{"patternProperties":{"^a":{}},"properties":{"b":true}},
        "c":{"patternProperties":{"^a":{"type":"string"}},"$ref":"#/properties/a"}}}"##;
    // The text form has a checker of its own.
    for dialect in dialects().iter().filter(|dialect| **dialect != Dialect::Text) {
        // A key that stands twice is found by the checker.
        projected(*dialect, schema);
    }
}

#[test]
fn signatures_keep_each_line_of_a_description_in_its_comment() {
    let schema = r##"{"type":"object","properties":{
        "a":{"type":"string","description":"one\rtwo\r\nthree\u2028four\u0085five\u000b"},
        "b":{"$ref":"#/$defs/x%20y"},"c":{"$ref":"#/$defs/x_y"},"d":{"$ref":"#/$defs/Arguments"}},
        "$defs":{"x y":{"type":"object","properties":{"p":{"type":"string"}}},
        "x_y":{"type":"object","properties":{"q":{"type":"string"}}},
        "Arguments":{"type":"object","properties":{"r":{"type":"string"}}}}}"##;
    let projection = Dialect::Text.project(schema).expect("an object");
    expect![[r#"
        {
          // one
          // two
          // three
          // four
          // five
          // 
          a?: string;
          b?: x_y;
          c?: x_y2;
          d?: Arguments_2;
        }
        type Arguments_2 = {
          r?: string;
        };
        type x_y2 = {
          q?: string;
        };
        type x_y = {
          p?: string;
        };"#]]
    .assert_eq(projection.schema());
}
