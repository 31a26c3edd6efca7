//! Tools: their constant data, their bodies, and what is injected into them.
//!
//! Architecture invariant: nothing here looks a tool up by name, and nothing here knows a scope.

mod assemble;
mod call_context;
mod context;
mod derived;
mod dynamic;
mod failure;
mod judge;
mod measure;
mod no_caller;
mod produce;
mod registered;
mod spec;
mod tools;

pub use self::call_context::{BoxFuture, CallContext, Denied, Elicitation, Elicited, Question};
pub(crate) use self::call_context::{CallFacts, Caller, MakeCaller};
pub use self::context::{State, Values};
pub(crate) use self::context::{StateMap, StateNeed};
pub use self::derived::DeriveError;
pub use self::dynamic::{DynamicTool, DynamicToolError};
pub use self::failure::Failure;
pub use self::judge::{Concurrency, IntoPermissionRequests, PermissionRequest};
pub(crate) use self::no_caller::NoCaller;
pub(crate) use self::produce::{produce, schema as output_schema};
pub use self::registered::Tool;
pub(crate) use self::spec::{Body, ParameterDescription, Reading, Receiver, Role};
pub use self::spec::{
    Constraint, Description, Entry, Example, Invocation, Literal, Location, Outcome, OutputCheck, Parallel,
    Parameter, Permission, Produced, Reply, Request, ToolHandle, ToolSpec, Toolset,
};
pub use self::tools::Tools;
