//! No crate of ours holds unsafe code, and each says so itself.

use super::Findings;
use super::code::bare;
use super::tree::Tree;
use crate::manifest;

/// A crate says it by the workspace's lints, by its own, or by `#![forbid(unsafe_code)]` in its root file.
pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let root = tree.get("Cargo.toml").unwrap_or_default();
    let workspace_forbids = says(root, "[workspace.lints.rust]", "unsafe_code", "\"forbid\"");
    for (path, manifest) in tree.iter() {
        let Some(folder) = path.strip_suffix("/Cargo.toml").filter(|folder| !folder.contains('/')) else {
            continue;
        };
        let by_lints = workspace_forbids && says(manifest, "[lints]", "workspace", "true")
            || says(manifest, "[lints.rust]", "unsafe_code", "\"forbid\"");
        let roots = ["src/lib.rs", "src/main.rs"].map(|file| tree.get(&format!("{folder}/{file}")));
        let mut roots = roots.into_iter().flatten().peekable();
        let by_attribute =
            roots.peek().is_some() && roots.all(|text| bare(text).contains("#![forbid(unsafe_code)]"));
        if !by_lints && !by_attribute {
            findings.problem(format!(
                "{path}: the crate does not forbid unsafe code; write `[lints]` with `workspace = true`, or \
                `#![forbid(unsafe_code)]` in its root file"
            ));
        }
    }
    findings
}

fn says(toml: &str, header: &str, key: &str, value: &str) -> bool {
    let entries = manifest::table(toml, header).unwrap_or_default();
    entries.iter().any(|(own_key, own_value)| own_key == key && own_value == value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORBIDS: &str = "[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";
    const WARNS: &str = "[workspace.lints.rust]\nunsafe_code = \"warn\"\n";
    const INHERITS: &str = "[package]\n[lints]\nworkspace = true\n";

    fn count(root: &str, manifest: &str, lib: &str) -> usize {
        let files =
            [("Cargo.toml", root), ("tool-macros/Cargo.toml", manifest), ("tool-macros/src/lib.rs", lib)];
        check(&Tree::from(files)).problems.len()
    }

    #[test]
    fn lints_or_the_attribute_are_enough() {
        assert_eq!(count(FORBIDS, INHERITS, ""), 0);
        assert_eq!(count("", "[lints.rust]\nunsafe_code = \"forbid\"\n", ""), 0);
        assert_eq!(count("", "", "//! Docs.\n#![forbid(unsafe_code)]"), 0);
    }

    #[test]
    fn a_crate_that_says_nothing_is_found() {
        assert_eq!(count(FORBIDS, "", ""), 1);
        assert_eq!(count(WARNS, INHERITS, ""), 1);
        assert_eq!(count("", "[lints.rust]\nunsafe_code = \"deny\"\n", ""), 1);
        assert_eq!(count("", INHERITS, "// #![forbid(unsafe_code)]"), 1);
    }
}
