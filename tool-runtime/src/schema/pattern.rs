//! Regular expressions as JSON Schema writes them (ECMA 262), run in linear time.

use regex::Regex;

use super::ecma::translate;

/// A `pattern`, as written and as run.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    source: String,
    regex: Regex,
}

impl Pattern {
    /// Compiles a pattern; the error is one line for people.
    pub(crate) fn new(source: &str) -> Result<Self, String> {
        match Regex::new(&translate(source)?) {
            Ok(regex) => Ok(Self { source: source.to_owned(), regex }),
            Err(regex::Error::CompiledTooBig(_)) => Err("it is too large".to_owned()),
            Err(error) => {
                let text = error.to_string();
                let line = text.lines().last().unwrap_or_default();
                Err(line.trim_start_matches("error: ").to_owned())
            }
        }
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern is found anywhere in the text.
    pub(crate) fn fits(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_ecma_says() {
        for (pattern, text, fits) in [
            (r"^\d+$", "12", true),
            (r"^\d+$", "١٢", false),
            (r"^[\w.]+$", "a_.b", true),
            (r"^\w$", "é", false),
            (r"b", "abc", true),
            (r"^a.c$", "a\rc", false),
            (r"^[[]$", "[", true),
            (r"^[a&&b]$", "&", true),
            (r"^a\/b$", "a/b", true),
            (r"^\u0061$", "a", true),
            (r"^\p{Lu}$", "É", true),
            (r"\bcat\b", "a cat.", true),
            (r"^\s$", "\u{feff}", true),
        ] {
            let compiled = Pattern::new(pattern).unwrap();
            assert_eq!(compiled.fits(text), fits, "{pattern} on {text:?}");
        }
    }

    #[test]
    fn patterns_that_are_not_linear_are_refused() {
        for pattern in ["(?=a)", r"(a)\1", "(", "a{1000000}", r"a\Z", "*"] {
            assert!(Pattern::new(pattern).is_err(), "{pattern}");
        }
    }
}
