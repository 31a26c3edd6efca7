//! What scopes are to do, read plainly and slowly from the contracts: every question is answered from all that was
//! registered, and nothing is kept between two questions.

use std::collections::{BTreeMap, BTreeSet};

use tool_runtime::registry::RestrictionError;

use super::words::{Brought, From, Kind, Level, Names, Narrow};

/// Every scope that there ever was; the global one is the first.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) scopes: Vec<Layer>,
    next: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Layer {
    pub(super) name: String,
    parent: Option<usize>,
    /// How many hold it, besides those below it.
    pub(super) holders: usize,
    registered: Vec<Registered>,
}

#[derive(Debug, Clone)]
struct Registered {
    id: u64,
    owner: Owner,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    Tool(Kind),
    Restriction(Names),
    Filter(Narrow),
    OwnersFilter(Narrow),
    Rule(From),
    Level(Level),
}

/// Who brings something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Owner {
    /// The scope itself.
    Scope(usize),
    /// A plugin; several may have one name.
    Plugin(u64, &'static str),
}

/// What a scope sees behind a name.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) id: u64,
    pub(super) scope: usize,
    pub(super) owner: Owner,
    pub(super) kind: Kind,
    /// The scopes of what it shadows, farthest first.
    pub(super) shadowed: Vec<usize>,
}

pub(super) type Seens = BTreeMap<&'static str, Seen>;

/// A listing and the calls that answer it.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) scope: usize,
    pub(super) level: Option<Level>,
    pub(super) listed: Seens,
    asked: BTreeSet<u64>,
}

impl Model {
    pub(super) fn new() -> Self {
        let global = Layer { name: "global".to_owned(), parent: None, holders: 1, registered: Vec::new() };
        Self { scopes: vec![global], next: 1 }
    }

    pub(super) fn child(&mut self, parent: usize) -> usize {
        let name = format!("s{}", self.scopes.len());
        self.scopes.push(Layer { name, parent: Some(parent), holders: 1, registered: Vec::new() });
        self.scopes.len() - 1
    }

    /// What nobody holds, nor anything below it, takes what was registered in it along.
    pub(super) fn let_go(&mut self, scope: usize) {
        self.scopes[scope].holders -= 1;
        for scope in (0..self.scopes.len()).rev() {
            if !self.is_alive(scope) {
                self.scopes[scope].registered.clear();
            }
        }
    }

    fn is_alive(&self, scope: usize) -> bool {
        self.scopes[scope].holders > 0
            || (0..self.scopes.len())
                .any(|child| self.scopes[child].parent == Some(scope) && self.is_alive(child))
    }

    pub(super) fn owner_name(&self, owner: &Owner) -> &str {
        match owner {
            Owner::Scope(0) => "registry",
            Owner::Scope(scope) => &self.scopes[*scope].name,
            Owner::Plugin(_, name) => name,
        }
    }

    /// The global scope, and so on to this one.
    fn chain(&self, scope: usize) -> Vec<usize> {
        let mut chain: Vec<usize> =
            std::iter::successors(Some(scope), |scope| self.scopes[*scope].parent).collect();
        chain.reverse();
        chain
    }

    fn own(&self, scope: usize) -> impl Iterator<Item = &Registered> {
        self.scopes[scope].registered.iter()
    }

    fn own_tool(&self, scope: usize, name: &str) -> Option<&Registered> {
        self.own(scope).find(|own| matches!(&own.what, What::Tool(kind) if kind.name == name))
    }

