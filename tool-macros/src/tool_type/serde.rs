//! `#[serde(…)]` and `#[schemars(with = …)]`: what serde will do, so that schema and shape say the same.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Attribute, ExprPath, LitStr, Meta, Type};

use super::rename::{RULES, Rule};
use crate::attr::entry::{Entry, Once, Value, entries};
use crate::diagnostics::{Diagnostics, list, nearest};

/// Where an attribute stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Container,
    Variant,
    Field,
}

/// What holds for reading and what for writing.
pub(super) struct Both<T> {
    pub(super) read: Option<T>,
    pub(super) write: Option<T>,
}

impl<T> Default for Both<T> {
    fn default() -> Self {
        Self { read: None, write: None }
    }
}

/// Where the value of an absent field comes from.
pub(super) enum Absent {
    /// `default`: the type's own.
    Own,
    /// `default = "path"`.
    Function(ExprPath),
}

/// What serde's attributes say of a type, a variant or a field.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an attribute of serde's that stands alone")]
pub(super) struct Serde {
    pub(super) rename: Both<LitStr>,
    pub(super) rename_all: Both<Rule>,
    pub(super) rename_all_fields: Both<Rule>,
    pub(super) tag: Once<LitStr>,
    pub(super) content: Once<LitStr>,
    pub(super) untagged: Once<()>,
    pub(super) deny_unknown_fields: Once<()>,
    pub(super) transparent: Once<()>,
    pub(super) from: Once<Type>,
    pub(super) into: Once<Type>,
    pub(super) default: Once<Absent>,
    pub(super) flatten: Once<()>,
    pub(super) skip_reading: bool,
    pub(super) skip_writing: bool,
    pub(super) skip_writing_sometimes: bool,
    /// A function of the user's reads the value.
    pub(super) reads_by_function: bool,
    /// A function of the user's writes the value.
    pub(super) writes_by_function: bool,
    /// `#[schemars(with = "…")]`: the type whose schema counts.
    pub(super) schema_of: Once<Type>,
}

const CONTAINER: &[&str] = &[
    "rename",
    "rename_all",
    "rename_all_fields",
    "deny_unknown_fields",
    "tag",
    "content",
    "untagged",
    "default",
    "transparent",
    "from",
    "try_from",
    "into",
    "bound",
    "expecting",
];
const VARIANT: &[&str] = &["rename", "rename_all", "skip", "skip_serializing", "skip_deserializing", "bound"];
const FIELD: &[&str] = &[
    "rename",
    "default",
    "flatten",
    "skip",
    "skip_serializing",
    "skip_deserializing",
    "skip_serializing_if",
    "with",
    "serialize_with",
    "deserialize_with",
    "bound",
];

/// What takes the place of schemars' attributes.
const SCHEMARS: &[(&str, &str)] = &[
    ("range", "`#[arg(minimum = …, maximum = …)]`"),
    ("length", "`#[arg(min_length = …, max_length = …)]`, for a list `#[arg(min_items = …, max_items = …)]`"),
    ("regex", "`#[arg(pattern = \"…\")]`"),
    ("pattern", "`#[arg(pattern = \"…\")]`"),
    ("contains", "`#[arg(pattern = \"…\")]`"),
    ("email", "`#[arg(format = \"email\")]`"),
    ("url", "`#[arg(format = \"uri\")]`"),
    ("extend", "`#[arg(…)]` with the constraint"),
    ("inner", "a newtype of the element, with `#[arg(…)]` on its field"),
    ("required", "a type other than `Option`"),
    ("description", "`#[arg(description = \"…\")]`, or a doc comment"),
    ("title", "a doc comment"),
    ("default", "`#[arg(default = …)]`"),
    ("example", "`#[arg(example = …)]`"),
    ("rename", "`#[arg(rename = \"…\")]`, on a variant or a type `#[serde(rename = \"…\")]`"),
    ("rename_all", "`#[serde(rename_all = \"…\")]`"),
    ("flatten", "`#[arg(flatten)]`"),
    ("skip", "`#[serde(skip)]`"),
    ("crate", "`#[tool_type(crate = …)]`"),
];

