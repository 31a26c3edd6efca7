//! The implementation of `Shape`: what the type is on the wire, as constants.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Attribute;

use super::model::{Body, Content, Field, Tagging, ToolType, Variant};
use super::schema::optional;

/// Nothing for types whose fields are no constants: generic ones, and those that are read as another type. Their
/// schemas are checked when a tool is registered.
pub(super) fn implementation(tool_type: &ToolType) -> Option<TokenStream> {
    if tool_type.is_generic() || tool_type.serde.from.is_set() || tool_type.serde.into.is_set() {
        return None;
    }
    let ident = &tool_type.item.ident;
    let (kind, fields) = match &tool_type.body {
        Body::Object(fields) => {
            (members_kind(&quote!(Object), !fields.iter().any(Field::is_flattened)), list(parts(fields, &[])))
        }
        // Its kind would be made of itself.
        Body::Newtype(field) if mentions(field.ty.to_token_stream(), ident) => {
            (quote!(__tool_rt::Kind::Unknown), quote!(&[]))
        }
        Body::Newtype(field) => {
            let ty = field.schema_type();
            (kind(field), quote!(__tool_rt::listed(__tool_rt::Probe::<#ty>::FIELDS)))
        }
        Body::Union(tagging, variants) => union(tagging, variants),
        Body::Broken => return None,
    };
    Some(quote! {
        #[automatically_derived]
        impl __tool_rt::Shape for #ident {
            const KIND: __tool_rt::Kind = #kind;
            const FIELDS: &'static [__tool_rt::Field] = #fields;
        }
    })
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

fn members_kind(kind: &TokenStream, exact: bool) -> TokenStream {
    let how = if exact { quote!(of) } else { quote!(buffered) };
    quote!(__tool_rt::Kind::#kind(__tool_rt::Members::#how::<Self>()))
}

fn union(tagging: &Tagging, variants: &[Variant]) -> (TokenStream, TokenStream) {
    let read: Vec<_> = variants.iter().filter(|variant| !variant.serde.skip_reading).collect();
    let units = read.iter().all(|variant| matches!(variant.content, Content::Unit));
    if units && matches!(tagging, Tagging::External) {
        let names = read.iter().map(|variant| {
            let Variant { cfgs, name, .. } = variant;
            let name = &name.read;
            quote!(#(#cfgs)* #name)
        });
        return (quote!(__tool_rt::Kind::Choice(&[#(#names),*])), quote!(&[]));
    }
    let flattens = read.iter().any(|variant| variant.content.fields().iter().any(Field::is_flattened));
    // serde keeps what stands before the tag in a buffer, where structs take arrays again.
    let exact = matches!(tagging, Tagging::External) && !flattens;
    let all = read.iter().flat_map(|variant| parts(variant.content.fields(), &variant.cfgs)).collect();
    (members_kind(&quote!(Union), exact), list(all))
}

/// A part of a list of fields.
pub(super) struct Part {
    cfgs: TokenStream,
    tokens: TokenStream,
    /// Whether it is a list itself.
    is_list: bool,
}

/// The fields that are read.
pub(super) fn parts(fields: &[Field], cfgs: &[Attribute]) -> Vec<Part> {
    fields
        .iter()
        .filter(|field| field.is_read())
        .flat_map(|field| {
            let (own, ty) = (&field.cfgs, field.schema_type());
            let cfgs = quote!(#(#cfgs)* #(#own)*);
            let kind = kind(field);
            let part = |tokens, is_list| Part { cfgs: cfgs.clone(), tokens, is_list };
            if field.is_flattened() {
                return vec![
                    part(quote!(__tool_rt::listed(__tool_rt::Probe::<#ty>::FIELDS)), true),
                    part(quote!(__tool_rt::Field::new("", #kind, false)), false),
                ];
            }
            let name =
                if matches!(field.member, syn::Member::Named(_)) { field.name.read.as_str() } else { "" };
            let optional = optional(field);
            let constrained = (!field.arg.constraints.is_empty()).then(|| quote!(.constrained()));
            let secret = field.arg.secret.is_set().then(|| quote!(.secret()));
            vec![part(quote!(__tool_rt::Field::new(#name, #kind, !#optional) #constrained #secret), false)]
        })
        .collect()
}

/// The parts as one constant list.
pub(super) fn list(parts: Vec<Part>) -> TokenStream {
    if parts.iter().any(|part| part.is_list) {
        let parts =
            parts.into_iter().map(
                |Part { cfgs, tokens, is_list }| {
                    if is_list { quote!(#cfgs #tokens) } else { quote!(#cfgs &[#tokens]) }
                },
            );
        return quote! {{
            const __TOOL_PARTS: &[&[__tool_rt::Field]] = &[#(#parts),*];
            const __TOOL_FIELDS: &[__tool_rt::Field] =
                &__tool_rt::joined::<{ __tool_rt::count(__TOOL_PARTS) }>(__TOOL_PARTS);
            __TOOL_FIELDS
        }};
    }
    let fields = parts.into_iter().map(|Part { cfgs, tokens, .. }| quote!(#cfgs #tokens));
    quote!(&[#(#fields),*])
}

/// What a field holds. A constraint of a newtype is no part of any shape, so such a type is not described.
fn kind(field: &Field) -> TokenStream {
    let unnamed = matches!(field.member, syn::Member::Unnamed(_));
    let by_function = field.serde.reads_by_function || field.serde.schema_of.is_set();
    if by_function || (unnamed && !field.arg.constraints.is_empty()) {
        return quote!(__tool_rt::Kind::Unknown);
    }
    let ty = &field.ty;
    quote!(__tool_rt::Probe::<#ty>::KIND)
}
