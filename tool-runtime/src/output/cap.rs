//! Content that is too long for a model is cut.

use std::fmt::Write;

use super::ContentBlock;
use super::truncate::cut;

/// How much of one result a model reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Bytes of all text together.
    pub(crate) text: Option<usize>,
    /// Bytes of everything else together.
    pub(crate) binary: Option<usize>,
}

impl Limits {
    /// Whether content stays within the limits.
    #[inline]
    pub(crate) fn hold(self, content: &[ContentBlock]) -> bool {
        let (text, binary) = sizes(content);
        self.text.is_none_or(|most| text <= most) && self.binary.is_none_or(|most| binary <= most)
    }
}

fn sizes(content: &[ContentBlock]) -> (usize, usize) {
    content.iter().fold((0, 0), |(text, binary), block| match block.as_text() {
        Some(own) => (text + own.len(), binary),
        None => (text, binary + block.size()),
    })
}

/// Cuts content to its limits: of texts the head and the tail stay, other blocks give way to a line that says what they were. The marks
/// come on top of the limits.
pub(crate) fn capped(content: Vec<ContentBlock>, limits: Limits, handle: Option<&str>) -> Vec<ContentBlock> {
    let shares = shares(&content, limits.text);
    let mut binary = 0;
    let left_out = |kind: &str, size: usize| {
        let mut line = format!("[{kind} of {size} bytes left out");
        if let Some(handle) = handle {
            let _ = write!(line, "; the whole is {handle}");
        }
        line.push(']');
        ContentBlock::Text(line)
    };
    content
        .into_iter()
        .zip(shares)
        .map(|(block, share)| match block {
            ContentBlock::Text(text) => ContentBlock::Text(cut(&text, share, handle).into_owned()),
            ContentBlock::Resource { uri, media_type, text } => {
                ContentBlock::Resource { uri, media_type, text: cut(&text, share, handle).into_owned() }
            }
            other => {
                let size = other.size();
                if limits.binary.is_some_and(|most| binary + size > most) {
                    return left_out(other.kind(), size);
                }
                binary += size;
                other
            }
        })
        .collect()
}

/// How many bytes each text may have: short ones stay whole, and what they leave is shared evenly by the others.
fn shares(content: &[ContentBlock], most: Option<usize>) -> Vec<usize> {
    let lengths: Vec<usize> = content.iter().map(|block| block.as_text().map_or(0, str::len)).collect();
    let Some(mut left) = most else { return lengths };
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|index| lengths.get(*index).copied());
    let mut shares = vec![0; lengths.len()];
    for (place, index) in order.iter().enumerate() {
        let share = left / (order.len() - place);
        let own = lengths.get(*index).copied().unwrap_or_default().min(share);
        left -= own;
        if let Some(slot) = shares.get_mut(*index) {
            *slot = own;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_cut_is_within_its_limit_and_the_short_stays_whole(
            texts in proptest::collection::vec("[aé😀]{0,60}", 1..6),
            most in 0..200_usize,
        ) {
            let content: Vec<ContentBlock> = texts.iter().map(|text| ContentBlock::text(text.as_str())).collect();
            let shares = shares(&content, Some(most));
            prop_assert!(shares.iter().sum::<usize>() <= most);
            let total: usize = texts.iter().map(String::len).sum();
            if total <= most {
                prop_assert!(shares.iter().zip(&texts).all(|(share, text)| *share == text.len()));
            }
            // Nobody who is cut has less than somebody else has.
            let largest = shares.iter().max().copied().unwrap_or_default();
            for (share, text) in shares.iter().zip(&texts) {
                prop_assert!(*share == text.len() || *share + texts.len() >= largest);
            }
            let limits = Limits { text: Some(most), binary: None };
            let cut = capped(content, limits, Some("r1"));
            for ((block, text), share) in cut.iter().zip(&texts).zip(shares) {
                let kept = block.as_text().unwrap_or_default();
                prop_assert!(kept == text || (kept.contains("; the whole is r1] …") && share < text.len()));
            }
        }
    }
}
