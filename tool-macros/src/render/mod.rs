//! `#[derive(Render)]`: a template, checked against the fields while compiling.

mod expand;
mod template;
#[cfg(test)]
mod tests;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, DeriveInput, Fields, LitStr, Member, Path};

use self::template::Template;
use crate::ast::cfgs;
use crate::attr::entry::{Known, Once, entries, unknown};
use crate::crate_path;
use crate::diagnostics::Diagnostics;

/// A type that is shown by templates.
struct Shown {
    item: DeriveInput,
    body: Body,
}

enum Body {
    Struct(Template),
    Enum(Vec<Variant>),
    /// A mistake has been reported.
    Broken,
}

struct Variant {
    cfgs: Vec<Attribute>,
    ident: Ident,
    template: Template,
}

/// What `#[render(…)]` says.
#[derive(Default)]
struct Keys {
    template: Option<LitStr>,
    /// There is something in the template's place, whose mistake has been reported.
    is_broken: bool,
    path: Once<Path>,
}

const KNOWN: &[Known] = &[Known { key: "crate", form: "crate = ::tool_runtime" }];

/// Expands `#[derive(Render)]`.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let diagnostics = Diagnostics::new();
    let Some(item) = diagnostics.ok(syn::parse2::<DeriveInput>(item)) else {
        return diagnostics.finish().unwrap_or_default();
    };
    let keys = Keys::of(&diagnostics, &item.attrs);
    let path = crate_path::resolve(&diagnostics, keys.path.get());
    let body = body(&diagnostics, &item, keys);
    let shown = Shown { item, body };
    match diagnostics.finish() {
        None => expand::render(&shown, &path),
        Some(errors) => expand::fallback(&shown, &path, &errors),
    }
}

fn body(diagnostics: &Diagnostics, item: &DeriveInput, keys: Keys) -> Body {
    let ident = &item.ident;
    match &item.data {
        syn::Data::Struct(data) => {
            unmarked(diagnostics, &data.fields);
            let Some(template) = keys.template else {
                if !keys.is_broken {
                    let example = example(&data.fields);
                    diagnostics.error(ident, format!("`{ident}` has no template; write {example} above it"));
                }
                return Body::Broken;
            };
            Body::Struct(Template::parse(diagnostics, template, &ident.to_string(), &members(&data.fields)))
        }
        syn::Data::Enum(data) => {
            if let Some(template) = keys.template {
                diagnostics.error(template, "an enum has a template on each variant; move this one there");
            }
            let variants = data.variants.iter().filter_map(|variant| {
                unmarked(diagnostics, &variant.fields);
                let keys = Keys::of(diagnostics, &variant.attrs);
                if let Some(key) = keys.path.key() {
                    diagnostics.error(key, "`crate` stands once, on the enum");
                }
                let name = &variant.ident;
                let Some(template) = keys.template else {
                    if !keys.is_broken {
                        let example = example(&variant.fields);
                        diagnostics
                            .error(name, format!("`{name}` has no template; write {example} above it"));
                    }
                    return None;
                };
                let owner = format!("{ident}::{name}");
                Some(Variant {
                    cfgs: cfgs(&variant.attrs),
                    ident: variant.ident.clone(),
                    template: Template::parse(diagnostics, template, &owner, &members(&variant.fields)),
                })
            });
            Body::Enum(variants.collect())
        }
        syn::Data::Union(data) => {
            diagnostics.error(
                data.union_token,
                "nobody knows which field of a union is there; render a struct or an enum",
            );
            Body::Broken
        }
    }
}

/// How a template of these fields could read.
fn example(fields: &Fields) -> String {
    match members(fields).first() {
        Some(member) => format!("`#[render(\"…{{{}}}…\")]`", plain(member)),
        None => "`#[render(\"…\")]`".to_owned(),
    }
}

fn members(fields: &Fields) -> Vec<Member> {
    fields.members().collect()
}

/// A member as a template names it.
fn plain(member: &Member) -> String {
    match member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// `#[render]` stands on the struct or the variant, not on a field.
fn unmarked(diagnostics: &Diagnostics, fields: &Fields) {
    for attribute in fields.iter().flat_map(|field| &field.attrs) {
        if attribute.path().is_ident("render") {
            diagnostics.error(
                attribute,
                "`#[render]` stands on the struct or the variant, and names its fields: `#[render(\"…{field}…\")]`",
            );
        }
    }
}

impl Keys {
    fn of(diagnostics: &Diagnostics, attributes: &[Attribute]) -> Self {
        let mut keys = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("render")) {
            match &attribute.meta {
                syn::Meta::List(list) => keys.read(diagnostics, list.tokens.clone()),
                _ => {
                    keys.is_broken = true;
                    diagnostics
                        .error(attribute, "`#[render]` needs a template; write `#[render(\"…{field}…\")]`");
                }
            }
        }
        keys
    }

    fn read(&mut self, diagnostics: &Diagnostics, tokens: TokenStream) {
        let mut rest = tokens.into_iter().peekable();
        let Some(first) = rest.peek().cloned() else { return };
        let is_key = matches!(&first, TokenTree::Ident(ident) if ident != "concat" && ident != "include_str");
        if !is_key {
            rest.next();
            self.template(diagnostics, &first);
            match rest.next() {
                None => {}
                Some(TokenTree::Punct(punct)) if punct.as_char() == ',' => {}
                Some(_) if !matches!(first, TokenTree::Literal(_)) => return,
                Some(other) => {
                    let what = "the fields stand in the template: `{field}`, `{field.nested:.1}`";
                    diagnostics.error(other, format!("expected nothing behind the template; {what}"));
                    return;
                }
            }
        }
        let rest: TokenStream = rest.collect();
        if matches!(rest.clone().into_iter().next(), Some(TokenTree::Ident(ident)) if ident != "crate")
            && !rest.to_string().contains('=')
        {
            diagnostics.error(
                rest,
                "a template names the fields itself: `{field}`, `{field.nested:.1}`; remove these",
            );
            return;
        }
        for entry in entries(diagnostics, rest) {
            if entry.key == "crate" {
                self.path.set(diagnostics, &entry.key, entry.value(diagnostics, "crate = ::tool_runtime"));
            } else {
                unknown(diagnostics, "render", &entry.key, KNOWN);
            }
        }
    }

    fn template(&mut self, diagnostics: &Diagnostics, token: &TokenTree) {
        let Ok(text) = syn::parse2::<LitStr>(bare(token)) else {
            diagnostics.error(
                token,
                "a template is a string literal, so that its fields can be checked; write `#[render(\"…{field}…\")]`",
            );
            self.is_broken = true;
            return;
        };
        if self.template.is_some() {
            diagnostics.error(text, "a second template; keep one");
        } else {
            self.template = Some(text);
        }
    }
}

/// A literal without the invisible group that `macro_rules!` leaves around it.
fn bare(token: &TokenTree) -> TokenStream {
    match token {
        TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::None => group.stream(),
        other => other.to_token_stream(),
    }
}
