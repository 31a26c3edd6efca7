//! The model and the registry side by side, over random changes of random trees.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tool_runtime::registry::{Change, Handle, LoadError, Owner};
use tool_runtime::{Registry, Scope, Step, ToolCall, Values};

use super::compare::{answers, at_once, faults, lists};
use super::model::{self, Came, Model, Seen};
use super::words::{Brought, End, Level, NAMES, Op, Part, op};

const PLUGINS: [&str; 2] = ["p0", "p1"];

/// The registry, the model, and what is held of both.
struct World {
    registry: Registry,
    model: Model,
    /// By the model's numbers; `None` where it was let go of.
    scopes: Vec<Option<Scope>>,
    plugins: Vec<(Owner, model::Owner)>,
    handles: Vec<(Handle, Vec<u64>)>,
    steps: [Option<(Step, model::Step)>; 2],
    n_plugins: u64,
    /// What every scope was told of its changes, if it is; by that it knows its listing.
    told: Option<Arc<Mutex<Told>>>,
    known: BTreeMap<usize, BTreeSet<String>>,
}

/// Changes, each with its scope.
type Told = Vec<(usize, Change)>;

/// What a set-up panics with, so that it is known from a test that fails.
struct GaveUp;

impl World {
    fn new(told: bool) -> Self {
        let registry = Registry::builder().build().expect("nothing is wrong with nothing");
        let scopes = vec![Some(registry.global().clone())];
        let mut world = Self {
            registry,
            model: Model::new(),
            scopes,
            plugins: Vec::new(),
            handles: Vec::new(),
            steps: [None, None],
            n_plugins: 0,
            told: told.then(Arc::default),
            known: BTreeMap::new(),
        };
        world.listen(0);
        world.plugins = (0..PLUGINS.len()).map(|idx| world.plugin(idx)).collect();
        world
    }

    fn listen(&mut self, idx: usize) {
        let (Some(told), Some(scope)) = (&self.told, &self.scopes[idx]) else { return };
        self.known.insert(idx, self.model.view(idx).into_keys().map(str::to_owned).collect());
        let told = Arc::clone(told);
        let tell = move |change: &Change| told.lock().expect("nobody panics").push((idx, change.clone()));
        scope.on_change(tell).expect("nothing is wrong with it");
    }

    /// Compares what the scopes were told with what they see, the rules aside.
    fn hear(&mut self) {
        let Some(told) = &self.told else { return };
        for (idx, change) in std::mem::take(&mut *told.lock().expect("nobody panics")) {
            let known = self.known.entry(idx).or_default();
            assert!(change.added.into_iter().all(|name| known.insert(name)));
            assert!(change.removed.iter().all(|name| known.remove(name)));
            assert!(change.changed.iter().all(|name| known.contains(name)));
        }
        for idx in (0..self.scopes.len()).filter(|idx| self.scopes[*idx].is_some()) {
            let expected: Vec<&str> = self.model.view(idx).into_keys().collect();
            assert_eq!(self.known[&idx].iter().map(String::as_str).collect::<Vec<_>>(), expected);
        }
    }

    fn plugin(&mut self, idx: usize) -> (Owner, model::Owner) {
        self.n_plugins += 1;
        (self.registry.owner(PLUGINS[idx]), model::Owner::Plugin(self.n_plugins, PLUGINS[idx]))
    }

    /// A scope that is held still.
    fn held(&self, idx: usize) -> (usize, Scope) {
        let held: Vec<usize> = (0..self.scopes.len()).filter(|scope| self.scopes[*scope].is_some()).collect();
        let scope = held[idx % held.len()];
        (scope, self.scopes[scope].clone().expect("it is held"))
    }

