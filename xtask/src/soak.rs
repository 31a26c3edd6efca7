//! `cargo xtask soak`: the fuzz targets, each for a while, and the tests that take minutes.
//!
//! It is no step of `ci`: what a fuzzer finds depends on how long it looks. The corpora stay in `fuzz/corpus`; git keeps
//! the seeds alone.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use crate::process::{Result, as_typed, cargo, is_installed, root, run as run_command};

/// How long each target runs unless told otherwise.
const SECONDS: u64 = 300;

/// What is soaked besides the fuzz targets: tests of `tests/it` that are ignored otherwise. They know how long they take.
const TESTS: &[(&str, &str)] = &[
    ("scopes", "scopes::run::registry_does_what_the_model_does_for_long"),
    ("schedules", "pipeline_schedules::every_call_of_ten_thousand_random_schedules_ends_once"),
    ("leaks", "pipeline_leaks::a_hundred_thousand_bad_ends_leave_nothing_behind"),
];

/// How a soak was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    seconds: u64,
    /// All of them if none is named.
    targets: Vec<String>,
}

impl Options {
    fn parse(arguments: &[&str], known: &[String]) -> Result<Self> {
        let mut options = Self { seconds: SECONDS, targets: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(flag) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{flag}` needs a value after it"));
            match *flag {
                "--seconds" => {
                    let value = value()?;
                    let seconds = value.parse().ok().filter(|seconds| *seconds > 0);
                    options.seconds = seconds
                        .ok_or_else(|| format!("`--seconds {value}`: expected a number above zero"))?;
                }
                "--target" => {
                    let value = value()?;
                    if !known.iter().any(|name| name == value) {
                        let known = known.join(", ");
                        return Err(format!("unknown target `{value}`; expected one of: {known}").into());
                    }
                    options.targets.push((*value).to_owned());
                }
                other => {
                    return Err(
                        format!("unknown word `{other}`; expected `--seconds N` or `--target NAME`").into()
                    );
                }
            }
        }
        if options.targets.is_empty() {
            options.targets = known.to_vec();
        }
        Ok(options)
    }
}

/// What a run of one target told.
#[derive(Debug, Default, PartialEq, Eq)]
struct Report {
    runs: u64,
    finding: Option<Finding>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Finding {
    what: String,
    /// The file with the bytes that led to it.
    reproducer: Option<String>,
}

impl Report {
    /// Reads what libFuzzer prints; a run that ended badly is a finding, whatever it says.
    fn read(output: &str, ended_well: bool) -> Self {
        let after = |mark: &str| output.lines().find_map(|line| Some(line.split_once(mark)?.1.trim()));
        let runs = after("stat::number_of_executed_units:").and_then(|number| number.parse().ok());
        // A run that stops at a finding prints no sum; the last line of its progress begins with `#N`.
        let progress = |line: &str| line.strip_prefix('#')?.split_whitespace().next()?.parse().ok();
        let runs = runs.or_else(|| output.lines().rev().find_map(progress)).unwrap_or(0);
        let mut lines = output.lines();
        let panicked = lines.find(|line| line.contains("panicked at"));
        let what = panicked.map(|line| match lines.next() {
            Some(message) => format!("{} {}", line.trim(), message.trim()),
            None => line.trim().to_owned(),
        });
        let what = what.or_else(|| after("ERROR: libFuzzer: ").map(str::to_owned));
        let finding = (!ended_well).then(|| Finding {
            what: what.unwrap_or_else(|| "ended badly; see the log".to_owned()),
            reproducer: after("Test unit written to").map(str::to_owned),
        });
        Self { runs, finding }
    }
}

/// Runs each target and fails if one has a finding.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let mut known = targets()?;
    known.extend(TESTS.iter().map(|(name, _)| (*name).to_owned()));
    let options = Options::parse(arguments, &known)?;
    let (tests, targets): (Vec<_>, Vec<_>) =
        options.targets.iter().partition(|target| TESTS.iter().any(|(name, _)| name == target));
    let mut findings = 0;
    for (name, test) in TESTS.iter().filter(|(name, _)| tests.iter().any(|asked| asked == name)) {
        let mut command = cargo(["test", "-p", "tests", "--release", "--test", "it", "--"]);
        let passed = run_command(command.args(["--ignored", "--exact", test]));
        let state = if passed.is_ok() { "no finding" } else { "FINDING" };
        println!("{name:<17} {state}");
        findings += usize::from(passed.is_err());
    }
    if !targets.is_empty() {
        findings += fuzzed(&targets, options.seconds)?;
    }
    match findings {
        0 => Ok(()),
        _ => Err(format!("{findings} of {} targets have a finding", options.targets.len()).into()),
    }
}

