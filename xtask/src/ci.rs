//! `cargo xtask ci`: the list of checks, in the order in which they tell most for their time.

use std::fs;
use std::time::Duration;

use crate::process::{Result, cargo, is_installed, now, root, run as run_command};
use crate::{budget, eval, fixtures, manifest, tidy};

/// One check; its name is what a person types to run it alone.
struct Step {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<Outcome>,
}

/// How a check ended that did not fail.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Skipped(String),
}

const STEPS: &[Step] = &[
    Step {
        name: "tidy",
        what: "layers, file sizes, stray files, field reports, paths",
        run: || passed(tidy::run()),
    },
    Step { name: "fmt", what: "formatting", run: || cargo_passes(&["fmt", "--all", "--check"]) },
    Step { name: "budget", what: "the number of crates a user builds", run: || passed(budget::check()) },
    Step {
        name: "clippy",
        what: "lints of every target",
        run: || cargo_passes(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    },
    Step {
        name: "test",
        what: "unit tests, behaviour, doctests, ui",
        run: || cargo_passes(&["test", "--workspace"]),
    },
    Step {
        name: "features",
        what: "tool-runtime with no feature and with each alone",
        run: || passed(features()),
    },
    Step {
        name: "preserve-order",
        what: "the tests with serde_json's `preserve_order`, which a user's build may turn on",
        run: || cargo_passes(&["test", "-p", "tests", "--features", "preserve_order"]),
    },
    Step {
        name: "evals",
        what: "labelled arguments, attacks, and real schemas if they are there",
        run: evals,
    },
    Step { name: "docs", what: "rustdoc without warnings", run: || passed(docs()) },
    Step { name: "ui-crates", what: "the fixture packages of ui-tests/crates", run: ui_crates },
    Step { name: "deny", what: "bans, licences, sources", run: deny },
    Step { name: "typos", what: "spelling", run: typos },
];

/// How one call of `cargo xtask ci` was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    list: bool,
    keep_going: bool,
    names: Vec<String>,
}

impl Options {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        for argument in arguments {
            match *argument {
                "--list" => options.list = true,
                "--keep-going" => options.keep_going = true,
                flag if flag.starts_with('-') => {
                    return Err(format!("unknown flag `{flag}`; expected `--list` or `--keep-going`").into());
                }
                name if STEPS.iter().any(|step| step.name == name) => options.names.push(name.to_owned()),
                name => {
                    let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
                    return Err(
                        format!("unknown step `{name}`; expected some of: {}", known.join(", ")).into()
                    );
                }
            }
        }
        Ok(options)
    }

    /// The steps asked for, in the list's order; all of them if none is named.
    fn steps(&self) -> impl Iterator<Item = &'static Step> {
        STEPS.iter().filter(|step| self.names.is_empty() || self.names.iter().any(|name| name == step.name))
    }
}

/// Runs the checks; stops at the first that fails unless told to keep going.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let options = Options::parse(arguments)?;
    if options.list {
        for step in STEPS {
            println!("{:<15} {}", step.name, step.what);
        }
        return Ok(());
    }
    let whole = now();
    let mut rows = Vec::new();
    let mut failures = 0;
    for step in options.steps() {
        println!("\n── {}: {}", step.name, step.what);
        let start = now();
        let outcome = (step.run)();
        let (state, detail) = match &outcome {
            Ok(Outcome::Passed) => ("ok", String::new()),
            Ok(Outcome::Skipped(reason)) => ("SKIPPED", reason.clone()),
            Err(error) => ("FAILED", error.to_string()),
        };
        println!("── {}: {state} in {}", step.name, seconds(start.elapsed()));
        if !detail.is_empty() {
            println!("   {detail}");
        }
        rows.push((step.name, state, start.elapsed(), detail));
        failures += usize::from(outcome.is_err());
        if outcome.is_err() && !options.keep_going {
            break;
        }
    }
    println!("\nsummary, {} in all", seconds(whole.elapsed()));
    for (name, state, time, detail) in &rows {
        let line =
            format!("{name:<15} {state:<8} {:>8}  {}", seconds(*time), detail.lines().next().unwrap_or(""));
        println!("{}", line.trim_end());
    }
    for step in options.steps().skip(rows.len()) {
        println!("{:<15} not run", step.name);
    }
    if failures == 0 { Ok(()) } else { Err(format!("{failures} of {} checks failed", rows.len()).into()) }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn passed(result: Result) -> Result<Outcome> {
    result.map(|()| Outcome::Passed)
}

