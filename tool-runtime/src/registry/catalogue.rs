//! A scope's tools for people.

use super::scope::Scope;
use crate::definition::{Effect, Origin, ToolDefinition};

/// One tool of a scope, for people: see [`Scope::catalogue`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CatalogueEntry {
    /// Its name.
    pub name: String,
    /// The first line of its description.
    pub line: String,
    /// Who brought it: a plugin, or the scope it is registered in.
    pub owner: String,
    /// Where it comes from.
    pub origin: Origin,
    /// What it does to the world.
    pub effect: Effect,
    /// Short marks, sorted: `background`, `deferred`, `idempotent`, `shadows`.
    pub badges: Vec<&'static str>,
}

impl Scope {
    /// The tools that the scope sees, for people: sorted by name, a line each.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, tool};
    ///
    /// /// Tells the time.
    /// ///
    /// /// In UTC.
    /// #[tool(effect = read)]
    /// fn now() {}
    ///
    /// let registry = Registry::builder().register::<now>().build()?;
    /// let catalogue = registry.scope("agent").catalogue();
    /// assert_eq!(catalogue[0].line, "Tells the time.");
    /// assert_eq!(catalogue[0].badges, ["idempotent"]);
    /// # Ok::<(), tool_runtime::registry::RegistryError>(())
    /// ```
    pub fn catalogue(&self) -> Vec<CatalogueEntry> {
        let view = self.definitions();
        view.entries()
            .map(|entry| {
                let definition = entry.tool().definition();
                CatalogueEntry {
                    name: definition.name().to_owned(),
                    line: definition.description().trim().lines().next().unwrap_or_default().to_owned(),
                    owner: definition.owner().unwrap_or(&entry.owner.name).to_owned(),
                    origin: definition.origin().clone(),
                    effect: definition.effect(),
                    badges: badges(definition, self.why(definition.name()).shadowed().next().is_some()),
                }
            })
            .collect()
    }
}

fn badges(definition: &ToolDefinition, shadows: bool) -> Vec<&'static str> {
    [
        ("background", definition.background() == Some(true)),
        ("deferred", definition.deferred() == Some(true)),
        ("idempotent", definition.is_idempotent()),
        ("shadows", shadows),
    ]
    .into_iter()
    .filter_map(|(badge, holds)| holds.then_some(badge))
    .collect()
}
