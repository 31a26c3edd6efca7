//! The expansion of `#[toolset]` on an impl block.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{ItemImpl, Type};

use super::spec::imports;
use crate::ast::{Parameter, ToolFn};

/// The block as it was written, and the list of its tools.
pub(crate) fn expand(krate: &TokenStream, block: &ItemImpl, tools: &[ToolFn]) -> TokenStream {
    let specs: Vec<TokenStream> = tools
        .iter()
        .map(|tool| {
            let cfgs = &tool.cfgs;
            let spec = tool.spec();
            quote!(#(#cfgs)* &#spec)
        })
        .collect();
    // Constants outside of the block cannot name its parameters or `Self`.
    let generic = !block.generics.params.is_empty();
    let checks: Vec<TokenStream> = tools
        .iter()
        .filter(|_| !generic)
        .flat_map(|tool| {
            let cfgs = tool.cfgs.clone();
            tool.checks().into_iter().map(move |check| quote!(#(#cfgs)* #check))
        })
        .collect();
    let allowed: Vec<&TokenStream> = tools.iter().flat_map(|tool| &tool.allowed).collect();
    let implementation = implementation(krate, block, &quote!(&[#(#specs),*]), &checks, &allowed);
    quote!(#block #implementation)
}

/// The list without its tools, for the case that one of them has mistakes, and the checks of the parameters that
/// have none, by their tools.
pub(crate) fn stub(
    krate: &TokenStream,
    block: &ItemImpl,
    in_order: &[(&ToolFn, Vec<&Parameter>)],
) -> TokenStream {
    if block.generics.lifetimes().next().is_some() {
        return TokenStream::new();
    }
    let generic = !block.generics.params.is_empty();
    let checks: Vec<TokenStream> = in_order
        .iter()
        .filter(|_| !generic)
        .flat_map(|(tool, parameters)| {
            let cfgs = &tool.cfgs;
            tool.checks_of(parameters).into_iter().map(move |check| quote!(#(#cfgs)* #check))
        })
        .collect();
    let allowed: Vec<&TokenStream> = in_order.iter().flat_map(|(tool, _)| &tool.allowed).collect();
    implementation(krate, block, &quote!(&[]), &checks, &allowed)
}

fn implementation(
    krate: &TokenStream,
    block: &ItemImpl,
    list: &TokenStream,
    checks: &[TokenStream],
    allowed: &[&TokenStream],
) -> TokenStream {
    let imports = imports(krate);
    let ty: &Type = &block.self_ty;
    let (impl_generics, _, where_clause) = block.generics.split_for_impl();
    let cfgs = block.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let span = ty.span().resolved_at(Span::call_site());
    let head = quote_spanned!(span=> __tool_rt::Toolset for #ty);
    quote! {
        #(#cfgs)*
        #(#allowed)*
        const _: () = {
            #imports
            #(#checks)*
            #[automatically_derived]
            impl #impl_generics #head #where_clause {
                const TOOLS: &'static [&'static __tool_rt::ToolSpec] = #list;
            }
        };
    }
}
