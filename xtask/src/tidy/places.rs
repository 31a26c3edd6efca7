//! Texts name neither places of one machine nor the hosts of package registries.

use super::Findings;
use super::tree::Tree;

/// Folders of a machine, without the slash that they start with.
const FOLDERS: &[&str] = &["work", "root", "home", "tmp"];

/// Hosts, in two parts, so that this list does not find itself.
const HOSTS: &[(&str, &str)] = &[
    ("crates", ".io"),
    ("static.crates", ".io"),
    ("index.crates", ".io"),
    ("pypi", ".org"),
    ("registry.npmjs", ".org"),
    ("deb.debian", ".org"),
];

/// Data that came from elsewhere and is kept as it came.
const KEPT_AS_IT_CAME: &str = "tests/cases/";

/// Names every line that holds one of them.
pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let mut needles: Vec<(String, &str)> =
        FOLDERS.iter().map(|name| (format!("/{name}"), "a machine's path")).collect();
    needles.extend(HOSTS.iter().map(|(name, end)| (format!("{name}{end}"), "a registry's host")));
    for (path, text) in tree.iter().filter(|(path, _)| !path.starts_with(KEPT_AS_IT_CAME)) {
        for (index, line) in text.lines().enumerate() {
            // The longest names the place best; one finding a line is enough.
            let found = needles
                .iter()
                .filter(|(needle, _)| holds(line, needle))
                .max_by_key(|(needle, _)| needle.len());
            if let Some((needle, what)) = found {
                findings.problem(format!("{path}:{}: names `{needle}`, {what}; say it without", index + 1));
            }
        }
    }
    findings
}

/// Whether the needle stands in the line as a whole: a path at its start, a host at its end.
fn holds(line: &str, needle: &str) -> bool {
    line.match_indices(needle).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + needle.len()..].chars().next();
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        let starts = before
            .is_none_or(|letter| !is_name(letter) && !matches!(letter, '.' | '}' | ')' | ']' | '*' | '>'));
        starts && after.is_none_or(|letter| !is_name(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> bool {
        !check(&Tree::from([("README.md", line)])).problems.is_empty()
    }

    #[test]
    fn machine_paths_are_found() {
        for folder in FOLDERS {
            assert!(found(&format!("see /{folder}/x")), "{folder}");
            assert!(found(&format!("\"/{folder}\"")), "{folder}");
        }
    }

    #[test]
    fn registry_hosts_are_found() {
        for (name, end) in HOSTS {
            assert!(found(&format!("https://{name}{end}/a")), "{name}");
        }
    }

    #[test]
    fn other_paths_and_hosts_pass() {
        for line in [
            "https://docs.rs/tool-runtime",
            "registry+https://github.com/rust-lang/crates.io-index",
            "https://example.com/home/x",
            "../work/a",
            "target/tmp/x",
            "/homepage",
            "{root}/tmp",
        ] {
            assert!(!found(line), "{line}");
        }
    }

    #[test]
    fn data_from_elsewhere_is_kept() {
        let tree = Tree::from([("tests/cases/attacks.jsonl", concat!("/", "tmp/a"))]);
        assert!(check(&tree).problems.is_empty());
    }
}
