//! `eval attacks`: hostile schemas, arguments and names, each in a process of its own.

use std::env;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::text;

/// What one attack may cost.
const MOST_TIME: Duration = Duration::from_secs(2);
const MOST_KIB: u64 = 256 * 1024;

/// As long as a process is waited for before it is ended.
const PATIENCE: Duration = Duration::from_secs(20);

/// Whether an attack ends as expected, in time and memory.
pub(super) fn judge(case: &Value) -> Result<(), String> {
    let mut case = case.clone();
    if let Some(program) = case.get("generator_py").and_then(Value::as_str).map(ToOwned::to_owned) {
        case["generated"] = Value::from(generate(&program)?);
    }
    let file = env::temp_dir().join(format!("attack-{}-{}.json", std::process::id(), text(&case, "id")));
    fs::write(&file, case.to_string()).map_err(|error| error.to_string())?;
    let outcome = isolated(&file.to_string_lossy());
    // What is left behind in the temporary directory harms nobody.
    let _ = fs::remove_file(&file);
    let report = outcome?;
    let expected = text(&case, "expected");
    let verdict = text(&report, "verdict");
    let milliseconds = report.get("milliseconds").and_then(Value::as_u64).unwrap_or(u64::MAX);
    let kib = report.get("kib").and_then(Value::as_u64).unwrap_or(u64::MAX);
    let told = format!("{verdict}: {}", text(&report, "text"));
    if u128::from(milliseconds) > MOST_TIME.as_millis() || kib > MOST_KIB {
        return Err(format!("took {milliseconds} ms and {kib} KiB ({told})"));
    }
    let wanted = match expected.split([' ', ':']).next() {
        Some("reject") => Some("refused"),
        Some("accept") => Some("accepted"),
        _ => None,
    };
    if let Some(wanted) = wanted.filter(|wanted| *wanted != verdict) {
        return Err(format!("expected \"{expected}\" ({wanted}), got {told}"));
    }
    if verdict == "wrong" { Err(told) } else { Ok(()) }
}

/// Runs a case in a child process; its report is one line of JSON.
fn isolated(file: &str) -> Result<Value, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args(["eval", "attack", file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let start = SystemTime::now();
    loop {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            break;
        }
        if start.elapsed().unwrap_or_default() > PATIENCE {
            let _ = child.kill();
            return Err(format!("did not end within {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let line = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(line.trim()).map_err(|_| {
        let error: String = String::from_utf8_lossy(&output.stderr).chars().take(300).collect();
        json!({"status": output.status.to_string(), "stderr": error}).to_string()
    })
}

/// Runs a generator in Python: the value of its last expression, or of the last name that it gives one.
fn generate(program: &str) -> Result<String, String> {
    const RUNNER: &str = r"
import ast, json, sys
sys.setrecursionlimit(1000000)
tree = ast.parse(sys.stdin.read())
last = None
if isinstance(tree.body[-1], ast.Expr):
    last = ast.Expression(tree.body.pop().value)
space = {}
exec(compile(tree, 'generator', 'exec'), space)
if last is not None:
    value = eval(compile(last, 'generator', 'eval'), space)
else:
    names = [n.id for s in ast.walk(tree) if isinstance(s, ast.Assign) for n in s.targets if isinstance(n, ast.Name)]
    value = space[names[-1]]
def write(value):
    out, pending = [], [('value', value)]
    while pending:
        kind, v = pending.pop()
        if kind == 'text':
            out.append(v)
        elif isinstance(v, dict):
            pending.append(('text', '}'))
            for i, (k, m) in reversed(list(enumerate(v.items()))):
                pending.append(('value', m))
                pending.append(('text', (',' if i else '') + json.dumps(k) + ':'))
            pending.append(('text', '{'))
        elif isinstance(v, (list, tuple)):
            pending.append(('text', ']'))
            for i, m in reversed(list(enumerate(v))):
                pending.append(('value', m))
                pending.append(('text', ',' if i else ''))
            pending.append(('text', '['))
        else:
            out.append(json.dumps(v))
    return ''.join(out)
sys.stdout.write(value if isinstance(value, str) else write(value))
";
    let mut child = Command::new("python3")
        .args(["-c", RUNNER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("python3: {error}"))?;
    if let Some(mut input) = child.stdin.take() {
        use std::io::Write as _;
        input.write_all(program.as_bytes()).map_err(|error| error.to_string())?;
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("the generator failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}
