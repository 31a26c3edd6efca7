//! From templates to tokens.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Member;

use super::template::Template;
use super::{Body, Shown, Variant};

/// The implementation of `Render`.
pub(super) fn render(shown: &Shown, path: &TokenStream) -> TokenStream {
    let (body, has_fields) = match &shown.body {
        Body::Struct(template) => {
            let body = write(template, &|member| (quote!(&self.#member), quote!(self.#member)));
            (body, !template.fields.is_empty())
        }
        Body::Enum(variants) if variants.is_empty() => (quote!(match *self {}), false),
        Body::Enum(variants) => {
            let arms = variants.iter().map(arm);
            let has_fields = variants.iter().any(|variant| !variant.template.fields.is_empty());
            (quote!(match self { #(#arms)* }), has_fields)
        }
        Body::Broken => (quote!(::core::unimplemented!()), false),
    };
    // Both traits are used whatever the fields are, so that no import is idle.
    let imports = has_fields.then(|| {
        quote! {
            use __tool_rt::{ShownParts as _, ShownRender as _};
            const _: fn() = || {
                __tool_rt::Shown(&::core::option::Option::Some(0_u8)).shown();
                __tool_rt::Shown(&__tool_rt::Opaque).shown();
            };
        }
    });
    implementation(shown, path, &quote!(#imports), &body)
}

/// An implementation that nothing calls.
pub(super) fn fallback(shown: &Shown, path: &TokenStream, errors: &TokenStream) -> TokenStream {
    let stub = implementation(shown, path, &TokenStream::new(), &quote!(::core::unimplemented!()));
    quote!(#errors #stub)
}

fn implementation(
    shown: &Shown,
    path: &TokenStream,
    imports: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let ident = &shown.item.ident;
    let (generics, arguments, bounds) = shown.item.generics.split_for_impl();
    quote! {
        const _: () = {
            use #path::__private as __tool_rt;
            #imports
            #[automatically_derived]
            impl #generics __tool_rt::Render for #ident #arguments #bounds {
                fn render_into(&self, __tool_out: &mut ::std::string::String) -> ::core::fmt::Result {
                    #body
                }
            }
        };
    }
}

fn arm(variant: &Variant) -> TokenStream {
    let Variant { cfgs, ident, template } = variant;
    let mut used: Vec<&Member> = Vec::new();
    for path in &template.fields {
        if !used.contains(&&path.field) {
            used.push(&path.field);
        }
    }
    let bindings = used.iter().map(|member| {
        let local = local(member);
        quote!(#member: #local,)
    });
    let body = write(template, &|member| {
        let local = local(member);
        (quote!(#local), quote!(#local))
    });
    quote!(#(#cfgs)* Self::#ident { #(#bindings)* .. } => #body,)
}

fn local(member: &Member) -> Ident {
    format_ident!("__tool_{}", super::plain(member), span = Span::mixed_site())
}

/// Writes the text. `field` gives a reference to a field and the place of one that has nested ones.
fn write(template: &Template, field: &dyn Fn(&Member) -> (TokenStream, TokenStream)) -> TokenStream {
    if template.fields.is_empty() {
        let text = &template.text;
        return quote!(::core::fmt::Write::write_str(__tool_out, #text));
    }
    let span = template.literal.span();
    let at = span.resolved_at(Span::call_site());
    let arguments = template.fields.iter().map(|path| {
        let (reference, place) = field(&at_literal(&path.field, span));
        let nested = &path.nested;
        if nested.is_empty() {
            quote_spanned!(at=> __tool_rt::Shown(#reference).shown())
        } else {
            quote_spanned!(at=> __tool_rt::Shown(&#place #(.#nested)*).shown())
        }
    });
    let mut format = proc_macro2::Literal::string(&template.format);
    format.set_span(at);
    quote_spanned!(at=> ::core::fmt::Write::write_fmt(__tool_out, ::core::format_args!(#format, #(#arguments),*)))
}

/// The member with the template's place, so that what is wrong with it is shown there.
fn at_literal(member: &Member, span: Span) -> Member {
    let mut member = member.clone();
    match &mut member {
        Member::Named(ident) => ident.set_span(span.resolved_at(ident.span())),
        Member::Unnamed(index) => index.span = span,
    }
    member
}
