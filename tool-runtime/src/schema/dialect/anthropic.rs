//! Anthropic's Messages.

use super::rules::{Keys, Limits, Rules, without_lookaround};

/// Schemas are part of the prompt; one bad property name refuses the whole request.
pub(super) const PLAIN: Rules = Rules { keys: Keys::Anthropic, ..Rules::plain(2) };

/// Strict tools: closed objects without recursion and bounds; optional properties stay optional.
pub(super) const STRICT: Rules = Rules {
    strict: true,
    plain: Some(&PLAIN),
    formats: &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
    limits: Limits { optional: 24, unions: 16, ..Limits::NONE },
    pattern: simple,
    largest: 1,
    keys: Keys::Anthropic,
    ..Rules::plain(3)
};

/// No lookaround, backreference, word boundary, or large repetition.
fn simple(pattern: &str) -> bool {
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character == '\\'
            && characters.next().is_some_and(|next| matches!(next, 'b' | 'B' | '1'..='9' | 'k'))
        {
            return false;
        }
    }
    let large = |bounds: &str| {
        let bounds = bounds.split_once('}').map_or("", |(bounds, _)| bounds);
        bounds.split(',').any(|bound| bound.len() > 2 && bound.bytes().all(|byte| byte.is_ascii_digit()))
    };
    without_lookaround(pattern) && !pattern.split('{').skip(1).any(large)
}
