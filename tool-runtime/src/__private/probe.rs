//! Finding out what a type can do without asking it: an associated item of an inherent implementation that
//! applies wins over the same item of a trait, so a type without the ability gets the fallback, not an error.

use std::marker::PhantomData;

use crate::schema::shape::{Field, Kind, Shape};

/// Used by generated code. Asks whether a type has a [`Shape`].
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<fn() -> *const T>);

impl<T: Shape + ?Sized> Probe<T> {
    /// Used by generated code. The kind of a type with a shape.
    pub const KIND: Kind = T::KIND;
    /// Used by generated code. The fields of a type with a shape.
    pub const FIELDS: Option<&'static [Field]> = Some(T::FIELDS);
}

impl<T> Probe<Option<T>> {
    /// Used by generated code. Whether an absent value reads as `None`.
    pub const OPTIONAL: bool = true;
}

/// Used by generated code. A type without a shape.
#[derive(Debug)]
pub struct Opaque;

/// Used by generated code. What holds of a type without a shape.
pub trait Unshaped {
    /// The type is no `Option`.
    const OPTIONAL: bool = false;
    /// Nothing is known.
    const KIND: Kind = Kind::Unknown;
    /// Nothing is known.
    const FIELDS: Option<&'static [Field]> = None;
}

impl<T: ?Sized> Unshaped for Probe<T> {}

/// Used by generated code. Asks whether a value can stand in a schema.
#[derive(Debug)]
pub struct Value<'a, T>(pub &'a T);

impl<T: serde::Serialize> Value<'_, T> {
    /// Used by generated code. The value as JSON.
    pub fn value(&self) -> Option<serde_json::Value> {
        serde_json::to_value(self.0).ok()
    }
}

/// Used by generated code. What holds of a value without a form in JSON.
pub trait ValueOf {
    /// Nothing can be shown.
    fn value(&self) -> Option<serde_json::Value> {
        None
    }
}

impl<T> ValueOf for Value<'_, T> {}
