//! `#[arg(…)]`, on parameters and on fields of a `#[tool_type]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, Expr, LitStr};

use super::entry::{Entry, Known, Once, Value, begins_with_text, entries, means_description, unknown};
use super::literal::Literal;
use crate::diagnostics::Diagnostics;

/// What `#[arg(…)]` says of one parameter or field.
#[derive(Default)]
pub(crate) struct Arg {
    pub(crate) rename: Once<LitStr>,
    pub(crate) description: Once<Expr>,
    pub(crate) default: Once<Expr>,
    pub(crate) examples: Vec<(Ident, Expr)>,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) secret: Once<()>,
    pub(crate) flatten: Once<()>,
}

/// A constraint with its key and value.
pub(crate) struct Constraint {
    pub(crate) key: Ident,
    pub(crate) rule: &'static Rule,
    /// The value as written, for spans.
    pub(crate) tokens: TokenStream,
    pub(crate) value: Literal,
}

/// A constraint that `#[arg]` knows.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) key: &'static str,
    /// The keyword of JSON Schema.
    pub(crate) keyword: &'static str,
    pub(crate) applies: Applies,
    pub(crate) takes: Takes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Applies {
    Numbers,
    Strings,
    Arrays,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Number,
    Count,
    Pattern,
    Format,
    Flag,
}

impl Applies {
    /// What it applies to, in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Strings => "strings",
            Self::Arrays => "lists",
        }
    }

    /// The constraints that apply to it, in words.
    pub(crate) fn kin(self) -> &'static str {
        match self {
            Self::Numbers => "`minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of`",
            Self::Strings => "`min_length`, `max_length`, `pattern`, `format`",
            Self::Arrays => "`min_items`, `max_items`, `unique_items`",
        }
    }
}

macro_rules! rules {
    ($($key:literal $keyword:literal $applies:ident $takes:ident;)*) => {
        &[$(Rule { key: $key, keyword: $keyword, applies: Applies::$applies, takes: Takes::$takes }),*]
    };
}

/// Every constraint.
pub(crate) const RULES: &[Rule] = rules! {
    "minimum" "minimum" Numbers Number;
    "maximum" "maximum" Numbers Number;
    "exclusive_minimum" "exclusiveMinimum" Numbers Number;
    "exclusive_maximum" "exclusiveMaximum" Numbers Number;
    "multiple_of" "multipleOf" Numbers Number;
    "min_length" "minLength" Strings Count;
    "max_length" "maxLength" Strings Count;
    "pattern" "pattern" Strings Pattern;
    "format" "format" Strings Format;
    "min_items" "minItems" Arrays Count;
    "max_items" "maxItems" Arrays Count;
    "unique_items" "uniqueItems" Arrays Flag;
};

/// The formats that the runtime checks.
pub(crate) const FORMATS: &[&str] =
    &["date-time", "date", "time", "uuid", "ipv4", "ipv6", "email", "uri", "hostname"];

const KNOWN: &[Known] = &[
    Known { key: "rename", form: "rename = \"…\"" },
    Known { key: "description", form: "description = \"…\"" },
    Known { key: "default", form: "default = …" },
    Known { key: "example", form: "example = …" },
    Known { key: "minimum", form: "minimum = 1" },
    Known { key: "maximum", form: "maximum = 10" },
    Known { key: "exclusive_minimum", form: "exclusive_minimum = 0" },
    Known { key: "exclusive_maximum", form: "exclusive_maximum = 1" },
    Known { key: "multiple_of", form: "multiple_of = 5" },
    Known { key: "min_length", form: "min_length = 1" },
    Known { key: "max_length", form: "max_length = 100" },
    Known { key: "pattern", form: "pattern = \"^[a-z]+$\"" },
    Known { key: "format", form: "format = \"date\"" },
    Known { key: "min_items", form: "min_items = 1" },
    Known { key: "max_items", form: "max_items = 10" },
    Known { key: "unique_items", form: "unique_items" },
    Known { key: "secret", form: "secret" },
    Known { key: "flatten", form: "flatten" },
];

