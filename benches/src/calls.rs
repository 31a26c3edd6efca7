//! What each stage of a call costs: one call of `add`, with one more participant in each row.

use std::hint::black_box;
use std::io::Write;

use allocation_counter::measure;
use tokio::runtime::{Builder, Runtime};
use tool_runtime::execution::{Event, Gate, HookVerdict};
use tool_runtime::{
    BoxFuture, CallContext, CallOutput, Denied, Next, PermissionRequest, Registry, Scope, Session, ToolCall,
};

use crate::{Result, add, once};

/// By the name of the case, and how it reads in the table.
const STAGES: [(&str, &str); 11] = [
    ("call alone", "nothing"),
    ("call observed", "an observer"),
    ("call guarded", "a guard"),
    ("call gated", "a gate"),
    ("call hooked", "a result hook"),
    ("call wrapped", "one middleware"),
    ("call in a nested scope", "in a scope of a scope"),
    ("call refused", "an argument of the wrong type"),
    ("call unknown", "a tool that is not there"),
    ("call of a model", "by `call` in place of `invoke`"),
    ("call in a session", "by a session's `call`"),
];

const ARGUMENTS: &str = r#"{"a": 20, "b": 22}"#;

/// A gate that lets everything pass.
struct Open;

impl Gate for Open {
    fn judge<'a>(
        &'a self,
        _: &'a CallContext,
        _: &'a [PermissionRequest],
    ) -> BoxFuture<'a, std::result::Result<(), Denied>> {
        Box::pin(async { Ok(()) })
    }
}

/// Who makes the calls.
enum By {
    Program(Scope, &'static str, &'static str),
    Model(Scope),
    Session(Session),
}

impl By {
    async fn call(&self) -> CallOutput {
        let call = || ToolCall::new("1", "add", ARGUMENTS);
        match self {
            Self::Program(scope, name, arguments) => {
                scope.invoke(black_box(name), black_box(arguments)).await
            }
            Self::Model(scope) => scope.call(call()).await.into_output(),
            Self::Session(session) => session.call(call()).await.into_output(),
        }
    }
}

fn caller(case: &str) -> Result<By> {
    let registry = Registry::builder().register::<add>().build()?;
    let mut scope = registry.global().clone();
    let (mut name, mut arguments) = ("add", ARGUMENTS);
    match case {
        "call alone" => {}
        "call observed" => {
            registry.observe(|event: &Event<'_>| {
                black_box(event.unique);
            })?;
        }
        "call guarded" => {
            registry.guard(|call: &CallContext| {
                black_box(call.tool());
                None
            })?;
        }
        "call gated" => {
            registry.gate(Open)?;
        }
        "call hooked" => {
            registry.on_result(|_: &CallContext, output: &CallOutput| {
                black_box(output.is_error());
                HookVerdict::Accept
            })?;
        }
        "call wrapped" => {
            registry.middleware(|_: CallContext, next: Next| next.run())?;
        }
        "call in a nested scope" => scope = registry.scope("outer").scope("inner"),
        "call refused" => arguments = r#"{"a": "twenty", "b": 22}"#,
        "call unknown" => name = "subtract",
        "call of a model" => return Ok(By::Model(scope)),
        "call in a session" => return Ok(By::Session(registry.session())),
        _ => return Err(format!("no case {case:?}").into()),
    }
    Ok(By::Program(scope, name, arguments))
}

fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

/// Calls as often as that, in this process.
pub(crate) fn run(case: &str, times: usize) -> Result {
    let caller = caller(case)?;
    runtime()?.block_on(async {
        for _ in 0..times {
            black_box(caller.call().await);
        }
    });
    Ok(())
}

/// Allocations of one call, after others.
fn allocations(case: &str) -> Result<u64> {
    const WARM: usize = 64;
    let (caller, runtime) = (caller(case)?, runtime()?);
    let call = |times: usize| {
        runtime.block_on(async {
            for _ in 0..times {
                black_box(caller.call().await);
            }
        });
    };
    call(WARM);
    Ok((measure(|| call(2 * WARM)).count_total - measure(|| call(WARM)).count_total) / WARM as u64)
}

/// Writes the table.
pub(crate) fn table(out: &mut impl Write) -> Result {
    writeln!(
        out,
        "| a call of `add` with | instructions | beyond nothing | allocations |\n|---|---|---|---|"
    )?;
    let mut alone = None;
    for (case, shown) in STAGES {
        let each = once(case, 1, [1_000, 3_000])?;
        let beyond = each.saturating_sub(*alone.get_or_insert(each));
        writeln!(out, "| {shown} | {each} | {beyond} | {} |", allocations(case)?)?;
    }
    Ok(())
}
