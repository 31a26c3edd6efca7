//! One serialising pass from a tool's value to JSON text, which refuses what JSON cannot say.
//!
//! The text is what `serde_json::to_string` writes, byte for byte, but that NaN and infinities are errors that say
//! where they stand (`serde_json` writes `null`), and that nesting is bounded. Scalars, strings and keys are left to
//! `serde_json`, so that the two cannot drift apart.

use std::fmt;

use serde::ser::{self, Serialize, Serializer};

use super::entries::Entries;
use super::fault::Fault;

/// How many arrays and objects may stand inside one another: what `serde_json` reads back.
const MAX_DEPTH: u8 = 127;

/// How many newtypes and `Some`s, which leave no trace in the text, may stand around one value.
const MAX_WRAPPERS: u16 = 1_000;

/// The struct names under which `serde_json` hands over text that is JSON already.
const RAW_VALUE: &str = "$serde_json::private::RawValue";
const RAW_NUMBER: &str = "$serde_json::private::Number";

/// Writes a value as JSON text.
///
/// # Errors
/// Returns [`OutputError`] for NaN, infinities, keys that JSON does not know, nesting beyond 127 levels or 1,000
/// newtypes, and whatever the value's own `Serialize` refuses.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, OutputError> {
    let mut writer = JsonWriter { out: Vec::new(), depth: 0, wrappers: 0, whole: None };
    value.serialize(&mut writer).map_err(Fault::into_error)?;
    if let Some(text) = writer.whole {
        return Ok(text);
    }
    String::from_utf8(writer.out)
        .map_err(|error| OutputError { pointer: String::new(), problem: error.to_string() })
}

/// Why a value cannot be written as JSON, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}{}{problem}", if pointer.is_empty() { "" } else { ": " })]
#[non_exhaustive]
pub struct OutputError {
    /// The JSON pointer of the place; empty for the whole value.
    pub pointer: String,
    /// What is wrong there.
    pub problem: String,
}

impl OutputError {
    /// What `serde_json` says of a value as a whole.
    #[cold]
    pub(crate) fn of(error: &serde_json::Error) -> Self {
        Self { pointer: String::new(), problem: error.to_string() }
    }
}

pub(super) struct JsonWriter {
    pub(super) out: Vec<u8>,
    depth: u8,
    wrappers: u16,
    /// The text of a value that is one scalar: known to be a text, and not checked once more.
    whole: Option<String>,
}

impl JsonWriter {
    #[inline]
    fn scalar<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        if self.depth == 0 {
            self.whole = Some(serde_json::to_string(value).map_err(Fault::foreign)?);
            return Ok(());
        }
        self.part(value)
    }

    /// Writes what stands inside of an array or an object.
    #[inline]
    pub(super) fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        serde_json::to_writer(&mut self.out, value).map_err(Fault::foreign)
    }

    #[inline]
    fn enter(&mut self) -> Result<(), Fault> {
        if self.depth == MAX_DEPTH {
            return Err(Fault::too_deep(MAX_DEPTH));
        }
        if self.depth == 0 {
            self.out.reserve(128);
        }
        self.depth += 1;
        Ok(())
    }

    /// Writes what is inside of a newtype or a `Some`: the stack bounds how many of them there can be.
    #[inline]
    fn wrapped<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        if self.wrappers == MAX_WRAPPERS {
            return Err(Fault::too_wrapped(MAX_WRAPPERS));
        }
        self.wrappers += 1;
        value.serialize(&mut *self)?;
        self.wrappers -= 1;
        Ok(())
    }

    /// Opens the object around the content of an enum's variant.
    #[inline]
    fn open_variant(&mut self, variant: &'static str) -> Result<(), Fault> {
        self.enter()?;
        self.out.push(b'{');
        self.part(variant)?;
        self.out.push(b':');
        Ok(())
    }

    #[inline]
    pub(super) fn close(&mut self, bracket: u8) {
        self.out.push(bracket);
        self.depth -= 1;
    }

    #[inline]
    fn elements(&mut self, variant: Option<&'static str>) -> Result<Elements<'_>, Fault> {
        self.enter()?;
        self.out.push(b'[');
        Ok(Elements { writer: self, index: 0, variant })
    }
}

macro_rules! scalars {
    ($($method:ident: $ty:ty),*) => {$(
        #[inline]
        fn $method(self, value: $ty) -> Result<(), Fault> {
            self.scalar(&value)
        }
    )*};
}

macro_rules! finite {
    ($($method:ident: $ty:ty),*) => {$(
        #[inline]
        fn $method(self, value: $ty) -> Result<(), Fault> {
            if value.is_finite() { self.scalar(&value) } else { Err(Fault::not_finite(value.into())) }
        }
    )*};
}

