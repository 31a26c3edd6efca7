//! A deserializer that takes only what a schema would take.
//!
//! serde is looser than the schemas schemars derives: a struct also takes an array by position, and a unit
//! variant also `{"variant": null}`. [`Strict`] wraps any deserializer of a self-describing format and refuses
//! both at every depth, so that the typed path accepts what the schema accepts.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

/// A `T` read through [`Strict`].
pub(crate) struct Strictly<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Strictly<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(Strict(deserializer)).map(Self)
    }
}

/// The wrapper: around a deserializer, a visitor, an access or a seed.
pub(crate) struct Strict<T>(pub(crate) T);

macro_rules! plain {
    ($($method:ident)*) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(visitor)
        }
    )* };
}
macro_rules! nested {
    ($($method:ident($($name:ident: $type:ty),*);)*) => { $(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($name,)* Strict(visitor))
        }
    )* };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    plain! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_char deserialize_str deserialize_string deserialize_bytes
        deserialize_byte_buf deserialize_unit deserialize_identifier deserialize_ignored_any
    }
    nested! {
        deserialize_any();
        deserialize_f32();
        deserialize_f64();
        deserialize_option();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_map();
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Strict(visitor))
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(Variant(visitor))
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! scalars {
    ($($method:ident($type:ty);)*) => { $(
        #[inline]
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$method(value)
        }
    )* };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Strict<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    scalars! {
        visit_bool(bool); visit_i64(i64); visit_i128(i128); visit_u64(u64); visit_u128(u128);
        visit_str(&str); visit_borrowed_str(&'de str); visit_string(String); visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]); visit_byte_buf(Vec<u8>);
    }

    /// `-0.0` is 0, as in the canonical text of a value.
    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        self.0.visit_f64(value + 0.0)
    }
    #[inline]
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }
    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }
    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Strict(deserializer))
    }
    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Strict(deserializer))
    }
    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Strict(access))
    }
    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Strict(access))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Strict<S> {
    type Value = S::Value;
    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Strict(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Strict<A> {
    type Error = A::Error;
    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Strict(seed))
    }
    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Strict<A> {
    type Error = A::Error;
    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }
    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Strict(seed))
    }
    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// The visitor of an enum: a string is a unit variant, an object of one member a variant with data.
struct Variant<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for Variant<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
    #[inline]
    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        self.0.visit_enum(StrDeserializer::new(name))
    }
    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Data(map))
    }
}

/// A variant with data, written as an object of one member.
struct Data<A>(A);

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for Data<A> {
    type Error = A::Error;
    type Variant = Self;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, Self), A::Error> {
        match self.0.next_key_seed(seed)? {
            Some(variant) => Ok((variant, self)),
            None => Err(A::Error::custom("expected an object with one member, the variant")),
        }
    }
}

impl<A> Data<A> {
    fn value<'de, S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<S::Value, A::Error>
    where
        A: MapAccess<'de>,
    {
        let value = self.0.next_value_seed(Strict(seed))?;
        match self.0.next_key::<serde::de::IgnoredAny>()? {
            None => Ok(value),
            Some(_) => Err(A::Error::custom("expected an object with one member, the variant")),
        }
    }
}

/// A seed that reads with one deserializer method and hands on to a visitor.
struct Content<V, const KIND: char>(V);

impl<'de, V: Visitor<'de>, const KIND: char> DeserializeSeed<'de> for Content<V, KIND> {
    type Value = V::Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        // The seed is wrapped by `Data::value`, so what is read here is strict already.
        if KIND == 's' { deserializer.deserialize_seq(self.0) } else { deserializer.deserialize_map(self.0) }
    }
}

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for Data<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        Err(A::Error::custom("a variant without data is written as a string"))
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.value(seed)
    }
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.value(Content::<V, 's'>(visitor))
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.value(Content::<V, 'm'>(visitor))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Point {
        x: i64,
        y: Option<i64>,
    }

    #[derive(serde::Deserialize, Debug, PartialEq)]
    enum Shape {
        Empty,
        Dot(Point),
        Line(Point, Point),
        Box { from: Point, to: Point },
    }

    fn read<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
        serde_json::from_str::<Strictly<T>>(text).ok().map(|strictly| strictly.0)
    }

    #[test]
    fn structs_take_objects_only() {
        assert_eq!(read(r#"{"x":1}"#), Some(Point { x: 1, y: None }));
        assert_eq!(read::<Point>("[1,2]"), None);
        assert_eq!(read::<Vec<Point>>("[[1,2]]"), None);
        assert_eq!(read::<Option<Point>>("[1,2]"), None);
        assert_eq!(read::<BTreeMap<String, Point>>(r#"{"a":[1,2]}"#), None);
    }

    #[test]
    fn enums_take_the_forms_of_their_schema_only() {
        assert_eq!(read(r#""Empty""#), Some(Shape::Empty));
        assert_eq!(read::<Shape>(r#"{"Empty":null}"#), None);
        assert_eq!(read(r#"{"Dot":{"x":1}}"#), Some(Shape::Dot(Point { x: 1, y: None })));
        assert_eq!(read::<Shape>(r#"{"Dot":[1,2]}"#), None);
        assert_eq!(
            read(r#"{"Line":[{"x":1},{"x":2}]}"#),
            Some(Shape::Line(Point { x: 1, y: None }, Point { x: 2, y: None }))
        );
        assert_eq!(
            read(r#"{"Box":{"from":{"x":1},"to":{"x":2}}}"#),
            Some(Shape::Box { from: Point { x: 1, y: None }, to: Point { x: 2, y: None } })
        );
        assert_eq!(read::<Shape>(r#"{"Box":[{"x":1},{"x":2}]}"#), None);
        assert_eq!(read::<Shape>(r#"{"Dot":{"x":1},"Empty":null}"#), None);
        assert_eq!(read::<Shape>("{}"), None);
        assert_eq!(read::<Shape>("7"), None);
    }
}
