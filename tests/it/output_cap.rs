//! Results that are too long for a model: cut, marked, and kept whole.

use std::sync::Arc;
use std::time::Duration;

use tool_runtime::output::{ContentStore, DirectoryContents, MemoryContents};
use tool_runtime::{CallContext, ContentBlock, Registry, ToolCall, tool};

use crate::pipeline::{call, paused};
use crate::support::block_on;

/// Says a letter so many times.
#[tool(effect = read, docs(optional))]
async fn says_a_lot(letter: char, times: usize, seconds: Option<u64>) -> String {
    tokio::time::sleep(Duration::from_secs(seconds.unwrap_or_default())).await;
    std::iter::repeat_n(letter, times).collect()
}

/// Shows two images and two texts.
#[tool(effect = read)]
fn shows_images() -> Vec<ContentBlock> {
    let image = |size| ContentBlock::Image { data: vec![7; size], media_type: "image/png".into() };
    vec![ContentBlock::text("short"), image(60), image(50), ContentBlock::text("é".repeat(100)), image(40)]
}

/// Has another tool say a lot.
#[tool(effect = read)]
async fn measures_what_is_said(cx: &CallContext) -> usize {
    cx.call("says_a_lot", r#"{"letter":"x","times":5000}"#).await.into_text().len()
}

fn registry(limit: usize) -> Registry {
    Registry::builder()
        .content_limit(limit)
        .binary_limit(100)
        .register::<says_a_lot>()
        .register::<shows_images>()
        .register::<measures_what_is_said>()
        .build()
        .expect("builds")
}

#[test]
fn f115_what_is_too_long_is_cut_marked_and_kept_whole() {
    paused(async {
        let registry = registry(100);
        let result = registry.call(call("says_a_lot", r#"{"letter":"€","times":98}"#)).await;
        let (head, tail) = (format!("\"{}", "€".repeat(16)), format!("{}\"", "€".repeat(16)));
        assert_eq!(result.text(), format!("{head}… [66 characters left out] …{tail}"));
        // The program has all of it.
        assert_eq!(result.output().value_text().map(str::len), Some(98 * 3 + 2));
        let session = registry.scope("agent").session();
        assert_eq!(session.definitions().len(), 3);
        let result = session.call(call("says_a_lot", r#"{"letter":"€","times":98}"#)).await;
        assert_eq!(result.text(), format!("{head}… [66 characters left out; the whole is r1] …{tail}"));
        let whole = session.content("r1").expect("kept");
        assert_eq!(whole, [ContentBlock::text(format!("\"{}\"", "€".repeat(98)))]);
        // The model reads it piece by piece, past the limit, and what it reads is not cut again.
        let names: Vec<String> = session.definitions().iter().map(|tool| tool.name().to_owned()).collect();
        assert_eq!(names, ["measures_what_is_said", "says_a_lot", "shows_images", "result_read"]);
        let result = session.call(call("result_read", r#"{"handle":"r1","from":90,"length":1000}"#)).await;
        let piece: String = serde_json::from_str(&result.text()).expect("a string");
        assert_eq!(piece, format!("[characters 90 to 100 of 100]\n{}\"", "€".repeat(9)));
        let result = session.call(call("result_read", r#"{"handle":"r1","from":0}"#)).await;
        assert!(result.text().len() > 290);
        let result = session.call(call("result_read", r#"{"handle":"/etc/passwd"}"#)).await;
        assert_eq!(result.text(), "Error: nothing is kept under \"/etc/passwd\", or not any more");
        // Within the limit nothing happens, and what programs read is never cut.
        let result = session.call(call("says_a_lot", r#"{"letter":"x","times":98}"#)).await;
        assert_eq!(result.text().len(), 100);
        assert_eq!(session.call(call("measures_what_is_said", "")).await.text(), "5002");
        assert_eq!(registry.invoke("says_a_lot", r#"{"letter":"x","times":5000}"#).await.text().len(), 5002);
    });
}

#[test]
fn blocks_share_the_limit_and_what_cannot_be_cut_gives_way() {
    block_on(async {
        let session = registry(100).scope("agent").session();
        let result = session.call(call("shows_images", "")).await;
        let content = result.content();
        assert_eq!(content[0], ContentBlock::text("short"));
        assert!(matches!(&content[1], ContentBlock::Image { data, .. } if data.len() == 60));
        assert_eq!(content[2], ContentBlock::text("[image/png of 50 bytes left out; the whole is r1]"));
        let cut = content[3].as_text().expect("text");
        assert!(cut.starts_with("éééé") && cut.contains("; the whole is r1]"), "{cut}");
        assert!(matches!(&content[4], ContentBlock::Image { data, .. } if data.len() == 40));
        assert_eq!(session.content("r1").expect("kept").len(), 5);
    });
}

#[test]
fn results_of_tasks_are_cut_as_well_and_tools_join_in_the_order_in_which_they_come() {
    paused(async {
        let session = registry(100).scope("agent").session();
        session.call(call("says_a_lot", r#"{"letter":"x","times":500}"#)).await;
        assert_eq!(session.definitions().len(), 4);
        session.start(call("says_a_lot", r#"{"letter":"x","times":500,"seconds":9}"#)).await;
        let names: Vec<String> = session.definitions().iter().map(|tool| tool.name().to_owned()).collect();
        assert_eq!(&names[3..], ["result_read", "task_list", "task_output", "task_cancel"]);
        tokio::time::sleep(Duration::from_secs(10)).await;
        let reports = session.reports();
        assert!(reports[0].text.contains("the whole is r2"), "{}", reports[0].text);
    });
}

/// A store that does nothing well.
struct Panics;

impl ContentStore for Panics {
    fn keep(&self, _: &str, _: &[ContentBlock]) -> Option<String> {
        panic!("a secret")
    }
    fn get(&self, _: &str) -> Option<Vec<ContentBlock>> {
        panic!("a secret")
    }
}

#[test]
fn a_store_that_panics_leaves_the_cut() {
    block_on(async {
        let session = registry(100).scope("agent").session_builder().content_store(Panics).build();
        let result = session.call(call("says_a_lot", r#"{"letter":"x","times":500}"#)).await;
        assert!(result.text().contains("[402 characters left out] …"), "{}", result.text());
        assert!(session.content("r1").is_none());
        assert_eq!(session.definitions().len(), 3);
    });
}

#[test]
fn memory_keeps_the_newest_within_its_bounds() {
    let store = MemoryContents::new(3, 100);
    let keep = |size: usize| store.keep("1", &[ContentBlock::text("x".repeat(size))]);
    assert_eq!(keep(101), None);
    let handles: Vec<String> = (0..5).filter_map(|_| keep(10)).collect();
    assert_eq!(handles, ["r1", "r2", "r3", "r4", "r5"]);
    let kept = |handle: &String| store.get(handle).is_some();
    assert_eq!(handles.iter().map(kept).collect::<Vec<_>>(), [false, false, true, true, true]);
    assert_eq!(keep(95).as_deref(), Some("r6"));
    assert!(!handles.iter().any(kept) && store.get("r6").is_some());
}

#[test]
fn a_directory_keeps_everything_and_reads_nothing_else() {
    let directory = std::env::temp_dir().join(format!("tool-runtime-results-{}", std::process::id()));
    let open = || DirectoryContents::new(&directory).expect("a directory");
    let text = vec![ContentBlock::text("all of it")];
    let first = open().keep("1", &text).expect("written");
    // Another process goes on without overwriting.
    let store = open();
    let many = vec![
        ContentBlock::text("a"),
        ContentBlock::Image { data: vec![1, 2, 3], media_type: "image/png".into() },
    ];
    let second = store.keep("../../2", &many).expect("written");
    assert_eq!(std::fs::read_to_string(&first).expect("there"), "all of it");
    assert_eq!((store.get(&first), store.get(&second)), (Some(text), Some(many)));
    let outside = directory.join("..").join("passwd.txt");
    for handle in ["/etc/passwd", "result-1.txt", "", "..", outside.to_str().expect("a path")] {
        assert_eq!(store.get(handle), None, "{handle}");
    }
    std::fs::remove_dir_all(&directory).expect("removed");
}

#[test]
fn limits_can_be_taken_away() {
    block_on(async {
        let registry = Registry::builder()
            .content_limit(None)
            .binary_limit(None)
            .register::<says_a_lot>()
            .build()
            .expect("builds");
        let call = ToolCall::new("1", "says_a_lot", r#"{"letter":"x","times":1000000}"#);
        assert_eq!(registry.call(call).await.text().len(), 1_000_002);
        let usual = Arc::new(Registry::builder().register::<says_a_lot>().build().expect("builds"));
        let call = ToolCall::new("1", "says_a_lot", r#"{"letter":"x","times":1000000}"#);
        assert!(usual.call(call).await.text().len() < 129 * 1024);
    });
}

/// Shows so many short texts and links.
#[tool(effect = read, docs(optional))]
fn shows_many(texts: usize, links: usize, link: usize) -> Vec<ContentBlock> {
    let text = |number| ContentBlock::text(format!("line number {number:08}"));
    let link = |number| ContentBlock::ResourceLink { uri: "x".repeat(link), name: format!("link {number}") };
    (0..texts).map(text).chain((0..links).map(link)).collect()
}

#[test]
fn many_blocks_and_long_links_stay_within_the_limit() {
    block_on(async {
        let registry = Registry::builder().register::<shows_many>().build().expect("builds");
        let session = registry.scope("agent").session();
        for arguments in [
            r#"{"texts":100000,"links":0,"link":0}"#,
            r#"{"texts":0,"links":10,"link":1000000}"#,
            r#"{"texts":0,"links":100000,"link":10}"#,
            r#"{"texts":250,"links":250,"link":1000}"#,
        ] {
            let result = session.call(call("shows_many", arguments)).await;
            let read: usize = serde_json::to_string(result.content()).expect("is JSON").len();
            assert!(read < 140 * 1024, "{arguments}: {read}");
            assert!(serde_json::to_string(result.content()).expect("is JSON").contains("the whole is r"));
        }
        let result = session.call(call("shows_many", r#"{"texts":200,"links":5,"link":10}"#)).await;
        assert_eq!(result.content().len(), 205);
    });
}

#[test]
fn f115_one_long_line_of_many_bytes_a_character_is_cut_between_them() {
    block_on(async {
        let session =
            Registry::builder().register::<says_a_lot>().build().expect("builds").scope("a").session();
        let times = 5 * 1024 * 1024 / 4;
        let call = ToolCall::new("1", "says_a_lot", format!(r#"{{"letter":"😀","times":{times}}}"#));
        let text = session.call(call).await.text();
        let (head, rest) = text.split_once("… [").expect("cut");
        let (mark, tail) = rest.split_once("] …").expect("cut");
        assert!(head.starts_with("\"😀") && tail.ends_with("😀\"") && text.len() < 129 * 1024);
        let (missing, handle) = mark.split_once(" characters left out; the whole is ").expect("a mark");
        let shown = head.chars().count() + tail.chars().count();
        assert_eq!(missing.parse::<usize>().expect("a count") + shown, times + 2);
        assert_eq!(
            session.content(handle).expect("kept")[0].as_text().map(str::len),
            Some(5 * 1024 * 1024 + 2)
        );
    });
}
