//! How deep a value may nest, and how large it may be, so that types of a schema can be read from it on a small stack
//! and in time.
//!
//! Decoders are code of others: each level of a recursive type takes stack by the fields and variants of the type, and
//! serde tries the variants of an untagged enum one after another, those below each of them again. Both are known from
//! the schema, so what is too much is refused before a decoder runs.

use super::node::{Node, Target};
use super::{MAX_AT_ONCE, Schema};

/// The stack that decoders may use: half of what a worker thread has.
const STACK: usize = 1 << 20;

/// What one level takes of it in a build without optimization: by itself, for each field and for each variant.
const LEVEL: usize = 2 * 1024;
const FIELD: usize = 700;
const VARIANT: usize = 1_536;

/// The most ways in which a value may be tried, as far as they multiply from level to level, and the most values then.
const WAYS: usize = 512;
const FEW: usize = 5_000;

/// As deep as schemas within a schema are looked into.
const DEEPEST: usize = 64;

/// What the types of a schema can be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decoding {
    /// The deepest nesting of arrays and objects; nothing where no type is recursive.
    pub(crate) depth: Option<usize>,
    /// The most values.
    pub(crate) nodes: Option<usize>,
}

impl Schema {
    /// What its types can be read from, found out once.
    pub(crate) fn decoding(&self) -> Decoding {
        *self.inner.decoding.get_or_init(|| Walk::new(self).decoding())
    }
}

struct Walk<'s> {
    schema: &'s Schema,
    /// The root first, then the definitions.
    places: Vec<&'s Node>,
    /// For each place those that can be reached from it.
    reached: Vec<Vec<bool>>,
}

impl<'s> Walk<'s> {
    fn new(schema: &'s Schema) -> Self {
        let definitions = schema.definitions().iter().map(|(_, node)| node);
        let places: Vec<&Node> = std::iter::once(schema.root()).chain(definitions).collect();
        let next: Vec<Vec<usize>> = places.iter().map(|node| targets(node)).collect();
        let reached = next
            .iter()
            .map(|first| {
                let mut reached = vec![false; places.len()];
                let mut pending = first.clone();
                while let Some(place) = pending.pop() {
                    if let Some(is_known) = reached.get_mut(place).filter(|is_known| !**is_known) {
                        *is_known = true;
                        pending.extend(next.get(place).into_iter().flatten());
                    }
                }
                reached
            })
            .collect();
        Self { schema, places, reached }
    }

    fn decoding(&self) -> Decoding {
        let mut decoding = Decoding { depth: None, nodes: None };
        let mut limit =
            |depth: usize| decoding.depth = Some(decoding.depth.map_or(depth, |known| known.min(depth)));
        for (place, node) in self.places.iter().enumerate().filter(|(place, _)| self.leads(*place, *place)) {
            let (fields, variants) = self.size(node, DEEPEST);
            let level = FIELD.saturating_mul(fields).saturating_add(VARIANT.saturating_mul(variants));
            limit((STACK / level.saturating_add(LEVEL)).max(8));
            let (rivals, levels) = self.rivals(place, node);
            if rivals > 1 {
                let steps = std::iter::successors(Some(1_usize), |ways| ways.checked_mul(rivals));
                limit(2 + levels * steps.take_while(|ways| *ways <= WAYS).count().saturating_sub(1));
                decoding.nodes = Some(FEW);
            }
        }
        decoding
    }

    fn leads(&self, from: usize, to: usize) -> bool {
        self.reached.get(from).and_then(|reached| reached.get(to)).copied().unwrap_or_default()
    }

    /// How many fields a value has at most, those of structs in it included, and how many variants there are.
    fn size(&self, node: &Node, depth: usize) -> (usize, usize) {
        let Some(depth) = depth.checked_sub(1) else { return (0, 0) };
        let (mut fields, mut variants, mut most) = (0_usize, 0_usize, 0_usize);
        for node in self.schema.chain(node) {
            for (_, property) in node.properties() {
                let (inner, more) = if self.is_boxed(property) { (0, 0) } else { self.size(property, depth) };
                fields = fields.saturating_add(inner).saturating_add(1);
                variants = variants.saturating_add(more);
            }
            for branch in node.branches() {
                let (inner, more) = if self.is_boxed(branch) { (1, 0) } else { self.size(branch, depth) };
                most = most.max(inner);
                variants = variants.saturating_add(more).saturating_add(1);
            }
        }
        (fields.saturating_add(most), variants)
    }

    /// Whether a value is behind a pointer: what leads to itself cannot stand in itself.
    fn is_boxed(&self, node: &Node) -> bool {
        targets_in_place(self.schema, node).iter().any(|place| self.leads(*place, *place))
    }

    /// How many variants of an untagged union can share a member below which the union comes again, and how many levels
    /// there are at least between the two.
    fn rivals(&self, place: usize, node: &'s Node) -> (usize, usize) {
        let comes_again =
            |node: &Node| targets(node).iter().any(|next| *next == place || self.leads(*next, place));
        // The members of each variant that lead back: by name, as an item, or as any other member.
        let mut members: Vec<(Member<'s>, usize)> = Vec::new();
        let mut add = |member: Member<'s>| match members.iter_mut().find(|(known, _)| *known == member) {
            Some((_, count)) => *count += 1,
            None => members.push((member, 1)),
        };
        let mut least = 2;
        for branch in self.schema.chain(node).flat_map(|node| &node.any_of) {
            for variant in self.schema.chain(branch) {
                for (name, property) in
                    variant.properties().iter().filter(|(_, property)| comes_again(property))
                {
                    least = least.min(if property.items.is_some() { 2 } else { 1 });
                    add(Member::Named(name));
                }
                if variant.items.as_deref().is_some_and(comes_again) {
                    least = 1;
                    add(Member::Item);
                }
                if variant.additional.as_deref().is_some_and(comes_again) {
                    least = 1;
                    add(Member::Other);
                }
            }
        }
        (members.iter().map(|(_, count)| *count).max().unwrap_or_default(), least)
    }
}

