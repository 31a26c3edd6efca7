//! Why a scope sees a tool or does not, for operators. Nothing of it reaches a model.

use std::fmt;
use std::sync::Arc;

use super::entry::Entry;
use super::filter::Filter;
use super::layer::{Item, What};
use super::scope::Scope;
use super::step::context;
use crate::tool::Values;

/// Why a scope sees a tool or does not: see [`Scope::why`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Why {
    /// The name.
    pub name: String,
    /// The tool that is behind the name, if the scope sees it.
    pub seen: Option<Layered>,
    /// What stands or stood behind the name, farthest scope first, and what hides it.
    pub steps: Vec<WhyStep>,
}

/// A tool in the scope that it is registered in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layered {
    /// The scope's name.
    pub scope: String,
    /// Who brought it.
    pub owner: String,
    /// Where it is written, if the compiler saw it.
    pub place: String,
}

/// One thing that happens to a name on the way from the global scope to the one that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyStep {
    /// A scope has a tool of the name.
    Registered(Layered),
    /// A nearer scope has one, too, and hides the farther one.
    Shadows {
        /// The nearer one.
        by: Layered,
        /// The farther one.
        hidden: Layered,
    },
    /// A rule hides what the name stood for until then.
    Hidden {
        /// The scope in which the rule stands.
        scope: String,
        /// Who brought the rule.
        owner: String,
        /// What the rule says.
        rule: String,
    },
}

impl Why {
    /// The tools that the one seen hides by its name.
    pub fn shadowed(&self) -> impl Iterator<Item = &Layered> {
        // What was hidden before it came, it does not hide.
        let hidden = self.steps.iter().rposition(|step| matches!(step, WhyStep::Hidden { .. }));
        self.steps.iter().skip(hidden.map_or(0, |place| place + 1)).filter_map(|step| match step {
            WhyStep::Shadows { hidden, .. } => Some(hidden),
            _ => None,
        })
    }
}

impl fmt::Display for Layered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scope `{}`, by `{}` ({})", self.scope, self.owner, self.place)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.seen {
            Some(seen) => write!(f, "`{}` is seen: {seen}", self.name)?,
            None if self.steps.is_empty() => {
                write!(f, "`{}` is not seen: no scope on the way has it", self.name)?;
            }
            None => write!(f, "`{}` is not seen", self.name)?,
        }
        for step in &self.steps {
            match step {
                WhyStep::Registered(tool) => write!(f, "\n- registered in {tool}")?,
                WhyStep::Shadows { by, hidden } => write!(f, "\n- {by} shadows {hidden}")?,
                WhyStep::Hidden { scope, owner, rule } => {
                    write!(f, "\n- hidden in scope `{scope}`, by `{owner}`: {rule}")?;
                }
            }
        }
        Ok(())
    }
}

impl Scope {
    /// Why the scope sees a tool or does not, for operators: who registered it, what shadows it, what hides it.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, Restriction, tool};
    ///
    /// /// Deletes a file.
    /// #[tool]
    /// fn delete() {}
    ///
    /// let registry = Registry::builder().register::<delete>().build()?;
    /// let agent = registry.scope("agent");
    /// agent.restrict(Restriction::deny(["delete"]))?;
    /// let why = agent.why("delete").to_string();
    /// assert!(why.ends_with("hidden in scope `agent`, by `agent`: restriction: deny `delete`"), "{why}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn why(&self, name: &str) -> Why {
        self.why_with(name, &Values::new())
    }

    /// The same for a conversation with values of its own.
    pub fn why_with(&self, name: &str, values: &Values) -> Why {
        let (chain, seen) = self.node.chain_at_once();
        let mut steps = Vec::new();
        let mut current: Option<(Layered, Arc<Entry>)> = None;
        let mut owners: Vec<(u64, String, Filter)> = Vec::new();
        let mut rules: Vec<(String, Arc<Item>)> = Vec::new();
        for (node, state) in &chain {
            let hidden = |owner: &str, rule: String| WhyStep::Hidden {
                scope: node.name.to_string(),
                owner: owner.to_owned(),
                rule,
            };
            for item in state.items() {
                if let What::Restriction(restriction) = &*item.what
                    && current.is_some()
                    && !restriction.admits(name)
                {
                    steps.push(hidden(&item.owner.name, format!("restriction: {restriction}")));
                    current = None;
                }
                if let What::OwnersFilter(filter) = &*item.what {
                    owners.push((item.owner.id, item.owner.name.to_string(), filter.clone()));
                }
                if let What::Visibility(_) = &*item.what {
                    rules.push((node.name.to_string(), Arc::clone(item)));
                }
            }
            if let Some(entry) = state.tool(name) {
                let own = Layered {
                    scope: node.name.to_string(),
                    owner: entry.owner.name.to_string(),
                    place: entry.place(),
                };
                steps.push(match current.take() {
                    Some((farther, _)) => WhyStep::Shadows { by: own.clone(), hidden: farther },
                    None => WhyStep::Registered(own.clone()),
                });
                let narrowed =
                    owners.iter().find(|(id, _, filter)| *id == entry.owner.id && !filter.admits(entry));
                match narrowed {
                    Some((_, owner, filter)) => {
                        steps.push(hidden(owner, format!("the owner's filter: {filter}")));
                    }
                    None => current = Some((own, Arc::clone(entry))),
                }
            }
            for item in state.items() {
                if let What::Filter(filter) = &*item.what
                    && current.as_ref().is_some_and(|(_, entry)| !filter.admits(entry))
                {
                    steps.push(hidden(&item.owner.name, format!("filter: {filter}")));
                    current = None;
                }
            }
        }
        let context = context(&self.node, &seen, values);
        for (scope, item) in rules {
            let Some((_, entry)) = &current else { break };
            let rule = match item.shows(entry.tool().definition(), &context) {
                Some(true) => continue,
                Some(false) => "a visibility rule",
                None => "a visibility rule, which panicked",
            };
            let owner = item.owner.name.to_string();
            steps.push(WhyStep::Hidden { scope, owner, rule: rule.to_owned() });
            current = None;
        }
        Why { name: name.to_owned(), seen: current.map(|(layered, _)| layered), steps }
    }
}
