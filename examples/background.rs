//! A call that takes long goes on in the background, and tells how it ended.
//!
//! `cargo run -p examples --example background`
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::time::Duration;

use tool_runtime::{CallContext, Registry, ToolCall, tool};

/// Compiles the project, step by step.
#[tool(effect = exec, timeout = "100ms")]
async fn compile(
    cx: &CallContext,
    /// How many steps it takes.
    #[arg(minimum = 1, maximum = 100)]
    steps: u32,
) -> String {
    for step in 1..=steps {
        cx.progress(format!("{step} of {steps}"));
        cx.write(format!("step {step} done\n"));
        tokio::time::sleep(Duration::from_millis(60)).await;
        if cx.is_cancelled() {
            return format!("stopped after {step}");
        }
    }
    "compiled".to_owned()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::builder().register::<compile>().build()?;
    let session = registry.scope("agent").session();
    let call = |id: &str, name: &str, arguments: &str| session.call(ToolCall::new(id, name, arguments));

    println!("a short one: {}", call("1", "compile", r#"{"steps":1}"#).await.text());
    println!("a long one:  {}", call("2", "compile", r#"{"steps":5}"#).await.text());

    // The model now has tools to look after it.
    let names: Vec<String> = session.definitions().iter().map(|tool| tool.name().to_owned()).collect();
    println!("tools: {}", names.join(", "));
    println!("{}", call("3", "task_list", "{}").await.text());

    // Its end is told once, as a message.
    while session.tasks().iter().any(|task| !task.state.is_over()) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for report in session.reports() {
        println!("report: {report}");
    }

    println!("another:     {}", call("4", "compile", r#"{"steps":90}"#).await.text());
    println!("{}", call("5", "task_cancel", r#"{"id":"t2"}"#).await.text());
    println!("{}", call("6", "task_output", r#"{"id":"t2"}"#).await.text());
    Ok(())
}
