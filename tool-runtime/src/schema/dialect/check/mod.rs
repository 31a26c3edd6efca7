//! What each provider refuses, by its own documents: written apart from the projection, which it checks.
//!
//! Nothing here reads the table or the parts; the rules stand once more, as a provider's parser would have them.

mod providers;

use super::Dialect;
use crate::value::{Json, ParseLimits, parse};

/// What the provider of the dialect would refuse in the schema.
pub(super) fn check(dialect: Dialect, schema: &str) -> Vec<String> {
    if dialect == Dialect::Text {
        return signature(schema);
    }
    let limits = ParseLimits { bytes: 4 << 20, depth: 256, nodes: 1 << 20 };
    let Ok(json) = parse(schema, &limits) else { return vec!["not JSON, or a key twice".to_owned()] };
    let mut checker =
        Checker { dialect, root: &json, faults: Vec::new(), optional: 0, unions: 0, properties: 0 };
    checker.document();
    checker.faults
}

/// A signature is one type, brackets in pairs, and comments on lines of their own.
fn signature(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    if !text.starts_with('{') {
        faults.push("does not begin with an object".to_owned());
    }
    let mut open = Vec::new();
    for line in code {
        let mut in_string = false;
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' if in_string => {
                    characters.next();
                }
                '"' => in_string = !in_string,
                _ if in_string => {}
                '{' | '(' | '[' => open.push(character),
                '}' | ')' | ']' => {
                    let opened = open.pop();
                    if !matches!((opened, character), (Some('{'), '}') | (Some('('), ')') | (Some('['), ']'))
                    {
                        faults.push(format!("{character:?} closes nothing"));
                    }
                }
                _ => {}
            }
        }
        if in_string {
            faults.push("a string goes over the end of a line".to_owned());
        }
    }
    if !open.is_empty() {
        faults.push("a bracket stays open".to_owned());
    }
    faults
}

struct Checker<'j> {
    dialect: Dialect,
    root: &'j Json,
    faults: Vec<String>,
    optional: usize,
    unions: usize,
    properties: usize,
}

#[rustfmt::skip]
const STRUCTURE: &[&str] = &["type", "description", "enum", "properties", "required", "items", "anyOf"];

impl<'j> Checker<'j> {
    fn is(&self, dialects: &[Dialect]) -> bool {
        dialects.contains(&self.dialect)
    }

    fn is_strict(&self) -> bool {
        use Dialect::{AnthropicStrict, BedrockStrict, DeepSeekStrict, OpenAiStrict};
        self.is(&[OpenAiStrict, AnthropicStrict, BedrockStrict, DeepSeekStrict])
    }

    fn fault(&mut self, at: &str, what: impl Into<String>) {
        let at = if at.is_empty() { "(root)" } else { at };
        self.faults.push(format!("{at}: {}", what.into()));
    }

    fn document(&mut self) {
        let Json::Object(members) = self.root else {
            return self.fault("", "the root is no object of keywords");
        };
        if self.root.get("type").and_then(Json::as_str) != Some("object") {
            self.fault("", "the root is not `type: object`");
        }
        let unions: &[&str] = match self.dialect {
            Dialect::Mcp20260728 => &[],
            _ => &["anyOf", "oneOf", "allOf"],
        };
        for keyword in unions.iter().filter(|keyword| members.iter().any(|(known, _)| known == *keyword)) {
            self.fault("", format!("`{keyword}` at the root"));
        }
        if self.is(&[Dialect::OpenAi, Dialect::OpenAiStrict]) && self.root.get("properties").is_none() {
            self.fault("", "no `properties`");
        }
        if self.is(&[Dialect::Mcp20251125, Dialect::Mcp20260728]) {
            return;
        }
        self.schema(self.root, "", 0);
        if let Some(Json::Object(named)) = self.root.get("$defs") {
            for (name, inner) in named {
                self.schema(inner, &format!("/$defs/{name}"), 0);
            }
        }
        match self.dialect {
            Dialect::AnthropicStrict if self.optional > 24 => {
                self.fault("", "more than 24 optional properties");
            }
            Dialect::AnthropicStrict if self.unions > 16 => self.fault("", "more than 16 unions"),
            Dialect::OpenAiStrict if self.properties > 5_000 => self.fault("", "more than 5000 properties"),
            _ => {}
        }
        if self.is(&[Dialect::AnthropicStrict, Dialect::BedrockStrict]) {
            self.no_recursion();
        }
    }

