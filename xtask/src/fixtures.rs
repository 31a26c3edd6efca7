//! The fixture packages under `ui-tests/crates/`: what one trybuild project cannot show, such as a
//! renamed dependency, an edition, or a crate whose lints are all denied.
//!
//! A fixture says in its `Cargo.toml` what is done with it; without that, `clippy` and `test`:
//!
//! ```toml
//! [package.metadata.xtask]            # or workspace.metadata.xtask
//! run = ["clippy", "test", "run", "doc"]
//! # or, for one that must not compile, with a text that the message contains:
//! run = ["check-fails"]
//! fails-with = "links to the native library `tool-runtime`"
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::manifest;
use crate::process::{Result, as_typed, cargo, root, run, target_dir};

/// What can be done with a fixture.
const ACTIONS: &[&str] = &["clippy", "test", "run", "doc", "check-fails"];

/// What a fixture's manifest asks for.
#[derive(Debug, PartialEq, Eq)]
struct Wishes {
    actions: Vec<String>,
    fails_with: Option<String>,
}

impl Wishes {
    /// Reads the manifest's `metadata.xtask` table.
    fn read(manifest: &str) -> Result<Self> {
        let headers = ["[package.metadata.xtask]", "[workspace.metadata.xtask]"];
        let entries = headers.iter().find_map(|header| manifest::table(manifest, header)).unwrap_or_default();
        let mut wishes = Self { actions: vec!["clippy".to_owned(), "test".to_owned()], fails_with: None };
        for (key, value) in &entries {
            let mut strings = manifest::strings(value).into_iter().map(str::to_owned);
            match key.as_str() {
                "run" => wishes.actions = strings.collect(),
                "fails-with" => wishes.fails_with = strings.next_back(),
                other => {
                    return Err(format!(
                        "unknown key `{other}` in `metadata.xtask`; expected `run` or `fails-with`"
                    )
                    .into());
                }
            }
        }
        if let Some(unknown) = wishes.actions.iter().find(|action| !ACTIONS.contains(&action.as_str())) {
            return Err(format!("unknown action `{unknown}` in `run`; expected one of {ACTIONS:?}").into());
        }
        if wishes.actions.is_empty() {
            return Err("`run` is empty; leave it out for clippy and test".into());
        }
        let must_fail = wishes.actions.iter().any(|action| action == "check-fails");
        if must_fail != wishes.fails_with.is_some() {
            return Err(
                "`check-fails` and `fails-with = \"…\"` go together, so that it fails for the right reason"
                    .into(),
            );
        }
        Ok(wishes)
    }
}

/// Runs every fixture; gives their count, or the first failure.
pub(crate) fn check() -> Result<usize> {
    let folders = folders(&root().join("ui-tests/crates"))?;
    for folder in &folders {
        check_one(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(folders.len())
}

/// The folders that hold a `Cargo.toml`, sorted by name.
fn folders(parent: &Path) -> Result<Vec<PathBuf>> {
    if !parent.exists() {
        return Ok(Vec::new());
    }
    let mut folders = Vec::new();
    for entry in fs::read_dir(parent)? {
        let path = entry?.path();
        if path.join("Cargo.toml").exists() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

fn check_one(folder: &Path) -> Result {
    let manifest = folder.join("Cargo.toml");
    let wishes = Wishes::read(&fs::read_to_string(&manifest)?)?;
    // The same versions as the workspace's, so that one target folder serves them all.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    for action in &wishes.actions {
        let mut command = command(action, &manifest);
        command.env("CARGO_TARGET_DIR", target_dir().join("ui-crates"));
        match &wishes.fails_with {
            Some(text) if action == "check-fails" => fails_with(&mut command, text)?,
            _ => run(&mut command)?,
        }
    }
    Ok(())
}

fn command(action: &str, manifest: &Path) -> Command {
    let verb = if action == "check-fails" { "check" } else { action };
    let mut command = cargo([verb, "--quiet", "--manifest-path"]);
    command.arg(manifest.strip_prefix(root()).unwrap_or(manifest));
    match action {
        "clippy" => command.args(["--workspace", "--all-targets", "--", "-D", "warnings"]),
        "doc" => command.args(["--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
        "run" => &mut command,
        _ => command.arg("--workspace"),
    };
    command
}

/// Runs a command that must fail, and say `text` while it does.
fn fails_with(command: &mut Command, text: &str) -> Result {
    let typed = as_typed(command);
    println!("$ {typed}   # must fail");
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return Err(format!("`{typed}` passed; it must fail with `{text}`").into());
    }
    if !said.contains(text) {
        return Err(format!("`{typed}` failed without saying `{text}`:\n{said}").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(manifest: &str) -> String {
        Wishes::read(manifest).expect_err("it must be refused").to_string()
    }

    #[test]
    fn a_silent_fixture_gets_clippy_and_test() {
        let wishes = Wishes::read("[package]\nname = \"x\"\n").expect("it is fine");
        assert_eq!(wishes.actions, ["clippy", "test"]);
    }

    #[test]
    fn a_fixture_says_what_is_run() {
        let manifest =
            "[package.metadata.xtask]\nrun = [\"check-fails\"]\nfails-with = \"links\"\n[dependencies]\n";
        let wishes = Wishes::read(manifest).expect("it is fine");
        assert_eq!(wishes, Wishes { actions: vec!["check-fails".into()], fails_with: Some("links".into()) });
    }

    #[test]
    fn mistakes_are_refused() {
        assert!(refusal("[package.metadata.xtask]\nrun = [\"clipy\"]").contains("unknown action `clipy`"));
        assert!(refusal("[package.metadata.xtask]\nrum = [\"clippy\"]").contains("unknown key `rum`"));
        assert!(refusal("[package.metadata.xtask]\nrun = []").contains("is empty"));
        assert!(refusal("[package.metadata.xtask]\nrun = [\"check-fails\"]").contains("go together"));
        assert!(refusal("[package.metadata.xtask]\nfails-with = \"x\"").contains("go together"));
    }

    #[test]
    fn an_expected_failure_must_have_its_reason() {
        let mut wrong = cargo(["no-such-command"]);
        assert!(fails_with(&mut wrong, "no such command").is_ok());
        assert!(fails_with(&mut wrong, "links to").is_err());
        assert!(fails_with(&mut cargo(["--version"]), "links to").is_err());
    }
}
