//! Errors: what a tool may return, and the codes under which calls fail.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A boxed error of any kind, as tools return it.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Why a call failed: the code for events and logs. Models read texts, never codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// No tool of that name.
    UnknownTool,
    /// The arguments are not what the tool takes.
    InvalidArgs,
    /// The arguments are larger, deeper or more than the limits allow.
    ResourceLimit,
    /// The tool returned an error.
    ToolFailed,
    /// The tool panicked.
    ToolPanicked,
    /// The tool returned a value that its schema refuses.
    InvalidToolOutput,
    /// A rule, a guard, a person or the tool itself refused the call.
    Denied,
    /// Nobody approved the call in time.
    ApprovalTimeout,
    /// The call was cancelled before its tool ran.
    AbortedBeforeDispatch,
    /// The call was cancelled while its tool ran.
    Aborted,
    /// The tool did not finish in time.
    ToolTimeout,
    /// What the tool needs is not reachable.
    Unavailable,
    /// The tool is called too often.
    RateLimited,
}

impl ErrorCode {
    /// The code as it stands in logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "UNKNOWN_TOOL",
            Self::InvalidArgs => "INVALID_ARGS",
            Self::ResourceLimit => "RESOURCE_LIMIT",
            Self::ToolFailed => "TOOL_FAILED",
            Self::ToolPanicked => "TOOL_PANICKED",
            Self::InvalidToolOutput => "INVALID_TOOL_OUTPUT",
            Self::Denied => "DENIED",
            Self::ApprovalTimeout => "APPROVAL_TIMEOUT",
            Self::AbortedBeforeDispatch => "ABORTED_BEFORE_DISPATCH",
            Self::Aborted => "ABORTED",
            Self::ToolTimeout => "TOOL_TIMEOUT",
            Self::Unavailable => "UNAVAILABLE",
            Self::RateLimited => "RATE_LIMITED",
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error with two texts: one for the operator (`Display` and sources), one for the model.
///
/// A tool may return any error; of a plain one the model reads its `Display`. Return this one where the two
/// readers should see different things.
///
/// # Examples
/// ```
/// use tool_runtime::ToolError;
///
/// let error = ToolError::new("connection to 10.0.0.7 refused").for_model("the store is closed; try again later");
/// assert_eq!(error.model_text(), "the store is closed; try again later");
/// assert_eq!(error.to_string(), "connection to 10.0.0.7 refused");
/// ```
#[derive(Debug)]
pub struct ToolError {
    message: String,
    cause: Cause,
}

/// What stands behind the message. A link of the chain of sources of its own where a text was chosen for the model,
/// so that the text is found behind wrappers that hide the error's type, such as `anyhow::Error`.
#[derive(Debug)]
enum Cause {
    Plain(Option<BoxError>),
    Chosen(ModelText),
}

#[derive(Debug)]
struct ModelText {
    text: String,
    source: Option<BoxError>,
}

impl fmt::Display for ModelText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model reads: {}", self.text)
    }
}

impl Error for ModelText {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

impl ToolError {
    /// An error with one text for both readers.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), cause: Cause::Plain(None) }
    }

    /// Sets what the model reads instead of the message.
    #[must_use]
    pub fn for_model(self, text: impl Into<String>) -> Self {
        let (Cause::Plain(source) | Cause::Chosen(ModelText { source, .. })) = self.cause;
        Self { message: self.message, cause: Cause::Chosen(ModelText { text: text.into(), source }) }
    }

    /// Sets the cause, which goes to the log and never to the model.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<BoxError>) -> Self {
        let (Cause::Plain(slot) | Cause::Chosen(ModelText { source: slot, .. })) = &mut self.cause;
        *slot = Some(source.into());
        self
    }

    /// What the model reads.
    pub fn model_text(&self) -> &str {
        match &self.cause {
            Cause::Plain(_) => &self.message,
            Cause::Chosen(chosen) => &chosen.text,
        }
    }

    /// The text that was chosen for the model by an error or one of its sources.
    pub(crate) fn chosen_text<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e str> {
        let chain =
            std::iter::successors(Some(error), |error: &&'e (dyn Error + 'static)| (**error).source())
                .take(MAX_CHAIN);
        let texts = chain.map(|error| error.downcast_ref::<ModelText>());
        texts.flatten().map(|chosen| chosen.text.as_str()).next()
    }
}

/// Longer chains of sources are taken for endless.
const MAX_CHAIN: usize = 64;

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.cause {
            Cause::Plain(source) => source.as_deref().map(|source| source as &(dyn Error + 'static)),
            Cause::Chosen(chosen) => Some(chosen),
        }
    }
}

/// An error of a tool's, kept for the log. Its drop is code of the tool's, and may panic.
pub(crate) struct Kept(Foreign<BoxError>);

impl Kept {
    pub(crate) fn new(error: BoxError) -> Self {
        Self(Foreign::new(error))
    }

    pub(crate) fn get(&self) -> &(dyn Error + Send + Sync + 'static) {
        &**self.0
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept(..)")
    }
}

/// A value of a user's. Its drop may panic, wherever the last that holds it lets go.
#[derive(Clone)]
pub(crate) struct Foreign<T>(Option<T>);

impl<T> Foreign<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }
}

impl<T> Deref for Foreign<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("nothing but the drop takes it")
    }
}

impl<T> Drop for Foreign<T> {
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            contained(|| drop(value));
        }
    }
}

/// Runs a function; `None` if it panicked.
pub(crate) fn contained<T>(function: impl FnOnce() -> T) -> Option<T> {
    // Nothing that the function touched is looked at after a panic, but for what is shared and guards itself.
    match catch_unwind(AssertUnwindSafe(function)) {
        Ok(value) => Some(value),
        Err(payload) => {
            discard(payload);
            None
        }
    }
}

/// Runs a function; what its panic said if it panicked.
pub(crate) fn caught<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(function)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        discard(payload);
        text.unwrap_or_else(|| "without a message".to_owned())
    })
}

/// Drops a panic's payload, whose own drop may panic.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        // A payload that panics while it is dropped gets no second chance.
        std::mem::forget(second);
    }
}
