//! Rules for types: what the tokens alone decide. What needs other types is checked by constants of the expansion.

use quote::ToTokens;
use syn::{GenericParam, LitStr, Path, Type};

use super::model::{Body, Content, Field, Name, Tagging, ToolType, Variant};
use crate::check::{constraints, names};
use crate::diagnostics::Diagnostics;
use crate::syntax::spelling;

/// Checks everything.
pub(super) fn all(diagnostics: &Diagnostics, tool_type: &ToolType) {
    for path in derives(tool_type) {
        if let Some(name) = ours(&path) {
            diagnostics.error(&path, format!("`#[tool_type]` brings `{name}` itself; remove this derive"));
        }
    }
    for parameter in &tool_type.item.generics.params {
        if let GenericParam::Lifetime(lifetime) = parameter {
            diagnostics.error(
                lifetime,
                format!(
                    "`{}` borrows, but an argument outlives the text it came in; own the data, as `String` and `Vec` do",
                    tool_type.item.ident
                ),
            );
        }
    }
    if let Some(given) = &tool_type.name_given
        && names::argument_name(&tool_type.name, false).is_some()
    {
        diagnostics.error(
            given,
            format!("`{}` cannot name a schema; write only a-z, A-Z, 0-9, `_`, `.` and `-`", tool_type.name),
        );
    }
    places(diagnostics, tool_type);
    for fields in tool_type.objects() {
        for field in fields {
            one(diagnostics, field);
        }
        distinct(
            diagnostics,
            fields
                .iter()
                .filter(|field| !field.is_flattened())
                .map(|field| (&field.name, field.place.clone(), field.is_read(), !field.serde.skip_writing)),
            "fields",
        );
    }
    match &tool_type.body {
        Body::Newtype(field) => unnamed(diagnostics, field),
        Body::Union(tagging, variants) => union(diagnostics, tool_type, tagging, variants),
        Body::Object(_) | Body::Broken => {}
    }
}

/// The paths that the item derives.
pub(super) fn derives(tool_type: &ToolType) -> Vec<Path> {
    let parser = syn::punctuated::Punctuated::<Path, syn::Token![,]>::parse_terminated;
    let lists = tool_type.item.attrs.iter().filter(|attribute| attribute.path().is_ident("derive"));
    lists.filter_map(|attribute| attribute.parse_args_with(parser).ok()).flatten().collect()
}

/// The name of a derive that `#[tool_type]` takes the place of.
pub(super) fn ours(path: &Path) -> Option<String> {
    let last = path.segments.last()?.ident.to_string();
    let root = path.segments.first()?.ident.to_string();
    let known =
        ["Serialize", "Deserialize", "JsonSchema", "Serialize_repr", "Deserialize_repr", "JsonSchema_repr"];
    let foreign = path.segments.len() > 1 && !["serde", "serde_repr", "schemars"].contains(&root.as_str());
    (known.contains(&last.as_str()) && !foreign).then_some(last)
}

/// Attributes that belong on the other sort of item.
fn places(diagnostics: &Diagnostics, tool_type: &ToolType) {
    let serde = &tool_type.serde;
    let refuse = |key: Option<&syn::Ident>, only: &str| {
        if let Some(key) = key {
            diagnostics.error(key, format!("`{key}` stands on {only}"));
        }
    };
    match tool_type.body {
        Body::Union(..) => {
            refuse(serde.default.key(), "a struct; an enum has no fields to fill in");
            refuse(serde.transparent.key(), "a struct with one field");
            if serde.untagged.is_set() {
                refuse(serde.tag.key(), "an enum without `untagged`; keep one of the two");
            }
            if !serde.tag.is_set() {
                refuse(serde.content.key(), "an enum beside `tag = \"…\"`");
            }
        }
        Body::Object(_) | Body::Newtype(_) => {
            for key in [serde.tag.key(), serde.content.key(), serde.untagged.key()] {
                refuse(key, "an enum; a struct has no variants to tell apart");
            }
            if matches!(tool_type.body, Body::Object(_)) {
                refuse(serde.transparent.key(), "a struct with one field");
            }
        }
        Body::Broken => {}
    }
    if let Body::Object(fields) = &tool_type.body
        && serde.deny_unknown_fields.is_set()
        && fields.iter().any(Field::is_flattened)
    {
        refuse(
            serde.deny_unknown_fields.key(),
            "a struct without flattened fields; remove it, unknown fields are refused before serde sees them",
        );
    }
}

fn one(diagnostics: &Diagnostics, field: &Field) {
    let shown = field.name.read.as_str();
    constraints::check(diagnostics, &field.arg, shown);
    if let Some(reference) = spelling::find(&field.ty, &|ty| matches!(ty, Type::Reference(_))) {
        let hint = match reference.to_token_stream().to_string().as_str() {
            text if text.ends_with("str") => "`String`",
            text if text.ends_with("Path") => "`PathBuf`",
            text if text.ends_with(']') => "`Vec`",
            _ => "the type itself",
        };
        diagnostics.error(
            reference,
            format!("a field cannot borrow, since an argument outlives the text it came in; write {hint}"),
        );
    }
    let unnamed = matches!(field.member, syn::Member::Unnamed(_));
    if !unnamed && !field.is_flattened() {
        wire_name(diagnostics, field);
    }
    if field.is_flattened() && (field.serde.skip_reading || field.serde.skip_writing) {
        diagnostics.error(field.arg.flatten.key(), "`flatten` and `skip` contradict each other; keep one");
    }
}

