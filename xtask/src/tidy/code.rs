//! Rust source as far as the checks need it: without comments and literals, without test code, in
//! tokens.

/// The source with comments and the contents of literals blanked; every line stays where it is.
pub(super) fn bare(source: &str) -> String {
    let letters: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut at = 0;
    while at < letters.len() {
        let end = not_code(&letters, at);
        if end == at {
            code.push(letters[at]);
            at += 1;
        } else {
            code.extend(letters[at..end].iter().map(|letter| if *letter == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
}

/// Where the comment or literal that starts at `at` ends; `at` itself if none does.
fn not_code(letters: &[char], at: usize) -> usize {
    let letter = |offset: usize| letters.get(at + offset).copied();
    match (letters[at], letter(1)) {
        ('/', Some('/')) => find(letters, at, |rest| rest[0] == '\n'),
        ('/', Some('*')) => block_comment(letters, at),
        ('"', _) => quoted(letters, at + 1, '"'),
        ('\'', Some('\\')) => quoted(letters, at + 1, '\''),
        ('\'', Some(_)) if letter(2) == Some('\'') => at + 3,
        ('r', Some('"' | '#')) if starts_literal(letters, at) => raw_string(letters, at).unwrap_or(at),
        _ => at,
    }
}

/// Whether the `r` at `at` is a literal's prefix (`r`, `br`, `cr`) and not the end of a word.
fn starts_literal(letters: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|i| letters[i]);
    match before {
        Some('b' | 'c') => at < 2 || !is_word(letters[at - 2]),
        Some(letter) => !is_word(letter),
        None => true,
    }
}

fn find(letters: &[char], from: usize, is_end: impl Fn(&[char]) -> bool) -> usize {
    (from..letters.len()).find(|i| is_end(&letters[*i..])).unwrap_or(letters.len())
}

fn block_comment(letters: &[char], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut i = at;
    while i < letters.len() {
        match letters[i..] {
            ['/', '*', ..] => (depth, i) = (depth + 1, i + 2),
            ['*', '/', ..] => (depth, i) = (depth.saturating_sub(1), i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            return i;
        }
    }
    letters.len()
}

/// Behind the closing quote, backslashes observed.
fn quoted(letters: &[char], from: usize, quote: char) -> usize {
    let mut i = from;
    while i < letters.len() {
        match letters[i] {
            '\\' => i += 2,
            letter if letter == quote => return i + 1,
            _ => i += 1,
        }
    }
    letters.len()
}

/// Behind a raw string; `None` for a raw identifier.
fn raw_string(letters: &[char], at: usize) -> Option<usize> {
    let hashes = letters[at + 1..].iter().take_while(|letter| **letter == '#').count();
    let opening = at + 1 + hashes;
    (letters.get(opening) == Some(&'"')).then(|| {
        let closes =
            |rest: &[char]| rest[0] == '"' && rest[1..].iter().take_while(|l| **l == '#').count() >= hashes;
        (find(letters, opening + 1, closes) + 1 + hashes).min(letters.len())
    })
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A word, `::`, or any other single mark, with its line, counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Path,
    Mark(char),
}

/// Bare code in tokens, each with its line.
pub(super) fn tokens(bare: &str) -> Vec<(usize, Token<'_>)> {
    let mut tokens = Vec::new();
    for (index, line) in bare.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let (token, length) = if is_word(first) {
                let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
                (Token::Word(&rest[..length]), length)
            } else if rest.starts_with("::") {
                (Token::Path, 2)
            } else {
                (Token::Mark(first), first.len_utf8())
            };
            tokens.push((index + 1, token));
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

/// Bare code without what `#[cfg(test)]` stands on, and the test modules that are files of their own.
pub(super) fn without_tests(bare: &str) -> (String, Vec<String>) {
    let mut code = String::with_capacity(bare.len());
    let mut modules = Vec::new();
    let mut rest = bare;
    if bare.contains("#![cfg(test)]") {
        return (code, modules);
    }
    while let Some(at) = ["#[cfg(test)]", "#[cfg(all(test"].iter().filter_map(|mark| rest.find(mark)).min() {
        let item = &rest[at..];
        let length = item_length(item);
        code.push_str(&rest[..at]);
        code.extend(item[..length].chars().filter(|letter| *letter == '\n'));
        modules.extend(declared_modules(&item[..length]));
        rest = &item[length..];
    }
    code.push_str(rest);
    (code, modules)
}

/// Words that say of an item, by the first of them, that a closing brace ends it.
const BRACED: &[&str] = &["fn", "mod", "impl", "struct", "enum", "trait", "union", "macro_rules"];
/// Words that say that only a semicolon does.
const UNBRACED: &[&str] = &["use", "static", "type", "let"];

/// Up to the end of the item that starts here, its attributes included.
fn item_length(item: &str) -> usize {
    let mut depth = 0_usize;
    let mut braced = None;
    let mut word_start = None;
    for (at, letter) in item.char_indices() {
        if depth == 0 && is_word(letter) {
            word_start.get_or_insert(at);
            continue;
        }
        if let Some(start) = word_start.take() {
            let word = &item[start..at];
            if BRACED.contains(&word) || UNBRACED.contains(&word) || letter == '!' {
                braced.get_or_insert(!UNBRACED.contains(&word));
            }
        }
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && braced == Some(true) {
                    return at + 1;
                }
            }
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    item.len()
}

/// The modules declared as `mod name;` in bare code.
pub(super) fn declared_modules(bare: &str) -> Vec<String> {
    let tokens = tokens(bare);
    let declared = tokens.windows(3).filter_map(|three| match three {
        [(_, Token::Word("mod")), (_, Token::Word(name)), (_, Token::Mark(';'))] => Some((*name).to_owned()),
        _ => None,
    });
    declared.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_lines_stay() {
        let source =
            "a /* b /* c */ d */ e // f\n\"g \\\" h\" 'i' '\\'' r#\"j \" k\"# br\"l\" r#type 'm: \"\n\" n";
        let blanked = bare(source);
        assert_eq!(blanked.split_whitespace().collect::<Vec<_>>(), ["a", "e", "b", "r#type", "'m:", "n"]);
        assert_eq!(blanked.lines().count(), source.lines().count());
    }

    #[test]
    fn a_word_that_ends_in_r_starts_no_raw_string() {
        assert_eq!(bare("macro_for!(bar, r\"x\", y)").trim(), "macro_for!(bar,     , y)");
    }

    #[test]
    fn test_code_is_left_out() {
        let source = "use a;\n#[cfg(test)]\nuse crate::{b, c};\nfn d() { x }\n\
            #[cfg(test)]\n#[rustfmt::skip]\nmod tests {\n  fn e() { y }\n}\nfn f() {}\n\
            #[cfg(all(test, loom))]\nmod laws;\nz";
        let (code, modules) = without_tests(source);
        assert_eq!(code.split_whitespace().collect::<String>(), "usea;fnd(){x}fnf(){}z");
        assert_eq!(code.lines().count(), source.lines().count());
        assert_eq!(modules, ["laws"]);
    }

    #[test]
    fn test_items_with_braces_or_semicolons_end_where_they_end() {
        for item in [
            "const X: [u8; 2] = { [1; 2] };",
            "impl X { fn y(&self) {} }",
            "pub(crate) const fn x() -> [u8; 2] { y; }",
            "laws! { x; }",
        ] {
            let source = format!("#[cfg(test)]\n{item} rest");
            assert_eq!(without_tests(&source).0.trim(), "rest", "{item}");
        }
    }

    #[test]
    fn tokens_know_their_lines() {
        let expected =
            [(1, Token::Word("use")), (2, Token::Word("a")), (2, Token::Path), (2, Token::Mark('*'))];
        assert_eq!(tokens("use\n  a::*"), expected);
    }
}
