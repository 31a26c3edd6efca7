//! Sessions: one conversation of one scope.
//!
//! A session takes the listings and the calls of a conversation, holds calls that go on in the background, and tells once how
//! they ended.

mod batch;
mod conversation;
mod keys;
mod repeats;
mod results;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use self::keys::Keys;
use self::repeats::Repeats;
use self::results::Results;
use crate::arguments::ToolCall;
use crate::background::{MemoryStore, Report, TaskLimits, TaskOutput, TaskRecord, TaskStore, Tasks};
use crate::definition::ToolDefinition;
use crate::error::Foreign;
use crate::execution::{Conversation, Live, Sent, Shared, Site};
use crate::output::{ContentBlock, ContentStore, MemoryContents, ToolResult};
use crate::registry::{Entry, Scope, Step};
use crate::tool::{BoxFuture, Elicitation, Elicited, Values};

/// One conversation of one scope. Cheap to clone; the last clone closes it: what runs in it is cancelled.
///
/// A step is one [`definitions`](Self::definitions) and the calls that answer it; a turn runs from one
/// [`begin_turn`](Self::begin_turn) to the next.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, ToolCall, tool};
///
/// /// Adds two numbers.
/// #[tool(effect = read, parallel, docs(optional))]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().register::<add>().build()?;
/// let session = registry.scope("assistant").session();
/// assert_eq!(session.definitions().len(), 1); // what goes to the model
/// let results = session
///     .call_all(vec![
///         ToolCall::new("1", "add", r#"{"a":1,"b":2}"#),
///         ToolCall::new("2", "add", r#"{"a":3,"b":4}"#),
///     ])
///     .await; // one result per call, in order
/// assert_eq!(results[0].text(), "3");
/// assert_eq!(results[1].text(), "7");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Session(Arc<Life>);

/// Closes the session when it goes.
struct Life(Arc<Inner>);

struct Inner {
    scope: Scope,
    values: Values,
    background: bool,
    step: Mutex<Option<Arc<Step>>>,
    closing: CancellationToken,
    /// The signal that the calls which were made so far are to end.
    abort: Mutex<CancellationToken>,
    calls: Mutex<Vec<Weak<Shared>>>,
    tasks: Arc<Tasks>,
    results: Arc<Results>,
    /// The tools of the conversation itself, in the order in which they came.
    offered: Mutex<Vec<Arc<Entry>>>,
    messages: Mutex<Vec<String>>,
    concluded: AtomicBool,
    permits: Arc<Semaphore>,
    keys: Arc<Keys>,
    repeats: Repeats,
    elicitor: Option<Foreign<Arc<dyn Elicitor>>>,
    answer_within: Duration,
}

/// The most messages that are held back for one step.
const MAX_MESSAGES: usize = 256;

/// How long a person has to answer what bodies want to know.
const ANSWER_WITHIN: Duration = Duration::from_mins(5);

/// Somebody who asks a person what bodies want to know.
pub trait Elicitor: Send + Sync + 'static {
    /// Asks. The future is dropped when that takes too long, or the call that asks is cancelled.
    fn elicit(&self, request: Elicitation) -> BoxFuture<'static, Elicited>;
}

impl<F, Fut> Elicitor for F
where
    F: Fn(Elicitation) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Elicited> + Send + 'static,
{
    fn elicit(&self, request: Elicitation) -> BoxFuture<'static, Elicited> {
        Box::pin(self(request))
    }
}

/// Makes a [`Session`] with more than the defaults, see [`Scope::session_builder`].
#[must_use = "a builder does nothing until `build`"]
pub struct SessionBuilder {
    scope: Scope,
    values: Values,
    parallel: usize,
    background: bool,
    limits: TaskLimits,
    reminders: bool,
    store: Option<Box<dyn TaskStore>>,
    contents: Option<Box<dyn ContentStore>>,
    elicitor: Option<Arc<dyn Elicitor>>,
    answer_within: Duration,
}

