//! Labelled cases against the library: each eval prints its misses and ends with `NAME: R right of T`.

mod arguments;
mod attack;
mod attacks;
mod deep;
mod schemas;

use std::error::Error;
use std::fs;

use serde_json::Value;

/// Runs one eval over a file of JSON lines.
pub(crate) fn run(words: &[&str]) -> Result<(), Box<dyn Error>> {
    match words {
        ["arguments", file] => score("arguments", &cases(file)?, arguments::judge),
        ["schemas", file] => schemas::run(&cases(file)?),
        ["attacks", file] => score("attacks", &cases(file)?, attacks::judge),
        // One case in a process of its own; `attacks` starts it.
        ["attack", file] => attack::run(file),
        _ => Err("usage: cargo xtask eval arguments|attacks|schemas FILE".into()),
    }
}

/// The cases of a file, one JSON value a line.
fn cases(file: &str) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line)| {
        serde_json::from_str(line).map_err(|error| format!("{file}, line {}: {error}", index + 1).into())
    };
    lines.map(read).collect()
}

/// Judges each case; a case that is missed is told with the reason.
fn score(
    name: &str,
    cases: &[Value],
    judge: impl Fn(&Value) -> Result<(), String>,
) -> Result<(), Box<dyn Error>> {
    let mut right = 0;
    for case in cases {
        match judge(case) {
            Ok(()) => right += 1,
            Err(reason) => println!("{}: {reason}", text(case, "id")),
        }
    }
    conclude(name, right, cases.len())
}

/// The last line.
fn conclude(name: &str, right: usize, total: usize) -> Result<(), Box<dyn Error>> {
    println!("{name}: {right} right of {total}");
    if right == total { Ok(()) } else { Err(format!("{} missed", total - right).into()) }
}

/// A text of a case; empty if it has none.
fn text<'c>(case: &'c Value, key: &str) -> &'c str {
    case.get(key).and_then(Value::as_str).unwrap_or_default()
}
