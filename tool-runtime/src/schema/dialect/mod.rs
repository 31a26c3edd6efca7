//! Dialects: what each provider reads of a schema, and the way back from what its model sends.
//!
//! A dialect is a pure function: from a schema to a schema that the provider takes, with everything that was lost on
//! the way, whether `strict` holds, and how to map the arguments back. A projection loosens a schema or spells it in
//! another way; arguments are never judged by it, but by the schema that it was made of.
//!
//! Invariant: what a provider does with a keyword stands in `table.rs` and nowhere else.

mod anthropic;
mod bedrock;
mod branches;
#[doc(hidden)]
pub mod check;
mod deepseek;
mod expand;
mod gemini;
mod kept;
mod keys;
mod limits;
mod llama_cpp;
mod mcp;
mod merge;
mod object;
mod ollama;
mod openai;
mod part;
mod project;
mod read;
mod resolve;
mod respell;
mod reverse;
mod rules;
mod table;
mod text;
mod union;
mod verbatim;
mod words;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;

pub(crate) use self::kept::{Kept, Projections};
pub(crate) use self::keys::digest;
pub use self::limits::Measure;
pub(crate) use self::mcp::in_object;
pub use self::reverse::ReverseMap;
use self::rules::Rules;
pub use self::table::FACTS_OF;
pub(crate) use self::text::lines;
use crate::value::Json;

/// The dialects, in the order of the table of `docs/providers.md`.
///
/// # Examples
/// ```
/// use tool_runtime::schema::dialect::{Dialect, Strictness};
///
/// let schema = r#"{"type":"object","properties":{"n":{"type":"integer","default":5}},"additionalProperties":false}"#;
/// let projection = Dialect::OpenAiStrict.project(schema)?;
/// assert_eq!(
///     projection.schema(),
///     r#"{"type":"object","properties":{"n":{"type":["integer","null"],"description":"(default: 5)"}},"required":["n"],"additionalProperties":false}"#,
/// );
/// assert_eq!(projection.losses()[0].to_string(), "/properties/n: `default` moved into the description");
/// assert_eq!(projection.strictness(), &Strictness::Holds);
/// assert_eq!(projection.reverse().restore(r#"{"n":null}"#), "{}");
/// # Ok::<(), tool_runtime::schema::dialect::DialectError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI's Chat Completions and Responses without strict mode; also Mistral, xAI and other servers of that shape.
    OpenAi,
    /// OpenAI's Chat Completions and Responses with `strict`.
    OpenAiStrict,
    /// Anthropic's Messages.
    Anthropic,
    /// Anthropic's Messages with `strict`.
    AnthropicStrict,
    /// Gemini's `parameters`.
    GeminiParameters,
    /// Gemini's `parametersJsonSchema`.
    GeminiJsonSchema,
    /// Amazon Bedrock's Converse.
    Bedrock,
    /// Amazon Bedrock's Converse with `strict`.
    BedrockStrict,
    /// `DeepSeek` with `strict`.
    DeepSeekStrict,
    /// Ollama.
    Ollama,
    /// llama.cpp's server.
    LlamaCpp,
    /// The Model Context Protocol of 2025-11-25.
    Mcp20251125,
    /// The Model Context Protocol of 2026-07-28.
    Mcp20260728,
    /// A signature for a system prompt.
    Text,
}

/// Every dialect.
pub fn dialects() -> &'static [Dialect] {
    &Dialect::ALL
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 14] = [
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::Anthropic,
        Self::AnthropicStrict,
        Self::GeminiParameters,
        Self::GeminiJsonSchema,
        Self::Bedrock,
        Self::BedrockStrict,
        Self::DeepSeekStrict,
        Self::Ollama,
        Self::LlamaCpp,
        Self::Mcp20251125,
        Self::Mcp20260728,
        Self::Text,
    ];

    /// The name in reports, such as `openai-strict`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::Anthropic => "anthropic",
            Self::AnthropicStrict => "anthropic-strict",
            Self::GeminiParameters => "gemini-parameters",
            Self::GeminiJsonSchema => "gemini-json-schema",
            Self::Bedrock => "bedrock",
            Self::BedrockStrict => "bedrock-strict",
            Self::DeepSeekStrict => "deepseek-strict",
            Self::Ollama => "ollama",
            Self::LlamaCpp => "llama-cpp",
            Self::Mcp20251125 => "mcp-2025-11-25",
            Self::Mcp20260728 => "mcp-2026-07-28",
            Self::Text => "text",
        }
    }

    const fn rules(self) -> Option<&'static Rules> {
        Some(match self {
            Self::OpenAi => &openai::PLAIN,
            Self::OpenAiStrict => &openai::STRICT,
            Self::Anthropic => &anthropic::PLAIN,
            Self::AnthropicStrict => &anthropic::STRICT,
            Self::GeminiParameters => &gemini::PARAMETERS,
            Self::GeminiJsonSchema => &gemini::JSON_SCHEMA,
            Self::Bedrock => &bedrock::PLAIN,
            Self::BedrockStrict => &bedrock::STRICT,
            Self::DeepSeekStrict => &deepseek::STRICT,
            Self::Ollama => &ollama::PLAIN,
            Self::LlamaCpp => &llama_cpp::PLAIN,
            Self::Mcp20251125 => &mcp::V2025_11_25,
            Self::Mcp20260728 => &mcp::V2026_07_28,
            Self::Text => return None,
        })
    }

    /// Projects the schema of a tool's arguments, given as JSON text of any draft.
    ///
    /// Where `strict` does not hold, the schema is that of the provider's plain dialect.
    ///
    /// # Errors
    /// Returns [`DialectError`] if the text is not the schema of an object, refers to what is not in it, or is too
    /// large.
    pub fn project(&self, schema: &str) -> Result<Projection, DialectError> {
        let (document, losses) = read::read(schema)?;
        match (self, self.rules()) {
            (Self::Mcp20251125 | Self::Mcp20260728, _) => mcp::project(*self, schema, document, losses),
            (_, Some(rules)) => by_rules(&document, &losses, rules),
            (_, None) => text::project(document, losses),
        }
    }

    /// What the provider would refuse in a schema: none for every schema that [`Dialect::project`] makes.
    #[doc(hidden)]
    pub fn check(&self, schema: &str) -> Vec<String> {
        check::check(*self, schema)
    }
}

