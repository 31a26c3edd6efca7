//! Starting commands: the one place that echoes them and turns a bad exit into an error.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a chore ends with; the error is a text for the person at the terminal.
pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Where cargo builds: `CARGO_TARGET_DIR` or the workspace's `target`.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The cargo that started this program, in the workspace's folder.
pub(crate) fn cargo<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(arguments: I) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}

/// Whether a program of this name can be started, which `--version` shows.
pub(crate) fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

/// The command as a person would type it, with the variables that it sets.
pub(crate) fn as_typed(command: &Command) -> String {
    let mut words = Vec::new();
    for (name, value) in command.get_envs() {
        let name = name.to_string_lossy();
        match value {
            Some(value) => words.push(format!("{name}={}", quoted(value))),
            None => words.push(format!("-u {name}")),
        }
    }
    if words.iter().any(|word| word.starts_with("-u ")) {
        words.sort_by_key(|word| !word.starts_with("-u "));
        words.insert(0, "env".to_owned());
    }
    let program = Path::new(command.get_program());
    words.push(program.file_name().map_or_else(|| quoted(command.get_program()), quoted));
    words.extend(command.get_args().map(quoted));
    words.join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.is_empty() || word.contains([' ', '"', '*', ';']) {
        format!("'{word}'")
    } else {
        word.into_owned()
    }
}

/// Echoes the command, runs it with the terminal's streams, and fails if it does.
pub(crate) fn run(command: &mut Command) -> Result {
    let typed = as_typed(command);
    println!("$ {typed}");
    let status = command.status().map_err(|error| format!("cannot start `{typed}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{typed}` ended with {status}").into()) }
}

/// What the command prints on its standard output; fails, with its standard error, if it does.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let typed = as_typed(command);
    let output = command.output().map_err(|error| format!("cannot start `{typed}`: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{typed}` ended with {}\n{said}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The time a chore takes, which is a person's waiting time.
#[expect(clippy::disallowed_methods, reason = "no test pauses the clock of a chore")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_reads_as_typed() {
        let mut command = Command::new("cargo");
        command.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(as_typed(&command), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps");
        command.env_remove("CARGO_TARGET_DIR");
        let expected = "env -u CARGO_TARGET_DIR RUSTDOCFLAGS='-D warnings' cargo doc --no-deps";
        assert_eq!(as_typed(&command), expected);
    }

    #[test]
    fn a_bad_exit_is_an_error_that_names_the_command() {
        let error =
            run(cargo(["no-such-command"]).stderr(Stdio::null())).expect_err("cargo knows no such command");
        assert!(error.to_string().starts_with("`cargo no-such-command` ended with"), "{error}");
    }
}
