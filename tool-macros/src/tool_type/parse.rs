//! From tokens to our own terms.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, DeriveInput, LitStr, Member, Type, parse_quote};

use super::model::{Body, Content, Fallback, Field, Keys, Name, Tagging, ToolType, Variant};
use super::rename::Rule;
use super::serde::{Absent, Both, Place, Serde};
use crate::ast::cfgs;
use crate::attr::arg::Arg;
use crate::attr::docs::Docs;
use crate::attr::entry::{Known, entries, unknown};
use crate::attr::literal::Literal;
use crate::diagnostics::Diagnostics;

const KNOWN: &[Known] = &[
    Known { key: "name", form: "name = \"…\"" },
    Known { key: "docs", form: "docs(optional)" },
    Known { key: "crate", form: "crate = ::tool_runtime" },
];

impl Keys {
    pub(super) fn parse(diagnostics: &Diagnostics, attr: TokenStream) -> Self {
        let mut keys = Self::default();
        for entry in entries(diagnostics, attr) {
            let key = &entry.key;
            match key.to_string().as_str() {
                "crate" => {
                    keys.path.set(diagnostics, key, entry.value(diagnostics, "crate = ::tool_runtime"));
                }
                "name" => keys.name.set(diagnostics, key, entry.value(diagnostics, "name = \"…\"")),
                "docs" => {
                    let Some(words) = entry.words(diagnostics, "docs(optional)") else { continue };
                    match words.as_slice() {
                        [word] if word == "optional" => keys.docs.set(diagnostics, key, Some(())),
                        _ => diagnostics.error(key, "expected `docs(optional)`"),
                    }
                }
                _ => unknown(diagnostics, "tool_type", key, KNOWN),
            }
        }
        keys
    }
}

impl ToolType {
    pub(super) fn parse(diagnostics: &Diagnostics, mut item: DeriveInput, keys: &Keys) -> Self {
        misplaced(diagnostics, &mut item.attrs);
        let docs = Docs::of(&item.attrs);
        let serde = Serde::take(diagnostics, &mut item.attrs, Place::Container);
        let given = keys.name.get().or(serde.rename.read.as_ref());
        let name = given.map_or_else(|| item.ident.unraw().to_string(), LitStr::value);
        let name_given = given.cloned();
        let parse = Parse { diagnostics, generics: item.generics.clone(), owner: item.ident.clone() };
        let body = match &mut item.data {
            syn::Data::Struct(data) => parse.structure(&serde, data),
            syn::Data::Enum(data) => parse.enumeration(&serde, data),
            syn::Data::Union(data) => {
                diagnostics
                    .error(data.union_token, "`#[tool_type]` stands on a struct or an enum, not on a union");
                Body::Broken
            }
        };
        Self { item, name, name_given, docs, serde, body }
    }
}

/// What all the parts of one item are parsed with.
struct Parse<'d> {
    diagnostics: &'d Diagnostics,
    generics: syn::Generics,
    owner: Ident,
}

