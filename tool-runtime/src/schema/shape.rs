//! Shapes: what a type is on the wire, as a constant that macros check while compiling.
//!
//! A shape is one level deep. A named type is a leaf of its neighbours' shapes, since a constant that
//! followed fields would be a cycle for recursive types.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

/// What a type is on the wire.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Kind {
    /// Not described; its schema is checked when the tool is registered.
    Unknown,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// An integer, from and to both included.
    Integer {
        /// The least value.
        from: i128,
        /// The greatest value.
        to: i128,
    },
    /// Any number.
    Number,
    /// A string.
    String,
    /// One of these strings.
    Choice(&'static [&'static str]),
    /// A number that an `f32` can hold.
    Single,
    /// An array of one kind.
    Array(&'static Kind),
    /// An array of one kind without equal items.
    Set(&'static Kind),
    /// An object with arbitrary keys and values of one kind.
    Map(&'static Kind),
    /// A struct with named fields.
    Object(Members),
    /// An enum that carries data; its members are all that its variants hold.
    Union(Members),
    /// The kind, or `null`.
    Optional(&'static Kind),
    /// A type that no tool can take or return, with the reason.
    Refused(&'static str),
}

/// A set of bytes, told apart by their lowest six bits: it may hold some more, and never fewer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beginnings(u64);

impl Beginnings {
    const fn of(bytes: &[u8]) -> Self {
        let (mut set, mut idx) = (0, 0);
        while idx < bytes.len() {
            set |= 1 << (bytes[idx] % 64);
            idx += 1;
        }
        Self(set)
    }

    /// Whether it holds a byte, or one like it.
    #[inline]
    pub(crate) const fn may_be(self, byte: u8) -> bool {
        self.0 >> (byte % 64) & 1 == 1
    }
}

/// What a named type holds. A function, since a constant would be a cycle for recursive types.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Members {
    /// Lists them.
    pub list: fn() -> &'static [Field],
    /// Whether reading the type straight from text accepts exactly what its schema accepts; not so where serde
    /// buffers (flattened, untagged and internally tagged types).
    pub exact: bool,
}

impl Members {
    /// The members of `T`, which is read straight from text.
    pub const fn of<T: Shape>() -> Self {
        Self { list: || T::FIELDS, exact: true }
    }

    /// The members of `T`, whose schema is checked before it is read.
    pub const fn buffered<T: Shape>() -> Self {
        Self { list: || T::FIELDS, exact: false }
    }
}

/// One field of a struct, as it stands on the wire.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Field {
    /// The name on the wire; empty for what a flattened type or a variant holds as a whole.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it must be there.
    pub required: bool,
    /// Whether it has constraints beyond its type.
    pub constrained: bool,
    /// Whether logs and people must not see it.
    pub secret: bool,
}

impl Field {
    /// A field by its wire name and kind.
    pub const fn new(name: &'static str, kind: Kind, required: bool) -> Self {
        Self { name, kind, required, constrained: false, secret: false }
    }

    /// The same with constraints beyond its type.
    pub const fn constrained(self) -> Self {
        Self { constrained: true, ..self }
    }

    /// The same, kept from logs and people.
    #[must_use]
    pub const fn secret(self) -> Self {
        Self { secret: true, ..self }
    }
}

/// A constant description of a type, made by `#[tool_type]` and checked while compiling.
pub trait Shape {
    /// What the type is on the wire.
    const KIND: Kind;
    /// The fields of a struct, those of flattened ones included, or all that an enum's variants hold.
    const FIELDS: &'static [Field] = &[];
}

impl Kind {
    /// The bytes that the text of a value of the kind can begin with.
    pub(crate) const fn beginnings(self) -> Beginnings {
        match self {
            Kind::Unknown | Kind::Union(_) | Kind::Refused(_) => Beginnings(u64::MAX),
            Kind::Null => Beginnings::of(b"n"),
            Kind::Boolean => Beginnings::of(b"tf"),
            Kind::Integer { .. } | Kind::Number | Kind::Single => Beginnings::of(b"-0123456789"),
            Kind::String | Kind::Choice(_) => Beginnings::of(b"\""),
            Kind::Array(_) | Kind::Set(_) => Beginnings::of(b"["),
            Kind::Map(_) | Kind::Object(_) => Beginnings::of(b"{"),
            Kind::Optional(kind) => Beginnings(kind.beginnings().0 | Beginnings::of(b"n").0),
        }
    }

    /// The kind without its `null`.
    pub const fn present(self) -> Kind {
        match self {
            Self::Optional(kind) => *kind,
            kind => kind,
        }
    }

    /// Whether an absent value can be read as `null`.
    pub const fn is_optional(self) -> bool {
        matches!(self, Self::Optional(_))
    }

    /// Why no tool can take or return this, at any depth that the constant knows.
    pub const fn refusal(self) -> Option<&'static str> {
        match self {
            Self::Refused(reason) => Some(reason),
            Self::Array(kind) | Self::Set(kind) | Self::Map(kind) | Self::Optional(kind) => kind.refusal(),
            _ => None,
        }
    }

    /// Whether the constants describe the type down to its last leaf, so that nothing is left to check later.
    pub(crate) fn is_described(self) -> bool {
        let mut seen = Vec::new();
        self.all(&mut seen, &|kind, _| !matches!(kind, Self::Unknown))
    }

    /// Whether reading the type straight from text accepts exactly what its schema accepts.
    pub(crate) fn is_exact(self) -> bool {
        let mut seen = Vec::new();
        self.all(&mut seen, &|kind, field| {
            !field.is_some_and(|field| field.constrained)
                && match kind {
                    // A map keeps the last of two equal keys, a set drops equal items, and a number too wide for
                    // an `f32` becomes infinite.
                    Self::Unknown | Self::Map(_) | Self::Set(_) | Self::Single => false,
                    Self::Object(members) | Self::Union(members) => members.exact,
                    _ => true,
                }
        })
    }

    /// Whether a type in it is part of itself, so that values nest as deep as they like.
    pub(crate) fn is_recursive(self) -> bool {
        let (mut open, mut done) = (Vec::new(), Vec::new());
        self.leads_back(&mut open, &mut done)
    }

    fn leads_back(self, open: &mut Vec<usize>, done: &mut Vec<usize>) -> bool {
        match self {
            Self::Array(inner) | Self::Set(inner) | Self::Map(inner) | Self::Optional(inner) => {
                inner.leads_back(open, done)
            }
            Self::Object(members) | Self::Union(members) => {
                let fields = (members.list)();
                let place = fields.as_ptr() as usize;
                if fields.is_empty() || done.contains(&place) {
                    return false;
                }
                if open.contains(&place) {
                    return true;
                }
                open.push(place);
                let leads_back = fields.iter().any(|field| field.kind.leads_back(open, done));
                open.pop();
                done.push(place);
                leads_back
            }
            _ => false,
        }
    }

    /// Whether a number that is no integer is somewhere in it.
    pub(crate) fn has_numbers(self) -> bool {
        !self.all(&mut Vec::new(), &|kind, _| !matches!(kind, Self::Number))
    }

    /// Whether a set is somewhere in it, or may be.
    pub(crate) fn may_have_sets(self) -> bool {
        !self.all(&mut Vec::new(), &|kind, _| !matches!(kind, Self::Set(_) | Self::Unknown))
    }

    /// Whether something in it has constraints beyond its type.
    pub(crate) fn is_constrained(self) -> bool {
        !self.all(&mut Vec::new(), &|_, field| !field.is_some_and(|field| field.constrained))
    }

    fn all(self, seen: &mut Vec<usize>, holds: &dyn Fn(Kind, Option<&Field>) -> bool) -> bool {
        let mut next = Some((self, None));
        let mut waiting: Vec<(Kind, Option<&'static Field>)> = Vec::new();
        while let Some((kind, field)) = next.take().or_else(|| waiting.pop()) {
            if !holds(kind, field) {
                return false;
            }
            match kind {
                Self::Array(inner) | Self::Set(inner) | Self::Map(inner) | Self::Optional(inner) => {
                    next = Some((*inner, None));
                }
                Self::Object(members) | Self::Union(members) => {
                    let fields = (members.list)();
                    let place = fields.as_ptr() as usize;
                    if !fields.is_empty() && !seen.contains(&place) {
                        seen.push(place);
                        waiting.extend(fields.iter().map(|field| (field.kind, Some(field))));
                    }
                }
                _ => {}
            }
        }
        true
    }

    const fn map_of(key: Kind, value: &'static Kind) -> Kind {
        match key {
            Self::String | Self::Choice(_) | Self::Unknown => Self::Map(value),
            _ => Self::Refused(
                "a map's keys must be strings; use `String` keys, or a list of pairs as structs",
            ),
        }
    }
}

const WIDE: Kind =
    Kind::Refused("128-bit integers do not survive JSON; use a 64-bit integer, or a string of digits");
const TUPLE: Kind = Kind::Refused("tuples have no names a model could read; use a struct with named fields");

macro_rules! shape {
    ($($type:ty => $kind:expr),* $(,)?) => { $(impl Shape for $type { const KIND: Kind = $kind; })* };
}
macro_rules! integers {
    ($($type:ident)*) => { $(
        impl Shape for $type {
            const KIND: Kind = Kind::Integer { from: <$type>::MIN as i128, to: <$type>::MAX as i128 };
        }
    )* };
}
macro_rules! transparent {
    ($($type:ident)*) => { $(impl<T: Shape + ?Sized> Shape for $type<T> {
        const KIND: Kind = T::KIND;
        const FIELDS: &'static [Field] = T::FIELDS;
    })* };
}
macro_rules! arrays {
    ($($type:ident)*) => { $(impl<T: Shape> Shape for $type<T> { const KIND: Kind = Kind::Array(&T::KIND); })* };
}
macro_rules! tuples {
    ($($($name:ident)+;)*) => { $(impl<$($name),+> Shape for ($($name,)+) { const KIND: Kind = TUPLE; })* };
}

shape! {
    () => Kind::Null,
    bool => Kind::Boolean,
    f32 => Kind::Single,
    f64 => Kind::Number,
    str => Kind::String,
    String => Kind::String,
    char => Kind::String,
    std::path::Path => Kind::String,
    std::path::PathBuf => Kind::String,
    i128 => WIDE,
    u128 => WIDE,
}
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
transparent!(Box Arc Rc);
arrays!(Vec VecDeque);
tuples! {
    A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H;
}

/// A result is on the wire what its success is; its error becomes a text.
impl<T: Shape, E> Shape for Result<T, E> {
    const KIND: Kind = T::KIND;
    const FIELDS: &'static [Field] = T::FIELDS;
}
impl<T: Shape> Shape for BTreeSet<T> {
    const KIND: Kind = Kind::Set(&T::KIND);
}
impl<T: Shape, S> Shape for HashSet<T, S> {
    const KIND: Kind = Kind::Set(&T::KIND);
}
impl<T: Shape> Shape for [T] {
    const KIND: Kind = Kind::Array(&T::KIND);
}
impl<T: Shape, const N: usize> Shape for [T; N] {
    const KIND: Kind = Kind::Array(&T::KIND);
}
impl<T: Shape + ?Sized> Shape for &T {
    const KIND: Kind = T::KIND;
}
impl<T: Shape + ToOwned + ?Sized> Shape for Cow<'_, T> {
    const KIND: Kind = T::KIND;
}
impl<T: Shape> Shape for Option<T> {
    const KIND: Kind = Kind::Optional(&T::KIND);
}
impl<K: Shape, V: Shape> Shape for BTreeMap<K, V> {
    const KIND: Kind = Kind::map_of(K::KIND, &V::KIND);
}
impl<K: Shape, V: Shape, S> Shape for HashMap<K, V, S> {
    const KIND: Kind = Kind::map_of(K::KIND, &V::KIND);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_begin_as_their_kind_says_and_few_others_do() {
        const INTEGER: Kind = Kind::Integer { from: -9, to: 9 };
        let values = [
            json!(null),
            json!(true),
            json!(false),
            json!(-1),
            json!(7.5),
            json!("a"),
            json!([1]),
            json!({}),
        ];
        for (kind, fitting) in [
            (Kind::Null, vec![0]),
            (Kind::Boolean, vec![1, 2]),
            (INTEGER, vec![3, 4]),
            (Kind::Number, vec![3, 4]),
            (Kind::Single, vec![3, 4]),
            (Kind::String, vec![5]),
            (Kind::Choice(&["a"]), vec![5]),
            (Kind::Array(&INTEGER), vec![6]),
            (Kind::Set(&INTEGER), vec![6]),
            (Kind::Map(&INTEGER), vec![7]),
            (Kind::Optional(&INTEGER), vec![0, 3, 4]),
            (Kind::Optional(&Kind::String), vec![0, 5]),
            (Kind::Unknown, (0..values.len()).collect()),
        ] {
            for (index, value) in values.iter().enumerate() {
                let first = value.to_string().as_bytes()[0];
                // `t` is like `4` in its lowest bits.
                let is_like = first == b't' && fitting.contains(&4);
                let expected = fitting.contains(&index) || is_like;
                assert_eq!(kind.beginnings().may_be(first), expected, "{kind:?} {value}");
            }
        }
    }
}
