//! Every field report that was handed over is named by a test, or listed as later.
//!
//! A test names a report by its function (`fn f015_raw_identifier`), by the name of a ui-test's file
//! or fixture folder, or, in `ui-tests/`, by a comment that says `F015`.

use std::collections::BTreeMap;

use super::Findings;
use super::code::{Token, bare, tokens};
use super::tree::{Tree, ends_in, is_rust};

/// A copy within the project goes before the one outside.
const CORPUS: &str = "tests/cases/field-reports.md";
/// Lines `F107 area: reason`.
const LATER: &str = "tests/cases/later.txt";

/// Counts what is tested and what is later, and names what is neither.
pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let Some(corpus) = tree.get(CORPUS).or(tree.corpus_outside.as_deref()) else {
        findings.note(format!("SKIPPED: no field reports at {CORPUS}, nor beside the project"));
        return findings;
    };
    let reports: Vec<u16> = corpus.lines().filter_map(report_of_line).collect();
    let tested = tested(tree);
    let later = later(tree, &mut findings);
    let mut forgotten = Vec::new();
    for number in &reports {
        match (tested.get(number), later.get(number)) {
            (None, None) => forgotten.push(format!("F{number:03}")),
            (Some(path), Some(_)) => {
                findings.note(format!("F{number:03} is listed as later, and {path} names it"));
            }
            _ => {}
        }
    }
    if !forgotten.is_empty() {
        findings.problem(format!(
            "no test names {}; name one `fn f015_…` after each, or list it in {LATER} with the reason",
            forgotten.join(", ")
        ));
    }
    for (number, path) in tested.iter().filter(|(number, _)| !reports.contains(number)) {
        findings.problem(format!("{path}: names F{number:03}, and there is no such field report"));
    }
    for number in later.keys().filter(|number| !reports.contains(number)) {
        findings.problem(format!("{LATER}: F{number:03} is no field report"));
    }
    let n_tested = reports.iter().filter(|number| tested.contains_key(number)).count();
    let n_later = reports.iter().filter(|n| later.contains_key(n) && !tested.contains_key(n)).count();
    findings.note(format!("{} field reports: {n_tested} tested, {n_later} later", reports.len()));
    findings
}

/// `- **F001** …` opens a report.
fn report_of_line(line: &str) -> Option<u16> {
    number(line.strip_prefix("- **F")?.split("**").next()?)
}

/// Exactly three digits.
fn number(digits: &str) -> Option<u16> {
    let is_number = digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// The reports at the start of a name: both of `f001_f002_only_dependency`.
fn numbers_of_name(name: &str) -> Vec<u16> {
    name.split(['_', '-', '.']).map_while(|part| number(part.strip_prefix('f')?)).collect()
}

/// Each tested report with the first file that names it.
fn tested(tree: &Tree) -> BTreeMap<u16, &str> {
    let mut found = BTreeMap::new();
    for (path, text) in tree.iter().filter(|(path, _)| holds_tests(path)) {
        let mut numbers = if is_rust(path) { test_functions(text) } else { Vec::new() };
        if path.starts_with("ui-tests/") {
            numbers.extend(path.split('/').flat_map(numbers_of_name));
            numbers.extend(in_comments(path, text));
        }
        for number in numbers {
            found.entry(number).or_insert(path);
        }
    }
    found
}

fn holds_tests(path: &str) -> bool {
    ["tests/", "ui-tests/", "tool-"].iter().any(|folder| path.starts_with(folder))
        && path != CORPUS
        && path != LATER
}

/// The reports that functions under a test attribute are named after.
fn test_functions(text: &str) -> Vec<u16> {
    let code = bare(text);
    let tokens: Vec<Token<'_>> = tokens(&code).into_iter().map(|(_, token)| token).collect();
    let mut found = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let [Token::Word("fn"), Token::Word(name)] = pair else { continue };
        let before = tokens[..at].iter().rev();
        let mut head = before.take_while(|token| !matches!(token, Token::Mark('{' | '}' | ';')));
        if head.any(|token| *token == Token::Word("test")) {
            found.extend(numbers_of_name(name));
        }
    }
    found
}

/// The reports that the comments of a ui-test name.
fn in_comments(path: &str, text: &str) -> Vec<u16> {
    let mark = match path {
        path if is_rust(path) => "//",
        path if ends_in(path, "toml") => "#",
        _ => return Vec::new(),
    };
    let comments = text.lines().filter_map(|line| line.split_once(mark)).map(|(_, comment)| comment);
    let words = comments.flat_map(|comment| comment.split(|letter: char| !letter.is_alphanumeric()));
    words.filter_map(|word| number(word.strip_prefix('F')?)).collect()
}

