//! Keys that stand twice around a call: nobody can tell which value is meant, so the answer is refused.

use super::super::anthropic::Messages;
use super::super::bedrock::Converse;
use super::super::deepseek;
use super::super::gemini::Generate;
use super::super::mcp::Revision;
use super::super::ollama;
use super::super::openai::{Chat, Responses};
use super::super::stream::Stream;
use super::super::wire::WireError;
use crate::arguments::ToolCall;

/// Where a key stood twice.
fn twice<T: std::fmt::Debug>(outcome: Result<T, WireError>) -> String {
    match outcome {
        Err(error @ WireError::Duplicate { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// Each message once as it is, and then with each of the members that are read twice.
fn whole(read: impl Fn(&str) -> Result<Vec<ToolCall>, WireError>, message: &str, members: &[(&str, &str)]) {
    let calls = read(message).expect(message);
    assert_eq!(calls.len(), 1, "{message}");
    for (member, place) in members {
        assert!(message.contains(member), "{member}");
        for again in [format!("{member},{member}"), format!("{member},{}", null(member))] {
            let message = message.replacen(member, &again, 1);
            assert_eq!(twice(read(&message)), format!("{place} stands twice; a key has one value"));
        }
    }
    // What nobody reads may stand as often as it likes, and so may keys within the arguments, which are judged later.
    let more = message.replacen('{', r#"{"extra":1,"extra":2,"#, 1);
    assert_eq!(read(&more).expect("read"), calls);
}

/// The member with another value.
fn null(member: &str) -> String {
    let key = member.split(':').next().unwrap_or_default();
    // The same key, spelt in another way.
    format!("{}null", key.replacen('e', r"\u0065", 1) + ":")
}

const CHAT: &str = r#"{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{\"x\":1,\"x\":2}"}}]}}]}"#;

#[test]
fn of_whole_answers() {
    let members = [
        (r#""finish_reason":"tool_calls""#, "/choices/0/finish_reason"),
        (r#""role":"assistant""#, "/choices/0/message/role"),
        (r#""id":"1""#, "/choices/0/message/tool_calls/0/id"),
        (r#""type":"function""#, "/choices/0/message/tool_calls/0/type"),
        (r#""name":"a""#, "/choices/0/message/tool_calls/0/function/name"),
        (r#""arguments":"{\"x\":1,\"x\":2}""#, "/choices/0/message/tool_calls/0/function/arguments"),
    ];
    whole(|text| Chat::plain().calls(text), CHAT, &members);
    whole(|text| Chat::llama_cpp().calls(text), CHAT, &members);
    whole(|text| deepseek::Chat::strict().calls(text), CHAT, &members);
    whole(
        |text| Responses::plain().calls(text),
        r#"{"status":"completed","output":[{"type":"function_call","call_id":"1","name":"a","arguments":"{}"}]}"#,
        &[
            (r#""status":"completed""#, "/status"),
            (r#""type":"function_call""#, "/output/0/type"),
            (r#""call_id":"1""#, "/output/0/call_id"),
            (r#""name":"a""#, "/output/0/name"),
            (r#""arguments":"{}""#, "/output/0/arguments"),
        ],
    );
    whole(
        |text| Messages::plain().calls(text),
        r#"{"role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"1","name":"a","input":{"x":1,"x":2}}]}"#,
        &[
            (r#""role":"assistant""#, "/role"),
            (r#""stop_reason":"tool_use""#, "/stop_reason"),
            (r#""type":"tool_use""#, "/content/0/type"),
            (r#""id":"1""#, "/content/0/id"),
            (r#""name":"a""#, "/content/0/name"),
            (r#""input":{"x":1,"x":2}"#, "/content/0/input"),
        ],
    );
    whole(
        |text| Generate::parameters().calls(text),
        r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"1","name":"a","args":{"x":1}}}]},"finishReason":"STOP"}]}"#,
        &[
            (r#""role":"model""#, "/candidates/0/content/role"),
            (r#""finishReason":"STOP""#, "/candidates/0/finishReason"),
            (r#""id":"1""#, "/candidates/0/content/parts/0/functionCall/id"),
            (r#""name":"a""#, "/candidates/0/content/parts/0/functionCall/name"),
            (r#""args":{"x":1}"#, "/candidates/0/content/parts/0/functionCall/args"),
        ],
    );
    whole(
        |text| Converse::plain().calls(text),
        r#"{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"1","name":"a","input":{"x":1}}}]}},"stopReason":"tool_use"}"#,
        &[
            (r#""role":"assistant""#, "/output/message/role"),
            (r#""stopReason":"tool_use""#, "/stopReason"),
            (r#""toolUseId":"1""#, "/output/message/content/0/toolUse/toolUseId"),
            (r#""name":"a""#, "/output/message/content/0/toolUse/name"),
            (r#""input":{"x":1}"#, "/output/message/content/0/toolUse/input"),
        ],
    );
    whole(
        |text| ollama::Chat::new().calls(text),
        r#"{"message":{"role":"assistant","tool_calls":[{"function":{"name":"a","arguments":{"x":1}}}]},"done":true}"#,
        &[
            (r#""role":"assistant""#, "/message/role"),
            (r#""done":true"#, "/done"),
            (r#""name":"a""#, "/message/tool_calls/0/function/name"),
            (r#""arguments":{"x":1}"#, "/message/tool_calls/0/function/arguments"),
        ],
    );
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        whole(
            |text| revision.read_call("1", text).map(|call| vec![call]),
            r#"{"name":"a","arguments":{"x":1,"x":2}}"#,
            &[(r#""name":"a""#, "/name"), (r#""arguments":{"x":1,"x":2}"#, "/arguments")],
        );
    }
}

#[test]
fn of_events() {
    let event = |mut stream: Stream, first: &[&str], event: &str, member: &str, place: &str| {
        for before in first {
            stream.push_event(before).expect(before);
        }
        let text = event.replacen(member, &format!("{member},{member}"), 1);
        assert_ne!(text, event, "{member}");
        let told = twice(stream.push_event(&text));
        assert_eq!(told, format!("{place} stands twice; a key has one value"));
        assert!(matches!(stream.finish(), Err(WireError::Unfinished)), "the rest is not trusted");
    };
    let delta = r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":3,"id":"1","function":{"name":"a","arguments":"{}"}}]}}]}"#;
    for (member, place) in [
        (r#""arguments":"{}""#, "/choices/0/delta/tool_calls/0/function/arguments"),
        (r#""id":"1""#, "/choices/0/delta/tool_calls/0/id"),
        (r#""index":3"#, "/choices/0/delta/tool_calls/0/index"),
    ] {
        event(Chat::plain().stream(), &[], delta, member, place);
    }
    event(
        Responses::plain().stream(),
        &[],
        r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{"}"#,
        r#""delta":"{""#,
        "/delta",
    );
    let start =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"1","name":"a"}}"#;
    event(Messages::plain().stream(), &[], start, r#""id":"1""#, "/content_block/id");
    let delta =
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{}"}}"#;
    event(Messages::plain().stream(), &[start], delta, r#""partial_json":"{}""#, "/delta/partial_json");
    let part =
        r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"a","args":{}}}]}}]}"#;
    event(
        Generate::json_schema().stream(),
        &[],
        part,
        r#""args":{}"#,
        "/candidates/0/content/parts/0/functionCall/args",
    );
    let start =
        r#"{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"1","name":"a"}}}}"#;
    event(Converse::plain().stream(), &[], start, r#""name":"a""#, "/contentBlockStart/start/toolUse/name");
    let line = r#"{"message":{"role":"assistant","tool_calls":[{"function":{"name":"a","arguments":{}}}]},"done":true}"#;
    event(
        ollama::Chat::new().stream(),
        &[],
        line,
        r#""arguments":{}"#,
        "/message/tool_calls/0/function/arguments",
    );
}
