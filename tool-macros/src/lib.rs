//! The procedural macros of `tool-runtime`. Depend on that crate, which re-exports them with their documentation.

extern crate proc_macro;

mod ast;
mod attr;
mod check;
mod crate_path;
mod diagnostics;
mod expand;
mod render;
mod syntax;
mod tool;
mod tool_type;
mod toolset;

use proc_macro::TokenStream;

/// Makes a function a tool. Documented where `tool-runtime` re-exports it.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(attribute.into(), &item.into()).into()
}

/// Makes a struct or an enum a type that tools take and return. Documented where `tool-runtime` re-exports it.
#[proc_macro_attribute]
pub fn tool_type(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool_type::expand(attribute.into(), item.into()).into()
}

/// Makes a text for a model from a template. Documented where `tool-runtime` re-exports it.
#[proc_macro_derive(Render, attributes(render))]
pub fn render(item: TokenStream) -> TokenStream {
    render::expand(item.into()).into()
}

/// Makes the methods of an impl block tools. Documented where `tool-runtime` re-exports it.
#[proc_macro_attribute]
pub fn toolset(attribute: TokenStream, item: TokenStream) -> TokenStream {
    toolset::expand(attribute.into(), &item.into()).into()
}