/// The reports that are listed as later, each with its line.
fn later<'a>(tree: &'a Tree, findings: &mut Findings) -> BTreeMap<u16, &'a str> {
    let mut listed = BTreeMap::new();
    let lines = tree.get(LATER).unwrap_or_default().lines().enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
        let Some(number) = later_number(line) else {
            findings.problem(format!("{LATER}:{}: `{line}` does not read `F107 area: reason`", index + 1));
            continue;
        };
        if listed.insert(number, line).is_some() {
            findings.problem(format!("{LATER}:{}: F{number:03} is listed twice", index + 1));
        }
    }
    listed
}

fn later_number(line: &str) -> Option<u16> {
    let (head, reason) = line.split_once(": ")?;
    let (report, area) = head.split_once(' ')?;
    if area.is_empty() || reason.trim().is_empty() { None } else { number(report.strip_prefix('F')?) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "## A\n\n- **F015** `r#type` param\n  - right: **F999** is no report\n";

    fn with_corpus<const N: usize>(files: [(&str, &str); N]) -> Findings {
        let mut tree = Tree::from(files);
        tree.corpus_outside = Some(ONE.to_owned());
        check(&tree)
    }

    #[test]
    fn a_report_without_a_test_is_a_problem() {
        let findings = with_corpus([]);
        assert_eq!(findings.problems.len(), 1, "{findings:?}");
        assert_eq!(findings.notes, ["1 field reports: 0 tested, 0 later"]);
    }

    #[test]
    fn each_way_to_name_a_report_counts() {
        for (path, text) in [
            ("tests/it/names.rs", "#[test]\nfn f015_raw_identifier() {}"),
            ("tool-runtime/src/value/mod.rs", "#[tokio::test(start_paused = true)]\nasync fn f015_x() {}"),
            ("ui-tests/pass/f015_raw.rs", ""),
            ("ui-tests/crates/f015_raw/src/main.rs", ""),
            ("ui-tests/pass/raw.rs", "// F015: raw identifiers"),
            ("ui-tests/crates/raw/Cargo.toml", "# F015"),
        ] {
            let findings = with_corpus([(path, text)]);
            assert_eq!(findings.problems, Vec::<String>::new(), "{path}: {text}");
            assert_eq!(findings.notes, ["1 field reports: 1 tested, 0 later"]);
        }
    }

    #[test]
    fn what_only_looks_like_a_test_does_not_count() {
        for (path, text) in [
            ("tests/it/names.rs", "// fn f015_x() {}\nfn f015_x() {}"),
            ("tests/it/names.rs", "#[test]\nfn other() {}\nfn f015_helper() {}"),
            ("tests/it/names.rs", "// F015"),
            ("xtask/src/main.rs", "#[test]\nfn f015_x() {}"),
            ("ui-tests/pass/raw.rs", "const F015: u8 = 0;"),
            ("ui-tests/fail/raw.stderr", "// F015"),
        ] {
            assert_eq!(with_corpus([(path, text)]).problems.len(), 1, "{path}: {text}");
        }
    }

    #[test]
    fn one_test_may_name_several_reports() {
        assert_eq!(numbers_of_name("f001_f002_only_dependency"), [1, 2]);
        assert_eq!(numbers_of_name("f0015_x"), Vec::<u16>::new());
        assert_eq!(numbers_of_name("x_f015"), Vec::<u16>::new());
    }

    #[test]
    fn later_needs_a_reason() {
        assert_eq!(
            with_corpus([(LATER, "# why\n\nF015 names: with the dialects\n")]).problems,
            Vec::<String>::new()
        );
        for line in ["F015", "F015 names", "F015: reason", "F015 names: ", "15 names: reason"] {
            let findings = with_corpus([(LATER, line)]);
            assert_eq!(findings.problems.len(), 2, "{line}: {findings:?}");
        }
    }

    #[test]
    fn unknown_and_repeated_numbers_are_problems() {
        let twice = "F015 names: reason\nF015 names: reason\nF999 names: reason\n";
        assert_eq!(with_corpus([(LATER, twice)]).problems.len(), 2);
        let typo = "#[test]\nfn f015_a() {}\n#[test]\nfn f051_a() {}";
        assert_eq!(with_corpus([("tests/it/a.rs", typo)]).problems.len(), 1);
    }

    #[test]
    fn the_projects_own_copy_goes_first_and_none_is_skipped_visibly() {
        let findings = with_corpus([(CORPUS, "- **F001** x\n- **F002** y\n")]);
        assert!(findings.problems[0].starts_with("no test names F001, F002;"), "{findings:?}");
        let findings = check(&Tree::default());
        assert!(findings.problems.is_empty() && findings.notes[0].starts_with("SKIPPED"), "{findings:?}");
    }
}
