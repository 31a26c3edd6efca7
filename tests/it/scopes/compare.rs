//! What the registry says, held against what the model says.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tool_runtime::error::ErrorCode;
use tool_runtime::registry::{RegistryError, RegistryFault};
use tool_runtime::{DynamicTool, Registry, ToolCall, ToolResult, View};

use super::model::{self, Model, Seens};
use super::words::Level;

pub(super) fn faults(error: &RegistryError) -> Vec<String> {
    let tell = |fault: &RegistryFault| match fault {
        RegistryFault::Again { name, owner, .. } => format!("again {name} {owner}"),
        RegistryFault::Taken { name, owner, second_owner, .. } => {
            format!("taken {name} {owner} {second_owner}")
        }
        RegistryFault::ScopeState { name, scope, .. } => format!("state {name} {scope}"),
        other => other.to_string(),
    };
    let mut told: Vec<String> = error.faults().iter().map(tell).collect();
    // By these texts, not by those that the library sorts them by.
    told.sort();
    told
}

/// Compares a listing.
#[track_caller]
pub(super) fn lists(view: &View, expected: &Seens, model: &Model) {
    let listed: Vec<(&str, &str, Option<&str>)> =
        view.iter().map(|tool| (tool.name(), tool.description(), tool.owner())).collect();
    let descriptions: BTreeMap<&str, String> =
        expected.iter().map(|(name, seen)| (*name, seen.kind.description())).collect();
    let expected: Vec<(&str, &str, Option<&str>)> = expected
        .values()
        .map(|seen| {
            let owner = match &seen.owner {
                model::Owner::Scope(_) => None,
                owner @ model::Owner::Plugin(..) => Some(model.owner_name(owner)),
            };
            (seen.kind.name, descriptions[seen.kind.name].as_str(), owner)
        })
        .collect();
    assert_eq!(listed, expected);
    assert_eq!((view.len(), view.is_empty()), (expected.len(), expected.is_empty()));
}

/// Compares the result of a call.
#[track_caller]
pub(super) fn answers(result: &ToolResult, name: &str, callable: &Seens, level: Option<Level>) {
    let text = match (callable.get(name), level) {
        (None, _) => {
            assert_eq!(result.code(), Some(ErrorCode::UnknownTool), "{name}: {}", result.text());
            unknown(name, callable)
        }
        (Some(seen), Some(level)) if seen.kind.tells => format!("\"level {}\"", level.0),
        (Some(seen), None) if seen.kind.tells => {
            format!("Error: \"{name}\" is not set up; the program lacks its state")
        }
        (Some(seen), _) => format!("\"tool {}\"", seen.id),
    };
    assert_eq!(result.text(), text);
}

thread_local! {
    static UNKNOWN: RefCell<HashMap<String, String>> = RefCell::default();
}

/// What a registry says that never had another tool than these.
fn unknown(name: &str, visible: &Seens) -> String {
    let key = format!("{name} {}", visible.keys().copied().collect::<Vec<_>>().join(" "));
    UNKNOWN.with_borrow_mut(|known| {
        let make = || {
            let plain = |name: &&str| {
                DynamicTool::new(*name, "Does nothing.")
                    .and_then(|tool| tool.typed(|(): ()| async { Ok::<(), std::io::Error>(()) }))
                    .expect("a tool")
            };
            let registry = Registry::builder().tools(visible.keys().map(plain)).build().expect("builds");
            at_once(registry.call(ToolCall::new("1", name, "{}"))).text()
        };
        known.entry(key).or_insert_with(make).clone()
    })
}

/// The result of what waits for nothing.
pub(super) fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}
