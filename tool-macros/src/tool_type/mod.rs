//! `#[tool_type]`: serde's derives, a schema, and a shape that is checked while compiling.
//!
//! The schema is written by us and not derived by schemars, although types compose through its trait: the derive
//! needs `Into` and `Default` in scope and so a prelude, names `serde` where a default has a function of its own,
//! and forgets the order of fields. Leaves (`u8`, `Vec<T>`, foreign types) are schemars' own.

mod check;
mod constants;
mod expand;
mod model;
mod parse;
mod rename;
mod schema;
mod serde;
mod shape;
#[cfg(test)]
mod tests;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use self::model::{Keys, ToolType};
use crate::crate_path;
use crate::diagnostics::Diagnostics;

/// Expands `#[tool_type]`.
#[expect(clippy::needless_pass_by_value, reason = "the form of all entry points")]
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    let diagnostics = Diagnostics::new();
    let Some(input) = parse(&diagnostics, &item) else {
        let errors = diagnostics.finish();
        return quote!(#item #errors);
    };
    let keys = Keys::parse(&diagnostics, attr);
    let path = crate_path::resolve(&diagnostics, keys.path.get());
    let tool_type = ToolType::parse(&diagnostics, input, &keys);
    check::all(&diagnostics, &tool_type);
    match diagnostics.finish() {
        None => expand::tool_type(&tool_type, &path),
        Some(errors) => expand::fallback(tool_type, &path, &errors),
    }
}

fn parse(diagnostics: &Diagnostics, item: &TokenStream) -> Option<syn::DeriveInput> {
    let is_type = item.clone().into_iter().any(
        |token| matches!(&token, TokenTree::Ident(ident) if ["struct", "enum", "union"].iter().any(|word| ident == word)),
    );
    if is_type {
        return diagnostics.ok(syn::parse2(item.clone()));
    }
    // The first token that is neither an attribute nor a visibility tells what the item is.
    let mut tokens = item.clone().into_iter().skip_while(|token| {
        matches!(token, TokenTree::Punct(_) | TokenTree::Group(_))
            || matches!(token, TokenTree::Ident(ident) if ident == "pub" || ident == "async" || ident == "unsafe")
    });
    let place = tokens.next();
    let instead = match &place {
        Some(TokenTree::Ident(ident)) if ident == "fn" => "; a function becomes a tool with `#[tool]`",
        Some(TokenTree::Ident(ident)) if ident == "impl" => "; methods become tools with `#[toolset]`",
        Some(TokenTree::Ident(ident)) if ident == "type" => "; put it on the type that the alias names",
        _ => "",
    };
    diagnostics.error(place, format!("`#[tool_type]` stands on a struct or an enum{instead}"));
    None
}
