//! What is tried on scopes: tools, restrictions, filters, rules, and the changes that are made of them.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tool_runtime::registry::VisibilityContext;
use tool_runtime::{
    DynamicTool, Effect, Filter, Restriction, State, Tool, ToolDefinition, Tools, tool, toolset,
};

/// Near to each other and not, so that suggestions have something to choose from.
pub(super) const NAMES: [&str; 7] = ["alpha", "alphb", "beta", "bets", "gamma", "delta_x", "delta_y"];
pub(super) const TAGS: [&str; 2] = ["red", "blue"];
const GLOBS: [&str; 8] = ["*", "alph?", "delta_*", "beta", "*a", "b*s", "p?", "r*"];

/// State by which rules decide and which tools tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level(pub(super) u8);

/// Its tool is a method, since functions are collected, and a registry that collects has no level.
struct Teller;

#[toolset]
impl Teller {
    /// Tells the level.
    #[tool(effect = read, tags = ["red"])]
    fn tells_the_level(&self, level: State<Level>) -> String {
        format!("level {}", level.0)
    }
}

/// One tool, by what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Tools of one variant have one description.
    pub(super) variant: u8,
    pub(super) effect: Effect,
    pub(super) tags: Vec<&'static str>,
    /// Whether it needs state and tells it.
    pub(super) tells: bool,
}

impl Kind {
    pub(super) fn description(&self) -> String {
        if self.tells { "Tells the level.".to_owned() } else { format!("Is variant {}.", self.variant) }
    }

    /// The tool; a call of it tells `serial`, unless it tells the level.
    pub(super) fn tool(&self, serial: u64) -> Tool {
        if self.tells {
            let tool = Tools::of(Teller).get("tells_the_level").cloned();
            return tool.and_then(|tool| tool.renamed(self.name).ok()).expect("a tool and a name");
        }
        DynamicTool::new(self.name, self.description())
            .expect("a name and a description")
            .effect(self.effect)
            .tags(self.tags.clone())
            .typed(move |(): ()| async move { Ok::<String, std::io::Error>(format!("tool {serial}")) })
            .expect("no arguments")
    }
}

pub(super) fn kind() -> impl Strategy<Value = Kind> {
    let effect = prop::sample::select(vec![Effect::Read, Effect::Write, Effect::Exec]);
    let tags = prop::sample::subsequence(TAGS.to_vec(), 0..=2);
    (prop::sample::select(&NAMES[..]), 0..2_u8, effect, tags, prop::bool::weighted(0.15)).prop_map(
        |(name, variant, effect, tags, tells)| {
            if tells {
                Kind { name, variant: 0, effect: Effect::Read, tags: vec!["red"], tells }
            } else {
                Kind { name, variant, effect, tags, tells }
            }
        },
    )
}

/// A restriction, by what it says.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) allow: Option<BTreeSet<&'static str>>,
    pub(super) deny: BTreeSet<&'static str>,
}

impl Names {
    pub(super) fn made(&self) -> Restriction {
        match &self.allow {
            Some(allow) => Restriction::allow(allow.iter().copied()).and_deny(self.deny.iter().copied()),
            None => Restriction::deny(self.deny.iter().copied()),
        }
    }

    pub(super) fn admits(&self, name: &str) -> bool {
        self.allow.as_ref().is_none_or(|allow| allow.contains(name)) && !self.deny.contains(name)
    }
}

pub(super) fn names() -> impl Strategy<Value = Names> {
    let some = |most| prop::collection::btree_set(prop::sample::select(&NAMES[..]), 0..most);
    prop_oneof![
        some(5).prop_map(|allow| Names { allow: Some(allow), deny: BTreeSet::new() }),
        some(3).prop_map(|deny| Names { allow: None, deny }),
        (some(6), some(2)).prop_map(|(allow, deny)| Names { allow: Some(allow), deny }),
    ]
}

