//! The bytes that go out, and what is read of the messages that come in.

mod duplicates;
mod hostile;
mod request;
mod stream;

use std::borrow::Cow;
use std::error::Error;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::anthropic::Messages;
use super::openai::Chat;
use super::text::push_string;
use super::wire::WireError;
use crate::arguments::ToolCall;
use crate::definition::{Facts, SchemaSource, Schemas, Told, ToolDefinition, ToolName};
use crate::error::ErrorCode;
use crate::output::{CallOutput, ContentBlock, ToolResult};
use crate::schema::Schema;

fn definition(name: &str, description: &'static str, schema: &str) -> ToolDefinition {
    let schemas = Schemas { input: Schema::parse(schema).expect("a schema"), output: None };
    let name = ToolName::new(name).expect("a name");
    let told = Told { name, title: None, description: Cow::Borrowed(description), facts: Facts::NONE };
    ToolDefinition::new(told, SchemaSource::Made(schemas))
}

fn definitions() -> [ToolDefinition; 2] {
    let city = r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#;
    [
        definition("weather_lookup", "Looks up the \"weather\".\nDaily.", city),
        definition("now", "Tells the time.", r#"{"type":"object","properties":{}}"#),
    ]
}

fn results() -> [ToolResult; 3] {
    let image = |media_type| ContentBlock::Image {
        data: vec![0xff, 0, 0x7f, 1],
        media_type: Cow::Borrowed(media_type),
    };
    let success =
        |id: &str, content| CallOutput::success(content, None).answer(id.to_owned(), "shoot".to_owned());
    [
        success(
            "call_1",
            vec![
                "Größe: \"2\"\n".into(),
                image("image/png"),
                image("image/tiff"),
                ContentBlock::Audio { data: vec![1; 9], media_type: Cow::Borrowed("audio/wav") },
                ContentBlock::ResourceLink { uri: "file:///a.txt".to_owned(), name: "a".to_owned() },
                ContentBlock::Resource {
                    uri: "file:///b.txt".to_owned(),
                    media_type: Cow::Borrowed("text/plain"),
                    text: "b".to_owned(),
                },
            ],
        ),
        success("call_2", vec![" \n".into()]),
        CallOutput::failure(ErrorCode::UnknownTool, "Error: unknown tool \"x\"".to_owned())
            .answer("call_3".to_owned(), "x".to_owned()),
    ]
}

fn read(calls: Result<Vec<ToolCall>, WireError>, expected: &Expect) {
    let text = match calls {
        Ok(calls) => calls
            .iter()
            .map(|call| format!("{} {} {}", call.id(), call.name(), call.arguments()))
            .collect::<Vec<_>>()
            .join("\n"),
        Err(error) => match error.source() {
            Some(source) => format!("error: {error} (by: {source})"),
            None => format!("error: {error}"),
        },
    };
    expected.assert_eq(&text);
}

fn chat(message: &str, expected: &Expect) {
    read(Chat::plain().calls(message), expected);
}

fn messages(message: &str, expected: &Expect) {
    read(Messages::plain().calls(message), expected);
}

#[test]
fn definitions_go_out_in_fixed_bytes() {
    expect![[r#"[{"type":"function","function":{"name":"weather_lookup","description":"Looks up the \"weather\".\nDaily.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},"strict":false}},{"type":"function","function":{"name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{}},"strict":false}}]"#]].assert_eq(&Chat::plain().tools(&definitions()));
    expect![[r#"[{"name":"weather_lookup","description":"Looks up the \"weather\".\nDaily.","input_schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}},{"name":"now","description":"Tells the time.","input_schema":{"type":"object","properties":{}}}]"#]].assert_eq(&Messages::plain().tools(&definitions()));
}

#[test]
fn results_go_out_with_nothing_dropped_silently() -> serde_json::Result<()> {
    let chat = Chat::plain().results(&results());
    expect![[r#"[{"role":"tool","tool_call_id":"call_1","content":"Größe: \"2\"\n\n[image/png, 4 bytes: left out, since tool results cannot carry it here]\n[image/tiff, 4 bytes: left out, since tool results cannot carry it here]\n[audio/wav, 9 bytes: left out, since tool results cannot carry it here]\na: file:///a.txt\nfile:///b.txt (text/plain):\nb"},{"role":"tool","tool_call_id":"call_2","content":" \n"},{"role":"tool","tool_call_id":"call_3","content":"Error: unknown tool \"x\""}]"#]].assert_eq(&chat);
    let messages = Messages::plain().results(&results());
    expect![[r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"Größe: \"2\"\n"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"/wB/AQ=="}},{"type":"text","text":"[image/tiff, 4 bytes: left out, since tool results cannot carry it here]"},{"type":"text","text":"[audio/wav, 9 bytes: left out, since tool results cannot carry it here]"},{"type":"text","text":"a: file:///a.txt"},{"type":"text","text":"file:///b.txt (text/plain):\nb"}]},{"type":"tool_result","tool_use_id":"call_2"},{"type":"tool_result","tool_use_id":"call_3","content":[{"type":"text","text":"Error: unknown tool \"x\""}],"is_error":true}]}"#]].assert_eq(&messages);
    serde_json::from_str::<serde_json::Value>(&chat)?;
    serde_json::from_str::<serde_json::Value>(&messages)?;
    Ok(())
}

#[test]
fn chat_calls_are_read_from_messages_and_completions() {
    let calls = r#"[
        {"id":"call_9","type":"function","function":{"name":"a","arguments":"{ \"x\": 1.50 }"}},
        {"function":{"name":"b"}},
        {"id":null,"function":{"name":"c","arguments":null}},
        {"id":"","function":{"name":"d","arguments":{ "x": 1.50 }}},
        {"id":"call_2","function":{"name":"e","arguments":"{\"cut"}}
    ]"#;
    chat(
        &format!(r#"{{"role":"assistant","content":null,"tool_calls":{calls}}}"#),
        &expect![[r#"
            call_9 a { "x": 1.50 }
            call_1 b 
            call_2_ c 
            call_3 d { "x": 1.50 }
            call_2 e {"cut"#]],
    );
    chat(
        &format!(r#"{{"id":"x","choices":[{{"index":0,"message":{{"tool_calls":{calls}}}}}],"usage":{{}}}}"#),
        &expect![[r#"
            call_9 a { "x": 1.50 }
            call_1 b 
            call_2_ c 
            call_3 d { "x": 1.50 }
            call_2 e {"cut"#]],
    );
    chat(r#"{"role":"assistant","content":"Hello."}"#, &expect![[""]]);
    chat(r#"{"role":"assistant","tool_calls":null,"function_call":null}"#, &expect![[""]]);
    chat(r#"{"role":"assistant","tool_calls":[]}"#, &expect![[""]]);
}

#[test]
fn malformed_chat_messages_are_refused_with_place_and_remedy() {
    chat(
        "",
        &expect![
            "error: the message is not JSON; pass the text of an assistant message or a chat completion (by: EOF while parsing a value at line 1 column 0)"
        ],
    );
    chat(
        r#"{"role":"assistant""#,
        &expect![
            "error: the message is not JSON; pass the text of an assistant message or a chat completion (by: EOF while parsing an object at line 1 column 19)"
        ],
    );
    chat(
        "[]",
        &expect!["error: the message: expected an assistant message or a chat completion, got an empty list"],
    );
    chat(
        "null",
        &expect!["error: the message: expected an assistant message or a chat completion, got null"],
    );
    chat(
        "{}",
        &expect![
            "error: the message: expected an assistant message or a chat completion, got an empty object"
        ],
    );
    chat(
        r#"{"error":{"message":"quota"}}"#,
        &expect![[
            r#"error: the message: expected an assistant message or a chat completion, got an object with "error""#
        ]],
    );
    chat(
        r#"{"role":"user","content":"hi"}"#,
        &expect![[r#"error: /role: expected "assistant", got "user""#]],
    );
    chat(r#"{"role":5}"#, &expect![[r#"error: /role: expected "assistant", got 5"#]]);
    chat(r#"{"choices":[]}"#, &expect!["error: /choices: expected at least one choice, got an empty list"]);
    chat(
        r#"{"choices":[{"delta":{}}]}"#,
        &expect!["error: /choices/0/message: expected an assistant message, got nothing"],
    );
    chat(
        r#"{"role":"assistant","tool_calls":{}}"#,
        &expect!["error: /tool_calls: expected a list of calls, got an object"],
    );
    chat(
        r#"{"role":"assistant","tool_calls":["a"]}"#,
        &expect![[r#"error: /tool_calls/0: expected a call, got "a""#]],
    );
    chat(
        r#"{"role":"assistant","tool_calls":[{"id":"1"}]}"#,
        &expect![
            "error: /tool_calls/0/function: expected an object with the tool's name and arguments, got nothing"
        ],
    );
    chat(
        r#"{"role":"assistant","tool_calls":[{"id":1,"function":{"name":"a"}}]}"#,
        &expect!["error: /tool_calls/0/id: expected the call's id, a string, got 1"],
    );
    chat(
        r#"{"role":"assistant","tool_calls":[{"function":{"arguments":"{}"}}]}"#,
        &expect!["error: /tool_calls/0/function/name: expected the tool's name, a string, got nothing"],
    );
    chat(
        r#"{"role":"assistant","tool_calls":[{"type":"custom","custom":{"name":"a"}}]}"#,
        &expect![[r#"error: /tool_calls/0/type: expected "function", got "custom""#]],
    );
    chat(
        r#"{"role":"assistant","tool_calls":[{"function":{"name":"\ud800"}}]}"#,
        &expect![[r#"error: /tool_calls/0/function/name: expected the tool's name, a string, got "\ud800""#]],
    );
    chat(
        r#"{"role":"assistant","function_call":{"name":"a","arguments":"{}"}}"#,
        &expect![
            "error: /function_call: expected no legacy call; send `tools` instead of `functions`, got an object"
        ],
    );
}

#[test]
fn anthropic_calls_are_read_from_messages_and_responses() {
    let content = r#"[
        {"type":"thinking","thinking":"…","signature":"s"},
        {"type":"tool_use","id":"toolu_1","name":"a","input":{ "x" : 1.50, "y": "\u00e9" }},
        {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}},
        {"type":"tool_use","name":"b","input":{}},
        {"type":"tool_use","id":"toolu_2","name":"c"},
        {"type":"tool_use","id":"toolu_3","name":"d","input":"{\"x\":1}"}
    ]"#;
    messages(
        &format!(r#"{{"role":"assistant","content":{content}}}"#),
        &expect![[r#"
            toolu_1 a { "x" : 1.50, "y": "\u00e9" }
            call_1 b {}
            toolu_2 c 
            toolu_3 d {"x":1}"#]],
    );
    messages(
        &format!(r#"{{"id":"msg_1","type":"message","role":"assistant","content":{content},"usage":{{}}}}"#),
        &expect![[r#"
            toolu_1 a { "x" : 1.50, "y": "\u00e9" }
            call_1 b {}
            toolu_2 c 
            toolu_3 d {"x":1}"#]],
    );
    messages(r#"{"role":"assistant","content":"Hello."}"#, &expect![[""]]);
    messages(r#"{"role":"assistant","content":[]}"#, &expect![[""]]);
}

#[test]
fn malformed_anthropic_messages_are_refused_with_place_and_remedy() {
    messages(
        "data: {}",
        &expect![
            "error: the message is not JSON; pass the text of an assistant message or a whole response (by: expected value at line 1 column 1)"
        ],
    );
    messages(
        "{}",
        &expect![
            "error: the message: expected an assistant message or a whole response, got an empty object"
        ],
    );
    messages(
        r#"{"type":"error","error":{"type":"overloaded_error"}}"#,
        &expect![[r#"error: /type: expected "message", got "error""#]],
    );
    messages(
        r#"{"role":"user","content":[]}"#,
        &expect![[r#"error: /role: expected "assistant", got "user""#]],
    );
    messages(
        r#"{"role":"assistant","content":{}}"#,
        &expect!["error: /content: expected a text or a list of content blocks, got an object"],
    );
    messages(
        r#"{"role":"assistant","content":["a"]}"#,
        &expect![[r#"error: /content/0: expected a content block, got "a""#]],
    );
    messages(
        r#"{"role":"assistant","content":[{"text":"a"}]}"#,
        &expect!["error: /content/0/type: expected the block's type, a string, got nothing"],
    );
    messages(
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"1","input":{}}]}"#,
        &expect!["error: /content/0/name: expected the tool's name, a string, got nothing"],
    );
}

proptest! {
    #[test]
    fn strings_are_escaped_as_serde_json_escapes_them(text in any::<String>(), control in "[\0-\u{7f}]{0,40}") {
        for text in [text, control] {
            let mut out = String::new();
            push_string(&mut out, &text);
            prop_assert_eq!(Some(out), serde_json::to_string(&text).ok());
        }
    }

    #[test]
    fn readers_take_any_text(text in r#"[\[\]{}":,0-9a-z\\ ]{0,80}"#) {
        let _ = Chat::plain().calls(&text);
        let _ = Messages::plain().calls(&format!(r#"{{"content":[{{"type":"tool_use",{text}}}]}}"#));
    }
}
