//! Streams: cut at every byte they say what the whole says, and cut short they say nothing.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::super::Stream;
use super::super::anthropic::Messages;
use super::super::bedrock::Converse;
use super::super::frame::crc32;
use super::super::gemini::Generate;
use super::super::ollama;
use super::super::openai::{Chat, Responses};
use super::super::wire::WireError;
use super::read;
use crate::arguments::ToolCall;

fn run(mut stream: Stream, pieces: &[&[u8]]) -> Result<Vec<ToolCall>, WireError> {
    for piece in pieces {
        stream.push(piece)?;
    }
    stream.finish()
}

/// Cuts a body in two at every byte, and in single bytes; every prefix is an error or says the same.
fn check(make: &dyn Fn() -> Stream, body: &[u8], expected: &Expect) {
    let whole = run(make(), &[body]);
    let calls = whole.as_ref().ok().cloned();
    assert!(calls.is_some(), "{whole:?}");
    read(whole, expected);
    for at in 0..=body.len() {
        let (head, tail) = body.split_at(at);
        assert_eq!(run(make(), &[head, tail]).ok(), calls, "cut at {at}");
        if let Ok(early) = run(make(), &[head]) {
            assert_eq!(Some(early), calls, "cut off at {at}");
        }
    }
    let bytes: Vec<&[u8]> = body.chunks(1).collect();
    assert_eq!(run(make(), &bytes).ok(), calls);
}

const CHAT: &str = concat!(
    ": a comment\r\n\r\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"call_a\",\"type\":\"function\",",
    "\"function\":{\"name\":\"weather\",\"arguments\":\"\"}}]}}]}\r\n\r\n",
    "event: x\nid: 1\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"stra\"}}]}}]}\n\n",
    "data:{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"ße\\\":\\\"\\\\n\\\"}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":1,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"other choice\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"call_b\",\"function\":{\"name\":\"now\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}],\"usage\":{}}\n\n",
    "data: [DONE]\n\n",
);

