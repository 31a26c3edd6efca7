//! Checks of the types that `#[tool_type]` describes, while the user's crate compiles. As in `check.rs`, each is
//! `#[track_caller]`.

use super::check::same;
use crate::schema::shape::{Field, Kind};

/// Used by generated code. What is flattened into a struct must have fields of its own, or be a map.
#[track_caller]
pub const fn embedded(kind: Kind) {
    match kind {
        Kind::Unknown | Kind::Object(_) | Kind::Map(_) | Kind::Refused(_) => {}
        Kind::Union(_) | Kind::Choice(_) => {
            panic!(
                "an enum cannot be flattened, since its variants have different fields; keep it as a field"
            )
        }
        Kind::Optional(_) => {
            panic!("an optional struct cannot be flattened; make its fields optional, or keep it as a field")
        }
        _ => panic!("only a struct with named fields, or a map, can be flattened"),
    }
}

/// Used by generated code. What stands beside a tag must have fields.
#[track_caller]
pub const fn tagged(kind: Kind) {
    match kind {
        Kind::Unknown | Kind::Object(_) | Kind::Refused(_) => {}
        _ => panic!(
            "only a struct with named fields can stand beside the tag; give the variant named fields, or give the \
             enum a place for data: `#[serde(tag = \"…\", content = \"…\")]`"
        ),
    }
}

/// Used by generated code. Refuses two structs with a field of the same name.
#[track_caller]
pub const fn distinct_lists(
    one: Option<&'static [Field]>,
    two: Option<&'static [Field]>,
    message: &'static str,
) {
    let (Some(one), Some(two)) = (one, two) else { return };
    let mut idx = 0;
    while idx < one.len() {
        let twice = !one[idx].name.is_empty() && find(two, one[idx].name).is_some();
        assert!(!twice, "{}", message);
        idx += 1;
    }
}

/// Used by generated code. What a variant of an untagged enum holds.
#[derive(Debug, Clone, Copy)]
pub struct Alternative {
    kind: Kind,
    /// Known for objects only.
    fields: Option<&'static [Field]>,
    object: bool,
}

impl Alternative {
    /// Used by generated code. A variant that holds a type.
    pub const fn new(kind: Kind, fields: Option<&'static [Field]>) -> Self {
        Self { kind, fields, object: matches!(kind, Kind::Object(_)) }
    }

    /// Used by generated code. A variant with fields of its own.
    pub const fn object(fields: &'static [Field]) -> Self {
        Self { kind: Kind::Unknown, fields: Some(fields), object: true }
    }
}

/// Used by generated code. Refuses two variants that one value can fit alike. A narrower kind may stand before a
/// wider one (integers before numbers, `u8` before `i64`, a choice before strings, a struct before a map).
#[track_caller]
pub const fn apart(earlier: &Alternative, later: &Alternative, message: &'static str) {
    let alike = match (earlier.object, later.object) {
        (true, true) => match (earlier.fields, later.fields) {
            (Some(one), Some(two)) => share(one, two),
            _ => false,
        },
        (false, true) => matches!(earlier.kind, Kind::Map(_)),
        (true, false) => false,
        (false, false) => overlap(earlier.kind, later.kind),
    };
    assert!(!alike, "{}", message);
}

/// Whether one value can be of both kinds, and the earlier is not the narrower one.
const fn overlap(earlier: Kind, later: Kind) -> bool {
    match (earlier, later) {
        (Kind::Optional(_) | Kind::Null, Kind::Optional(_) | Kind::Null)
        | (Kind::Boolean, Kind::Boolean)
        | (Kind::Number | Kind::Single, Kind::Number | Kind::Single | Kind::Integer { .. })
        | (Kind::String, Kind::String | Kind::Choice(_))
        | (Kind::Map(_), Kind::Object(_)) => true,
        (Kind::Optional(one), two) => overlap(*one, two),
        (one, Kind::Optional(two)) => overlap(one, *two),
        (Kind::Integer { from, to }, Kind::Integer { from: least, to: most }) => {
            let is_narrower = least <= from && to <= most && (least < from || to < most);
            from <= most && least <= to && !is_narrower
        }
        (Kind::Array(one) | Kind::Set(one), Kind::Array(two) | Kind::Set(two))
        | (Kind::Map(one), Kind::Map(two)) => overlap(*one, *two),
        (Kind::Choice(one), Kind::Choice(two)) => {
            let shared = shared(one, two);
            let is_narrower = shared == one.len() && shared < two.len();
            shared > 0 && !is_narrower
        }
        _ => false,
    }
}

/// How many of the names are among the others.
const fn shared(names: &[&str], others: &[&str]) -> usize {
    let (mut count, mut idx) = (0, 0);
    while idx < names.len() {
        let mut other = 0;
        while other < others.len() && !same(names[idx], others[other]) {
            other += 1;
        }
        if other < others.len() {
            count += 1;
        }
        idx += 1;
    }
    count
}

/// Whether one object can have the fields of both.
const fn share(one: &[Field], two: &[Field]) -> bool {
    covers(one, two) && covers(two, one)
}

/// Whether an object that has what `one` requires can be read with `two`'s fields.
const fn covers(one: &[Field], two: &[Field]) -> bool {
    let mut idx = 0;
    while idx < one.len() {
        let field = &one[idx];
        if field.required {
            match find(two, field.name) {
                None => return false,
                Some(other) if apart_in_kind(field.kind, other.kind) => return false,
                Some(_) => {}
            }
        }
        idx += 1;
    }
    true
}

