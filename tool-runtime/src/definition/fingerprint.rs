//! Fingerprints: whether a definition is still the one that somebody approved.

use std::fmt;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::ToolDefinition;
use crate::value::canonical;

/// The SHA-256 (FIPS 180-4) of a definition's canonical JSON; never over file or line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    fn over(value: &Value) -> Self {
        Self(Sha256::digest(canonical(value).as_bytes()).into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// The prompt fingerprint and the whole one.
pub(super) fn of(definition: &ToolDefinition) -> (Fingerprint, Fingerprint) {
    let prompt = json!({
        "name": definition.name(),
        "title": definition.title(),
        "description": definition.description(),
        "input_schema": definition.input_schema().to_value(),
    });
    let whole = json!({
        "prompt": prompt,
        "origin": definition.origin().to_string(),
        "owner": definition.owner(),
        "effect": definition.effect().as_str(),
        "idempotent": definition.is_idempotent(),
        "annotations": definition.annotations(),
        "output_schema": definition.output_schema().map(crate::schema::Schema::to_value),
        "permission": definition.permission(),
    });
    (Fingerprint::over(&prompt), Fingerprint::over(&whole))
}
