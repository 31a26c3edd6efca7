//! The parameters of a tool as a tuple of elements: each is read from the arguments or injected.
//!
//! The tuple's implementations carry no bounds. A type is bound once, by [`arg`], at the place where the user
//! wrote it, so a type that cannot be an argument gives one error there and none here.

use std::sync::Arc;

use schemars::{JsonSchema, Schema as RawSchema, SchemaGenerator};
use serde::de::DeserializeOwned;

use crate::arguments::{Reader, Slip};
use crate::tool::{
    CallContext, Description, Failure, Invocation, Parameter, ParameterDescription, Role, State, StateNeed,
    Toolset,
};

/// Used by generated code. A type that arguments can be read into.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool argument",
    label = "not a tool argument",
    note = "put `#[tool_type]` on it, derive `Deserialize` and `JsonSchema`, or take it from the registry with \
            `#[state]`"
)]
pub trait ToolArgument: Sized {
    /// Used by generated code. Reads a value from text.
    #[doc(hidden)]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Slip>;
    /// Used by generated code. The schema, as a reference where the type has a name.
    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> RawSchema;
    /// Used by generated code. The schema, never as a reference.
    #[doc(hidden)]
    fn inline(generator: &mut SchemaGenerator) -> RawSchema;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArgument for T {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Slip> {
        reader.value()
    }
    fn schema(generator: &mut SchemaGenerator) -> RawSchema {
        generator.subschema_for::<T>()
    }
    fn inline(generator: &mut SchemaGenerator) -> RawSchema {
        T::json_schema(generator)
    }
}

/// Used by generated code. One element of the tuple.
pub trait Element {
    /// What the body gets.
    type Value;
    /// Tells what it is.
    fn describe(&self, description: &mut Description);
    /// Reads it where the arguments have it.
    fn read(&self, reader: &mut Reader<'_>) -> Result<Self::Value, Slip>;
    /// Makes it where the arguments do not have it.
    fn absent(
        &self,
        parameter: &Parameter,
        rest: &mut String,
        invocation: &Invocation<'_>,
    ) -> Result<Self::Value, Slip>;
}

/// How a default is made, and how it stands in a schema.
type ComputedDefault<T> = (fn() -> T, fn(&T) -> Option<serde_json::Value>);

/// Used by generated code. An argument of type `T`.
#[expect(missing_debug_implementations, reason = "only generated code holds one")]
pub struct Spec<T> {
    read: fn(&mut Reader<'_>) -> Result<T, Slip>,
    schema: fn(&mut SchemaGenerator) -> RawSchema,
    default: Option<ComputedDefault<T>>,
}

/// Used by generated code. The only place that bounds an argument's type.
pub const fn arg<T: ToolArgument>() -> Spec<T> {
    Spec { read: T::read, schema: T::schema, default: None }
}

/// Used by generated code. A struct whose fields are arguments themselves.
pub const fn flat<T: ToolArgument>() -> Flat<T> {
    Flat { read: T::read, schema: T::inline }
}

impl<T> Spec<T> {
    /// Used by generated code. A default that only the program can compute.
    #[must_use]
    pub const fn or(self, default: fn() -> T, shown: fn(&T) -> Option<serde_json::Value>) -> Self {
        Self { default: Some((default, shown)), ..self }
    }
}

impl<T> Element for Spec<T> {
    type Value = T;

    fn describe(&self, description: &mut Description) {
        let schema = (self.schema)(&mut description.generator);
        let default = self.default.and_then(|(make, shown)| shown(&make()));
        description.parameters.push(Some(ParameterDescription { schema, default }));
    }
    #[inline]
    fn read(&self, reader: &mut Reader<'_>) -> Result<T, Slip> {
        (self.read)(reader)
    }
    fn absent(&self, parameter: &Parameter, _: &mut String, _: &Invocation<'_>) -> Result<T, Slip> {
        if let Some((make, _)) = self.default {
            return Ok(make());
        }
        match parameter.default {
            Some(literal) => (self.read)(&mut Reader::new(&literal.text())),
            None if parameter.optional => (self.read)(&mut Reader::new("null")),
            None => Err(Slip::Member),
        }
    }
}

/// Used by generated code. See [`flat`].
#[expect(missing_debug_implementations, reason = "only generated code holds one")]
pub struct Flat<T> {
    read: fn(&mut Reader<'_>) -> Result<T, Slip>,
    schema: fn(&mut SchemaGenerator) -> RawSchema,
}

impl<T> Element for Flat<T> {
    type Value = T;

