//! `#[tool(…)]`.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, LitBool, LitStr, Path};

use super::entry::{Entry, Known, Once, Value, begins_with_text, entries, means_description, unknown};
use crate::diagnostics::{Diagnostics, list, nearest};

/// What `#[tool(…)]` says.
#[derive(Default)]
pub(crate) struct ToolKeys {
    pub(crate) name: Once<LitStr>,
    pub(crate) title: Once<LitStr>,
    pub(crate) description: Once<Expr>,
    pub(crate) keywords: Once<Vec<LitStr>>,
    pub(crate) tags: Once<Vec<LitStr>>,
    pub(crate) effect: Once<Ident>,
    pub(crate) idempotent: Once<()>,
    pub(crate) parallel: Once<Parallel>,
    pub(crate) timeout: Once<u64>,
    pub(crate) background: Once<bool>,
    pub(crate) deferred: Once<bool>,
    pub(crate) blocking: Once<()>,
    pub(crate) permission: Once<Permission>,
    pub(crate) owner: Once<LitStr>,
    pub(crate) annotations: Once<Vec<(String, bool)>>,
    pub(crate) render: Once<Path>,
    pub(crate) output: Once<Ident>,
    pub(crate) docs_optional: Once<()>,
    pub(crate) handle: Once<Ident>,
    pub(crate) krate: Once<Path>,
}

/// `parallel` or `parallel = function`.
pub(crate) enum Parallel {
    Always,
    Judged(Path),
}

/// `permission = "name"` or `permission = function`.
pub(crate) enum Permission {
    Fixed(LitStr),
    Judged(Path),
}

/// Every key with its form.
pub(crate) const KNOWN: &[Known] = &[
    Known { key: "name", form: "name = \"…\"" },
    Known { key: "title", form: "title = \"…\"" },
    Known { key: "description", form: "description = \"…\"" },
    Known { key: "keywords", form: "keywords = [\"…\"]" },
    Known { key: "effect", form: "effect = read" },
    Known { key: "idempotent", form: "idempotent" },
    Known { key: "parallel", form: "parallel" },
    Known { key: "timeout", form: "timeout = \"30s\"" },
    Known { key: "background", form: "background = false" },
    Known { key: "deferred", form: "deferred = true" },
    Known { key: "blocking", form: "blocking" },
    Known { key: "permission", form: "permission = \"…\"" },
    Known { key: "owner", form: "owner = \"…\"" },
    Known { key: "tags", form: "tags = [\"…\"]" },
    Known { key: "annotations", form: "annotations(open_world = false)" },
    Known { key: "render", form: "render = function" },
    Known { key: "output", form: "output(warn)" },
    Known { key: "docs", form: "docs(optional)" },
    Known { key: "handle", form: "handle = Name" },
    Known { key: "crate", form: "crate = ::path::to::tool_runtime" },
];

const ANNOTATIONS: &[&str] = &["read_only", "destructive", "idempotent", "open_world"];

impl ToolKeys {
    pub(crate) fn parse(diagnostics: &Diagnostics, attribute: TokenStream) -> Self {
        let mut keys = Self::default();
        if begins_with_text(&attribute) {
            keys.description.try_set();
        }
        for entry in entries(diagnostics, attribute) {
            keys.read(diagnostics, &entry);
        }
        keys
    }

    fn read(&mut self, d: &Diagnostics, entry: &Entry) {
        let key = &entry.key;
        let name = key.to_string();
        let form = KNOWN.iter().find(|known| known.key == name).map_or("", |known| known.form);
        match name.as_str() {
            "name" => self.name.set(d, key, entry.value(d, form)),
            "title" => self.title.set(d, key, entry.value(d, form)),
            "description" => self.description.set(d, key, entry.value(d, form)),
            "keywords" => self.keywords.set(d, key, strings(d, entry, form)),
            "tags" => self.tags.set(d, key, strings(d, entry, form)),
            "effect" => self.effect.set(d, key, word(d, entry, form, &["read", "write", "exec"])),
            "idempotent" => self.idempotent.set(d, key, entry.flag(d)),
            "parallel" => self.parallel.set(d, key, parallel(d, entry)),
            "timeout" => {
                let text = entry.value::<LitStr>(d, form);
                self.timeout.set(d, key, text.and_then(|text| duration(d, &text)));
            }
            "background" => self.background.set(d, key, entry.value::<LitBool>(d, form).map(|b| b.value)),
            "deferred" => self.deferred.set(d, key, entry.value::<LitBool>(d, form).map(|b| b.value)),
            "blocking" => self.blocking.set(d, key, entry.flag(d)),
            "permission" => self.permission.set(d, key, permission(d, entry)),
            "owner" => self.owner.set(d, key, entry.value(d, form)),
            "annotations" => self.annotations.set(d, key, annotations(d, entry)),
            "render" => self.render.set(d, key, entry.value(d, form)),
            "output" => self.output.set(d, key, one_of(d, entry, "output(warn)", &["error", "warn", "off"])),
            "docs" => {
                let optional = one_of(d, entry, "docs(optional)", &["optional"]);
                self.docs_optional.set(d, key, optional.map(|_| ()));
            }
            "handle" => self.handle.set(d, key, entry.value(d, form)),
            "crate" => self.krate.set(d, key, crate_path(d, entry)),
            other => {
                if means_description(other) {
                    self.description.try_set();
                }
                unknown(d, "tool", key, KNOWN);
            }
        }
    }
}

