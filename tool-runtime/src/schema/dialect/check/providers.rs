//! The rules of single providers.

use super::super::Dialect;
use super::Checker;
use crate::value::Json;

const STANDARD_FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

impl Checker<'_> {
    pub(super) fn strict(&mut self, schema: &Json, at: &str) {
        let has = |keyword: &str| schema.get(keyword).is_some();
        if !["type", "anyOf", "$ref"].iter().any(|keyword| has(keyword)) {
            self.fault(at, "neither `type` nor `anyOf` nor `$ref`");
        }
        let is = |name: &str| match schema.get("type") {
            Some(Json::String(kind)) => kind == name,
            Some(Json::Array(kinds)) => kinds.iter().any(|kind| kind.as_str() == Some(name)),
            _ => false,
        };
        if is("object") && schema.get("additionalProperties") != Some(&Json::Bool(false)) {
            self.fault(at, "an object that is not closed");
        }
        if is("object") && !has("properties") && self.is(&[Dialect::OpenAiStrict, Dialect::DeepSeekStrict]) {
            self.fault(at, "an object without `properties`");
        }
        if is("array") && !has("items") {
            self.fault(at, "a list without `items`");
        }
        if let Some(format) = schema.get("format").and_then(Json::as_str) {
            let known = match self.dialect {
                Dialect::OpenAiStrict => STANDARD_FORMATS.contains(&format) && format != "uri",
                Dialect::DeepSeekStrict => ["email", "hostname", "ipv4", "ipv6", "uuid"].contains(&format),
                _ => STANDARD_FORMATS.contains(&format),
            };
            if !known {
                self.fault(at, format!("format {format:?}"));
            }
        }
        if let Some(pattern) = schema.get("pattern").and_then(Json::as_str) {
            let around = ["(?=", "(?!", "(?<"].iter().any(|mark| pattern.contains(mark));
            let boundary = self.dialect == Dialect::AnthropicStrict
                && pattern.contains("\\b")
                && !pattern.contains("\\\\b");
            if (around && self.is(&[Dialect::OpenAiStrict, Dialect::AnthropicStrict])) || boundary {
                self.fault(at, format!("pattern {pattern:?}"));
            }
        }
        self.unions +=
            usize::from(has("anyOf")) + usize::from(matches!(schema.get("type"), Some(Json::Array(_))));
    }

    pub(super) fn openai_strict(&mut self, schema: &Json, at: &str) {
        let Some(Json::Array(branches)) = schema.get("anyOf") else { return };
        let firsts: Vec<(&str, Vec<String>)> = branches
            .iter()
            .filter_map(|branch| {
                let branch = match branch.get("$ref").and_then(Json::as_str) {
                    Some("#") => self.root,
                    Some(text) => self.root.get("$defs")?.get(text.strip_prefix("#/$defs/")?)?,
                    None => branch,
                };
                let Some(Json::Object(properties)) = branch.get("properties") else { return None };
                let (name, first) = properties.first()?;
                let values = match (first.get("const"), first.get("enum")) {
                    (Some(value), _) => vec![value.text()],
                    (None, Some(Json::Array(values))) => values.iter().map(Json::text).collect(),
                    _ => Vec::new(),
                };
                Some((name.as_str(), values))
            })
            .collect();
        for (index, (name, values)) in firsts.iter().enumerate() {
            let alike = firsts.iter().skip(index + 1).any(|(other, theirs)| {
                other == name
                    && (values.is_empty() || theirs.is_empty() || values.iter().any(|v| theirs.contains(v)))
            });
            if alike {
                self.fault(at, format!("two objects of a union begin with {name:?}"));
            }
        }
    }

    pub(super) fn bounded_items(&mut self, schema: &Json, at: &str) {
        if let Some(Json::Number(least)) = schema.get("minItems")
            && !matches!(least.as_u64(), Some(0 | 1))
        {
            self.fault(at, "`minItems` beyond 1");
        }
    }

    pub(super) fn deepseek(&mut self, schema: &Json, at: &str) {
        if let Some(Json::Array(branches)) = schema.get("anyOf")
            && branches.iter().any(|branch| branch.get("$ref").is_some())
        {
            self.fault(at, "a reference in `anyOf`");
        }
        let is_empty =
            matches!(schema.get("properties"), Some(Json::Object(properties)) if properties.is_empty());
        if is_empty && !at.is_empty() {
            self.fault(at, "an object without properties below the root");
        }
        if schema.get("default").is_some_and(|default| !matches!(default, Json::Number(_))) {
            self.fault(at, "a default that is no number");
        }
    }

    pub(super) fn gemini(&mut self, schema: &Json, at: &str) {
        let kind = schema.get("type").and_then(Json::as_str);
        if kind.is_none() && schema.get("anyOf").is_none() {
            self.fault(at, "neither `type` nor `anyOf`");
        }
        if kind == Some("null") {
            self.fault(at, "`type: null`");
        }
        if kind == Some("array")
            && !matches!(schema.get("items"), Some(Json::Object(items)) if !items.is_empty())
        {
            self.fault(at, "missing field items");
        }
        if let Some(format) = schema.get("format").and_then(Json::as_str) {
            let known: &[&str] = match kind {
                Some("string") => &["enum", "date-time"],
                Some("integer" | "number") => &["int32", "int64", "float", "double"],
                _ => &[],
            };
            if !known.contains(&format) {
                self.fault(at, format!("format {format:?}"));
            }
        }
    }

    pub(super) fn llama(&mut self, schema: &Json, at: &str) {
        let has = |keyword: &str| schema.get(keyword).is_some();
        if has("properties") && (has("anyOf") || has("oneOf")) {
            self.fault(at, "properties beside a union");
        }
        if let Some(pattern) = schema.get("pattern").and_then(Json::as_str) {
            let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
            let letters = ["\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\b", "\\p", "(?"];
            if inner.is_none_or(|inner| letters.iter().any(|letter| inner.contains(letter))) {
                self.fault(at, format!("pattern {pattern:?}"));
            }
        }
        for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            if has(keyword) && schema.get("type").and_then(Json::as_str) != Some("integer") {
                self.fault(at, format!("`{keyword}` of something other than an integer"));
            }
        }
        for keyword in ["minLength", "maxLength", "minItems", "maxItems"] {
            if let Some(Json::Number(bound)) = schema.get(keyword)
                && bound.as_u64().is_none_or(|bound| bound > 1_000)
            {
                self.fault(at, format!("`{keyword}` too large for a grammar"));
            }
        }
        if let Some(format) = schema.get("format").and_then(Json::as_str)
            && !["date", "time", "date-time", "uuid"].contains(&format)
        {
            self.fault(at, format!("format {format:?}"));
        }
    }

    pub(super) fn no_recursion(&mut self) {
        let Some(Json::Object(named)) = self.root.get("$defs") else {
            if self.root.text().contains("\"$ref\":\"#\"") {
                self.fault("", "a reference to the root");
            }
            return;
        };
        // Definitions without references go first, then those that lead to them only.
        let mut left: Vec<(&str, String)> =
            named.iter().map(|(name, inner)| (name.as_str(), inner.text())).collect();
        loop {
            let before = left.len();
            let names: Vec<&str> = left.iter().map(|(name, _)| *name).collect();
            let leads =
                |text: &str| names.iter().any(|name| text.contains(&format!("\"$ref\":\"#/$defs/{name}\"")));
            left.retain(|(_, text)| leads(text) || text.contains("\"$ref\":\"#\""));
            if left.len() == before {
                break;
            }
        }
        for (name, _) in left {
            self.fault(&format!("/$defs/{name}"), "recursion");
        }
    }
}
