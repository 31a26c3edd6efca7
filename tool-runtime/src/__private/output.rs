//! What a tool returns, decided by trait and never by spelling.
//!
//! `Out::<R>::new().peel().peel().peel()` takes up to three layers of `Result` off the return type: the inherent
//! method of a `Result` wins over the trait's method, which takes off nothing. So an alias of a result, and
//! `anyhow::Result`, behave like the result they are.

use std::marker::PhantomData;

use schemars::{JsonSchema, Schema as RawSchema};
use serde::Serialize;

use crate::error::BoxError;
use crate::error::contained;
use crate::output::{ContentBlock, Render};
use crate::tool::{self, Description, Failure, Outcome, Produced};

/// Used by generated code. A type that a tool can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's output",
    label = "not a tool's output",
    note = "return `#[tool_type]` types, types with `Serialize` and `JsonSchema`, content blocks, or a `Result` \
            of one"
)]
pub trait ToolOutput: 'static {
    /// Used by generated code. The value's JSON text.
    #[doc(hidden)]
    fn produce(&self) -> Outcome;
    /// Used by generated code. The schema in the serialize contract, `None` where there is no structure.
    #[doc(hidden)]
    fn schema() -> Option<RawSchema>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + 'static> ToolOutput for T {
    #[inline]
    fn produce(&self) -> Outcome {
        tool::produce(self)
    }
    fn schema() -> Option<RawSchema> {
        tool::output_schema::<T>()
    }
}

/// Used by generated code. An error that a tool can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's error",
    label = "the error of this `Result` is no error",
    note = "implement `std::error::Error` for it, or return `ToolError`, `String` or `anyhow::Error`"
)]
pub trait ToolFailure {
    /// The error, boxed.
    fn into_box(self) -> BoxError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> ToolFailure for E {
    fn into_box(self) -> BoxError {
        self.into()
    }
}

/// Used by generated code. A return type and how it has been opened so far.
#[expect(missing_debug_implementations, reason = "only generated code holds one")]
pub struct Out<T, Path>(PhantomData<fn() -> (T, Path)>);

/// Used by generated code. How a return type is opened: from what the function returns to the value within.
pub trait Open {
    /// What the function returns.
    type Original;
    /// The value within.
    type Leaf;
    /// Opens it.
    fn open(original: Self::Original) -> Result<Self::Leaf, BoxError>;
}

/// Used by generated code. Nothing is taken off.
#[derive(Debug)]
pub struct Here<T>(PhantomData<fn() -> T>);

impl<T> Open for Here<T> {
    type Original = T;
    type Leaf = T;
    fn open(original: T) -> Result<T, BoxError> {
        Ok(original)
    }
}

/// Used by generated code. A `Result` is taken off.
#[derive(Debug)]
pub struct OfResult<Path>(PhantomData<fn() -> Path>);

impl<T, E: ToolFailure, Path: Open<Leaf = Result<T, E>>> Open for OfResult<Path> {
    type Original = Path::Original;
    type Leaf = T;
    fn open(original: Path::Original) -> Result<T, BoxError> {
        Path::open(original)?.map_err(ToolFailure::into_box)
    }
}

/// Used by generated code. A `Result` within an `Option` is taken off.
#[derive(Debug)]
pub struct OfOption<Path>(PhantomData<fn() -> Path>);

impl<T, E: ToolFailure, Path: Open<Leaf = Option<Result<T, E>>>> Open for OfOption<Path> {
    type Original = Path::Original;
    type Leaf = Option<T>;
    fn open(original: Path::Original) -> Result<Option<T>, BoxError> {
        Path::open(original)?.transpose().map_err(ToolFailure::into_box)
    }
}

#[expect(clippy::new_without_default, reason = "generated code names it in constants")]
impl<T> Out<T, Here<T>> {
    /// Used by generated code. A return type, unopened.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T, E, Path> Out<Result<T, E>, Path> {
    /// Used by generated code. Takes a `Result` off.
    pub const fn peel(self) -> Out<T, OfResult<Path>> {
        Out(PhantomData)
    }
}

impl<T, E, Path> Out<Option<Result<T, E>>, Path> {
    /// Used by generated code. Takes a `Result` within an `Option` off.
    pub const fn peel(self) -> Out<Option<T>, OfOption<Path>> {
        Out(PhantomData)
    }
}

/// Used by generated code. What holds of a type that is no result.
pub trait Whole: Sized {
    /// Takes nothing off.
    #[must_use]
    fn peel(self) -> Self {
        self
    }
}

impl<T, Path> Whole for Out<T, Path> {}

/// What shows a value; `None` if it could not.
type Renderer<T> = fn(&T) -> Option<Vec<ContentBlock>>;

/// Used by generated code. How a value is shown to a model.
#[expect(missing_debug_implementations, reason = "only generated code holds one")]
pub struct Showing<T, Path> {
    render: Option<Renderer<T>>,
    path: PhantomData<fn() -> Path>,
}

impl<T: Render, Path> Out<T, Path> {
    /// Used by generated code. A type with a template shows itself.
    pub const fn showing(self) -> Showing<T, Path> {
        Showing { render: Some(|value| value.render().ok()), path: PhantomData }
    }
}

/// Used by generated code. A type without a template is shown as JSON text.
pub trait Plain<T, Path>: Sized {
    /// Shows the JSON text.
    fn showing(self) -> Showing<T, Path> {
        Showing { render: None, path: PhantomData }
    }
}

impl<T, Path> Plain<T, Path> for Out<T, Path> {}

impl<T, Path> Out<T, Path> {
    /// Used by generated code. A function shows the value.
    pub const fn showing_by(self, render: fn(&T) -> Option<Vec<ContentBlock>>) -> Showing<T, Path> {
        Showing { render: Some(render), path: PhantomData }
    }
}

/// Used by generated code. What a function named by `render = …` may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing a model could read",
    label = "returns nothing a model could read",
    note = "a render function returns text, a content block, a list of content blocks, or a `Result` of one"
)]
pub trait IntoContent {
    /// The blocks, `None` if rendering failed.
    fn into_content(self) -> Option<Vec<ContentBlock>>;
}

