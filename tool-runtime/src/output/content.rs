//! Content blocks: what a model reads of a result.

use std::borrow::Cow;

/// One piece of a tool's result, as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Plain text.
    Text(String),
    /// An image: its bytes and their media type, such as `image/png`.
    Image {
        /// The encoded image.
        data: Vec<u8>,
        /// The media type.
        media_type: Cow<'static, str>,
    },
    /// Sound: its bytes and their media type, such as `audio/wav`.
    Audio {
        /// The encoded sound.
        data: Vec<u8>,
        /// The media type.
        media_type: Cow<'static, str>,
    },
    /// A link to something the client can fetch.
    ResourceLink {
        /// Where it is.
        uri: String,
        /// What it is called.
        name: String,
    },
    /// Something embedded whole, as text.
    Resource {
        /// What it is known by.
        uri: String,
        /// Its media type.
        media_type: Cow<'static, str>,
        /// Its text.
        text: String,
    },
}

impl ContentBlock {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The text of a text block or an embedded resource.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Resource { text, .. } => Some(text),
            _ => None,
        }
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
