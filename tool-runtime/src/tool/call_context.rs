//! The context of a call, and what it asks of the executor.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{State, StateMap};
use crate::error::{ErrorCode, ToolError};
use crate::output::CallOutput;
use crate::schema::Schema;

/// A future that owns what it needs.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a call's context asks of the executor, which stands in a later room.
pub(crate) trait Caller: Send + Sync {
    fn facts(&self) -> &CallFacts;
    fn states(&self) -> &Arc<StateMap>;
    fn arguments(&self) -> &str;
    fn deadline(&self) -> Option<Instant>;
    fn cancellation(&self) -> CancellationToken;
    fn is_cancelled(&self) -> bool;
    fn progress(&self, text: String);
    fn write(&self, stream: &str, text: &str);
    fn call(self: Arc<Self>, name: String, arguments: String) -> BoxFuture<'static, CallOutput>;
    fn judge(self: Arc<Self>, question: Question) -> BoxFuture<'static, Result<(), Denied>>;
    fn elicit(self: Arc<Self>, request: Elicitation) -> BoxFuture<'static, Elicited>;
    fn add_message(&self, text: String);
    fn conclude_turn(&self);
}

/// Makes the caller of a call when it is first asked for: most calls never do.
pub(crate) trait MakeCaller: fmt::Debug + Send + Sync {
    fn caller(&self) -> Arc<dyn Caller>;
}

/// What is known of a call, and does not change.
#[derive(Debug, Clone)]
pub(crate) struct CallFacts {
    pub(crate) id: String,
    pub(crate) root: String,
    pub(crate) parent: Option<String>,
    /// The number of the call in this process.
    pub(crate) unique: u64,
    pub(crate) tool: String,
    pub(crate) scope: String,
    /// As they were sent.
    pub(crate) arguments: String,
    pub(crate) depth: usize,
}

/// What a body asks about itself while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// Whether it may go on, for a reason that a person reads.
    Ask {
        /// The reason.
        reason: String,
    },
    /// Whether it has a permission for a target.
    Authorize {
        /// The permission.
        permission: String,
        /// What it is to be used on.
        target: String,
    },
}

/// A refusal: returned from a body, it makes the call a denied one, which is never retried.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denied {
    /// A rule, a guard or the body itself refuses it.
    Refused {
        /// Why.
        reason: String,
    },
    /// A person refused it.
    Rejected {
        /// Why, if the person said so.
        reason: Option<String>,
    },
    /// There is nobody who could answer.
    Nobody,
    /// A person has to answer, and something else would have.
    Person,
    /// Nobody answered in time.
    TimedOut,
}

impl Denied {
    /// The code under which the call fails.
    pub(crate) fn code(&self) -> ErrorCode {
        if *self == Self::TimedOut { ErrorCode::ApprovalTimeout } else { ErrorCode::Denied }
    }

    /// What the model reads.
    pub(crate) fn text(&self, tool: &str) -> String {
        match self {
            Self::Refused { reason } => format!("Error: \"{tool}\" is not allowed: {reason}"),
            Self::Rejected { reason: Some(reason) } => {
                format!("Error: the user rejected \"{tool}\": {reason}")
            }
            Self::Rejected { reason: None } => format!("Error: the user rejected \"{tool}\""),
            Self::Nobody => format!("Error: \"{tool}\" needs approval, and nobody can give it here"),
            Self::Person => format!("Error: \"{tool}\" needs a person's approval"),
            Self::TimedOut => format!("Error: approval for \"{tool}\" was not given in time"),
        }
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { reason } => write!(f, "not allowed: {reason}"),
            Self::Rejected { reason: Some(reason) } => write!(f, "rejected by the user: {reason}"),
            Self::Rejected { reason: None } => f.write_str("rejected by the user"),
            Self::Nobody => f.write_str("it needs approval, and nobody can give it here"),
            Self::Person => f.write_str("it needs a person's approval"),
            Self::TimedOut => f.write_str("approval was not given in time"),
        }
    }
}

impl std::error::Error for Denied {}

/// What a body asks a person for.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Elicitation {
    /// To fill in a form.
    Form {
        /// What the person reads.
        message: String,
        /// The JSON Schema of the answer.
        schema: serde_json::Value,
    },
    /// To open an address.
    Url {
        /// What the person reads.
        message: String,
        /// The address.
        url: String,
    },
}

/// What a person answered.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the three answers are those of the protocol")]
pub enum Elicited<T = serde_json::Value> {
    /// An answer.
    Answered(T),
    /// The person does not want to answer, or there is nobody.
    Declined,
    /// The person left the question, or did not answer in time.
    Cancelled,
}

