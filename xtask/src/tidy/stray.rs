//! Files where nobody looks for them: unknown names at the top, rooms without a meaning, sources
//! that no module declares, outputs without their test.

use std::collections::BTreeSet;

use super::Findings;
use super::code::{Token, bare, declared_modules, tokens};
use super::tree::{Tree, is_rust};

/// What may stand at the top; ARCHITECTURE.md says what each is for.
const TOP_LEVEL: &[&str] = &[
    ".cargo",
    ".ci",
    ".gitattributes",
    ".github",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "benches",
    "clippy.toml",
    "deny.toml",
    "docs",
    "examples",
    "fuzz",
    "loom-tests",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "tests",
    "tool-cli",
    "tool-macros",
    "tool-mcp",
    "tool-runtime",
    "typos.toml",
    "ui-tests",
    "xtask",
];

/// Names that answer no "where is …?".
const MEANINGLESS: &[&str] = &["utils", "util", "common", "helpers", "types", "misc", "manager"];

/// Runs all the checks of this module.
pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    top_level(tree, &mut findings);
    meaningless_modules(tree, &mut findings);
    undeclared_sources(tree, &mut findings);
    ui_outputs(tree, &mut findings);
    fixture_locks(tree, &mut findings);
    findings
}

fn top_level(tree: &Tree, findings: &mut Findings) {
    let names: BTreeSet<&str> = tree.iter().filter_map(|(path, _)| path.split('/').next()).collect();
    for name in names.into_iter().filter(|name| !TOP_LEVEL.contains(name)) {
        findings.problem(format!(
            "{name}: unknown at the top; move it to its room, or add it to ARCHITECTURE.md and to this check"
        ));
    }
}

fn meaningless_modules(tree: &Tree, findings: &mut Findings) {
    let sources =
        tree.iter().filter(|(path, _)| path.starts_with("tool-") && path.contains("/src/") && is_rust(path));
    let mut found = BTreeSet::new();
    for (path, text) in sources {
        let within = path.split_once("/src/").map_or(path, |(_, within)| within);
        let parts = within.trim_end_matches(".rs").split('/');
        found.extend(parts.filter(|part| MEANINGLESS.contains(part)).map(|part| (path, part.to_owned())));
        let code = bare(text);
        for pair in tokens(&code).windows(2) {
            if let [(_, Token::Word("mod")), (_, Token::Word(name))] = pair
                && MEANINGLESS.contains(name)
            {
                found.insert((path, (*name).to_owned()));
            }
        }
    }
    for (path, name) in found {
        findings.problem(format!(
            "{path}: a module `{name}` says nothing; name it after its noun, or put it with its one caller"
        ));
    }
}

/// Every source below a crate's root file is declared where it belongs, else nothing compiles it.
fn undeclared_sources(tree: &Tree, findings: &mut Findings) {
    let roots = tree.iter().map(|(path, _)| path).filter(|path| {
        path.ends_with("/src/lib.rs") && path.starts_with("tool-")
            || matches!(*path, "xtask/src/main.rs" | "tests/it/main.rs" | "loom-tests/src/lib.rs")
    });
    for root in roots {
        let folder = &root[..=root.rfind('/').unwrap_or(0)];
        for (path, _) in tree.rust_under(folder).filter(|(path, _)| *path != root) {
            let stem = path.trim_end_matches(".rs").trim_end_matches("/mod");
            let (parent, name) = stem.rsplit_once('/').unwrap_or(("", stem));
            let inside = format!("{parent}/");
            let declares = |file: &str| {
                tree.get(file)
                    .is_some_and(|text| declared_modules(&bare(text)).iter().any(|module| module == name))
            };
            let declared = if inside == folder {
                declares(root)
            } else {
                declares(&format!("{parent}/mod.rs")) || declares(&format!("{parent}.rs"))
            };
            if !declared && !path.starts_with(&format!("{folder}bin/")) {
                let at = if inside == folder { root.to_owned() } else { format!("{parent}/mod.rs") };
                findings.problem(format!(
                    "{path}: nothing compiles it; declare `mod {name};` in {at}, or delete it"
                ));
            }
        }
    }
}

