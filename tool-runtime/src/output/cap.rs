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
        if content.len() > MAX_BLOCKS {
            return self.text.is_none() && self.binary.is_none();
        }
        let (text, binary) = sizes(content);
        self.text.is_none_or(|most| text <= most) && self.binary.is_none_or(|most| binary <= most)
    }
}

/// The most blocks of one result; more are put together.
const MAX_BLOCKS: usize = 256;

/// So many texts may be cut to less than is worth it.
const MANY_TEXTS: usize = 8;

/// The least share of one of many blocks of text that is worth to be cut by itself, so that its mark is not longer than what it stands for.
const MIN_SHARE: usize = 256;

fn sizes(content: &[ContentBlock]) -> (usize, usize) {
    content.iter().fold((0, 0), |(text, binary), block| match block {
        ContentBlock::Text(_) | ContentBlock::Resource { .. } | ContentBlock::ResourceLink { .. } => {
            (text + block.size(), binary)
        }
        ContentBlock::Image { .. } | ContentBlock::Audio { .. } => (text, binary + block.size()),
    })
}

/// Puts many blocks together: what can be read becomes one text, and of the rest the first stay.
fn together(content: Vec<ContentBlock>) -> Vec<ContentBlock> {
    let mut text = String::new();
    let mut blocks = Vec::new();
    let mut more = 0_usize;
    for block in content {
        let line = match &block {
            ContentBlock::Text(own) | ContentBlock::Resource { text: own, .. } => own,
            ContentBlock::ResourceLink { uri, name } => &format!("{name}: {uri}"),
            ContentBlock::Image { .. } | ContentBlock::Audio { .. } if blocks.len() + 2 < MAX_BLOCKS => {
                blocks.push(block);
                continue;
            }
            ContentBlock::Image { .. } | ContentBlock::Audio { .. } => {
                more += 1;
                continue;
            }
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
    }
    if more > 0 {
        blocks.push(ContentBlock::Text(format!("[{more} more blocks left out]")));
    }
    blocks.insert(0, ContentBlock::Text(text));
    blocks
}

/// Cuts content to its limits: of texts the head and the tail stay, other blocks give way to a line that says what they were. The marks
/// come on top of the limits.
pub(crate) fn capped(content: Vec<ContentBlock>, limits: Limits, handle: Option<&str>) -> Vec<ContentBlock> {
    let texts = content.iter().filter(|block| block.as_text().is_some()).count();
    let too_many = content.len() > MAX_BLOCKS
        || limits
            .text
            .is_some_and(|most| texts > MANY_TEXTS && most / texts < MIN_SHARE && !limits.hold(&content));
    let content = if too_many { together(content) } else { content };
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
            ContentBlock::ResourceLink { .. } => {
                let size = block.size();
                if share < size { left_out("link", size) } else { block }
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
    let length = |block: &ContentBlock| match block {
        ContentBlock::Image { .. } | ContentBlock::Audio { .. } => 0,
        other => other.size(),
    };
    let lengths: Vec<usize> = content.iter().map(length).collect();
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
            let read: usize = cut.iter().map(ContentBlock::size).sum();
            prop_assert!(read <= most + "… [300 characters left out; the whole is r1] …".len() * cut.len());
            for ((block, text), share) in cut.iter().zip(&texts).zip(shares) {
                let kept = block.as_text().unwrap_or_default();
                prop_assert!(kept == text || kept.contains("; the whole is r1] …") || cut.len() < texts.len());
                prop_assert!(kept == text || share < text.len() || cut.len() < texts.len());
            }
        }
    }
}
