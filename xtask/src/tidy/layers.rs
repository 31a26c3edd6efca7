//! The rooms of `tool-runtime` use each other one way only.
//!
//! A use is a path that starts at the crate's root: `crate::room::…`, `crate::Name` for a name that
//! `lib.rs` re-exports from a room, `$crate::…`, or `super::…` where that climbs to the root.

use std::collections::{BTreeMap, BTreeSet};

use super::Findings;
use super::code::{Token, bare, tokens, without_tests};
use super::tree::Tree;

/// The rooms from left to right; a room may use only those further left.
///
/// Rooms of one group stand beside each other: one of two may use the other, and not the reverse.
const ORDER: &[&[&str]] = &[
    &["error", "sync"],
    &["value"],
    &["definition", "schema"],
    &["arguments", "output", "task"],
    &["tool"],
    &["registry"],
    &["search", "policy"],
    &["permission"],
    &["middleware"],
    &["execution"],
    &["background"],
    &["session"],
    &["provider", "config"],
    &["__private"],
    &["testing"],
];

/// Rooms that need less than the order lets them.
const ONLY: &[(&str, &[&str])] =
    &[("provider", &["error", "value", "definition", "schema", "arguments", "output"])];

/// `lib.rs` shows everything, and `testing` checks everything.
const EXEMPT: &[&str] = &["lib", "testing"];

const SOURCE: &str = "tool-runtime/src/";

/// Names every use of a room by one that stands to its left.
pub(super) fn check(tree: &Tree) -> Findings {
    let mut findings = Findings::default();
    let exported = tree.get("tool-runtime/src/lib.rs").map(re_exports).unwrap_or_default();
    let files = files(tree);
    // Uses between rooms of one group, each with the first place of it.
    let mut beside: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for File { path, room, .. } in files.iter().filter(|file| place(file.room).is_none()) {
        findings.problem(format!(
            "{path}: `{room}` is no room of tool-runtime; find its room, or add it to \
            ARCHITECTURE.md and to this check"
        ));
    }
    for file in files.iter().filter(|file| place(file.room).is_some()) {
        for (line, name) in uses(file) {
            let at = format!("{}:{line}", file.path);
            let used = exported.get(name).map_or(name, String::as_str);
            if name == "*" {
                findings.problem(format!("{at}: names all of the crate; name the rooms it needs"));
            } else if let Some(fault) = fault(file.room, used) {
                findings.problem(format!("{at}: `{}` uses `{used}`, {fault}", file.room));
            } else if place(used) == place(file.room) {
                beside.entry((file.room, used)).or_insert(at);
            }
        }
    }
    for ((user, used), at) in &beside {
        if let Some(back) = beside.get(&(*used, *user)).filter(|_| user < used) {
            findings
                .problem(format!("{at}: `{user}` uses `{used}`, and {back} does the reverse; keep one way"));
        }
    }
    findings
}

/// Why the one room may not use the other; what is no room may always be used.
fn fault(room: &str, used: &str) -> Option<String> {
    if let Some((_, allowed)) = ONLY.iter().find(|(own, _)| *own == room)
        && place(used).is_some()
        && used != room
        && !allowed.contains(&used)
    {
        return Some(format!("and needs only {}", allowed.join(", ")));
    }
    (place(used) > place(room))
        .then(|| "which stands to its right; move what both need to the left".to_owned())
}

fn place(room: &str) -> Option<usize> {
    ORDER.iter().position(|group| group.contains(&room))
}

/// A file of a room, its code bare and without tests.
struct File<'a> {
    path: &'a str,
    room: &'a str,
    /// How many `super` lead from the file to the root.
    depth: usize,
    code: String,
}

/// The files that the rule binds: no test module, and none that is exempt.
fn files(tree: &Tree) -> Vec<File<'_>> {
    let mut files = Vec::new();
    let mut tests = BTreeSet::new();
    for (path, text) in tree.rust_under(SOURCE) {
        let within = &path[SOURCE.len()..];
        let stem = within.trim_end_matches(".rs").trim_end_matches("/mod");
        let (code, modules) = without_tests(&bare(text));
        let folder = if stem == "lib" { String::new() } else { format!("{stem}/") };
        tests.extend(modules.into_iter().map(|name| format!("{folder}{name}")));
        let room = stem.split('/').next().unwrap_or(stem);
        if !EXEMPT.contains(&room) {
            files.push((stem, File { path, room, depth: stem.split('/').count(), code }));
        }
    }
    let is_test = |stem: &str| tests.iter().any(|test| stem == test || stem.starts_with(&format!("{test}/")));
    files.into_iter().filter(|(stem, _)| !is_test(stem)).map(|(_, file)| file).collect()
}