/// A mistake and its message come in pairs.
fn ui_outputs(tree: &Tree, findings: &mut Findings) {
    for (path, _) in tree.iter().filter(|(path, _)| path.starts_with("ui-tests/fail/")) {
        let pairs = [(".rs", ".stderr", "run `cargo xtask bless`"), (".stderr", ".rs", "delete it")];
        for (own, other, remedy) in pairs {
            if let Some(stem) = path.strip_suffix(own)
                && tree.get(&format!("{stem}{other}")).is_none()
            {
                findings.problem(format!("{path}: has no `{other}` beside it; {remedy}"));
            }
        }
    }
}

/// A fixture takes the workspace's lock file each time it runs.
fn fixture_locks(tree: &Tree, findings: &mut Findings) {
    let locks = tree.iter().map(|(path, _)| path);
    for path in locks.filter(|path| path.starts_with("ui-tests/crates/") && path.ends_with("/Cargo.lock")) {
        findings.problem(format!("{path}: made anew by each run; keep it out of git"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems<const N: usize>(files: [(&str, &str); N]) -> Vec<String> {
        check(&Tree::from(files)).problems
    }

    #[test]
    fn a_stray_file_at_the_top_is_named() {
        assert_eq!(problems([("README.md", ""), ("docs/a.md", "")]).len(), 0);
        let found = problems([("notes.txt", ""), ("scratch/a.rs", ""), ("scratch/b.rs", "")]);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn modules_are_named_after_what_they_hold() {
        for (path, text) in
            [("tool-macros/src/lib.rs", "mod helpers { }"), ("tool-macros/src/lib.rs", "mod common;")]
        {
            assert_eq!(problems([(path, text)]).len(), 1, "{path}");
        }
        let found = problems([("tool-runtime/src/utils/mod.rs", "")]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            problems([("tests/src/common.rs", ""), ("tool-runtime/src/value/mod.rs", "// mod utils;")]).len(),
            0
        );
    }

    #[test]
    fn a_test_file_must_be_declared() {
        let declared = [
            ("tests/it/main.rs", "mod dispatch;\nmod support;"),
            ("tests/it/dispatch.rs", ""),
            ("tests/it/support/mod.rs", "pub mod tools;"),
            ("tests/it/support/tools.rs", ""),
        ];
        assert_eq!(problems(declared), Vec::<String>::new());
        let forgotten = [
            ("tests/it/main.rs", "// mod dispatch;\nmod support;"),
            ("tests/it/dispatch.rs", ""),
            ("tests/it/support/mod.rs", ""),
            ("tests/it/support/tools.rs", ""),
        ];
        let found = problems(forgotten);
        assert_eq!(
            found,
            [
                "tests/it/dispatch.rs: nothing compiles it; declare `mod dispatch;` in tests/it/main.rs, or delete it",
                "tests/it/support/tools.rs: nothing compiles it; declare `mod tools;` in tests/it/support/mod.rs, or delete it",
            ]
        );
    }

    #[test]
    fn a_source_that_nothing_compiles_is_found() {
        let files = [
            ("tool-runtime/src/lib.rs", "mod value;"),
            ("tool-runtime/src/value/mod.rs", ""),
            ("tool-runtime/src/tool.rs", ""),
        ];
        assert_eq!(problems(files).len(), 1);
    }

    #[test]
    fn mistakes_and_messages_come_in_pairs() {
        let pair = [("ui-tests/fail/params/a.rs", ""), ("ui-tests/fail/params/a.stderr", "")];
        assert_eq!(problems(pair).len(), 0);
        assert_eq!(problems([("ui-tests/fail/params/a.rs", "")]).len(), 1);
        assert_eq!(problems([("ui-tests/fail/params/a.stderr", "")]).len(), 1);
    }

    #[test]
    fn a_fixtures_lock_file_is_not_kept() {
        assert_eq!(problems([("ui-tests/crates/a/Cargo.lock", "")]).len(), 1);
    }
}
