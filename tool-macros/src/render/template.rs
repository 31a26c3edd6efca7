//! The template's text, taken apart.

use proc_macro2::{Ident, Span};
use syn::{Index, LitStr, Member};

use super::plain;
use crate::diagnostics::{Diagnostics, list, nearest};

/// A template: what stands between the fields, and the fields.
pub(super) struct Template {
    pub(super) literal: LitStr,
    /// The text for `format_args!`, with `{}` for each field.
    pub(super) format: String,
    /// The text where there are no fields.
    pub(super) text: String,
    pub(super) fields: Vec<Path>,
}

/// A field in a template, with what is nested in it.
pub(super) struct Path {
    pub(super) field: Member,
    pub(super) nested: Vec<Member>,
}

impl Template {
    /// Reads the text and finds its fields among the owner's.
    pub(super) fn parse(diagnostics: &Diagnostics, literal: LitStr, owner: &str, members: &[Member]) -> Self {
        let template = literal.value();
        let mut parsed = Self { literal, format: String::new(), text: String::new(), fields: Vec::new() };
        let mut rest = template.as_str();
        while let Some(position) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(position);
            parsed.push(before);
            if let Some(behind) = from.strip_prefix("{{") {
                parsed.push("{");
                rest = behind;
            } else if let Some(behind) = from.strip_prefix("}}") {
                parsed.push("}");
                rest = behind;
            } else if let Some(behind) = from.strip_prefix('}') {
                let context = last(before);
                parsed.fault(
                    diagnostics,
                    &format!("`{context}}}` closes no brace; write `}}}}` for a brace in the text"),
                );
                rest = behind;
            } else {
                let behind = from.strip_prefix('{').unwrap_or(from);
                let closed = behind
                    .find(['{', '}'])
                    .map(|end| behind.split_at(end))
                    .and_then(|(inner, close)| Some((inner, close.strip_prefix('}')?)));
                let Some((inner, after)) = closed else {
                    let context: String = behind.chars().take(20).collect();
                    parsed.fault(
                        diagnostics,
                        &format!("the brace in `{{{context}` is not closed; write `}}` behind the field, or `{{{{` for a brace in the text"),
                    );
                    return parsed;
                };
                parsed.field(diagnostics, inner, owner, members);
                rest = after;
            }
        }
        parsed.push(rest);
        parsed
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.format.push_str(&text.replace('{', "{{").replace('}', "}}"));
    }

    fn fault(&self, diagnostics: &Diagnostics, message: &str) {
        diagnostics.error(&self.literal, message);
    }

    fn field(&mut self, diagnostics: &Diagnostics, inner: &str, owner: &str, members: &[Member]) {
        let (path, spec) = match inner.split_once(':') {
            Some((path, spec)) => (path.trim(), Some(spec.trim_end())),
            None => (inner.trim(), None),
        };
        let known: Vec<String> = members.iter().map(plain).collect();
        let known = || known.iter().map(String::as_str);
        let any = if members.is_empty() {
            format!("`{owner}` has no fields")
        } else {
            format!("expected one of: {}", list(known()))
        };
        if path.is_empty() {
            return self.fault(diagnostics, &format!("`{{{inner}}}` names no field\n{any}"));
        }
        let mut segments = path.split('.');
        let first = segments.next().unwrap_or_default();
        let first = first.strip_prefix("r#").unwrap_or(first);
        let Some(field) = members.iter().find(|member| plain(member) == first) else {
            let hint = if first == "self" {
                "; leave `self` out".to_owned()
            } else if first.contains(|c: char| !c.is_alphanumeric() && c != '_') {
                "; a template names fields alone, implement `Render` by hand for more".to_owned()
            } else {
                nearest(first, known())
                    .filter(|_| first.len() > 1)
                    .map(|near| format!("; did you mean `{near}`?"))
                    .unwrap_or_default()
            };
            return self.fault(
                diagnostics,
                &format!("`{{{inner}}}`: `{owner}` has no field `{first}`{hint}\n{any}"),
            );
        };
        let span = self.literal.span();
        let mut nested = Vec::new();
        for segment in segments {
            if segment.is_empty() {
                return self.fault(diagnostics, &format!("`{{{inner}}}`: behind the dot stands no field"));
            }
            let Some(member) = member(segment, span) else {
                let hint =
                    "a template names fields alone, `{field.nested}`; implement `Render` by hand for more";
                return self
                    .fault(diagnostics, &format!("`{{{inner}}}`: `{segment}` is no field's name; {hint}"));
            };
            nested.push(member);
        }
        if let Some(spec) = spec {
            if let Some(fault) = spec_fault(spec) {
                return self.fault(diagnostics, &format!("`{{{inner}}}`: {fault}"));
            }
            self.format.extend(["{:", spec, "}"]);
        } else {
            self.format.push_str("{}");
        }
        self.fields.push(Path { field: field.clone(), nested });
    }
}

/// The last word of a text, for messages.
fn last(text: &str) -> &str {
    text.rsplit(char::is_whitespace).next().unwrap_or_default()
}

/// A nested field by its name or its number.
fn member(segment: &str, span: Span) -> Option<Member> {
    if let Ok(index) = segment.parse::<u32>() {
        return Some(Member::Unnamed(Index { index, span }));
    }
    let segment = segment.strip_prefix("r#").unwrap_or(segment);
    let mut chars = segment.chars();
    let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if !starts || !chars.all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    if matches!(segment, "self" | "Self" | "super" | "crate" | "_") {
        return None;
    }
    let ident = match syn::parse_str::<Ident>(segment) {
        Ok(_) => Ident::new(segment, span),
        Err(_) => Ident::new_raw(segment, span),
    };
    Some(Member::Named(ident))
}

/// Why a text cannot be a format of `std::fmt`: `[[fill]align][sign]['#']['0'][width]['.' precision][type]`.
fn spec_fault(spec: &str) -> Option<String> {
    if spec.contains('$') || spec.contains(".*") {
        return Some("width and precision are numbers in a template; write one like `{field:>8}`".to_owned());
    }
    if spec.ends_with('?') {
        return Some("a model reads `Display`, not `Debug`; remove `?`, or put `#[derive(Render)]` on the field's type".to_owned());
    }
    let mut chars = spec.chars().peekable();
    let mut ahead = spec.chars();
    let (first, second) = (ahead.next(), ahead.next());
    let is_align = |c: Option<char>| matches!(c, Some('<' | '^' | '>'));
    if is_align(second) {
        chars.next();
        chars.next();
    } else if is_align(first) {
        chars.next();
    }
    let _ = chars.next_if(|c| matches!(c, '+' | '-'));
    let _ = chars.next_if(|c| *c == '#');
    while chars.next_if(char::is_ascii_digit).is_some() {}
    let mut is_right = true;
    if chars.next_if(|c| *c == '.').is_some() {
        is_right = chars.next_if(char::is_ascii_digit).is_some();
        while chars.next_if(char::is_ascii_digit).is_some() {}
    }
    let _ = chars.next_if(|c| matches!(c, 'x' | 'X' | 'o' | 'b' | 'e' | 'E'));
    (!is_right || chars.next().is_some())
        .then(|| format!("`{spec}` is no format; write one like `.1`, `>8` or `08.2`"))
}