impl Scope {
    /// Begins a conversation.
    pub fn session(&self) -> Session {
        self.session_builder().build()
    }

    /// Begins a conversation with more than the defaults.
    pub fn session_builder(&self) -> SessionBuilder {
        SessionBuilder {
            scope: self.clone(),
            values: Values::new(),
            parallel: 10,
            background: true,
            limits: TaskLimits::default(),
            reminders: true,
            store: None,
            contents: None,
            elicitor: None,
            answer_within: ANSWER_WITHIN,
        }
    }
}

impl SessionBuilder {
    /// Values of the conversation, by which visibility rules decide and which are injected.
    pub fn values(mut self, values: Values) -> Self {
        self.values = values;
        self
    }

    /// How many calls of the session may run at once: 10 by default, at least 1.
    pub fn parallel(mut self, most: usize) -> Self {
        self.parallel = most.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// Whether calls go on in the background when their time is over: they do by default.
    pub fn background(mut self, background: bool) -> Self {
        self.background = background;
        self
    }

    /// How many calls may be in the background at once: 8 by default.
    pub fn max_tasks(mut self, most: usize) -> Self {
        self.limits.running = most;
        self
    }

    /// How many tasks are remembered after their end, and for how long: 64, for an hour, by default.
    pub fn keep_tasks(mut self, most: usize, at_most: Duration) -> Self {
        self.limits.kept = most;
        self.limits.kept_for = at_most;
        self
    }

    /// How long a task may run in the background before it is cancelled: without end by default.
    pub fn max_runtime(mut self, at_most: Duration) -> Self {
        self.limits.max_runtime = Some(at_most);
        self
    }

    /// Whether the model is reminded when it makes one call over and over: after 3, 5 and 8 calls of one turn with the same arguments a
    /// message says so, see [`Session::messages`]. It is by default.
    pub fn reminders(mut self, reminders: bool) -> Self {
        self.reminders = reminders;
        self
    }

    /// Where tasks are kept: in memory by default.
    pub fn task_store(mut self, store: impl TaskStore) -> Self {
        self.store = Some(Box::new(store));
        self
    }

    /// Where results are kept whole that are too long for the model: in memory by default, the newest 64 and at most 64 MiB.
    pub fn content_store(mut self, store: impl ContentStore) -> Self {
        self.contents = Some(Box::new(store));
        self
    }

    /// Who asks a person what bodies want to know; without one, such questions are declined at once.
    pub fn elicitor(mut self, elicitor: impl Elicitor) -> Self {
        self.elicitor = Some(Arc::new(elicitor));
        self
    }

    /// How long a person has to answer what bodies want to know: 5 minutes by default. After that, the question counts as cancelled.
    pub fn answer_within(mut self, at_most: Duration) -> Self {
        self.answer_within = at_most;
        self
    }

    /// Begins the conversation.
    pub fn build(self) -> Session {
        let store = self.store.unwrap_or_else(|| Box::new(MemoryStore::default()));
        let contents = self.contents.unwrap_or_else(|| Box::new(MemoryContents::default()));
        let closing = CancellationToken::new();
        let inner = Arc::new(Inner {
            scope: self.scope,
            values: self.values,
            background: self.background,
            step: Mutex::new(None),
            abort: Mutex::new(closing.child_token()),
            closing,
            calls: Mutex::new(Vec::new()),
            tasks: Tasks::new(store, self.limits),
            results: Results::new(contents),
            offered: Mutex::default(),
            messages: Mutex::new(Vec::new()),
            concluded: AtomicBool::new(false),
            permits: Arc::new(Semaphore::new(self.parallel)),
            keys: Arc::default(),
            repeats: Repeats::new(self.reminders),
            elicitor: self.elicitor.map(Foreign::new),
            answer_within: self.answer_within,
        });
        Session(Arc::new(Life(inner)))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// The scope of the conversation.
    pub fn scope(&self) -> &Scope {
        &self.inner().scope
    }

    /// Begins a turn: the next listing is made anew, and no tool has concluded it.
    pub fn begin_turn(&self) {
        self.inner().concluded.store(false, Ordering::Release);
        self.inner().repeats.clear();
        let old = locked(&self.inner().step).take();
        drop(old);
    }

    /// Begins a step: the definitions that go to the model, sorted by name; those of the tasks' tools at the end, once there has been
    /// a task.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        let step = Arc::new(self.inner().scope.step_with(self.inner().values.clone()));
        let mut definitions: Vec<ToolDefinition> = step.definitions().iter().cloned().collect();
        definitions.extend(self.inner().offered().iter().map(|entry| entry.tool().definition().clone()));
        let old = locked(&self.inner().step).replace(step);
        drop(old);
        definitions
    }

    /// Runs one call of the step to its one result.
    ///
    /// # Cancel safety
    /// As [`Scope::call`].
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        self.run(&self.inner().site(), call).await
    }

