//! Layers of tower around calls, and the spans of calls.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tool_runtime::middleware::tower_layer;
use tool_runtime::{Registry, Tool, ToolCall, tool};
use tower::limit::ConcurrencyLimitLayer;
use tower::timeout::TimeoutLayer;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::pipeline::{call, paused};

/// Sleeps so many seconds.
#[tool(effect = read, parallel, docs(optional))]
async fn sleeps(seconds: u64) -> u64 {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    seconds
}

#[test]
fn a_layer_of_tower_counts_over_all_calls() {
    paused(async {
        let tool = Tool::of::<sleeps>().with_middleware(tower_layer(ConcurrencyLimitLayer::new(2)));
        let registry = Registry::builder().tool(tool).build().expect("builds");
        let session = registry.scope("agent").session();
        let calls: Vec<ToolCall> =
            (0..6).map(|index| ToolCall::new(index.to_string(), "sleeps", r#"{"seconds":10}"#)).collect();
        let start = tokio::time::Instant::now();
        let results = session.call_all(calls).await;
        assert!(results.iter().all(|result| result.text() == "10"));
        assert_eq!(start.elapsed().as_secs(), 30);
    });
}

#[test]
fn an_error_of_a_layer_is_an_error_of_the_tool() {
    paused(async {
        let registry = Registry::builder().register::<sleeps>().build().expect("builds");
        let agent = registry.scope("agent");
        agent.middleware(tower_layer(TimeoutLayer::new(Duration::from_secs(5)))).expect("registered");
        let result = agent.call(call("sleeps", r#"{"seconds":10}"#)).await;
        assert_eq!(result.text(), "Error: request timed out");
        assert_eq!(agent.call(call("sleeps", r#"{"seconds":1}"#)).await.text(), "1");
    });
}

type Spans = Arc<Mutex<BTreeMap<u64, BTreeMap<String, String>>>>;

/// Keeps what every span says.
struct Keeper(Spans);

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl<S: tracing::Subscriber> Layer<S> for Keeper {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        let mut spans = self.0.lock().expect("no panic");
        attributes.record(&mut Fields(spans.entry(id.into_u64()).or_default()));
    }
    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut spans = self.0.lock().expect("no panic");
        values.record(&mut Fields(spans.entry(id.into_u64()).or_default()));
    }
}

#[test]
fn every_call_has_a_span_by_the_conventions() {
    let spans = Spans::default();
    let subscriber = tracing_subscriber::registry().with(Keeper(Arc::clone(&spans)));
    tracing::subscriber::with_default(subscriber, || {
        paused(async {
            let registry = Registry::builder().register::<sleeps>().build().expect("builds");
            // Other tests may have met the place of the span without a subscriber, and that is remembered.
            registry.call(call("sleeps", r#"{"seconds":1}"#)).await;
            tracing::callsite::rebuild_interest_cache();
            spans.lock().expect("no panic").clear();
            registry.call(call("sleeps", r#"{"seconds":1}"#)).await;
            registry.call(call("sleeps", r#"{"seconds":"secret"}"#)).await;
        });
    });
    let spans: Vec<String> =
        spans.lock().expect("no panic").values().map(|fields| format!("{fields:?}")).collect();
    let ours: Vec<&String> = spans.iter().filter(|span| span.contains("gen_ai")).collect();
    assert_eq!(
        ours,
        [
            r#"{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": "call_1", "gen_ai.tool.name": "sleeps", "otel.name": "execute_tool sleeps"}"#,
            r#"{"error.type": "INVALID_ARGS", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": "call_1", "gen_ai.tool.name": "sleeps", "otel.name": "execute_tool sleeps"}"#,
        ]
    );
}