fn cargo_passes(arguments: &[&str]) -> Result<Outcome> {
    passed(run_command(&mut cargo(arguments)))
}

/// Clippy sees the library with no feature and with each alone, so that code which only a feature
/// uses is found; its unit tests run without any.
fn features() -> Result {
    let manifest = fs::read_to_string(root().join("tool-runtime/Cargo.toml"))?;
    let entries = manifest::table(&manifest, "[features]").unwrap_or_default();
    let names = entries.iter().map(|(name, _)| name.as_str()).filter(|name| *name != "default");
    for feature in std::iter::once("").chain(names) {
        let mut command = cargo(["clippy", "-p", "tool-runtime", "--lib", "--no-default-features"]);
        if !feature.is_empty() {
            command.args(["--features", feature]);
        }
        run_command(command.args(["--", "-D", "warnings"]))?;
    }
    run_command(&mut cargo(["test", "-p", "tool-runtime", "--lib", "--no-default-features"]))
}

fn docs() -> Result {
    run_command(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

fn ui_crates() -> Result<Outcome> {
    match fixtures::check()? {
        0 => Ok(Outcome::Skipped("no fixture package stands under ui-tests/crates".to_owned())),
        count => {
            println!("{count} fixture packages");
            Ok(Outcome::Passed)
        }
    }
}

fn deny() -> Result<Outcome> {
    if !is_installed("cargo-deny") {
        return Ok(Outcome::Skipped("cargo-deny is not installed".to_owned()));
    }
    cargo_passes(&["deny", "check", "bans", "licenses", "sources"])
}

/// The labelled cases of the project, and the schemas of real tools, which stand beside it.
fn evals() -> Result<Outcome> {
    const SCHEMAS: &str = "../shared/corpora/schemas/real_dev.jsonl";
    let file = |path: &str| root().join(path).to_string_lossy().into_owned();
    for cases in ["arguments", "arguments_edges", "arguments_variants"] {
        eval::run(&["arguments", &file(&format!("tests/cases/{cases}.jsonl"))])?;
    }
    // Some attacks are written by a program.
    let python = is_installed("python3");
    if python {
        // Two of attacks_edges.jsonl take over 2 s in a build without optimization.
        eval::run(&["attacks", &file("tests/cases/attacks.jsonl")])?;
    }
    let schemas = root().join(SCHEMAS).exists();
    if schemas {
        eval::run(&["schemas", &file(SCHEMAS)])?;
    }
    Ok(match (python, schemas) {
        (true, true) => Outcome::Passed,
        (false, _) => Outcome::Skipped("attacks: python3 is not installed".to_owned()),
        (true, false) => Outcome::Skipped(format!("schemas: no {SCHEMAS}; the other evals passed")),
    })
}

fn typos() -> Result<Outcome> {
    if !is_installed("typos") {
        return Ok(Outcome::Skipped("typos is not installed".to_owned()));
    }
    passed(run_command(std::process::Command::new("typos").current_dir(root())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_run_in_the_lists_order_whatever_is_typed() {
        let options = Options::parse(&["docs", "--keep-going", "fmt"]).expect("both are steps");
        assert!(options.keep_going);
        let names: Vec<_> = options.steps().map(|step| step.name).collect();
        assert_eq!(names, ["fmt", "docs"]);
    }

    #[test]
    fn no_name_means_all_steps() {
        let options = Options::parse(&[]).expect("nothing is wrong with it");
        assert_eq!(options.steps().count(), STEPS.len());
    }

    #[test]
    fn unknown_words_are_refused_with_the_list() {
        let error = Options::parse(&["clipy"]).expect_err("a slip").to_string();
        assert!(error.starts_with("unknown step `clipy`; expected some of: tidy, fmt"), "{error}");
        assert!(Options::parse(&["--lst"]).is_err());
    }
}
