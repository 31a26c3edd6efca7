//! Constants that the compiler evaluates at the user's tokens: what depends on other types.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Type};

use super::model::{Body, Content, Field, Tagging, ToolType, Variant};
use super::shape::{list, parts};
use crate::attr::literal::Literal;

/// Nothing for generic types, since a constant cannot name their parameters.
pub(super) fn of_type(tool_type: &ToolType) -> TokenStream {
    if tool_type.is_generic() {
        return TokenStream::new();
    }
    match &tool_type.body {
        Body::Object(fields) => object(fields, &[]),
        Body::Newtype(field) => own(field, &[]),
        Body::Union(tagging, variants) => {
            let mut all: TokenStream = variants.iter().map(|variant| of_variant(tagging, variant)).collect();
            if matches!(tagging, Tagging::Untagged) {
                all.extend(overlaps(variants));
            }
            all
        }
        Body::Broken => TokenStream::new(),
    }
}

fn of_variant(tagging: &Tagging, variant: &Variant) -> TokenStream {
    let cfgs = &variant.cfgs;
    match (&variant.content, tagging) {
        (Content::Newtype(field), Tagging::Internal(tag)) => {
            let ty = field.schema_type();
            let mut all = own(field, cfgs);
            let held = check(&ty, "tagged", &quote!(__tool_rt::Probe::<#ty>::KIND));
            let message = format!(
                "`{}` has a field named like the enum's tag, `{}`; rename one of them",
                text_of(ty),
                tag.value()
            );
            let apart = check(&ty, "distinct", &quote!(__tool_rt::Probe::<#ty>::FIELDS, &[#tag], #message));
            all.extend(constant(cfgs, &field.cfgs, &quote!(#held #apart)));
            all
        }
        (Content::Newtype(field), _) => own(field, cfgs),
        (Content::Object(fields), Tagging::Internal(tag)) => {
            let mut all = object(fields, cfgs);
            for field in fields.iter().filter(|field| field.is_flattened()) {
                let ty = field.schema_type();
                let message = format!(
                    "the flattened `{}` has a field named like the enum's tag, `{}`; rename one of them",
                    text_of(ty),
                    tag.value()
                );
                let apart =
                    check(&ty, "distinct", &quote!(__tool_rt::Probe::<#ty>::FIELDS, &[#tag], #message));
                all.extend(constant(cfgs, &field.cfgs, &apart));
            }
            all
        }
        (Content::Object(fields), _) => object(fields, cfgs),
        (Content::Unit | Content::Broken, _) => TokenStream::new(),
    }
}

fn object(fields: &[Field], cfgs: &[Attribute]) -> TokenStream {
    let mut all: TokenStream = fields.iter().map(|field| own(field, cfgs)).collect();
    let flattened: Vec<_> = fields.iter().filter(|field| field.is_flattened()).collect();
    for (idx, field) in flattened.iter().enumerate() {
        let ty = field.schema_type();
        let theirs = quote!(__tool_rt::Probe::<#ty>::FIELDS);
        for other in fields.iter().filter(|other| !other.is_flattened() && other.is_read()) {
            let name = &other.name.read;
            let message = format!(
                "two fields are named `{name}` on the wire, this one and one of the flattened `{}`; rename one of them",
                text_of(ty)
            );
            let place: &dyn ToTokens = match &other.name.given {
                Some(given) => given,
                None => &other.place,
            };
            let apart = check(&place, "distinct", &quote!(#theirs, &[#name], #message));
            let both: Vec<_> = field.cfgs.iter().chain(&other.cfgs).cloned().collect();
            all.extend(constant(cfgs, &both, &apart));
        }
        for earlier in flattened.iter().take(idx) {
            let other = earlier.schema_type();
            let message = format!(
                "the flattened `{}` and `{}` have a field of the same name; rename one of the two",
                text_of(other),
                text_of(ty)
            );
            let apart =
                check(&ty, "distinct_lists", &quote!(#theirs, __tool_rt::Probe::<#other>::FIELDS, #message));
            let both: Vec<_> = field.cfgs.iter().chain(&earlier.cfgs).cloned().collect();
            all.extend(constant(cfgs, &both, &apart));
        }
    }
    all
}

/// What holds of one field alone.
fn own(field: &Field, cfgs: &[Attribute]) -> TokenStream {
    let by_function = field.serde.reads_by_function || field.serde.writes_by_function;
    let skipped = !field.is_read() && field.serde.skip_writing;
    if skipped || (by_function && !field.serde.schema_of.is_set()) {
        return TokenStream::new();
    }
    let ty = field.schema_type();
    let kind = quote!(__tool_rt::Probe::<#ty>::KIND);
    let mut all = check(&ty, "kind", &kind);
    if field.is_flattened() {
        all.extend(check(&ty, "embedded", &kind));
    } else {
        all.extend(of_arg(field, &kind));
    }
    constant(cfgs, &field.cfgs, &all)
}

/// Checks what `#[arg]` says against the field's type.
fn of_arg(field: &Field, kind: &TokenStream) -> TokenStream {
    let mut all = TokenStream::new();
    let arg = &field.arg;
    let name = &field.name.read;
    for constraint in &arg.constraints {
        for check in constraint.checks(kind, name) {
            all.extend(quote!(#check;));
        }
    }
    let default = arg.default.get().map(|expression| ("default", expression));
    let examples = arg.examples.iter().map(|(_, expression)| ("example", expression));
    for (what, expression) in default.into_iter().chain(examples) {
        let Some(literal) = Literal::of(expression) else { continue };
        let message = format!(
            "this {what} does not fit the type of `{name}`: {} is not one of its values",
            literal.shown()
        );
        let literal = literal.tokens();
        all.extend(check(expression, "literal", &quote!(#kind, #literal, #message)));
    }
    all
}

/// Each two variants of an untagged enum must be told apart by what they hold.
fn overlaps(variants: &[Variant]) -> TokenStream {
    let mut all = TokenStream::new();
    let read: Vec<_> = variants.iter().filter(|variant| !variant.serde.skip_reading).collect();
    for (idx, later) in read.iter().enumerate() {
        for earlier in read.iter().take(idx) {
            let message = format!(
                "an untagged value can fit `{0}` and `{1}` alike, and is then read as `{0}`; give one a required field that \
                 the other lacks, put the narrower one first, or tag the enum: `#[serde(tag = \"type\")]`",
                earlier.ident, later.ident
            );
            let (one, two) = (alternative(earlier), alternative(later));
            let apart = check(&later.ident, "apart", &quote!(&#one, &#two, #message));
            all.extend(constant(&earlier.cfgs, &later.cfgs, &apart));
        }
    }
    all
}

fn alternative(variant: &Variant) -> TokenStream {
    match &variant.content {
        Content::Unit | Content::Broken => {
            quote!(__tool_rt::Alternative::new(__tool_rt::Kind::Null, ::core::option::Option::None))
        }
        Content::Newtype(field) => {
            let ty = field.schema_type();
            quote!(__tool_rt::Alternative::new(__tool_rt::Probe::<#ty>::KIND, __tool_rt::Probe::<#ty>::FIELDS))
        }
        Content::Object(fields) => {
            let fields = list(parts(fields, &[]));
            quote!(__tool_rt::Alternative::object(#fields))
        }
    }
}

fn constant(outer: &[Attribute], inner: &[Attribute], checks: &TokenStream) -> TokenStream {
    if checks.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #(#outer)* #(#inner)*
        const _: () = { #checks };
    }
}

/// A call whose error covers all of `place`.
fn check(place: &dyn ToTokens, function: &str, arguments: &TokenStream) -> TokenStream {
    let mut spans = place.to_token_stream().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    let last = spans.last().unwrap_or(first);
    let function = syn::Ident::new(function, first.resolved_at(Span::call_site()));
    let runtime = syn::Ident::new("__tool_rt", first.resolved_at(Span::call_site()));
    let colons = quote_spanned!(first.resolved_at(Span::call_site())=> ::);
    let mut group = Group::new(proc_macro2::Delimiter::Parenthesis, arguments.clone());
    group.set_span(last.resolved_at(Span::call_site()));
    let group = TokenTree::Group(group);
    quote!(#runtime #colons #function #group;)
}

/// How a type reads in a message.
fn text_of(ty: &Type) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (loose, tight) in
        [(" :: ", "::"), (" < ", "<"), (" > ", ">"), (" >", ">"), (" , ", ", "), (" ,", ","), ("& ", "&")]
    {
        text = text.replace(loose, tight);
    }
    text
}
