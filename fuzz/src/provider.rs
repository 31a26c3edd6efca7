//! Answers of providers, whole and streamed.

use std::sync::LazyLock;

use serde_json::Value;
use tool_runtime::arguments::ToolCall;
use tool_runtime::provider::anthropic::Messages;
use tool_runtime::provider::bedrock::Converse;
use tool_runtime::provider::gemini::Generate;
use tool_runtime::provider::mcp::Revision;
use tool_runtime::provider::openai::{Chat, Responses};
use tool_runtime::provider::{Request, Stream, WireError, deepseek, ollama};
use tool_runtime::schema::Schema;
use tool_runtime::{DynamicTool, Registry};

use crate::frame;

type Calls = Result<Vec<ToolCall>, WireError>;

/// Tools whose names and properties some providers take in other spellings only.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let tools = [
        (
            "weather",
            r#"{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}"#,
        ),
        (
            "9_lives",
            r#"{"type":"object","properties":{"straße":{"type":"string"},"$x":{"type":"object","additionalProperties":{"type":"integer"}},"opt":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}"#,
        ),
    ];
    let tools = tools.into_iter().map(|(name, schema)| {
        let body = |value: Value| async move { Ok::<_, std::io::Error>(value) };
        let schema = Schema::parse(schema).expect("a schema");
        DynamicTool::new(name, "A tool.").and_then(|tool| tool.with_schema(schema, body)).expect("a tool")
    });
    tools.fold(Registry::builder(), |builder, tool| builder.tool(tool)).build().expect("a registry")
});

macro_rules! targets {
    ($($(#[$doc:meta])* $name:ident: $plain:expr, $strict:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(data: &[u8]) {
            static REQUESTS: LazyLock<[Request; 2]> = LazyLock::new(|| {
                [$plain.request(&REGISTRY.definitions()), $strict.request(&REGISTRY.definitions())]
            });
            let provider = $plain;
            answer(data, &*REQUESTS, &|message| provider.calls(message), &|| provider.stream());
        }
    )*};
}

targets! {
    /// Answers of OpenAI's chat completions.
    openai_chat: Chat::plain(), Chat::strict();
    /// Answers of OpenAI's responses.
    openai_responses: Responses::plain(), Responses::strict();
    /// Answers of Anthropic's messages.
    anthropic: Messages::plain(), Messages::strict();
    /// Answers of Gemini.
    gemini: Generate::parameters(), Generate::json_schema();
    /// Answers of DeepSeek.
    deepseek: deepseek::Chat::plain(), deepseek::Chat::strict();
    /// Answers of Ollama.
    ollama: ollama::Chat::new(), ollama::Chat::new();
}

/// Answers of Bedrock; streams come in frames, made of lines with an event's type, a blank and its JSON.
pub fn bedrock(data: &[u8]) {
    static REQUESTS: LazyLock<[Request; 2]> = LazyLock::new(|| {
        [Converse::plain(), Converse::strict()].map(|provider| provider.request(&REGISTRY.definitions()))
    });
    let provider = Converse::plain();
    restored(&cut(data, &|| provider.stream()), &*REQUESTS);
    let Ok(text) = std::str::from_utf8(data) else { return };
    restored(&provider.calls(text), &*REQUESTS);
    let mut events = provider.stream();
    let mut frames = Vec::new();
    let mut is_right = true;
    for line in text.lines() {
        let (kind, payload) = line.split_once(' ').unwrap_or((line, "{}"));
        frames.extend(frame::event(kind, payload));
        let payload = if payload.trim().is_empty() { "{}" } else { payload.trim() };
        is_right &= events.push_event(&format!("{{{}:{payload}}}", Value::from(kind))).is_ok();
    }
    let whole = cut(&frames, &|| provider.stream());
    restored(&whole, &*REQUESTS);
    let events = events.finish().ok().filter(|_| is_right);
    assert_eq!(whole.ok(), events, "frames and events differ");
}

/// The parameters of an MCP call.
pub fn mcp(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let Ok(call) = revision.read_call("1", text) else { continue };
        let sent = revision.call(&call);
        let again = revision.read_call("1", &sent).expect("what was sent is read");
        assert_eq!((again.id(), again.name()), ("1", call.name()));
        assert_eq!(revision.call(&again), sent);
        revision.request(&REGISTRY.definitions()).restore(vec![call]);
    }
}

fn answer(data: &[u8], requests: &[Request], calls: &dyn Fn(&str) -> Calls, stream: &dyn Fn() -> Stream) {
    restored(&cut(data, stream), requests);
    let Ok(text) = std::str::from_utf8(data) else { return };
    restored(&calls(text), requests);
    // Lines as events, and as the same events in frames.
    let mut events = stream();
    let mut body = String::new();
    let mut is_right = true;
    for line in text.split(['\n', '\r']) {
        body.push_str(&format!("data: {line}\n\n"));
        is_right &= events.push_event(line).is_ok();
    }
    let events = events.finish().ok().filter(|_| is_right);
    assert_eq!(cut(body.as_bytes(), stream).ok(), events, "frames and events differ");
}

/// What the stream says as a whole, which is what it says wherever it is cut.
fn cut(body: &[u8], stream: &dyn Fn() -> Stream) -> Calls {
    let run = |pieces: &mut dyn Iterator<Item = &[u8]>| -> Calls {
        let mut stream = stream();
        for piece in pieces {
            stream.push(piece)?;
        }
        stream.finish()
    };
    let whole = run(&mut std::iter::once(body));
    let expected = whole.as_ref().ok();
    let size = body.first().map_or(1, |byte| usize::from(byte % 7) + 2);
    for size in [1, size, body.len() / 2 + 1] {
        assert_eq!(run(&mut body.chunks(size)).as_ref().ok(), expected, "cut in pieces of {size}");
    }
    whole
}

/// The way back to the tools' own names keeps every call and its id.
fn restored(calls: &Calls, requests: &[Request]) {
    let Ok(calls) = calls else { return };
    for request in requests {
        let restored = request.restore(calls.clone());
        assert!(restored.iter().map(ToolCall::id).eq(calls.iter().map(ToolCall::id)));
    }
}
