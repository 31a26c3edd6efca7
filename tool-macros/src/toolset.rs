//! `#[toolset]`: parse, check, expand or fall back.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{ImplItem, ItemImpl, Path};

use crate::ast::ToolFn;
use crate::attr::arg::mentioned;
use crate::attr::entry::{Known, Once, entries, unknown};
use crate::attr::tool::{ToolKeys, crate_path};
use crate::check;
use crate::crate_path;
use crate::diagnostics::Diagnostics;
use crate::expand;
use crate::syntax::signature::Place;
use crate::tool;

const KNOWN: &[Known] = &[Known { key: "crate", form: "crate = ::path::to::tool_runtime" }];

pub(crate) fn expand(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let diagnostics = Diagnostics::new();
    let krate = keys(&diagnostics, attribute);
    let krate = crate_path::resolve(&diagnostics, krate.get());
    let Some(mut block) = block(&diagnostics, item) else {
        let errors = diagnostics.finish();
        return quote!(#errors #item);
    };
    let tools = tools(&diagnostics, &mut block);
    check(&diagnostics, &block, &tools);
    match diagnostics.finish() {
        None => expand::method::expand(&krate, &block, &tools),
        Some(errors) => {
            let in_order: Vec<_> = tools.iter().map(|tool| (tool, check::tool::in_order(tool))).collect();
            let stub = expand::method::stub(&krate, &block, &in_order);
            quote!(#errors #block #stub)
        }
    }
}

fn keys(diagnostics: &Diagnostics, attribute: TokenStream) -> Once<Path> {
    let mut krate = Once::default();
    for entry in entries(diagnostics, attribute) {
        if entry.key == "crate" {
            krate.set(diagnostics, &entry.key, crate_path(diagnostics, &entry));
        } else {
            unknown(diagnostics, "toolset", &entry.key, KNOWN);
        }
    }
    krate
}

fn block(diagnostics: &Diagnostics, item: &TokenStream) -> Option<ItemImpl> {
    match syn::parse2(item.clone()) {
        Ok(syn::Item::Impl(block)) => Some(block),
        Ok(syn::Item::Trait(item)) => {
            diagnostics.error(
                item.trait_token,
                "`#[toolset]` goes on an impl block: a trait has no bodies to run; put it on an impl of the trait",
            );
            None
        }
        Ok(syn::Item::Fn(item)) => {
            diagnostics
                .error(&item.sig.ident, "`#[toolset]` goes on an impl block; a function takes `#[tool]`");
            None
        }
        Ok(other) => {
            diagnostics.error(other, "`#[toolset]` goes on an impl block, and `#[tool]` on its methods");
            None
        }
        Err(error) => {
            diagnostics.push(error);
            None
        }
    }
}

/// The methods with `#[tool]`, each with the attribute emptied: it then does nothing, and the user's import of it counts
/// as used.
fn tools(diagnostics: &Diagnostics, block: &mut ItemImpl) -> Vec<ToolFn> {
    let trait_path = block.trait_.as_ref().map(|(path, _)| path.clone());
    let mut tools = Vec::new();
    for item in &mut block.items {
        match item {
            ImplItem::Fn(method) => {
                conditional(diagnostics, &mut method.attrs);
                let Some(position) = method.attrs.iter().position(|attribute| is_tool(attribute.path())) else {
                    continue;
                };
                let attribute = method.attrs.remove(position);
                if let Some(second) = method.attrs.iter().find(|attribute| is_tool(attribute.path())) {
                    diagnostics.error(second, "`#[tool]` is given twice; keep one");
                }
                method.attrs.retain(|attribute| !is_tool(attribute.path()));
                let tokens = match &attribute.meta {
                    syn::Meta::List(list) => list.tokens.clone(),
                    syn::Meta::Path(_) => TokenStream::new(),
                    syn::Meta::NameValue(meta) => {
                        diagnostics.error(meta, "write `#[tool(key = value)]`");
                        TokenStream::new()
                    }
                };
                let keys = ToolKeys::parse(diagnostics, tokens);
                let ident = &method.sig.ident;
                let path = match &trait_path {
                    Some(path) => quote!(<Self as #path>::#ident),
                    None => quote!(Self::#ident),
                };
                for (key, given) in [("handle", keys.handle.key()), ("crate", keys.krate.key())] {
                    if let Some(given) = given {
                        let hint = if key == "crate" { "; put it on `#[toolset]`" } else { "" };
                        diagnostics.error(given, format!("`{key}` has no place on a method{hint}"));
                    }
                }
                let attributes = method.attrs.clone();
                tools.push(tool::parse(diagnostics, keys, &attributes, &mut method.sig, Place::Toolset, path));
                let (macro_path, read) = (attribute.path(), Ident::new(tool::READ, Span::call_site()));
                method.attrs.insert(position, syn::parse_quote!(#[#macro_path(#read)]));
            }
            ImplItem::Macro(item) => diagnostics.error(
                &item.mac.path,
                "what this macro makes is out of sight here, so its tools would be missing; write the methods out, \
                 or move the macro to an impl block of its own",
            ),
            _ => {}
        }
    }
    tools
}

/// Reports a `tool` within `#[cfg_attr(…)]`, and takes it off.
fn conditional(diagnostics: &Diagnostics, attributes: &mut Vec<syn::Attribute>) {
    attributes.retain(|attribute| {
        let tokens = match &attribute.meta {
            syn::Meta::List(list) if list.path.is_ident("cfg_attr") => list.tokens.clone(),
            _ => return true,
        };
        let Some(ours) = mentioned(tokens, &["tool"]) else { return true };
        diagnostics.error(
            &ours,
            "`tool` within `#[cfg_attr(…)]` cannot be read; write the method twice, each with a `#[cfg(…)]` of its own",
        );
        false
    });
}

fn is_tool(path: &Path) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == "tool")
}

fn check(diagnostics: &Diagnostics, block: &ItemImpl, tools: &[ToolFn]) {
    for tool in tools {
        check::tool::check(diagnostics, tool);
    }
    if tools.is_empty() && diagnostics.is_clean() {
        diagnostics.error(&block.self_ty, "no method of this block is a tool; put `#[tool]` on one");
    }
    if let Some(lifetime) = block.generics.lifetimes().next() {
        diagnostics.error(
            lifetime,
            "the registry keeps the value for as long as it lives, so its type cannot borrow; own the data, or share \
             it by `Arc`",
        );
    }
    let mut seen: HashMap<String, &ToolFn> = HashMap::new();
    for tool in tools {
        match seen.get(&tool.name()) {
            Some(other) if other.cfgs.is_empty() && tool.cfgs.is_empty() => diagnostics.error(
                tool.name_tokens(),
                format!(
                    "two tools of this block are called `{}`: `{}` and `{}`; give one another `name`",
                    tool.name(),
                    other.ident.to_token_stream(),
                    tool.ident.to_token_stream()
                ),
            ),
            _ => {
                seen.insert(tool.name(), tool);
            }
        }
    }
}
