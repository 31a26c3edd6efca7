//! Cutting of oversized text.

use std::borrow::Cow;

/// Cuts text of more than `limit` bytes, keeping its head and tail.
///
/// What is missing is replaced by `… [N characters left out] …`, which comes on top of the limit. No character is
/// cut in two, and text is never made longer than it was.
///
/// # Examples
/// ```
/// use tool_runtime::output::truncate;
///
/// let log = "first line\n".to_owned() + &".".repeat(500) + "\nlast line";
/// assert_eq!(truncate(&log, 20), "first line… [501 characters left out] …\nlast line");
/// assert_eq!(truncate("short", 20), "short");
/// ```
pub fn truncate(text: &str, limit: usize) -> Cow<'_, str> {
    cut(text, limit, None)
}

/// The same, with a handle to the whole in the mark.
pub(super) fn cut<'t>(text: &'t str, limit: usize, handle: Option<&str>) -> Cow<'t, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let tail_len = limit / 2;
    let (head, rest) = text.split_at(text.floor_char_boundary(limit - tail_len));
    let (missing, tail) = rest.split_at(rest.ceil_char_boundary(rest.len().saturating_sub(tail_len)));
    let whole = handle.map(|handle| format!("; the whole is {handle}")).unwrap_or_default();
    let cut = format!("{head}… [{} characters left out{whole}] …{tail}", missing.chars().count());
    if cut.len() < text.len() { Cow::Owned(cut) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_kept_and_what_is_counted_make_the_text(
            text in "[a-zß€😀\n]{0,300}",
            limit in 0..400_usize,
        ) {
            let cut = truncate(&text, limit);
            prop_assert!(cut.len() <= text.len());
            if let Cow::Owned(cut) = &cut {
                let (head, rest) = cut.split_once("… [").unwrap_or_default();
                let (count, tail) = rest.split_once(" characters left out] …").unwrap_or_default();
                prop_assert!(head.len() + tail.len() <= limit);
                // At each side at most a part of one character is given up.
                prop_assert!(head.len() + tail.len() + 6 >= limit);
                prop_assert!(text.starts_with(head) && text.ends_with(tail));
                let kept = head.chars().count() + tail.chars().count();
                prop_assert_eq!(count.parse(), Ok(text.chars().count() - kept));
            } else {
                // Left whole: within the limit, or shorter than it would be with the marker.
                prop_assert!(text.len() <= limit + "… [300 characters left out] …".len());
                prop_assert_eq!(&*cut, text.as_str());
            }
        }
    }

    #[test]
    fn a_limit_of_nothing_leaves_the_count() {
        assert_eq!(truncate(&"ä".repeat(100), 0), "… [100 characters left out] …");
        assert_eq!(truncate(&"ä".repeat(100), 3), "ä… [99 characters left out] …");
    }
}