    /// Runs one call in the background from the start: the result is what the model reads of the new task. A body that does not wait, and
    /// one for which there is no room, is run as by [`call`](Self::call).
    ///
    /// # Cancel safety
    /// As [`Scope::call`].
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::{Registry, ToolCall, tool};
    ///
    /// /// Builds the project.
    /// #[tool(effect = exec)]
    /// async fn build() -> String {
    ///     tokio::time::sleep(Duration::from_millis(50)).await;
    ///     "built".to_owned()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().register::<build>().build()?;
    /// let session = registry.scope("agent").session();
    /// let result = session.start(ToolCall::new("1", "build", "{}")).await;
    /// assert!(result.text().contains("is still running as task t1"));
    /// let record = session.wait("t1", Duration::from_secs(10)).await.expect("there is such a task");
    /// assert_eq!(record.result.map(|result| result.text()).as_deref(), Some(r#""built""#));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn start(&self, call: ToolCall) -> ToolResult {
        let mut site = self.inner().site();
        site.at_once = true;
        self.run(&site, call).await
    }

    /// The same with values of this call alone, which are injected before those of the session, see [`Scope::call_with`].
    ///
    /// # Cancel safety
    /// As [`Scope::call`].
    pub async fn call_with(&self, call: ToolCall, values: Values) -> ToolResult {
        self.run(&self.inner().site().with_values(values), call).await
    }

    /// Ends every call that was made so far and has not gone to the background, and starts no other of the batches that run: those
    /// that have not begun end as cancelled before they started.
    pub fn abort(&self) {
        self.inner().abort();
    }

    /// Ends the conversation: every call and every task is cancelled.
    pub fn close(&self) {
        self.inner().close();
    }

    /// The tasks that are over and of which nothing was told yet; each is told once. They are messages for the model.
    pub fn reports(&self) -> Vec<Report> {
        self.inner().tasks.reports()
    }

    /// What tools and hooks want the model to read, besides results; each once, in the order of their making.
    pub fn messages(&self) -> Vec<String> {
        std::mem::take(&mut *locked(&self.inner().messages))
    }

    /// The whole of a result that was too long for the model, by the handle that stands where something was left out; `None` if it is
    /// not kept any more.
    ///
    /// # Examples
    /// ```
    /// use tool_runtime::{Registry, ToolCall, tool};
    ///
    /// /// Says a lot.
    /// #[tool(effect = read)]
    /// fn talk() -> String {
    ///     "la".repeat(100)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = Registry::builder().content_limit(20).register::<talk>().build()?;
    /// let session = registry.scope("agent").session();
    /// let result = session.call(ToolCall::new("1", "talk", "{}")).await;
    /// assert_eq!(result.text(), r#""lalalalal… [182 characters left out; the whole is r1] …alalalala""#);
    /// assert_eq!(session.content("r1").map(|content| content.len()), Some(1));
    /// // The model reads the rest by a tool, which joins the listing then.
    /// assert_eq!(session.definitions().last().map(|tool| tool.name().to_owned()).as_deref(), Some("result_read"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn content(&self, handle: &str) -> Option<Vec<ContentBlock>> {
        self.inner().results.get(handle)
    }

    /// Whether a tool or a hook has said that nothing is left to do in this turn.
    pub fn is_concluded(&self) -> bool {
        self.inner().concluded.load(Ordering::Acquire)
    }

    /// The tasks of the session, in the order of their beginnings.
    pub fn tasks(&self) -> Vec<TaskRecord> {
        self.inner().tasks.list()
    }

    /// Waits until a task is over, at most so long; what is known of it then. `None` if there is no such task.
    ///
    /// # Cancel safety
    /// Dropped, nothing is lost.
    pub async fn wait(&self, task: &str, at_most: Duration) -> Option<TaskRecord> {
        let record = self.inner().tasks.wait(task, at_most).await?;
        self.inner().tasks.read(&record);
        Some(record)
    }

    /// What a task that runs has written so far, stream by stream; `None` if there is no such task, or it is over.
    pub fn task_output(&self, task: &str) -> Option<Vec<TaskOutput>> {
        let told = self.inner().tasks.call(task)?.told();
        let output = told.streams().iter().map(|stream| {
            let (text, lost) = stream.kept();
            TaskOutput { stream: stream.name.clone(), text: text.to_owned(), lost }
        });
        Some(output.collect())
    }

    /// How far a task that runs is, in the last words of its body; `None` if it said nothing, is over, or there is no such task.
    pub fn task_progress(&self, task: &str) -> Option<String> {
        let progress = self.inner().tasks.call(task)?.told().progress;
        (!progress.is_empty()).then_some(progress)
    }

    /// Tells a task to stop; whether it runs.
    pub fn cancel_task(&self, task: &str) -> bool {
        self.inner().tasks.cancel(task)
    }

    async fn run(&self, site: &Site, call: ToolCall) -> ToolResult {
        self.inner().note(&call);
        let (id, name, arguments) = call.into_parts();
        let sent = Sent { id: &id, name: &name, arguments: &arguments, parent: None };
        let output = Live::run(site, sent).await;
        site.answer(id, name, output)
    }

    fn inner(&self) -> &Arc<Inner> {
        &self.0.0
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Inner {
    fn site(self: &Arc<Self>) -> Site {
        let known = locked(&self.step).clone();
        // Made outside of the lock, since rules are asked; of two that are made at once, one counts.
        let step = known.unwrap_or_else(|| {
            let made = Arc::new(self.scope.step_with(self.values.clone()));
            Arc::clone(locked(&self.step).get_or_insert(made))
        });
        Site {
            node: Arc::clone(self.scope.node()),
            step: Some(step),
            conversation: Some(Arc::clone(self) as Arc<dyn Conversation>),
            abort: Some(locked(&self.abort).clone()),
            bounded: false,
            at_once: false,
            values: None,
        }
    }

    /// A call comes in.
    fn note(&self, call: &ToolCall) {
        if let Some(reminder) = self.repeats.note(call) {
            self.add_message(reminder);
        }
    }

    fn abort(&self) {
        let old = {
            let mut abort = locked(&self.abort);
            std::mem::replace(&mut *abort, self.closing.child_token())
        };
        old.cancel();
        let calls: Vec<Arc<Shared>> = locked(&self.calls).iter().filter_map(Weak::upgrade).collect();
        for call in calls {
            call.cancel_in_foreground();
        }
    }

    fn close(&self) {
        self.closing.cancel();
        self.tasks.cancel_all();
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("scope", &self.scope().name()).finish_non_exhaustive()
    }
}

impl fmt::Debug for SessionBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionBuilder").field("scope", &self.scope.name()).finish_non_exhaustive()
    }
}
