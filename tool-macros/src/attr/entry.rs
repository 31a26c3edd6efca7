//! The common form of our attributes: `key`, `key = value`, `key(…)`, separated by commas.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, Parser};

use crate::diagnostics::{Diagnostics, list, nearest};

/// One entry of an attribute.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// What stands behind a key.
pub(crate) enum Value {
    Nothing,
    Equals(TokenStream),
    List(TokenStream),
}

/// A key that an attribute knows.
pub(crate) struct Known {
    pub(crate) key: &'static str,
    /// How it is written, for messages.
    pub(crate) form: &'static str,
}

/// Spellings of other libraries, each with ours.
const FOREIGN: &[(&str, &str)] = &[
    ("desc", "write `description = \"…\"`, or a doc comment"),
    ("doc", "write `description = \"…\"`, or a doc comment"),
    ("about", "write `description = \"…\"`, or a doc comment"),
    ("read_only_hint", "write `effect = read`"),
    ("readOnlyHint", "write `effect = read`"),
    ("readonly", "write `effect = read`"),
    ("read_only", "write `effect = read`"),
    ("destructive", "write `effect = write`"),
    ("destructive_hint", "write `effect = write`"),
    ("destructiveHint", "write `effect = write`"),
    ("idempotent_hint", "write `idempotent`"),
    ("idempotentHint", "write `idempotent`"),
    ("open_world_hint", "write `annotations(open_world)`"),
    ("openWorldHint", "write `open_world`"),
    ("min", "write `minimum = …`"),
    ("max", "write `maximum = …`"),
    ("gt", "write `exclusive_minimum = …`"),
    ("ge", "write `minimum = …`"),
    ("lt", "write `exclusive_maximum = …`"),
    ("le", "write `maximum = …`"),
    ("regex", "write `pattern = \"…\"`"),
    ("range", "write `minimum = …, maximum = …`"),
    ("length", "write `min_length = …, max_length = …`"),
    ("examples", "write `example = …`, once for each"),
    ("alias", "an argument has one name; write `rename = \"…\"`"),
    ("params", "write a doc comment on each parameter"),
    ("param", "write a doc comment on each parameter"),
    ("required", "an argument is required unless its type is an `Option` or it has a `default`"),
    ("optional", "write the type `Option<…>`, or a `default`"),
];

/// Splits an attribute's tokens into entries; what is no entry is reported.
pub(crate) fn entries(diagnostics: &Diagnostics, tokens: TokenStream) -> Vec<Entry> {
    let mut all = Vec::new();
    let mut part = TokenStream::new();
    for token in tokens {
        if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',') {
            if part.is_empty() {
                diagnostics.error(&token, "expected a key before this comma");
            } else {
                all.extend(diagnostics.ok(entry.parse2(std::mem::take(&mut part))));
            }
        } else {
            part.extend([token]);
        }
    }
    if !part.is_empty() {
        all.extend(diagnostics.ok(entry.parse2(part)));
    }
    all
}

fn entry(input: syn::parse::ParseStream<'_>) -> syn::Result<Entry> {
    if input.peek(syn::Lit) {
        let literal: syn::Lit = input.parse()?;
        let text = literal.to_token_stream().to_string();
        return Err(syn::Error::new_spanned(
            literal,
            format!("expected `key = value`, found {text}; a description is written `description = {text}`"),
        ));
    }
    let key = Ident::parse_any(input)
        .map_err(|error| syn::Error::new(error.span(), "expected a key, such as `description = \"…\"`"))?;
    if input.is_empty() {
        return Ok(Entry { key, value: Value::Nothing });
    }
    if input.peek(syn::Token![=]) {
        input.parse::<syn::Token![=]>()?;
        let value: TokenStream = input.parse()?;
        if value.is_empty() {
            return Err(syn::Error::new_spanned(&key, format!("`{key} =` lacks its value")));
        }
        return Ok(Entry { key, value: Value::Equals(value) });
    }
    if input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in input);
        let value: TokenStream = content.parse()?;
        if !input.is_empty() {
            return Err(input.error("expected a comma between two keys"));
        }
        return Ok(Entry { key, value: Value::List(value) });
    }
    Err(input.error(format!("expected `{key} = value`, or a comma behind `{key}`")))
}

/// Whether a key is how others write `description`.
pub(crate) fn means_description(key: &str) -> bool {
    matches!(key, "desc" | "doc" | "about")
}

