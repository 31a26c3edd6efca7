//! What scopes and the stages of a call cost, in instructions and bytes: `cargo run --release -p benches`. Needs valgrind.
//!
//! Instructions repeat from run to run, and times do not. Each figure is the difference of two runs under callgrind that do the
//! same but for how often they do what is measured.

mod calls;

use std::hint::black_box;
use std::io::{self, Write};
use std::process::Command;

use allocation_counter::measure;
use tool_runtime::provider::anthropic::Messages;
use tool_runtime::{Registry, Restriction, Scope, tool};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Adds two integers.
#[tool(effect = read)]
fn add(
    /// The first.
    a: i64,
    /// The second.
    b: i64,
) -> i64 {
    a + b
}

const TOOLS: [usize; 4] = [10, 100, 1_000, 10_000];
const SCOPES: usize = 1_000;

fn name(index: usize) -> String {
    format!("tool_{index:05}")
}

fn registry(tools: usize) -> Result<Registry> {
    let builder =
        (0..tools).fold(Registry::builder(), |builder, index| builder.register_as::<add>(name(index)));
    Ok(builder.build()?)
}

/// Scopes that three restrictions narrow, each in its own way.
fn scopes(registry: &Registry, tools: usize, count: usize) -> Result<Vec<Scope>> {
    let scope = |index: usize| {
        let scope = registry.scope(format!("scope_{index}"));
        for turn in 0..3 {
            scope.restrict(Restriction::deny([name((index + turn * 7) % (tools - 1))]))?;
        }
        Ok(scope)
    };
    (0..count).map(scope).collect()
}

/// What is counted: a case, how many tools there are, and how often it is done.
fn run(case: &str, tools: usize, times: usize) -> Result {
    match case {
        "build" => {
            for _ in 0..times {
                black_box(registry(tools)?);
            }
        }
        "list" => {
            let registry = registry(tools)?;
            for _ in 0..=times {
                black_box(Messages::plain().tools(&registry.definitions()));
            }
        }
        "look up" => {
            let registry = registry(tools)?;
            let names: Vec<String> = (0..tools).map(name).collect();
            for wanted in names.iter().cycle().take(times) {
                black_box(registry.definition(black_box(wanted)));
            }
        }
        "look up in scopes" => {
            let registry = registry(tools)?;
            let scopes = scopes(&registry, tools, SCOPES)?;
            // One that the scope sees, and each scope another.
            let names: Vec<String> = (0..SCOPES).map(|index| name((index + 3) % (tools - 1))).collect();
            for (scope, wanted) in scopes.iter().zip(&names) {
                assert!(scope.definition(wanted).is_some(), "{wanted} is hidden");
            }
            for (scope, wanted) in scopes.iter().zip(&names).cycle().take(times) {
                black_box(scope.definition(black_box(wanted)));
            }
        }
        "restrict" | "view" => {
            let registry = registry(tools)?;
            black_box(registry.definition("tool_00000"));
            let scopes = scopes(&registry, tools, times)?;
            if case == "view" {
                for scope in &scopes {
                    black_box(scope.definitions());
                }
            }
        }
        _ => calls::run(case, times)?,
    }
    Ok(())
}

/// The instructions of a run in a process of its own.
fn instructions(case: &str, tools: usize, times: usize) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args([case, &tools.to_string(), &times.to_string()])
        .output()?;
    let report = String::from_utf8_lossy(&output.stderr);
    let count =
        report.lines().find_map(|line| line.split_once("Collected : ")).map(|(_, count)| count.trim());
    Ok(count.ok_or_else(|| format!("valgrind counted nothing: {report}"))?.parse()?)
}

/// The instructions of doing it once.
fn once(case: &str, tools: usize, times: [usize; 2]) -> Result<u64> {
    let [few, many] = times;
    let difference = instructions(case, tools, many)?.saturating_sub(instructions(case, tools, few)?);
    Ok(difference / (many - few) as u64)
}

/// The bytes that a further scope keeps in which nothing is registered, once it has been looked at.
fn bytes_of_a_scope(tools: usize) -> Result<i64> {
    let registry = registry(tools)?;
    let mut scopes = Vec::with_capacity(SCOPES);
    let info = measure(|| {
        for index in 0..SCOPES {
            let scope = registry.scope(format!("scope_{index}"));
            black_box(scope.definitions());
            scopes.push(scope);
        }
    });
    Ok(info.bytes_current / i64::try_from(SCOPES)?)
}

fn main() -> Result {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [case, tools, times] = arguments.as_slice() {
        return run(case, tools.parse()?, times.parse()?);
    }
    let mut out = io::stdout().lock();
    calls::table(&mut out)?;
    // So many that what the seed of the hash does to the building is not seen.
    let small = once("look up", 3, [SCOPES, 21 * SCOPES])?;
    writeln!(out, "\nlook-up in a registry of 3 tools: {small} instructions\n")?;
    writeln!(
        out,
        "| tools | build, for each tool | list, for each tool | restrict a scope thrice | view of a scope | look-up in a scope | ÷ 3 tools | bytes of an empty scope |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|")?;
    for tools in TOOLS {
        let each = tools as u64;
        let build = once("build", tools, [1, 3])? / each;
        let list = once("list", tools, [1, 3])? / each;
        let restrict = once("restrict", tools, [SCOPES / 2, SCOPES])?;
        let view = once("view", tools, [SCOPES / 2, SCOPES])?.saturating_sub(restrict);
        let found = once("look up in scopes", tools, [SCOPES, 21 * SCOPES])?;
        let percent = 100 * found / small;
        let bytes = bytes_of_a_scope(tools)?;
        writeln!(
            out,
            "| {tools} | {build} | {list} | {restrict} | {view} | {found} | {}.{:02} | {bytes} |",
            percent / 100,
            percent % 100
        )?;
    }
    Ok(())
}
