//! What the arguments of a call may cost.

use crate::value::ParseLimits;

/// Limits on the arguments of one call, held before memory is taken for them.
///
/// # Examples
/// ```
/// use tool_runtime::arguments::Limits;
///
/// let limits = Limits::default().with_max_bytes(64 * 1024);
/// assert_eq!((limits.max_bytes(), limits.max_depth(), limits.max_nodes()), (65_536, 128, 100_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "each is a maximum, and `bytes` alone would not say so")]
pub struct Limits {
    max_bytes: usize,
    max_depth: usize,
    max_nodes: usize,
}

/// The deepest nesting that can be allowed: deeper values could overflow a thread's stack when they are dropped.
const DEEPEST: usize = 128;

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: 4 << 20, max_depth: DEEPEST, max_nodes: 100_000 }
    }
}

impl Limits {
    /// Sets the longest text, in bytes (default 4 MiB).
    #[must_use]
    pub const fn with_max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets the deepest nesting of arrays and objects (default and at most 128).
    #[must_use]
    pub const fn with_max_depth(mut self, depth: usize) -> Self {
        self.max_depth = if depth < DEEPEST { depth } else { DEEPEST };
        self
    }

    /// Sets the most values, at all levels together (default 100,000).
    #[must_use]
    pub const fn with_max_nodes(mut self, nodes: usize) -> Self {
        self.max_nodes = nodes;
        self
    }

    /// The longest text, in bytes.
    pub const fn max_bytes(&self) -> usize {
        self.max_bytes
    }

    /// The deepest nesting of arrays and objects.
    pub const fn max_depth(&self) -> usize {
        self.max_depth
    }

    /// The most values, at all levels together.
    pub const fn max_nodes(&self) -> usize {
        self.max_nodes
    }

    pub(crate) const fn for_parser(self) -> ParseLimits {
        ParseLimits { bytes: self.max_bytes, depth: self.max_depth, nodes: self.max_nodes }
    }
}
