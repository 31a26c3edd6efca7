//! Requests: every dialect's bytes, limits over a request, and names and arguments that come back.

use expect_test::{Expect, expect};

use super::super::Request;
use super::super::anthropic::Messages;
use super::super::bedrock::Converse;
use super::super::gemini::Generate;
use super::super::mcp::Revision;
use super::super::openai::{Chat, Responses};
use super::super::prompt::signatures;
use super::super::{deepseek, ollama};
use super::definition;
use crate::ToolCall;
use crate::definition::ToolDefinition;
use crate::output::CallOutput;
use crate::schema::dialect::Strictness;

fn tools() -> [ToolDefinition; 3] {
    [
        definition(
            "1st",
            "Finds things.",
            r#"{"type":"object","properties":{"$top":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false}"#,
        ),
        definition(
            "now",
            "Tells the time.",
            r#"{"type":"object","properties":{},"additionalProperties":false}"#,
        ),
        definition(
            "label",
            "Labels things.",
            r#"{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}"#,
        ),
    ]
}

fn check(request: &Request, expected: &Expect) {
    let mut out = request.tools().to_owned();
    for report in request.reports() {
        out.extend(["\n", report.name(), ": ", &format!("{:?}", report.strictness())]);
        for loss in report.losses() {
            out.extend(["\n  ", &loss.to_string()]);
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn f067_every_interface_carries_the_schemas() {
    let tools = tools();
    check(
        &Chat::plain().request(&tools),
        &expect![[r#"
        [{"type":"function","function":{"name":"1st","description":"Finds things.","parameters":{"type":"object","properties":{"$top":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"label","description":"Labels things.","parameters":{"type":"object","properties":{"labels":{"type":"object","properties":{},"additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false},"strict":false}}]
        1st: NotAsked
        now: NotAsked
        label: NotAsked"#]],
    );
    check(
        &Chat::strict().request(&tools),
        &expect![[r#"
        [{"type":"function","function":{"name":"1st","description":"Finds things.","parameters":{"type":"object","properties":{"$top":{"type":["integer","null"],"description":"(default: 10)","minimum":1},"kind":{"type":"string","enum":["a","b"]}},"required":["$top","kind"],"additionalProperties":false},"strict":true}},{"type":"function","function":{"name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":true}},{"type":"function","function":{"name":"label","description":"Labels things.","parameters":{"type":"object","properties":{"labels":{"type":"object","properties":{},"additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false},"strict":false}}]
        1st: Holds
          /properties/$top: `default` moved into the description
        now: Holds
        label: NotWith(["/properties/labels: is a map, which strict schemas cannot say"])"#]],
    );
    check(
        &Responses::strict().request(&tools),
        &expect![[r#"
        [{"type":"function","name":"1st","description":"Finds things.","parameters":{"type":"object","properties":{"$top":{"type":["integer","null"],"description":"(default: 10)","minimum":1},"kind":{"type":"string","enum":["a","b"]}},"required":["$top","kind"],"additionalProperties":false},"strict":true},{"type":"function","name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":true},{"type":"function","name":"label","description":"Labels things.","parameters":{"type":"object","properties":{"labels":{"type":"object","properties":{},"additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false},"strict":false}]
        1st: Holds
          /properties/$top: `default` moved into the description
        now: Holds
        label: NotWith(["/properties/labels: is a map, which strict schemas cannot say"])"#]],
    );
    check(
        &Messages::plain().request(&tools),
        &expect![[r#"
        [{"name":"1st","description":"Finds things.","input_schema":{"type":"object","properties":{"_top_81bf98e4094e":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false}},{"name":"now","description":"Tells the time.","input_schema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"label","description":"Labels things.","input_schema":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}}]
        1st: NotAsked
          /properties/$top: is refused as a property name and goes out as "_top_81bf98e4094e"
        now: NotAsked
        label: NotAsked"#]],
    );
    check(
        &Messages::strict().request(&tools),
        &expect![[r#"
        [{"name":"1st","description":"Finds things.","input_schema":{"type":"object","properties":{"_top_81bf98e4094e":{"type":"integer","description":"(minimum: 1)","default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false},"strict":true},{"name":"now","description":"Tells the time.","input_schema":{"type":"object","properties":{},"additionalProperties":false},"strict":true},{"name":"label","description":"Labels things.","input_schema":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}}]
        1st: Holds
          /properties/$top: is refused as a property name and goes out as "_top_81bf98e4094e"
          /properties/$top: `minimum` moved into the description
        now: Holds
        label: NotWith(["/properties/labels: is a map, which strict schemas cannot say"])"#]],
    );
    check(
        &Generate::parameters().request(&tools),
        &expect![[r#"
        [{"functionDeclarations":[{"name":"_1st_e01ddf6594a4","description":"Finds things.","parameters":{"type":"object","properties":{"_top_81bf98e4094e":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"]}},{"name":"now","description":"Tells the time."},{"name":"label","description":"Labels things.","parameters":{"type":"object","properties":{"labels":{"type":"object","description":"(additionalProperties: {\"type\":\"string\"})"}},"required":["labels"]}}]}]
        1st: NotAsked
          (root): `additionalProperties` was left out
          /properties/$top: is refused as a property name and goes out as "_top_81bf98e4094e"
        now: NotAsked
          (root): `additionalProperties` was left out
        label: NotAsked
          (root): `additionalProperties` was left out
          /properties/labels: `additionalProperties` moved into the description"#]],
    );
    check(
        &Generate::json_schema().request(&tools),
        &expect![[r#"
        [{"functionDeclarations":[{"name":"_1st_e01ddf6594a4","description":"Finds things.","parametersJsonSchema":{"type":"object","properties":{"$top":{"type":"integer","description":"(default: 10)","minimum":1},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false}},{"name":"now","description":"Tells the time."},{"name":"label","description":"Labels things.","parametersJsonSchema":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}}]}]
        1st: NotAsked
          /properties/$top: `default` moved into the description
        now: NotAsked
        label: NotAsked"#]],
    );
    check(
        &Converse::plain().request(&tools),
        &expect![[r#"
        [{"toolSpec":{"name":"1st","description":"Finds things.","inputSchema":{"json":{"type":"object","properties":{"_top_81bf98e4094e":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false}}}},{"toolSpec":{"name":"now","description":"Tells the time.","inputSchema":{"json":{"type":"object","properties":{},"additionalProperties":false}}}},{"toolSpec":{"name":"label","description":"Labels things.","inputSchema":{"json":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}}}}]
        1st: NotAsked
          /properties/$top: is refused as a property name and goes out as "_top_81bf98e4094e"
        now: NotAsked
        label: NotAsked"#]],
    );
    check(
        &Converse::strict().request(&tools),
        &expect![[r#"
        [{"toolSpec":{"name":"1st","description":"Finds things.","inputSchema":{"json":{"type":"object","properties":{"_top_81bf98e4094e":{"type":"integer","description":"(minimum: 1; default: 10)"},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false}},"strict":true}},{"toolSpec":{"name":"now","description":"Tells the time.","inputSchema":{"json":{"type":"object","properties":{},"additionalProperties":false}},"strict":true}},{"toolSpec":{"name":"label","description":"Labels things.","inputSchema":{"json":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}}}}]
        1st: Holds
          /properties/$top: is refused as a property name and goes out as "_top_81bf98e4094e"
          /properties/$top: `minimum` moved into the description
          /properties/$top: `default` moved into the description
        now: Holds
        label: NotWith(["/properties/labels: is a map, which strict schemas cannot say"])"#]],
    );
    check(
        &deepseek::Chat::strict().request(&tools),
        &expect![[r#"
        [{"type":"function","function":{"name":"1st","description":"Finds things.","parameters":{"type":"object","properties":{"$top":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"label","description":"Labels things.","parameters":{"type":"object","properties":{"labels":{"type":"object","properties":{},"additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false},"strict":false}}]
        1st: NotWith(["(root): another tool of the request is not strict, and all must be"])
        now: NotWith(["(root): another tool of the request is not strict, and all must be"])
        label: NotWith(["/properties/labels: is a map, which strict schemas cannot say", "/properties/labels: is an object without properties"])"#]],
    );
    check(
        &deepseek::Chat::strict().request(tools.iter().take(2)),
        &expect![[r#"
        [{"type":"function","function":{"name":"1st","description":"Finds things.","parameters":{"type":"object","properties":{"$top":{"type":["integer","null"],"minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["$top","kind"],"additionalProperties":false},"strict":true}},{"type":"function","function":{"name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":true}}]
        1st: Holds
        now: Holds"#]],
    );
    check(
        &ollama::Chat::new().request(&tools),
        &expect![[r#"
        [{"type":"function","function":{"name":"1st","description":"Finds things.","parameters":{"type":"object","properties":{"$top":{"type":"integer","description":"(minimum: 1; default: 10)"},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"]}}},{"type":"function","function":{"name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{}}}},{"type":"function","function":{"name":"label","description":"Labels things.","parameters":{"type":"object","properties":{"labels":{"type":"object","description":"(additionalProperties: {\"type\":\"string\"})"}},"required":["labels"]}}}]
        1st: NotAsked
          (root): `additionalProperties` was left out
          /properties/$top: `minimum` moved into the description
          /properties/$top: `default` moved into the description
        now: NotAsked
          (root): `additionalProperties` was left out
        label: NotAsked
          (root): `additionalProperties` was left out
          /properties/labels: `additionalProperties` moved into the description"#]],
    );
    check(
        &Chat::llama_cpp().request(&tools),
        &expect![[r#"
        [{"type":"function","function":{"name":"1st","description":"Finds things.","parameters":{"type":"object","properties":{"$top":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"now","description":"Tells the time.","parameters":{"type":"object","properties":{},"additionalProperties":false},"strict":false}},{"type":"function","function":{"name":"label","description":"Labels things.","parameters":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false},"strict":false}}]
        1st: NotAsked
        now: NotAsked
        label: NotAsked"#]],
    );
    check(
        &Revision::V2025_11_25.request(&tools),
        &expect![[r#"
        [{"name":"1st","description":"Finds things.","inputSchema":{"type":"object","properties":{"$top":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"idempotentHint":false}},{"name":"now","description":"Tells the time.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"annotations":{"readOnlyHint":false,"idempotentHint":false}},{"name":"label","description":"Labels things.","inputSchema":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"idempotentHint":false}}]
        1st: NotAsked
        now: NotAsked
        label: NotAsked"#]],
    );
    check(
        &Revision::V2026_07_28.request(&tools),
        &expect![[r#"
        [{"name":"1st","description":"Finds things.","inputSchema":{"type":"object","properties":{"$top":{"type":"integer","minimum":1,"default":10},"kind":{"type":"string","enum":["a","b"]}},"required":["kind"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"idempotentHint":false}},{"name":"now","description":"Tells the time.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"annotations":{"readOnlyHint":false,"idempotentHint":false}},{"name":"label","description":"Labels things.","inputSchema":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false},"annotations":{"readOnlyHint":false,"idempotentHint":false}}]
        1st: NotAsked
        now: NotAsked
        label: NotAsked"#]],
    );
    check(
        &signatures(&tools),
        &expect![[r#"
        // Finds things.
        1st({
          // (minimum: 1; default: 10)
          "$top"?: integer;
          kind: "a" | "b";
        })

        // Tells the time.
        now({})

        // Labels things.
        label({
          labels: {
            [name: string]: string;
          };
        })

        1st: NotAsked
        now: NotAsked
        label: NotAsked"#]],
    );
}

#[test]
fn names_and_arguments_come_back() {
    let tools = tools();
    let request = Generate::parameters().request(&tools);
    let sent = request.sent_name("1st").to_owned();
    let key =
        request.tools().split('"').find(|word| word.starts_with("_top_")).unwrap_or_default().to_owned();
    let arguments = format!(r#"{{"kind":"a","{key}":3}}"#);
    let calls = vec![ToolCall::new("x", sent, arguments), ToolCall::new("y", "unknown", "{}")];
    let calls = request.restore(calls);
    assert_eq!(
        calls,
        [ToolCall::new("x", "1st", r#"{"kind":"a","$top":3}"#), ToolCall::new("y", "unknown", "{}")]
    );
    let results =
        [CallOutput::success(vec!["ok".into()], None).answer("local_call_0".to_owned(), "1st".to_owned())];
    expect![[r#"{"role":"user","parts":[{"functionResponse":{"name":"_1st_e01ddf6594a4","response":{"output":"ok"}}}]}"#]].assert_eq(&Generate::parameters().results(&request, &results));
}

#[test]
fn null_of_a_strict_call_is_what_was_left_out() {
    let tools = tools();
    let request = Chat::strict().request(&tools);
    let calls = request.restore(vec![ToolCall::new("1", "1st", r#"{"$top":null,"kind":"b"}"#)]);
    assert_eq!(calls, [ToolCall::new("1", "1st", r#"{"kind":"b"}"#)]);
    // What is not JSON stays, for decoding to say so.
    let cut = vec![ToolCall::new("1", "1st", r#"{"$top":nul"#)];
    assert_eq!(request.restore(cut.clone()), cut);
}

#[test]
fn a_request_has_a_budget_of_strict_tools() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}"#;
    let names: Vec<&'static str> = vec!["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"];
    let tools: Vec<ToolDefinition> = names.into_iter().map(|name| definition(name, "d", schema)).collect();
    let request = Messages::strict().request(&tools);
    let strict = request.reports().iter().filter(|report| *report.strictness() == Strictness::Holds).count();
    assert_eq!(strict, 12);
    let last = request.reports().last().map(|report| report.strictness().clone());
    let reason = "(root): a request takes 24 optional properties of strict tools".to_owned();
    assert_eq!(last, Some(Strictness::NotWith(vec![reason])));
    assert_eq!(request.tools().matches(r#""strict":true"#).count(), 12);
}

#[test]
fn limits_over_a_request_are_told() {
    let long = "d".repeat(1_025).leak();
    let tools: Vec<ToolDefinition> = (0..129)
        .map(|number| {
            definition(
                format!("t{number}").leak(),
                if number == 0 { long } else { "d" },
                r#"{"type":"object","properties":{}}"#,
            )
        })
        .collect();
    let request = Chat::plain().request(&tools);
    expect![[r#"
        the request has 129 tools, and the provider takes 128
        the description of `t0` has more than 1024 characters, beyond which the provider may cut it"#]]
    .assert_eq(&request.notes().join("\n"));
}

#[test]
fn deferred_tools_say_so_where_that_is_asked() {
    let mut tools = tools();
    if let Some(first) = tools.first_mut() {
        let mut told = first.told().clone();
        told.facts.deferred = Some(true);
        *first = first.retold(told);
    }
    assert!(!Messages::plain().tools(&tools).contains("defer_loading"));
    assert_eq!(Messages::plain().defer_loading().tools(&tools).matches(r#""defer_loading":true"#).count(), 1);
    let responses = Responses::plain().defer_loading().request(&tools);
    assert_eq!(responses.tools().matches(r#""defer_loading":true"#).count(), 1);
}

#[test]
fn the_text_alone_is_that_of_the_request_each_time() {
    let tools = tools();
    let deferred = definition("later", "Waits.\n\"Long\".", r#"{"type":"object","properties":{}}"#);
    for _ in 0..2 {
        let all = || tools.iter().chain([&deferred]);
        for messages in [Messages::plain(), Messages::plain().defer_loading(), Messages::strict()] {
            assert_eq!(messages.tools(all()), messages.request(all()).tools());
        }
        for chat in [Chat::plain(), Chat::strict(), Chat::llama_cpp()] {
            assert_eq!(chat.tools(all()), chat.request(all()).tools());
        }
    }
}
