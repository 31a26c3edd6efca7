//! Ollama, which reads a few keywords into the prompt and drops the others.

use super::rules::{References, Rules};

pub(super) const PLAIN: Rules = Rules { references: References::Inline, ..Rules::plain(9) };