    /// S4, but for what the session decides: narrowings of the scope (restrictions of the scope (view of the parent) and the
    /// scope's own).
    pub(super) fn view(&self, scope: usize) -> Seens {
        let mut view = self.scopes[scope].parent.map(|parent| self.view(parent)).unwrap_or_default();
        for own in self.own(scope) {
            if let What::Restriction(names) = &own.what {
                view.retain(|name, _| names.admits(name));
            }
        }
        for own in self.own(scope) {
            if let What::Tool(kind) = &own.what {
                let mut shadowed = Vec::new();
                if let Some(farther) = view.remove(kind.name) {
                    shadowed = farther.shadowed;
                    shadowed.push(farther.scope);
                }
                let (id, owner, kind) = (own.id, own.owner.clone(), kind.clone());
                view.insert(kind.name, Seen { id, scope, owner, kind, shadowed });
            }
        }
        view.retain(|_, seen| {
            let admits = |filter: &Narrow| filter.admits(&seen.kind, self.owner_name(&seen.owner));
            let of_owner =
                self.scopes.iter().flat_map(|scope| &scope.registered).all(|any| match &any.what {
                    What::OwnersFilter(filter) => any.owner != seen.owner || admits(filter),
                    _ => true,
                });
            let of_scope = self.own(scope).all(|own| match &own.what {
                What::Filter(filter) => admits(filter),
                _ => true,
            });
            of_owner && of_scope
        });
        view
    }

    /// The rules of the chain.
    fn rules(&self, scope: usize) -> Vec<(u64, &From)> {
        let registered = self.chain(scope).into_iter().flat_map(|scope| self.own(scope));
        registered
            .filter_map(|any| match &any.what {
                What::Rule(rule) => Some((any.id, rule)),
                _ => None,
            })
            .collect()
    }

    /// S9: the nearest, and of one scope the last.
    pub(super) fn level(&self, scope: usize) -> Option<Level> {
        let levels = self.chain(scope).into_iter().flat_map(|scope| self.own(scope));
        let levels = levels.filter_map(|any| match &any.what {
            What::Level(level) => Some(*level),
            _ => None,
        });
        levels.last()
    }

    /// S4: what the rules of the chain show of the view.
    pub(super) fn visible(&self, scope: usize, level: Option<Level>) -> Seens {
        let level = level.or_else(|| self.level(scope));
        let mut view = self.view(scope);
        view.retain(|_, seen| self.rules(scope).iter().all(|(_, rule)| rule.shows(&seen.kind, level)));
        view
    }

    pub(super) fn step(&self, scope: usize, level: Option<Level>) -> Step {
        let asked = self.rules(scope).into_iter().map(|(id, _)| id).collect();
        Step { scope, level, listed: self.visible(scope, level), asked }
    }

    /// P7: what a call of a step may run is listed by it and still there, itself or its like; rules that came since hide.
    pub(super) fn callable(&self, step: &Step) -> Seens {
        let level = step.level.or_else(|| self.level(step.scope));
        let plugin = |owner: &Owner| match owner {
            Owner::Scope(_) => None,
            Owner::Plugin(_, name) => Some(*name),
        };
        let mut view = self.view(step.scope);
        view.retain(|name, seen| {
            let listed = step.listed.get(name);
            // D1: a fingerprint is over all that a model sees, and more, but not over tags.
            let told = |seen: &Seen| (Kind { tags: Vec::new(), ..seen.kind.clone() }, plugin(&seen.owner));
            let is_like = |listed: &Seen| listed.id == seen.id || told(listed) == told(seen);
            listed.is_some_and(is_like)
                && self
                    .rules(step.scope)
                    .iter()
                    .all(|(id, rule)| step.asked.contains(id) || rule.shows(&seen.kind, level))
        });
        view
    }

