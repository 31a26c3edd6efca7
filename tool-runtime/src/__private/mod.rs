//! What generated code calls. Not part of the API: any release may change it.

mod check;
mod check_types;
mod elements;
mod function;
mod object;
mod output;
mod probe;
mod property;
mod run;
mod union;

pub use inventory;
pub use schemars;
pub use serde;

pub use self::check::{
    Applies, applies, bound, description, distinct, flattened, kind, literal, same, trimmed,
};
pub use self::check_types::{Alternative, apart, count, distinct_lists, embedded, joined, listed, tagged};
pub use self::elements::{
    Element, Elements, Flat, Injected, Spec, ToolArgument, arg, context, flat, receiver, shared, state,
};
pub use self::function::Function;
pub use self::object::ObjectSchema;
pub use self::output::{
    Here, IntoContent, Open, Out, Output, Plain, Showing, ToolFailure, ToolOutput, Whole, output,
};
pub use self::probe::{Opaque, Probe, Unshaped, Value, ValueOf};
pub use self::property::{Case, Described, Property, decoded, name_with, newtype};
pub use self::run::{
    IntoConcurrency, Lent, asynchronous, blocking, concurrency, lend, lend_option, permissions, synchronous,
};
pub use self::union::{Tagging, UnionSchema};
pub use crate::definition::Effect;
pub use crate::output::{Parts, Render, Rendered, Shown, ShownParts, ShownRender};
pub use crate::registry::Collected;
pub use crate::schema::shape::{Field, Kind, Members, Shape};
pub use crate::tool::{
    CallContext, Constraint, Description, Entry, Example, Failure, Invocation, Literal, Location, Outcome,
    OutputCheck, Parallel, Parameter, Permission, Produced, Reply, Request, ToolHandle, ToolSpec, Toolset,
};
