//! `cargo xtask tidy`: what no compiler checks about the house.
//!
//! Every check is a pure function of the tracked files' texts, so that its tests seed violations.

mod code;
mod field_reports;
mod forbid_unsafe;
mod layers;
mod places;
mod sizes;
mod stray;
mod tree;

use self::tree::Tree;
use crate::process::{Result, root};

/// What a check has to say.
#[derive(Debug, Default)]
struct Findings {
    /// Each fails the run: `path:line: what is wrong; what to do`.
    problems: Vec<String>,
    /// Worth reading, and no failure.
    notes: Vec<String>,
}

impl Findings {
    fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    fn note(&mut self, text: String) {
        self.notes.push(text);
    }
}

/// A check of all the files.
type Check = fn(&Tree) -> Findings;

/// The checks, each under the name that its findings stand under.
const CHECKS: &[(&str, Check)] = &[
    ("layers", layers::check),
    ("file sizes", sizes::check),
    ("stray files", stray::check),
    ("field reports", field_reports::check),
    ("paths and hosts", places::check),
    ("unsafe code", forbid_unsafe::check),
];

/// Runs every check over the tracked files and fails if one found a problem.
pub(crate) fn run() -> Result {
    let tree = Tree::read(root())?;
    let mut problems = 0;
    for (name, check) in CHECKS {
        let findings = check(&tree);
        let state = if findings.problems.is_empty() { "ok" } else { "FAILED" };
        println!("tidy: {name}: {state}");
        for note in &findings.notes {
            println!("  note: {note}");
        }
        for problem in &findings.problems {
            println!("  {problem}");
        }
        problems += findings.problems.len();
    }
    if problems == 0 { Ok(()) } else { Err(format!("tidy found {problems} problems").into()) }
}