/// The first names of all paths that start at the root, each with its line.
fn uses<'a>(file: &'a File<'_>) -> Vec<(usize, &'a str)> {
    let tokens = tokens(&file.code);
    let mut found = Vec::new();
    let mut braces = 0_usize;
    let mut modules: Vec<usize> = Vec::new();
    for (at, (_, token)) in tokens.iter().enumerate() {
        let follows = |offset: usize| tokens.get(at + offset).map(|(_, token)| *token);
        let before = |offset: usize| at.checked_sub(offset).map(|i| tokens[i].1);
        match token {
            Token::Mark('{') => {
                braces += 1;
                if before(2) == Some(Token::Word("mod")) {
                    modules.push(braces);
                }
            }
            Token::Mark('}') => {
                modules.pop_if(|depth| *depth == braces);
                braces = braces.saturating_sub(1);
            }
            Token::Word("crate" | "tool_runtime") if follows(1) == Some(Token::Path) => {
                found.extend(first_names(&tokens, at + 2));
            }
            Token::Word("super")
                if before(1) != Some(Token::Path) || before(2) == Some(Token::Word("self")) =>
            {
                let climbs = (0..=file.depth + modules.len())
                    .take_while(|i| follows(2 * i) == Some(Token::Word("super")))
                    .count();
                if climbs == file.depth + modules.len() && follows(2 * climbs - 1) == Some(Token::Path) {
                    found.extend(first_names(&tokens, at + 2 * climbs));
                }
            }
            _ => {}
        }
    }
    found
}

