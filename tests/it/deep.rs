//! Deep arguments: refused by the limits, and never the end of a thread with a small stack.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use tool_runtime::schema::Schema;
use tool_runtime::{DynamicTool, Registry, tool, tool_type};

use crate::support::run;

/// Types with so many fields or variants that a level takes much of a stack.
macro_rules! wide {
    (struct $name:ident: $($field:ident)*; $(#[$attribute:meta])* $last:ident: $type:ty) => {
        #[tool_type(docs(optional))]
        struct $name {
            $($field: Option<String>,)*
            $(#[$attribute])*
            $last: $type,
        }
    };
    (#[$attribute:meta] enum $name:ident: $($variant:ident $next:ident)*) => {
        #[tool_type(docs(optional))]
        #[$attribute]
        enum $name {
            Leaf { n: i64 },
            $($variant {
                $next: Box<$name>,
                a: Option<String>,
                b: Option<String>,
                c: Option<String>,
                d: Option<String>,
                e: Option<String>,
                f: Option<String>,
            },)*
        }
    };
}

wide!(#[serde(untagged)] enum Loose: V0 n0 V1 n1 V2 n2 V3 n3 V4 n4 V5 n5 V6 n6 V7 n7 V8 n8 V9 n9 V10 n10 V11 n11);
wide!(#[serde(tag = "kind")] enum Tagged: V0 n0 V1 n1 V2 n2 V3 n3 V4 n4 V5 n5 V6 n6 V7 n7 V8 n8 V9 n9 V10 n10 V11 n11);
wide!(struct Part: a b c d e f g h i j k l m n o p q r s t u v w x; next: Option<Box<Flat>>);
wide!(struct Flat: aa ab ac ad ae af ag ah ai aj ak al am an ao ap aq ar at au av aw ax ay; #[serde(flatten)] part: Part);
wide!(struct Chain: a b c d e f g h i j k l m n o p q r s t u v w x aa ab ac ad ae af ag ah ai aj ak al am an ao ap aq ar
    at au av aw ax ay ba bb bc bd be bf bg bh bi bj bk bl; next: Option<Box<Chain>>);

#[tool_type(docs(optional))]
enum External {
    Leaf(i64),
    Deeper(Box<External>),
    Many(Vec<External>),
}

#[tool_type(docs(optional))]
struct Tree {
    children: BTreeMap<String, Tree>,
}

/// Takes what serde keeps in buffers.
#[tool(docs(optional))]
fn deep_buffered(loose: Option<Loose>, tagged: Option<Tagged>, flat: Option<Flat>, tree: Option<Tree>) {
    let _ = (loose, tagged, flat, tree);
}

/// Takes what is read straight from the text.
#[tool(docs(optional))]
fn deep_direct(chain: Option<Chain>, external: Option<External>, list: Option<Vec<Vec<u8>>>) {
    let _ = (chain, external, list);
}

/// Takes anything.
#[tool(docs(optional))]
fn deep_any(any: Option<Value>) {
    let _ = any;
}

fn nested(open: &str, leaf: &str, close: &str, count: usize) -> String {
    format!("{}{leaf}{}", open.repeat(count), close.repeat(count))
}

/// Calls a tool on a stack as a worker thread has it; the code and the first line.
fn called(tool: &'static str, text: String) -> (Option<&'static str>, String) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let registry = Registry::builder()
            .register::<deep_buffered>()
            .register::<deep_direct>()
            .register::<deep_any>()
            .build()
            .expect("builds");
        let result = run(&registry, tool, &text);
        let line = result.text().lines().next().unwrap_or_default().to_owned();
        (result.code().map(|code| code.as_str()), line)
    });
    thread.expect("a thread").join().expect("no panic")
}

/// At no depth a call ends otherwise than with a result, and the deepest that is taken is that of the limit.
fn up_to_the_limit(tool: &'static str, text: impl Fn(usize) -> String, limit: usize) {
    for depth in [3, 20, limit, limit + 1, 127, 128, 129, 200, 5_000, 60_000] {
        let outcome = called(tool, text(depth));
        if depth <= limit {
            assert_eq!(outcome, (None, "ok".to_owned()), "{tool} {depth}");
        } else {
            let told = format!("Error: the nesting of the arguments exceeds the limit of {limit} levels");
            assert_eq!(outcome, (Some("RESOURCE_LIMIT"), told), "{tool} {depth}");
        }
    }
}

#[test]
fn buffered_types_are_read_as_deep_as_a_small_stack_allows() {
    let buffered = "deep_buffered";
    // All types of a tool share its limit, which is that of the widest.
    let limit = 28;
    up_to_the_limit(
        buffered,
        |n| format!(r#"{{"loose":{}}}"#, nested(r#"{"n11":"#, r#"{"n":1}"#, "}", n - 2)),
        limit,
    );
    let leaf = r#"{"kind":"Leaf","n":1}"#;
    let tagged =
        |n: usize| format!(r#"{{"tagged":{}}}"#, nested(r#"{"kind":"V11","n11":"#, leaf, "}", n - 2));
    up_to_the_limit(buffered, tagged, limit);
    up_to_the_limit(
        buffered,
        |n| format!(r#"{{"flat":{}}}"#, nested(r#"{"next":"#, "{}", "}", n - 2)),
        limit,
    );
}

#[test]
fn types_that_are_read_straight_from_the_text_are_held_to_the_limit_as_well() {
    let limit = 23;
    up_to_the_limit(
        "deep_direct",
        |n| format!(r#"{{"chain":{}}}"#, nested(r#"{"next":"#, "{}", "}", n - 2)),
        limit,
    );
    let external = |n: usize| {
        format!(r#"{{"external":{}}}"#, nested(r#"{"Many":["#, r#"{"Leaf":1}"#, "]}", (n - 2) / 2))
    };
    assert_eq!(called("deep_direct", external(22)).0, None);
    assert_eq!(called("deep_direct", external(26)).0, Some("RESOURCE_LIMIT"));
    // The depth is that of brackets, and not of what stands in texts.
    let quoted = format!(r#"{{"chain":{{"a":"{}"}}}}"#, "[".repeat(500));
    assert_eq!(called("deep_direct", quoted).0, None);
}

#[test]
fn anything_else_is_read_to_the_limit_of_all_arguments() {
    up_to_the_limit("deep_any", |n| format!(r#"{{"any":{}}}"#, nested("[", "1", "]", n - 1)), 128);
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Whole {
    any: Value,
}

#[test]
fn tools_made_at_run_time_have_the_limit_of_what_reads_their_arguments() {
    let error = |error| panic!("{error}");
    let schema =
        Schema::parse(r#"{"type":"object","properties":{"any":{}},"required":["any"]}"#).expect("a schema");
    let plain = DynamicTool::new("plain", "Takes anything.")
        .and_then(|tool| {
            tool.with_schema(schema, |value| async move { Ok::<_, std::io::Error>(json!(value.is_object())) })
        })
        .unwrap_or_else(error);
    let typed = DynamicTool::new("typed", "Takes anything.")
        .and_then(|tool| {
            tool.typed(|whole: Whole| async move { Ok::<_, std::io::Error>(whole.any.is_array()) })
        })
        .unwrap_or_else(error);
    let registry = Registry::builder().tool(plain).tool(typed).build().expect("builds");
    let deep = |n: usize| format!(r#"{{"any":{}}}"#, nested("[", "1", "]", n - 1));
    for (tool, limit) in [("plain", 128), ("typed", 127)] {
        let right = run(&registry, tool, &deep(limit));
        assert_eq!(right.text(), "true", "{tool}");
        let told = format!("Error: the nesting of the arguments exceeds the limit of {limit} levels");
        assert_eq!(run(&registry, tool, &deep(limit + 1)).text(), told);
    }
}

#[tool_type(docs(optional))]
#[serde(untagged)]
enum Rival {
    Leaf(i64),
    First { a: Box<Rival> },
    Second { a: Box<Rival>, b: i64 },
}

/// Takes what serde reads in two ways at each level.
#[tool(docs(optional))]
fn deep_rivals(rival: Rival) {
    let _ = rival;
}

#[test]
fn what_would_be_tried_in_ever_more_ways_is_refused() {
    let registry = Registry::builder().register::<deep_rivals>().build().expect("builds");
    let value = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({"a": inner, "b": 1}));
    let call = |depth: usize| run(&registry, "deep_rivals", &json!({"rival": value(depth)}).to_string());
    assert_eq!(call(10).text(), "ok");
    let told = "Error: the nesting of the arguments exceeds the limit of 11 levels";
    for depth in [11, 30, 100] {
        assert_eq!(call(depth).text(), told);
    }
}