/// Where in a variant the union comes again.
#[derive(Clone, Copy, PartialEq)]
enum Member<'s> {
    Named(&'s str),
    Item,
    Other,
}

/// The places that anything within a node refers to.
fn targets(node: &Node) -> Vec<usize> {
    let mut targets = Vec::new();
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        targets.extend(node.reference.as_ref().map(|reference| index(reference.target)));
        pending.extend(node.properties().iter().map(|(_, property)| property));
        pending.extend(node.additional.as_deref());
        pending.extend(node.items.as_deref());
        pending.extend(node.branches().chain(&node.all_of));
    }
    targets
}

/// The places that a node refers to for the same value.
fn targets_in_place(schema: &Schema, node: &Node) -> Vec<usize> {
    let mut targets = Vec::new();
    let mut pending = vec![node];
    for _ in 0..MAX_AT_ONCE {
        let Some(node) = pending.pop() else { break };
        targets.extend(node.reference.as_ref().map(|reference| index(reference.target)));
        pending.extend(node.reference.as_ref().and_then(|reference| schema.definition(reference)));
        pending.extend(node.branches().chain(&node.all_of));
    }
    targets
}

fn index(target: Target) -> usize {
    match target {
        Target::Root => 0,
        Target::Definition(index) => index.saturating_add(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoding(text: &str) -> (Option<usize>, Option<usize>) {
        let Decoding { depth, nodes } = Schema::parse(text).expect(text).decoding();
        (depth, nodes)
    }

    fn tree(definition: &str) -> String {
        format!(
            r##"{{"type":"object","properties":{{"n":{{"$ref":"#/$defs/n"}}}},"$defs":{{"n":{definition}}}}}"##
        )
    }

    #[test]
    fn what_is_not_recursive_has_no_limit() {
        assert_eq!(
            decoding(r#"{"type":"object","properties":{"a":{"type":"array","items":{}}}}"#),
            (None, None)
        );
        assert_eq!(decoding(&tree(r#"{"anyOf":[{"type":"integer"},{"type":"string"}]}"#)), (None, None));
    }

    #[test]
    fn the_limit_falls_with_fields_and_variants() {
        let chain = |fields: usize| {
            let fields: Vec<String> =
                (0..fields).map(|n| format!(r#""f{n}":{{"type":"string"}},"#)).collect();
            let fields = fields.concat();
            let next = r##""next":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}"##;
            decoding(&tree(&format!(r#"{{"type":"object","properties":{{{fields}{next}}}}}"#)))
        };
        assert_eq!(chain(0), (Some(381), None));
        assert_eq!(chain(23), (Some(55), None));
        assert_eq!(chain(150), (Some(9), None));
        assert_eq!(chain(900), (Some(8), None));
        // A struct in the struct counts with its fields.
        let within = tree(
            r##"{"type":"object","properties":{"in":{"type":"object","properties":{"a":{},"b":{},"c":{}}},"next":{"$ref":"#/$defs/n"}}}"##,
        );
        assert_eq!(decoding(&within), (Some(189), None));
        let root = r##"{"type":"object","properties":{"next":{"$ref":"#"}}}"##;
        assert_eq!(decoding(root), (Some(381), None));
    }

    #[test]
    fn variants_that_are_tried_one_after_another_multiply() {
        let variant = |members: &str| {
            format!(r#"{{"type":"object","properties":{{{members}}},"additionalProperties":false}}"#)
        };
        let next = r##""next":{"$ref":"#/$defs/n"}"##;
        let list = r##""args":{"type":"array","items":{"$ref":"#/$defs/n"}}"##;
        let union = |keyword: &str, branches: &[String]| {
            decoding(&tree(&format!(r#"{{"{keyword}":[{}]}}"#, branches.join(","))))
        };
        let leaf = r#"{"type":"integer"}"#.to_owned();
        let plain = variant(next);
        let other = variant(&format!(r#"{next},"b":{{"type":"integer"}}"#));
        assert_eq!(union("anyOf", &[leaf.clone(), plain.clone(), other.clone()]), (Some(11), Some(FEW)));
        // A tag tells the variants apart before anything below is read.
        assert_eq!(union("oneOf", &[leaf.clone(), plain.clone(), other.clone()]).1, None);
        // Three with a list below: two levels a step, and five steps of three ways.
        let op = |op: &str| variant(&format!(r#"{list},"op":{{"type":"string","const":"{op}"}}"#));
        assert_eq!(union("anyOf", &[leaf.clone(), op("a"), op("b"), op("c")]), (Some(12), Some(FEW)));
        // Other names, or a list beside an object: the wrong one fails at once.
        let named = variant(&next.replace("next", "other"));
        assert_eq!(union("anyOf", &[leaf.clone(), plain.clone(), named]).1, None);
        let items = r##"{"type":"array","items":{"$ref":"#/$defs/n"}}"##.to_owned();
        assert_eq!(union("anyOf", &[leaf, plain, items]).1, None);
    }
}
