//! Doc comments as descriptions.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The documentation of an item: literal lines, or expressions such as `include_str!(…)`.
#[derive(Default)]
pub(crate) struct Docs {
    pieces: Vec<Piece>,
}

enum Piece {
    Line(String),
    Expression(Expr),
}

impl Docs {
    /// What the `#[doc]` attributes among these say; the others are left alone.
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let mut docs = Self::default();
        for attribute in attributes {
            let Meta::NameValue(meta) = &attribute.meta else { continue };
            if !meta.path.is_ident("doc") {
                continue;
            }
            match &meta.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    docs.pieces.push(Piece::Line(block(text.value())));
                }
                expression => docs.pieces.push(Piece::Expression(expression.clone())),
            }
        }
        docs
    }

    /// Whether there is nothing but blanks.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, Piece::Line(line) if line.trim().is_empty()))
    }

    /// The text, where no expression is part of it.
    pub(crate) fn literal(&self) -> Option<String> {
        let mut lines = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Line(line) => lines.extend(line.split('\n').map(str::to_owned)),
                Piece::Expression(_) => return None,
            }
        }
        Some(unindented(&lines))
    }

    /// The text as a constant expression.
    pub(crate) fn expression(&self) -> TokenStream {
        if let Some(text) = self.literal() {
            return quote!(#text);
        }
        let mut parts = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Line(line) => lines.extend(line.split('\n').map(str::to_owned)),
                Piece::Expression(expression) => {
                    if !lines.is_empty() {
                        let text = unindented(&std::mem::take(&mut lines));
                        parts.push(quote!(#text, "\n"));
                    }
                    parts.push(quote!(#expression, "\n"));
                }
            }
        }
        if !lines.is_empty() {
            let text = unindented(&lines);
            parts.push(quote!(#text));
        }
        quote!(::core::concat!(#(#parts),*))
    }
}

/// A block comment without its frame, as rustdoc reads it: without the stars before its lines, or without the
/// indentation that its lines have in common. A text of one line is left alone.
fn block(text: String) -> String {
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let lines = || rest.split('\n');
    let said = || lines().filter(|line| !line.trim().is_empty());
    let starred = said().next().is_some() && said().all(|line| line.trim_start().starts_with('*'));
    let indent = said().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    // One space stays, for whatever takes the space after `///` away to take.
    let kept = indent.saturating_sub(1);
    let line = |line: &str| -> String {
        let framed = if starred {
            line.trim_start().strip_prefix('*').unwrap_or("")
        } else {
            line.get(kept..).unwrap_or("")
        };
        format!("\n{framed}")
    };
    let is_frame = first.trim().is_empty() || starred || (first.starts_with(' ') && indent > 1);
    if !is_frame {
        return text;
    }
    let first =
        if first.is_empty() || first.starts_with(' ') { first.to_owned() } else { format!(" {first}") };
    first + &lines().map(line).collect::<String>()
}

/// One leading space goes where every line has one, blank lines at both ends go, everything else stays.
fn unindented(lines: &[String]) -> String {
    let spaced = lines.iter().all(|line| line.is_empty() || line.starts_with(' '));
    let text: Vec<&str> = lines
        .iter()
        .map(|line| if spaced { line.strip_prefix(' ').unwrap_or(line) } else { line })
        .map(str::trim_end)
        .collect();
    text.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(attributes: &[Attribute]) -> Option<String> {
        Docs::of(attributes).literal()
    }

    #[test]
    fn paragraphs_lists_and_code_survive() {
        let attributes: Vec<Attribute> = syn::parse_quote! {
            /// First paragraph.
            ///
            /// - a list
            ///   goes on
            ///
            /// ```
            /// let code = 1;
            ///     indented();
            /// ```
            #[inline]
            #[doc = "last"]
        };
        // `#[doc = "last"]` has no leading space, so no line loses one.
        assert!(literal(&attributes).is_some_and(|text| text.contains("\n\n - a list\n   goes on\n")));
        let attributes: Vec<Attribute> = syn::parse_quote! {
            /// First.
            ///
            /// - a list
            ///   goes on
        };
        assert_eq!(literal(&attributes).as_deref(), Some("First.\n\n- a list\n  goes on"));
    }

    #[test]
    fn block_comments_are_lines_too() {
        let read = |text: &str| {
            let attributes: Vec<Attribute> = syn::parse_quote! { #[doc = #text] };
            literal(&attributes)
        };
        assert_eq!(read(" one\n two").as_deref(), Some("one\ntwo"));
        assert_eq!(read(" one ").as_deref(), Some("one"));
        assert_eq!(read("\n * one\n *   two\n *\n * three\n ").as_deref(), Some("one\n  two\n\nthree"));
        assert_eq!(read(" one\n     * two\n     *  three\n     ").as_deref(), Some("one\ntwo\n three"));
        assert_eq!(
            read("\n        one\n          two\n\n        three\n    ").as_deref(),
            Some("one\n  two\n\nthree")
        );
        assert_eq!(read("one\n  two").as_deref(), Some("one\n  two"));
        assert_eq!(read("one\n- two\n- three").as_deref(), Some("one\n- two\n- three"));
    }

    #[test]
    fn expressions_are_concatenated() {
        let attributes: Vec<Attribute> = syn::parse_quote! {
            /// Head.
            #[doc = include_str!("x.md")]
        };
        let docs = Docs::of(&attributes);
        assert!(docs.literal().is_none());
        assert_eq!(
            docs.expression().to_string(),
            quote!(::core::concat!("Head.", "\n", include_str!("x.md"), "\n")).to_string()
        );
    }
}
