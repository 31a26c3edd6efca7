//! What a dialect is made of: its column of the table, and what no table says.

use super::table::{Fate, Feature, fate};

/// A dialect's rules; each provider's file holds its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// The column of [`super::table::TABLE`].
    pub(super) column: usize,
    /// Whether the dialect is one whose output a provider enforces.
    pub(super) strict: bool,
    /// The dialect that a tool falls back to where `strict` does not hold.
    pub(super) plain: Option<&'static Rules>,
    pub(super) references: References,
    pub(super) keys: Keys,
    /// The values of `format` that go as they are, where the table says "some".
    pub(super) formats: &'static [&'static str],
    /// Whether `nullable: true` is how the dialect spells null.
    pub(super) nullable: bool,
    /// Whether properties and a union may not stand in one object.
    pub(super) apart: bool,
    /// The limits on one schema.
    pub(super) limits: Limits,
    /// Whether a pattern can go as it is.
    pub(super) pattern: fn(&str) -> bool,
    /// The largest length or count that can go as it is, where the table says "some".
    pub(super) largest: u64,
}

/// How references are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    /// They stay.
    Keep,
    /// They stay but inside `anyOf`, where what they lead to is written out.
    OutsideUnions,
    /// They are written out, unless that takes too much or never ends.
    Prefer,
    /// They are written out; what never ends is cut.
    Inline,
}

/// The grammar of property names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    Any,
    /// `^[a-zA-Z0-9_.-]{1,64}$`
    Anthropic,
    /// `^[A-Za-z_][A-Za-z0-9_]{0,63}$`
    Gemini,
}

/// What one schema may hold for `strict`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) properties: usize,
    pub(super) nesting: usize,
    /// Characters in names, `enum` and `const`.
    pub(super) characters: usize,
    pub(super) enum_values: usize,
    /// Optional properties; counted over a request by the provider, too.
    pub(super) optional: usize,
    /// Unions; counted over a request by the provider, too.
    pub(super) unions: usize,
}

impl Limits {
    pub(super) const NONE: Self = Self {
        properties: usize::MAX,
        nesting: usize::MAX,
        characters: usize::MAX,
        enum_values: usize::MAX,
        optional: usize::MAX,
        unions: usize::MAX,
    };
}

impl Rules {
    /// A dialect that takes everything as it is, but for its column.
    pub(super) const fn plain(column: usize) -> Self {
        Self {
            column,
            strict: false,
            plain: None,
            references: References::Keep,
            keys: Keys::Any,
            formats: &[],
            nullable: false,
            apart: false,
            limits: Limits::NONE,
            pattern: any_pattern,
            largest: u64::MAX,
        }
    }

    pub(super) fn fate(&self, feature: Feature) -> Fate {
        fate(self.column, feature)
    }

    /// Whether the feature stays as it is.
    pub(super) fn keeps(&self, feature: Feature) -> bool {
        self.fate(feature) == Fate::Keep
    }
}

impl Keys {
    /// Whether a name is in the grammar.
    pub(super) fn allow(self, name: &str) -> bool {
        let short = !name.is_empty() && name.len() <= 64;
        match self {
            Self::Any => true,
            Self::Anthropic => short && name.bytes().all(|byte| self.allows_byte(byte)),
            Self::Gemini => {
                short
                    && name.bytes().all(|byte| self.allows_byte(byte))
                    && !name.starts_with(|first: char| first.is_ascii_digit())
            }
        }
    }

    /// Whether a byte can stand in a name, but for the first.
    pub(super) fn allows_byte(self, byte: u8) -> bool {
        match self {
            Self::Any => true,
            Self::Anthropic => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'),
            Self::Gemini => byte.is_ascii_alphanumeric() || byte == b'_',
        }
    }
}

fn any_pattern(_: &str) -> bool {
    true
}

/// Patterns without lookaround.
pub(super) fn without_lookaround(pattern: &str) -> bool {
    !["(?=", "(?!", "(?<=", "(?<!"].iter().any(|group| pattern.contains(group))
}