/// Runs fuzz targets; how many have a finding.
fn fuzzed(targets: &[&String], seconds: u64) -> Result<usize> {
    if !is_installed("cargo-fuzz") {
        return Err("cargo-fuzz is not installed; run `cargo install cargo-fuzz --locked`, and have a C++ \
                    compiler"
            .into());
    }
    run_command(&mut fuzz(&["build"], &[]))?;
    let mut findings = 0;
    let logs = root().join("fuzz/artifacts");
    fs::create_dir_all(&logs)?;
    for target in targets {
        let log = logs.join(format!("{target}.log"));
        let seconds = format!("-max_total_time={seconds}");
        let mut command = fuzz(
            &["run"],
            &[target, "--", &seconds, "-print_final_stats=1", "-timeout=10", "-rss_limit_mb=1024"],
        );
        let file = File::create(&log)?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let typed = as_typed(&command);
        let status = command.status().map_err(|error| format!("cannot start `{typed}`: {error}"))?;
        let report = Report::read(&String::from_utf8_lossy(&fs::read(&log)?), status.success());
        let inputs = fs::read_dir(root().join("fuzz/corpus").join(target)).map_or(0, Iterator::count);
        let state = if report.finding.is_some() { "FINDING" } else { "no finding" };
        println!("{target:<17} {:>10} runs  {inputs:>5} inputs kept  {state}", report.runs);
        if let Some(Finding { what, reproducer }) = report.finding {
            findings += 1;
            println!("   {what}");
            if let Some(file) = reproducer {
                println!("   again: cargo fuzz run --sanitizer none {target} {file}");
            }
            println!("   log: {}", log.display());
        }
    }
    Ok(findings)
}

/// `cargo fuzz` on the one toolchain: without sanitizers, since there is no unsafe code of ours to watch.
fn fuzz(command: &[&str], rest: &[&str]) -> Command {
    let mut cargo = cargo(["fuzz"]);
    cargo.args(command).args(["--sanitizer", "none"]).args(rest).env("RUSTC_BOOTSTRAP", "1");
    cargo
}

/// The names of the targets, in order.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("fuzz/fuzz_targets"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options> {
        Options::parse(arguments, &["mcp".to_owned(), "schema".to_owned()])
    }

    #[test]
    fn without_words_every_target_runs_five_minutes() {
        let options = parse(&[]).expect("nothing is wrong with it");
        assert_eq!(options, Options { seconds: 300, targets: vec!["mcp".to_owned(), "schema".to_owned()] });
        let options = parse(&["--target", "schema", "--seconds", "7"]).expect("both are known");
        assert_eq!(options, Options { seconds: 7, targets: vec!["schema".to_owned()] });
    }

    #[test]
    fn slips_are_told_with_what_would_be_right() {
        for (arguments, expected) in [
            (&["--target", "mpc"][..], "unknown target `mpc`; expected one of: mcp, schema"),
            (&["--seconds", "0"], "`--seconds 0`: expected a number above zero"),
            (&["--seconds"], "`--seconds` needs a value after it"),
            (&["mcp"], "unknown word `mcp`; expected `--seconds N` or `--target NAME`"),
        ] {
            assert_eq!(parse(arguments).expect_err("a slip").to_string(), expected);
        }
    }

    #[test]
    fn a_good_run_is_its_number_of_runs() {
        let output = "#2\tINITED cov: 5\n#9\tDONE cov: 9\nstat::number_of_executed_units: 90\n";
        assert_eq!(Report::read(output, true), Report { runs: 90, finding: None });
    }

    #[test]
    fn a_finding_names_the_panic_and_the_bytes() {
        let output = "#2\tINITED cov: 5\n#1024\tpulse cov: 9\n\nthread '<unnamed>' (1) panicked at src/a.rs:1:2:\n\
                      cut in pieces\n==1== ERROR: libFuzzer: deadly signal\n\
                      artifact_prefix='x/'; Test unit written to x/crash-1\n";
        let report = Report::read(output, false);
        assert_eq!(report.runs, 1024);
        let finding = report.finding.expect("it ended badly");
        assert_eq!(finding.what, "thread '<unnamed>' (1) panicked at src/a.rs:1:2: cut in pieces");
        assert_eq!(finding.reproducer.as_deref(), Some("x/crash-1"));
        let slow = Report::read("==1== ERROR: libFuzzer: timeout after 11 seconds\n", false);
        assert_eq!(slow.finding.expect("it ended badly").what, "timeout after 11 seconds");
    }

    #[test]
    fn each_target_is_declared_and_has_seeds() -> Result {
        let declared = fs::read_to_string(root().join("fuzz/Cargo.toml"))?;
        for target in targets()? {
            assert!(declared.contains(&format!("name = \"{target}\"")), "{target}");
            let files = fs::read_dir(root().join("fuzz/corpus").join(&target))?;
            let is_seed = |name: &str| name.starts_with("seed-");
            let mut names =
                files.filter_map(|file| Some(file.ok()?.file_name().to_string_lossy().into_owned()));
            assert!(names.any(|name| is_seed(&name)), "{target}");
        }
        Ok(())
    }
}
