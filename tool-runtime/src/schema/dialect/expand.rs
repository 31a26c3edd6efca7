//! References written out, for dialects that read none.

use std::collections::{BTreeMap, BTreeSet};

use super::super::node::Kind;
use super::merge::merge;
use super::part::{Document, Part, Target};
use super::rules::References;
use super::{DialectError, Loss, LossKind};

/// The most parts that a written-out schema may have.
const MAX_PARTS: usize = 20_000;

/// The most parts up to which recursion is unrolled once more.
const FEW_PARTS: usize = 1_500;

/// The deepest nesting of a written-out schema.
const MAX_NESTING: usize = 64;

/// The definitions that lead back to themselves.
pub(super) fn recursive(document: &Document) -> BTreeSet<Target> {
    let count = document.definitions.len();
    let targets = (0..count).map(Target::Definition).chain([Target::Root]);
    let direct: BTreeMap<Target, BTreeSet<Target>> = targets
        .map(|target| {
            let mut out = BTreeSet::new();
            if let Some(part) = document.get(target) {
                references(part, &mut out);
            }
            (target, out)
        })
        .collect();
    let leads_back = |start: &Target| {
        let mut seen = BTreeSet::new();
        let mut open = vec![*start];
        while let Some(target) = open.pop() {
            for next in direct.get(&target).into_iter().flatten() {
                if seen.insert(*next) {
                    open.push(*next);
                }
            }
        }
        seen.contains(start)
    };
    direct.keys().filter(|target| leads_back(target)).copied().collect()
}

/// The targets of all references in a part.
pub(super) fn references(part: &Part, out: &mut BTreeSet<Target>) {
    out.extend(part.reference);
    for child in part.children() {
        references(child, out);
    }
}

/// Writes references out as the dialect demands.
pub(super) fn expand(
    document: Document,
    policy: References,
    losses: &mut Vec<Loss>,
) -> Result<Document, DialectError> {
    match policy {
        References::Keep | References::OutsideUnions => Ok(document),
        References::Prefer => {
            let has_recursion = !recursive(&document).is_empty();
            let mut expander = Expander::new(&document, 1);
            let expanded = if has_recursion { None } else { expander.root() };
            match expanded {
                Some(root) => Ok(Document { root, definitions: Vec::new() }),
                None => {
                    let what = "stays a reference, which some models of the provider do not read";
                    losses.push(Loss::new("", "$defs", LossKind::Loosened, what));
                    Ok(document)
                }
            }
        }
        References::Inline => {
            for levels in (1..=3).rev() {
                let mut expander = Expander::new(&document, levels);
                let root = expander.root();
                match root {
                    Some(root) if levels == 1 || expander.cuts.is_empty() || expander.parts < FEW_PARTS => {
                        losses.append(&mut expander.losses);
                        losses.extend(expander.cuts);
                        return Ok(Document { root, definitions: Vec::new() });
                    }
                    _ => {}
                }
            }
            Err(DialectError::TooLarge { pointer: String::new() })
        }
    }
}

struct Expander<'d> {
    document: &'d Document,
    /// How often a definition may stand within itself.
    levels: usize,
    /// The definitions that are being written out.
    open: Vec<Target>,
    parts: usize,
    nesting: usize,
    losses: Vec<Loss>,
    cuts: Vec<Loss>,
}

impl<'d> Expander<'d> {
    fn new(document: &'d Document, levels: usize) -> Self {
        Self {
            document,
            levels,
            open: vec![Target::Root],
            parts: 0,
            nesting: 0,
            losses: Vec::new(),
            cuts: Vec::new(),
        }
    }

    fn root(&mut self) -> Option<Part> {
        let mut root = self.document.root.clone();
        self.below(&mut root)?;
        Some(root)
    }

    /// Writes out a part; `None` if that takes too much.
    fn below(&mut self, part: &mut Part) -> Option<()> {
        self.parts += 1;
        self.nesting += 1;
        if self.parts > MAX_PARTS || self.nesting > MAX_NESTING {
            return None;
        }
        let target = part.reference.take();
        for child in part.children_mut() {
            self.below(child)?;
        }
        if let Some(target) = target {
            self.reference(part, target)?;
        }
        self.nesting -= 1;
        Some(())
    }

    fn reference(&mut self, part: &mut Part, target: Target) -> Option<()> {
        let document = self.document;
        let definition = document.get(target)?;
        let times = self.open.iter().filter(|open| **open == target).count();
        if times >= self.levels {
            let what = format!("leads back into itself and was cut after {times} levels");
            self.cuts.push(Loss::new(&part.at, "$ref", LossKind::Loosened, &what));
            let mut cut = match only_kind(definition, document, 8) {
                Some(Kind::Object) => Part {
                    additional: Some(Box::new(Part::anything(&part.at))),
                    ..Part::of(&part.at, Kind::Object)
                },
                Some(kind) => Part::of(&part.at, kind),
                None => Part::anything(&part.at),
            };
            cut.describe("Nested like the level above.");
            merge(part, cut, &mut self.losses);
            return Some(());
        }
        let mut inner = definition.clone();
        self.open.push(target);
        self.below(&mut inner)?;
        self.open.pop();
        merge(part, inner, &mut self.losses);
        Some(())
    }
}

/// The type of every value of a part, if there is one, as far as a bounded look tells.
fn only_kind(part: &Part, document: &Document, depth: usize) -> Option<Kind> {
    let depth = depth.checked_sub(1)?;
    if let [only] = part.types.as_slice() {
        return Some(*only);
    }
    if let Some(target) = part.reference.and_then(|target| document.get(target)) {
        return only_kind(target, document, depth);
    }
    let branches = if part.any_of.is_empty() { &part.one_of } else { &part.any_of };
    let (first, rest) = branches.split_first()?;
    let kind = only_kind(first, document, depth)?;
    rest.iter().all(|branch| only_kind(branch, document, depth) == Some(kind)).then_some(kind)
}
