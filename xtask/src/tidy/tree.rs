//! The files of the project, as texts: what git tracks, and what it would.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::{Result, output_of};

/// Where the field reports stand outside of the project, seen from its root.
const CORPUS_OUTSIDE: &str = "../shared/cases/field-reports.md";

/// Every text file by its path from the root, with `/` between folders.
#[derive(Debug, Default)]
pub(super) struct Tree {
    files: BTreeMap<String, String>,
    /// The field reports as handed over beside the project, if they are there.
    pub(super) corpus_outside: Option<String>,
}

impl Tree {
    /// Reads the tracked and the new files; what is no UTF-8 text is left out.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut git = Command::new("git");
        git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let mut files = BTreeMap::new();
        for path in output_of(&mut git)?.split_terminator('\0') {
            // A deleted file is still listed until the deletion is staged.
            let Ok(bytes) = fs::read(root.join(path)) else { continue };
            if let Ok(text) = String::from_utf8(bytes) {
                files.insert(path.to_owned(), text);
            }
        }
        Ok(Self { files, corpus_outside: fs::read_to_string(root.join(CORPUS_OUTSIDE)).ok() })
    }

    /// The text of one file.
    pub(super) fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// All files, sorted by path.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The Rust files under a folder, which is given with its closing `/`.
    pub(super) fn rust_under(&self, folder: &str) -> impl Iterator<Item = (&str, &str)> {
        self.iter().filter(move |(path, _)| path.starts_with(folder) && is_rust(path))
    }
}

/// Whether this is a path of Rust source.
pub(super) fn is_rust(path: &str) -> bool {
    ends_in(path, "rs")
}

/// Whether the path has this extension.
pub(super) fn ends_in(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|own| own == extension)
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Tree {
    fn from(files: [(&str, &str); N]) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        Self { files, corpus_outside: None }
    }
}
