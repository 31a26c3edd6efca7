//! Answers as nobody should send them: what is lost is told, and one wrong call is the only wrong one.

use expect_test::{Expect, expect};

use super::super::Stream;
use super::super::anthropic::Messages;
use super::super::bedrock::Converse;
use super::super::frame::crc32;
use super::super::gemini::Generate;
use super::super::mcp::Revision;
use super::super::ollama;
use super::super::openai::{Chat, Responses};
use super::super::wire::WireError;
use super::{chat, messages, read};
use crate::arguments::ToolCall;

/// A stream of whole events.
fn events(mut stream: Stream, events: &[&str], expected: &Expect) {
    let all = events.iter().try_for_each(|event| stream.push_event(event));
    read(all.and_then(|()| stream.finish()), expected);
}

fn delta(calls: &str) -> String {
    format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{calls}]}}}}]}}"#)
}

const END: &str = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;

#[test]
fn repeated_ids_are_legal_and_stay() {
    let calls = r#"{"id":"x","function":{"name":"a","arguments":"{}"}},{"id":"x","function":{"name":"b","arguments":"{}"}}"#;
    chat(
        &format!(r#"{{"role":"assistant","tool_calls":[{calls}]}}"#),
        &expect![[r#"
            x a {}
            x b {}"#]],
    );
    // In a stream the index tells them apart.
    let first = delta(r#"{"index":0,"id":"x","function":{"name":"a","arguments":"{\"n\""}}"#);
    let second = delta(r#"{"index":1,"id":"x","function":{"name":"a","arguments":"{\"n\""}}"#);
    let rest =
        delta(r#"{"index":0,"function":{"arguments":":1}"}},{"index":1,"function":{"arguments":":2}"}}"#);
    events(
        Chat::plain().stream(),
        &[&first, &second, &rest, END],
        &expect![[r#"
            x a {"n":1}
            x a {"n":2}"#]],
    );
    let block = |index: u8| {
        format!(
            r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"tool_use","id":"x","name":"a","input":{{}}}}}}"#
        )
    };
    let stop = |index: u8| format!(r#"{{"type":"content_block_stop","index":{index}}}"#);
    events(
        Messages::plain().stream(),
        &[&block(0), &stop(0), &block(1), &stop(1), r#"{"type":"message_stop"}"#],
        &expect![[r#"
            x a {}
            x a {}"#]],
    );
}

#[test]
fn servers_that_number_all_calls_alike_keep_them_apart() {
    let first = delta(r#"{"index":0,"id":"1","function":{"name":"a","arguments":"{\"n\""}}"#);
    let rest = delta(r#"{"index":0,"function":{"arguments":":1}"}}"#);
    let second = delta(r#"{"index":0,"id":"2","function":{"name":"b","arguments":"{\"n\""}}"#);
    let again = delta(r#"{"index":0,"function":{"arguments":":2}"}}"#);
    let third = delta(r#"{"index":1,"id":"3","function":{"name":"c","arguments":"{}"}}"#);
    events(
        Chat::plain().stream(),
        &[&first, &rest, &second, &again, &third, END],
        &expect![[r#"
            1 a {"n":1}
            2 b {"n":2}
            3 c {}"#]],
    );
    // The id comes after the beginning.
    let first = delta(r#"{"index":0,"function":{"name":"a","arguments":"{"}}"#);
    let second = delta(r#"{"index":0,"id":"1","function":{"arguments":"}"}}"#);
    events(Chat::plain().stream(), &[&first, &second, END], &expect!["1 a {}"]);
    let wrong = delta(r#"{"index":-1,"id":"1","function":{"name":"a"}}"#);
    events(
        Chat::plain().stream(),
        &[&wrong, END],
        &expect!["error: /choices/0/delta/tool_calls/0/index: expected a number, got -1"],
    );
    let far = delta(r#"{"index":99999999999,"id":"1","function":{"name":"a"}}"#);
    events(
        Chat::plain().stream(),
        &[&far, END],
        &expect!["error: the answer exceeds the limit of 1024 bytes or calls"],
    );
    let nameless = delta(r#"{"index":0,"id":"1","function":{"arguments":"{}"}}"#);
    events(
        Chat::plain().stream(),
        &[&nameless, END],
        &expect!["error: the stream ended before the answer did; ask again"],
    );
}

#[test]
fn a_block_begins_once() {
    let start =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"1","name":"a"}}"#;
    let delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\":1}"}}"#;
    events(
        Messages::plain().stream(),
        &[start, delta, start],
        &expect!["error: the message: expected a block that has not begun, got block 0 once more"],
    );
    let start =
        r#"{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"1","name":"a"}}}}"#;
    events(
        Converse::plain().stream(),
        &[start, start],
        &expect!["error: the message: expected a block that has not begun, got block 0 once more"],
    );
    // Deltas of a block that is no call are no call.
    let server = r#"{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"1","name":"a"}}"#;
    events(Messages::plain().stream(), &[server, delta, r#"{"type":"message_stop"}"#], &expect![""]);
}

#[test]
fn parts_of_a_call_come_between_its_beginning_and_its_end() {
    let told = expect![
        "error: the message: expected a part of a call that has begun and has not ended, got a part of call 0"
    ];
    let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"1","name":"a","input":{}}}"#;
    let delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"n\":1}"}}"#;
    let stop = r#"{"type":"content_block_stop","index":0}"#;
    // Lost, it would leave a call without arguments.
    events(Messages::plain().stream(), &[delta, start, stop, r#"{"type":"message_stop"}"#], &told);
    events(Messages::plain().stream(), &[start, stop, delta, r#"{"type":"message_stop"}"#], &told);
    let start =
        r#"{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"1","name":"a"}}}}"#;
    let delta = r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{\"n\":1}"}}}}"#;
    let stop = r#"{"contentBlockStop":{"contentBlockIndex":0}}"#;
    events(Converse::plain().stream(), &[delta, start, stop], &told);
    events(Converse::plain().stream(), &[start, stop, delta], &told);

    let item = |kind: &str, id: &str| {
        format!(
            r#"{{"type":"response.output_item.{kind}","output_index":0,"item":{{"type":"function_call","call_id":"{id}","name":"a","arguments":"{{}}"}}}}"#
        )
    };
    let delta = r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"}"}"#;
    events(Responses::plain().stream(), &[&item("done", "1"), delta], &told);
    // Another call under the same number would take the place of the first.
    events(
        Responses::plain().stream(),
        &[&item("added", "1"), &item("done", "1"), &item("added", "2")],
        &expect!["error: /output_index: expected one item under each number, got another call under 0"],
    );
}

#[test]
fn calls_in_pieces_that_are_not_put_together_are_no_calls() {
    let gemini = |call: &str, expected: &Expect| {
        let content = format!(r#"{{"role":"model","parts":[{{"functionCall":{call}}}]}}"#);
        read(Generate::json_schema().calls(&content), expected);
        let event = format!(r#"{{"candidates":[{{"content":{content},"finishReason":"STOP"}}]}}"#);
        let mut stream = Generate::json_schema().stream();
        assert_eq!(stream.push_event(&event).is_err(), Generate::json_schema().calls(&content).is_err());
    };
    gemini(
        r#"{"name":"a","willContinue":true}"#,
        &expect![
            "error: /parts/0/functionCall/willContinue: expected whole calls; leave `streamFunctionCallArguments` out, got true"
        ],
    );
    gemini(
        r#"{"name":"a","partialArgs":[{"jsonPath":"$.n","numberValue":1}]}"#,
        &expect![
            "error: /parts/0/functionCall/partialArgs: expected whole calls; leave `streamFunctionCallArguments` out, got a list"
        ],
    );
    gemini(r#"{"name":"a","args":{"n":1},"willContinue":false}"#, &expect![[r#"local_call_0 a {"n":1}"#]]);
    let legacy = r#"{"choices":[{"delta":{"function_call":{"name":"a","arguments":"{}"}}}]}"#;
    events(
        Chat::plain().stream(),
        &[legacy, END],
        &expect![
            "error: /choices/0/delta/function_call: expected no legacy call; send `tools` instead of `functions`, got an object"
        ],
    );
}

#[test]
fn what_a_filter_cut_off_is_not_taken_for_whole() {
    let call = r#"{"id":"1","function":{"name":"a","arguments":"{}"}}"#;
    chat(
        &format!(
            r#"{{"choices":[{{"finish_reason":"content_filter","message":{{"tool_calls":[{call}]}}}}]}}"#
        ),
        &expect!["1 a {"],
    );
    messages(
        r#"{"role":"assistant","stop_reason":"refusal","content":[{"type":"tool_use","id":"1","name":"a","input":{}}]}"#,
        &expect!["1 a {"],
    );
    read(
        Converse::plain().calls(
            r#"{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"1","name":"a","input":{}}}]}},"stopReason":"guardrail_intervened"}"#,
        ),
        &expect!["1 a {"],
    );
}

#[test]
fn deep_and_broken_arguments_are_their_calls_own() {
    let deep = "[".repeat(5_000) + &"]".repeat(5_000);
    let content = format!(
        r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"1","name":"a","input":{{"x":{deep}}}}},{{"type":"tool_use","id":"2","name":"b","input":{{}}}}]}}"#
    );
    let calls = Messages::plain().calls(&content).expect("JSON, however deep");
    assert_eq!(calls.iter().map(ToolCall::id).collect::<Vec<_>>(), ["1", "2"]);
    chat(
        r#"{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a","arguments":"\ud83d"}},{"id":"2","function":{"name":"b","arguments":"{}"}}]}"#,
        &expect![[r#"
            1 a "\ud83d"
            2 b {}"#]],
    );
    chat(
        r#"{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a","arguments":[1]}},{"id":"2","function":{"name":"b","arguments":true}},{"id":"3","function":{"name":"c","arguments":"\u0000"}}]}"#,
        &expect![["
            1 a [1]
            2 b true
            3 c \0"]],
    );
    messages(
        r#"{"role":"assistant","content":[{"type":"tool_use","id":5,"name":"a","input":{}}]}"#,
        &expect!["error: /content/0/id: expected the call's id, a string, got 5"],
    );
}

#[test]
fn of_a_response_that_is_cut_off_only_what_is_not_whole_counts_as_cut() {
    let responses = |text: &str, expected: &Expect| read(Responses::plain().calls(text), expected);
    let call = r#"{"type":"function_call","call_id":"1","name":"now","arguments":"{}"}"#;
    let message = r#"{"type":"message","status":"incomplete","content":[]}"#;
    responses(&format!(r#"{{"status":"incomplete","output":[{call},{message}]}}"#), &expect!["1 now {}"]);
    responses(&format!(r#"{{"status":"incomplete","output":[{call}]}}"#), &expect!["1 now {"]);
    let whole = call.replace("{\"type", r#"{"status":"completed","type"#);
    responses(&format!(r#"{{"status":"incomplete","output":[{whole}]}}"#), &expect!["1 now {}"]);
    let cut = call.replace("{\"type", r#"{"status":"incomplete","type"#);
    responses(
        &format!(r#"[{cut},{call}]"#),
        &expect![[r#"
        1 now {
        1 now {}"#]],
    );
    responses(
        r#"{"status":"failed","error":{"message":"quota"}}"#,
        &expect!["error: the provider reported an error"],
    );
    responses(r#"{"output":{}}"#, &expect!["error: /output: expected a list of output items, got an object"]);

    let done = |status: &str| {
        format!(
            r#"{{"type":"response.output_item.done","output_index":0,"item":{{"type":"function_call","status":"{status}","call_id":"1","name":"now","arguments":"{{}}"}}}}"#
        )
    };
    let incomplete = r#"{"type":"response.incomplete"}"#;
    events(Responses::plain().stream(), &[&done("completed"), incomplete], &expect!["1 now {}"]);
    events(Responses::plain().stream(), &[&done("incomplete"), incomplete], &expect!["1 now {"]);
    events(
        Responses::plain().stream(),
        &[&done("incomplete"), r#"{"type":"response.completed"}"#],
        &expect!["error: the stream ended before the answer did; ask again"],
    );
}

#[test]
fn streams_that_end_too_soon_or_say_something_else_are_no_answer() {
    let unfinished = expect!["error: the stream ended before the answer did; ask again"];
    let call = delta(r#"{"index":0,"id":"1","function":{"name":"a","arguments":"{}"}}"#);
    events(Chat::plain().stream(), &[&call], &unfinished);
    events(Chat::plain().stream(), &[], &unfinished);
    let part =
        r#"{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"a","args":{}}}]}}]}"#;
    events(Generate::parameters().stream(), &[part], &unfinished);
    events(
        ollama::Chat::new().stream(),
        &[r#"{"message":{"role":"assistant","content":""},"done":false}"#],
        &unfinished,
    );
    events(
        Chat::plain().stream(),
        &[&call, r#"{"error":{"message":"overloaded"}}"#],
        &expect!["error: the provider reported an error"],
    );
    events(
        Chat::plain().stream(),
        &["[1]"],
        &expect!["error: the message: expected an event of the stream, got a list"],
    );
    // Once an event was wrong, the rest is not trusted.
    let mut stream = Chat::plain().stream();
    assert!(stream.push_event("{").is_err());
    assert!(stream.push_event(&call).is_ok() && stream.push_event(END).is_ok());
    read(stream.finish(), &unfinished);
}

#[test]
fn what_a_server_sends_too_much_of_is_not_kept() {
    let large = "x".repeat(9 << 20);
    let part = format!(
        r#"{{"candidates":[{{"content":{{"role":"model","parts":[{{"functionCall":{{"name":"a","args":{{"x":"{large}"}}}}}}]}}}}]}}"#
    );
    let limit = expect!["error: the answer exceeds the limit of 16777216 bytes or calls"];
    events(Generate::parameters().stream(), &[&part, &part], &limit);
    let line = format!(
        r#"{{"message":{{"role":"assistant","tool_calls":[{{"function":{{"name":"a","arguments":{{"x":"{large}"}}}}}}]}}}}"#
    );
    events(ollama::Chat::new().stream(), &[&line, &line], &limit);
    let id = delta(&format!(r#"{{"index":0,"id":"{large}","function":{{"name":"a"}}}}"#));
    let other = delta(&format!(r#"{{"index":1,"id":"y{large}","function":{{"name":"a"}}}}"#));
    events(Chat::plain().stream(), &[&id, &other], &limit);
}

#[test]
fn many_small_frames_at_once_cost_no_more_than_one_by_one() {
    let frame = |payload: &str| {
        let header = [&[11_u8][..], b":event-type", &[7, 0, 4], b"ping"].concat();
        let total = u32::try_from(16 + header.len() + payload.len()).expect("small");
        let mut frame =
            [total.to_be_bytes(), u32::try_from(header.len()).expect("small").to_be_bytes()].concat();
        frame.extend(crc32(&frame).to_be_bytes());
        frame.extend([&header, payload.as_bytes()].concat());
        frame.extend(crc32(&frame).to_be_bytes());
        frame
    };
    let many = frame("{}").repeat(100_000);
    let mut stream = Converse::plain().stream();
    assert!(stream.push(&many).is_ok());
    assert!(stream.push_event(r#"{"messageStop":{"stopReason":"end_turn"}}"#).is_ok());
    read(stream.finish(), &expect![""]);
    let mut broken = frame("{}");
    broken[2] = 0x7f;
    let error = Converse::plain().stream().push(&broken);
    assert!(matches!(error, Err(WireError::Unexpected { .. })), "{error:?}");
}

#[test]
fn parameters_of_other_kinds_are_judged_by_the_reader_of_arguments() {
    let call = |params: &str, expected: &Expect| {
        read(Revision::V2026_07_28.read_call("7", params).map(|call| vec![call]), expected);
    };
    call(r#"{"name":"a"}"#, &expect!["7 a "]);
    call(r#"{"name":"a","arguments":[1]}"#, &expect!["7 a [1]"]);
    call(r#"{"name":"a","arguments":{"x":1,"x":2}}"#, &expect![[r#"7 a {"x":1,"x":2}"#]]);
    call(r#"{"name":7}"#, &expect!["error: /name: expected the tool's name, a string, got 7"]);
    call("[]", &expect!["error: the message: expected the parameters of a call, got an empty list"]);
}

#[test]
fn arguments_that_are_no_object_reach_a_server_as_they_were_sent() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let sent = |arguments: &str| {
            let call = ToolCall::new("7", "a", arguments);
            let params = revision.call(&call);
            assert!(serde_json::from_str::<Box<serde_json::value::RawValue>>(&params).is_ok(), "{params}");
            (params.clone(), revision.read_call("7", &params).expect(&params))
        };
        for nothing in ["", " \n", "null", r#""""#, r#""{}""#, "{}"] {
            assert_eq!(sent(nothing).0, r#"{"name":"a","arguments":{}}"#, "{nothing}");
        }
        for object in [r#"{"x":1}"#, r#"{"x":1,"x":2}"#, r#"{"x":"\ud800"}"#, r#"{"x":1e400}"#] {
            let (params, call) = sent(object);
            assert_eq!(
                (params, call.arguments()),
                (format!(r#"{{"name":"a","arguments":{object}}}"#), object)
            );
        }
        for other in
            ["[1]", "7", "false", r#""x""#, r#""{\"x\":1}""#, r#"{"x":"#, "{x:1}", "{} and", "\u{a0}{}"]
        {
            let (params, call) = sent(other);
            assert!(params.starts_with(r#"{"name":"a","arguments":""#), "{params}");
            assert_eq!(call.arguments(), other);
        }
    }
}
