//! Where content that is too long for a model is kept whole.

use std::collections::VecDeque;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::ContentBlock;

/// Keeps content whole that a model gets a cut of, and gives it back by a handle that stands in the cut.
///
/// The default of a session is [`MemoryContents`]; [`DirectoryContents`] writes files. A store that fails or panics leaves a cut without a
/// handle.
pub trait ContentStore: Send + Sync + 'static {
    /// Keeps the content of a result; the handle, or `None` if that did not work.
    fn keep(&self, call_id: &str, content: &[ContentBlock]) -> Option<String>;
    /// What is kept under a handle.
    fn get(&self, handle: &str) -> Option<Vec<ContentBlock>>;
}

/// Keeps content in memory: the newest, of a bounded number and size.
#[derive(Debug)]
pub struct MemoryContents {
    most: usize,
    most_bytes: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    count: u64,
    bytes: usize,
    kept: VecDeque<(String, Vec<ContentBlock>, usize)>,
}

impl MemoryContents {
    /// Keeps so many contents at most, and so many bytes of them together; the oldest go first.
    pub fn new(most: usize, most_bytes: usize) -> Self {
        Self { most, most_bytes, state: Mutex::default() }
    }
}

/// 64 contents and 64 MiB.
impl Default for MemoryContents {
    fn default() -> Self {
        Self::new(64, 64 * 1024 * 1024)
    }
}

impl ContentStore for MemoryContents {
    fn keep(&self, _: &str, content: &[ContentBlock]) -> Option<String> {
        let bytes = content.iter().map(ContentBlock::size).sum();
        if self.most == 0 || bytes > self.most_bytes {
            return None;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.kept.len() >= self.most || state.bytes + bytes > self.most_bytes {
            let (_, _, gone) = state.kept.pop_front()?;
            state.bytes -= gone;
        }
        state.count += 1;
        let handle = format!("r{}", state.count);
        state.bytes += bytes;
        state.kept.push_back((handle.clone(), content.to_vec(), bytes));
        Some(handle)
    }

    fn get(&self, handle: &str) -> Option<Vec<ContentBlock>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, content, _) = state.kept.iter().find(|(known, ..)| known == handle)?;
        Some(content.clone())
    }
}

/// Keeps each content as a file of a directory; the handle is the file's path. One block of text is written as it is, anything else as
/// JSON. What is there already is never overwritten, and nothing is removed.
///
/// Files are written where the call ends, on the thread that runs it.
#[derive(Debug)]
pub struct DirectoryContents {
    directory: PathBuf,
    count: AtomicU64,
}

impl DirectoryContents {
    /// Keeps content in a directory, which is made if it is not there.
    ///
    /// # Errors
    /// Returns [`io::Error`] if the directory cannot be made.
    pub fn new(directory: impl Into<PathBuf>) -> io::Result<Self> {
        let directory = directory.into();
        fs::create_dir_all(&directory)?;
        Ok(Self { directory, count: AtomicU64::new(0) })
    }

    fn write(&self, bytes: &[u8], ending: &str) -> io::Result<PathBuf> {
        loop {
            let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
            let path = self.directory.join(format!("result-{number}.{ending}"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    file.write_all(bytes)?;
                    return Ok(path);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl ContentStore for DirectoryContents {
    fn keep(&self, _: &str, content: &[ContentBlock]) -> Option<String> {
        let path = match content {
            [ContentBlock::Text(text)] => self.write(text.as_bytes(), "txt"),
            blocks => self.write(&serde_json::to_vec(blocks).ok()?, "json"),
        };
        path.ok()?.to_str().map(str::to_owned)
    }

    fn get(&self, handle: &str) -> Option<Vec<ContentBlock>> {
        let path = Path::new(handle);
        // A model may ask for any handle: nothing but files of this directory is read.
        let name = path.file_name()?.to_str()?;
        let is_ours = name.strip_prefix("result-").is_some_and(|rest| {
            let number = rest.strip_suffix(".txt").or_else(|| rest.strip_suffix(".json"));
            number
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if path.parent() != Some(&self.directory) || !is_ours {
            return None;
        }
        let text = fs::read_to_string(path).ok()?;
        if path.extension().is_some_and(|ending| ending == "json") {
            return serde_json::from_str(&text).ok();
        }
        Some(vec![ContentBlock::Text(text)])
    }
}
