//! The expansion of `#[tool]` on a free function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Visibility;
use syn::ext::IdentExt;

use super::spec::imports;
use crate::ast::{Item, Parameter, ToolFn};

/// The function as it was written, its handle, and its entry in the collection.
pub(crate) fn expand(krate: &TokenStream, item: &Item, tool: &ToolFn) -> TokenStream {
    let cfgs = &tool.cfgs;
    let imports = imports(krate);
    let checks = tool.checks();
    let spec = tool.spec();
    let (handle, implementation) = handle(&item.visibility, tool, &quote!(&__TOOL));
    let unique = unique(tool);
    let allowed = &tool.allowed;
    quote! {
        #item
        #handle
        #unique
        #(#cfgs)*
        #(#allowed)*
        const _: () = {
            #imports
            #(#checks)*
            static __TOOL: __tool_rt::ToolSpec = #spec;
            #implementation
            __tool_rt::inventory::submit! { __tool_rt::Collected(&__TOOL) }
        };
    }
}

/// What other code may name of the tool, for the case that the tool itself has mistakes, and the checks of the
/// parameters that have none.
pub(crate) fn stub(krate: &TokenStream, item: &Item, tool: &ToolFn, in_order: &[&Parameter]) -> TokenStream {
    let cfgs = &tool.cfgs;
    let imports = imports(krate);
    let (handle, implementation) = if tool.has_primitive_handle() {
        Default::default()
    } else {
        handle(&item.visibility, tool, &quote!(&__tool_rt::ToolSpec::STUB))
    };
    let checks = tool.checks_of(in_order);
    let allowed = &tool.allowed;
    quote! {
        #handle
        #(#cfgs)*
        #(#allowed)*
        const _: () = {
            #imports
            #(#checks)*
            #implementation
        };
    }
}

/// The handle's type and its implementation.
fn handle(visibility: &Visibility, tool: &ToolFn, spec: &TokenStream) -> (TokenStream, TokenStream) {
    let ident = match tool.keys.handle.get() {
        Some(handle) if handle == "off" => return (TokenStream::new(), TokenStream::new()),
        Some(handle) => handle,
        None => &tool.ident,
    };
    let cfgs = &tool.cfgs;
    let span = Span::mixed_site().located_at(ident.span());
    let handle = quote_spanned! {span=>
        #(#cfgs)*
        #[doc(hidden)]
        #[non_exhaustive]
        #[allow(non_camel_case_types, dead_code, unreachable_pub, reason = "a handle is named like its tool")]
        #visibility struct #ident {}
    };
    let implementation = quote! {
        #[automatically_derived]
        impl __tool_rt::ToolHandle for #ident {
            const SPEC: &'static __tool_rt::ToolSpec = #spec;
        }
    };
    (handle, implementation)
}

/// An item that exists once a module, so that rustc refuses two tools of one name there. The handle does that for
/// tools named like their functions.
fn unique(tool: &ToolFn) -> Option<TokenStream> {
    let name = tool.name();
    let by_handle = !tool.keys.handle.is_set() && tool.ident.unraw() == name.as_str();
    if by_handle {
        return None;
    }
    let span = tool.keys.name.get().map_or_else(|| tool.ident.span(), syn::LitStr::span);
    let ident: Ident = format_ident!(
        "another_tool_in_this_module_is_named_{}",
        name.replace('-', "_d_"),
        span = span.resolved_at(Span::call_site())
    );
    let cfgs = &tool.cfgs;
    let span = Span::mixed_site().located_at(span);
    Some(quote_spanned! {span=>
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, reason = "it exists for its name")]
        struct #ident {}
    })
}
