//! Cards: what a person sees of a call and of its result.
//!
//! A card is drawn from what is recorded of a call and from nothing else, so that a replay draws the same one.

mod clean;
mod presenter;
mod record;

use serde::{Deserialize, Serialize};

pub use self::presenter::{Presenter, presenter};
pub use self::record::{CallRecord, MAX_CARD_DATA, RecordedResult};

/// What a person sees of a call, or of its result. Plain data, for whatever draws it.
///
/// Texts hold no escape sequences and no hidden characters once they come from
/// [`Scope::card`](crate::Scope::card): nothing of them reaches a terminal as a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Card {
    /// The tool's name, the arguments as JSON text, and what the model read.
    Generic {
        /// The tool's name, or what a presenter calls it.
        title: String,
        /// The arguments as JSON text, secrets masked.
        arguments: String,
        /// What the model read; empty before there is a result.
        text: String,
        /// Whether the call failed.
        is_error: bool,
    },
    /// A command and what it wrote.
    Terminal {
        /// What it is about.
        title: String,
        /// The command.
        command: String,
        /// What it wrote; empty before there is a result.
        output: String,
        /// How it ended, where that is known.
        exit_code: Option<i32>,
    },
    /// Files before and after.
    Diff {
        /// What it is about.
        title: String,
        /// The files.
        files: Vec<FileDiff>,
    },
    /// Rows of cells.
    Table {
        /// What it is about.
        title: String,
        /// The names of the columns.
        columns: Vec<String>,
        /// The rows, each with a cell for each column.
        rows: Vec<Vec<String>>,
    },
    /// What a search found.
    Hits {
        /// What was looked for.
        title: String,
        /// What was found, the best first.
        hits: Vec<Hit>,
        /// How many there are, where that is more than are shown.
        total: Option<u64>,
    },
    /// A file, or a piece of it.
    File {
        /// What it is about.
        title: String,
        /// Where it is.
        path: String,
        /// The number of the first line that is shown, from 1.
        first_line: u64,
        /// What it holds.
        text: String,
    },
}

/// One file of a [`Card::Diff`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "presenters make them")]
pub struct FileDiff {
    /// Where it is.
    pub path: String,
    /// What it held; `None` if it is new.
    pub old: Option<String>,
    /// What it holds now; `None` if it is gone.
    pub new: Option<String>,
}

/// One find of a [`Card::Hits`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "presenters make them")]
pub struct Hit {
    /// Where it is: a path, an address.
    pub place: String,
    /// The line, from 1, where there are lines.
    pub line: Option<u64>,
    /// What was found there.
    pub text: String,
}

impl Card {
    /// The card of a call of which nothing more is known than what is recorded.
    pub fn generic(record: &CallRecord) -> Self {
        let result = record.result();
        Self::Generic {
            title: record.tool().to_owned(),
            arguments: record.arguments().to_owned(),
            text: result.map(RecordedResult::text).unwrap_or_default(),
            is_error: result.is_some_and(RecordedResult::is_error),
        }
        .cleaned()
    }

    /// What it is about.
    pub fn title(&self) -> &str {
        match self {
            Self::Generic { title, .. }
            | Self::Terminal { title, .. }
            | Self::Diff { title, .. }
            | Self::Table { title, .. }
            | Self::Hits { title, .. }
            | Self::File { title, .. } => title,
        }
    }

    /// The same without escape sequences and hidden characters.
    pub(crate) fn cleaned(mut self) -> Self {
        let line = clean::line;
        let text = clean::text;
        match &mut self {
            Self::Generic { title, arguments, text: shown, .. } => {
                *title = line(title);
                *arguments = text(arguments);
                *shown = text(shown);
            }
            Self::Terminal { title, command, output, .. } => {
                *title = line(title);
                *command = text(command);
                *output = text(output);
            }
            Self::Diff { title, files } => {
                *title = line(title);
                for file in files {
                    file.path = line(&file.path);
                    file.old = file.old.as_deref().map(text);
                    file.new = file.new.as_deref().map(text);
                }
            }
            Self::Table { title, columns, rows } => {
                *title = line(title);
                for cell in columns.iter_mut().chain(rows.iter_mut().flatten()) {
                    *cell = text(cell);
                }
            }
            Self::Hits { title, hits, .. } => {
                *title = line(title);
                for hit in hits {
                    hit.place = line(&hit.place);
                    hit.text = text(&hit.text);
                }
            }
            Self::File { title, path, text: shown, .. } => {
                *title = line(title);
                *path = line(path);
                *shown = text(shown);
            }
        }
        self
    }
}