impl IntoContent for String {
    fn into_content(self) -> Option<Vec<ContentBlock>> {
        Some(vec![ContentBlock::Text(self)])
    }
}
impl IntoContent for &str {
    fn into_content(self) -> Option<Vec<ContentBlock>> {
        Some(vec![ContentBlock::text(self)])
    }
}
impl IntoContent for ContentBlock {
    fn into_content(self) -> Option<Vec<ContentBlock>> {
        Some(vec![self])
    }
}
impl IntoContent for Vec<ContentBlock> {
    fn into_content(self) -> Option<Vec<ContentBlock>> {
        Some(self)
    }
}
impl<T: IntoContent, E> IntoContent for Result<T, E> {
    fn into_content(self) -> Option<Vec<ContentBlock>> {
        self.ok().and_then(IntoContent::into_content)
    }
}

/// Used by generated code. All that the runtime needs of a return type `R` with a value `T` within.
#[expect(missing_debug_implementations, reason = "only generated code holds one")]
pub struct Output<R, T> {
    finish: fn(R, Option<Renderer<T>>) -> Outcome,
    schema: fn() -> Option<RawSchema>,
    render: Option<Renderer<T>>,
}

/// Used by generated code. The only place that bounds a return type.
#[expect(clippy::needless_pass_by_value, reason = "expansions hand over what they made for this call")]
pub fn output<T: ToolOutput, Path: Open<Leaf = T>>(showing: Showing<T, Path>) -> Output<Path::Original, T> {
    Output { finish: finish::<T, Path>, schema: T::schema, render: showing.render }
}

impl<R, T> Output<R, T> {
    pub(crate) fn describe(&self, description: &mut Description) {
        description.output = (self.schema)();
    }

    /// From what the function returned to what the pipeline goes on with.
    #[inline]
    pub(crate) fn finish(&self, original: R) -> Outcome {
        (self.finish)(original, self.render)
    }
}

fn finish<T: ToolOutput, Path: Open<Leaf = T>>(
    original: Path::Original,
    render: Option<Renderer<T>>,
) -> Outcome {
    let leaf = Path::open(original).map_err(Failure::Tool)?;
    let produced = leaf.produce();
    match render {
        Some(render) => produced.map(|produced| shown(produced, &leaf, render)),
        None => produced,
    }
}

/// A render failure falls back to the JSON text, a panic included: the value is there and right.
fn shown<T>(produced: Produced, value: &T, render: Renderer<T>) -> Produced {
    match contained(|| render(value)).flatten() {
        Some(content) => Produced { content: Some(content.into()), ..produced },
        None => produced,
    }
}
