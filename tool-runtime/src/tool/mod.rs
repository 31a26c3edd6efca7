//! Tools: their constant data, their bodies, and what is injected into them.
//!
//! Architecture invariant: nothing here looks a tool up by name, and nothing here knows a scope.

mod assemble;
mod context;
mod derived;
mod dynamic;
mod failure;
mod judge;
mod produce;
mod registered;
mod spec;
mod tools;

pub use self::context::{CallContext, State, Values};
pub(crate) use self::context::{StateMap, StateNeed};
pub use self::derived::DeriveError;
pub use self::dynamic::{DynamicTool, DynamicToolError};
pub use self::failure::Failure;
pub use self::judge::{Concurrency, IntoPermissionRequests, PermissionRequest};
pub(crate) use self::produce::{produce, schema as output_schema};
pub use self::registered::Tool;
pub use self::spec::{
    Constraint, Description, Entry, Example, Invocation, Literal, Location, Outcome, OutputCheck, Parallel,
    Parameter, Permission, Produced, Reply, Request, ToolHandle, ToolSpec, Toolset,
};
pub(crate) use self::spec::{ParameterDescription, Reading, Receiver, Role};
pub use self::tools::Tools;
