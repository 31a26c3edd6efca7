//! Hooks: what looks at the outcome of every call before the model does.

use std::sync::Arc;

use serde_json::Value;

use crate::error::contained;
use crate::output::{CallOutput, ContentBlock};
use crate::registry::{Extension, ExtensionKind, Handle, RegistryError, Scope};
use crate::tool::CallContext;

/// What a result hook makes of an outcome.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum HookVerdict {
    /// Leaves it as it is.
    Accept,
    /// Puts another value in place of the tool's; it is checked against the output schema and shown as JSON text.
    Value(Value),
    /// Puts other content in place; the value stays.
    Content(Vec<ContentBlock>),
    /// Keeps the result from the model, which reads the feedback as an error of the tool.
    Block(String),
}

type ResultHook = Box<dyn Fn(&CallContext, &CallOutput) -> HookVerdict + Send + Sync>;
type ContentHook = Box<dyn Fn(&CallContext, Vec<ContentBlock>) -> Vec<ContentBlock> + Send + Sync>;

struct HeldResult(ResultHook);
struct HeldContent(ContentHook);

impl Scope {
    /// Has a function look at the outcome of every call of the scope and of those below it, failures included.
    ///
    /// One that panics blocks the result.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::execution::HookVerdict;
    /// use tool_runtime::{CallContext, CallOutput, Registry, ToolCall, tool};
    ///
    /// /// Reads a secret.
    /// #[tool(effect = read)]
    /// fn secret() -> String {
    ///     "swordfish".to_owned()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<secret>().build()?;
    /// registry.on_result(|_: &CallContext, output: &CallOutput| match output.text().contains("swordfish") {
    ///     true => HookVerdict::Block("the result was kept back".to_owned()),
    ///     false => HookVerdict::Accept,
    /// })?;
    /// let result = registry.call(ToolCall::new("1", "secret", "{}")).await;
    /// assert_eq!(result.text(), "Error: the result was kept back");
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_result(
        &self,
        hook: impl Fn(&CallContext, &CallOutput) -> HookVerdict + Send + Sync + 'static,
    ) -> Result<Handle, RegistryError> {
        self.extend(ExtensionKind::ResultHook, 0, Arc::new(HeldResult(Box::new(hook))))
    }

    /// Has a function change what models read of every call of the scope and of those below it: to redact, to cut.
    ///
    /// One that panics keeps all of the content back.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    pub fn on_content(
        &self,
        hook: impl Fn(&CallContext, Vec<ContentBlock>) -> Vec<ContentBlock> + Send + Sync + 'static,
    ) -> Result<Handle, RegistryError> {
        self.extend(ExtensionKind::ContentHook, 0, Arc::new(HeldContent(Box::new(hook))))
    }
}

pub(super) fn any(extensions: &[Extension]) -> bool {
    let hooks = [ExtensionKind::ResultHook, ExtensionKind::ContentHook];
    extensions.iter().any(|extension| hooks.contains(&extension.kind))
}

/// What the result hooks say, one after another, the farthest last.
pub(super) fn results(extensions: &[Extension]) -> impl Iterator<Item = &ResultHook> {
    extensions
        .iter()
        .rev()
        .filter(|extension| extension.kind == ExtensionKind::ResultHook)
        .filter_map(|extension| extension.value.downcast_ref::<HeldResult>())
        .map(|held| &held.0)
}

/// Lets every content hook change the content; `None` if one panicked.
pub(super) fn contents(
    extensions: &[Extension],
    call: &CallContext,
    mut content: Vec<ContentBlock>,
) -> Option<Vec<ContentBlock>> {
    for extension in extensions.iter().rev().filter(|extension| extension.kind == ExtensionKind::ContentHook)
    {
        if let Some(held) = extension.value.downcast_ref::<HeldContent>() {
            content = contained(|| (held.0)(call, content))?;
        }
    }
    Some(content)
}
