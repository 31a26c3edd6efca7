//! Middleware, guards, hooks and observers around calls.
//!
//! `cargo run -p examples --example middleware`
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tool_runtime::execution::{Event, HookVerdict};
use tool_runtime::{CallContext, CallOutput, ContentBlock, Next, Registry, State, ToolCall, tool};

/// How often the service was asked.
#[derive(Default)]
struct Service(AtomicUsize);

/// Looks up the weather in a city.
#[tool(effect = read, parallel)]
async fn weather(
    service: State<Service>,
    /// The city.
    city: String,
) -> Result<String, String> {
    // Every second request fails.
    if service.0.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
        return Err("the service is busy".to_owned());
    }
    Ok(format!("{city}: 21 degrees, key=SECRET"))
}

/// Deletes the records of a city.
#[tool(effect = write)]
async fn forget(
    /// The city.
    city: String,
) -> String {
    format!("{city} is forgotten")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry =
        Registry::builder().state(Service::default()).register::<weather>().register::<forget>().build()?;

    // Sees every call, and changes nothing.
    registry.observe(|event: &Event<'_>| println!("  event: {} {}", event.tool, event.kind))?;

    // Runs what is inside once more if it failed.
    registry.middleware(|call: CallContext, next: Next| async move {
        let first = next.run().await;
        if !first.is_error() {
            return first;
        }
        println!("  retry: {}", call.tool());
        tokio::time::sleep(Duration::from_millis(1)).await;
        next.run().await
    })?;

    let agent = registry.scope("agent");
    // Refuses what this agent is not to do.
    agent
        .guard(|call: &CallContext| (call.tool() == "forget").then(|| "this agent only reads".to_owned()))?;
    // Keeps a secret from the model.
    agent.on_content(|_: &CallContext, content: Vec<ContentBlock>| {
        let hide = |block: ContentBlock| match block.as_text() {
            Some(text) => ContentBlock::text(text.replace("SECRET", "…")),
            None => block,
        };
        content.into_iter().map(hide).collect()
    })?;
    let results = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&results);
    agent.on_result(move |_: &CallContext, _: &CallOutput| {
        counter.fetch_add(1, Ordering::Relaxed);
        HookVerdict::Accept
    })?;

    for (name, arguments) in [
        ("weather", r#"{"city":"Rome"}"#),
        ("forget", r#"{"city":"Rome"}"#),
        ("weather", "{}"),
        ("whether", "{}"),
    ] {
        println!("{name} {arguments}");
        let result = agent.call(ToolCall::new("call", name, arguments)).await;
        println!("  {}", result.text().replace('\n', "\n  "));
    }
    println!("the hook saw {} results", results.load(Ordering::Relaxed));
    Ok(())
}
