//! Amazon Bedrock's Converse.

use super::rules::{Keys, References, Rules};

/// References are written out where that is possible, since Amazon's own models read none.
pub(super) const PLAIN: Rules =
    Rules { references: References::Prefer, keys: Keys::Anthropic, ..Rules::plain(6) };

/// A subset of JSON Schema, in which an unknown keyword refuses the whole request.
pub(super) const STRICT: Rules = Rules {
    strict: true,
    plain: Some(&PLAIN),
    keys: Keys::Anthropic,
    formats: &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
    largest: 1,
    ..Rules::plain(7)
};
