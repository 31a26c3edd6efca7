//! The dialects of JSON Schema that foreign schemas are written in.

use std::fmt;

use super::survey::is_map;

/// A draft of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Draft {
    /// Draft 4 of 2013.
    Draft4,
    /// Draft 6 of 2017.
    Draft6,
    /// Draft 7 of 2018.
    Draft7,
    /// The draft of 2019-09.
    Draft201909,
    /// The draft of 2020-12, which holds where nothing is declared.
    Draft202012,
}

impl Draft {
    /// The drafts that a schema without `$schema` is tried as, in this order.
    pub(super) const GUESSES: [Self; 3] = [Self::Draft202012, Self::Draft7, Self::Draft4];

    /// The draft that a `$schema` declares.
    pub(super) fn from_uri(uri: &str) -> Option<Self> {
        let uri = uri.trim_end_matches('#');
        let uri = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"))?;
        Some(match uri {
            "json-schema.org/draft-04/schema" => Self::Draft4,
            "json-schema.org/draft-06/schema" => Self::Draft6,
            "json-schema.org/draft-07/schema" => Self::Draft7,
            "json-schema.org/draft/2019-09/schema" => Self::Draft201909,
            "json-schema.org/draft/2020-12/schema" => Self::Draft202012,
            _ => return None,
        })
    }

    /// The draft by the name that people write.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }

    /// Whether a keyword that constrains in a later draft says nothing in this one.
    pub(super) fn is_void(self, keyword: &str) -> bool {
        let since = match keyword {
            "const" | "contains" | "propertyNames" => Self::Draft6,
            "if" | "then" | "else" => Self::Draft7,
            "dependentRequired"
            | "dependentSchemas"
            | "maxContains"
            | "minContains"
            | "unevaluatedItems"
            | "unevaluatedProperties" => Self::Draft201909,
            "$dynamicRef" | "prefixItems" => Self::Draft202012,
            _ => return false,
        };
        self < since
    }

    /// Whether what is wrong at a pointer in a later draft is within a keyword that says nothing in this one. Then this
    /// draft takes the schema for want of a rule, and not because it was written for it.
    pub(super) fn is_void_at(self, pointer: &str) -> bool {
        let mut is_name = false;
        pointer.split('/').skip(1).any(|step| {
            let is_keyword = !std::mem::take(&mut is_name);
            is_name = is_keyword && is_map(step);
            is_keyword && self.is_void(step)
        })
    }

    /// Whether a `$ref` makes the keywords beside it void.
    pub(super) fn reference_stands_alone(self) -> bool {
        self <= Self::Draft7
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