/// Whether no value is of both kinds. What is not known gets the benefit of the doubt.
const fn apart_in_kind(one: Kind, two: Kind) -> bool {
    const UNKNOWN: u8 = 0;
    const fn sort(kind: Kind) -> u8 {
        match kind {
            Kind::Null => 1,
            Kind::Boolean => 2,
            Kind::Integer { .. } | Kind::Number | Kind::Single => 3,
            Kind::String | Kind::Choice(_) => 4,
            Kind::Array(_) | Kind::Set(_) => 5,
            Kind::Map(_) | Kind::Object(_) => 6,
            Kind::Unknown | Kind::Union(_) | Kind::Optional(_) | Kind::Refused(_) => UNKNOWN,
        }
    }
    let (first, second) = (sort(one), sort(two));
    match (one, two) {
        (Kind::Choice(one), Kind::Choice(two)) => shared(one, two) == 0,
        _ => first == UNKNOWN || second == UNKNOWN || first != second,
    }
}

const fn find<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    let mut idx = 0;
    while idx < fields.len() {
        if same(fields[idx].name, name) {
            return Some(&fields[idx]);
        }
        idx += 1;
    }
    None
}

/// Used by generated code. The fields, none where they are not known.
pub const fn listed(fields: Option<&'static [Field]>) -> &'static [Field] {
    match fields {
        Some(fields) => fields,
        None => &[],
    }
}

/// Used by generated code. How many fields the lists have.
pub const fn count(lists: &[&[Field]]) -> usize {
    let (mut count, mut idx) = (0, 0);
    while idx < lists.len() {
        count += lists[idx].len();
        idx += 1;
    }
    count
}

/// Used by generated code. The lists as one, whose length is their [`count`].
pub const fn joined<const N: usize>(lists: &[&[Field]]) -> [Field; N] {
    let mut all = [Field::new("", Kind::Null, false); N];
    let (mut place, mut list) = (0, 0);
    while list < lists.len() {
        let mut idx = 0;
        while idx < lists[list].len() {
            all[place] = lists[list][idx];
            place += 1;
            idx += 1;
        }
        list += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTEGER: Kind = Kind::Integer { from: 0, to: 255 };

    #[test]
    fn kinds_overlap_unless_the_earlier_is_narrower() {
        for (earlier, later, expected) in [
            (INTEGER, INTEGER, true),
            (INTEGER, Kind::Integer { from: -9, to: -1 }, false),
            (INTEGER, Kind::Integer { from: -9, to: 255 }, false),
            (Kind::Integer { from: -9, to: 255 }, INTEGER, true),
            (Kind::Integer { from: -9, to: 9 }, INTEGER, true),
            (INTEGER, Kind::Number, false),
            (Kind::Number, INTEGER, true),
            (Kind::Choice(&["a", "b"]), Kind::String, false),
            (Kind::String, Kind::Choice(&["a"]), true),
            (Kind::Choice(&["a", "b"]), Kind::Choice(&["b"]), true),
            (Kind::Choice(&["a"]), Kind::Choice(&["b"]), false),
            (Kind::Choice(&["b"]), Kind::Choice(&["a", "b"]), false),
            (Kind::Choice(&["a", "b"]), Kind::Choice(&["b", "a"]), true),
            (Kind::Optional(&INTEGER), Kind::Null, true),
            (Kind::Optional(&INTEGER), Kind::Optional(&Kind::String), true),
            (Kind::Optional(&INTEGER), Kind::String, false),
            (Kind::Array(&INTEGER), Kind::Array(&Kind::String), false),
            (Kind::Set(&INTEGER), Kind::Array(&INTEGER), true),
            (Kind::Map(&INTEGER), Kind::Map(&INTEGER), true),
            (Kind::Unknown, Kind::Unknown, false),
        ] {
            assert_eq!(overlap(earlier, later), expected, "{earlier:?} {later:?}");
        }
    }

    #[test]
    fn objects_share_a_value_if_each_has_what_the_other_requires() {
        const A: &[Field] = &[Field::new("a", INTEGER, true), Field::new("b", Kind::String, false)];
        const AB: &[Field] = &[Field::new("a", INTEGER, true), Field::new("b", Kind::String, true)];
        const AC: &[Field] = &[Field::new("a", INTEGER, true), Field::new("c", INTEGER, true)];
        const TEXT: &[Field] = &[Field::new("a", Kind::String, true)];
        const NONE: &[Field] = &[];
        for (one, two, expected) in [
            (A, A, true),
            (A, AB, true),
            (A, AC, false),
            (A, TEXT, false),
            (NONE, A, false),
            (NONE, NONE, true),
        ] {
            assert_eq!(share(one, two), expected, "{one:?} {two:?}");
            assert_eq!(share(two, one), expected, "{two:?} {one:?}");
        }
    }

    #[test]
    fn lists_are_joined_in_their_order() {
        const LISTS: &[&[Field]] = &[&[Field::new("a", INTEGER, true)], &[], listed(None)];
        const ALL: [Field; count(LISTS)] = joined(LISTS);
        assert_eq!(ALL.map(|field| field.name), ["a"]);
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn lists_with_one_name_are_refused() {
        const A: &[Field] = &[Field::new("", INTEGER, true), Field::new("a", INTEGER, true)];
        distinct_lists(Some(A), Some(A), "twice");
    }
}
