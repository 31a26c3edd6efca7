//! The little of TOML that our own manifests need: a table's keys, and the strings of a value.
//!
//! A parser would be the dependency that every first `cargo xtask` waits for.

/// The keys of the table under `header` (`[features]`), each with its value's text.
///
/// `None` if there is no such table. A value may go over several lines inside brackets.
pub(crate) fn table(toml: &str, header: &str) -> Option<Vec<(String, String)>> {
    let mut lines = toml.lines().map(without_comment).skip_while(|line| line.trim() != header);
    lines.next()?;
    let mut entries: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in lines {
        if open {
            if let Some((_, value)) = entries.last_mut() {
                value.push_str(line.trim());
            }
        } else if line.starts_with('[') {
            break;
        } else if let Some((key, value)) = line.split_once('=') {
            entries.push((key.trim().to_owned(), value.trim().to_owned()));
        }
        open = entries.last().is_some_and(|(_, value)| is_open(value));
    }
    Some(entries)
}

/// The texts between double quotes.
pub(crate) fn strings(value: &str) -> Vec<&str> {
    value.split('"').skip(1).step_by(2).collect()
}

/// Whether the value has more opening than closing brackets, strings left out.
fn is_open(value: &str) -> bool {
    let outside: String = value.split('"').step_by(2).collect();
    let opened = outside.matches(['[', '{']).count();
    opened > outside.matches([']', '}']).count()
}

fn without_comment(line: &str) -> &str {
    let mut in_string = false;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => in_string = !in_string,
            '#' if !in_string => return &line[..at],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"
[package]
name = "x"

[features]
default = ["a"] # what most want
# A comment with = and [
a = []
b = [
    "dep:c", # why
    "a",
]

[dependencies]
c = { version = "1", optional = true }
"#;

    #[test]
    fn a_table_ends_at_the_next_header() {
        let features = table(MANIFEST, "[features]").expect("it is there");
        let keys: Vec<&str> = features.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["default", "a", "b"]);
        assert_eq!(strings(&features[2].1), ["dep:c", "a"]);
        assert_eq!(table(MANIFEST, "[lints]"), None);
    }
}