impl Serde {
    /// Reads the attributes; those of schemars are taken out, since nothing derives by them.
    pub(super) fn take(diagnostics: &Diagnostics, attributes: &mut Vec<Attribute>, place: Place) -> Self {
        let mut serde = Self::default();
        attributes.retain(|attribute| {
            let path = attribute.path();
            if path.is_ident("serde") {
                if let Meta::List(list) = &attribute.meta {
                    for entry in entries(diagnostics, list.tokens.clone()) {
                        serde.read(diagnostics, &entry, place);
                    }
                }
            } else if path.is_ident("cfg_attr") {
                let tokens = attribute.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default();
                for token in tokens {
                    if let proc_macro2::TokenTree::Ident(ident) = &token
                        && ["serde", "schemars"].iter().any(|name| ident == name)
                    {
                        diagnostics.error(
                            &token,
                            format!(
                                "`#[cfg_attr(…, {ident}(…))]` cannot be read by `#[tool_type]`; write the field or the \
                                 type twice, each with its own `#[cfg(…)]`"
                            ),
                        );
                    }
                }
            } else if path.is_ident("schemars") || path.is_ident("validate") || path.is_ident("garde") {
                serde.schemars(diagnostics, attribute, place);
                return false;
            }
            true
        });
        serde
    }

    fn read(&mut self, diagnostics: &Diagnostics, entry: &Entry, place: Place) {
        let key = &entry.key;
        let name = key.to_string();
        let known = match place {
            Place::Container => CONTAINER,
            Place::Variant => VARIANT,
            Place::Field => FIELD,
        };
        if !known.contains(&name.as_str()) {
            diagnostics.error(key, refused(&name, place, known));
            return;
        }
        match name.as_str() {
            "rename" => self.rename.read(diagnostics, entry, "rename = \"…\"", |_, text| Some(text)),
            "rename_all" => self.rename_all.read(diagnostics, entry, "rename_all = \"camelCase\"", rule),
            "rename_all_fields" => {
                self.rename_all_fields.read(diagnostics, entry, "rename_all_fields = \"camelCase\"", rule);
            }
            "tag" => self.tag.set(diagnostics, key, entry.value(diagnostics, "tag = \"type\"")),
            "content" => self.content.set(diagnostics, key, entry.value(diagnostics, "content = \"value\"")),
            "untagged" => self.untagged.set(diagnostics, key, Some(())),
            "deny_unknown_fields" => self.deny_unknown_fields.set(diagnostics, key, Some(())),
            "transparent" => self.transparent.set(diagnostics, key, Some(())),
            "from" | "try_from" => self.from.set(diagnostics, key, parsed(diagnostics, entry)),
            "into" => self.into.set(diagnostics, key, parsed(diagnostics, entry)),
            "default" => {
                let absent = match entry.value {
                    Value::Nothing => Some(Absent::Own),
                    _ => parsed(diagnostics, entry).map(Absent::Function),
                };
                self.default.set(diagnostics, key, absent);
            }
            "flatten" => self.flatten.set(diagnostics, key, Some(())),
            "skip" => (self.skip_reading, self.skip_writing) = (true, true),
            "skip_deserializing" => self.skip_reading = true,
            "skip_serializing" => self.skip_writing = true,
            "skip_serializing_if" => self.skip_writing_sometimes = true,
            "with" => (self.reads_by_function, self.writes_by_function) = (true, true),
            "deserialize_with" => self.reads_by_function = true,
            "serialize_with" => self.writes_by_function = true,
            // `bound` and `expecting` change nothing on the wire.
            _ => {}
        }
    }