    fn apply(&mut self, op: Op) {
        match op {
            Op::Scope { parent } => {
                if self.scopes.len() < 8 {
                    let (parent, scope) = self.held(parent);
                    let child = self.model.child(parent);
                    self.scopes.push(Some(scope.scope(&self.model.scopes[child].name)));
                    self.listen(child);
                }
            }
            Op::DropScope { scope } => {
                let (scope, _) = self.held(scope);
                if scope > 0 {
                    self.scopes[scope] = None;
                    self.model.let_go(scope);
                }
            }
            Op::Bring { scope, plugin, what } => {
                let (idx, scope) = self.held(scope);
                let plugin = plugin.map(|plugin| &self.plugins[plugin % PLUGINS.len()]);
                let (by, owner) = match plugin {
                    Some((owner, by)) => (by.clone(), Some(owner.clone())),
                    None => (model::Owner::Scope(idx), None),
                };
                if let Some(came) = bring(&mut self.model, idx, &scope, &by, owner.as_ref(), &what) {
                    self.handles.push(came);
                }
            }
            Op::Remove { handle, guard } => {
                if self.handles.is_empty() {
                    return;
                }
                let (handle, ids) = &self.handles[handle % self.handles.len()];
                assert_eq!(handle.is_live(), self.model.has(ids));
                let had = self.model.remove(ids);
                if guard {
                    drop(handle.clone().into_guard());
                } else {
                    assert_eq!(handle.remove(), had);
                }
                assert!(!handle.is_live() && !handle.remove());
            }
            Op::Unload { plugin } => {
                let (owner, by) = &self.plugins[plugin % PLUGINS.len()];
                assert_eq!(owner.remove(), self.model.unload(by));
            }
            Op::DropPlugin { plugin } => {
                let plugin = plugin % PLUGINS.len();
                let another = self.plugin(plugin);
                let (owner, by) = std::mem::replace(&mut self.plugins[plugin], another);
                drop(owner);
                self.model.unload(&by);
            }
            Op::Reload { plugin, parts, end } => self.reload(plugin % PLUGINS.len(), &parts, end),
            Op::Step { scope, level, slot } => {
                self.drop_step(slot);
                let (idx, scope) = self.held(scope);
                let level = level.map(Level);
                let values = level.map_or_else(Values::new, |level| Values::new().with(level));
                self.model.scopes[idx].holders += 1;
                self.steps[slot] = Some((scope.step_with(values), self.model.step(idx, level)));
            }
            Op::DropStep { slot } => self.drop_step(slot),
        }
    }

    fn drop_step(&mut self, slot: usize) {
        if let Some((step, model)) = self.steps[slot].take() {
            drop(step);
            self.model.let_go(model.scope);
        }
    }

    /// Every part is tried, whatever became of those before it; a part that fails leaves nothing.
    fn reload(&mut self, plugin: usize, parts: &[Part], end: End) {
        let (owner, by) = self.plugins[plugin].clone();
        let mut next = self.model.clone();
        next.unload(&by);
        let mut handles = Vec::new();
        let (world, staged) = (&*self, &mut handles);
        let set_up = |owner: &Owner| {
            for part in parts {
                let (idx, scope) = world.held(part.scope);
                if let Some((handle, ids)) = bring(&mut next, idx, &scope, &by, Some(owner), &part.what) {
                    assert!(handle.is_live());
                    if part.undone {
                        assert!(handle.remove() && !handle.is_live() && !handle.remove());
                        next.remove(&ids);
                    }
                    staged.push((handle, ids));
                }
                // Nothing of it is in force.
                lists(&scope.definitions(), &world.model.visible(idx, None), &world.model);
            }
            match end {
                End::Well => Ok(()),
                End::Error => Err("a slip"),
                End::Panic => resume_unwind(Box::new(GaveUp)),
            }
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| owner.reload(set_up)));
        match (outcome, end) {
            (Ok(Ok(())), End::Well) => self.model = next,
            (Ok(Err(LoadError::SetUp(error))), End::Error) if error.to_string() == "a slip" => {
                self.model.counts_on_from(&next)
            }
            (Err(panic), End::Panic) if panic.is::<GaveUp>() => self.model.counts_on_from(&next),
            (Err(panic), _) => resume_unwind(panic),
            (outcome, _) => panic!("ended {outcome:?}"),
        }
        self.handles.extend(handles);
    }

    /// Compares what one scope lists.
    fn look(&self, idx: usize) {
        let (idx, scope) = self.held(idx);
        lists(&scope.definitions(), &self.model.visible(idx, None), &self.model);
    }

    /// Compares all that there is to know of one scope.
    fn look_closely(&self, idx: usize) {
        let (idx, scope) = self.held(idx);
        let visible = self.model.visible(idx, None);
        lists(&scope.definitions(), &visible, &self.model);
        let level = self.model.level(idx);
        let catalogue = scope.catalogue();
        assert_eq!(catalogue.len(), visible.len());
        for (entry, seen) in catalogue.iter().zip(visible.values()) {
            assert_eq!((entry.name.as_str(), entry.effect), (seen.kind.name, seen.kind.effect));
            assert_eq!(entry.owner, self.model.owner_name(&seen.owner));
            assert_eq!(entry.badges.contains(&"shadows"), !seen.shadowed.is_empty(), "{}", entry.name);
        }
        for name in NAMES.into_iter().chain(["nothing"]) {
            let seen = visible.get(name);
            assert_eq!(scope.definition(name).is_some(), seen.is_some());
            assert_eq!(scope.tool(name).is_some(), seen.is_some());
            let why = scope.why(name);
            let place = |seen: &Seen| {
                let owner = self.model.owner_name(&seen.owner).to_owned();
                (self.model.scopes[seen.scope].name.clone(), owner)
            };
            assert_eq!(
                why.seen.as_ref().map(|layered| (layered.scope.clone(), layered.owner.clone())),
                seen.map(place),
                "{why}"
            );
            let shadowed: Vec<&str> = why.shadowed().map(|layered| layered.scope.as_str()).collect();
            let expected = seen.map(|seen| seen.shadowed.as_slice()).unwrap_or_default();
            let expected: Vec<&str> =
                expected.iter().map(|scope| self.model.scopes[*scope].name.as_str()).collect();
            assert_eq!(shadowed, expected, "{why}");
            answers(&at_once(scope.call(ToolCall::new("1", name, "{}"))), name, &visible, level);
            let asked = scope.permissions(&ToolCall::new("1", name, "{}"));
            match (&asked, seen) {
                (Ok(requests), Some(_)) => assert_eq!(requests.len(), 1),
                (Err(result), None) => answers(result, name, &visible, level),
                (asked, _) => panic!("{name}: {asked:?}"),
            }
        }
    }

    fn look_at_steps(&self) {
        for (step, model) in self.steps.iter().flatten() {
            lists(step.definitions(), &model.listed, &self.model);
            let callable = self.model.callable(model);
            let level = model.level.or_else(|| self.model.level(model.scope));
            for name in NAMES.into_iter().chain(["nothing"]) {
                assert_eq!(step.tool(name).is_some(), model.listed.contains_key(name));
                answers(&at_once(step.call(ToolCall::new("1", name, "{}"))), name, &callable, level);
            }
        }
    }
}

