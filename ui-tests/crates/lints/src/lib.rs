//! Tools of every kind in a crate whose lints are all denied (F043, F046, F049).
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings, unused, rustdoc::all)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![deny(
    unused_qualifications,
    non_snake_case,
    dead_code,
    unreachable_pub,
    single_use_lifetimes,
    let_underscore_drop,
    missing_debug_implementations,
    missing_copy_implementations,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    trivial_casts,
    trivial_numeric_casts,
    unused_import_braces,
    unused_lifetimes,
    unused_results,
    variant_size_differences,
    clippy::unused_async,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::allow_attributes_without_reason,
    clippy::print_stdout,
    clippy::absolute_paths,
    clippy::missing_docs_in_private_items,
    clippy::shadow_unrelated,
    clippy::exhaustive_structs,
    clippy::pattern_type_mismatch,
    clippy::std_instead_of_core,
    clippy::same_name_method,
    clippy::wildcard_enum_match_arm
)]

use core::fmt;
use core::future::ready;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use tool_runtime::{CallContext, PermissionRequest, Render, State, ToolError, tool, tool_type, toolset};

/// Adds two numbers, see [`add`].
#[tool(effect = read, idempotent, parallel)]
#[must_use]
pub fn add(
    /// The first.
    #[arg(minimum = 0, default = 3)]
    a: u32,
    /// The second.
    b: Option<u32>,
) -> u32 {
    a.saturating_add(b.unwrap_or_default())
}

/// Borrows everything.
#[tool(docs(optional), name = "borrow-all", keywords = ["borrow"], tags = ["a"])]
async fn borrows(
    text: &str,
    maybe: Option<&str>,
    bytes: &[u8],
    cow: Cow<'_, str>,
    path: &Path,
    cx: &CallContext,
) -> String {
    ready(()).await;
    format!("{text} {maybe:?} {bytes:?} {cow} {} {}", path.display(), cx.tool())
}

/// Needs state and permission, and may fail.
///
/// # Errors
/// Fails if `a` is empty.
#[tool(docs(optional), permission = needs, parallel = alone, timeout = "5s", render = shown)]
pub async fn stateful(a: String, counter: State<Counter>, #[state] shared: Arc<u16>) -> Result<Answer, ToolError> {
    ready(()).await;
    if a.is_empty() {
        return Err(ToolError::new("empty"));
    }
    Ok(Answer { text: a, count: counter.0.wrapping_add(u64::from(*shared)) })
}

/// What a call needs.
fn needs(a: &str) -> PermissionRequest {
    PermissionRequest::new("state", a, tool_runtime::Effect::Write)
}

/// Whether a call may run beside others.
const fn alone(a: &str) -> bool {
    a.is_empty()
}

/// How an answer reads.
fn shown(answer: &Answer) -> String {
    format!("{} {}", answer.text, answer.count)
}

/// Blocks.
#[tool(blocking)]
fn blocks(
    /// A raw name.
    r#type: u8,
) -> String {
    r#type.to_string()
}

/// Has an old name.
#[deprecated = "use `add`"]
#[tool]
#[must_use]
pub fn old() -> String {
    "1".to_owned()
}

/// Counts.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Counter(pub u64);

impl Counter {
    /// Begins at `count`.
    #[must_use]
    pub const fn new(count: u64) -> Self {
        Self(count)
    }
}

/// An answer.
#[tool_type]
#[derive(Debug, Clone, PartialEq, Eq, Render)]
#[render("{text}: {count}")]
#[non_exhaustive]
pub struct Answer {
    /// The text.
    #[arg(min_length = 1, pattern = "^[a-z]+$")]
    pub text: String,
    /// The count.
    #[arg(default = 3, maximum = 100)]
    pub count: u64,
}

/// A choice.
#[tool_type]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choice {
    /// The first.
    First,
    /// The second.
    Second,
}

/// Tagged.
#[tool_type]
#[derive(Debug, Clone, PartialEq, Eq)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Tagged {
    /// With a field.
    Some {
        /// The field.
        field: Choice,
        /// An optional one.
        answer: Option<Box<Answer>>,
    },
    /// Without.
    Nothing,
}

/// Takes types.
#[tool(docs(optional))]
#[must_use]
pub fn types(a: Answer, b: Choice, c: Tagged, #[arg(default = Vec::new())] d: Vec<Choice>) -> Answer {
    drop((b, c, d));
    a
}

/// A service.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Service {
    /// The base.
    pub base: u8,
}

#[toolset]
impl Service {
    /// A method.
    ///
    /// # Errors
    /// Never.
    #[tool(docs(optional))]
    pub async fn method(&self, a: &str, #[arg(default = 1, minimum = 1)] b: u8) -> Result<String, fmt::Error> {
        ready(()).await;
        Ok(format!("{a} {}", b.wrapping_add(self.base)))
    }

    /// Another, see [`Self::method`].
    #[tool]
    #[must_use]
    pub fn base(&self) -> String {
        self.base.to_string()
    }
}
