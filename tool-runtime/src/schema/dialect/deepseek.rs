//! `DeepSeek`'s strict functions; its plain ones are OpenAI's.

use super::rules::{References, Rules};

/// Closed objects, everything required, a type everywhere.
pub(super) const STRICT: Rules = Rules {
    strict: true,
    plain: Some(&super::openai::PLAIN),
    references: References::OutsideUnions,
    formats: &["email", "hostname", "ipv4", "ipv6", "uuid"],
    ..Rules::plain(8)
};
