use expect_test::expect;
use proc_macro2::TokenStream;
use quote::quote;

use crate::tool_type::expand;

#[test]
fn an_item_with_mistakes_is_emitted_with_stubs() {
    let item = quote! {
        #[derive(Debug, Serialize)]
        #[serde(rename_all = "camelCase")]
        struct X<T> where T: Clone { #[arg(minimum = 5, maximum = 3)] #[serde(default)] a: T }
    };
    let expected = expect![[r##"
        #[derive(Debug)]
        struct X<T>
        where
            T: Clone,
        {
            a: T,
        }
        ::core::compile_error! {
            "`#[tool_type]` brings `Serialize` itself; remove this derive"
        }
        ::core::compile_error! {
            "no value fits: `minimum` is 5 and `maximum` is 3; raise this one or lower the other"
        }
        const _: () = {
            use ::tool_runtime::__private as __tool_rt;
            #[automatically_derived]
            impl<T> __tool_rt::serde::Serialize for X<T>
            where
                T: Clone,
            {
                fn serialize<__ToolS: __tool_rt::serde::Serializer>(
                    &self,
                    _: __ToolS,
                ) -> ::core::result::Result<__ToolS::Ok, __ToolS::Error> {
                    ::core::unimplemented!()
                }
            }
            #[automatically_derived]
            impl<'__tool_de, T> __tool_rt::serde::Deserialize<'__tool_de> for X<T>
            where
                T: Clone,
            {
                fn deserialize<__ToolD: __tool_rt::serde::Deserializer<'__tool_de>>(
                    _: __ToolD,
                ) -> ::core::result::Result<Self, __ToolD::Error> {
                    ::core::unimplemented!()
                }
            }
            #[automatically_derived]
            impl<T> __tool_rt::schemars::JsonSchema for X<T>
            where
                T: Clone,
            {
                fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed("X")
                }
                fn json_schema(
                    _: &mut __tool_rt::schemars::SchemaGenerator,
                ) -> __tool_rt::schemars::Schema {
                    ::core::unimplemented!()
                }
            }
        };
    "##]];
    expected.assert_eq(&pretty(expand(TokenStream::new(), item)));
}

#[test]
fn a_struct_expands() {
    let item = quote! {
        /// A place.
        #[derive(Debug)]
        struct Place {
            /// Its name.
            #[arg(min_length = 1, example = "Paris")]
            name: String,
            #[arg(default = 3, maximum = 10)]
            count: u8,
            #[cfg(unix)]
            note: Option<String>,
        }
    };
    let expected = expect![[r#"
        const _: () = {
            use ::tool_runtime::__private::{self as __tool_rt, Unshaped as _};
            const _: __tool_rt::Kind = __tool_rt::Probe::<__tool_rt::Opaque>::KIND;
            const _: () = {
                __tool_rt::kind(__tool_rt::Probe::<String>::KIND);
                __tool_rt::applies(
                    __tool_rt::Probe::<String>::KIND,
                    __tool_rt::Applies::Strings,
                    "`min_length` applies to strings, and `name` is something else; `min_length`, `max_length`, `pattern`, `format` apply to strings",
                );
                __tool_rt::literal(
                    __tool_rt::Probe::<String>::KIND,
                    __tool_rt::Literal::String("Paris"),
                    "this example does not fit the type of `name`: \"Paris\" is not one of its values",
                );
            };
            const _: () = {
                __tool_rt::kind(__tool_rt::Probe::<u8>::KIND);
                __tool_rt::applies(
                    __tool_rt::Probe::<u8>::KIND,
                    __tool_rt::Applies::Numbers,
                    "`maximum` applies to numbers, and `count` is something else; `minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of` apply to numbers",
                );
                __tool_rt::bound(
                    __tool_rt::Probe::<u8>::KIND,
                    __tool_rt::Literal::Integer(10),
                    "`maximum` of `count` is 10, outside of what its type can hold; narrow it, or take a wider type",
                );
                __tool_rt::literal(
                    __tool_rt::Probe::<u8>::KIND,
                    __tool_rt::Literal::Integer(3),
                    "this default does not fit the type of `count`: 3 is not one of its values",
                );
            };
            #[cfg(unix)]
            const _: () = {
                __tool_rt::kind(__tool_rt::Probe::<Option<String>>::KIND);
            };
            #[automatically_derived]
            impl Place {
                #[doc(hidden)]
                fn __tool_default_count() -> u8 {
                    __tool_rt::decoded::<u8>(__tool_rt::Literal::Integer(3))
                }
            }
            #[automatically_derived]
            impl __tool_rt::schemars::JsonSchema for Place {
                fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed("Place")
                }
                fn schema_id() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed(
                        ::core::concat!(::core::module_path!(), "::", "Place"),
                    )
                }
                fn json_schema(
                    __tool_generator: &mut __tool_rt::schemars::SchemaGenerator,
                ) -> __tool_rt::schemars::Schema {
                    let __tool_object = &mut __tool_rt::ObjectSchema::new(__tool_generator);
                    __tool_object
                        .property::<
                            String,
                        >(
                            &__tool_rt::Property::new(
                                    "name",
                                    "Its name.",
                                    __tool_rt::Probe::<String>::OPTIONAL,
                                )
                                .constraints(
                                    &[
                                        __tool_rt::Constraint::Bound(
                                            "minLength",
                                            __tool_rt::Literal::Integer(1),
                                        ),
                                    ],
                                )
                                .examples(
                                    &[
                                        __tool_rt::Example::Literal(
                                            __tool_rt::Literal::String("Paris"),
                                        ),
                                    ],
                                ),
                        );
                    __tool_object
                        .property::<
                            u8,
                        >(
                            &__tool_rt::Property::new("count", "", true)
                                .constraints(
                                    &[
                                        __tool_rt::Constraint::Bound(
                                            "maximum",
                                            __tool_rt::Literal::Integer(10),
                                        ),
                                    ],
                                )
                                .default(
                                    __tool_rt::Example::Literal(__tool_rt::Literal::Integer(3)),
                                ),
                        );
                    #[cfg(unix)]
                    __tool_object
                        .property::<
                            Option<String>,
                        >(
                            &__tool_rt::Property::new(
                                "note",
                                "",
                                __tool_rt::Probe::<Option<String>>::OPTIONAL,
                            ),
                        );
                    __tool_object.finish("A place.")
                }
            }
            #[automatically_derived]
            impl __tool_rt::Shape for Place {
                const KIND: __tool_rt::Kind = __tool_rt::Kind::Object(
                    __tool_rt::Members::of::<Self>(),
                );
                const FIELDS: &'static [__tool_rt::Field] = &[
                    __tool_rt::Field::new(
                            "name",
                            __tool_rt::Probe::<String>::KIND,
                            !__tool_rt::Probe::<String>::OPTIONAL,
                        )
                        .constrained(),
                    __tool_rt::Field::new("count", __tool_rt::Probe::<u8>::KIND, !true)
                        .constrained(),
                    #[cfg(unix)]
                    __tool_rt::Field::new(
                        "note",
                        __tool_rt::Probe::<Option<String>>::KIND,
                        !__tool_rt::Probe::<Option<String>>::OPTIONAL,
                    ),
                ];
            }
        };
        #[derive(
            ::tool_runtime::__private::serde::Serialize,
            ::tool_runtime::__private::serde::Deserialize
        )]
        #[serde(crate = ":: tool_runtime :: __private :: serde")]
        #[serde(deny_unknown_fields)]
        /// A place.
        #[derive(Debug)]
        struct Place {
            /// Its name.
            name: String,
            #[serde(default = "Place :: __tool_default_count")]
            count: u8,
            #[cfg(unix)]
            note: Option<String>,
        }
    "#]];
    expected.assert_eq(&pretty(expand(TokenStream::new(), item)));
}