impl<'a> Serializer for &'a mut JsonWriter {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Elements<'a>;
    type SerializeTuple = Elements<'a>;
    type SerializeTupleStruct = Elements<'a>;
    type SerializeTupleVariant = Elements<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Fields<'a>;

    scalars! {
        serialize_bool: bool, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128
    }

    finite! { serialize_f32: f32, serialize_f64: f64 }

    #[inline]
    fn serialize_unit(self) -> Result<(), Fault> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Fault> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Fault> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Fault> {
        self.scalar(variant)
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        self.wrapped(value)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        self.wrapped(value)
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        self.open_variant(variant)?;
        value.serialize(&mut *self).map_err(|fault| fault.under(variant))?;
        self.close(b'}');
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _len: Option<usize>) -> Result<Elements<'a>, Fault> {
        self.elements(None)
    }

    #[inline]
    fn serialize_tuple(self, _len: usize) -> Result<Elements<'a>, Fault> {
        self.elements(None)
    }

    #[inline]
    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Elements<'a>, Fault> {
        self.elements(None)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Elements<'a>, Fault> {
        self.open_variant(variant)?;
        self.elements(Some(variant))
    }

    #[inline]
    fn serialize_map(self, _len: Option<usize>) -> Result<Entries<'a>, Fault> {
        self.enter()?;
        Ok(Entries::new(self))
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Fields<'a>, Fault> {
        let raw = name == RAW_VALUE || name == RAW_NUMBER;
        if !raw {
            self.enter()?;
        }
        Ok(Fields { writer: self, first: true, raw, variant: None })
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Fields<'a>, Fault> {
        self.open_variant(variant)?;
        self.enter()?;
        Ok(Fields { writer: self, first: true, raw: false, variant: Some(variant) })
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Fault> {
        // Not `to_string`, which panics where a `Display` returns an error.
        let mut text = String::new();
        fmt::write(&mut text, format_args!("{value}")).map_err(ser::Error::custom)?;
        self.scalar(text.as_str())
    }
}

/// The elements of an array; inside an enum's variant, also the object around it.
pub(super) struct Elements<'a> {
    writer: &'a mut JsonWriter,
    index: usize,
    variant: Option<&'static str>,
}

impl Elements<'_> {
    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        if self.index > 0 {
            self.writer.out.push(b',');
        }
        value.serialize(&mut *self.writer).map_err(|fault| fault.under_index(self.index, self.variant))?;
        self.index += 1;
        Ok(())
    }

    #[inline]
    fn finish(self) {
        self.writer.close(b']');
        if self.variant.is_some() {
            self.writer.close(b'}');
        }
    }
}

macro_rules! elements {
    ($($trait:ident::$method:ident),*) => {$(
        impl ser::$trait for Elements<'_> {
            type Ok = ();
            type Error = Fault;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
                self.element(value)
            }

            #[inline]
            fn end(self) -> Result<(), Fault> {
                self.finish();
                Ok(())
            }
        }
    )*};
}

elements! {
    SerializeSeq::serialize_element, SerializeTuple::serialize_element, SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
}

/// The fields of a struct; inside an enum's variant, also the object around it.
pub(super) struct Fields<'a> {
    writer: &'a mut JsonWriter,
    first: bool,
    raw: bool,
    variant: Option<&'static str>,
}

impl Fields<'_> {
    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Fault> {
        if self.raw {
            return self.writer.scalar(&Raw { token: key, text: value });
        }
        self.writer.out.push(if self.first { b'{' } else { b',' });
        self.first = false;
        self.writer.part(key)?;
        self.writer.out.push(b':');
        value.serialize(&mut *self.writer).map_err(|fault| fault.under_field(key, self.variant))
    }

    #[inline]
    fn finish(self) {
        if self.raw {
            return;
        }
        if self.first {
            self.writer.out.push(b'{');
        }
        self.writer.close(b'}');
        if self.variant.is_some() {
            self.writer.close(b'}');
        }
    }
}

macro_rules! fields {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Fields<'_> {
            type Ok = ();
            type Error = Fault;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Fault> {
                self.field(key, value)
            }

            #[inline]
            fn end(self) -> Result<(), Fault> {
                self.finish();
                Ok(())
            }
        }
    )*};
}

fields! { SerializeStruct, SerializeStructVariant }

/// Text that is JSON already, passed on as `serde_json`'s own types pass it.
struct Raw<'a, T: ?Sized> {
    token: &'static str,
    text: &'a T,
}

impl<T: Serialize + ?Sized> Serialize for Raw<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct(self.token, 1)?;
        ser::SerializeStruct::serialize_field(&mut fields, self.token, self.text)?;
        ser::SerializeStruct::end(fields)
    }
}
