//! Typed Rust functions as tools for language models.
//!
//! Annotate a function with [`#[tool]`](macro@tool): the SDK derives the schema that a model reads, checks it while your
//! program compiles, collects every tool of the program, and answers each call with exactly one result.
//!
//! ```standalone_crate
//! use tool_runtime::{Registry, ToolCall, tool};
//!
//! /// Look up how many people live in a city.
//! #[tool(effect = read)]
//! async fn population(
//!     /// City name, for example "Paris".
//!     city: &str,
//! ) -> Result<u64, String> {
//!     if city == "Paris" { Ok(2_100_000) } else { Err(format!("{city} is not in the table; try Paris")) }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = Registry::collect()?; // every #[tool] linked into the program
//! let result = registry.call(ToolCall::new("call_1", "population", r#"{"city":"Paris"}"#)).await;
//! assert_eq!(result.text(), "2100000");
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! | module | what is there |
//! |---|---|
//! | [`registry`] | all tools of a program, by name |
//! | [`execution`] | from a call to its one result |
//! | [`definition`] | what a model is told of a tool |
//! | [`schema`] | schemas, held to what is enforced |
//! | [`arguments`] | from a model's text to what a tool takes |
//! | [`output`] | content blocks, rendering, results |
//! | [`provider`] | definitions, calls and results in the providers' JSON |
//! | [`value`] | canonical JSON and JSON pointers |
//! | [`testing`] | proving a program's tools in one line |
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `foreign-schemas` | yes | schemas beyond the executable subset, by the `jsonschema` crate |
#![cfg_attr(docsrs, feature(doc_cfg))]

// Expansions inside this crate name it like everybody else does.
extern crate self as tool_runtime;

pub mod arguments;
pub mod definition;
pub mod error;
pub mod execution;
pub mod output;
pub mod provider;
pub mod registry;
pub mod schema;
pub(crate) mod sync;
pub(crate) mod task;
pub mod testing;
// Private, so that `use tool_runtime::tool` brings the attribute alone and leaves the name free for modules.
mod tool;
pub mod value;

#[doc(hidden)]
pub mod __private;

#[doc(inline)]
pub use self::arguments::ToolCall;
#[doc(inline)]
pub use self::definition::{Effect, Origin, ToolDefinition, ToolName};
#[doc(inline)]
pub use self::error::ToolError;
#[doc(inline)]
pub use self::output::{CallOutput, ContentBlock, Render, ToolResult};
#[doc(inline)]
pub use self::registry::{
    Filter, Guard, Handle, Owner, Registry, Restriction, Scope, Step, View, VisibilityContext, VisibilityRule,
};
#[doc(inline)]
pub use self::tool::{
    CallContext, Concurrency, DeriveError, DynamicTool, DynamicToolError, IntoPermissionRequests, Location,
    OutputCheck, PermissionRequest, State, Tool, ToolHandle, ToolSpec, Tools, Toolset, Values,
};

/// Makes a function a tool.
///
/// The function stays as it is and can be called as before. A type of the same name, its handle, stands for it where a
/// type is needed: `builder.register::<add>()`. Doc comments are the descriptions that the model reads.
///
/// # Parameters
///
/// A parameter is an argument of its name, unless it is injected. Any type of [`#[tool_type]`](macro@tool_type), any with
/// `Deserialize` and `JsonSchema`, and borrows of what can be owned: `&str`, `Option<&str>`, `&[T]`, `Cow<'_, str>`, `&Path`.
/// `#[arg(…)]` says more: `rename`, `description`, `default`, `example`, the bounds `minimum`, `maximum`,
/// `exclusive_minimum`, `exclusive_maximum`, `multiple_of`, `min_length`, `max_length`, `min_items`, `max_items`,
/// `unique_items`, then `pattern`, `format`, `secret`, and `flatten` for one struct whose fields become arguments.
///
/// Injected, and never in the schema: [`State<T>`](State), [`&CallContext`](CallContext), and `#[state]` on `&T` or `Arc<T>`.
///
/// # Output
///
/// Anything with `Serialize` and `JsonSchema`, a `Result` of it with any error, `()`, `Option<T>`, content blocks.
///
/// # Keys
///
/// `name`, `title`, `description`, `keywords`, `effect`, `idempotent`, `parallel`, `timeout`, `background`, `deferred`,
/// `blocking`, `permission`, `owner`, `tags`, `annotations(…)`, `render`, `output(…)`, `docs(optional)`, `handle`, `crate`.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, ToolCall, tool};
///
/// /// Repeat a text.
/// #[tool(effect = read, parallel)]
/// fn repeat(
///     /// The text to repeat.
///     #[arg(min_length = 1)]
///     text: &str,
///     /// How often.
///     #[arg(minimum = 1, maximum = 10, default = 2)]
///     times: usize,
/// ) -> String {
///     text.repeat(times)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// assert_eq!(repeat("ab", 3), "ababab"); // still a function
///
/// let registry = Registry::builder().register::<repeat>().build()?;
/// let right = registry.call(ToolCall::new("1", "repeat", r#"{"text":"ab"}"#)).await;
/// assert_eq!(right.text(), r#""abab""#);
///
/// let wrong = registry.call(ToolCall::new("2", "repeat", r#"{"text":"ab","times":11}"#)).await;
/// assert_eq!(
///     wrong.text(),
///     "Error: invalid arguments for \"repeat\":\n\
///      - /times: expected integer from 1 to 10, got integer 11\n\
///      Call it like: {\"text\":\"text\"}"
/// );
/// # Ok(())
/// # }
/// ```
pub use tool_macros::tool;