#[test]
fn an_internally_tagged_enum_expands() {
    let item = quote! {
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Event {
            /// It moved.
            MovedTo { #[serde(flatten)] place: Place },
            Renamed(Name),
            Gone,
        }
    };
    let expected = expect![[r#"
        const _: () = {
            use ::tool_runtime::__private::{self as __tool_rt, Unshaped as _};
            const _: __tool_rt::Kind = __tool_rt::Probe::<__tool_rt::Opaque>::KIND;
            const _: () = {
                __tool_rt::kind(__tool_rt::Probe::<Place>::KIND);
                __tool_rt::embedded(__tool_rt::Probe::<Place>::KIND);
            };
            const _: () = {
                __tool_rt::distinct(
                    __tool_rt::Probe::<Place>::FIELDS,
                    &["type"],
                    "the flattened `Place` has a field named like the enum's tag, `type`; rename one of them",
                );
            };
            const _: () = {
                __tool_rt::kind(__tool_rt::Probe::<Name>::KIND);
            };
            const _: () = {
                __tool_rt::tagged(__tool_rt::Probe::<Name>::KIND);
                __tool_rt::distinct(
                    __tool_rt::Probe::<Name>::FIELDS,
                    &["type"],
                    "`Name` has a field named like the enum's tag, `type`; rename one of them",
                );
            };
            #[automatically_derived]
            impl __tool_rt::schemars::JsonSchema for Event {
                fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed("Event")
                }
                fn schema_id() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed(
                        ::core::concat!(::core::module_path!(), "::", "Event"),
                    )
                }
                fn json_schema(
                    __tool_generator: &mut __tool_rt::schemars::SchemaGenerator,
                ) -> __tool_rt::schemars::Schema {
                    let __tool_union = &mut __tool_rt::UnionSchema::new(
                        __tool_generator,
                        __tool_rt::Tagging::Internal("type"),
                    );
                    __tool_union
                        .object(
                            &__tool_rt::Case::new("moved_to", "It moved."),
                            |__tool_object| {
                                __tool_object.flatten::<Place>();
                            },
                        );
                    __tool_union
                        .newtype::<
                            Name,
                        >(
                            &__tool_rt::Case::new("renamed", ""),
                            &__tool_rt::Property::new(
                                "0",
                                "",
                                __tool_rt::Probe::<Name>::OPTIONAL,
                            ),
                        );
                    __tool_union.unit(&__tool_rt::Case::new("gone", ""));
                    __tool_union.finish("")
                }
            }
            #[automatically_derived]
            impl __tool_rt::Shape for Event {
                const KIND: __tool_rt::Kind = __tool_rt::Kind::Union(
                    __tool_rt::Members::buffered::<Self>(),
                );
                const FIELDS: &'static [__tool_rt::Field] = {
                    const __TOOL_PARTS: &[&[__tool_rt::Field]] = &[
                        __tool_rt::listed(__tool_rt::Probe::<Place>::FIELDS),
                        &[__tool_rt::Field::new("", __tool_rt::Probe::<Place>::KIND, false)],
                        &[
                            __tool_rt::Field::new(
                                "",
                                __tool_rt::Probe::<Name>::KIND,
                                !__tool_rt::Probe::<Name>::OPTIONAL,
                            ),
                        ],
                    ];
                    const __TOOL_FIELDS: &[__tool_rt::Field] = &__tool_rt::joined::<
                        { __tool_rt::count(__TOOL_PARTS) },
                    >(__TOOL_PARTS);
                    __TOOL_FIELDS
                };
            }
        };
        #[derive(
            ::tool_runtime::__private::serde::Serialize,
            ::tool_runtime::__private::serde::Deserialize
        )]
        #[serde(crate = ":: tool_runtime :: __private :: serde")]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Event {
            /// It moved.
            MovedTo { #[serde(flatten)] place: Place },
            Renamed(Name),
            Gone,
        }
    "#]];
    expected.assert_eq(&pretty(expand(TokenStream::new(), item)));
}

fn pretty(tokens: TokenStream) -> String {
    let text = tokens.to_string();
    match syn::parse2(tokens) {
        Ok(file) => prettyplease::unparse(&file),
        Err(error) => format!("{error}: {text}"),
    }
}
