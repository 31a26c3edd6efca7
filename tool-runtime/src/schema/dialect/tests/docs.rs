//! The table that users read is the table that the code reads.

use std::fmt::Write;

use super::super::table::{COLUMNS, FACTS_OF, Fate, TABLE};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/providers.md");
const BEGIN: &str = "<!-- table: made by `UPDATE_EXPECT=1 cargo test -p tool-runtime docs` -->\n";
const END: &str = "<!-- end of table -->\n";

fn table() -> String {
    let mut out = format!("Facts of {FACTS_OF}.\n\n| |");
    for name in COLUMNS {
        let _ = write!(out, " {name} |");
    }
    out.push_str("\n|---|");
    out.push_str(&"---|".repeat(COLUMNS.len()));
    for (_, name, fates) in TABLE {
        let _ = write!(out, "\n| {name} |");
        for fate in fates {
            let word = match fate {
                Fate::Keep => "kept",
                Fate::Respell => "rewritten",
                Fate::Some => "some",
                Fate::Describe => "told",
                Fate::Omit => "left out",
                Fate::NotStrict => "not strict",
            };
            let _ = write!(out, " {word} |");
        }
    }
    out.push('\n');
    out
}

#[test]
#[expect(clippy::disallowed_methods, reason = "expect-test's switch for renewing what is expected")]
fn the_table_in_the_docs_is_the_table_of_the_code() {
    let text = std::fs::read_to_string(DOCS).expect("docs/providers.md is there");
    let (head, rest) = text.split_once(BEGIN).expect("docs/providers.md has the mark of the table");
    let (now, tail) = rest.split_once(END).expect("docs/providers.md has the mark of the table's end");
    let wanted = format!("\n{}\n", table());
    if now != wanted && std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(DOCS, format!("{head}{BEGIN}{wanted}{END}{tail}"))
            .expect("docs/providers.md can be written");
    } else {
        assert_eq!(
            now, wanted,
            "renew docs/providers.md with `UPDATE_EXPECT=1 cargo test -p tool-runtime docs`"
        );
    }
}