/// Whether an attribute begins with a text, which others read as the description.
pub(crate) fn begins_with_text(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Literal(_)))
}

/// Reports a key that an attribute does not know.
pub(crate) fn unknown(diagnostics: &Diagnostics, attribute: &str, key: &Ident, known: &[Known]) {
    let name = key.unraw().to_string();
    if let Some((_, ours)) = FOREIGN.iter().find(|(foreign, _)| *foreign == name) {
        diagnostics.error(key, format!("unknown key `{name}` in `#[{attribute}]`; {ours}"));
        return;
    }
    let near = nearest(&name, known.iter().map(|known| known.key))
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    diagnostics.error(
        key,
        format!(
            "unknown key `{name}` in `#[{attribute}]`{near}\nexpected one of: {}",
            list(known.iter().map(|known| known.key))
        ),
    );
}

/// A value that can be set once.
pub(crate) struct Once<T> {
    set: Option<(Ident, T)>,
    tried: bool,
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self { set: None, tried: false }
    }
}

impl<T> Once<T> {
    /// Keeps the value; a second one is a mistake.
    pub(crate) fn set(&mut self, diagnostics: &Diagnostics, key: &Ident, value: Option<T>) {
        self.tried = true;
        if let Some((first, _)) = &self.set {
            // Outside of rustc, in unit tests, places are unknown.
            let place = if proc_macro::is_available() {
                format!(" (first in line {})", first.span().unwrap().start().line())
            } else {
                String::new()
            };
            diagnostics.error(key, format!("`{key}` is given twice{place}; keep one"));
        } else if let Some(value) = value {
            self.set = Some((key.clone(), value));
        }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.set.as_ref().map(|(_, value)| value)
    }

    pub(crate) fn key(&self) -> Option<&Ident> {
        self.set.as_ref().map(|(key, _)| key)
    }

    /// Whether it was meant to be set, be it in a wrong way, which is reported already.
    pub(crate) fn is_tried(&self) -> bool {
        self.tried
    }

    /// Says that it was meant to be set.
    pub(crate) fn try_set(&mut self) {
        self.tried = true;
    }

    pub(crate) fn is_set(&self) -> bool {
        self.set.is_some()
    }
}

impl Entry {
    /// The entry as a bare key.
    pub(crate) fn flag(&self, diagnostics: &Diagnostics) -> Option<()> {
        match &self.value {
            Value::Nothing => Some(()),
            Value::Equals(tokens) | Value::List(tokens) => {
                let key = &self.key;
                diagnostics.error(tokens, format!("`{key}` takes no value; write `{key}` alone"));
                None
            }
        }
    }

    /// The entry's value, parsed.
    pub(crate) fn value<T: Parse>(&self, diagnostics: &Diagnostics, form: &str) -> Option<T> {
        match &self.value {
            Value::Equals(tokens) => match first.parse2(tokens.clone()) {
                Ok((value, rest)) if rest.is_empty() => Some(value),
                Ok((_, rest)) => {
                    diagnostics.error(rest, "expected a comma before this");
                    None
                }
                Err(_) => {
                    diagnostics.error(tokens, format!("expected `{form}`"));
                    None
                }
            },
            Value::Nothing => {
                diagnostics.error(&self.key, format!("`{}` needs a value; write `{form}`", self.key));
                None
            }
            Value::List(_) => {
                diagnostics.error(&self.key, format!("`{}` is not a list; write `{form}`", self.key));
                None
            }
        }
    }

    /// The entry as a list of bare words.
    pub(crate) fn words(&self, diagnostics: &Diagnostics, form: &str) -> Option<Vec<Ident>> {
        let Value::List(tokens) = &self.value else {
            diagnostics.error(&self.key, format!("`{}` is a list; write `{form}`", self.key));
            return None;
        };
        let parser = syn::punctuated::Punctuated::<Ident, syn::Token![,]>::parse_terminated;
        match parser.parse2(tokens.clone()) {
            Ok(words) => Some(words.into_iter().collect()),
            Err(_) => {
                diagnostics.error(tokens, format!("expected `{form}`"));
                None
            }
        }
    }
}

/// A value, and what stands behind it.
fn first<T: Parse>(input: syn::parse::ParseStream<'_>) -> syn::Result<(T, TokenStream)> {
    Ok((input.parse()?, input.parse()?))
}