    fn describe(&self, description: &mut Description) {
        let schema = (self.schema)(&mut description.generator);
        description.parameters.push(Some(ParameterDescription { schema, default: None }));
    }
    fn read(&self, _: &mut Reader<'_>) -> Result<T, Slip> {
        Err(Slip::Member)
    }
    fn absent(&self, _: &Parameter, rest: &mut String, _: &Invocation<'_>) -> Result<T, Slip> {
        rest.insert(0, '{');
        rest.push('}');
        (self.read)(&mut Reader::new(rest))
    }
}

/// Used by generated code. Something injected: never in the schema, never in the arguments.
#[expect(missing_debug_implementations, reason = "only generated code holds one")]
pub struct Injected<T> {
    need: Option<fn() -> StateNeed>,
    make: fn(&Invocation<'_>) -> Option<T>,
}

/// Used by generated code. A parameter `State<T>`.
pub const fn state<T: Send + Sync + 'static>() -> Injected<State<T>> {
    Injected {
        need: Some(StateNeed::of::<T>),
        make: |invocation| invocation.states.get::<T>().map(State::new),
    }
}

/// Used by generated code. A parameter `#[state] Arc<T>`, or `#[state] &T` before it is lent.
pub const fn shared<T: Send + Sync + 'static>() -> Injected<Arc<T>> {
    Injected { need: Some(StateNeed::of::<T>), make: |invocation| invocation.states.get::<T>() }
}

/// Used by generated code. The call's context.
pub const fn context() -> Injected<CallContext> {
    Injected { need: None, make: |invocation| Some(CallContext::new(invocation.caller.caller())) }
}

/// Used by generated code. The value that a method is called on.
pub const fn receiver<T: Toolset>() -> Injected<Arc<T>> {
    Injected {
        need: None,
        make: |invocation| {
            invocation.tool.receiver().and_then(|receiver| Arc::clone(receiver).downcast::<T>().ok())
        },
    }
}

impl<T> Element for Injected<T> {
    type Value = T;

    fn describe(&self, description: &mut Description) {
        description.states.extend(self.need.map(|need| need()));
        description.parameters.push(None);
    }
    fn read(&self, _: &mut Reader<'_>) -> Result<T, Slip> {
        Err(Slip::Member)
    }
    fn absent(&self, _: &Parameter, _: &mut String, invocation: &Invocation<'_>) -> Result<T, Slip> {
        (self.make)(invocation).ok_or(Slip::State)
    }
}

/// Used by generated code. A tuple of elements.
pub trait Elements {
    /// What the body gets.
    type Values;
    /// Tells what they are, in order.
    fn describe(&self, description: &mut Description);
    /// Reads all of them from one text, which is as it was sent, or what validation made of it.
    ///
    /// # Errors
    /// Slips at the first doubt.
    fn read(&self, text: &str, is_sent: bool, invocation: &Invocation<'_>) -> Result<Self::Values, Slip>;
    /// Reads all of them from the call's arguments: straight from the text where the types are exact, else, and
    /// after a slip, from the text that validation has passed.
    ///
    /// # Errors
    /// Fails with the text of every fault.
    fn take(&self, invocation: &Invocation<'_>) -> Result<Self::Values, Failure> {
        if invocation.tool.is_exact(invocation.text)
            && let Ok(values) = self.read(invocation.text, true, invocation)
        {
            return Ok(values);
        }
        let validated = invocation.tool.validate(invocation)?;
        self.read(&validated, false, invocation).map_err(|slip| match slip {
            Slip::State => Failure::State,
            slip => invocation.tool.refused_by_type(&slip),
        })
    }
}

/// The members of an object, found among a tool's parameters.
struct Members<'a> {
    reader: Reader<'a>,
    parameters: &'static [Parameter],
    expected: usize,
    /// Whether the text is as it was sent. Then a value whose first byte tells that it is of another kind is left to validation: the
    /// refusal by a type costs more than all the rest of a short call.
    is_sent: bool,
    /// Members of a flattened struct, as text.
    rest: String,
}

impl<'a> Members<'a> {
    fn new(text: &'a str, is_sent: bool, parameters: &'static [Parameter]) -> Self {
        Self { reader: Reader::new(text), parameters, expected: 0, is_sent, rest: String::new() }
    }

