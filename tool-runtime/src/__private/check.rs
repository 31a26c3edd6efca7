//! Checks that run while the user's crate compiles. Each is `#[track_caller]`, so that the error stands at the
//! user's token and not in here.

use crate::schema::shape::Kind;
use crate::tool::Literal;

/// Used by generated code. Refuses kinds that no tool can take or return.
#[track_caller]
pub const fn kind(kind: Kind) -> Kind {
    if let Some(reason) = kind.refusal() {
        panic!("{}", reason);
    }
    kind
}

/// Used by generated code. A description must say something.
#[track_caller]
pub const fn description(text: &'static str) -> &'static str {
    let text = text.trim_ascii();
    assert!(!text.is_empty(), "a tool needs a description that says what it does; this one is empty");
    text
}

/// Used by generated code. A text without the blanks around it.
pub const fn trimmed(text: &'static str) -> &'static str {
    text.trim_ascii()
}

/// Used by generated code. The struct of a flattened parameter must have named fields.
#[track_caller]
pub const fn flattened(kind: Kind) -> Kind {
    match kind {
        Kind::Unknown | Kind::Object(_) => kind,
        Kind::Union(_) | Kind::Choice(_) => {
            panic!("an enum cannot be flattened into the arguments; take it as a parameter of its own")
        }
        Kind::Optional(_) => {
            panic!(
                "an optional struct cannot be flattened; make its fields optional, or take it as a parameter"
            )
        }
        _ => panic!("only a struct with named fields can be flattened into the arguments"),
    }
}

/// Used by generated code. What a constraint applies to.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Applies {
    /// `minimum` and its kin.
    Numbers,
    /// `min_length`, `max_length`, `pattern`, `format`.
    Strings,
    /// `min_items`, `max_items`, `unique_items`.
    Arrays,
}

/// Used by generated code. Refuses a constraint on a kind that it cannot apply to.
#[track_caller]
pub const fn applies(kind: Kind, to: Applies, message: &'static str) {
    let fits = matches!(
        (kind.present(), to),
        (Kind::Unknown, _)
            | (Kind::Integer { .. } | Kind::Number | Kind::Single, Applies::Numbers)
            | (Kind::String, Applies::Strings)
            | (Kind::Array(_) | Kind::Set(_), Applies::Arrays)
    );
    assert!(fits, "{}", message);
}

/// Used by generated code. Refuses a bound that leaves a type's own range.
#[track_caller]
pub const fn bound(kind: Kind, value: Literal, message: &'static str) {
    if let (Kind::Integer { from, to }, Literal::Integer(value)) = (kind.present(), value)
        && (value < from || value > to)
    {
        panic!("{}", message);
    }
}

/// Used by generated code. Refuses a default or an example of another kind than its parameter's.
#[track_caller]
pub const fn literal(kind: Kind, value: Literal, message: &'static str) {
    if let (Kind::Optional(_), Literal::Null) = (kind, value) {
        return;
    }
    let fits = match (kind.present(), value) {
        (Kind::Unknown | Kind::Union(_), _)
        | (Kind::Boolean, Literal::Boolean(_))
        | (Kind::Number | Kind::Single, Literal::Integer(_) | Literal::Number(_))
        | (Kind::String, Literal::String(_))
        | (Kind::Null, Literal::Null) => true,
        (Kind::Integer { from, to }, Literal::Integer(value)) => from <= value && value <= to,
        (Kind::Choice(names), Literal::String(value)) => contains(names, value),
        _ => false,
    };
    assert!(fits, "{}", message);
}

const fn contains(names: &[&str], value: &str) -> bool {
    let mut idx = 0;
    while idx < names.len() {
        if same(names[idx], value) {
            return true;
        }
        idx += 1;
    }
    false
}

/// Used by generated code. Whether two texts are equal, as a constant.
pub const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut idx = 0;
    while idx < a.len() {
        if a[idx] != b[idx] {
            return false;
        }
        idx += 1;
    }
    true
}

/// Used by generated code. Refuses a flattened struct with a field that another argument is named like.
#[track_caller]
pub const fn distinct(
    fields: Option<&'static [crate::schema::shape::Field]>,
    names: &'static [&'static str],
    message: &'static str,
) {
    let Some(fields) = fields else { return };
    let mut idx = 0;
    while idx < fields.len() {
        assert!(!contains(names, fields[idx].name), "{}", message);
        idx += 1;
    }
}
