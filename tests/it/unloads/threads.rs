//! Bodies on other threads, which nobody can stop, and unloading while many call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tool_runtime::{CallContext, Next, Registry, Scope, Tool, ToolCall};

use super::{Bodies, GRACE, Stand, begin, bring, running, seconds, stand};
use crate::pipeline::call;

fn threads(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(3)
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test);
}

/// Waits for something that others do soon.
async fn until(holds: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it never holds");
}

#[test]
fn bodies_that_block_a_thread_are_told_and_waited_for_the_next_time() {
    threads(async {
        let Stand { registry, bodies, door, plugin } = stand();
        let call_of = |name: &'static str, agent: &Scope| {
            let agent = agent.clone();
            tokio::spawn(async move { agent.call(call(name, "")).await.text() })
        };
        let layered = registry.scope("layered");
        layered.middleware(|_: CallContext, next: Next| async move { next.run().await }).expect("middleware");
        let calls = [
            call_of("unloads_blocks_the_pool", &registry),
            call_of("unloads_blocks_the_pool", &layered),
            call_of("unloads_blocks_the_runtime", &registry),
        ];
        // A thread that knows nothing of the runtime.
        let on_its_own = std::thread::spawn({
            let registry = registry.clone();
            move || crate::support::block_on(registry.call(call("unloads_blocks_its_caller", ""))).text()
        });
        until(|| bodies.count() == 4).await;
        let start = std::time::Instant::now();
        let unloaded = plugin.unload(Duration::from_millis(50)).await;
        assert!(start.elapsed() < seconds(10));
        assert_eq!(unloaded.removed, 8);
        let told = [
            ("unloads_blocks_its_caller", 1),
            ("unloads_blocks_the_pool", 2),
            ("unloads_blocks_the_runtime", 1),
        ];
        assert_eq!(running(&unloaded), told);
        // Asked again, it knows of them still.
        assert_eq!(running(&plugin.unload(Duration::ZERO).await), told);
        door.open();
        assert_eq!(running(&plugin.unload(seconds(60)).await), []);
        assert_eq!(bodies.count(), 0);
        assert_eq!(on_its_own.join().expect("no panic"), "ok");
        for call in calls {
            assert!(call.await.expect("no panic").starts_with("Error: the call of"));
        }
    });
}

#[test]
fn without_timers_nothing_is_waited_for() {
    let Stand { registry, bodies, plugin, .. } = stand();
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(async {
        let call = begin(&registry, "unloads_never_ends", "{}").await;
        assert_eq!(running(&plugin.unload(GRACE).await), [("unloads_never_ends", 1)]);
        call.await.expect("no panic");
        assert_eq!(bodies.count(), 0);
        assert_eq!(running(&plugin.unload(GRACE).await), []);
    });
    // Nor is without a runtime.
    bring(&registry.owned_by(&plugin));
    let mut call = Box::pin(registry.call(call("unloads_never_ends", "")));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(call.as_mut().poll(&mut context).is_pending());
    let unloaded = crate::pipeline::paused(plugin.unload(GRACE));
    assert_eq!((unloaded.removed, running(&unloaded)), (8, vec![("unloads_never_ends", 1)]));
    drop(call);
    assert_eq!((running(&crate::pipeline::paused(plugin.unload(GRACE))), bodies.count()), (vec![], 0));
}

/// What one generation of the plugin knows of itself.
#[derive(Default)]
struct Generation {
    bodies: Bodies,
    over: AtomicBool,
    began: AtomicUsize,
    late: AtomicUsize,
}

fn of_generation(name: &str, generation: &Arc<Generation>, polls: usize) -> Tool {
    let generation = Arc::clone(generation);
    tool_runtime::DynamicTool::new(name, "Runs for a while.")
        .and_then(|tool| {
            tool.typed(move |(): ()| {
                let generation = Arc::clone(&generation);
                async move {
                    let _body = generation.bodies.enter();
                    generation.began.fetch_add(1, Ordering::SeqCst);
                    for _ in 0..polls {
                        generation
                            .late
                            .fetch_add(usize::from(generation.over.load(Ordering::SeqCst)), Ordering::SeqCst);
                        tokio::task::yield_now().await;
                    }
                    Ok::<(), std::io::Error>(())
                }
            })
        })
        .expect("a tool")
}

#[test]
fn once_it_is_unloaded_nothing_of_it_runs_on_any_thread() {
    threads(async {
        let registry = Registry::builder().build().expect("builds");
        let agent = registry.scope("agent");
        let session = agent.session();
        let plugin = registry.owner("plugin");
        let done = Arc::new(AtomicBool::new(false));
        let outcomes = Arc::new([const { AtomicUsize::new(0) }; 3]);
        let mut callers = Vec::new();
        for caller in 0..4 {
            let (done, agent, session) = (Arc::clone(&done), agent.clone(), session.clone());
            let outcomes = Arc::clone(&outcomes);
            callers.push(tokio::spawn(async move {
                let name = if caller % 2 == 0 { "long" } else { "short" };
                while !done.load(Ordering::SeqCst) {
                    let call = || ToolCall::new("1", name, "{}");
                    let result = if caller < 2 {
                        agent.call(call()).await
                    } else {
                        session.definitions();
                        session.call(call()).await
                    };
                    let kind = match result.code().map(|code| code.as_str()) {
                        None => 0,
                        Some("ABORTED") => 1,
                        Some("UNKNOWN_TOOL") => 2,
                        Some(other) => panic!("{other}"),
                    };
                    outcomes[kind].fetch_add(1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                }
            }));
        }
        for round in 0..40 {
            let generation = Arc::new(Generation::default());
            let tools = [of_generation("long", &generation, 20_000), of_generation("short", &generation, 1)];
            agent.owned_by(&plugin).register_tools(tools).expect("free");
            until(|| generation.began.load(Ordering::SeqCst) > round % 5).await;
            let grace = if round % 3 == 0 { Duration::ZERO } else { Duration::from_millis(2) };
            // In two places at once, sometimes.
            let again = plugin.clone();
            let other = (round % 4 == 0).then(|| tokio::spawn(async move { again.unload(grace).await }));
            let mut unloaded = plugin.unload(grace).await;
            // A thread may have been without its turn for longer than is waited for.
            while !unloaded.running.is_empty() {
                unloaded = plugin.unload(Duration::ZERO).await;
            }
            assert_eq!(generation.bodies.count(), 0);
            generation.over.store(true, Ordering::SeqCst);
            let began = generation.began.load(Ordering::SeqCst);
            if let Some(other) = other {
                other.await.expect("no panic");
            }
            tokio::task::yield_now().await;
            assert_eq!(generation.began.load(Ordering::SeqCst), began);
            assert_eq!(generation.late.load(Ordering::SeqCst), 0);
            // The tools are gone, and with them what they held; a view that is being made may hold them a little longer.
            let mut held = false;
            for _ in 0..2_000 {
                held = Arc::strong_count(&generation) > 1;
                if !held {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert!(!held, "something holds a tool that is gone");
        }
        done.store(true, Ordering::SeqCst);
        for caller in callers {
            caller.await.expect("no panic");
        }
        let outcomes = outcomes.each_ref().map(|outcome| outcome.load(Ordering::SeqCst));
        assert!(outcomes.iter().all(|outcome| *outcome > 0), "{outcomes:?}");
    });
}