impl Arg {
    /// Takes every `#[arg]` out of the attributes and reads them.
    pub(crate) fn take(diagnostics: &Diagnostics, attributes: &mut Vec<Attribute>) -> Self {
        let mut arg = Self::default();
        attributes.retain(|attribute| {
            if attribute.path().is_ident("cfg_attr") {
                let tokens = attribute.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default();
                if let Some(ours) = mentioned(tokens, &["arg", "state", "context"]) {
                    diagnostics.error(
                        &ours,
                        format!(
                            "`{ours}` within `#[cfg_attr(…)]` cannot be read; write what it stands on twice, each with \
                             a `#[cfg(…)]` and attributes of its own"
                        ),
                    );
                    return false;
                }
            }
            if !attribute.path().is_ident("arg") {
                return true;
            }
            match &attribute.meta {
                syn::Meta::List(list) if !list.tokens.is_empty() => {
                    if begins_with_text(&list.tokens) {
                        arg.description.try_set();
                    }
                    for entry in entries(diagnostics, list.tokens.clone()) {
                        arg.read(diagnostics, &entry);
                    }
                }
                _ => diagnostics.error(attribute, "`#[arg]` needs keys; write `#[arg(minimum = 1)]`, or remove it"),
            }
            false
        });
        arg
    }

    fn read(&mut self, diagnostics: &Diagnostics, entry: &Entry) {
        let name = entry.key.to_string();
        let form = KNOWN.iter().find(|known| known.key == name).map_or("", |known| known.form);
        match name.as_str() {
            "rename" => self.rename.set(diagnostics, &entry.key, entry.value(diagnostics, form)),
            "description" => self.description.set(diagnostics, &entry.key, entry.value(diagnostics, form)),
            "default" => self.default.set(diagnostics, &entry.key, entry.value(diagnostics, form)),
            "example" => {
                if let Some(value) = entry.value(diagnostics, form) {
                    self.examples.push((entry.key.clone(), value));
                }
            }
            "secret" => self.secret.set(diagnostics, &entry.key, entry.flag(diagnostics)),
            "flatten" => self.flatten.set(diagnostics, &entry.key, entry.flag(diagnostics)),
            other => match RULES.iter().find(|rule| rule.key == other) {
                Some(rule) => self.constraint(diagnostics, entry, rule, form),
                None => {
                    if means_description(other) {
                        self.description.try_set();
                    }
                    unknown(diagnostics, "arg", &entry.key, KNOWN);
                }
            },
        }
    }

    fn constraint(&mut self, diagnostics: &Diagnostics, entry: &Entry, rule: &'static Rule, form: &str) {
        if self.constraints.iter().any(|constraint| constraint.rule.key == rule.key) {
            diagnostics.error(&entry.key, format!("`{}` is given twice; keep one", rule.key));
            return;
        }
        if rule.takes == Takes::Flag {
            if entry.flag(diagnostics).is_some() {
                self.constraints.push(Constraint {
                    key: entry.key.clone(),
                    rule,
                    tokens: TokenStream::new(),
                    value: Literal::Boolean(true),
                });
            }
            return;
        }
        let Some(expression) = entry.value::<Expr>(diagnostics, form) else { return };
        let tokens = match &entry.value {
            Value::Equals(tokens) => tokens.clone(),
            Value::Nothing | Value::List(_) => TokenStream::new(),
        };
        let Some(value) = Literal::of(&expression) else {
            diagnostics.error(&expression, format!("`{}` takes a literal; write `{form}`", rule.key));
            return;
        };
        let fits = match rule.takes {
            Takes::Number => value.number().is_some(),
            Takes::Count => {
                matches!(&value, Literal::Integer(count) if (0..=i128::from(u32::MAX)).contains(count))
            }
            Takes::Pattern | Takes::Format => matches!(value, Literal::String(_)),
            Takes::Flag => true,
        };
        if fits {
            self.constraints.push(Constraint { key: entry.key.clone(), rule, tokens, value });
        } else {
            let needs = match rule.takes {
                Takes::Number => "a number",
                Takes::Count => "a count from 0 to 4294967295",
                Takes::Pattern | Takes::Format | Takes::Flag => "a string",
            };
            diagnostics.error(&expression, format!("`{}` takes {needs}; write `{form}`", rule.key));
        }
    }

    /// The constraint with this key.
    pub(crate) fn find(&self, key: &str) -> Option<&Constraint> {
        self.constraints.iter().find(|constraint| constraint.rule.key == key)
    }
}

impl Constraint {
    /// Where its value stands; its key if it has none.
    pub(crate) fn span(&self) -> Span {
        self.tokens.clone().into_iter().next().map_or_else(|| self.key.span(), |token| token.span())
    }
}

/// One of these attributes among what a `#[cfg_attr(…)]` holds.
pub(crate) fn mentioned(tokens: TokenStream, attributes: &[&str]) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        proc_macro2::TokenTree::Ident(ident) if attributes.iter().any(|attribute| ident == attribute) => {
            Some(ident)
        }
        _ => None,
    })
}
