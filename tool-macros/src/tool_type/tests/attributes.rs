use expect_test::expect;
use quote::quote;

use super::mistakes;

#[test]
fn derives_that_it_brings_are_refused_and_others_stay() {
    mistakes(
        &quote!(
            #[derive(Debug, serde::Serialize, Deserialize, JsonSchema)]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
            `#[tool_type]` brings `Serialize` itself; remove this derive
            `#[tool_type]` brings `Deserialize` itself; remove this derive
            `#[tool_type]` brings `JsonSchema` itself; remove this derive
        "#]],
    );
    mistakes(
        &quote!(
            #[derive(Debug, rkyv::Serialize)]
            struct X {
                a: u8,
            }
        ),
        &expect![[""]],
    );
}

#[test]
fn serde_attributes_that_no_schema_can_tell_are_refused() {
    mistakes(
        &quote! {
            #[serde(crate = "serde", remote = "Y", rename_all = "camlCase")]
            enum X {
                #[serde(alias = "b")] A { #[serde(alias = "x", borrow)] a: u8, #[serde(defualt)] b: u8 },
                #[serde(other)] B,
                #[serde(untagged)] C(u8),
                #[serde(with = "m")] D(u8),
            }
        },
        &expect![[r#"
            `#[serde(crate)]` has no place in `#[tool_type]`: write `#[tool_type(crate = …)]`
            `#[serde(remote)]` has no place in `#[tool_type]`: wrap the foreign type in a struct of your own
            unknown case `camlCase`; did you mean `camelCase`?
            expected one of: `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `SCREAMING-KEBAB-CASE`
            `#[serde(alias)]` has no place in `#[tool_type]`: a second name would not stand in the schema, so no model could know it; use one name, or take the type as it is, with serde's and schemars' derives instead of `#[tool_type]`
            `#[serde(alias)]` has no place in `#[tool_type]`: a second name would not stand in the schema, so no model could know it; use one name, or take the type as it is, with serde's and schemars' derives instead of `#[tool_type]`
            `#[serde(borrow)]` has no place in `#[tool_type]`: borrowed data cannot be an argument; own it, as `String` does
            `#[tool_type]` knows no `#[serde(defualt)]` on a field; did you mean `default`?
            expected one of: `rename`, `default`, `flatten`, `skip`, `skip_serializing`, `skip_deserializing`, `skip_serializing_if`, `with`, `serialize_with`, `deserialize_with`, `bound`
            `#[serde(other)]` has no place in `#[tool_type]`: it takes any tag, so the schema could not list the tags; write each variant down
            `#[serde(untagged)]` has no place in `#[tool_type]`: put it on the enum, or give this variant a tag of its own
            `#[serde(with)]` has no place in `#[tool_type]`: put it on the variant's field
        "#]],
    );
    mistakes(
        &quote!(
            struct X {
                #[cfg_attr(test, serde(skip))]
                a: u8,
                #[cfg_attr(test, arg(secret))]
                b: u8,
            }
        ),
        &expect![[r#"
            `#[cfg_attr(…, serde(…))]` cannot be read by `#[tool_type]`; write the field or the type twice, each with its own `#[cfg(…)]`
            `arg` within `#[cfg_attr(…)]` cannot be read; write what it stands on twice, each with a `#[cfg(…)]` and attributes of its own
        "#]],
    );
    mistakes(
        &quote!(
            #[serde(default, transparent)]
            enum X {
                A,
            }
        ),
        &expect![[r#"
            `default` stands on a struct; an enum has no fields to fill in
            `transparent` stands on a struct with one field
        "#]],
    );
    mistakes(
        &quote!(
            #[serde(deny_unknown_fields)]
            struct X {
                #[serde(flatten)]
                a: Y,
            }
        ),
        &expect![[r#"
            `deny_unknown_fields` stands on a struct without flattened fields; remove it, unknown fields are refused before serde sees them
        "#]],
    );
}

#[test]
fn schemars_attributes_have_ours_in_their_place() {
    mistakes(
        &quote! {
            #[schemars(title = "x")]
            struct X {
                #[schemars(range(min = 1), length(max = 2))] a: u8,
                #[schemars(regex(pattern = "x"))] b: String,
                #[validate(email)] c: String,
                #[schemars(transform = f, with = "String")] d: u8,
                #[schemars] e: u8,
            }
        },
        &expect![[r#"
            `#[schemars(title)]` has no place in `#[tool_type]`, which makes the schema itself; write a doc comment
            `#[schemars(range)]` has no place in `#[tool_type]`, which makes the schema itself; write `#[arg(minimum = …, maximum = …)]`
            `#[schemars(length)]` has no place in `#[tool_type]`, which makes the schema itself; write `#[arg(min_length = …, max_length = …)]`, for a list `#[arg(min_items = …, max_items = …)]`
            `#[schemars(regex)]` has no place in `#[tool_type]`, which makes the schema itself; write `#[arg(pattern = "…")]`
            `#[validate(email)]` has no place in `#[tool_type]`, which makes the schema itself; write `#[arg(format = "email")]`
            `#[schemars(transform)]` has no place in `#[tool_type]`, which makes the schema itself; remove it
            `#[tool_type]` makes the schema itself; remove this attribute
        "#]],
    );
}

#[test]
fn constraints_are_checked_among_themselves() {
    mistakes(
        &quote! { struct X {
            #[arg(minimun = 3)] a: u8,
            #[arg(minimum = 5, maximum = 3)] b: u8,
            #[arg(default = 11, maximum = 10)] c: u8,
            #[arg(example = "abc", max_length = 2)] d: String,
            #[arg(pattern = "(")] e: String,
            #[arg(format = "dat")] f: String,
            #[arg(minimum = 1, min_length = 1)] g: u8,
            #[arg] h: u8,
        } },
        &expect![[r#"
            unknown key `minimun` in `#[arg]`; did you mean `minimum`?
            expected one of: `rename`, `description`, `default`, `example`, `minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of`, `min_length`, `max_length`, `pattern`, `format`, `min_items`, `max_items`, `unique_items`, `secret`, `flatten`
            `#[arg]` needs keys; write `#[arg(minimum = 1)]`, or remove it
            no value fits: `minimum` is 5 and `maximum` is 3; raise this one or lower the other
            this default breaks its own constraint: `maximum` is 10; change one of the two
            this example breaks its own constraint: `max_length` is 2; change one of the two
            invalid regular expression: unclosed group; patterns are those of JSON Schema (ECMA 262)
            unknown format `dat`; did you mean `date`?
            expected one of: `date-time`, `date`, `time`, `uuid`, `ipv4`, `ipv6`, `email`, `uri`, `hostname`
            `min_length` applies to strings, but `minimum` on `g` applies to numbers; keep one of them
        "#]],
    );
    mistakes(
        &quote!(
            enum X {
                #[arg(minimum = 1)]
                A,
            }
        ),
        &expect![[r#"
        `#[arg]` stands on a field; here write `#[serde(…)]` or a doc comment
    "#]],
    );
    mistakes(
        &quote!(
            #[arg(minimum = 1)]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        `#[arg]` stands on a field; here write `#[serde(…)]` or a doc comment
    "#]],
    );
}

#[test]
fn keys_that_contradict_each_other_are_refused() {
    mistakes(
        &quote! { struct X {
            #[arg(rename = "x")] #[serde(rename = "y")] a: u8,
            #[arg(default = 1)] #[serde(default)] b: u8,
            #[arg(flatten)] #[serde(flatten)] c: Y,
            #[arg(flatten, description = "x")] d: Y,
            #[serde(flatten, skip)] e: Y,
        } },
        &expect![[r#"
            `rename` is given twice, here and in `#[serde(rename)]`; keep this one
            `default` is given twice, here and in `#[serde(default)]`; keep this one
            `flatten` is given twice, here and in `#[serde(flatten)]`
            `description` has no place on a flattened struct, which is no argument itself; put it on a field
            `flatten` and `skip` contradict each other; keep one
        "#]],
    );
    mistakes(
        &quote!(
            struct X(
                #[arg(rename = "x", default = 1)]
                #[serde(skip)]
                u8,
            );
        ),
        &expect![[r#"
        `rename` needs a field with a name; write `struct … { name: … }`
        `default` needs a field with a name; write `struct … { name: … }`
        without this field nothing is left on the wire; remove `skip`
    "#]],
    );
    mistakes(
        &quote!(
            enum X {
                A(#[arg(flatten)] Y),
            }
        ),
        &expect![[r#"
        `flatten` needs a field with a name; write `struct … { name: … }`
    "#]],
    );
}
