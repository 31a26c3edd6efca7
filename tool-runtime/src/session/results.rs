//! Results that were too long for the model: kept whole, and read piece by piece.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use crate::definition::{Effect, RESULT_READ};
use crate::error::{Foreign, ToolError, contained};
use crate::output::{ContentBlock, ContentStore};
use crate::tool::{DynamicTool, DynamicToolError, Tool};
use crate::tool_type;

/// What was too long.
pub(super) struct Results {
    store: Foreign<Box<dyn ContentStore>>,
    /// Whether there has been any.
    any: AtomicBool,
}

impl Results {
    pub(super) fn new(store: Box<dyn ContentStore>) -> Arc<Self> {
        Arc::new(Self { store: Foreign::new(store), any: AtomicBool::new(false) })
    }

    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Acquire)
    }

    pub(super) fn keep(&self, call_id: &str, content: &[ContentBlock]) -> Option<String> {
        let handle = contained(|| self.store.keep(call_id, content)).flatten()?;
        self.any.store(true, Ordering::Release);
        Some(handle)
    }

    pub(super) fn get(&self, handle: &str) -> Option<Vec<ContentBlock>> {
        contained(|| self.store.get(handle)).flatten()
    }
}

/// Which piece of which result.
#[tool_type(crate = crate)]
struct Piece {
    /// The name of the whole, as it stands where something was left out.
    handle: String,
    /// The first character to read.
    #[arg(default = 0)]
    from: u32,
    /// How many characters to read.
    #[arg(minimum = 1, maximum = 30_000, default = 20_000)]
    length: u16,
}

/// `result_read` of one session.
pub(super) fn result_tool(results: &Arc<Results>) -> Result<Tool, DynamicToolError> {
    let results = Arc::downgrade(results);
    DynamicTool::reserved(RESULT_READ, "Reads a piece of a result that was too long to be shown whole.")
        .effect(Effect::Read)
        .background(false)
        .typed(move |piece: Piece| std::future::ready(read(&results, &piece)))
}

fn read(results: &Weak<Results>, piece: &Piece) -> Result<String, ToolError> {
    let results = results.upgrade().ok_or_else(|| ToolError::new("the session is over"))?;
    let content = results.get(&piece.handle).ok_or_else(|| {
        let shown: String = piece.handle.chars().take(256).collect();
        ToolError::new(format!("nothing is kept under {}, or not any more", serde_json::Value::from(shown)))
    })?;
    let texts: Vec<&str> = content.iter().filter_map(ContentBlock::as_text).collect();
    let text = texts.join("\n");
    let (from, length) = (piece.from as usize, usize::from(piece.length));
    let count = text.chars().count();
    let read: String = text.chars().skip(from).take(length).collect();
    let to = from.saturating_add(length).min(count);
    Ok(format!("[characters {} to {to} of {count}]\n{read}", from.min(count)))
}