impl Parse<'_> {
    fn structure(&self, serde: &Serde, data: &mut syn::DataStruct) -> Body {
        let container = Container {
            rule: (serde.rename_all.read, serde.rename_all.write),
            default: serde.default.is_set(),
            prefix: String::new(),
        };
        match &mut data.fields {
            syn::Fields::Named(named) => {
                let mut fields = self.fields(&mut named.named, &container);
                if serde.transparent.is_set() && fields.len() == 1 {
                    return fields.pop().map_or(Body::Broken, |field| Body::Newtype(Box::new(field)));
                }
                Body::Object(fields)
            }
            syn::Fields::Unnamed(unnamed) => {
                let mut fields = self.fields(&mut unnamed.unnamed, &container);
                if fields.len() > 1 {
                    self.diagnostics.error(
                        &unnamed.unnamed,
                        format!(
                            "the fields of `{}` have no names that a model could read; name them: `struct {} {{ … }}`",
                            self.owner, self.owner
                        ),
                    );
                    return Body::Broken;
                }
                match fields.pop() {
                    Some(field) => Body::Newtype(Box::new(field)),
                    None => self.unit(),
                }
            }
            syn::Fields::Unit => self.unit(),
        }
    }

    fn unit(&self) -> Body {
        let owner = &self.owner;
        self.diagnostics.error(
            owner,
            format!("`{owner}` without fields reads `null`, which is no object of arguments; write `struct {owner} {{}}`"),
        );
        Body::Broken
    }

    fn enumeration(&self, serde: &Serde, data: &mut syn::DataEnum) -> Body {
        let tagging = match (serde.tag.get(), serde.content.get(), serde.untagged.get()) {
            (Some(tag), Some(content), _) => Tagging::Adjacent(tag.clone(), content.clone()),
            (Some(tag), None, _) => Tagging::Internal(tag.clone()),
            (None, _, Some(())) => Tagging::Untagged,
            (None, _, None) => Tagging::External,
        };
        let variants = data.variants.iter_mut().enumerate();
        let variants = variants.map(|(idx, variant)| self.variant(serde, idx, variant)).collect();
        Body::Union(tagging, variants)
    }

    fn variant(&self, container: &Serde, idx: usize, variant: &mut syn::Variant) -> Variant {
        misplaced(self.diagnostics, &mut variant.attrs);
        let serde = Serde::take(self.diagnostics, &mut variant.attrs, Place::Variant);
        let own = variant.ident.unraw().to_string();
        let rule = (container.rename_all.read, container.rename_all.write);
        let name = Name::new(&own, &serde.rename, |name, rule| Rule::variant(rule, name), rule);
        let inner = Container {
            rule: (
                serde.rename_all.read.or(container.rename_all_fields.read),
                serde.rename_all.write.or(container.rename_all_fields.write),
            ),
            default: false,
            prefix: format!("{idx}_"),
        };
        let content = match &mut variant.fields {
            syn::Fields::Unit => Content::Unit,
            syn::Fields::Named(named) => Content::Object(self.fields(&mut named.named, &inner)),
            syn::Fields::Unnamed(unnamed) => {
                let mut fields = self.fields(&mut unnamed.unnamed, &inner);
                let count = fields.len();
                match fields.pop() {
                    Some(field) if count == 1 => Content::Newtype(Box::new(field)),
                    _ => {
                        let ident = &variant.ident;
                        let instead = if count == 0 {
                            format!("`{ident}`, or `{ident} {{}}`")
                        } else {
                            format!("`{ident} {{ … }}`")
                        };
                        self.diagnostics.error(
                            &*variant,
                            format!("the fields of `{ident}` have no names that a model could read; write {instead}"),
                        );
                        Content::Broken
                    }
                }
            }
        };
        Variant {
            cfgs: cfgs(&variant.attrs),
            ident: variant.ident.clone(),
            docs: Docs::of(&variant.attrs),
            name,
            serde,
            content,
        }
    }

    fn fields(
        &self,
        fields: &mut syn::punctuated::Punctuated<syn::Field, syn::Token![,]>,
        container: &Container,
    ) -> Vec<Field> {
        fields.iter_mut().enumerate().map(|(idx, field)| self.field(idx, field, container)).collect()
    }

    fn field(&self, idx: usize, field: &mut syn::Field, container: &Container) -> Field {
        let diagnostics = self.diagnostics;
        let docs = Docs::of(&field.attrs);
        let mut arg = Arg::take(diagnostics, &mut field.attrs);
        let mut serde = Serde::take(diagnostics, &mut field.attrs, Place::Field);
        let own = field.ident.as_ref().map_or_else(|| idx.to_string(), |ident| ident.unraw().to_string());

        if let (Some(text), Some(key)) = (arg.rename.get(), arg.rename.key()) {
            if serde.rename.read.is_some() || serde.rename.write.is_some() {
                diagnostics
                    .error(key, "`rename` is given twice, here and in `#[serde(rename)]`; keep this one");
            } else {
                (serde.rename.read, serde.rename.write) = (Some(text.clone()), Some(text.clone()));
                field.attrs.push(parse_quote!(#[serde(rename = #text)]));
            }
        }
        if arg.flatten.is_set() {
            if serde.flatten.is_set() {
                diagnostics
                    .error(arg.flatten.key(), "`flatten` is given twice, here and in `#[serde(flatten)]`");
            } else {
                field.attrs.push(parse_quote!(#[serde(flatten)]));
            }
        } else if let Some(key) = serde.flatten.key() {
            arg.flatten.set(diagnostics, key, Some(()));
        }
        let name = Name::new(&own, &serde.rename, |name, rule| Rule::field(rule, name), container.rule);

        let mut default_function = None;
        let default = match (arg.default.get(), arg.default.key(), serde.default.get()) {
            (Some(_), Some(key), Some(_)) => {
                diagnostics
                    .error(key, "`default` is given twice, here and in `#[serde(default)]`; keep this one");
                Fallback::Nothing
            }
            (Some(expression), ..) => {
                let function = format_ident!("__tool_default_{}{}", container.prefix, own);
                let path = self.associated(&function);
                field.attrs.push(parse_quote!(#[serde(default = #path)]));
                default_function = Some(function);
                Literal::of(expression).map_or(Fallback::Expression, Fallback::Literal)
            }
            (None, _, Some(Absent::Own)) => Fallback::Own,
            (None, _, Some(Absent::Function(path))) => Fallback::Function(path.clone()),
            (None, _, None) if container.default => Fallback::Container,
            (None, _, None) => Fallback::Nothing,
        };
        let member = field.ident.clone().map_or_else(|| Member::from(idx), Member::Named);
        Field {
            cfgs: cfgs(&field.attrs),
            place: field.ident.as_ref().map_or_else(|| field.ty.to_token_stream(), ToTokens::to_token_stream),
            member,
            ty: self.named(&field.ty),
            name,
            docs,
            arg,
            serde,
            default,
            default_function,
        }
    }

    /// A type in which `Self` has its name, since constants beside the item do not know it.
    fn named(&self, ty: &Type) -> Type {
        let owner = &self.owner;
        let (_, generics, _) = self.generics.split_for_impl();
        let tokens = renamed(ty.to_token_stream(), &quote!(#owner #generics));
        syn::parse2(tokens).unwrap_or_else(|_| ty.clone())
    }

    /// The path of an associated function, as serde wants it.
    fn associated(&self, function: &Ident) -> String {
        let owner = &self.owner;
        let (_, generics, _) = self.generics.split_for_impl();
        let turbofish = generics.as_turbofish();
        quote!(#owner #turbofish :: #function).to_string()
    }
}

fn renamed(tokens: TokenStream, owner: &TokenStream) -> TokenStream {
    let rename = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => owner.clone(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), renamed(group.stream(), owner));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    };
    tokens.into_iter().flat_map(rename).collect()
}

/// What a struct or a variant says of its fields.
struct Container {
    rule: (Option<Rule>, Option<Rule>),
    default: bool,
    prefix: String,
}

impl Name {
    fn new(
        own: &str,
        given: &Both<LitStr>,
        ruled: impl Fn(&str, Rule) -> String,
        (read, write): (Option<Rule>, Option<Rule>),
    ) -> Self {
        let name = |given: &Option<LitStr>, rule: Option<Rule>| {
            let made = || rule.map_or_else(|| own.to_owned(), |rule| ruled(own, rule));
            given.as_ref().map_or_else(made, LitStr::value)
        };
        Self {
            read: name(&given.read, read),
            write: name(&given.write, write),
            given: given.read.clone().or_else(|| given.write.clone()),
        }
    }
}

/// `#[arg]` stands on fields only.
fn misplaced(diagnostics: &Diagnostics, attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| {
        let ours = attribute.path().is_ident("arg");
        if ours {
            diagnostics
                .error(attribute, "`#[arg]` stands on a field; here write `#[serde(…)]` or a doc comment");
        }
        !ours
    });
}
