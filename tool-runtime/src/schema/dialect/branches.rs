//! Unions and negations in a dialect.

use super::super::node::Kind;
use super::LossKind;
use super::part::Part;
use super::project::{Out, Projector};
use super::table::{Fate, Feature, feature};
use super::write::plain;
use crate::value::Json;

impl Projector<'_> {
    /// `anyOf`, `oneOf` and `allOf`.
    pub(super) fn union(&mut self, part: &Part, out: &mut Out) {
        let one_is_any = self.rules.fate(Feature::OneOf) == Fate::Respell;
        if !part.any_of.is_empty() {
            self.branches(part, "anyOf", &part.any_of, out);
        }
        if !part.one_of.is_empty() && one_is_any && !part.any_of.is_empty() {
            self.lose(part, "oneOf", LossKind::Loosened, "stands beside `anyOf` and was left out");
        } else if !part.one_of.is_empty() {
            if one_is_any {
                self.lose(part, "oneOf", LossKind::Loosened, "became `anyOf`");
            }
            self.branches(part, if one_is_any { "anyOf" } else { "oneOf" }, &part.one_of, out);
        }
        if !part.all_of.is_empty() {
            let mut list = Vec::new();
            for branch in &part.all_of {
                let (schema, node) = self.node(branch);
                out.reverse.all.push(node);
                list.push(schema);
            }
            out.push("allOf", Json::Array(list));
        }
    }

    fn branches(&mut self, part: &Part, keyword: &str, branches: &[Part], out: &mut Out) {
        let mut list = Vec::new();
        let mut nodes = Vec::new();
        for branch in branches.iter().filter(|branch| !branch.never) {
            if self.rules.nullable && branch.is_only(Kind::Null) {
                out.nullable = true;
                continue;
            }
            self.unions += 1;
            let (schema, node) = self.in_union(branch);
            self.unions -= 1;
            nodes.push(node);
            list.push(schema);
        }
        if list.is_empty() && !out.nullable {
            self.lose(part, keyword, LossKind::Loosened, "has no branch that takes a value");
            return;
        }
        // Positions of a union are alternatives: one node whose branches they are.
        self.map.push(super::reverse::Node { branches: nodes, ..super::reverse::Node::default() });
        out.reverse.all.push(self.map.len() - 1);
        if self.rules.nullable && list.len() == 1 && keyword == "anyOf" && !has_rules(out) {
            if let Some(Json::Object(members)) = list.pop() {
                unwrap(part, members, out);
            }
            return;
        }
        if list.is_empty() {
            return;
        }
        out.push(keyword, Json::Array(list));
    }

    /// Keywords whose subschemas do not describe the value itself.
    pub(super) fn others(&mut self, part: &Part, out: &mut Out) {
        for (keyword, inner) in &part.others {
            match self.rules.fate(feature(keyword)) {
                Fate::Keep => {
                    let (schema, _) = self.node(inner);
                    out.push(keyword, schema);
                }
                Fate::Describe | Fate::Some | Fate::Respell => {
                    let told = plain(inner, self.document);
                    self.tell(part, out, keyword, &told);
                }
                _ => self.lose(part, keyword, LossKind::Omitted, "was left out"),
            }
        }
    }
}

/// Whether something stands beside the union that a branch could contradict.
fn has_rules(out: &Out) -> bool {
    out.members.iter().any(|(keyword, _)| !matches!(keyword.as_str(), "title" | "default" | "example"))
}

/// The only branch of a union stands in place of the union.
fn unwrap(part: &Part, members: Vec<(String, Json)>, out: &mut Out) {
    for (keyword, value) in members {
        let is_new = out.members.iter().all(|(known, _)| *known != keyword);
        match keyword.as_str() {
            "nullable" => out.nullable = true,
            "description" if part.description().is_some() => {}
            _ if is_new => out.members.push((keyword, value)),
            _ => {}
        }
    }
}
