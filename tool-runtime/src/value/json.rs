//! An ordered JSON tree.

use serde_json::{Map, Number, Value};

use super::canonical::write_string;
use super::number::Exact;

/// A JSON value whose objects keep the order of their members, whatever `serde_json` was built with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}
impl From<Number> for Json {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}
impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}
impl From<Json> for Value {
    fn from(json: Json) -> Self {
        json.into_value()
    }
}

impl Json {
    /// Copies a value, its members sorted by name; `None` if it is nested deeper than `depth`.
    pub(crate) fn from_value(value: &Value, depth: usize) -> Option<Self> {
        let inner = depth.checked_sub(1)?;
        Some(match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) => Self::String(text.clone()),
            Value::Array(items) => {
                Self::Array(items.iter().map(|item| Self::from_value(item, inner)).collect::<Option<_>>()?)
            }
            Value::Object(members) => {
                let mut copied = members
                    .iter()
                    .map(|(name, member)| Some((name.clone(), Self::from_value(member, inner)?)))
                    .collect::<Option<Vec<_>>>()?;
                copied.sort_unstable_by(|a, b| a.0.cmp(&b.0));
                Self::Object(copied)
            }
        })
    }

    /// Turns the tree into a `serde_json` value.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(flag),
            Self::Number(number) => Value::Number(number),
            Self::String(text) => Value::String(text),
            Self::Array(items) => Value::Array(items.into_iter().map(Self::into_value).collect()),
            Self::Object(members) => Value::Object(
                members.into_iter().map(|(name, member)| (name, member.into_value())).collect::<Map<_, _>>(),
            ),
        }
    }

    /// The member of an object by name.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, member)| member),
            _ => None,
        }
    }

    /// The text of a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The text without blanks, members in their order.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// Appends the text without blanks.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::String(text) => write_string(out, text),
            Self::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (name, member)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_string(out, name);
                    out.push(':');
                    member.write(out);
                }
                out.push('}');
            }
        }
    }

    /// Whether the tree is the value: numbers by value, objects whatever their order.
    pub(crate) fn equals(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => true,
            (Self::Bool(a), Value::Bool(b)) => a == b,
            (Self::Number(a), Value::Number(b)) => Exact::of(a).compare(Exact::of(b)).is_eq(),
            (Self::String(a), Value::String(b)) => a == b,
            (Self::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equals(b))
            }
            (Self::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| a.equals(b)))
            }
            _ => false,
        }
    }

    /// What JSON calls the value.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(number) if Exact::of(number).is_integer() => "integer",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }
}
