//! Calls on several threads that are aborted, dropped, cancelled and closed while they run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tool_runtime::execution::{Event, EventKind};
use tool_runtime::{CallContext, DynamicTool, Effect, Next, Registry, ToolCall, tool};

#[expect(clippy::ptr_arg, reason = "the function sees each parameter by reference")]
fn of_key(_: &u64, key: &String) -> tool_runtime::Concurrency {
    match key.as_str() {
        "alone" => tool_runtime::Concurrency::Alone,
        "beside" => tool_runtime::Concurrency::Together,
        key => tool_runtime::Concurrency::Keyed(key.to_owned()),
    }
}

/// Works for some microseconds, in a call of its own, too.
#[tool(effect = write, parallel = of_key, docs(optional))]
async fn works_on_threads(cx: &CallContext, micros: u64, key: String) -> String {
    tokio::time::sleep(Duration::from_micros(micros)).await;
    if micros.is_multiple_of(3) && cx.depth() < 2 {
        let arguments = format!(r#"{{"micros":{micros},"key":"{key}"}}"#);
        return cx.call("works_on_threads", arguments).await.into_text();
    }
    key
}

/// A row of numbers that look random and are the same in every run.
struct Row(u64);
impl Row {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// What was told of each call: how often it began, how often it ended, how often it did something after its end.
type Told = BTreeMap<u64, [u32; 3]>;

fn watch(registry: &Registry) -> Arc<Mutex<Told>> {
    let told: Arc<Mutex<Told>> = Arc::default();
    let sink = Arc::clone(&told);
    registry
        .observe(move |event: &Event<'_>| {
            let mut told = sink.lock().expect("no panic");
            let [began, ended, after] = told.entry(event.unique).or_default();
            match event.kind {
                EventKind::Started => *began += 1,
                EventKind::Finished { .. } => *ended += 1,
                _ => *after += *ended,
            }
        })
        .expect("registered");
    told
}

fn is_over(told: &Mutex<Told>) -> bool {
    told.lock().expect("no panic").values().all(|numbers| *numbers == [1, 1, 0])
}

#[test]
fn whatever_comes_together_on_threads_every_call_ends_once() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let registry = Registry::builder()
            .register::<works_on_threads>()
            .tool(
                DynamicTool::new("blocks_a_moment", "Blocks its thread.")
                    .expect("a name")
                    .effect(Effect::Exec)
                    .typed(|(): ()| async {
                        tokio::task::yield_now().await;
                        std::thread::sleep(Duration::from_micros(300));
                        Ok::<_, String>(1)
                    })
                    .expect("a tool"),
            )
            .timeout(Some(Duration::from_millis(1)))
            .grace(Duration::from_millis(1))
            .build()
            .expect("builds");
        let told = watch(&registry);
        registry
            .middleware(|_: CallContext, next: Next| async move { next.run().await })
            .expect("registered");
        let mut row = Row(7);
        for round in 0..150 {
            let session = registry.scope("agent").session_builder().parallel(3).max_tasks(2).build();
            let batch = |row: &mut Row| -> Vec<ToolCall> {
                (0..8)
                    .map(|index| {
                        let key = ["a", "b", "alone", "beside"][row.next(4) as usize];
                        let micros = row.next(3000);
                        let id = format!("{round}.{index}");
                        match row.next(8) {
                            0 => ToolCall::new(id, "blocks_a_moment", "{}"),
                            1 => ToolCall::new(id, "task_output", r#"{"id":"t1","wait":0}"#),
                            2 => ToolCall::new(id, "task_cancel", r#"{"id":"t1"}"#),
                            _ => ToolCall::new(
                                id,
                                "works_on_threads",
                                format!(r#"{{"micros":{micros},"key":"{key}"}}"#),
                            ),
                        }
                    })
                    .collect()
            };
            let mut running = Vec::new();
            for _ in 0..2 {
                let (session, calls) = (session.clone(), batch(&mut row));
                running.push(tokio::spawn(async move { session.call_all(calls).await.len() }));
            }
            let pause = Duration::from_micros(row.next(4000));
            tokio::time::sleep(pause).await;
            match row.next(5) {
                0 => session.abort(),
                1 => session.close(),
                2 => running[0].abort(),
                3 => drop(session),
                _ => {
                    session.cancel_task("t1");
                }
            }
            for batch in running {
                if let Ok(results) = batch.await {
                    assert_eq!(results, 8);
                }
            }
        }
        let begin = Instant::now();
        while !is_over(&told) && begin.elapsed() < Duration::from_secs(20) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(
            is_over(&told),
            "{:?}",
            told.lock()
                .expect("no panic")
                .iter()
                .filter(|(_, numbers)| **numbers != [1, 1, 0])
                .collect::<Vec<_>>()
        );
    });
}