/// The context of a call: what is known of it, its signal and its deadline, and what a body may ask of the executor. A parameter
/// `&CallContext` is filled by the runtime and is not part of the schema. Cheap to clone.
///
/// # Examples
/// ```
/// use tool_runtime::{CallContext, Registry, ToolCall, tool};
///
/// /// Tells the id of its own call.
/// #[tool]
/// fn own_id(cx: &CallContext) -> String {
///     cx.call_id().to_owned()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().register::<own_id>().build()?;
/// assert_eq!(registry.call(ToolCall::new("call_7", "own_id", "{}")).await.text(), r#""call_7""#);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CallContext(Arc<dyn Caller>);

impl CallContext {
    pub(crate) fn new(caller: Arc<dyn Caller>) -> Self {
        Self(caller)
    }

    /// The id that the model gave the call; of a nested call, one that was made for it.
    pub fn call_id(&self) -> &str {
        &self.0.facts().id
    }

    /// The id of the call that the model made, of which this one is a part.
    pub fn root_call_id(&self) -> &str {
        &self.0.facts().root
    }

    /// The id of the call that made this one.
    pub fn parent_call_id(&self) -> Option<&str> {
        self.0.facts().parent.as_deref()
    }

    /// A number that no other call of this process has.
    pub fn unique(&self) -> u64 {
        self.0.facts().unique
    }

    /// The tool's name.
    pub fn tool(&self) -> &str {
        &self.0.facts().tool
    }

    /// The name of the scope in which the call is made.
    pub fn scope(&self) -> &str {
        &self.0.facts().scope
    }

