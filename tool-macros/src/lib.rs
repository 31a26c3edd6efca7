//! The procedural macros of `tool-runtime`. Depend on that crate, which re-exports them with their documentation.

extern crate proc_macro;

mod ast;
mod attr;
mod check;
mod crate_path;
mod diagnostics;
mod expand;
mod syntax;
mod tool;
mod toolset;

use proc_macro::TokenStream;

/// Makes a function a tool. Documented where `tool-runtime` re-exports it.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), &item.into()).into()
}

/// Makes the methods of an impl block tools. Documented where `tool-runtime` re-exports it.
#[proc_macro_attribute]
pub fn toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    toolset::expand(attribute.into(), &item.into()).into()
}
