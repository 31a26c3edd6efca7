//! Calls that a model makes over and over.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;

use crate::arguments::ToolCall;
use crate::definition::RESERVED_TOOL_NAMES;
use crate::value::quoted;

/// After how many equal calls of one turn the model is reminded.
const REMINDED: [u32; 3] = [3, 5, 8];

/// How many different calls of one turn are counted.
const MAX_COUNTED: usize = 1024;

/// How often each call of a turn was made.
pub(super) struct Repeats(Option<Mutex<HashMap<u64, u32, RandomState>>>);

impl Repeats {
    pub(super) fn new(counts: bool) -> Self {
        Self(counts.then(Mutex::default))
    }

    /// A turn begins.
    pub(super) fn clear(&self) {
        if let Some(counts) = &self.0 {
            counts.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// A call comes in; what the model is to read of that, if it has made the same one often. The tools of the conversation itself are
    /// asked often for good reasons.
    pub(super) fn note(&self, call: &ToolCall) -> Option<String> {
        let counts = self.0.as_ref()?;
        if RESERVED_TOOL_NAMES.contains(&call.name()) {
            return None;
        }
        let count = {
            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
            let key = counts.hasher().hash_one((call.name(), call.arguments()));
            if counts.len() >= MAX_COUNTED && !counts.contains_key(&key) {
                return None;
            }
            let count = counts.entry(key).or_default();
            *count = count.saturating_add(1);
            *count
        };
        REMINDED.contains(&count).then(|| {
            let name = quoted(call.name());
            format!(
                "{name} was called {count} times with the same arguments in this turn. Calling it again will hardly bring anything new: \
                 try something else, or say what is missing."
            )
        })
    }
}
