//! `#[tool]`: parse, check, expand or fall back.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Signature, Visibility};

use crate::ast::{Item, ToolFn, allowed, cfgs};
use crate::attr::docs::Docs;
use crate::attr::tool::ToolKeys;
use crate::check;
use crate::crate_path;
use crate::diagnostics::Diagnostics;
use crate::expand;
use crate::syntax::signature::{self, Place};

/// The argument of a `#[tool]` that `#[toolset]` has read already.
pub(crate) const READ: &str = "__read_by_toolset";

pub(crate) fn expand(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    if attribute.to_string() == READ {
        return item.clone();
    }
    let diagnostics = Diagnostics::new();
    let keys = ToolKeys::parse(&diagnostics, attribute);
    let Some(mut function) = diagnostics.ok(self::item.parse2(item.clone())) else {
        let errors = diagnostics.finish();
        return quote!(#errors #item);
    };
    let krate = crate_path::resolve(&diagnostics, keys.krate.get());
    let ident = function.signature.ident.clone();
    twice(&diagnostics, &mut function.attributes);
    let tool = parse(
        &diagnostics,
        keys,
        &function.attributes,
        &mut function.signature,
        Place::Free,
        ident.to_token_stream(),
    );
    check::tool::check(&diagnostics, &tool);
    check::tool::free(&diagnostics, &tool);
    match diagnostics.finish() {
        None => expand::free::expand(&krate, &function, &tool),
        // Items beside a method would be a second mistake.
        Some(errors) if function.signature.receiver().is_some() => quote!(#errors #function),
        Some(errors) => {
            let stub = expand::free::stub(&krate, &function, &tool, &check::tool::in_order(&tool));
            quote!(#errors #function #stub)
        }
    }
}

/// Reports a second `#[tool]` of ours, and takes it off.
fn twice(diagnostics: &Diagnostics, attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| {
        let path = attribute.path();
        let ours = path.is_ident("tool")
            || (path.segments.last().is_some_and(|segment| segment.ident == "tool")
                && path.segments.first().is_some_and(|segment| segment.ident == "tool_runtime"));
        if ours {
            diagnostics.error(attribute, "`#[tool]` is given twice; keep one");
        }
        !ours
    });
}

/// A function whose body stays tokens, so that half-written code still expands.
fn item(input: ParseStream<'_>) -> syn::Result<Item> {
    let attributes = input.call(Attribute::parse_outer)?;
    let start = input.fork();
    let visibility: Visibility = input.parse()?;
    for (keyword, hint) in [
        ("impl", "put `#[toolset]` on an impl block, and `#[tool]` on its methods"),
        (
            "trait",
            "a trait has no body to run; put `#[toolset]` on an impl of it, and `#[tool]` on its methods",
        ),
        ("struct", "a struct is no tool; put `#[tool_type]` on it, and `#[tool]` on a function"),
        ("enum", "an enum is no tool; put `#[tool_type]` on it, and `#[tool]` on a function"),
        ("mod", "a module is no tool; put `#[tool]` on each function within"),
    ] {
        if let Ok(found) = input.fork().call(syn::Ident::parse_any)
            && found == keyword
        {
            return Err(syn::Error::new(found.span(), format!("`#[tool]` goes on a function: {hint}")));
        }
    }
    let signature: Signature = input.parse().map_err(|error| {
        let tokens: TokenStream = start.parse().unwrap_or_default();
        if tokens.to_string().contains("fn ") {
            error
        } else {
            syn::Error::new(error.span(), "`#[tool]` goes on a function")
        }
    })?;
    let body: TokenStream = input.parse()?;
    if body.to_string() == ";" {
        return Err(syn::Error::new_spanned(
            &signature.ident,
            "this function has no body to run; put `#[tool]` on the function that does the work",
        ));
    }
    Ok(Item { attributes, visibility, signature, body })
}

/// Reads a function or a method, and takes our helper attributes off its signature.
pub(crate) fn parse(
    diagnostics: &Diagnostics,
    keys: ToolKeys,
    attributes: &[Attribute],
    signature: &mut Signature,
    place: Place,
    path: TokenStream,
) -> ToolFn {
    signature::head(diagnostics, signature);
    let parameters = signature::parameters(diagnostics, signature, place);
    let output = signature::output(diagnostics, signature);
    ToolFn {
        keys,
        docs: Docs::of(attributes),
        cfgs: cfgs(attributes),
        allowed: allowed(attributes),
        ident: signature.ident.clone(),
        is_async: signature.asyncness.is_some(),
        is_generic: signature.generics.type_params().next().is_some()
            || signature.generics.const_params().next().is_some(),
        parameters,
        output,
        path,
    }
}

impl ToolFn {
    /// The name on the wire.
    pub(crate) fn name(&self) -> String {
        self.keys.name.get().map_or_else(|| self.ident.unraw().to_string(), syn::LitStr::value)
    }

    /// Where the name stands.
    pub(crate) fn name_tokens(&self) -> TokenStream {
        self.keys.name.get().map_or_else(|| self.ident.to_token_stream(), ToTokens::to_token_stream)
    }
}
