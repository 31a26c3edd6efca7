//! A copy of the rig with this SDK as one more column.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Result, cargo, output_of, root};

/// What the rig's own runs leave behind, and what is not copied.
const LEFT_BEHIND: &[&str] = &["target", "gen", "results", "__pycache__", "Cargo.lock"];

/// From `peers/ours` and from `gen/ours` of the copy to the library.
const LIBRARY: &str = "../../../../tool-runtime";

/// The copy, ready to run.
pub(super) struct Rig {
    pub(super) folder: PathBuf,
}

impl Rig {
    /// Copies `from` to `folder`, adds the column, and resolves the dependencies by the lock file.
    pub(super) fn prepare(from: &Path, folder: &Path) -> Result<Self> {
        if !from.join("compile/gen.py").exists() {
            let help = "give its path by `--rig PATH`";
            return Err(format!("no rig at {}; {help}", from.display()).into());
        }
        copy(from, folder)?;
        // The tables show this run alone; what was built stays.
        let results = folder.join("results");
        if results.exists() {
            fs::remove_dir_all(&results)?;
        }
        fs::create_dir_all(&results)?;
        let rig = Self { folder: folder.to_owned() };
        rig.add_column(&root().join("benches/peer"))?;
        rig.lock(&root().join("benches/peer/Cargo.lock"))?;
        Ok(rig)
    }

    /// A command that runs in the copy, and builds in its target folders whatever the caller's are.
    pub(super) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).args(arguments).env_remove("CARGO_TARGET_DIR");
        command
    }

    /// The package goes to `peers/ours`, the generator into `compile/gen.py`.
    fn add_column(&self, peer: &Path) -> Result {
        let package = self.folder.join("peers/ours");
        copy(&peer.join("src"), &package.join("src"))?;
        let manifest = fs::read_to_string(peer.join("Cargo.toml"))?;
        write(&package.join("Cargo.toml"), replace(&manifest, "../../tool-runtime", LIBRARY)?.as_bytes())?;

        let generator = fs::read_to_string(peer.join("gen_ours.py"))?;
        let last = "peer, n, out = sys.argv";
        self.edit("compile/gen.py", |text| replace(text, last, &format!("{generator}\n\n{last}")))?;
        let line = format!("'tool-runtime = {{ path = \"{LIBRARY}\" }}\\n'");
        let lines = format!("DEPS = {{\n    \"ours\": {line},\n    \"ours_varied\": {line},\n");
        self.edit("compile/run.py", |text| replace(text, "DEPS = {\n", &lines))?;
        let folders = "DIR = {\"ours_varied\": \"ours\", ";
        self.edit("compile/paired.py", |text| replace(text, "DIR = {", folders))
    }

    fn edit(&self, file: &str, change: impl FnOnce(&str) -> Result<String>) -> Result {
        let path = self.folder.join(file);
        let text = change(&fs::read_to_string(&path)?).map_err(|error| format!("{file}: {error}"))?;
        Ok(fs::write(path, text)?)
    }

    /// Pins the peers. Like cargo, it mends the lock file where our own dependencies have changed.
    fn lock(&self, kept: &Path) -> Result {
        let used = self.folder.join("Cargo.lock");
        if kept.exists() {
            fs::copy(kept, &used)?;
        }
        let mut metadata = cargo(["metadata", "--format-version", "1"]);
        output_of(metadata.current_dir(&self.folder).env_remove("CARGO_TARGET_DIR"))?;
        if fs::read(&used)? != fs::read(kept).unwrap_or_default() {
            fs::copy(&used, kept)?;
            let shown = kept.strip_prefix(root()).unwrap_or(kept).display();
            println!("the dependencies have changed: commit {shown}");
        }
        Ok(())
    }
}

/// Copies a folder, without what runs leave behind. A file that is the same keeps its time, so that
/// cargo does not build it again.
fn copy(from: &Path, to: &Path) -> Result {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if LEFT_BEHIND.iter().any(|left| name == *left) {
            continue;
        }
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(&name))?;
        } else {
            write(&to.join(&name), &fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result {
    if fs::read(path).is_ok_and(|own| own == bytes) {
        return Ok(());
    }
    Ok(fs::write(path, bytes)?)
}

/// Replaces what must be there exactly once, so that a changed rig is not patched at random.
fn replace(text: &str, old: &str, new: &str) -> Result<String> {
    match text.matches(old).count() {
        1 => Ok(text.replacen(old, new, 1)),
        count => {
            Err(format!("`{}` stands there {count} times, and should once; has the rig changed?", old.trim())
                .into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_rig_is_named_with_the_way_out() {
        let error =
            Rig::prepare(Path::new("no/such/rig"), Path::new("target/never")).err().expect("there is none");
        assert_eq!(error.to_string(), "no rig at no/such/rig; give its path by `--rig PATH`");
        assert!(!Path::new("target/never").exists());
    }

    #[test]
    fn a_patch_must_fit_exactly_once() {
        assert_eq!(replace("a b", "b", "c").expect("once"), "a c");
        assert!(replace("a b b", "b", "c").is_err());
        assert!(replace("a", "b", "c").is_err());
    }
}