    /// Registers something.
    pub(super) fn bring(&mut self, scope: usize, owner: &Owner, what: &Brought) -> Result<Came, Vec<String>> {
        let mut fault = None;
        let whats = match what {
            Brought::Tools(kinds) => {
                let faults = self.tool_faults(scope, owner, kinds);
                if !faults.is_empty() {
                    return Err(faults);
                }
                kinds.iter().cloned().map(What::Tool).collect()
            }
            Brought::Restriction(names, lenient) => {
                match self.restriction_fault(scope, names) {
                    None => {}
                    Some(error) if *lenient && error != RestrictionError::Global => fault = Some(error),
                    Some(error) => return Err(vec![error.to_string()]),
                }
                vec![What::Restriction(names.clone())]
            }
            Brought::Filter(filter) => vec![What::Filter(filter.clone())],
            Brought::OwnersFilter(filter) => vec![What::OwnersFilter(filter.clone())],
            Brought::Rule(rule) => vec![What::Rule(rule.clone())],
            Brought::Level(level) => vec![What::Level(Level(*level))],
        };
        // A filter of an owner stands in no scope that could go.
        let scope = if matches!(what, Brought::OwnersFilter(_)) { 0 } else { scope };
        let mut ids = Vec::new();
        for what in whats {
            ids.push(self.next);
            self.scopes[scope].registered.push(Registered { id: self.next, owner: owner.clone(), what });
            self.next += 1;
        }
        Ok(Came { ids, fault })
    }

    fn tool_faults(&self, scope: usize, owner: &Owner, kinds: &[Kind]) -> Vec<String> {
        let own = self.owner_name(owner);
        let again = |name: &str| format!("again {name} {own}");
        let mut names = BTreeSet::new();
        let (first, twice): (Vec<&Kind>, Vec<&Kind>) = kinds.iter().partition(|kind| names.insert(kind.name));
        let fault = |kind: &Kind| match self.own_tool(scope, kind.name) {
            Some(other) if other.owner == *owner => Some(again(kind.name)),
            Some(other) => Some(format!("taken {} {} {own}", kind.name, self.owner_name(&other.owner))),
            None if kind.tells && self.level(scope).is_none() => {
                Some(format!("state {} {}", kind.name, self.scopes[scope].name))
            }
            None => None,
        };
        let twice = twice.iter().map(|kind| again(kind.name));
        let mut faults: Vec<String> = twice.chain(first.into_iter().filter_map(fault)).collect();
        faults.sort();
        faults
    }

    /// S5.
    fn restriction_fault(&self, scope: usize, names: &Names) -> Option<RestrictionError> {
        let Some(parent) = self.scopes[scope].parent else { return Some(RestrictionError::Global) };
        let inherited = self.view(parent);
        let known: Vec<String> = inherited.keys().map(|name| (*name).to_owned()).collect();
        if names.allow.is_none() && names.deny.is_empty() {
            return Some(RestrictionError::Empty { known });
        }
        let all: BTreeSet<&str> = names.allow.iter().flatten().chain(&names.deny).copied().collect();
        let is_own = |name: &&str| self.own_tool(scope, name).is_some();
        let wrong: Vec<&str> =
            all.into_iter().filter(|name| is_own(name) || !inherited.contains_key(name)).collect();
        if wrong.is_empty() {
            return None;
        }
        let own = wrong.iter().copied().filter(is_own).map(str::to_owned).collect();
        let names = wrong.into_iter().map(str::to_owned).collect();
        Some(RestrictionError::Unknown { names, own, known })
    }

    pub(super) fn has(&self, ids: &[u64]) -> bool {
        self.scopes.iter().flat_map(|scope| &scope.registered).any(|any| ids.contains(&any.id))
    }

    pub(super) fn remove(&mut self, ids: &[u64]) -> bool {
        let had = self.has(ids);
        for scope in &mut self.scopes {
            scope.registered.retain(|any| !ids.contains(&any.id));
        }
        had
    }

    /// Takes away all that an owner brought; how many things that was.
    pub(super) fn unload(&mut self, owner: &Owner) -> usize {
        let mut count = 0;
        for scope in &mut self.scopes {
            let before = scope.registered.len();
            scope.registered.retain(|any| any.owner != *owner);
            count += before - scope.registered.len();
        }
        count
    }

    /// Numbers are given once, to what was given up, too.
    pub(super) fn counts_on_from(&mut self, other: &Self) {
        self.next = other.next;
    }
}

/// What was registered.
pub(super) struct Came {
    pub(super) ids: Vec<u64>,
    pub(super) fault: Option<RestrictionError>,
}