/// Registers something in both and compares what comes of it.
fn bring(
    model: &mut Model,
    idx: usize,
    scope: &Scope,
    by: &model::Owner,
    owner: Option<&Owner>,
    what: &Brought,
) -> Option<(Handle, Vec<u64>)> {
    let scope = owner.map_or_else(|| scope.clone(), |owner| scope.owned_by(owner));
    if owner.is_none() && matches!(what, Brought::OwnersFilter(_)) {
        return None;
    }
    let expected = model.bring(idx, by, what);
    let first = expected.as_ref().map_or(0, |came| came.ids[0]);
    let came = match what {
        Brought::Tools(kinds) => {
            let tools = kinds.iter().zip(first..).map(|(kind, serial)| kind.tool(serial));
            scope.register_tools(tools).map_err(|error| faults(&error))
        }
        Brought::Restriction(names, false) => {
            scope.restrict(names.made()).map_err(|error| vec![error.to_string()])
        }
        Brought::Restriction(names, true) => match scope.restrict_lenient(names.made()) {
            Ok((handle, fault)) => {
                assert_eq!(expected.as_ref().ok().map(|came| &came.fault), Some(&fault));
                Ok(handle)
            }
            Err(error) => Err(vec![error.to_string()]),
        },
        Brought::Filter(filter) => Ok(scope.filter(filter.made()).expect("the globs are ones")),
        Brought::OwnersFilter(filter) => Ok(owner?.filter(filter.made()).expect("the globs are ones")),
        Brought::Rule(rule) => Ok(scope.visibility(rule.made()).expect("nothing is wrong with it")),
        Brought::Level(level) => Ok(scope.state(Level(*level)).expect("nothing is wrong with it")),
    };
    match (came, expected) {
        (Ok(handle), Ok(Came { ids, .. })) => Some((handle, ids)),
        (Err(one), Err(other)) => {
            assert_eq!(one, other);
            None
        }
        (came, expected) => panic!("{came:?}, expected {:?}", expected.map(|came| came.ids)),
    }
}

fn agree(runs: u32) {
    let config = Config { cases: runs, failure_persistence: None, ..Config::default() };
    // Where it is looked, and how closely; what nobody looked at is made later and of more.
    let ops = prop::collection::vec((op(), 0..4_u8, 0..64_usize), 1..40);
    let outcome = TestRunner::new(config).run(&(prop::bool::weighted(0.3), ops), |(told, ops)| {
        let mut world = World::new(told);
        for (op, closely, scope) in ops {
            world.apply(op);
            world.hear();
            match closely {
                0 => {}
                1 => {
                    world.look_closely(scope);
                    world.look_at_steps();
                }
                _ => world.look(scope),
            }
        }
        (0..world.scopes.len()).for_each(|scope| world.look_closely(scope));
        world.look_at_steps();
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn registry_does_what_the_model_does() {
    agree(400);
}

/// `SCOPES_RUNS` says how many.
#[test]
#[ignore = "takes minutes; `cargo xtask soak` runs it"]
fn registry_does_what_the_model_does_for_long() {
    let runs = std::env::var("SCOPES_RUNS").ok().and_then(|runs| runs.parse().ok());
    agree(runs.unwrap_or(20_000));
}