    /// The index of the next member's parameter. The order of the parameters is tried first.
    #[inline]
    fn next(&mut self) -> Result<Option<usize>, Slip> {
        while self.reader.next_member()? {
            if let Some(parameter) = self.parameters.get(self.expected)
                && parameter.role == Role::Argument
                && self.reader.is_key(parameter.name)?
            {
                if self.is_sent && !self.reader.is_before(parameter.beginnings) {
                    return Err(Slip::Text);
                }
                self.expected += 1;
                return Ok(Some(self.expected - 1));
            }
            let key = self.reader.key()?;
            let named = |parameter: &Parameter| parameter.role == Role::Argument && parameter.name == key;
            if let Some(index) = self.parameters.iter().position(named) {
                self.expected = index + 1;
                return Ok(Some(index));
            }
            self.keep(key)?;
        }
        Ok(None)
    }

    /// Keeps a member that is no parameter for a flattened struct.
    fn keep(&mut self, key: &str) -> Result<(), Slip> {
        if self.parameters.iter().all(|parameter| parameter.role != Role::Flattened) {
            return Err(Slip::Member);
        }
        let raw = self.reader.raw()?;
        if !self.rest.is_empty() {
            self.rest.push(',');
        }
        self.rest.extend(["\"", key, "\":", raw]);
        Ok(())
    }
}

#[cold]
fn named(slip: Slip, parameters: &'static [Parameter], index: usize) -> Slip {
    match parameters.get(index) {
        Some(parameter) => slip.of(parameter.name),
        None => slip,
    }
}

impl Elements for () {
    type Values = ();

    fn describe(&self, _: &mut Description) {}

    fn read(&self, text: &str, _: bool, _: &Invocation<'_>) -> Result<(), Slip> {
        if Reader::new(text).next_member()? { Err(Slip::Member) } else { Ok(()) }
    }
}

macro_rules! elements {
    ($($element:ident $index:tt)*) => {
        impl<$($element: Element),*> Elements for ($($element,)*) {
            type Values = ($($element::Value,)*);

            fn describe(&self, description: &mut Description) {
                $(self.$index.describe(description);)*
            }

            #[allow(non_snake_case, reason = "one name serves a type and its value")]
            fn read(&self, text: &str, is_sent: bool, invocation: &Invocation<'_>) -> Result<Self::Values, Slip> {
                let parameters = invocation.tool.parameters();
                let mut members = Members::new(text, is_sent, parameters);
                let mut slots = ($(None::<$element::Value>,)*);
                while let Some(index) = members.next()? {
                    match index {
                        $($index if slots.$index.is_none() => {
                            let read = self.$index.read(&mut members.reader);
                            slots.$index = Some(read.map_err(|slip| named(slip, parameters, $index))?);
                        })*
                        _ => return Err(Slip::Member),
                    }
                }
                let rest = &mut members.rest;
                $(let $element = match slots.$index {
                    Some(value) => value,
                    None => {
                        let parameter = parameters.get($index).ok_or(Slip::Member)?;
                        self.$index.absent(parameter, rest, invocation)?
                    }
                };)*
                Ok(($($element,)*))
            }
        }
    };
}

elements!(E0 0);
elements!(E0 0 E1 1);
elements!(E0 0 E1 1 E2 2);
elements!(E0 0 E1 1 E2 2 E3 3);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16 E17 17);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16 E17 17 E18 18);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16 E17 17 E18 18 E19 19);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16 E17 17 E18 18 E19 19 E20 20);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16 E17 17 E18 18 E19 19 E20 20 E21 21);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16 E17 17 E18 18 E19 19 E20 20 E21 21 E22 22);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16 E17 17 E18 18 E19 19 E20 20 E21 21 E22 22 E23 23);
elements!(E0 0 E1 1 E2 2 E3 3 E4 4 E5 5 E6 6 E7 7 E8 8 E9 9 E10 10 E11 11 E12 12 E13 13 E14 14 E15 15 E16 16 E17 17 E18 18 E19 19 E20 20 E21 21 E22 22 E23 23 E24 24);
