//! Content blocks: what a model reads of a result.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// One piece of a tool's result, as a model reads it.
///
/// Inside another value it is written as an object: `{"type":"text","text":"…"}`.
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

impl ContentBlock {
    /// How many bytes it brings.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text(text) | Self::Resource { text, .. } => text.len(),
            Self::Image { data, .. } | Self::Audio { data, .. } => data.len(),
            Self::ResourceLink { uri, name } => uri.len() + name.len(),
        }
    }

    /// What it is, in a word.
    pub(crate) fn kind(&self) -> &str {
        match self {
            Self::Text(_) => "text",
            Self::Image { media_type, .. }
            | Self::Audio { media_type, .. }
            | Self::Resource { media_type, .. } => media_type,
            Self::ResourceLink { .. } => "link",
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

impl Serialize for ContentBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = |kind: &'static str, rest: &[(&'static str, &str)]| {
            let mut object = serializer.serialize_struct("ContentBlock", rest.len() + 1)?;
            object.serialize_field("type", kind)?;
            for (name, value) in rest {
                object.serialize_field(name, value)?;
            }
            object.end()
        };
        match self {
            Self::Text(text) => fields("text", &[("text", text)]),
            Self::Image { data, media_type } => {
                fields("image", &[("data", &STANDARD.encode(data)), ("mimeType", media_type)])
            }
            Self::Audio { data, media_type } => {
                fields("audio", &[("data", &STANDARD.encode(data)), ("mimeType", media_type)])
            }
            Self::ResourceLink { uri, name } => fields("resource_link", &[("uri", uri), ("name", name)]),
            Self::Resource { uri, media_type, text } => {
                fields("resource", &[("uri", uri), ("mimeType", media_type), ("text", text)])
            }
        }
    }
}

/// As it is written, read again.
#[derive(serde::Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Written {
    Text {
        text: String,
    },
    Image {
        data: String,
        #[serde(rename = "mimeType")]
        media_type: String,
    },
    Audio {
        data: String,
        #[serde(rename = "mimeType")]
        media_type: String,
    },
    ResourceLink {
        uri: String,
        name: String,
    },
    Resource {
        uri: String,
        #[serde(rename = "mimeType")]
        media_type: String,
        text: String,
    },
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = |data: String| STANDARD.decode(data).map_err(D::Error::custom);
        Ok(match Written::deserialize(deserializer)? {
            Written::Text { text } => Self::Text(text),
            Written::Image { data, media_type } => {
                Self::Image { data: bytes(data)?, media_type: media_type.into() }
            }
            Written::Audio { data, media_type } => {
                Self::Audio { data: bytes(data)?, media_type: media_type.into() }
            }
            Written::ResourceLink { uri, name } => Self::ResourceLink { uri, name },
            Written::Resource { uri, media_type, text } => {
                Self::Resource { uri, media_type: media_type.into(), text }
            }
        })
    }
}

impl JsonSchema for ContentBlock {
    fn schema_name() -> Cow<'static, str> {
        "ContentBlock".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": ["text", "image", "audio", "resource_link", "resource"]},
                "text": {"type": "string"},
                "data": {"type": "string"},
                "mimeType": {"type": "string"},
                "uri": {"type": "string"},
                "name": {"type": "string"}
            },
            "required": ["type"],
            "additionalProperties": false
        })
    }
}