fn wire_name(diagnostics: &Diagnostics, field: &Field) {
    let Name { read, write, given } = &field.name;
    let mut wire = Vec::new();
    if field.is_read() {
        wire.push(read);
    }
    if !field.serde.skip_writing && (write != read || wire.is_empty()) {
        wire.push(write);
    }
    for name in wire {
        if let Some(fault) = names::argument_name(name, given.is_none()) {
            let fault = fault.replace("remove the parameter", "remove the field");
            match given {
                Some(given) => diagnostics.error(given, fault),
                None => diagnostics.error(&field.place, fault),
            }
        }
    }
}

/// No two of these may share a name on the wire.
fn distinct<'n>(
    diagnostics: &Diagnostics,
    named: impl Iterator<Item = (&'n Name, proc_macro2::TokenStream, bool, bool)>,
    what: &str,
) {
    let mut read: Vec<&str> = Vec::new();
    let mut written: Vec<&str> = Vec::new();
    for (name, place, is_read, is_written) in named {
        let twice = if is_read && read.contains(&name.read.as_str()) {
            Some(&name.read)
        } else if is_written && written.contains(&name.write.as_str()) {
            Some(&name.write)
        } else {
            None
        };
        if let Some(twice) = twice {
            let fault = format!("two {what} are named `{twice}` on the wire; rename one of them");
            match &name.given {
                Some(given) => diagnostics.error(given, fault),
                None => diagnostics.error(place, fault),
            }
        }
        if is_read {
            read.push(&name.read);
        }
        if is_written {
            written.push(&name.write);
        }
    }
}

/// A field without a name is its struct on the wire.
fn unnamed(diagnostics: &Diagnostics, field: &Field) {
    let arg = &field.arg;
    let serde = &field.serde;
    for key in
        [arg.rename.key(), arg.flatten.key(), arg.default.key(), serde.default.key()].into_iter().flatten()
    {
        diagnostics.error(key, format!("`{key}` needs a field with a name; write `struct … {{ name: … }}`"));
    }
    if serde.skip_reading || serde.skip_writing {
        diagnostics.error(&field.place, "without this field nothing is left on the wire; remove `skip`");
    }
}

fn union(diagnostics: &Diagnostics, tool_type: &ToolType, tagging: &Tagging, variants: &[Variant]) {
    if !variants.iter().any(|variant| !(variant.serde.skip_reading && variant.serde.skip_writing)) {
        diagnostics.error(
            &tool_type.item.ident,
            format!(
                "`{}` has no variant, so there is no value that a model could write; add one",
                tool_type.item.ident
            ),
        );
    }
    let named = variants.iter().map(|variant| {
        let serde = &variant.serde;
        (&variant.name, variant.ident.to_token_stream(), !serde.skip_reading, !serde.skip_writing)
    });
    if !matches!(tagging, Tagging::Untagged) {
        distinct(diagnostics, named, "variants");
    }
    let property = |name: &LitStr| {
        if let Some(fault) = names::argument_name(&name.value(), false) {
            diagnostics.error(name, fault);
        }
    };
    match tagging {
        Tagging::Adjacent(tag, content) => {
            property(tag);
            property(content);
            if tag.value() == content.value() {
                diagnostics.error(content, "`tag` and `content` have the same name; rename one of them");
            }
        }
        Tagging::Internal(tag) => property(tag),
        Tagging::External | Tagging::Untagged => {}
    }
    for variant in variants {
        content(diagnostics, tagging, variant);
    }
}

fn content(diagnostics: &Diagnostics, tagging: &Tagging, variant: &Variant) {
    match (&variant.content, tagging) {
        (Content::Newtype(field), _) => {
            unnamed(diagnostics, field);
            external(diagnostics, tagging, variant);
        }
        (Content::Object(fields), Tagging::Internal(tag)) => {
            let tag = tag.value();
            let same =
                |field: &&Field| !field.is_flattened() && (field.name.read == tag || field.name.write == tag);
            for field in fields.iter().filter(same) {
                diagnostics.error(
                    &field.place,
                    format!(
                        "`{tag}` is the enum's tag, so no field can be named like it; rename one of them"
                    ),
                );
            }
        }
        (Content::Object(_), _) => external(diagnostics, tagging, variant),
        (Content::Unit | Content::Broken, _) => {}
    }
}

/// The name of a variant with data is the name of a property where nothing else tags it.
fn external(diagnostics: &Diagnostics, tagging: &Tagging, variant: &Variant) {
    if !matches!(tagging, Tagging::External) {
        return;
    }
    if let Some(fault) = names::argument_name(&variant.name.read, false) {
        let fault = format!("{fault}, as in `#[serde(rename = \"…\")]`");
        match &variant.name.given {
            Some(given) => diagnostics.error(given, fault),
            None => diagnostics.error(&variant.ident, fault),
        }
    }
}
