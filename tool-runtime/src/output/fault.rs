//! The error of the serialising pass while it unwinds: each level adds its key, so that success pays nothing.

use std::fmt;
use std::ops::Range;

use serde::ser;

use super::json::OutputError;

/// Boxed, so that a `Result` of it is one word.
#[derive(Debug)]
pub(super) struct Fault(Box<Parts>);

#[derive(Debug)]
struct Parts {
    problem: String,
    /// Keys and indices, innermost first.
    path: Vec<String>,
}

impl Fault {
    #[cold]
    fn new(problem: String) -> Self {
        Self(Box::new(Parts { problem, path: Vec::new() }))
    }

    #[cold]
    pub(super) fn not_finite(value: f64) -> Self {
        let name = if value.is_nan() {
            "NaN"
        } else if value > 0.0 {
            "infinity"
        } else {
            "-infinity"
        };
        Self::new(format!("{name} is not a JSON number"))
    }

    #[cold]
    pub(super) fn too_deep(limit: u8) -> Self {
        Self::new(format!("nested deeper than {limit} levels"))
    }

    #[cold]
    pub(super) fn too_wrapped(limit: u16) -> Self {
        Self::new(format!("wrapped in more than {limit} newtypes"))
    }

    /// An error of `serde_json`, whose own text is kept.
    #[cold]
    #[expect(clippy::needless_pass_by_value, reason = "shaped for `map_err`")]
    pub(super) fn foreign(error: serde_json::Error) -> Self {
        Self::new(error.to_string())
    }

    #[cold]
    pub(super) fn under(mut self, key: impl Into<String>) -> Self {
        self.0.path.push(key.into());
        self
    }

    /// Under a key, itself under the name of a variant if there is one.
    #[cold]
    pub(super) fn under_field(self, key: impl Into<String>, variant: Option<&'static str>) -> Self {
        let fault = self.under(key);
        match variant {
            Some(variant) => fault.under(variant),
            None => fault,
        }
    }

    #[cold]
    pub(super) fn under_index(self, index: usize, variant: Option<&'static str>) -> Self {
        self.under_field(index.to_string(), variant)
    }

    /// Under a key that is read back from where it was written.
    #[cold]
    pub(super) fn under_written(self, out: &[u8], key: &Range<usize>) -> Self {
        let text = out.get(key.clone()).and_then(|text| serde_json::from_slice(text).ok());
        self.under(text.unwrap_or_else(|| "?".to_owned()))
    }

    pub(super) fn into_error(self) -> OutputError {
        let Parts { problem, path } = *self.0;
        let mut pointer = String::new();
        for key in path.iter().rev() {
            pointer.push('/');
            pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
        }
        OutputError { pointer, problem }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.problem)
    }
}

impl std::error::Error for Fault {}

impl ser::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}
