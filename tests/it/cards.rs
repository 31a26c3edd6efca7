//! Cards: what people see of calls is drawn from what is recorded, live and later.

use serde_json::{Value, json};
use tool_runtime::output::{CallRecord, Card, FileDiff, Hit, MAX_CARD_DATA, Presenter, RecordedResult};
use tool_runtime::{Registry, Scope, Tool, ToolCall, tool, tool_type};

use crate::support::block_on;

/// Writes a file.
#[tool(effect = write, docs(optional))]
fn writes_a_file(path: String, text: String, #[arg(secret)] token: String) -> Written {
    drop(token);
    Written { path, old: "before".to_owned(), new: text }
}

#[tool_type(docs(optional))]
struct Written {
    path: String,
    old: String,
    new: String,
}

/// What a model read of it is a line; the card shows what changed.
struct Diffs;

impl Presenter for Diffs {
    fn card_data(&self, arguments: &Value, value: &Value) -> Option<Value> {
        assert_ne!(arguments["path"], "panic", "a secret");
        Some(json!({"old": value["old"], "new": value["new"]}))
    }
    fn call(&self, record: &CallRecord) -> Option<Card> {
        let arguments: Value = serde_json::from_str(record.arguments()).ok()?;
        let path = arguments["path"].as_str()?.to_owned();
        let new = arguments["text"].as_str().map(str::to_owned);
        Some(Card::Diff { title: path.clone(), files: vec![FileDiff { path, old: None, new }] })
    }
    fn result(&self, record: &CallRecord, result: &RecordedResult) -> Option<Card> {
        let Some(Card::Diff { title, mut files }) = self.call(record) else { return None };
        let data = result.card_data()?;
        files[0].old = data["old"].as_str().map(str::to_owned);
        files[0].new = data["new"].as_str().map(str::to_owned);
        Some(Card::Diff { title, files })
    }
}

fn scope() -> Registry {
    let registry = Registry::builder().build().expect("builds");
    registry.register_tool(Tool::of::<writes_a_file>().with_presenter(Diffs)).expect("registered");
    registry
}

fn call(path: &str, text: &str) -> ToolCall {
    let arguments = json!({"path": path, "text": text, "token": "swordfish"});
    ToolCall::new("call_1", "writes_a_file", arguments.to_string())
}

fn ended(scope: &Scope, call: &ToolCall) -> CallRecord {
    scope.record_of(call, &block_on(scope.call(call.clone())))
}

#[test]
fn a_replay_draws_the_same_cards() {
    let registry = scope();
    let call = call("a.txt", "after");
    let before = registry.record(&call);
    let files = vec![FileDiff { path: "a.txt".into(), old: None, new: Some("after".into()) }];
    assert_eq!(registry.card(&before), Card::Diff { title: "a.txt".into(), files });
    let after = ended(&registry, &call);
    let files =
        vec![FileDiff { path: "a.txt".into(), old: Some("before".into()), new: Some("after".into()) }];
    assert_eq!(registry.card(&after), Card::Diff { title: "a.txt".into(), files });
    for record in [before, after] {
        let line = serde_json::to_string(&record).expect("is JSON");
        assert!(!line.contains("swordfish"), "{line}");
        let again: CallRecord = serde_json::from_str(&line).expect("is a record");
        assert_eq!(again, record);
        // In another process, with the tool registered anew.
        let drawn = serde_json::to_string(&registry.card(&record)).expect("is JSON");
        assert_eq!(serde_json::to_string(&scope().scope("later").card(&again)).expect("is JSON"), drawn);
    }
}

#[test]
fn what_a_presenter_does_not_draw_is_generic() {
    let registry = scope();
    let generic = |record: &CallRecord, scope: &Scope| {
        let Card::Generic { title, arguments, text, is_error } = scope.card(record) else {
            panic!("{record:?}")
        };
        format!("{title} {arguments} {text} {is_error}")
    };
    // No card data: the function panicked over these arguments.
    let record = ended(&registry, &call("panic", "x"));
    assert!(record.result().expect("ended").card_data().is_none());
    assert!(generic(&record, &registry).starts_with(r#"writes_a_file {"path":"panic""#));
    // Too much card data.
    let record = ended(&registry, &call("a", &"x".repeat(MAX_CARD_DATA)));
    assert!(record.result().expect("ended").card_data().is_none());
    generic(&record, &registry);
    // Arguments that are none, and a tool that is not there.
    let wrong = ToolCall::new("1", "writes_a_file", r#"{"path":7}"#);
    let record = ended(&registry, &wrong);
    let text = generic(&record, &registry);
    assert!(
        text.starts_with("writes_a_file {} Error: invalid arguments") && text.ends_with("true"),
        "{text}"
    );
    let unknown = ToolCall::new("1", "sings", "{}");
    let record = ended(&registry, &unknown);
    assert_eq!(generic(&record, &registry), "sings {} Error: unknown tool \"sings\" true");
    // A record of arguments as they were once.
    let outdated = r#"{"call_id":"1","tool":"writes_a_file","arguments":"{\"file\":\"a\"}"}"#;
    let record: CallRecord = serde_json::from_str(outdated).expect("is a record");
    assert_eq!(generic(&record, &registry), r#"writes_a_file {"file":"a"}  false"#);
    // A tool without a presenter.
    let plain = Registry::builder().register::<writes_a_file>().build().expect("builds");
    let record = ended(&plain, &call("a", "b"));
    let arguments = r#"{"path":"a","text":"b","token":"***"}"#;
    let value = r#"{"path":"a","old":"before","new":"b"}"#;
    assert_eq!(generic(&record, &plain), format!("writes_a_file {arguments} {value} false"));
}

/// Draws one card of each kind out of what it is given.
struct Each(fn(&str) -> Card);

impl Presenter for Each {
    fn call(&self, record: &CallRecord) -> Option<Card> {
        let arguments: Value = serde_json::from_str(record.arguments()).ok()?;
        Some((self.0)(arguments["text"].as_str()?))
    }
}

#[test]
fn no_card_holds_what_a_terminal_would_obey() {
    let kinds: [fn(&str) -> Card; 5] = [
        |text| Card::Terminal {
            title: text.into(),
            command: text.into(),
            output: text.into(),
            exit_code: Some(1),
        },
        |text| Card::Diff {
            title: text.into(),
            files: vec![FileDiff { path: text.into(), old: Some(text.into()), new: Some(text.into()) }],
        },
        |text| Card::Table { title: text.into(), columns: vec![text.into()], rows: vec![vec![text.into()]] },
        |text| Card::Hits {
            title: text.into(),
            hits: vec![Hit { place: text.into(), line: Some(1), text: text.into() }],
            total: None,
        },
        |text| Card::File { title: text.into(), path: text.into(), first_line: 1, text: text.into() },
    ];
    for kind in kinds {
        let registry = Registry::builder().build().expect("builds");
        let tool = Tool::of::<writes_a_file>().with_presenter(Each(kind));
        registry.register_tool(tool).expect("registered");
        let card = registry.card(&registry.record(&call("a", "\u{1b}[31mred\u{1b}]0;t\u{7}\u{202e}")));
        let text = serde_json::to_string(&card).expect("is JSON");
        assert!(text.contains("red") && !text.contains("31m"), "{text}");
        // What is left of the hidden character can be seen.
        assert!(text.contains(r"\\u{202e}") && !text.contains('\u{202e}'), "{text}");
        assert!(!text.contains("\\u001b"), "{text}");
        assert_eq!(serde_json::from_str::<Card>(&text).expect("is a card"), card);
    }
}
