//! Every mistake of one expansion, reported together.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects mistakes; [`finish`](Self::finish) must be called.
pub(crate) struct Diagnostics {
    errors: RefCell<Option<Vec<syn::Error>>>,
}

impl Diagnostics {
    pub(crate) fn new() -> Self {
        Self { errors: RefCell::new(Some(Vec::new())) }
    }

    /// A mistake, pointing at all of `tokens`.
    pub(crate) fn error(&self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// A mistake found by syn.
    pub(crate) fn push(&self, error: syn::Error) {
        if let Some(errors) = self.errors.borrow_mut().as_mut() {
            errors.push(error);
        }
    }

    /// The value, or `None` with its mistake kept.
    pub(crate) fn ok<T>(&self, result: syn::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.push(error);
                None
            }
        }
    }

    /// Whether nothing has been found so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.count() == 0
    }

    /// How many have been found so far.
    pub(crate) fn count(&self) -> usize {
        self.errors.borrow().as_ref().map_or(0, Vec::len)
    }

    /// All mistakes as `compile_error!`s; `None` if there were none.
    pub(crate) fn finish(self) -> Option<TokenStream> {
        let errors = self.errors.borrow_mut().take().unwrap_or_default();
        let all = errors.into_iter().reduce(|mut all, error| {
            all.combine(error);
            all
        });
        all.map(|all| all.to_compile_error())
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        // Forgotten mistakes are a fault of this crate and must not pass in silence.
        let forgotten = !std::thread::panicking() && self.errors.borrow().is_some();
        assert!(!forgotten, "`Diagnostics` dropped without `finish`");
    }
}

/// The candidate that is nearly `word`, if one is.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The optimal string alignment distance: insertions, deletions, replacements, swaps of neighbours (Damerau, 1964).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (i, x) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], idx: usize| row.get(idx).copied().unwrap_or(usize::MAX / 2);
            let mut best =
                (at(&last, j) + usize::from(x != *y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            if j > 0 && previous == Some(*y) && b.get(j - 1) == Some(&x) {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
        previous = Some(x);
    }
    last.last().copied().unwrap_or_default()
}

/// `` `a`, `b`, `c` ``
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The mistakes that an expansion reports, a line each.
#[cfg(test)]
pub(crate) fn messages(tokens: TokenStream) -> String {
    let mut all = String::new();
    let mut awaited = false;
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Ident(ident) => awaited = ident == "compile_error",
            proc_macro2::TokenTree::Group(group) if awaited => {
                if let Ok(text) = syn::parse2::<syn::LitStr>(group.stream()) {
                    all.push_str(&text.value());
                    all.push('\n');
                }
                awaited = false;
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let keys = ["name", "description", "minimum", "maximum"];
        assert_eq!(nearest("desciption", keys), Some("description"));
        assert_eq!(nearest("nmae", keys), Some("name"));
        assert_eq!(nearest("Minimum", keys), Some("minimum"));
        assert_eq!(nearest("zzz", keys), None);
    }

    #[test]
    #[should_panic(expected = "without `finish`")]
    fn forgotten_mistakes_panic() {
        drop(Diagnostics::new());
    }
}
