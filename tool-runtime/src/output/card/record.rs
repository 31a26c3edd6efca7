//! What is recorded of a call for those who look at it later.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output::ContentBlock;

/// The most bytes of card data, as JSON text.
pub const MAX_CARD_DATA: usize = 64 * 1024;

/// What is recorded of a call: enough to draw its cards, at any time, without running anything. Written and read by serde.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    pub(crate) call_id: String,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<RecordedResult>,
}

/// What is recorded of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedResult {
    pub(crate) content: Vec<ContentBlock>,
    pub(crate) is_error: bool,
    /// What a presenter made of the arguments and the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) card_data: Option<Value>,
}

impl CallRecord {
    /// The id of the call.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The tool's name.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The effective arguments as JSON text, secrets masked; `{}` where they could not be read.
    pub fn arguments(&self) -> &str {
        &self.arguments
    }

    /// How the call ended; `None` while it runs.
    pub fn result(&self) -> Option<&RecordedResult> {
        self.result.as_ref()
    }
}

impl RecordedResult {
    /// What the model read.
    pub fn content(&self) -> &[ContentBlock] {
        &self.content
    }

    /// All text of the content, blocks joined by a line break.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.content.iter().filter_map(ContentBlock::as_text).collect();
        texts.join("\n")
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// What the tool's presenter made of the arguments and the value; at most [`MAX_CARD_DATA`] bytes.
    pub fn card_data(&self) -> Option<&Value> {
        self.card_data.as_ref()
    }
}