fn by_rules(
    document: &part::Document,
    losses: &[Loss],
    rules: &'static Rules,
) -> Result<Projection, DialectError> {
    let projected = project::project(document.clone(), losses.to_vec(), rules)?;
    let (mut schema, mut reasons) = (projected.schema, projected.reasons);
    let Some(plain) = rules.plain.filter(|_| rules.strict) else {
        return Ok(Projection::new(&schema, projected.losses, Strictness::NotAsked, projected.reverse));
    };
    if std::ptr::eq(plain, &openai::PLAIN) {
        reasons.extend(openai::first_keys(&mut schema));
    }
    let measure = Measure::of(&schema);
    reasons.extend(measure.excess(&rules.limits));
    if reasons.is_empty() {
        return Ok(Projection::new(&schema, projected.losses, Strictness::Holds, projected.reverse));
    }
    reasons.sort();
    reasons.dedup();
    let loose = by_rules(document, losses, plain)?;
    Ok(Projection { strictness: Strictness::NotWith(reasons), ..loose })
}

/// A schema in a dialect, with what it took to get there.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    schema: String,
    losses: Vec<Loss>,
    strictness: Strictness,
    reverse: ReverseMap,
    measure: Measure,
}

impl Projection {
    fn new(schema: &Json, losses: Vec<Loss>, strictness: Strictness, reverse: ReverseMap) -> Self {
        Self { measure: Measure::of(schema), schema: schema.text(), losses, strictness, reverse }
    }

    /// The schema as the provider reads it; for [`Dialect::Text`] the signature's parameters.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// What the provider does not learn as the schema says it, in the order of the schema.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Whether the request may say `strict`.
    pub fn strictness(&self) -> &Strictness {
        &self.strictness
    }

    /// How to map arguments back.
    pub fn reverse(&self) -> &ReverseMap {
        &self.reverse
    }

    /// How much the schema holds.
    pub fn measure(&self) -> &Measure {
        &self.measure
    }
}

/// Whether a request may say `strict` of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strictness {
    /// The dialect is not a strict one.
    NotAsked,
    /// The provider can enforce the schema.
    Holds,
    /// The provider would refuse it, for these reasons, each with its place.
    NotWith(Vec<String>),
}

/// Something that a provider does not learn as the schema says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    pointer: String,
    keyword: String,
    kind: LossKind,
    what: String,
}

/// The kinds of [`Loss`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossKind {
    /// It moved into the description: told, but not enforced.
    Described,
    /// It was left out.
    Omitted,
    /// It takes more than before.
    Loosened,
    /// It is told as less than it takes; nothing that is told is refused.
    Narrowed,
    /// It is spelled in another way, and mapped back.
    Respelled,
}

impl Loss {
    fn new(pointer: &str, keyword: &str, kind: LossKind, what: &str) -> Self {
        Self { pointer: pointer.to_owned(), keyword: keyword.to_owned(), kind, what: what.to_owned() }
    }

    /// The JSON pointer into the schema as it came; empty for the root.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The keyword; empty where a schema as a whole is meant.
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// What kind of loss it is.
    pub fn kind(&self) -> LossKind {
        self.kind
    }

    /// What happened, in words.
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_empty() { "(root)" } else { &self.pointer };
        if self.keyword.is_empty() {
            write!(f, "{pointer}: {}", self.what)
        } else {
            write!(f, "{pointer}: `{}` {}", self.keyword, self.what)
        }
    }
}

/// Why a schema cannot be projected at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DialectError {
    /// The text is not JSON.
    #[error("the schema is not JSON (line {line}, column {column})")]
    Text {
        /// The JSON pointer of the place, as far as it was read.
        pointer: String,
        /// The line, from one.
        line: usize,
        /// The column in characters, from one.
        column: usize,
    },
    /// The schema takes no objects, and arguments are one.
    #[error("the schema must be that of an object, and takes {got}; give it `\"type\":\"object\"`")]
    NotAnObject {
        /// What it takes.
        got: &'static str,
    },
    /// A reference leads out of the schema or nowhere.
    #[error("{pointer}: the reference {reference:?} leads to no schema within this one")]
    Reference {
        /// The JSON pointer of the reference.
        pointer: String,
        /// The reference.
        reference: String,
    },
    /// References lead in a circle without a property or an item between.
    #[error("{}: the references lead in a circle", if pointer.is_empty() { "(root)" } else { pointer })]
    Endless {
        /// The JSON pointer of a schema on the circle.
        pointer: String,
    },
    /// The schema is too large or nested too deeply.
    #[error("{}: the schema is too large or nested too deeply", if pointer.is_empty() { "(root)" } else { pointer })]
    TooLarge {
        /// The JSON pointer of the place where the limit was met.
        pointer: String,
    },
}
