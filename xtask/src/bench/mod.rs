//! `cargo xtask bench peers`: this SDK measured beside other ones, in one run on one machine.
//!
//! The rig is not part of the project. It is copied to `target/bench-peers/`, gets the package and
//! the generator of `benches/peer/` as one more column, and the lock file that pins the peers.

mod goals;
mod rig;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use self::rig::Rig;
use crate::process::{Result, is_installed, output_of, root, run as run_command};

/// Which half of the rig runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Runtime,
    Compile,
}

/// How one call of `cargo xtask bench peers` was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    /// Every peer, at full length, and not floor, plain and ours alone.
    all: bool,
    /// One repetition of everything.
    quick: bool,
    only: Option<Half>,
    rig: PathBuf,
}

impl Options {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let rig = root().join("../shared/bench/peers");
        let mut options = Self { all: false, quick: false, only: None, rig };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match *argument {
                "--all" => options.all = true,
                "--quick" => options.quick = true,
                "--only" => {
                    options.only = Some(match rest.next() {
                        Some(&"runtime") => Half::Runtime,
                        Some(&"compile") => Half::Compile,
                        _ => return Err("`--only` takes `runtime` or `compile`".into()),
                    });
                }
                "--rig" => options.rig = rest.next().ok_or("`--rig` takes the path of the rig")?.into(),
                other => {
                    let known = "`--all`, `--quick`, `--only` or `--rig`";
                    return Err(format!("unknown argument `{other}`; expected {known}").into());
                }
            }
        }
        Ok(options)
    }

    fn runs(&self, half: Half) -> bool {
        self.only.is_none_or(|only| only == half)
    }
}

/// Prepares the rig, runs it, and prints the tables and the goals.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let options = Options::parse(arguments)?;
    let rig = Rig::prepare(&options.rig, &root().join("target/bench-peers"))?;
    if options.runs(Half::Runtime) {
        runtime(&rig, &options)?;
    }
    if options.runs(Half::Compile) {
        compile(&rig, &options)?;
    }
    let mut tables = output_of(&mut rig.command("python3", &["report.py"]))?;
    let goals =
        if options.runs(Half::Compile) { goals::measured(&rig.folder.join("results"))? } else { Vec::new() };
    if !goals.is_empty() {
        tables.push_str(&goals::table(&goals));
    }
    let file = rig.folder.join("tables.md");
    fs::write(&file, &tables)?;
    println!("{tables}\nthe same in {}", file.strip_prefix(root()).unwrap_or(&file).display());
    let missed = goals.iter().filter(|goal| goal.is_missed()).count();
    if missed == 0 { Ok(()) } else { Err(format!("{missed} of {} goals are missed", goals.len()).into()) }
}

/// What a call and a listing cost.
fn runtime(rig: &Rig, options: &Options) -> Result {
    let mut steps = vec!["build", "show", "alloc"];
    if options.all {
        steps.push("cold");
    }
    if is_installed("valgrind") {
        steps.push("count");
    } else {
        println!("SKIPPED: instruction counts; valgrind is not installed");
    }
    let mut command = rig.command("bash", &["run.sh"]);
    in_short(&mut command, options);
    run_command(command.args(&steps))?;
    let mut command = rig.command("bash", &["run.sh", "bench"]);
    in_short(&mut command, options);
    if options.quick || !options.all {
        command.env("QUICK", "quick");
    }
    run_command(command.env("REPS", if options.quick { "1" } else { "2" }))
}

fn in_short(command: &mut Command, options: &Options) {
    if !options.all {
        command.env("PEERS", "floor ours");
    }
}

/// What a tool costs while compiling, and in bytes.
fn compile(rig: &Rig, options: &Options) -> Result {
    // The varied columns share a folder with the plain ones, so run.py has no need of them.
    let columns = if options.all { "plain,lean,ours,tools_rs,llm_tool,rmcp,rig" } else { "plain,ours" };
    let mut command = rig.command("python3", &["compile/run.py", "--columns", columns]);
    if options.quick {
        command.args(["--reps", "1", "--ns", "0,100", "--no-clean"]);
    }
    run_command(&mut command)?;

    let mut columns = vec!["plain", "ours", "ours_varied"];
    if options.all {
        columns.extend(["lean", "lean_varied", "tools_rs", "llm_tool", "rmcp", "rig"]);
    }
    let mut command = rig.command("python3", &["compile/paired.py"]);
    run_command(command.args(columns).env("REPS", if options.quick { "1" } else { "3" }))?;

    let mut pairs = "floor:plain ours:ours ours:ours_varied".to_owned();
    if options.all {
        pairs.push_str(" floor:lean tools-rs:tools_rs llm-tool:llm_tool rmcp:rmcp rig:rig adk:adk");
    }
    let mut command = rig.command("bash", &["compile/release.sh", &pairs]);
    run_command(command.env("REPS", if options.quick { "1" } else { "2" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read() {
        let options =
            Options::parse(&["--all", "--only", "compile", "--rig", "elsewhere"]).expect("all are known");
        assert!(options.all && !options.quick);
        assert!(options.runs(Half::Compile) && !options.runs(Half::Runtime));
        assert_eq!(options.rig, PathBuf::from("elsewhere"));
    }

    #[test]
    fn unknown_or_cut_off_flags_are_refused() {
        for arguments in [&["--al"][..], &["--only"], &["--only", "both"], &["--rig"]] {
            assert!(Options::parse(arguments).is_err(), "{arguments:?}");
        }
    }
}
