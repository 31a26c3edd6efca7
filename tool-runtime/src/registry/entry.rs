//! One registered tool, and who brought it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::definition::{NameError, ToolName};
use crate::error::Foreign;
use crate::tool::{Receiver, StateNeed, Tool, ToolSpec};

/// Who brings something into a registry: a plugin, or a scope for itself.
#[derive(Debug)]
pub(crate) struct Ownership {
    pub(crate) id: u64,
    pub(crate) name: Box<str>,
    /// Whether it is a plugin's: such a name stands on the definitions of what it brings.
    pub(crate) plugin: bool,
}

/// One registered tool.
pub(crate) struct Entry {
    pub(crate) id: u64,
    pub(crate) owner: Arc<Ownership>,
    /// The state that the body cannot do without.
    pub(crate) needs: Box<[StateNeed]>,
    source: Foreign<Source>,
}

enum Source {
    /// Made when it is first looked at.
    Spec {
        name: ToolName,
        spec: &'static ToolSpec,
        tool: OnceLock<Tool>,
    },
    Made(Tool),
}

/// A tool on its way into a registry.
pub(super) struct Candidate(Source);

impl Candidate {
    pub(super) fn of_spec(spec: &'static ToolSpec) -> Self {
        Self(Source::Spec { name: ToolName::checked(spec.name), spec, tool: OnceLock::new() })
    }

    pub(super) fn of_method(spec: &'static ToolSpec, receiver: Receiver) -> Self {
        Self(Source::Made(Tool::named(spec, ToolName::checked(spec.name), Some(receiver))))
    }

    pub(super) fn of_spec_as(spec: &'static ToolSpec, name: String) -> Result<Self, NameError> {
        let name = ToolName::new(name)?;
        Ok(Self(Source::Spec { name, spec, tool: OnceLock::new() }))
    }

    pub(super) fn made(tool: Tool) -> Self {
        Self(Source::Made(tool))
    }

    pub(super) fn name(&self) -> &str {
        self.0.name().as_str()
    }

    pub(super) fn spec(&self) -> Option<&'static ToolSpec> {
        self.0.spec()
    }

    pub(super) fn tool(&self) -> &Tool {
        self.0.tool()
    }

    pub(super) fn place(&self) -> String {
        place(self.spec())
    }

    pub(super) fn register(self, id: u64, owner: &Arc<Ownership>, needs: Box<[StateNeed]>) -> Entry {
        let source = match self.0 {
            // A plugin's name belongs on the definition, which is then one of its own.
            source if owner.plugin && source.tool().definition().owner().is_none() => {
                Source::Made(source.tool().clone().owned_by(&owner.name))
            }
            source => source,
        };
        Entry { id, owner: Arc::clone(owner), needs, source: Foreign::new(source) }
    }
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
            Self::Spec { name, spec, tool } => tool.get_or_init(|| Tool::named(spec, name.clone(), None)),
            Self::Made(tool) => tool,
        }
    }
}

impl Entry {
    pub(crate) fn name(&self) -> &str {
        self.source.name().as_str()
    }

    pub(super) fn tool_name(&self) -> &ToolName {
        self.source.name()
    }

    pub(crate) fn tool(&self) -> &Tool {
        self.source.tool()
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
