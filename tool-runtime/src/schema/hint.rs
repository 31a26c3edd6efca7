//! What to do about words that are not in the executable subset.

use super::format::Format;
use super::node::Kind;
use crate::value::nearest;

/// Every keyword that is enforced or read, but for our own that only macros write.
const KEYWORDS: [&str; 31] = [
    "$ref",
    "type",
    "title",
    "description",
    "enum",
    "const",
    "format",
    "pattern",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "anyOf",
    "oneOf",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$defs",
];

/// What to do about a keyword outside of the subset.
pub(super) fn for_keyword(keyword: &str) -> String {
    let hint = match keyword {
        "prefixItems" | "additionalItems" => "use a struct with named fields instead of a tuple",
        "patternProperties" | "propertyNames" => {
            "use strings as the keys of the map, and check them in the tool"
        }
        "allOf" => "write the keywords of its branches in one schema",
        "not" | "if" | "then" | "else" | "dependentSchemas" | "dependentRequired" | "dependencies" => {
            "describe the alternatives with `anyOf`, or check it in the tool"
        }
        "nullable" => "add \"null\" to `type`",
        "definitions" => "write `$defs`",
        "example" => "write `examples` with an array",
        "id" | "$id" | "$anchor" | "$dynamicRef" | "$dynamicAnchor" | "$recursiveRef" => {
            "leave it out; references lead to `#/$defs/…` only"
        }
        "minProperties" | "maxProperties" | "contains" | "minContains" | "maxContains" => {
            "leave it out, and check it in the tool"
        }
        _ => match nearest(keyword, KEYWORDS) {
            Some(near) => return format!("did you mean `{near}`?"),
            None => "leave it out",
        },
    };
    hint.to_owned()
}

/// Whether a keyword is enforced or read in schemas of our own.
pub(super) fn is_known(keyword: &str) -> bool {
    KEYWORDS.contains(&keyword)
}

/// What to do about a name that is no type.
pub(super) fn for_type(name: &str) -> String {
    let right = match name.to_ascii_lowercase().as_str() {
        "dict" | "map" | "struct" | "record" => Some("object"),
        "float" | "double" | "decimal" | "f32" | "f64" => Some("number"),
        "int" | "long" | "uint" | "i32" | "i64" | "u32" | "u64" => Some("integer"),
        "str" | "text" | "char" => Some("string"),
        "bool" => Some("boolean"),
        "list" | "tuple" | "set" | "vec" => Some("array"),
        "none" | "nil" | "void" => Some("null"),
        "any" => return "leave `type` out for any value".to_owned(),
        _ => nearest(name, Kind::NAMES),
    };
    right.map_or_else(
        || format!("write one of {}", Kind::NAMES.join(", ")),
        |right| format!("write \"{right}\""),
    )
}

/// What to do about a format that is not asserted.
pub(super) fn for_format(name: &str) -> String {
    nearest(name, Format::NAMES).map_or_else(
        || format!("leave it out, or use a `pattern` or one of {}", Format::NAMES.join(", ")),
        |near| format!("did you mean \"{near}\"?"),
    )
}
