//! Gates and guards: what decides whether a call may run, before anything of its tool does.

use std::any::Any;
use std::sync::Arc;

use crate::error::contained;
use crate::registry::{Extension, ExtensionKind, Found, Handle, RegistryError, Scope};
use crate::tool::{BoxFuture, CallContext, Denied, PermissionRequest, Question};

/// The seam for policy, permission and approval: decides about calls, and about what bodies ask. Without one, every call may
/// run, and what a body asks a person nobody can answer.
pub trait Gate: Send + Sync + 'static {
    /// Whether the call may run: its arguments are valid, and these are the permissions that it needs.
    fn judge<'a>(
        &'a self,
        call: &'a CallContext,
        requests: &'a [PermissionRequest],
    ) -> BoxFuture<'a, Result<(), Denied>>;

    /// Whether it still may, right before its body starts.
    ///
    /// # Errors
    /// Returns why not.
    fn judge_again(&self, call: &CallContext) -> Result<(), Denied> {
        let _ = call;
        Ok(())
    }

    /// What a body asks while it runs.
    fn answer<'a>(
        &'a self,
        call: &'a CallContext,
        question: &'a Question,
    ) -> BoxFuture<'a, Result<(), Denied>> {
        let _ = (call, question);
        Box::pin(async { Err(Denied::Nobody) })
    }
}

struct HeldGate(Box<dyn Gate>);
struct HeldGuard(Guard);

type Guard = Box<dyn Fn(&CallContext) -> Option<String> + Send + Sync>;

impl Scope {
    /// Has a gate judge the calls of the scope and of those below it. Of several every one has to let a call pass.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    pub fn gate(&self, gate: impl Gate) -> Result<Handle, RegistryError> {
        self.extend(ExtensionKind::Gate, 0, Arc::new(HeldGate(Box::new(gate))))
    }

    /// Has a function look at every call of the scope and of those below it: a reason refuses the call, and so does a panic.
    ///
    /// # Errors
    /// Returns [`RegistryError`] if the set-up of the scope's owner was given up.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{CallContext, Registry, ToolCall, tool};
    ///
    /// /// Deletes everything.
    /// #[tool(effect = write)]
    /// fn delete_all() {}
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<delete_all>().build()?;
    /// registry.guard(|call: &CallContext| call.tool().starts_with("delete").then(|| "not on a Friday".to_owned()))?;
    /// let result = registry.call(ToolCall::new("1", "delete_all", "{}")).await;
    /// assert_eq!(result.text(), r#"Error: "delete_all" is not allowed: not on a Friday"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn guard(
        &self,
        guard: impl Fn(&CallContext) -> Option<String> + Send + Sync + 'static,
    ) -> Result<Handle, RegistryError> {
        self.extend(ExtensionKind::Guard, 0, Arc::new(HeldGuard(Box::new(guard))))
    }
}

/// Whether anything would judge a call.
pub(super) fn any(extensions: &[Extension]) -> bool {
    extensions.iter().any(|extension| matches!(extension.kind, ExtensionKind::Gate | ExtensionKind::Guard))
}

pub(super) fn has_gates(extensions: &[Extension]) -> bool {
    gates(extensions).next().is_some()
}

pub(super) fn gates(extensions: &[Extension]) -> impl Iterator<Item = &dyn Gate> + Send {
    extensions
        .iter()
        .filter(|extension| extension.kind == ExtensionKind::Gate)
        .filter_map(|extension| of(&extension.value))
}

/// The gates of what was found, as a registry holds them.
pub(super) fn held(found: &Found) -> impl Iterator<Item = &Arc<dyn Any + Send + Sync>> {
    let extensions = found.extensions.as_deref().unwrap_or_default();
    extensions
        .iter()
        .filter(|extension| extension.kind == ExtensionKind::Gate)
        .map(|extension| &*extension.value)
}

/// The gate behind what a registry holds.
pub(super) fn of(held: &Arc<dyn Any + Send + Sync>) -> Option<&dyn Gate> {
    held.downcast_ref::<HeldGate>().map(|held| &*held.0)
}

/// What a gate that panics says.
fn broken() -> Denied {
    Denied::Refused { reason: "the check of this call failed".to_owned() }
}

/// Asks the guards, the farthest first.
pub(super) fn guards(extensions: &[Extension], call: &CallContext) -> Result<(), Denied> {
    for extension in extensions.iter().filter(|extension| extension.kind == ExtensionKind::Guard) {
        let Some(held) = extension.value.downcast_ref::<HeldGuard>() else { continue };
        match contained(|| (held.0)(call)) {
            Some(None) => {}
            Some(Some(reason)) => return Err(Denied::Refused { reason }),
            None => return Err(broken()),
        }
    }
    Ok(())
}

/// Asks gates, one after another.
pub(super) async fn judge<'g>(
    gates: impl Iterator<Item = &'g dyn Gate> + Send,
    call: &CallContext,
    requests: &[PermissionRequest],
) -> Result<(), Denied> {
    for gate in gates {
        let Some(future) = contained(|| gate.judge(call, requests)) else { return Err(broken()) };
        super::contain::contained_future(future).await.unwrap_or_else(|| Err(broken()))?;
    }
    Ok(())
}

/// Asks every gate again, and the guards.
pub(super) fn judge_again(extensions: &[Extension], call: &CallContext) -> Result<(), Denied> {
    for gate in gates(extensions) {
        contained(|| gate.judge_again(call)).unwrap_or_else(|| Err(broken()))?;
    }
    guards(extensions, call)
}

/// Answers what a body asks: without a gate nobody can answer, and everything is authorized.
pub(super) async fn answer(
    extensions: &[Extension],
    call: &CallContext,
    question: &Question,
) -> Result<(), Denied> {
    let mut asked = false;
    for gate in gates(extensions) {
        asked = true;
        let Some(future) = contained(|| gate.answer(call, question)) else { return Err(broken()) };
        super::contain::contained_future(future).await.unwrap_or_else(|| Err(broken()))?;
    }
    match question {
        Question::Ask { .. } if !asked => Err(Denied::Nobody),
        _ => Ok(()),
    }
}
