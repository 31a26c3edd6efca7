//! Unloading an owner: what runs of it ends, whatever it waits for, and what cannot be stopped is told.

mod calls;
mod inside;
mod threads;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use tool_runtime::execution::Unloaded;
use tool_runtime::{CallContext, Owner, Registry, Scope, tool};

use crate::pipeline::call;

pub(super) const GRACE: Duration = Duration::from_secs(20);

pub(super) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// How many bodies of the plugin are there, counted by what each holds.
#[derive(Default)]
pub(crate) struct Bodies(AtomicUsize);

pub(super) struct Body<'a>(&'a Bodies);

impl Bodies {
    pub(super) fn enter(&self) -> Body<'_> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Body(self)
    }

    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Drop for Body<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends with its signal.
#[tool(effect = read, parallel)]
pub(super) async fn unloads_ends_when_told(#[state] bodies: &Bodies, cx: &CallContext) -> String {
    let _body = bodies.enter();
    cx.cancelled().await;
    "put away".to_owned()
}

/// Does not care about its signal.
#[tool(effect = read, parallel)]
pub(super) async fn unloads_never_ends(#[state] bodies: &Bodies) {
    let _body = bodies.enter();
    std::future::pending().await
}

/// Calls another.
#[tool(effect = read, parallel, docs(optional))]
pub(super) async fn unloads_calls(#[state] bodies: &Bodies, cx: &CallContext, name: String) -> String {
    let _body = bodies.enter();
    cx.call(name, "{}").await.into_text()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the function sees each parameter by reference")]
fn one_key(_: &bool) -> String {
    "key".to_owned()
}

/// Keeps a key, or takes it.
#[tool(effect = read, parallel = one_key, docs(optional))]
pub(super) async fn unloads_by_key(#[state] bodies: &Bodies, cx: &CallContext, keeps: bool) {
    let _body = bodies.enter();
    if keeps {
        cx.cancelled().await;
    }
}

/// Is quick.
#[tool(effect = read, parallel)]
pub(super) fn unloads_is_quick() -> String {
    "quick".to_owned()
}

/// Opens when it is told.
#[derive(Default)]
pub(crate) struct Door(Mutex<bool>, Condvar);

impl Door {
    pub(super) fn wait(&self) {
        let open = self.0.lock().expect("no panic");
        drop(self.1.wait_while(open, |open| !*open).expect("no panic"));
    }

    pub(super) fn open(&self) {
        *self.0.lock().expect("no panic") = true;
        self.1.notify_all();
    }
}

/// Blocks a thread of the pool.
#[tool(effect = read, parallel, blocking)]
pub(super) fn unloads_blocks_the_pool(#[state] bodies: Arc<Bodies>, #[state] door: Arc<Door>) {
    let _body = bodies.enter();
    door.wait();
}

/// Blocks the thread that it is called on.
#[tool(effect = read, parallel)]
pub(super) fn unloads_blocks_its_caller(#[state] bodies: &Bodies, #[state] door: &Door) {
    let _body = bodies.enter();
    door.wait();
}

/// Blocks a thread of the runtime.
#[tool(effect = read, parallel)]
pub(super) async fn unloads_blocks_the_runtime(#[state] bodies: &Bodies, #[state] door: &Door) {
    let _body = bodies.enter();
    tokio::task::yield_now().await;
    door.wait();
}

pub(super) struct Stand {
    pub(super) registry: Registry,
    pub(super) bodies: Arc<Bodies>,
    pub(super) door: Arc<Door>,
    pub(super) plugin: Owner,
}

pub(super) fn bring(scope: &Scope) {
    scope.register::<unloads_ends_when_told>().expect("free");
    scope.register::<unloads_never_ends>().expect("free");
    scope.register::<unloads_calls>().expect("free");
    scope.register::<unloads_by_key>().expect("free");
    scope.register::<unloads_is_quick>().expect("free");
    scope.register::<unloads_blocks_the_pool>().expect("free");
    scope.register::<unloads_blocks_its_caller>().expect("free");
    scope.register::<unloads_blocks_the_runtime>().expect("free");
}

pub(super) fn stand() -> Stand {
    let (bodies, door) = (Arc::new(Bodies::default()), Arc::new(Door::default()));
    let registry = Registry::builder()
        .shared_state(Arc::clone(&bodies))
        .shared_state(Arc::clone(&door))
        .build()
        .expect("builds");
    let plugin = registry.owner("plugin");
    bring(&registry.owned_by(&plugin));
    Stand { registry, bodies, door, plugin }
}

pub(super) fn running(unloaded: &Unloaded) -> Vec<(&str, u64)> {
    unloaded.running.iter().map(|still| (still.tool.as_str(), still.calls)).collect()
}

/// Calls where nobody waits for it, and lets it begin.
pub(super) async fn begin(
    scope: &Scope,
    name: &'static str,
    arguments: &'static str,
) -> tokio::task::JoinHandle<String> {
    let scope = scope.clone();
    let task = tokio::spawn(async move { scope.call(call(name, arguments)).await.text() });
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    task
}

pub(super) fn cancelled(name: &str) -> String {
    format!("Error: the call of \"{name}\" was cancelled")
}
