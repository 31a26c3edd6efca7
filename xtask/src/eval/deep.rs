//! JSON of any depth, read without recursion: an attack may be deeper than any reader allows.

use serde_json::{Map, Value};

/// Reads JSON text as the generators write it; `None` if it is none.
///
/// The value must be forgotten and not dropped where it may be deeper than the stack.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut open: Vec<(Option<String>, Value)> = Vec::new();
    let mut key: Option<String> = None;
    let mut rest = text.trim_start();
    loop {
        let first = rest.chars().next()?;
        let mut done = None;
        match first {
            '{' | '[' => {
                let value = if first == '{' { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
                open.push((key.take(), value));
                rest = rest.get(1..)?;
            }
            '}' | ']' => {
                done = open.pop();
                rest = rest.get(1..)?;
            }
            ',' | ':' => rest = rest.get(1..)?,
            _ => {
                let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
                let scalar = stream.next()?.ok()?;
                rest = rest.get(stream.byte_offset()..)?;
                let in_object = matches!(open.last(), Some((_, Value::Object(_))));
                match scalar {
                    Value::String(name) if in_object && key.is_none() => key = Some(name),
                    scalar => done = Some((key.take(), scalar)),
                }
            }
        }
        rest = rest.trim_start();
        if let Some((name, value)) = done {
            match open.last_mut() {
                None => return Some(value),
                Some((_, Value::Array(items))) => items.push(value),
                Some((_, Value::Object(members))) => {
                    members.insert(name?, value);
                }
                Some(_) => return None,
            }
        }
    }
}