/// Makes the methods of an impl block tools of a value.
///
/// Methods with `#[tool]` take `&self` or `self: Arc<Self>`; everything else is as for [`#[tool]`](macro@tool). It goes on an
/// inherent impl or on the impl of a trait, above other attributes of the block, and once a type. The value is registered
/// by [`register_all`](registry::RegistryBuilder::register_all); generic types are made concrete there.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, ToolCall, tool, toolset};
///
/// struct Greeter {
///     greeting: String,
/// }
///
/// #[toolset]
/// impl Greeter {
///     /// Greet somebody.
///     #[tool]
///     async fn greet(
///         &self,
///         /// Who to greet.
///         name: &str,
///     ) -> String {
///         format!("{}, {name}!", self.greeting)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().register_all(Greeter { greeting: "Hello".into() }).build()?;
/// let result = registry.call(ToolCall::new("1", "greet", r#"{"name":"Ada"}"#)).await;
/// assert_eq!(result.text(), r#""Hello, Ada!""#);
/// # Ok(())
/// # }
/// ```
pub use tool_macros::toolset;

/// Makes a struct or an enum an argument or a result of tools.
///
/// It brings `Serialize`, `Deserialize` and `JsonSchema` along, so that neither serde nor schemars is a dependency of yours,
/// refuses unknown fields, and describes the type in a constant that is checked while compiling. `#[arg(…)]` goes on fields as
/// on a tool's parameters, and serde's own attributes (`rename`, `rename_all`, `default`, `tag`, `untagged`, `flatten`, …) mean
/// what they mean; `alias`, which no schema can tell, is refused. A field that a function of yours reads (`with`) has the
/// schema of its type, or of another: `#[schemars(with = "String")]`.
///
/// Structs with named fields, newtypes (on the wire what they hold) and enums in each of serde's forms; tuples have no names
/// that a model could read. Generic types are checked when a tool is registered. Keys: `name` (of the schema), `crate`.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, ToolCall, tool, tool_type};
///
/// /// Where to ship to.
/// #[tool_type]
/// struct Address {
///     /// Street and number.
///     street: String,
///     /// Postal code.
///     #[arg(pattern = "^[0-9]{5}$")]
///     code: String,
///     /// How fast.
///     #[arg(default = Speed::Standard)]
///     speed: Speed,
/// }
///
/// #[tool_type]
/// enum Speed {
///     /// Within a week.
///     Standard,
///     /// Tomorrow.
///     Express,
/// }
///
/// /// Quote the price of a parcel, in cents.
/// #[tool(effect = read)]
/// fn quote(
///     /// Where to ship to.
///     address: Address,
/// ) -> u32 {
///     match address.speed {
///         Speed::Standard => 500,
///         Speed::Express => 1500,
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().register::<quote>().build()?;
/// let arguments = r#"{"address":{"street":"Main St 1","code":"12345","speed":"Express"}}"#;
/// assert_eq!(registry.call(ToolCall::new("1", "quote", arguments)).await.text(), "1500");
/// # Ok(())
/// # }
/// ```
pub use tool_macros::tool_type;

/// Writes what a model reads of a value, from a template that is checked while compiling.
///
/// `#[render("…{field}…")]` goes on a struct, or on each variant of an enum. A field may be nested (`{address.city}`), of a
/// tuple (`{0}`), and formatted as in [`format!`] (`{price:.2}`); `{{` and `}}` are braces. A field that is no `Display` is
/// shown by its own template; lists and options of what can be shown are, too. A type that needs more writes the trait
/// [`Render`](trait@Render) by hand.
///
/// # Examples
/// ```
/// use tool_runtime::{Registry, Render, ToolCall, tool, tool_type};
///
/// #[tool_type]
/// #[derive(Render)]
/// #[render("{name}: {price:.2} EUR, {stock}")]
/// struct Product {
///     name: String,
///     price: f64,
///     stock: Stock,
/// }
///
/// #[tool_type]
/// #[derive(Render)]
/// enum Stock {
///     #[render("sold out")]
///     None,
///     #[render("{count} left")]
///     Some { count: u32 },
/// }
///
/// /// Look up a product.
/// #[tool(effect = read)]
/// fn product() -> Product {
///     Product { name: "Lamp".into(), price: 19.5, stock: Stock::Some { count: 3 } }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().register::<product>().build()?;
/// let result = registry.call(ToolCall::new("1", "product", "")).await;
/// assert_eq!(result.text(), "Lamp: 19.50 EUR, 3 left");
/// assert_eq!(result.value_text(), Some(r#"{"name":"Lamp","price":19.5,"stock":{"Some":{"count":3}}}"#));
/// # Ok(())
/// # }
/// ```
pub use tool_macros::Render;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../docs/providers.md")]
struct Providers;
