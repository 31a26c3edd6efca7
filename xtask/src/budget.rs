//! The dependency budget: how many crates a user of `tool-runtime` builds for it.

use std::collections::BTreeSet;

use crate::process::{Result, cargo, output_of};

/// A feature choice, and the most crates it may bring.
struct Budget {
    label: &'static str,
    flags: &'static [&'static str],
    most: usize,
}

const BUDGETS: &[Budget] = &[
    Budget { label: "default features", flags: &[], most: 100 },
    Budget { label: "no default features", flags: &["--no-default-features"], most: 55 },
];

/// Counts as `cargo tree … | sort -u | wc -l` does, and fails where a count is over its budget.
pub(crate) fn check() -> Result {
    let mut over = Vec::new();
    for budget in BUDGETS {
        let question = ["tree", "-p", "tool-runtime", "-e", "normal,no-proc-macro", "--prefix", "none"];
        let tree = output_of(cargo(question).args(budget.flags))?;
        let count = distinct_lines(&tree);
        println!("tool-runtime with {}: {count} crates, at most {}", budget.label, budget.most);
        if count > budget.most {
            over.push(format!("{} with {}, where {} are allowed", count, budget.label, budget.most));
        }
    }
    if over.is_empty() { Ok(()) } else { Err(format!("too many crates: {}", over.join("; ")).into()) }
}

fn distinct_lines(tree: &str) -> usize {
    tree.lines().filter(|line| !line.is_empty()).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_lines_count_once() {
        assert_eq!(distinct_lines("a v1\nb v1\na v1\nb v1 (*)\n"), 3);
    }
}
