//! Tools made of other tools: another name, another description, fewer arguments.
//!
//! Architecture invariant: a derived tool checks what it is sent against its own schema before anything of the first one
//! sees it, so that what is fixed or left out cannot be sent.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Failure, Reading, Receiver, Tool, ToolHandle, ToolSpec};
use crate::arguments::{ReadOptions, TextError, read_arguments};
use crate::definition::{NameError, SchemaSource, Schemas, Told, ToolDefinition, ToolName};
use crate::value::{canonical, nearest};

/// What a derived tool adds to the arguments that it is sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Bound {
    fixed: Map<String, Value>,
    /// What nobody can send, even where the schema lets other properties pass.
    hidden: Vec<String>,
}

/// Why a tool cannot be made of another.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// The name is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The description says nothing.
    #[error("tool `{tool}` would have no description; say what it does, models choose by it")]
    Description {
        /// The tool.
        tool: String,
    },
    /// The tool has no such argument.
    #[error("tool `{tool}` has no argument `{argument}`{}", near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// The tool.
        tool: String,
        /// The argument.
        argument: String,
        /// An argument of a similar name.
        near: Option<String>,
    },
    /// No tool of a set has such an argument.
    #[error("no tool of the set has an argument `{argument}`{}", near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Nowhere {
        /// The argument.
        argument: String,
        /// An argument of a similar name.
        near: Option<String>,
    },
    /// The schema refuses the value.
    #[error("argument `{argument}` of tool `{tool}` cannot be fixed: {reason}")]
    Value {
        /// The tool.
        tool: String,
        /// The argument.
        argument: String,
        /// What is wrong with the value.
        reason: String,
    },
    /// The tool cannot do without the argument.
    #[error("tool `{tool}` cannot do without argument `{argument}`; fix it by `with_fixed_argument`")]
    Required {
        /// The tool.
        tool: String,
        /// The argument.
        argument: String,
    },
    /// There is no such tool.
    #[error("there is no tool `{tool}`{}", near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Missing {
        /// The name.
        tool: String,
        /// A tool of a similar name.
        near: Option<String>,
    },
    /// Two tools would have one name.
    #[error("two tools would be called `{tool}`; rename one before")]
    Twice {
        /// The name.
        tool: String,
    },
}

impl Tool {
    /// A tool by its handle.
    pub fn of<T: ToolHandle>() -> Self {
        Self::of_spec(T::SPEC, None)
    }

    pub(super) fn of_spec(spec: &'static ToolSpec, receiver: Option<Receiver>) -> Self {
        Self::named(spec, ToolName::checked(spec.name), receiver)
    }

    fn retold(mut self, change: impl FnOnce(&mut Told)) -> Self {
        let mut told = self.definition().told().clone();
        change(&mut told);
        self.definition = self.definition.retold(told);
        self
    }

    /// The same tool under another name.
    ///
    /// # Errors
    /// Returns [`DeriveError::Name`] if the name is none.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Tool, tool};
    ///
    /// /// Tells the time.
    /// #[tool(effect = read)]
    /// fn now() {}
    ///
    /// let tool = Tool::of::<now>().renamed("clock")?.prefixed("my_")?;
    /// assert_eq!(tool.name(), "my_clock");
    /// # Ok::<(), tool_runtime::DeriveError>(())
    /// ```
    pub fn renamed(self, name: impl Into<String>) -> Result<Self, DeriveError> {
        let name = ToolName::new(name)?;
        Ok(self.retold(|told| told.name = name))
    }

    /// The same tool with something before its name.
    ///
    /// # Errors
    /// Returns [`DeriveError::Name`] if the whole is no name.
    pub fn prefixed(self, prefix: impl AsRef<str>) -> Result<Self, DeriveError> {
        let name = format!("{}{}", prefix.as_ref(), self.name());
        self.renamed(name)
    }

    /// The same tool with another description.
    ///
    /// # Errors
    /// Returns [`DeriveError::Description`] if it says nothing.
    pub fn described(self, description: impl Into<String>) -> Result<Self, DeriveError> {
        let description = description.into();
        if description.trim().is_empty() {
            return Err(DeriveError::Description { tool: self.name().to_owned() });
        }
        Ok(self.retold(|told| told.description = Cow::Owned(description)))
    }

