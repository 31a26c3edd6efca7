//! Signatures for a system prompt: a schema as the type of a parameter, in the notation of TypeScript.

use std::collections::BTreeSet;

use super::super::node::Kind;
use super::part::{Document, Part, Target};
use super::project::root_object;
use super::reverse::ReverseMap;
use super::write::plain;
use super::{DialectError, Loss, Measure, Projection, Strictness};
use crate::value::{Json, unhidden, visible};

/// The type of the arguments, then the types that it names.
pub(super) fn project(mut document: Document, mut losses: Vec<Loss>) -> Result<Projection, DialectError> {
    root_object(&mut document, &mut losses)?;
    let names = names(&document);
    let mut writer = Writer { document: &document, names, wanted: Vec::new(), out: String::new(), indent: 0 };
    writer.part(&document.root);
    let mut done = BTreeSet::new();
    while let Some(target) = writer.wanted.pop() {
        let (true, Some(part)) = (done.insert(target), document.get(target)) else { continue };
        let name = writer.name(target);
        writer.out.push_str("\ntype ");
        writer.out.push_str(&name);
        writer.out.push_str(" = ");
        writer.part(part);
        writer.out.push(';');
    }
    Ok(Projection {
        schema: writer.out,
        losses,
        strictness: Strictness::NotAsked,
        reverse: ReverseMap::identity(),
        measure: Measure::default(),
    })
}

/// The lines of a description; whatever a reader may take for the end of a line ends one, so that each stands in a
/// comment.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.lines().flat_map(move |line| line.split(is_end))
}

/// The names of definitions as identifiers, no two alike.
fn names(document: &Document) -> Vec<String> {
    let mut taken = BTreeSet::from([ROOT.to_owned()]);
    let identifier = |(name, _): &(String, Part)| {
        let is_letter = |c: char| c.is_ascii_alphanumeric();
        let base: String = name.chars().map(|c| if is_letter(c) { c } else { '_' }).collect();
        let mut name = base.clone();
        let mut count = 1;
        while !taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    };
    document.definitions.iter().map(identifier).collect()
}

/// The name of the arguments where they are referred to.
const ROOT: &str = "Arguments";

struct Writer<'d> {
    document: &'d Document,
    names: Vec<String>,
    wanted: Vec<Target>,
    out: String,
    indent: usize,
}

impl Writer<'_> {
    /// The name of a definition, as an identifier.
    fn name(&self, target: Target) -> String {
        match target {
            Target::Root => ROOT.to_owned(),
            Target::Definition(index) => self.names.get(index).map_or(ROOT, String::as_str).to_owned(),
        }
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    fn part(&mut self, part: &Part) {
        let mut terms: Vec<String> = Vec::new();
        if let Some(target) = part.reference {
            self.wanted.push(target);
            terms.push(self.name(target));
        }
        for branches in [&part.any_of, &part.one_of] {
            if !branches.is_empty() {
                terms.push(self.joined(branches, " | "));
            }
        }
        if !part.all_of.is_empty() {
            terms.push(self.joined(&part.all_of, " & "));
        }
        // What says nothing adds nothing.
        terms.retain(|term| term != "unknown");
        let own = self.own(part);
        if terms.is_empty() || own != "unknown" && !(own == "{}" && part.properties().is_empty()) {
            terms.insert(0, own);
        }
        let text = terms.join(" & ");
        self.out.push_str(&text);
    }

    fn joined(&mut self, parts: &[Part], by: &str) -> String {
        let mut texts: Vec<String> = Vec::new();
        for part in parts {
            let text = self.text(part);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if texts.len() == 1 { texts.concat() } else { format!("({})", texts.join(by)) }
    }

    /// The text of a part that stands within another.
    fn text(&mut self, part: &Part) -> String {
        let before = std::mem::take(&mut self.out);
        self.part(part);
        std::mem::replace(&mut self.out, before)
    }

    /// What the part says itself, without references and unions.
    fn own(&mut self, part: &Part) -> String {
        if part.never {
            return "never".to_owned();
        }
        if let Some(values) = part.values() {
            let texts: Vec<String> = values.iter().map(Json::text).collect();
            return texts.join(" | ");
        }
        let mut types: Vec<String> = Vec::new();
        for kind in &part.types {
            let text = match kind {
                Kind::Object => self.object(part),
                Kind::Array => self.array(part),
                Kind::Integer => "integer".to_owned(),
                other => other.name().to_owned(),
            };
            types.push(text);
        }
        if part.types.is_empty() && part.properties.is_some() {
            types.push(self.object(part));
        }
        if types.is_empty() { "unknown".to_owned() } else { types.join(" | ") }
    }

    fn array(&mut self, part: &Part) -> String {
        if !part.prefix.is_empty() {
            let places: Vec<String> = part.prefix.iter().map(|place| self.text(place)).collect();
            return format!("[{}]", places.join(", "));
        }
        let item = part.items.as_deref().map_or_else(|| "unknown".to_owned(), |items| self.text(items));
        let is_union = item.contains(" | ") && !item.starts_with('(') && !item.starts_with('{');
        if is_union { format!("({item})[]") } else { format!("{item}[]") }
    }

    fn object(&mut self, part: &Part) -> String {
        let before = std::mem::take(&mut self.out);
        self.out.push('{');
        self.indent += 1;
        for (name, inner) in part.properties() {
            self.comment(inner);
            self.line();
            let is_identifier = !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && !name.starts_with(|first: char| first.is_ascii_digit());
            let shown = if is_identifier { name.clone() } else { Json::String(name.clone()).text() };
            self.out.push_str(&shown);
            self.out.push_str(if part.requires(name) { ": " } else { "?: " });
            self.part(inner);
            self.out.push(';');
        }
        let rest = part.patterns.iter().map(|(_, inner)| inner);
        for inner in rest.chain(part.additional.as_deref().filter(|inner| !inner.never)) {
            self.line();
            self.out.push_str("[name: string]: ");
            self.part(inner);
            self.out.push(';');
        }
        self.indent -= 1;
        if self.out.len() > 1 {
            self.line();
        }
        self.out.push('}');
        std::mem::replace(&mut self.out, before)
    }

    /// What the type does not say: description, bounds, defaults.
    fn comment(&mut self, part: &Part) {
        let mut lines: Vec<String> =
            lines(part.description().unwrap_or_default()).map(ToOwned::to_owned).collect();
        let silent = ["description", "title", "$schema", "$id", "$anchor", "$comment"];
        let words = part.words.iter().filter(|(word, _)| !silent.contains(&word.as_str()));
        let mut notes: Vec<String> = words.map(|(word, value)| note(word, value)).collect();
        notes.extend(part.others.iter().map(|(word, inner)| note(word, &plain(inner, self.document))));
        if !notes.is_empty() {
            lines.push(format!("({})", notes.join("; ")));
        }
        for line in lines {
            self.line();
            self.out.push_str("// ");
            self.out.push_str(&line);
        }
    }
}

/// A keyword in a comment; it may neither break the line nor hide something there.
fn note(keyword: &str, value: &Json) -> String {
    format!("{}: {}", visible(keyword), unhidden(&value.text()))
}