/// A path that may begin with `crate` or `$crate`.
pub(crate) fn crate_path(diagnostics: &Diagnostics, entry: &Entry) -> Option<Path> {
    if let Value::Equals(tokens) = &entry.value {
        if let Ok(path) = syn::parse::Parser::parse2(Path::parse_mod_style, tokens.clone()) {
            return Some(path);
        }
        if let Ok(text) = syn::parse2::<LitStr>(tokens.clone()) {
            diagnostics.error(
                &text,
                format!("`crate` takes a path, not a string; write `crate = {}`", text.value()),
            );
            return None;
        }
    }
    entry.value(diagnostics, "crate = ::path::to::tool_runtime")
}

fn strings(diagnostics: &Diagnostics, entry: &Entry, form: &str) -> Option<Vec<LitStr>> {
    let array: syn::ExprArray = entry.value(diagnostics, form)?;
    let mut all = Vec::new();
    for element in array.elems {
        match element {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                if text.value().trim().is_empty() {
                    diagnostics.error(&text, "this word is empty; remove it");
                }
                all.push(text);
            }
            other => diagnostics.error(other, format!("expected a string; write `{form}`")),
        }
    }
    Some(all)
}

fn word(diagnostics: &Diagnostics, entry: &Entry, form: &str, words: &[&str]) -> Option<Ident> {
    let ident: Ident = entry.value(diagnostics, form)?;
    expect(diagnostics, ident, &entry.key, words)
}

fn expect(diagnostics: &Diagnostics, ident: Ident, key: &Ident, words: &[&str]) -> Option<Ident> {
    let name = ident.to_string();
    if words.contains(&name.as_str()) {
        return Some(ident);
    }
    let near = nearest(&name, words.iter().copied())
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    diagnostics.error(
        &ident,
        format!("`{name}` is no `{key}`{near}\nexpected one of: {}", list(words.iter().copied())),
    );
    None
}

/// The one word of `key(word)`.
pub(crate) fn one_of(diagnostics: &Diagnostics, entry: &Entry, form: &str, words: &[&str]) -> Option<Ident> {
    let mut given = entry.words(diagnostics, form)?.into_iter();
    match (given.next(), given.next()) {
        (Some(ident), None) => expect(diagnostics, ident, &entry.key, words),
        (_, Some(second)) => {
            diagnostics.error(&second, format!("`{}` takes one word; write `{form}`", entry.key));
            None
        }
        (None, None) => {
            diagnostics.error(&entry.key, format!("`{}` lacks its word; write `{form}`", entry.key));
            None
        }
    }
}

fn parallel(diagnostics: &Diagnostics, entry: &Entry) -> Option<Parallel> {
    match &entry.value {
        Value::Nothing => Some(Parallel::Always),
        Value::Equals(tokens) if syn::parse2::<LitBool>(tokens.clone()).is_ok() => {
            diagnostics.error(tokens, "`parallel` alone says yes, and its absence says no; write `parallel`");
            None
        }
        _ => entry.value::<Path>(diagnostics, "parallel = function").map(Parallel::Judged),
    }
}

fn permission(diagnostics: &Diagnostics, entry: &Entry) -> Option<Permission> {
    if let Value::Equals(tokens) = &entry.value
        && let Ok(text) = syn::parse2::<LitStr>(tokens.clone())
    {
        if text.value().trim().is_empty() {
            diagnostics.error(&text, "a permission needs a name, such as `files:write`");
            return None;
        }
        return Some(Permission::Fixed(text));
    }
    entry
        .value::<Path>(diagnostics, "permission = \"name\"` or `permission = function")
        .map(Permission::Judged)
}

fn annotations(diagnostics: &Diagnostics, entry: &Entry) -> Option<Vec<(String, bool)>> {
    let Value::List(tokens) = &entry.value else {
        diagnostics.error(&entry.key, "`annotations` is a list; write `annotations(open_world = false)`");
        return None;
    };
    let mut all: Vec<(String, bool)> = Vec::new();
    for entry in entries(diagnostics, tokens.clone()) {
        let name = entry.key.to_string();
        if !ANNOTATIONS.contains(&name.as_str()) {
            let known: Vec<Known> = ANNOTATIONS.iter().map(|key| Known { key, form: "" }).collect();
            unknown(diagnostics, "tool(annotations(…))", &entry.key, &known);
            continue;
        }
        if all.iter().any(|(known, _)| *known == name) {
            diagnostics.error(&entry.key, format!("`{name}` is given twice; keep one"));
            continue;
        }
        let value = match &entry.value {
            Value::Nothing => Some(true),
            _ => entry.value::<LitBool>(diagnostics, &format!("{name} = false")).map(|value| value.value),
        };
        all.extend(value.map(|value| (name, value)));
    }
    Some(all)
}

/// `"500ms"`, `"30s"`, `"5m"`, `"1h"` in milliseconds.
fn duration(diagnostics: &Diagnostics, text: &LitStr) -> Option<u64> {
    let value = text.value();
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = value.get(digits.len()..).unwrap_or_default();
    let factor = match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" | "min" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let milliseconds = factor.and_then(|factor| digits.parse::<u64>().ok()?.checked_mul(factor));
    match milliseconds {
        Some(0) => {
            diagnostics
                .error(text, "a timeout of nothing lets no call succeed; remove it, or give it a length");
            None
        }
        Some(milliseconds) => Some(milliseconds),
        None => {
            diagnostics.error(
                text,
                format!("`{value}` is no length of time; write a whole number and a unit, such as `500ms`, `30s`, `5m` or `1h`"),
            );
            None
        }
    }
}