/// A filter, by what it says.
#[derive(Debug, Clone)]
pub(super) enum Narrow {
    Names(Vec<&'static str>),
    Effects(Vec<Effect>),
    Tags(Vec<&'static str>),
    Owners(Vec<&'static str>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Except(Box<Self>, Box<Self>),
    Not(Box<Self>),
}

impl Narrow {
    pub(super) fn made(&self) -> Filter {
        match self {
            Self::Names(globs) => Filter::names(globs),
            Self::Effects(effects) => Filter::effects(effects.iter().copied()),
            Self::Tags(globs) => Filter::tags(globs),
            Self::Owners(globs) => Filter::owners(globs),
            Self::And(one, other) => one.made().and(other.made()),
            Self::Or(one, other) => one.made().or(other.made()),
            Self::Except(one, other) => one.made().except(other.made()),
            Self::Not(inner) => inner.made().not(),
        }
    }

    pub(super) fn admits(&self, kind: &Kind, owner: &str) -> bool {
        let any = |globs: &[&str], text: &str| globs.iter().any(|glob| matches(glob, text));
        match self {
            Self::Names(globs) => any(globs, kind.name),
            Self::Effects(effects) => effects.contains(&kind.effect),
            Self::Tags(globs) => kind.tags.iter().any(|tag| any(globs, tag)),
            Self::Owners(globs) => any(globs, owner),
            Self::And(one, other) => one.admits(kind, owner) && other.admits(kind, owner),
            Self::Or(one, other) => one.admits(kind, owner) || other.admits(kind, owner),
            Self::Except(one, other) => one.admits(kind, owner) && !other.admits(kind, owner),
            Self::Not(inner) => !inner.admits(kind, owner),
        }
    }
}

/// `*` is any run of characters, `?` one.
fn matches(glob: &str, text: &str) -> bool {
    match (glob.chars().next(), text.chars().next()) {
        (None, None) => true,
        (Some('*'), None) => matches(&glob[1..], text),
        (Some('*'), Some(_)) => matches(&glob[1..], text) || matches(glob, &text[1..]),
        (Some(one), Some(other)) => (one == '?' || one == other) && matches(&glob[1..], &text[1..]),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

pub(super) fn narrow() -> impl Strategy<Value = Narrow> {
    let globs = || prop::collection::vec(prop::sample::select(&GLOBS[..]), 0..3);
    let effects = prop::sample::subsequence(vec![Effect::Read, Effect::Write, Effect::Exec], 1..=2);
    let leaf = prop_oneof![
        globs().prop_map(Narrow::Names),
        effects.prop_map(Narrow::Effects),
        prop::sample::subsequence(TAGS.to_vec(), 0..=2).prop_map(Narrow::Tags),
        globs().prop_map(Narrow::Owners),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let two = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            two().prop_map(|(one, other)| Narrow::And(one, other)),
            two().prop_map(|(one, other)| Narrow::Or(one, other)),
            two().prop_map(|(one, other)| Narrow::Except(one, other)),
            inner.clone().prop_map(|inner| Narrow::Not(Box::new(inner))),
        ]
    })
}

/// A visibility rule: tools of a tag are for a level at least so high. For the level 9 it panics.
#[derive(Debug, Clone)]
pub(super) struct From {
    pub(super) tag: &'static str,
    pub(super) level: u8,
}

impl From {
    pub(super) fn shows(&self, kind: &Kind, level: Option<Level>) -> bool {
        let level = level.map_or(0, |level| level.0);
        level != 9 && (!kind.tags.contains(&self.tag) || level >= self.level)
    }

    pub(super) fn made(&self) -> impl Fn(&ToolDefinition, &VisibilityContext<'_>) -> bool + use<> {
        let Self { tag, level } = *self;
        move |tool, cx| {
            let own = cx.value::<Level>().map_or(0, |level| level.0);
            if own == 9 {
                // Without the hook, which would write.
                std::panic::resume_unwind(Box::new(()));
            }
            !tool.tags().any(|other| other == tag) || own >= level
        }
    }
}

/// What is registered.
#[derive(Debug, Clone)]
pub(super) enum Brought {
    Tools(Vec<Kind>),
    Restriction(Names, bool),
    Filter(Narrow),
    /// In every scope; by a plugin alone.
    OwnersFilter(Narrow),
    Rule(From),
    Level(u8),
}

pub(super) fn brought() -> impl Strategy<Value = Brought> {
    prop_oneof![
        6 => prop::collection::vec(kind(), 1..4).prop_map(Brought::Tools),
        3 => (names(), prop::bool::ANY).prop_map(|(names, lenient)| Brought::Restriction(names, lenient)),
        2 => narrow().prop_map(Brought::Filter),
        1 => narrow().prop_map(Brought::OwnersFilter),
        1 => (prop::sample::select(&TAGS[..]), 0..4_u8).prop_map(|(tag, level)| Brought::Rule(From { tag, level })),
        1 => level().prop_map(Brought::Level),
    ]
}

fn level() -> impl Strategy<Value = u8> {
    prop_oneof![4 => 0..4_u8, 1 => Just(9)]
}

/// How a set-up ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Well,
    Error,
    Panic,
}

/// One registration of a set-up.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) scope: usize,
    pub(super) what: Brought,
    /// Whether it is taken back at once.
    pub(super) undone: bool,
}

/// One thing that happens. Numbers name what is there at the time, counted around.
#[derive(Debug, Clone)]
pub(super) enum Op {
    Scope { parent: usize },
    DropScope { scope: usize },
    Bring { scope: usize, plugin: Option<usize>, what: Brought },
    Remove { handle: usize, guard: bool },
    Unload { plugin: usize },
    DropPlugin { plugin: usize },
    Reload { plugin: usize, parts: Vec<Part>, end: End },
    Step { scope: usize, level: Option<u8>, slot: usize },
    DropStep { slot: usize },
}

pub(super) fn op() -> impl Strategy<Value = Op> {
    let index = || 0..64_usize;
    let plugin = || 0..2_usize;
    let part = (index(), brought(), prop::bool::weighted(0.1)).prop_map(|(scope, what, undone)| Part {
        scope,
        what,
        undone,
    });
    let end = prop_oneof![4 => Just(End::Well), 1 => Just(End::Error), 1 => Just(End::Panic)];
    prop_oneof![
        3 => index().prop_map(|parent| Op::Scope { parent }),
        1 => index().prop_map(|scope| Op::DropScope { scope }),
        12 => (index(), prop::option::weighted(0.4, plugin()), brought())
            .prop_map(|(scope, plugin, what)| Op::Bring { scope, plugin, what }),
        4 => (index(), prop::bool::ANY).prop_map(|(handle, guard)| Op::Remove { handle, guard }),
        1 => plugin().prop_map(|plugin| Op::Unload { plugin }),
        1 => plugin().prop_map(|plugin| Op::DropPlugin { plugin }),
        2 => (plugin(), prop::collection::vec(part, 0..5), end)
            .prop_map(|(plugin, parts, end)| Op::Reload { plugin, parts, end }),
        2 => (index(), prop::option::of(level()), 0..2_usize)
            .prop_map(|(scope, level, slot)| Op::Step { scope, level, slot }),
        1 => (0..2_usize).prop_map(|slot| Op::DropStep { slot }),
    ]
}
