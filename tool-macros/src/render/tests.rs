use expect_test::{Expect, expect};
use quote::quote;

use super::*;
use crate::diagnostics::messages;

fn mistakes(item: &TokenStream, expected: &Expect) {
    expected.assert_eq(&messages(expand(item.clone())));
}

#[test]
fn a_template_names_fields() {
    mistakes(
        &quote!(
            #[render("{a} {bb} {} {:.1} {c}")]
            struct X {
                aa: u8,
                b: u8,
            }
        ),
        &expect![[r#"
            `{a}`: `X` has no field `a`
            expected one of: `aa`, `b`
            `{bb}`: `X` has no field `bb`; did you mean `b`?
            expected one of: `aa`, `b`
            `{}` names no field
            expected one of: `aa`, `b`
            `{:.1}` names no field
            expected one of: `aa`, `b`
            `{c}`: `X` has no field `c`
            expected one of: `aa`, `b`
        "#]],
    );
    mistakes(
        &quote!(
            #[render("{0} {1} {a}")]
            struct X(u8);
        ),
        &expect![[r#"
            `{1}`: `X` has no field `1`
            expected one of: `0`
            `{a}`: `X` has no field `a`
            expected one of: `0`
        "#]],
    );
    mistakes(
        &quote!(
            #[render("{a}")]
            struct X;
        ),
        &expect![[r#"
        `{a}`: `X` has no field `a`
        `X` has no fields
    "#]],
    );
    mistakes(
        &quote!(
            #[render("{self.a} {a.len()} {a+1} {a.} {a.self} {a.0.b} {r#a}")]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
            `{self.a}`: `X` has no field `self`; leave `self` out
            expected one of: `a`
            `{a.len()}`: `len()` is no field's name; a template names fields alone, `{field.nested}`; implement `Render` by hand for more
            `{a+1}`: `X` has no field `a+1`; a template names fields alone, implement `Render` by hand for more
            expected one of: `a`
            `{a.}`: behind the dot stands no field
            `{a.self}`: `self` is no field's name; a template names fields alone, `{field.nested}`; implement `Render` by hand for more
        "#]],
    );
}

#[test]
fn braces_are_closed() {
    mistakes(
        &quote!(
            #[render("total: {a")]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        the brace in `{a` is not closed; write `}` behind the field, or `{{` for a brace in the text
    "#]],
    );
    mistakes(
        &quote!(
            #[render("{a {a}")]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        the brace in `{a {a}` is not closed; write `}` behind the field, or `{{` for a brace in the text
    "#]],
    );
    mistakes(
        &quote!(
            #[render("{a} 5}")]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        `5}` closes no brace; write `}}` for a brace in the text
    "#]],
    );
    mistakes(
        &quote!(
            #[render("{{{a}}} {{}}")]
            struct X {
                a: u8,
            }
        ),
        &expect![[""]],
    );
}

#[test]
fn formats_are_those_of_std() {
    mistakes(
        &quote!(
            #[render("{a:>8} {a:*^+#08.3e} {a:} {a:x}")]
            struct X {
                a: u8,
            }
        ),
        &expect![""],
    );
    mistakes(
        &quote!(
            #[render("{a:?} {a:.x} {a:>w$} {a:.*} {a:8y}")]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        `{a:?}`: a model reads `Display`, not `Debug`; remove `?`, or put `#[derive(Render)]` on the field's type
        `{a:.x}`: `.x` is no format; write one like `.1`, `>8` or `08.2`
        `{a:>w$}`: width and precision are numbers in a template; write one like `{field:>8}`
        `{a:.*}`: width and precision are numbers in a template; write one like `{field:>8}`
        `{a:8y}`: `8y` is no format; write one like `.1`, `>8` or `08.2`
    "#]],
    );
}

#[test]
fn a_template_stands_in_its_place() {
    mistakes(
        &quote!(
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        `X` has no template; write `#[render("…{a}…")]` above it
    "#]],
    );
    mistakes(
        &quote!(
            #[render]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        `#[render]` needs a template; write `#[render("…{field}…")]`
    "#]],
    );
    mistakes(
        &quote!(
            #[render("x")]
            #[render("y")]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        a second template; keep one
    "#]],
    );
    mistakes(
        &quote!(
            #[render(concat!("a", "b"))]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        a template is a string literal, so that its fields can be checked; write `#[render("…{field}…")]`
    "#]],
    );
    mistakes(
        &quote!(
            #[render("{}", self.a)]
            struct X {
                #[render("x")]
                a: u8,
            }
        ),
        &expect![[r#"
        a template names the fields itself: `{field}`, `{field.nested:.1}`; remove these
        `#[render]` stands on the struct or the variant, and names its fields: `#[render("…{field}…")]`
        `{}` names no field
        expected one of: `a`
    "#]],
    );
    mistakes(
        &quote!(
            #[render("x", crat = ::y)]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        unknown key `crat` in `#[render]`; did you mean `crate`?
        expected one of: `crate`
    "#]],
    );
    mistakes(
        &quote!(
            #[render("x", crate = y)]
            struct X {
                a: u8,
            }
        ),
        &expect![[r#"
        `crate` needs an absolute path; write `crate = ::y` or `crate = crate::y`
    "#]],
    );
    mistakes(
        &quote!(
            #[render("x")]
            enum X {
                A,
                #[render("b", crate = ::y)]
                B,
            }
        ),
        &expect![[r#"
        an enum has a template on each variant; move this one there
        `A` has no template; write `#[render("…")]` above it
        `crate` stands once, on the enum
    "#]],
    );
    mistakes(
        &quote!(#[render("x")] union X { a: u8 }),
        &expect![[r#"
        nobody knows which field of a union is there; render a struct or an enum
    "#]],
    );
}

#[test]
fn templates_expand() {
    let item = quote! {
        #[render(crate = ::facade::sdk)]
        enum X<T: Display> {
            #[render("none {{}}")]
            None,
            #[cfg(unix)]
            #[render("{0.city:>8} at {0.now.degrees:.1}, {1}")]
            Some(Place, T),
        }
    };
    let expected = expect![[r#"
        const _: () = {
            use ::facade::sdk::__private as __tool_rt;
            use __tool_rt::{ShownParts as _, ShownRender as _};
            const _: fn() = || {
                __tool_rt::Shown(&::core::option::Option::Some(0_u8)).shown();
                __tool_rt::Shown(&__tool_rt::Opaque).shown();
            };
            #[automatically_derived]
            impl<T: Display> __tool_rt::Render for X<T> {
                fn render_into(
                    &self,
                    __tool_out: &mut ::std::string::String,
                ) -> ::core::fmt::Result {
                    match self {
                        Self::None { .. } => ::core::fmt::Write::write_str(__tool_out, "none {}"),
                        #[cfg(unix)]
                        Self::Some { 0: __tool_0, 1: __tool_1, .. } => {
                            ::core::fmt::Write::write_fmt(
                                __tool_out,
                                ::core::format_args!(
                                    "{:>8} at {:.1}, {}", __tool_rt::Shown(& __tool_0.city)
                                    .shown(), __tool_rt::Shown(& __tool_0.now.degrees).shown(),
                                    __tool_rt::Shown(__tool_1).shown()
                                ),
                            )
                        }
                    }
                }
            }
        };
    "#]];
    let tokens = expand(item);
    expected.assert_eq(
        &syn::parse2(tokens).map_or_else(|error| error.to_string(), |file| prettyplease::unparse(&file)),
    );
}