#[test]
fn chat_chunks_add_up_wherever_they_are_cut() {
    check(
        &|| Chat::plain().stream(),
        CHAT.as_bytes(),
        &expect![[r#"
        call_a weather {"straße":"\n"}
        call_b now "#]],
    );
}

#[test]
fn chat_servers_number_their_calls_in_their_own_ways() {
    let events = |stream: &mut Stream, events: &[&str]| -> Result<(), WireError> {
        events.iter().try_for_each(|event| stream.push_event(event))
    };
    let delta = |calls: &str| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{calls}]}}}}]}}"#);
    let end = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    // No index, whole calls.
    let mut stream = Chat::plain().stream();
    let first = delta(r#"{"id":"1","function":{"name":"a","arguments":"{}"}}"#);
    let second = delta(r#"{"id":"2","function":{"name":"b","arguments":{"x":1}}}"#);
    assert!(events(&mut stream, &[&first, &second, end]).is_ok());
    read(
        stream.finish(),
        &expect![[r#"
        1 a {}
        2 b {"x":1}"#]],
    );
    // Index 0 for all, with ids of their own.
    let mut stream = Chat::plain().stream();
    let first = delta(r#"{"index":0,"id":"1","function":{"name":"a","arguments":"{}"}}"#);
    let second = delta(r#"{"index":0,"id":"2","function":{"name":"b","arguments":"{\"x\""}}"#);
    let third = delta(r#"{"index":0,"id":"2","function":{"name":"b","arguments":":1}"}}"#);
    assert!(events(&mut stream, &[&first, &second, &third, end]).is_ok());
    read(
        stream.finish(),
        &expect![[r#"
        1 a {}
        2 b {"x":1}"#]],
    );
    // A server that does not stream at all.
    let whole = r#"{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
    read(run(Chat::plain().stream(), &[whole.as_bytes()]), &expect!["1 a {}"]);
}

#[test]
fn responses_events_add_up_wherever_they_are_cut() {
    let body = concat!(
        "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{}}\n\n",
        "data: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"call_1\",\"name\":\"weather\",\"arguments\":\"\"}}\n\n",
        "data: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":1,\"delta\":\"{\\\"city\\\":\"}\n\n",
        "data: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":1,\"delta\":\"\\\"Köln\\\"}\"}\n\n",
        "data: {\"type\":\"response.function_call_arguments.done\",\"output_index\":1,\"arguments\":\"{\\\"city\\\":\\\"Köln\\\"}\"}\n\n",
        "data: {\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"weather\",\"arguments\":\"{\\\"city\\\":\\\"Köln\\\"}\"}}\n\n",
        "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
    );
    check(&|| Responses::plain().stream(), body.as_bytes(), &expect![[r#"call_1 weather {"city":"Köln"}"#]]);
}

#[test]
fn anthropic_events_add_up_wherever_they_are_cut() {
    let body = concat!(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hm.\"}}\n\n",
        "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
        "event: ping\ndata: {\"type\":\"ping\"}\n\n",
        "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"weather\",\"input\":{}}}\n\n",
        "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\"}}\n\n",
        "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"city\\\": \\\"Pa\"}}\n\n",
        "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"ris\\\"}\"}}\n\n",
        "data: {\"type\":\"content_block_stop\",\"index\":1}\n\n",
        "data: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"now\",\"input\":{}}}\n\n",
        "data: {\"type\":\"content_block_stop\",\"index\":2}\n\n",
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{}}\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
    );
    check(
        &|| Messages::plain().stream(),
        body.as_bytes(),
        &expect![[r#"
        toolu_1 weather {"city": "Paris"}
        toolu_2 now {}"#]],
    );
}

#[test]
fn gemini_streams_add_up_as_events_and_as_a_list() {
    let first = r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"a}]"},{"functionCall":{"name":"weather","args":{"city":"Köln \"}"}}}]}}]}"#;
    let second = r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"x","name":"now"}}]},"finishReason":"STOP"}],"usageMetadata":{}}"#;
    let expected = expect![[r#"
        local_call_0 weather {"city":"Köln \"}"}
        x now "#]];
    let events = format!("data: {first}\r\n\r\ndata: {second}\r\n\r\n");
    check(&|| Generate::parameters().stream(), events.as_bytes(), &expected);
    let list = format!("[{first}\n,\r\n{second}]\n");
    check(&|| Generate::parameters().stream(), list.as_bytes(), &expected);
}

#[test]
fn ollama_lines_add_up_wherever_they_are_cut() {
    let body = concat!(
        "{\"message\":{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"a\",\"arguments\":{\"x\":[1,2]}}}]},\"done\":false}\n",
        "{\"message\":{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"b\",\"arguments\":{}}}]},\"done\":false}\n",
        "{\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n",
    );
    check(
        &|| ollama::Chat::new().stream(),
        body.as_bytes(),
        &expect![[r#"
        call_0 a {"x":[1,2]}
        call_1 b {}"#]],
    );
}

/// A frame of an AWS event stream.
fn frame(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in headers {
        head.push(u8::try_from(name.len()).unwrap_or_default());
        head.extend_from_slice(name.as_bytes());
        head.push(7);
        head.extend_from_slice(&u16::try_from(value.len()).unwrap_or_default().to_be_bytes());
        head.extend_from_slice(value.as_bytes());
    }
    let length = |length: usize| u32::try_from(length).unwrap_or_default().to_be_bytes();
    let mut out = Vec::new();
    out.extend_from_slice(&length(16 + head.len() + payload.len()));
    out.extend_from_slice(&length(head.len()));
    out.extend_from_slice(&crc32(&out).to_be_bytes());
    out.extend_from_slice(&head);
    out.extend_from_slice(payload.as_bytes());
    let sum = crc32(&out).to_be_bytes();
    out.extend_from_slice(&sum);
    out
}

fn event(kind: &str, payload: &str) -> Vec<u8> {
    let headers = [(":event-type", kind), (":content-type", "application/json"), (":message-type", "event")];
    frame(&headers, payload)
}

#[test]
fn bedrock_frames_add_up_wherever_they_are_cut() {
    let body = [
        event("messageStart", r#"{"role":"assistant","p":"abc"}"#),
        event(
            "contentBlockStart",
            r#"{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t1","name":"weather"}}}"#,
        ),
        event("contentBlockDelta", r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"city\":"}}}"#),
        event("contentBlockDelta", r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"\"Köln\"}"}}}"#),
        event("contentBlockStop", r#"{"contentBlockIndex":1}"#),
        event("messageStop", r#"{"stopReason":"tool_use"}"#),
        event("metadata", "{}"),
    ]
    .concat();
    check(&|| Converse::plain().stream(), &body, &expect![[r#"t1 weather {"city":"Köln"}"#]]);
    // The same as events of an SDK.
    let mut stream = Converse::plain().stream();
    for event in [
        r#"{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t1","name":"now"}}}}"#,
        r#"{"contentBlockStop":{"contentBlockIndex":0}}"#,
        r#"{"messageStop":{"stopReason":"tool_use"}}"#,
    ] {
        assert!(stream.push_event(event).is_ok());
    }
    read(stream.finish(), &expect!["t1 now {}"]);
}

#[test]
fn broken_frames_and_errors_of_providers_are_told() {
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    let mut broken = event("messageStop", "{}");
    if let Some(byte) = broken.last_mut() {
        *byte ^= 1;
    }
    read(
        run(Converse::plain().stream(), &[&broken]),
        &expect![
            "error: the message: expected a frame of an event stream, got a frame with a wrong checksum"
        ],
    );
    let exception = frame(
        &[(":exception-type", "throttlingException"), (":message-type", "exception")],
        r#"{"message":"Too many requests"}"#,
    );
    read(run(Converse::plain().stream(), &[&exception]), &expect!["error: the provider reported an error"]);
    for (stream, event) in [
        (Chat::plain().stream(), r#"{"error":{"message":"overloaded"}}"#),
        (Messages::plain().stream(), r#"{"type":"error","error":{"type":"overloaded_error"}}"#),
        (Responses::plain().stream(), r#"{"type":"response.failed","response":{"error":{}}}"#),
        (Generate::parameters().stream(), r#"{"error":{"code":429}}"#),
        (ollama::Chat::new().stream(), r#"{"error":"model not found"}"#),
    ] {
        let body = format!("data: {event}\n\n");
        let result = run(stream, &[body.as_bytes()]);
        assert!(matches!(result, Err(WireError::Provider { .. })), "{event}: {result:?}");
    }
}

#[test]
fn an_error_spoils_what_comes_after() {
    let mut stream = Chat::plain().stream();
    assert!(stream.push_event("nonsense").is_err());
    assert!(stream.push(CHAT.as_bytes()).is_ok());
    assert!(matches!(stream.finish(), Err(WireError::Unfinished)));
}

#[test]
fn what_a_limit_cut_off_never_runs_as_a_call_without_arguments() {
    let chat = r#"{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"delete_all","arguments":""}}]},"finish_reason":"length"}]}"#;
    read(Chat::plain().calls(chat), &expect!["1 delete_all {"]);
    let message = r#"{"role":"assistant","stop_reason":"max_tokens","content":[{"type":"tool_use","id":"1","name":"delete_all","input":{}}]}"#;
    read(Messages::plain().calls(message), &expect!["1 delete_all {"]);
    let streamed = concat!(
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"1\",\"function\":{\"name\":\"delete_all\",\"arguments\":\"\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n",
    );
    read(run(Chat::plain().stream(), &[streamed.as_bytes()]), &expect!["1 delete_all {"]);
}

#[test]
fn what_a_stream_keeps_is_bounded() {
    let mut stream = Chat::plain().stream();
    let piece = vec![b'a'; 1 << 20];
    let result = std::iter::once(b"data: ".as_slice())
        .chain(std::iter::repeat_n(piece.as_slice(), 64))
        .try_for_each(|piece| stream.push(piece));
    assert!(matches!(result, Err(WireError::TooLarge { .. })));
    let mut stream = Chat::plain().stream();
    let flood = (0..2_000).try_for_each(|number| {
        stream.push_event(&format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{number}}}]}}}}]}}"#))
    });
    assert!(matches!(flood, Err(WireError::TooLarge { .. })));
}

#[test]
fn a_call_with_the_largest_of_numbers_is_refused() {
    let delta = |index: u64| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index}}}]}}}}]}}"#);
    for number in [u64::MAX, u64::from(u32::MAX) + 1] {
        let mut stream = Chat::plain().stream();
        assert!(matches!(stream.push_event(&delta(number)), Err(WireError::TooLarge { .. })));
    }
    let mut stream = Chat::plain().stream();
    assert!(stream.push_event(&delta(u64::from(u32::MAX))).is_ok());
    let next = r#"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"b"}}]}}]}"#;
    assert!(matches!(stream.push_event(next), Err(WireError::TooLarge { .. })));
}

proptest! {
    #[test]
    fn streams_take_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), text in r#"(data: |[\[\]{}":,0-9a-z\\ \r\n]){0,60}"#) {
        let streams = || [
            Chat::plain().stream(), Responses::plain().stream(), Messages::plain().stream(),
            Generate::parameters().stream(), Converse::plain().stream(), ollama::Chat::new().stream(),
        ];
        for bytes in [bytes.as_slice(), text.as_bytes()] {
            for (mut whole, mut cut) in streams().into_iter().zip(streams()) {
                let one = whole.push(bytes).is_ok();
                let many = bytes.iter().try_for_each(|byte| cut.push(&[*byte])).is_ok();
                prop_assert_eq!(one, many);
                prop_assert_eq!(whole.finish().ok(), cut.finish().ok());
            }
        }
    }
}
