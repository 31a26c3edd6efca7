//! What is injected into a body: state and the call's context. Neither stands in a schema.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::mem;
use std::ops::Deref;
use std::sync::Arc;

use crate::error::contained;

/// State of the program, injected into a tool: a parameter of this type is filled from the registry and is not
/// part of the schema.
///
/// It is shared, so mutable state brings its own lock. A registry without the state refuses the tool.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, State, ToolCall, tool};
///
/// struct Greeting(&'static str);
///
/// /// Greets somebody.
/// #[tool]
/// fn greet(
///     greeting: State<Greeting>,
///     /// Who to greet.
///     name: String,
/// ) -> String {
///     format!("{}, {name}", greeting.0)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().state(Greeting("Good day")).register::<greet>().build()?;
/// let result = registry.call(ToolCall::new("1", "greet", r#"{"name":"Ada"}"#)).await;
/// assert_eq!(result.text(), r#""Good day, Ada""#);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct State<T: ?Sized>(Arc<T>);

impl<T: ?Sized> State<T> {
    /// Wraps a shared value; for calling a tool's function by hand.
    pub fn new(value: Arc<T>) -> Self {
        Self(value)
    }

    /// The shared value.
    pub fn into_inner(self) -> Arc<T> {
        self.0
    }
}

impl<T: ?Sized> Deref for State<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The state of a registry, by type.
#[derive(Clone, Default)]
pub(crate) struct StateMap(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl StateMap {
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: Arc<T>) {
        self.0.insert(TypeId::of::<T>(), value);
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.get(&TypeId::of::<T>()).and_then(|value| Arc::clone(value).downcast().ok())
    }

    pub(crate) fn set(&mut self, id: TypeId, value: Arc<dyn Any + Send + Sync>) {
        self.0.insert(id, value);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every value, those of `nearer` before these of the same type.
    pub(crate) fn under(self: &Arc<Self>, nearer: &Self) -> Arc<Self> {
        if nearer.is_empty() {
            return Arc::clone(self);
        }
        let mut all = self.0.clone();
        all.extend(nearer.0.iter().map(|(id, value)| (*id, Arc::clone(value))));
        Arc::new(Self(all))
    }

    pub(crate) fn into_values(mut self) -> impl Iterator<Item = (TypeId, Arc<dyn Any + Send + Sync>)> {
        mem::take(&mut self.0).into_iter()
    }

    pub(crate) fn has(&self, need: &StateNeed) -> bool {
        self.0.contains_key(&need.id)
    }
}

/// The last holder of a value drops it, which is code of a user's and may panic.
impl Drop for StateMap {
    fn drop(&mut self) {
        self.0.drain().for_each(|(_, value)| {
            contained(|| drop(value));
        });
    }
}

impl fmt::Debug for StateMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateMap").field("entries", &self.0.len()).finish()
    }
}

/// Values of one conversation or one call, by type: the user, a locale, a trace. They are injected as [`State`] and by
/// [`CallContext::state`](crate::CallContext::state), before those of scope and registry, and visibility rules decide by them.
///
/// # Examples
/// ```
/// use tool_runtime::Values;
///
/// struct User(&'static str);
///
/// let values = Values::new().with(User("ada"));
/// assert_eq!(values.get::<User>().map(|user| user.0), Some("ada"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Values(StateMap);

impl Values {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value; of two of one type the later counts.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.with_shared(Arc::new(value))
    }

    /// The same for a value that is shared already.
    #[must_use]
    pub fn with_shared<T: Send + Sync + 'static>(mut self, value: Arc<T>) -> Self {
        self.0.insert(value);
        self
    }

    /// A value by its type.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.get()
    }

    pub(crate) fn map(&self) -> &StateMap {
        &self.0
    }
}

/// A type of state that a tool cannot do without.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StateNeed {
    id: TypeId,
    pub(crate) name: &'static str,
}

impl StateNeed {
    pub(crate) fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>(), name: type_name::<T>() }
    }

    pub(crate) fn is(&self, id: TypeId) -> bool {
        self.id == id
    }
}