/// The names that stand at `at`: one, or those of a group `{a::b, c}`.
fn first_names<'a>(tokens: &[(usize, Token<'a>)], at: usize) -> Vec<(usize, &'a str)> {
    match tokens.get(at) {
        Some((line, Token::Word(name))) => vec![(*line, name)],
        Some((line, Token::Mark('*'))) => vec![(*line, "*")],
        Some((_, Token::Mark('{'))) => {
            let mut names = Vec::new();
            let mut depth = 0_usize;
            let mut fresh = true;
            for (line, token) in &tokens[at..] {
                match token {
                    Token::Mark('{') => depth += 1,
                    Token::Mark('}') => depth -= 1,
                    Token::Mark(',') if depth == 1 => fresh = true,
                    Token::Mark('*') if depth == 1 && fresh => names.push((*line, "*")),
                    Token::Word(name) if depth == 1 && fresh => {
                        fresh = false;
                        names.push((*line, *name));
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            names
        }
        _ => Vec::new(),
    }
}

/// The names that the crate's root takes out of rooms, each with its room.
fn re_exports(lib: &str) -> BTreeMap<String, String> {
    let code = bare(lib);
    let tokens: Vec<Token<'_>> = tokens(&code).into_iter().map(|(_, token)| token).collect();
    let mut found = BTreeMap::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at] == Token::Word("use")) {
        let rest = tokens[at + 1..].split(|token| *token == Token::Mark(';')).next().unwrap_or_default();
        let path = rest.iter().filter_map(|token| match token {
            Token::Word(word) => Some(*word),
            _ => None,
        });
        let words: Vec<&str> = path.skip_while(|word| matches!(*word, "self" | "crate")).collect();
        let Some(room) = words.first().filter(|room| place(room).is_some()) else { continue };
        // A leaf is a word before `,`, `}` or the end; behind `as` stands the name that counts.
        for (i, token) in rest.iter().enumerate() {
            let ends = matches!(rest.get(i + 1), None | Some(Token::Mark(',' | '}')));
            if let (Token::Word(name), true) = (token, ends) {
                found.insert((*name).to_owned(), (*room).to_owned());
            }
        }
    }
    found.retain(|name, _| place(name).is_none());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems<const N: usize>(files: [(&str, &str); N]) -> Vec<String> {
        check(&Tree::from(files)).problems
    }

    fn in_room(path: &str, text: &str) -> usize {
        problems([(path, text)]).len()
    }

    #[test]
    fn leftward_uses_pass() {
        let text = "use crate::{error::ToolError, value::{self, Number}};\nuse super::card;";
        assert_eq!(problems([("tool-runtime/src/output/render.rs", text)]), Vec::<String>::new());
    }

    #[test]
    fn every_spelling_of_a_rightward_use_is_found() {
        for text in [
            "use crate::registry::Registry;",
            "use crate::{error, registry};",
            "use crate::{\n    error::ToolError,\n    registry::{Registry, Scope},\n};",
            "fn f() { crate::registry::f() }",
            "macro_rules! m { () => { $crate::registry::f() } }",
            "use ::tool_runtime::registry::Registry;",
            "use super::super::registry;",
            "mod inner { use super::super::super::registry::Registry; }",
            "use crate::*;",
        ] {
            assert_eq!(in_room("tool-runtime/src/value/number.rs", text), 1, "{text}");
        }
        assert_eq!(in_room("tool-runtime/src/value/mod.rs", "use super::registry::Registry;"), 1);
        assert_eq!(in_room("tool-runtime/src/error.rs", "use super::value;"), 1);
    }

    #[test]
    fn a_problem_names_its_line_and_both_rooms() {
        let found = problems([("tool-runtime/src/value/mod.rs", "\n// crate::tool\nuse crate::tool::Tool;")]);
        assert_eq!(
            found,
            ["tool-runtime/src/value/mod.rs:3: `value` uses `tool`, which stands to its right; \
                move what both need to the left"]
        );
    }

    #[test]
    fn comments_strings_and_tests_do_not_count() {
        let text = "/// [`crate::registry::Registry`]\nconst A: &str = \"crate::registry\";\n\
            #[cfg(test)]\nmod tests { use crate::registry::Registry; }";
        assert_eq!(in_room("tool-runtime/src/value/mod.rs", text), 0);
        let files = [
            ("tool-runtime/src/value/mod.rs", "#[cfg(test)]\nmod tests;"),
            ("tool-runtime/src/value/tests.rs", "use crate::registry::Registry;"),
        ];
        assert_eq!(problems(files).len(), 0);
        let undeclared = [("tool-runtime/src/value/tests.rs", "use crate::registry::Registry;")];
        assert_eq!(problems(undeclared).len(), 1);
    }

    #[test]
    fn a_name_of_the_root_counts_as_its_room() {
        let lib =
            "pub mod registry;\n#[doc(inline)]\npub use self::registry::{Registry, layer::Layer as Floor};";
        for (name, count) in [("Registry", 1), ("Floor", 1), ("Layer", 0)] {
            let text = format!("use crate::{name};");
            let files = [("tool-runtime/src/lib.rs", lib), ("tool-runtime/src/value/mod.rs", text.as_str())];
            assert_eq!(problems(files).len(), count, "{name}");
        }
    }

    #[test]
    fn rooms_beside_each_other_use_one_way() {
        let forth = ("tool-runtime/src/definition/mod.rs", "use crate::schema::Schema;");
        let back = ("tool-runtime/src/schema/mod.rs", "use crate::definition::ToolName;");
        assert_eq!(problems([forth]).len(), 0);
        assert_eq!(problems([forth, back]).len(), 1);
    }

    #[test]
    fn a_provider_needs_only_its_four_rooms() {
        assert_eq!(in_room("tool-runtime/src/provider/openai.rs", "use crate::{definition, output};"), 0);
        assert_eq!(in_room("tool-runtime/src/provider/openai.rs", "use crate::registry::Registry;"), 1);
    }

    #[test]
    fn the_shop_window_and_the_test_helper_see_everything() {
        assert_eq!(in_room("tool-runtime/src/lib.rs", "use crate::session::Session;"), 0);
        assert_eq!(in_room("tool-runtime/src/testing.rs", "use crate::session::Session;"), 0);
        assert_eq!(in_room("tool-runtime/src/registry/mod.rs", "use crate::testing::check_all;"), 1);
    }

    #[test]
    fn an_unknown_room_is_a_problem() {
        assert_eq!(in_room("tool-runtime/src/attic.rs", ""), 1);
    }
}
