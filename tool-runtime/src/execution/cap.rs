//! The last stage: what is too long for a model is kept whole where a program, or a tool, can read it, and cut.

use std::sync::Arc;

use super::site::{Conversation, Site};
use crate::definition::RESULT_READ;
use crate::error::contained;
use crate::output::{CallOutput, ToolResult, capped};

impl Site {
    /// The answer to a call of a model.
    pub(crate) fn answer(&self, id: String, name: String, output: CallOutput) -> ToolResult {
        self.capped(&id, &name, output).answer(id, name)
    }

    /// An output within the limits of what a model reads.
    #[inline]
    pub(crate) fn capped(&self, id: &str, name: &str, output: CallOutput) -> CallOutput {
        let limits = self.node.tree().settings.content;
        if limits.hold(output.content()) { output } else { self.cut(id, name, output) }
    }

    #[cold]
    fn cut(&self, id: &str, name: &str, output: CallOutput) -> CallOutput {
        // It reads what was cut, within limits of its own.
        if name == RESULT_READ {
            return output;
        }
        let content = output.content();
        let keep =
            |conversation: &Arc<dyn Conversation>| contained(|| conversation.keep(id, content)).flatten();
        let handle = self.conversation.as_ref().and_then(keep);
        let content = capped(content.to_vec(), self.node.tree().settings.content, handle.as_deref());
        output.with_content(content)
    }
}