    /// The keywords that the provider knows; `None` where it ignores the rest.
    fn keywords(&self) -> Option<Vec<&'static str>> {
        let more: &[&str] = match self.dialect {
            Dialect::OpenAiStrict => &[
                "additionalProperties",
                "$ref",
                "$defs",
                "const",
                "pattern",
                "format",
                "multipleOf",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minItems",
                "maxItems",
            ],
            Dialect::AnthropicStrict => &[
                "additionalProperties",
                "$ref",
                "$defs",
                "const",
                "pattern",
                "format",
                "minItems",
                "default",
                "title",
                "allOf",
            ],
            Dialect::BedrockStrict => &[
                "additionalProperties",
                "$ref",
                "$defs",
                "const",
                "pattern",
                "format",
                "minItems",
                "minLength",
                "maxLength",
            ],
            Dialect::DeepSeekStrict => &[
                "additionalProperties",
                "$ref",
                "$defs",
                "const",
                "pattern",
                "format",
                "multipleOf",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "default",
                "title",
            ],
            Dialect::GeminiParameters => &[
                "format",
                "title",
                "nullable",
                "default",
                "example",
                "minItems",
                "maxItems",
                "propertyOrdering",
                "minProperties",
                "maxProperties",
                "minLength",
                "maxLength",
                "pattern",
                "minimum",
                "maximum",
            ],
            Dialect::GeminiJsonSchema => &[
                "$id",
                "$defs",
                "$ref",
                "$anchor",
                "title",
                "prefixItems",
                "minItems",
                "maxItems",
                "minimum",
                "maximum",
                "oneOf",
                "additionalProperties",
                "propertyOrdering",
            ],
            Dialect::Ollama => &[],
            Dialect::LlamaCpp => &[
                "additionalProperties",
                "const",
                "oneOf",
                "pattern",
                "format",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minLength",
                "maxLength",
                "minItems",
                "maxItems",
                "default",
                "examples",
                "title",
            ],
            _ => return None,
        };
        Some(STRUCTURE.iter().chain(more).copied().collect())
    }

    fn schema(&mut self, schema: &'j Json, at: &str, depth: usize) {
        if depth > 200 {
            return self.fault(at, "nested too deeply");
        }
        let Json::Object(members) = schema else {
            if self.keywords().is_some() || !matches!(schema, Json::Bool(_)) {
                self.fault(at, "is a boolean in place of a schema");
            }
            return;
        };
        if let Some(known) = self.keywords() {
            for (keyword, _) in members {
                if !known.contains(&keyword.as_str()) {
                    self.fault(at, format!("unknown keyword `{keyword}`"));
                }
            }
        }
        self.types(schema, at);
        self.values(schema, at);
        self.names(schema, at);
        self.references(schema, members, at);
        if self.is_strict() {
            self.strict(schema, at);
        }
        match self.dialect {
            Dialect::OpenAiStrict => self.openai_strict(schema, at),
            Dialect::AnthropicStrict | Dialect::BedrockStrict => self.bounded_items(schema, at),
            Dialect::DeepSeekStrict => self.deepseek(schema, at),
            Dialect::GeminiParameters => self.gemini(schema, at),
            Dialect::LlamaCpp => self.llama(schema, at),
            _ => {}
        }
        for (keyword, value) in members {
            let place = format!("{at}/{keyword}");
            match (keyword.as_str(), value) {
                ("properties", Json::Object(named)) => {
                    for (name, inner) in named {
                        self.schema(inner, &format!("{place}/{name}"), depth + 1);
                    }
                }
                ("items", inner) | ("additionalProperties", inner @ Json::Object(_)) => {
                    self.schema(inner, &place, depth + 1);
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Json::Array(list)) => {
                    if list.is_empty() {
                        self.fault(&place, "is an empty list");
                    }
                    for (index, inner) in list.iter().enumerate() {
                        self.schema(inner, &format!("{place}/{index}"), depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    fn types(&mut self, schema: &Json, at: &str) {
        const NAMES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
        let names: Vec<&str> = match schema.get("type") {
            None => return,
            Some(Json::String(name)) => vec![name],
            Some(Json::Array(names)) if !names.is_empty() && self.dialect != Dialect::GeminiParameters => {
                names.iter().filter_map(Json::as_str).collect()
            }
            Some(_) => return self.fault(at, "`type` is a list, or nothing"),
        };
        if names.is_empty() || names.iter().any(|name| !NAMES.contains(name)) {
            self.fault(at, "a type that JSON Schema does not know");
        }
        if names.len() > 1
            && self.dialect == Dialect::DeepSeekStrict
            && names.iter().any(|n| matches!(*n, "object" | "array"))
        {
            self.fault(at, "a list of types with `object` or `array`");
        }
        if names.len() > 1 && self.is_strict() && names.iter().filter(|name| **name != "null").count() > 1 {
            self.fault(at, "several types in strict mode");
        }
    }

    fn values(&mut self, schema: &Json, at: &str) {
        let Some(Json::Array(values)) = schema.get("enum") else { return };
        if values.is_empty() {
            self.fault(at, "`enum` is empty");
        }
        let scalar = |value: &Json| !matches!(value, Json::Array(_) | Json::Object(_));
        let texts_only = self.dialect == Dialect::GeminiParameters;
        if texts_only && !values.iter().all(|value| matches!(value, Json::String(_))) {
            self.fault(at, "`enum` with something other than texts");
        }
        if texts_only && schema.get("type").and_then(Json::as_str) != Some("string") {
            self.fault(at, "`enum` without `type: string`");
        }
        if self.is_strict() && !values.iter().all(scalar) {
            self.fault(at, "`enum` with lists or objects");
        }
        if self.dialect == Dialect::OpenAiStrict && values.len() > 1_000 {
            self.fault(at, "`enum` with more than 1000 values");
        }
    }

    /// Names of properties, and that `required` names properties.
    fn names(&mut self, schema: &Json, at: &str) {
        let properties = match schema.get("properties") {
            Some(Json::Object(properties)) => properties.as_slice(),
            _ => &[],
        };
        self.properties += properties.len();
        for (name, _) in properties {
            let letters = |more: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
            let is_right = match self.dialect {
                Dialect::Anthropic | Dialect::AnthropicStrict | Dialect::Bedrock | Dialect::BedrockStrict => {
                    letters("_.-") && (1..=64).contains(&name.len())
                }
                Dialect::GeminiParameters => {
                    letters("_")
                        && (1..=64).contains(&name.len())
                        && !name.starts_with(|c: char| c.is_ascii_digit())
                }
                _ => true,
            };
            if !is_right {
                self.fault(at, format!("property name {name:?}"));
            }
        }
        let required: Vec<&str> = match schema.get("required") {
            Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).collect(),
            _ => Vec::new(),
        };
        let plain = self.is(&[Dialect::OpenAi, Dialect::Anthropic, Dialect::Bedrock]);
        for name in &required {
            if !plain && !properties.iter().any(|(known, _)| known == name) {
                self.fault(at, format!("`required` names {name:?}, which is no property"));
            }
        }
        let left_out = properties.iter().filter(|(name, _)| !required.contains(&name.as_str())).count();
        self.optional += left_out;
        if left_out > 0 && self.is(&[Dialect::OpenAiStrict, Dialect::DeepSeekStrict]) {
            self.fault(at, "a property that is not required");
        }
    }

    fn references(&mut self, schema: &Json, members: &[(String, Json)], at: &str) {
        let Some(reference) = schema.get("$ref") else { return };
        if self.is(&[Dialect::GeminiParameters, Dialect::Ollama, Dialect::LlamaCpp]) {
            return self.fault(at, "a reference");
        }
        let Some(text) = reference.as_str() else { return self.fault(at, "`$ref` is no text") };
        let leads = text == "#"
            || text.strip_prefix("#/$defs/").is_some_and(|name| {
                self.root.get("$defs").is_some_and(|definitions| definitions.get(name).is_some())
            });
        if !leads {
            self.fault(at, format!("the reference {text:?} leads nowhere"));
        }
        let alone = self.is(&[Dialect::OpenAiStrict, Dialect::GeminiJsonSchema, Dialect::DeepSeekStrict]);
        if alone && members.len() > 1 {
            self.fault(at, "`$ref` with siblings");
        }
    }
}