    fn schemars(&mut self, diagnostics: &Diagnostics, attribute: &Attribute, place: Place) {
        let Meta::List(list) = &attribute.meta else {
            diagnostics.error(attribute, "`#[tool_type]` makes the schema itself; remove this attribute");
            return;
        };
        let whose = attribute.path().to_token_stream().to_string();
        for entry in entries(diagnostics, list.tokens.clone()) {
            let key = &entry.key;
            let name = key.to_string();
            if whose == "schemars" && name == "with" && place == Place::Field {
                self.schema_of.set(diagnostics, key, parsed(diagnostics, &entry));
                continue;
            }
            let instead = SCHEMARS
                .iter()
                .find(|(theirs, _)| *theirs == name)
                .map_or_else(|| "remove it".to_owned(), |(_, ours)| format!("write {ours}"));
            diagnostics.error(
                key,
                format!("`#[{whose}({name})]` has no place in `#[tool_type]`, which makes the schema itself; {instead}"),
            );
        }
    }
}

impl<T: Clone> Both<T> {
    fn read(
        &mut self,
        diagnostics: &Diagnostics,
        entry: &Entry,
        form: &str,
        make: impl Fn(&Diagnostics, LitStr) -> Option<T>,
    ) {
        if let Value::List(tokens) = &entry.value {
            for part in entries(diagnostics, tokens.clone()) {
                let value = part.value(diagnostics, form).and_then(|text| make(diagnostics, text));
                if part.key == "serialize" {
                    self.write = value;
                } else if part.key == "deserialize" {
                    self.read = value;
                } else {
                    diagnostics.error(&part.key, "expected `serialize = \"…\"` or `deserialize = \"…\"`");
                }
            }
            return;
        }
        if let Some(text) = entry.value::<LitStr>(diagnostics, form) {
            let value = make(diagnostics, text);
            (self.read, self.write) = (value.clone(), value);
        }
    }
}

fn rule(diagnostics: &Diagnostics, text: LitStr) -> Option<Rule> {
    let name = text.value();
    let found = RULES.iter().find(|(known, _)| *known == name).map(|(_, rule)| *rule);
    if found.is_none() {
        let names = || RULES.iter().map(|(known, _)| *known);
        let near =
            nearest(&name, names()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        diagnostics.error(text, format!("unknown case `{name}`{near}\nexpected one of: {}", list(names())));
    }
    found
}

/// The value of `key = "…"`, whose text is code.
fn parsed<T: syn::parse::Parse>(diagnostics: &Diagnostics, entry: &Entry) -> Option<T> {
    let key: &Ident = &entry.key;
    let text: LitStr = entry.value(diagnostics, &format!("{key} = \"…\""))?;
    match text.parse() {
        Ok(value) => Some(value),
        Err(_) => {
            diagnostics.error(&text, format!("`{}` is no path", text.value()));
            None
        }
    }
}

fn refused(name: &str, place: Place, known: &[&str]) -> String {
    let instead = match name {
        "alias" => {
            "a second name would not stand in the schema, so no model could know it; use one name, or take the type as \
             it is, with serde's and schemars' derives instead of `#[tool_type]`"
        }
        "crate" => "write `#[tool_type(crate = …)]`",
        "other" => "it takes any tag, so the schema could not list the tags; write each variant down",
        "untagged" => "put it on the enum, or give this variant a tag of its own",
        "borrow" => "borrowed data cannot be an argument; own it, as `String` does",
        "remote" | "getter" => "wrap the foreign type in a struct of your own",
        "with" | "serialize_with" | "deserialize_with" => "put it on the variant's field",
        _ => {
            let near = nearest(name, known.iter().copied())
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            let whose = match place {
                Place::Container => "type",
                Place::Variant => "variant",
                Place::Field => "field",
            };
            return format!(
                "`#[tool_type]` knows no `#[serde({name})]` on a {whose}{near}\nexpected one of: {}",
                list(known.iter().copied())
            );
        }
    };
    format!("`#[serde({name})]` has no place in `#[tool_type]`: {instead}")
}