    /// The same tool with one argument fixed: it is not in the schema, and nobody can send it.
    ///
    /// # Errors
    /// Returns [`DeriveError`] if the tool has no such argument, or its schema refuses the value.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, Tool, ToolCall, tool};
    ///
    /// /// Greets somebody.
    /// #[tool(effect = read)]
    /// fn greet(
    ///     /// The greeting.
    ///     greeting: &str,
    ///     /// Who to greet.
    ///     name: &str,
    /// ) -> String {
    ///     format!("{greeting}, {name}!")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let welcome = Tool::of::<greet>().renamed("welcome")?.with_fixed_argument("greeting", "Welcome")?;
    /// let registry = Registry::builder().tool(welcome).build()?;
    /// let result = registry.call(ToolCall::new("1", "welcome", r#"{"name":"Ada"}"#)).await;
    /// assert_eq!(result.text(), r#""Welcome, Ada!""#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_fixed_argument(
        self,
        argument: impl AsRef<str>,
        value: impl Serialize,
    ) -> Result<Self, DeriveError> {
        let argument = argument.as_ref();
        let refused = |reason: String| DeriveError::Value {
            tool: self.name().to_owned(),
            argument: argument.to_owned(),
            reason,
        };
        let value = serde_json::to_value(value).map_err(|error| refused(error.to_string()))?;
        self.knows(argument)?;
        let schema = self.definition().input_schema();
        if let Some(fault) = schema.fault_of_property(argument, &value) {
            return Err(refused(fault));
        }
        self.without_property(argument, Some(value))
    }

    /// The same tool without one argument that it can do without: it is not in the schema, and nobody can send it.
    ///
    /// # Errors
    /// Returns [`DeriveError`] if the tool has no such argument, or cannot do without it.
    pub fn without_argument(self, argument: impl AsRef<str>) -> Result<Self, DeriveError> {
        let argument = argument.as_ref();
        self.knows(argument)?;
        if self.definition().input_schema().requires(argument) {
            return Err(DeriveError::Required {
                tool: self.name().to_owned(),
                argument: argument.to_owned(),
            });
        }
        self.without_property(argument, None)
    }

    fn knows(&self, argument: &str) -> Result<(), DeriveError> {
        let schema = self.definition().input_schema();
        let names: Vec<&str> = schema.property_names().collect();
        if names.contains(&argument) {
            return Ok(());
        }
        Err(DeriveError::Unknown {
            tool: self.name().to_owned(),
            argument: argument.to_owned(),
            near: nearest(argument, names).map(str::to_owned),
        })
    }

    fn without_property(mut self, argument: &str, fixed: Option<Value>) -> Result<Self, DeriveError> {
        let input = self.definition().input_schema().without_property(argument).map_err(|reason| {
            DeriveError::Value { tool: self.name().to_owned(), argument: argument.to_owned(), reason }
        })?;
        let schemas = Schemas { input, output: self.definition().output_schema().cloned() };
        let told = self.definition().told().clone();
        let derived = ToolDefinition::new(told, SchemaSource::Made(schemas));
        let first = std::mem::replace(&mut self.definition, derived);
        self.inner.get_or_insert(first);
        let mut bound = self.bound.as_deref().cloned().unwrap_or_default();
        bound.hidden.push(argument.to_owned());
        bound.fixed.extend(fixed.map(|value| (argument.to_owned(), value)));
        self.bound = Some(Arc::new(bound));
        Ok(self)
    }

    /// Whether arguments are added to those that are sent.
    #[inline]
    pub(crate) fn is_derived(&self) -> bool {
        self.bound.is_some()
    }

    /// The arguments as the first tool is to see them; `None` where they are what was sent.
    ///
    /// # Errors
    /// Returns the text that names every fault.
    pub(crate) fn bound(&self, text: &str, reading: &Reading) -> Result<Option<String>, Failure> {
        let Some(bound) = &self.bound else { return Ok(None) };
        let options = ReadOptions::for_tool(self.name()).repair(reading.repair).defaults(false);
        let read = read_arguments(text, self.definition().input_schema(), options).map_err(|error| {
            let is_limit = error.text_error().is_some_and(TextError::is_limit);
            let failure = if is_limit { Failure::Limit } else { Failure::Arguments };
            failure(error.text())
        })?;
        reading.note(read.repairs);
        let mut value = read.value;
        if let Value::Object(members) = &mut value {
            let mut faults = String::new();
            for name in bound.hidden.iter().filter(|name| members.contains_key(*name)) {
                faults.push_str("\n- unknown property \"/");
                faults.push_str(name);
                faults.push('"');
            }
            if !faults.is_empty() {
                let example = self.definition().input_schema().example_text();
                return Err(Failure::Arguments(format!(
                    "Error: invalid arguments for \"{}\":{faults}\nCall it like: {example}",
                    self.name()
                )));
            }
            members.extend(bound.fixed.clone());
        }
        Ok(Some(canonical(&value)))
    }
}
