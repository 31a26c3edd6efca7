//! Regular expressions as JSON Schema writes them (ECMA 262), run in linear time.

use regex::{Regex, RegexBuilder};

/// The largest compiled pattern, in bytes.
const OWN_SIZE: usize = 10 << 20;

/// The largest compiled pattern of a schema that others wrote, which may have many.
pub(super) const FOREIGN_SIZE: usize = 512 << 10;

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
        Self::within(source, OWN_SIZE)
    }

    /// Compiles a pattern that others wrote, `None` if it is none, or large; with what it costs in bytes, about.
    pub(super) fn foreign(source: &str) -> (Option<Self>, usize) {
        const SIZES: [usize; 3] = [16 << 10, 96 << 10, FOREIGN_SIZE];
        let mut cost = 0;
        for size in SIZES {
            cost += size;
            if let Ok(pattern) = Self::within(source, size) {
                return (Some(pattern), cost);
            }
        }
        (None, cost)
    }

    fn within(source: &str, size: usize) -> Result<Self, String> {
        match RegexBuilder::new(&translate(source)?).size_limit(size).build() {
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
