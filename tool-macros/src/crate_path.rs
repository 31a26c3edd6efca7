//! The path by which an expansion names the runtime.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use crate::diagnostics::Diagnostics;

/// The path of the runtime: what `crate = …` says, or the name under which the user's package depends on it.
pub(crate) fn resolve(diagnostics: &Diagnostics, given: Option<&syn::Path>) -> TokenStream {
    if let Some(path) = given {
        let first = path.segments.first().map(|segment| segment.ident.to_string());
        let rooted = path.leading_colon.is_some() || matches!(first.as_deref(), Some("crate" | "$crate"));
        if !rooted {
            let text = path.to_token_stream().to_string().replace(' ', "");
            diagnostics.error(
                path,
                format!(
                    "`crate` needs an absolute path; write `crate = ::{text}` or `crate = crate::{text}`"
                ),
            );
        }
        return path.to_token_stream();
    }
    match crate_name("tool-runtime") {
        Ok(FoundCrate::Name(name)) => {
            let ident = Ident::new(&name, Span::call_site());
            quote!(::#ident)
        }
        // The crate itself names itself `::tool_runtime`, too. Without a manifest the usual name is the best guess.
        Ok(FoundCrate::Itself) | Err(_) => quote!(::tool_runtime),
    }
}
