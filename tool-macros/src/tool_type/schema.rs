//! The implementation of `JsonSchema`: data, and calls into the runtime.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{GenericParam, parse_quote};

use super::expand::{at, expression_as};
use super::model::{Body, Content, Fallback, Field, Tagging, ToolType, Variant};
use crate::attr::arg::Constraint;
use crate::attr::literal::Literal;

pub(super) fn implementation(tool_type: &ToolType) -> TokenStream {
    let ident = &tool_type.item.ident;
    let mut bounded = tool_type.item.generics.clone();
    let parameters: Vec<_> = bounded.type_params().map(|parameter| parameter.ident.clone()).collect();
    if !parameters.is_empty() {
        let bounds = bounded.make_where_clause();
        for parameter in &parameters {
            bounds.predicates.push(parse_quote!(#parameter: __tool_rt::schemars::JsonSchema));
        }
    }
    let (generics, _, bounds) = bounded.split_for_impl();
    let (_, arguments, _) = tool_type.item.generics.split_for_impl();
    let name = name(tool_type, "schema_name", &quote!(), &tool_type.name);
    let id = name_of_module(tool_type);
    let conversion = conversion(tool_type);
    let body = body(tool_type);
    quote! {
        #[automatically_derived]
        impl #generics __tool_rt::schemars::JsonSchema for #ident #arguments #bounds {
            fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                #name
            }
            fn schema_id() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                #id
            }
            fn json_schema(
                __tool_generator: &mut __tool_rt::schemars::SchemaGenerator,
            ) -> __tool_rt::schemars::Schema {
                #conversion
                #body
            }
        }
    }
}

fn name_of_module(tool_type: &ToolType) -> TokenStream {
    let ident = tool_type.item.ident.to_string();
    name(tool_type, "schema_id", &quote!(::core::module_path!(), "::",), &ident)
}

