//! Writes anew what tests compare with: the compiler's messages of the ui-tests, and the snapshots.
//!
//! Read the difference before it is committed: a blessed file is a promise to users.

use std::fs;

use crate::process::{Result, cargo, output_of, root, run};

/// Where trybuild leaves outputs that it could not compare.
const LEFTOVERS: &[&str] = &["wip", "ui-tests/wip"];

/// Runs the ui-tests and then all other tests in their overwriting modes.
pub(crate) fn run_all() -> Result {
    run(cargo(["test", "--package", "ui-tests"]).env("TRYBUILD", "overwrite"))?;
    run(cargo(["test", "--workspace", "--exclude", "ui-tests"]).env("UPDATE_EXPECT", "1"))?;
    for folder in LEFTOVERS {
        let folder = root().join(folder);
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    let mut git = std::process::Command::new("git");
    let changed = output_of(git.current_dir(root()).args(["diff", "--stat"]))?;
    println!("{}", if changed.is_empty() { "nothing changed" } else { changed.trim_end() });
    Ok(())
}
