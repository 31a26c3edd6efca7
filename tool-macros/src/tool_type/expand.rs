//! From a type without mistakes to tokens.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, Expr, Fields, parse_quote};

use super::model::{Body, Fallback, Field, ToolType};
use super::{check, constants, schema, shape};

/// The item and all that belongs to it.
pub(super) fn tool_type(tool_type: &ToolType, path: &TokenStream) -> TokenStream {
    let (alias, serde) = serde_path(tool_type, path);
    let mut item = tool_type.item.clone();
    let mut attributes: Vec<Attribute> = vec![
        parse_quote!(#[derive(#path::__private::serde::Serialize, #path::__private::serde::Deserialize)]),
        parse_quote!(#[serde(crate = #serde)]),
    ];
    if denies_unknown(tool_type) {
        attributes.push(parse_quote!(#[serde(deny_unknown_fields)]));
    }
    attributes.append(&mut item.attrs);
    item.attrs = attributes;

    let defaults = defaults(tool_type);
    let schema = schema::implementation(tool_type);
    let shape = shape::implementation(tool_type);
    let constants = constants::of_type(tool_type);
    quote! {
        #alias
        // Before the item, so that what is wrong with a field's type is first said in our words.
        const _: () = {
            use #path::__private::{self as __tool_rt, Unshaped as _};
            // Whatever the fields are, the import is used.
            const _: __tool_rt::Kind = __tool_rt::Probe::<__tool_rt::Opaque>::KIND;
            #constants
            #defaults
            #schema
            #shape
        };
        #item
    }
}

/// The item alone, with implementations that nothing calls, so that no second error follows.
pub(super) fn fallback(mut tool_type: ToolType, path: &TokenStream, errors: &TokenStream) -> TokenStream {
    let derives: Vec<_> =
        check::derives(&tool_type).into_iter().filter(|path| check::ours(path).is_none()).collect();
    let item = &mut tool_type.item;
    plain(item);
    item.attrs.retain(|attribute| !attribute.path().is_ident("derive"));
    if !derives.is_empty() {
        item.attrs.push(parse_quote!(#[derive(#(#derives),*)]));
    }
    let ident = &item.ident;
    let name = &tool_type.name;
    let (generics, arguments, bounds) = item.generics.split_for_impl();
    let mut reading = item.generics.clone();
    reading.params.insert(0, parse_quote!('__tool_de));
    let (reading, _, _) = reading.split_for_impl();
    quote! {
        #item
        #errors
        const _: () = {
            use #path::__private as __tool_rt;
            #[automatically_derived]
            impl #generics __tool_rt::serde::Serialize for #ident #arguments #bounds {
                fn serialize<__ToolS: __tool_rt::serde::Serializer>(
                    &self,
                    _: __ToolS,
                ) -> ::core::result::Result<__ToolS::Ok, __ToolS::Error> {
                    ::core::unimplemented!()
                }
            }
            #[automatically_derived]
            impl #reading __tool_rt::serde::Deserialize<'__tool_de> for #ident #arguments #bounds {
                fn deserialize<__ToolD: __tool_rt::serde::Deserializer<'__tool_de>>(
                    _: __ToolD,
                ) -> ::core::result::Result<Self, __ToolD::Error> {
                    ::core::unimplemented!()
                }
            }
            #[automatically_derived]
            impl #generics __tool_rt::schemars::JsonSchema for #ident #arguments #bounds {
                fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed(#name)
                }
                fn json_schema(
                    _: &mut __tool_rt::schemars::SchemaGenerator,
                ) -> __tool_rt::schemars::Schema {
                    ::core::unimplemented!()
                }
            }
        };
    }
}

/// Takes away the attributes that only our derives know.
fn plain(item: &mut DeriveInput) {
    let keep =
        |attributes: &mut Vec<Attribute>| attributes.retain(|attribute| !attribute.path().is_ident("serde"));
    let fields = |fields: &mut Fields| fields.iter_mut().for_each(|field| keep(&mut field.attrs));
    keep(&mut item.attrs);
    match &mut item.data {
        syn::Data::Struct(data) => fields(&mut data.fields),
        syn::Data::Enum(data) => {
            for variant in &mut data.variants {
                keep(&mut variant.attrs);
                fields(&mut variant.fields);
            }
        }
        syn::Data::Union(data) => data.fields.named.iter_mut().for_each(|field| keep(&mut field.attrs)),
    }
}

/// serde's path as the text that its attribute wants, and the alias that it needs where a path is no text.
fn serde_path(tool_type: &ToolType, path: &TokenStream) -> (Option<TokenStream>, String) {
    if path.to_string().starts_with('$') {
        let alias = format_ident!("__tool_serde_of_{}", tool_type.item.ident);
        let import = quote! {
            #[doc(hidden)]
            use #path::__private::serde as #alias;
        };
        return (Some(import), alias.to_string());
    }
    (None, quote!(#path::__private::serde).to_string())
}

/// serde refuses unknown fields itself where it can: not beside flattened fields.
fn denies_unknown(tool_type: &ToolType) -> bool {
    let flattens = tool_type.objects().into_iter().flatten().any(Field::is_flattened);
    !flattens
        && !tool_type.serde.deny_unknown_fields.is_set()
        && matches!(tool_type.body, Body::Object(_) | Body::Union(..))
}

/// The functions that make the defaults of `#[arg(default = …)]`.
fn defaults(tool_type: &ToolType) -> TokenStream {
    let ident = &tool_type.item.ident;
    let (generics, arguments, bounds) = tool_type.item.generics.split_for_impl();
    let functions = tool_type.objects().into_iter().flatten().filter_map(|field| {
        let function = field.default_function.as_ref()?;
        let Field { cfgs, ty, arg, .. } = field;
        let expression = arg.default.get()?;
        let body = match &field.default {
            Fallback::Literal(literal) if !tool_type.is_generic() && !field.serde.reads_by_function => {
                let literal = literal.tokens();
                quote!(__tool_rt::decoded::<#ty>(#literal))
            }
            _ => expression_as(expression),
        };
        Some(quote! {
            #(#cfgs)*
            #[doc(hidden)]
            fn #function() -> #ty {
                #body
            }
        })
    });
    let functions: Vec<_> = functions.collect();
    if functions.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[automatically_derived]
        impl #generics #ident #arguments #bounds {
            #(#functions)*
        }
    }
}

/// An expression as a value of the expected type: a constant is converted, so that a `&str` can be a `String`.
pub(super) fn expression_as(expression: &Expr) -> TokenStream {
    let is_none =
        |path: &syn::ExprPath| path.path.segments.last().is_some_and(|segment| segment.ident == "None");
    match expression {
        Expr::Path(path) if !is_none(path) => {
            quote_spanned!(at(path)=> ::core::convert::Into::into(#path))
        }
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
            quote_spanned!(at(text)=> ::core::convert::Into::into(#text))
        }
        other => other.to_token_stream(),
    }
}

/// Where the tokens stand, with our names resolved as at the call site.
pub(super) fn at(tokens: &impl Spanned) -> Span {
    tokens.span().resolved_at(Span::call_site())
}
