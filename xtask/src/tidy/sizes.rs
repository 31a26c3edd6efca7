//! A file that grows past 400 lines holds a second noun; past 600 it has to be split.

use super::Findings;
use super::tree::{Tree, is_rust};

const NOTE_OVER: usize = 400;
const FAIL_OVER: usize = 600;

/// Files that may be longer, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// Notes the long Rust files and refuses the very long ones.
pub(super) fn check(tree: &Tree) -> Findings {
    with_exceptions(tree, EXCEPTIONS)
}

fn with_exceptions(tree: &Tree, exceptions: &[(&str, &str)]) -> Findings {
    let mut findings = Findings::default();
    for (path, text) in tree.iter().filter(|(path, _)| is_rust(path) && !path.contains("/snapshots/")) {
        let lines = text.lines().count();
        let exception = exceptions.iter().find(|(excepted, _)| *excepted == path);
        match exception {
            Some((_, reason)) if lines > FAIL_OVER => {
                findings.note(format!("{path}: {lines} lines, because {reason}"));
            }
            Some(_) => {
                findings.problem(format!("{path}: {lines} lines need no exception; take it out of the list"));
            }
            None if lines > FAIL_OVER => {
                findings.problem(format!("{path}: {lines} lines, over {FAIL_OVER}; split it by its nouns"));
            }
            None if lines > NOTE_OVER => {
                findings
                    .note(format!("{path}: {lines} lines, over {NOTE_OVER}; is there a second noun in it?"));
            }
            None => {}
        }
    }
    for (path, _) in exceptions.iter().filter(|(path, _)| tree.get(path).is_none()) {
        findings.problem(format!("{path}: an exception for a file that is gone"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(path: &str, lines: usize, exceptions: &[(&str, &str)]) -> (usize, usize) {
        let text = "x\n".repeat(lines);
        let findings = with_exceptions(&Tree::from([(path, text.as_str())]), exceptions);
        (findings.problems.len(), findings.notes.len())
    }

    #[test]
    fn long_files_are_noted_and_very_long_ones_refused() {
        assert_eq!(counts("a.rs", 400, &[]), (0, 0));
        assert_eq!(counts("a.rs", 401, &[]), (0, 1));
        assert_eq!(counts("a.rs", 601, &[]), (1, 0));
    }

    #[test]
    fn only_rust_counts_and_no_snapshot() {
        assert_eq!(counts("a.stderr", 700, &[]), (0, 0));
        assert_eq!(counts("tool-macros/src/tests/snapshots/a.rs", 700, &[]), (0, 0));
    }

    #[test]
    fn an_exception_holds_as_long_as_it_is_needed() {
        let exceptions = &[("a.rs", "it is one table")];
        assert_eq!(counts("a.rs", 601, exceptions), (0, 1));
        assert_eq!(counts("a.rs", 600, exceptions), (1, 0));
        assert_eq!(counts("b.rs", 10, exceptions), (1, 0));
    }
}