    /// The effective arguments as JSON text: repaired, with defaults and fixed ones filled in, properties sorted, secret ones masked by
    /// `"***"`. `{}` where they cannot be read. Made when it is first asked for.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{CallContext, Registry, ToolCall, tool};
    ///
    /// /// Logs in.
    /// #[tool(docs(optional))]
    /// fn log_in(#[arg(secret)] password: String, #[arg(default = 3)] tries: u8) {}
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<log_in>().build()?;
    /// registry.guard(|call: &CallContext| Some(call.arguments().to_owned()))?;
    /// let result = registry.call(ToolCall::new("1", "log_in", r#"{"password":"swordfish"}"#)).await;
    /// assert_eq!(result.text(), r#"Error: "log_in" is not allowed: {"password":"***","tries":3}"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn arguments(&self) -> &str {
        self.0.arguments()
    }

    /// How many calls are around this one.
    pub fn depth(&self) -> usize {
        self.0.facts().depth
    }

    /// When the call is cancelled or goes on in the background, as far as is known now: its own limit or that of a call around it.
    ///
    /// `None` without a limit, before the body begins, while a question is open, which stops the clock, and in the background.
    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }

    /// A value of the call, the session, the scope or the registry, the nearest of its type, where the tool does not insist on it.
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<State<T>> {
        self.0.states().get().map(State::new)
    }

    /// Whether the call is to end: a body that takes long looks now and then.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until the call is to end.
    ///
    /// # Cancel safety
    /// Dropped, nothing is lost.
    pub async fn cancelled(&self) {
        self.0.cancellation().cancelled().await;
    }

    /// The signal that the call is to end, for code that knows such tokens.
    pub fn cancellation(&self) -> CancellationToken {
        self.0.cancellation()
    }

    /// Tells how far the call is; the last word counts.
    pub fn progress(&self, text: impl Into<String>) {
        self.0.progress(text.into());
    }

    /// Adds to the output that can be read while the call goes on in the background. The end of it is kept.
    pub fn write(&self, text: impl AsRef<str>) {
        self.0.write("", text.as_ref());
    }

    /// The same for one of several streams, such as `stderr`, each of which keeps its own end: 256 KiB of at most eight.
    pub fn write_to(&self, stream: impl AsRef<str>, text: impl AsRef<str>) {
        self.0.write(stream.as_ref(), text.as_ref());
    }

    /// Calls another tool, as the model could: the same view and the same rules. The arguments are JSON text.
    ///
    /// The nested call waits for nobody that the calls around it hold up, and ends with them.
    ///
    /// # Cancel safety
    /// Dropped, the nested call is cancelled.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{CallContext, Registry, ToolCall, tool};
    ///
    /// /// Adds two numbers.
    /// #[tool(effect = read, docs(optional))]
    /// fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// /// Adds three numbers.
    /// #[tool(effect = read, docs(optional))]
    /// async fn add_three(cx: &CallContext, a: i64, b: i64, c: i64) -> String {
    ///     let sum = cx.call("add", format!(r#"{{"a":{a},"b":{b}}}"#)).await.into_text();
    ///     cx.call("add", format!(r#"{{"a":{sum},"b":{c}}}"#)).await.into_text()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<add>().register::<add_three>().build()?;
    /// let result = registry.call(ToolCall::new("1", "add_three", r#"{"a":1,"b":2,"c":3}"#)).await;
    /// assert_eq!(result.text(), r#""6""#);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call(&self, name: impl Into<String>, arguments: impl Into<String>) -> CallOutput {
        Arc::clone(&self.0).call(name.into(), arguments.into()).await
    }

    /// Asks whether the body may go on, for a reason that a person reads.
    ///
    /// # Errors
    /// Returns [`Denied`], which a body passes on by `?`: the call then ends as denied.
    pub async fn ask(&self, reason: impl Into<String>) -> Result<(), Denied> {
        Arc::clone(&self.0).judge(Question::Ask { reason: reason.into() }).await
    }

    /// Asks whether the body has a permission for a target, by the rules that calls are judged by.
    ///
    /// # Errors
    /// Returns [`Denied`], which a body passes on by `?`: the call then ends as denied.
    pub async fn authorize(
        &self,
        permission: impl Into<String>,
        target: impl Into<String>,
    ) -> Result<(), Denied> {
        let question = Question::Authorize { permission: permission.into(), target: target.into() };
        Arc::clone(&self.0).judge(question).await
    }

    /// A refusal for the body to return: the call then ends as denied.
    pub fn deny(&self, reason: impl Into<String>) -> Denied {
        Denied::Refused { reason: reason.into() }
    }

    /// Asks a person to fill in a form: the fields of `T`, checked against its schema.
    ///
    /// Without somebody who answers it is declined at once; without an answer in time, or when the call is cancelled, it counts as
    /// cancelled. The clock of the call stands meanwhile.
    ///
    /// # Errors
    /// Returns [`ToolError`] if the answer is no `T`, with the places that are wrong and nothing of what was answered, or if `T` has no
    /// schema that can be checked.
    pub async fn elicit<T>(&self, message: impl Into<String>) -> Result<Elicited<T>, ToolError>
    where
        T: serde::de::DeserializeOwned + schemars::JsonSchema,
    {
        let schema = schemars::generate::SchemaSettings::draft2020_12()
            .into_generator()
            .into_root_schema_for::<T>()
            .into();
        let schema = Schema::from_schemars(schema)
            .map_err(|error| ToolError::new("the form cannot be asked for").caused_by(error))?;
        let request = Elicitation::Form { message: message.into(), schema: schema.to_value() };
        Ok(match Arc::clone(&self.0).elicit(request).await {
            Elicited::Answered(value) => Elicited::Answered(answer(value, &schema)?),
            Elicited::Declined => Elicited::Declined,
            Elicited::Cancelled => Elicited::Cancelled,
        })
    }

    /// Asks a person to open an address; answered means that it was opened.
    pub async fn elicit_url(&self, message: impl Into<String>, url: impl Into<String>) -> Elicited<()> {
        let request = Elicitation::Url { message: message.into(), url: url.into() };
        match Arc::clone(&self.0).elicit(request).await {
            Elicited::Answered(_) => Elicited::Answered(()),
            Elicited::Declined => Elicited::Declined,
            Elicited::Cancelled => Elicited::Cancelled,
        }
    }

    /// Adds a message to the conversation, delivered after the results of the step.
    pub fn add_message(&self, text: impl Into<String>) {
        self.0.add_message(text.into());
    }

    /// Says that nothing is left to do in this turn, whatever the model would do next.
    pub fn conclude_turn(&self) {
        self.0.conclude_turn();
    }
}

/// What was answered, held to what was asked for. What a person typed stays out of the errors, which a model may read.
fn answer<T: serde::de::DeserializeOwned>(value: serde_json::Value, schema: &Schema) -> Result<T, ToolError> {
    if !schema.is_valid(&value) {
        let places: Vec<String> = schema
            .explain(&value)
            .iter()
            .take(8)
            .map(|violation| {
                if violation.pointer().is_empty() { "(root)" } else { violation.pointer() }.to_owned()
            })
            .collect();
        return Err(ToolError::new(format!(
            "the answer is not what the form asks for, at {}",
            places.join(", ")
        )));
    }
    serde_json::from_value(value)
        .map_err(|error| ToolError::new("the answer is not what the form asks for").caused_by(error))
}

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.0.facts();
        f.debug_struct("CallContext")
            .field("call_id", &facts.id)
            .field("tool", &facts.tool)
            .finish_non_exhaustive()
    }
}
