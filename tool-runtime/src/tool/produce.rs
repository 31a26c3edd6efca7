//! From a returned value to what the pipeline goes on with.

use std::any::{Any, TypeId};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema as RawSchema};
use serde::Serialize;

use super::{Failure, Outcome, Produced};
use crate::output::{ContentBlock, OutputError, to_json};

/// The JSON text of a value; of content blocks, the blocks.
#[inline]
pub(crate) fn produce<T: Serialize + 'static>(value: &T) -> Outcome {
    // Known while compiling, so that other types pay nothing.
    let is_content = is::<T, ContentBlock>()
        || is::<T, Vec<ContentBlock>>()
        || is::<T, Option<ContentBlock>>()
        || is::<T, Option<Vec<ContentBlock>>>();
    if is_content && let Some(content) = blocks(value) {
        return Ok(Produced { content: Some(content.into()), ..Produced::default() });
    }
    if is_scalar::<T>() {
        // One call of `serde_json`, which cannot fail.
        let text = serde_json::to_string(value).map_err(|error| Failure::output(OutputError::of(&error)))?;
        return Ok(Produced { value: Some(text), ..Produced::default() });
    }
    let content = is::<T, ()>().then(|| vec![ContentBlock::text("ok")].into());
    Ok(Produced { value: Some(to_json(value).map_err(Failure::output)?), content, foreign: false })
}

/// The schema of a value in the serialize contract, `None` where it has no structure.
pub(crate) fn schema<T: JsonSchema + 'static>() -> Option<RawSchema> {
    let unstructured = [
        TypeId::of::<()>(),
        TypeId::of::<ContentBlock>(),
        TypeId::of::<Vec<ContentBlock>>(),
        TypeId::of::<Option<ContentBlock>>(),
        TypeId::of::<Option<Vec<ContentBlock>>>(),
    ];
    if unstructured.contains(&TypeId::of::<T>()) {
        return None;
    }
    let settings = SchemaSettings::draft2020_12().for_serialize();
    Some(settings.into_generator().into_root_schema_for::<T>())
}

/// Whether a value is one text, integer or boolean, of which nothing has to be looked at.
fn is_scalar<T: 'static>() -> bool {
    is::<T, String>()
        || is::<T, bool>()
        || is::<T, i64>()
        || is::<T, u64>()
        || is::<T, i32>()
        || is::<T, u32>()
        || is::<T, usize>()
}

fn is<T: 'static, U: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<U>()
}

fn blocks(value: &dyn Any) -> Option<Vec<ContentBlock>> {
    if let Some(blocks) = value.downcast_ref::<Vec<ContentBlock>>() {
        return Some(blocks.clone());
    }
    if let Some(block) = value.downcast_ref::<ContentBlock>() {
        return Some(vec![block.clone()]);
    }
    // Without a block, `None` reads as every other `None`.
    if let Some(Some(blocks)) = value.downcast_ref::<Option<Vec<ContentBlock>>>() {
        return Some(blocks.clone());
    }
    value.downcast_ref::<Option<ContentBlock>>()?.as_ref().map(|block| vec![block.clone()])
}
