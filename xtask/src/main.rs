//! The chores of the workspace: `cargo xtask ci`, `tidy`, `bless`, `eval`, `soak` and `bench peers`.
//!
//! What CI checks, a person runs by the same command.
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program reports on its standard streams"
)]

mod bench;
mod bless;
mod budget;
mod ci;
mod eval;
mod fixtures;
mod manifest;
mod process;
mod soak;
mod tidy;

use std::process::ExitCode;

/// What `cargo xtask` prints when it is called without a command or with an unknown one.
const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci [--list] [--keep-going] [STEP…]   all checks, or the named ones; stops at the first that fails
  tidy                                 layers, file sizes, stray files, field reports, paths
  bless                                writes the ui-test outputs and the snapshots anew
  eval arguments|attacks|schemas FILE  cases of a file against the library; fails on any miss
  soak [--seconds N] [--target NAME]   the fuzz targets, each 5 minutes or N seconds, and the long tests; fails on any finding
  bench peers [--all] [--quick] [--only runtime|compile] [--rig PATH]
                                       this SDK measured beside other ones, and against its goals
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["ci", rest @ ..] => ci::run(rest),
        ["tidy"] => tidy::run(),
        ["bless"] => bless::run_all(),
        ["eval", rest @ ..] => eval::run(rest),
        ["soak", rest @ ..] => soak::run(rest),
        ["bench", "peers", rest @ ..] => bench::run(rest),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("no command given\n\n{USAGE}").into()),
        other => Err(format!("unknown command `{}`\n\n{USAGE}", other.join(" ")).into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
