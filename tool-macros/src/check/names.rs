//! Rules for names on the wire.

/// Why a text cannot be a tool's name.
pub(crate) fn tool_name(name: &str) -> Option<String> {
    const RESERVED: &[&str] =
        &["tool_search", "run_code", "task_list", "task_output", "task_cancel", "result_read"];
    if name.is_empty() {
        return Some("a tool's name must have at least one character".to_owned());
    }
    if let Some(bad) = name.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '_' || *c == '-')) {
        return Some(format!(
            "`{name}` cannot be a tool's name: OpenAI, Anthropic and Bedrock refuse {bad:?}; write only a-z, A-Z, \
             0-9, `_` and `-`"
        ));
    }
    let length = name.chars().count();
    if length > 64 {
        return Some(format!(
            "a tool's name of {length} characters: OpenAI and Bedrock refuse more than 64; shorten it"
        ));
    }
    if RESERVED.contains(&name) {
        return Some(format!("`{name}` is reserved for the runtime's own tool; take another name"));
    }
    if name.starts_with("mcp__") {
        return Some(format!(
            "`{name}` starts with `mcp__`, which is reserved for tools of MCP servers; take another name"
        ));
    }
    None
}

/// Why a text cannot be an argument's name. `derived` from the parameter's, or written by `rename`.
pub(crate) fn argument_name(name: &str, derived: bool) -> Option<String> {
    let write = if derived { "write `#[arg(rename = \"…\")]` with" } else { "write only" };
    if name.is_empty() {
        return Some("an argument's name must have at least one character".to_owned());
    }
    if derived && name == "_" {
        return Some(
            "this parameter has no name that a model could read; write `#[arg(rename = \"…\")]`, or remove it"
                .to_owned(),
        );
    }
    if derived && name.starts_with('_') {
        return Some(format!(
            "a model would read `{name}` with its underscore; write `#[arg(rename = \"{}\")]`, or remove the \
             parameter",
            name.trim_start_matches('_')
        ));
    }
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let bad = name.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')));
    if let Some(bad) = bad {
        return Some(format!(
            "`{name}` cannot be an argument's name: Anthropic and Gemini refuse {bad:?}; {write} a-z, A-Z, 0-9, \
             `_`, `.` and `-`"
        ));
    }
    if !first {
        return Some(format!(
            "`{name}` cannot be an argument's name: Gemini refuses one that does not begin with a letter or `_`"
        ));
    }
    let length = name.chars().count();
    if length > 64 {
        return Some(format!(
            "an argument's name of {length} characters: Anthropic and Gemini refuse more than 64; {} shorter one",
            if derived { "write `#[arg(rename = \"…\")]` with a" } else { "write a" }
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_names_follow_the_grammar() {
        for good in ["a", "weather_lookup", "get-time", "0x", &"x".repeat(64)] {
            assert_eq!(tool_name(good), None, "{good}");
        }
        for bad in ["", "bad name!", "a/b", "größe", "tool_search", "mcp__a__b", &"x".repeat(65)] {
            assert!(tool_name(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn argument_names_follow_the_grammar() {
        for good in ["a", "type", "page-size", "a.b"] {
            assert_eq!(argument_name(good, true), None, "{good}");
        }
        for bad in ["", "_x", "straße", "1st", "a b", &"x".repeat(65)] {
            assert!(argument_name(bad, true).is_some(), "{bad}");
        }
        assert_eq!(argument_name("_x", false), None);
    }
}
