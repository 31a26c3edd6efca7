use expect_test::expect;
use quote::quote;

use super::{check, mistakes};

#[test]
fn it_stands_on_structs_and_enums() {
    mistakes(
        &quote!(
            pub async fn f() {}
        ),
        &expect![[r#"
        `#[tool_type]` stands on a struct or an enum; a function becomes a tool with `#[tool]`
    "#]],
    );
    mistakes(
        &quote!(
            pub type X = u8;
        ),
        &expect![[r#"
        `#[tool_type]` stands on a struct or an enum; put it on the type that the alias names
    "#]],
    );
    mistakes(
        &quote!(impl X {}),
        &expect![[r#"
        `#[tool_type]` stands on a struct or an enum; methods become tools with `#[toolset]`
    "#]],
    );
    mistakes(
        &quote!(union X { a: u8 }),
        &expect![[r#"
        `#[tool_type]` stands on a struct or an enum, not on a union
    "#]],
    );
    mistakes(
        &quote!(struct X { a: }),
        &expect![[r#"
        unexpected end of input, expected one of: `for`, parentheses, `unsafe`, `fn`, `extern`, identifier, `::`, `<`, `dyn`, square brackets, `*`, `&`, `!`, `impl`, `_`, lifetime
    "#]],
    );
}

#[test]
fn keys_are_known_and_given_once() {
    let item = quote!(
        struct X {
            a: u8,
        }
    );
    check(
        &quote!(nmae = "x"),
        &item,
        &expect![[r#"
        unknown key `nmae` in `#[tool_type]`; did you mean `name`?
        expected one of: `name`, `docs`, `crate`
    "#]],
    );
    check(
        &quote!(name = "x", name = "y"),
        &item,
        &expect![[r#"
        `name` is given twice; keep one
    "#]],
    );
    check(
        &quote!(name = "größe"),
        &item,
        &expect![[r#"
        `größe` cannot name a schema; write only a-z, A-Z, 0-9, `_`, `.` and `-`
    "#]],
    );
    check(
        &quote!(crate = facade::sdk),
        &item,
        &expect![[r#"
        `crate` needs an absolute path; write `crate = ::facade::sdk` or `crate = crate::facade::sdk`
    "#]],
    );
    check(
        &quote!(docs(required), description = "x"),
        &item,
        &expect![[r#"
        expected `docs(optional)`
        unknown key `description` in `#[tool_type]`
        expected one of: `name`, `docs`, `crate`
    "#]],
    );
    check(&quote!(name = "Y", docs(optional), crate = ::facade::sdk), &item, &expect![[""]]);
}

#[test]
fn shapes_without_names_are_refused() {
    mistakes(
        &quote!(
            struct X;
        ),
        &expect![[r#"
        `X` without fields reads `null`, which is no object of arguments; write `struct X {}`
    "#]],
    );
    mistakes(
        &quote!(
            struct X();
        ),
        &expect![[r#"
        `X` without fields reads `null`, which is no object of arguments; write `struct X {}`
    "#]],
    );
    mistakes(
        &quote!(
            struct X(u8, u8);
        ),
        &expect![[r#"
        the fields of `X` have no names that a model could read; name them: `struct X { … }`
    "#]],
    );
    mistakes(
        &quote!(
            enum X {}
        ),
        &expect![[r#"
        `X` has no variant, so there is no value that a model could write; add one
    "#]],
    );
    mistakes(
        &quote!(
            enum X {
                #[serde(skip)]
                A,
            }
        ),
        &expect![[r#"
        `X` has no variant, so there is no value that a model could write; add one
    "#]],
    );
    mistakes(
        &quote!(
            enum X {
                A(u8, u8),
                B(),
                C { a: u8 },
                D,
            }
        ),
        &expect![[r#"
        the fields of `A` have no names that a model could read; write `A { … }`
        the fields of `B` have no names that a model could read; write `B`, or `B {}`
    "#]],
    );
}

#[test]
fn borrowed_fields_are_refused() {
    mistakes(
        &quote!(
            struct X<'a> {
                a: &'a str,
                b: Option<&'a [u8]>,
                c: Vec<&'static Path>,
                d: &'a X,
                e: Cow<'static, str>,
            }
        ),
        &expect![[r#"
            `X` borrows, but an argument outlives the text it came in; own the data, as `String` and `Vec` do
            a field cannot borrow, since an argument outlives the text it came in; write `String`
            a field cannot borrow, since an argument outlives the text it came in; write `Vec`
            a field cannot borrow, since an argument outlives the text it came in; write `PathBuf`
            a field cannot borrow, since an argument outlives the text it came in; write the type itself
        "#]],
    );
}

#[test]
fn wire_names_are_good_and_distinct() {
    mistakes(
        &quote! { struct X {
            straße: u8,
            _x: u8,
            #[serde(rename = "a b")] c: u8,
            a: u8,
            #[arg(rename = "a")] z: u8,
            #[arg(rename = "1st")] first: u8,
            #[serde(skip)] _cache: u8,
            r#type: u8,
            #[serde(rename = "type")] kind: u8,
        } },
        &expect![[r#"
            `straße` cannot be an argument's name: Anthropic and Gemini refuse 'ß'; write `#[arg(rename = "…")]` with a-z, A-Z, 0-9, `_`, `.` and `-`
            a model would read `_x` with its underscore; write `#[arg(rename = "x")]`, or remove the field
            `a b` cannot be an argument's name: Anthropic and Gemini refuse ' '; write only a-z, A-Z, 0-9, `_`, `.` and `-`
            `1st` cannot be an argument's name: Gemini refuses one that does not begin with a letter or `_`
            two fields are named `a` on the wire; rename one of them
            two fields are named `type` on the wire; rename one of them
        "#]],
    );
    mistakes(
        &quote!(
            #[serde(rename_all = "camelCase")]
            struct X {
                page_size: u8,
                #[serde(rename = "pageSize")]
                b: u8,
            }
        ),
        &expect![[r#"
            two fields are named `pageSize` on the wire; rename one of them
        "#]],
    );
    mistakes(
        &quote!(
            struct X {
                #[serde(rename(serialize = "b"))]
                a: u8,
                b: u8,
                #[serde(skip_serializing)]
                c: u8,
            }
        ),
        &expect![[r#"
            two fields are named `b` on the wire; rename one of them
        "#]],
    );
    mistakes(
        &quote!(
            enum X {
                #[serde(rename = "a")]
                A,
                #[serde(rename = "a")]
                B,
                Ü(u8),
                Ö,
            }
        ),
        &expect![[r#"
        two variants are named `a` on the wire; rename one of them
        `Ü` cannot be an argument's name: Anthropic and Gemini refuse 'Ü'; write only a-z, A-Z, 0-9, `_`, `.` and `-`, as in `#[serde(rename = "…")]`
    "#]],
    );
}

#[test]
fn tags_and_fields_are_kept_apart() {
    mistakes(
        &quote!(
            #[serde(tag = "type")]
            enum X {
                A {
                    r#type: u8,
                },
                B {
                    #[arg(rename = "type")]
                    b: u8,
                },
            }
        ),
        &expect![[r#"
        `type` is the enum's tag, so no field can be named like it; rename one of them
        `type` is the enum's tag, so no field can be named like it; rename one of them
    "#]],
    );
    mistakes(
        &quote!(
            #[serde(tag = "t", content = "t")]
            enum X {
                A { t: u8 },
            }
        ),
        &expect![[r#"
        `tag` and `content` have the same name; rename one of them
    "#]],
    );
    mistakes(
        &quote!(
            #[serde(tag = "the type")]
            enum X {
                A,
            }
        ),
        &expect![[r#"
        `the type` cannot be an argument's name: Anthropic and Gemini refuse ' '; write only a-z, A-Z, 0-9, `_`, `.` and `-`
    "#]],
    );
    mistakes(
        &quote!(
            #[serde(tag = "t", untagged)]
            enum X {
                A,
            }
        ),
        &expect![[r#"
        `tag` stands on an enum without `untagged`; keep one of the two
    "#]],
    );
    mistakes(
        &quote!(
            #[serde(content = "c")]
            enum X {
                A,
            }
        ),
        &expect![[r#"
        `content` stands on an enum beside `tag = "…"`
    "#]],
    );
    mistakes(
        &quote!(
            #[serde(tag = "t")]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        `tag` stands on an enum; a struct has no variants to tell apart
    "#]],
    );
}
