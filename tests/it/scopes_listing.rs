//! What a scope sends is the same bytes everywhere, and what scopes weigh.

use std::process::Command;

use allocation_counter::measure;
use expect_test::expect;
use tool_runtime::provider::anthropic::Messages;
use tool_runtime::provider::openai::{Chat, Responses};
use tool_runtime::schema::Schema;
use tool_runtime::{DynamicTool, Effect, Filter, Registry, Restriction, Scope, Tool, View, tool};

/// Reads a file.
#[tool(effect = read, tags = ["files"])]
fn scopes_read(
    /// Where it is.
    path: String,
) -> String {
    path
}

/// Deletes a file.
#[tool(tags = ["files"])]
fn scopes_delete(
    /// Where it is.
    path: String,
) {
    let _ = path;
}

/// Tells the time.
#[tool(effect = read)]
fn scopes_now() -> String {
    "12:00".to_owned()
}

fn closure(name: &str, description: &str) -> Tool {
    let body = |_: serde_json::Value| async { Ok::<_, std::convert::Infallible>(serde_json::Value::Null) };
    DynamicTool::new(name, description)
        .and_then(|tool| tool.with_schema(Schema::no_arguments(), body))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A tree with all that narrows; gives back the scope that is looked at and a sibling.
fn tree(order: [usize; 3]) -> (Registry, Scope, Scope) {
    let registry = order
        .into_iter()
        .fold(Registry::builder(), |builder, index| match index {
            0 => builder.register_as::<scopes_read>("read"),
            1 => builder.register_as::<scopes_delete>("delete"),
            _ => builder.register_as::<scopes_now>("now"),
        })
        .register_as::<scopes_read>("9_lives")
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    let team = registry.scope("team");
    team.register_as::<scopes_now>("read").expect("shadows");
    team.register_as::<scopes_now>("clock").expect("a tool");
    team.restrict(Restriction::deny(["delete"])).expect("known");
    let agent = team.scope("agent");
    agent.register_tool(closure("made", "Is made while the program runs.")).expect("a tool");
    agent.restrict(Restriction::deny(["clock"])).expect("known");
    agent.filter(Filter::effects([Effect::Exec]).not()).expect("a filter");
    let sibling = team.scope("sibling");
    (registry, agent, sibling)
}

/// All that a request can send of a scope.
fn sent(scope: &Scope) -> String {
    let view = scope.definitions();
    [
        Messages::plain().tools(&view),
        Messages::strict().request(&view).tools().to_owned(),
        Chat::strict().tools(&view),
        Responses::plain().request(&view).tools().to_owned(),
    ]
    .join("\n")
}

#[test]
fn f130_a_scope_sends_the_same_bytes_in_every_order_and_thread() {
    let (_registry, agent, _) = tree([0, 1, 2]);
    let here = sent(&agent);
    assert_eq!(sent(&agent), here);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let (_registry, agent, _) = tree(order);
        assert_eq!(sent(&agent), here);
    }
    let (_registry, fresh, _) = tree([2, 1, 0]);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| sent(&fresh))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("a listing"), here);
        }
    });
    // Pinned, so that no build of the SDK changes what models see.
    let first = here.lines().next().unwrap_or_default();
    expect![[r#"[{"name":"9_lives","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string","description":"Where it is."}},"required":["path"],"additionalProperties":false}},{"name":"made","description":"Is made while the program runs.","input_schema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"now","description":"Tells the time.","input_schema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"read","description":"Tells the time.","input_schema":{"type":"object","properties":{},"additionalProperties":false}}]"#]].assert_eq(first);
}

#[test]
fn f130_a_scope_sends_the_same_bytes_in_every_process() {
    let (_registry, agent, _) = tree([0, 1, 2]);
    let program = std::env::current_exe().expect("the path of this program");
    for _ in 0..2 {
        let output = Command::new(&program)
            .args([
                "--exact",
                "scopes_listing::what_a_scope_sends_for_another_process",
                "--ignored",
                "--nocapture",
            ])
            .output()
            .expect("runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&sent(&agent)), "{text}");
    }
}

#[test]
#[ignore = "is run by the test above"]
fn what_a_scope_sends_for_another_process() {
    let (_registry, agent, _) = tree([1, 2, 0]);
    println!("{}", sent(&agent));
}

#[test]
fn a_tool_added_elsewhere_does_not_change_what_a_scope_sends() {
    let (registry, agent, sibling) = tree([0, 1, 2]);
    let before = sent(&agent);
    let other = sent(&sibling);
    let handle = sibling.register_as::<scopes_delete>("aaa").expect("a tool");
    let below = agent.scope("below");
    below.register_as::<scopes_delete>("zzz").expect("a tool");
    sibling.register_as::<scopes_delete>("now").expect("shadows");
    assert_eq!(sent(&agent), before);
    assert_ne!(sent(&sibling), other);
    handle.remove();
    assert_eq!(sent(&agent), before);
    // Where it is inherited, it shows, and what was there before stays byte for byte.
    registry.register_as::<scopes_now>("zulu").expect("a tool");
    let after = sent(&agent);
    assert_ne!(after, before);
    let first = |text: &str| text.lines().next().unwrap_or_default().trim_end_matches(']').to_owned();
    assert!(first(&after).starts_with(&first(&before)));
}

#[test]
fn what_was_listed_once_is_listed_again_without_work() {
    let (_registry, agent, _) = tree([0, 1, 2]);
    let view = agent.definitions();
    let lists: [fn(&View) -> String; 2] =
        [|view| Messages::plain().tools(view), |view| Chat::strict().tools(view)];
    for list in lists {
        let first: String = list(&view);
        let mut second = String::new();
        let info = measure(|| second = list(&view));
        assert_eq!(first, second);
        // The text and the list of what goes into it.
        assert!(info.count_total <= 6, "{info:?}");
    }
}

/// A registry of many tools, and scopes that three restrictions narrow.
fn many(tools: usize, scopes: usize) -> (Registry, Vec<Scope>) {
    let name = |index: usize| format!("tool_{index:05}");
    let builder = Registry::builder();
    let builder = (0..tools).fold(builder, |builder, index| builder.register_as::<scopes_now>(name(index)));
    let registry = builder.build().unwrap_or_else(|error| panic!("{error}"));
    let scopes = (0..scopes).map(|index| {
        let scope = registry.scope(format!("scope_{index}"));
        for turn in 0..3 {
            scope.restrict(Restriction::deny([name((index + turn) % tools)])).expect("known");
        }
        scope
    });
    let scopes = scopes.collect();
    (registry, scopes)
}

#[test]
fn a_further_scope_that_changes_nothing_weighs_less_than_a_kibibyte() {
    let (registry, _) = many(2_000, 0);
    let mut scopes = Vec::with_capacity(100);
    let info = measure(|| {
        for _ in 0..100 {
            let scope = registry.scope("further");
            assert_eq!(scope.definitions().len(), 2_000);
            scopes.push(scope);
        }
    });
    assert!(info.bytes_current < 100 * 1_024, "{info:?}");
}

#[test]
fn views_take_space_by_the_bit() {
    let bytes = |tools: usize| {
        let (_registry, scopes) = many(tools, 40);
        let mut views = Vec::with_capacity(scopes.len());
        let info = measure(|| views.extend(scopes.iter().map(Scope::definitions)));
        assert!(views.iter().all(|view| view.len() == tools - 3));
        // The index of names is made once for all.
        (info.count_total, info.bytes_total / 40)
    };
    let [(few, small), (many, large)] = [bytes(100), bytes(6_400)];
    assert!(many <= few + 8, "{few} {many}");
    // A bit for each tool, and the index: at most four slots of twelve bytes for each tool, shared by all.
    assert!(large <= small + 6_400 / 8 + 6_400 * 4 * 12 / 40, "{small} {large}");
}
