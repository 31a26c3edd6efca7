//! Writing of JSON text: fields stand in the order they are written in, whatever features a build turns on.

use std::borrow::Cow;

use crate::output::ContentBlock;
pub(super) use crate::value::write_string as push_string;

/// Writes a JSON array, one item after the other.
pub(super) fn push_list<T>(
    out: &mut String,
    items: impl IntoIterator<Item = T>,
    mut push: impl FnMut(&mut String, T),
) {
    out.push('[');
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        push(out, item);
    }
    out.push(']');
}

/// The text that stands for a block where only text can be carried: what is not text says so.
pub(super) fn block_text(block: &ContentBlock) -> Cow<'_, str> {
    match block {
        ContentBlock::Text(text) => Cow::Borrowed(text),
        ContentBlock::Image { data, media_type } | ContentBlock::Audio { data, media_type } => {
            let count = data.len();
            format!("[{media_type}, {count} bytes: left out, since tool results cannot carry it here]").into()
        }
        ContentBlock::ResourceLink { uri, name } => format!("{name}: {uri}").into(),
        ContentBlock::Resource { uri, media_type, text } => format!("{uri} ({media_type}):\n{text}").into(),
    }
}
