//! Where references lead within one document.

use super::super::rules::decode;
use super::survey::{Step, Survey, is_map};
use crate::value::Json;

impl Survey<'_> {
    /// Where a reference at a place leads.
    pub(super) fn target(&self, place: usize, text: &str) -> Result<usize, (String, &'static str)> {
        let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
        let own = self.places.get(place).map_or(0, |place| place.resource);
        let resource = if address.is_empty() {
            own
        } else {
            let uri = self::address(self.base(own), address);
            let hint = "copy the schema into `$defs` and refer to it there; nothing is ever fetched";
            let out = || (format!("the reference leads out of the document, to \"{}\"", cut(text)), hint);
            *self.resources.get(&uri).ok_or_else(out)?
        };
        let nowhere =
            || (format!("the reference leads nowhere: \"{}\"", cut(text)), "refer to a schema in `$defs`");
        let fragment = decode(fragment).ok_or_else(nowhere)?;
        if fragment.is_empty() {
            return Ok(resource);
        }
        let Some(pointer) = fragment.strip_prefix('/') else {
            return self.anchors.get(&(resource, fragment.as_str())).copied().ok_or_else(nowhere);
        };
        let tokens: Vec<String> =
            pointer.split('/').map(|token| token.replace("~1", "/").replace("~0", "~")).collect();
        self.walk(resource, &tokens).ok_or_else(|| {
            let there = self.places.get(resource).is_some_and(|place| exists(place.json, &tokens));
            if there {
                let problem =
                    format!("the reference leads to \"{}\", which is a value and no schema", cut(text));
                (problem, "refer to a schema in `$defs`")
            } else {
                nowhere()
            }
        })
    }

    fn walk(&self, from: usize, tokens: &[String]) -> Option<usize> {
        let mut at = from;
        let mut tokens = tokens.iter();
        while let Some(keyword) = tokens.next() {
            let keyword = keyword.as_str();
            let next = if is_map(keyword) {
                self.children.get(&(at, keyword, Step::Name(tokens.next()?.as_str())))
            } else {
                match self.children.get(&(at, keyword, Step::One)) {
                    None => self.children.get(&(at, keyword, Step::Index(tokens.next()?.parse().ok()?))),
                    one => one,
                }
            };
            at = *next?;
        }
        Some(at)
    }
}

/// Whether there is anything at the end of a pointer.
fn exists(json: &Json, tokens: &[String]) -> bool {
    let mut at = Some(json);
    for token in tokens {
        at = match at {
            Some(Json::Array(items)) => token.parse().ok().and_then(|index: usize| items.get(index)),
            Some(object) => object.get(token),
            None => None,
        };
    }
    at.is_some()
}

/// A reference against the address of its document: enough of RFC 3986 to compare addresses within one document.
pub(super) fn address(base: &str, reference: &str) -> String {
    let has_scheme = reference.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if has_scheme || base.is_empty() {
        return reference.to_owned();
    }
    let root = base.find("://").map_or(0, |at| at + 3);
    let authority_end = base.get(root..).and_then(|rest| rest.find('/')).map_or(base.len(), |at| root + at);
    let keep = if reference.starts_with('/') {
        authority_end
    } else {
        base.rfind('/').map_or(0, |at| at + 1).max(authority_end.min(base.len()))
    };
    let mut address = base.get(..keep).unwrap_or_default().to_owned();
    if !address.ends_with('/') && !reference.starts_with('/') {
        address.push('/');
    }
    address.push_str(reference);
    address
}

/// A text from the schema in a message.
fn cut(text: &str) -> String {
    const LONGEST: usize = 120;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
