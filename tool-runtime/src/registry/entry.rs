//! One registered tool, and who brought it.

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use super::runs::{Gone, Runs};
use crate::definition::{NameError, ToolName};
use crate::error::Foreign;
use crate::schema::SchemaError;
use crate::tool::{Receiver, StateNeed, Tool, ToolSpec};

/// Who brings something into a registry: a plugin, or a scope for itself.
#[derive(Debug)]
pub(crate) struct Ownership {
    pub(crate) id: u64,
    pub(crate) name: Box<str>,
    /// Of a plugin alone: its name stands on the definitions of what it brings, and calls of that are counted.
    pub(crate) plugin: Option<Arc<Gone>>,
}

/// One registered tool.
pub(crate) struct Entry {
    pub(crate) id: u64,
    pub(crate) owner: Arc<Ownership>,
    /// The state that the body cannot do without.
    pub(crate) needs: Box<[StateNeed]>,
    /// The calls of it that run, where it is a plugin's.
    pub(crate) runs: Option<Arc<Runs>>,
    source: Foreign<Source>,
}

enum Source {
    /// Made when it is first looked at, and apart from the entry, so that many that nobody looks at weigh little.
    Spec {
        name: ToolName,
        spec: &'static ToolSpec,
        tool: OnceLock<Box<Tool>>,
    },
    Made(Box<Tool>),
}

/// A tool on its way into a registry.
pub(super) struct Candidate(Kind);

enum Kind {
    Spec(ToolName, &'static ToolSpec),
    Made(Box<Tool>),
}

impl Candidate {
    pub(super) fn of_spec(spec: &'static ToolSpec) -> Self {
        Self(Kind::Spec(ToolName::checked(spec.name), spec))
    }

    pub(super) fn of_method(spec: &'static ToolSpec, receiver: Receiver) -> Self {
        Self::made(Tool::named(spec, ToolName::checked(spec.name), Some(receiver)))
    }

    pub(super) fn of_spec_as(spec: &'static ToolSpec, name: String) -> Result<Self, NameError> {
        Ok(Self(Kind::Spec(ToolName::new(name)?, spec)))
    }

    pub(super) fn made(tool: Tool) -> Self {
        Self(Kind::Made(Box::new(tool)))
    }

    pub(super) fn name(&self) -> &str {
        self.tool_name().as_str()
    }

    pub(super) fn tool_name(&self) -> &ToolName {
        match &self.0 {
            Kind::Spec(name, _) => name,
            Kind::Made(tool) => tool.definition().tool_name(),
        }
    }

    pub(super) fn spec(&self) -> Option<&'static ToolSpec> {
        match &self.0 {
            Kind::Spec(_, spec) => Some(spec),
            Kind::Made(tool) => tool.spec(),
        }
    }

    /// What is wrong with the tool's schemas, which are kept where they are right.
    pub(super) fn check(&mut self) -> Option<SchemaError> {
        if let Kind::Spec(name, spec) = &self.0 {
            self.0 = Kind::Made(Box::new(Tool::named(spec, name.clone(), None)));
        }
        match &self.0 {
            Kind::Spec(..) => None,
            Kind::Made(tool) => tool.definition().check().err(),
        }
    }

    pub(super) fn place(&self) -> String {
        place(self.spec())
    }

    pub(super) fn register(self, id: u64, owner: &Arc<Ownership>, needs: Box<[StateNeed]>) -> Entry {
        // A plugin's name belongs on the definition, which is then one of its own.
        let owned = |tool: Box<Tool>| {
            let is_new = owner.plugin.is_some() && tool.definition().owner().is_none();
            Source::Made(if is_new { Box::new(tool.owned_by(&owner.name)) } else { tool })
        };
        let runs = owner.plugin.as_ref().map(|gone| Runs::new(self.tool_name(), gone));
        let source = match self.0 {
            Kind::Spec(name, spec) if owner.plugin.is_some() => {
                owned(Box::new(Tool::named(spec, name, None)))
            }
            Kind::Spec(name, spec) => Source::Spec { name, spec, tool: OnceLock::new() },
            Kind::Made(tool) => owned(tool),
        };
        Entry { id, owner: Arc::clone(owner), needs, runs, source: Foreign::new(source) }
    }
}

/// A tool that a conversation itself offers, outside of every scope.
pub(crate) fn offered(tool: Tool) -> Arc<Entry> {
    let owner = Arc::new(Ownership { id: 0, name: "session".into(), plugin: None });
    Arc::new(Candidate::made(tool).register(0, &owner, Box::default()))
}

/// What stands in the place of a tool where there is none.
pub(crate) fn nothing() -> Arc<Entry> {
    static NOTHING: LazyLock<Arc<Entry>> = LazyLock::new(|| {
        let owner = Arc::new(Ownership { id: 0, name: "nobody".into(), plugin: None });
        Arc::new(Candidate::of_spec(&ToolSpec::STUB).register(0, &owner, Box::default()))
    });
    Arc::clone(&NOTHING)
}

impl Source {
    fn name(&self) -> &ToolName {
        match self {
            Self::Spec { name, .. } => name,
            Self::Made(tool) => tool.definition().tool_name(),
        }
    }

    fn spec(&self) -> Option<&'static ToolSpec> {
        match self {
            Self::Spec { spec, .. } => Some(spec),
            Self::Made(tool) => tool.spec(),
        }
    }

    fn tool(&self) -> &Tool {
        match self {
            Self::Spec { name, spec, tool } => {
                tool.get_or_init(|| Box::new(Tool::named(spec, name.clone(), None)))
            }
            Self::Made(tool) => tool,
        }
    }
}

impl Entry {
    #[inline]
    pub(crate) fn name(&self) -> &str {
        self.source.name().as_str()
    }

    #[inline]
    pub(crate) fn tool(&self) -> &Tool {
        self.source.tool()
    }

    /// Whether a conversation itself offers it.
    pub(crate) fn is_offered(&self) -> bool {
        self.id == 0
    }

    pub(super) fn spec(&self) -> Option<&'static ToolSpec> {
        self.source.spec()
    }

    pub(super) fn place(&self) -> String {
        place(self.spec())
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name())
            .field("owner", &self.owner.name)
            .finish_non_exhaustive()
    }
}

fn place(spec: Option<&'static ToolSpec>) -> String {
    spec.map_or_else(|| "made at run time".to_owned(), |spec| spec.location.to_string())
}