/// A name that tells apart what the type's parameters make of it.
fn name(tool_type: &ToolType, of: &str, prefix: &TokenStream, name: &str) -> TokenStream {
    let of = syn::Ident::new(of, proc_macro2::Span::call_site());
    let parts: Vec<_> = tool_type
        .item
        .generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => {
                let ident = &parameter.ident;
                Some(quote!(<#ident as __tool_rt::schemars::JsonSchema>::#of()))
            }
            GenericParam::Const(parameter) => {
                let ident = &parameter.ident;
                Some(quote!(::std::borrow::Cow::Owned(::std::string::ToString::to_string(&#ident))))
            }
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    let name = if prefix.is_empty() { quote!(#name) } else { quote!(::core::concat!(#prefix #name)) };
    if parts.is_empty() {
        return quote!(::std::borrow::Cow::Borrowed(#name));
    }
    quote!(__tool_rt::name_with(#name, &[#(#parts),*]))
}

/// A type that is read or written as another one has that one's schema.
fn conversion(tool_type: &ToolType) -> Option<TokenStream> {
    let whole = |ty: &syn::Type| quote_spanned!(at(ty)=> <#ty as __tool_rt::schemars::JsonSchema>::json_schema(__tool_generator));
    let from = tool_type.serde.from.get().map(|ty| {
        let schema = whole(ty);
        quote! {
            if __tool_generator.contract().is_deserialize() {
                return #schema;
            }
        }
    });
    let into = tool_type.serde.into.get().map(|ty| {
        let schema = whole(ty);
        quote! {
            if __tool_generator.contract().is_serialize() {
                return #schema;
            }
        }
    });
    (from.is_some() || into.is_some()).then(|| quote!(#from #into))
}

fn body(tool_type: &ToolType) -> TokenStream {
    let docs = tool_type.docs.expression();
    match &tool_type.body {
        Body::Object(fields) => {
            let fields = members(fields);
            quote! {
                let __tool_object = &mut __tool_rt::ObjectSchema::new(__tool_generator);
                #fields
                __tool_object.finish(#docs)
            }
        }
        Body::Newtype(field) => {
            let ty = field.schema_type();
            let property = property(field);
            quote_spanned!(at(ty)=> __tool_rt::newtype::<#ty>(__tool_generator, &#property, #docs))
        }
        Body::Union(tagging, variants) => {
            let tagging = match tagging {
                Tagging::External => quote!(External),
                Tagging::Internal(tag) => quote!(Internal(#tag)),
                Tagging::Adjacent(tag, content) => quote!(Adjacent(#tag, #content)),
                Tagging::Untagged => quote!(Untagged),
            };
            let variants = variants.iter().filter_map(branch);
            quote! {
                let __tool_union =
                    &mut __tool_rt::UnionSchema::new(__tool_generator, __tool_rt::Tagging::#tagging);
                #(#variants)*
                __tool_union.finish(#docs)
            }
        }
        Body::Broken => quote!(::core::default::Default::default()),
    }
}

fn branch(variant: &Variant) -> Option<TokenStream> {
    let Variant { cfgs, docs, name, serde, .. } = variant;
    let (read, docs) = (&name.read, docs.expression());
    let written = (name.write != name.read).then(|| {
        let write = &name.write;
        quote!(.written_as(#write))
    });
    let case = quote!(__tool_rt::Case::new(#read, #docs)#written);
    let case = directed(case, serde.skip_reading, serde.skip_writing)?;
    Some(match &variant.content {
        Content::Unit | Content::Broken => quote!(#(#cfgs)* __tool_union.unit(&#case);),
        Content::Newtype(field) => {
            let ty = field.schema_type();
            let property = property(field);
            quote_spanned!(at(ty)=> #(#cfgs)* __tool_union.newtype::<#ty>(&#case, &#property);)
        }
        Content::Object(fields) => {
            let fields = members(fields);
            quote!(#(#cfgs)* __tool_union.object(&#case, |__tool_object| { #fields });)
        }
    })
}

fn members(fields: &[Field]) -> TokenStream {
    fields.iter().filter_map(member).collect()
}

fn member(field: &Field) -> Option<TokenStream> {
    let cfgs = &field.cfgs;
    let ty = field.schema_type();
    if field.is_flattened() {
        return Some(quote_spanned!(at(ty)=> #(#cfgs)* __tool_object.flatten::<#ty>();));
    }
    let property = directed(property(field), field.serde.skip_reading, field.serde.skip_writing)?;
    Some(quote_spanned!(at(ty)=> #(#cfgs)* __tool_object.property::<#ty>(&#property);))
}

fn directed(builder: TokenStream, skip_reading: bool, skip_writing: bool) -> Option<TokenStream> {
    match (skip_reading, skip_writing) {
        (false, false) => Some(builder),
        (true, false) => Some(quote!(#builder.only_written())),
        (false, true) => Some(quote!(#builder.only_read())),
        (true, true) => None,
    }
}

fn property(field: &Field) -> TokenStream {
    let read = &field.name.read;
    let description = field.description();
    let optional = optional(field);
    let constraints = (!field.arg.constraints.is_empty()).then(|| {
        let constraints = field.arg.constraints.iter().map(Constraint::data);
        quote!(.constraints(&[#(#constraints),*]))
    });
    let write = (field.name.write != field.name.read).then(|| {
        let write = &field.name.write;
        quote!(.written_as(#write))
    });
    let sometimes = field.serde.skip_writing_sometimes.then(|| quote!(.written_sometimes()));
    let secret = field.arg.secret.is_set().then(|| quote!(.secret()));
    let default = default(field);
    let examples = field.arg.examples.iter().map(|(_, example)| match Literal::of(example) {
        Some(literal) => {
            let literal = literal.tokens();
            quote!(__tool_rt::Example::Literal(#literal))
        }
        None => {
            let ty = &field.ty;
            let example = expression_as(example);
            quote!(__tool_rt::Example::Computed(|| {
                let value: #ty = #example;
                __tool_rt::Value(&value).value()
            }))
        }
    });
    let examples = (!field.arg.examples.is_empty()).then(|| quote!(.examples(&[#(#examples),*])));
    quote! {
        __tool_rt::Property::new(#read, #description, #optional)
            #write #constraints #default #examples #sometimes #secret
    }
}

/// Whether reading does without the field.
pub(super) fn optional(field: &Field) -> TokenStream {
    let ty = &field.ty;
    if field.has_default() {
        quote!(true)
    } else if field.serde.reads_by_function {
        quote!(false)
    } else {
        quote!(__tool_rt::Probe::<#ty>::OPTIONAL)
    }
}

fn default(field: &Field) -> Option<TokenStream> {
    let (ty, member) = (&field.ty, &field.member);
    if let Fallback::Literal(literal) = &field.default {
        let literal = literal.tokens();
        return Some(quote!(.default(__tool_rt::Example::Literal(#literal))));
    }
    // What only a function of the user's can write, or nothing writes, is not shown.
    if field.serde.writes_by_function || field.serde.skip_writing {
        return None;
    }
    let value = match &field.default {
        Fallback::Nothing | Fallback::Literal(_) => return None,
        Fallback::Own => quote!(<#ty as ::core::default::Default>::default()),
        Fallback::Container => quote!(<Self as ::core::default::Default>::default().#member),
        Fallback::Function(path) => quote!(#path()),
        Fallback::Expression => {
            let function = field.default_function.as_ref()?;
            quote!(Self::#function())
        }
    };
    Some(quote!(.default(__tool_rt::Example::Computed(|| __tool_rt::Value::<#ty>(&#value).value()))))
}
