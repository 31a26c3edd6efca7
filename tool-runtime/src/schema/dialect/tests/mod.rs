use super::*;

/// Throwaway: the development corpus.
#[test]
fn corpus() {
    let Ok(text) = std::fs::read_to_string("/work/shared/corpora/schemas/real_dev.jsonl") else { return };
    let mut out = String::new();
    use std::fmt::Write;
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        // Text order matters: cut it out raw.
        let raw: std::collections::HashMap<String, Box<serde_json::value::RawValue>> = serde_json::from_str(line).unwrap();
        let schema = raw["input_schema"].get();
        for dialect in dialects() {
            match dialect.project(schema) {
                Ok(projection) => {
                    let faults = dialect.project(schema).map(|p| match (p.strictness(), dialect) {
                        (Strictness::NotWith(_), Dialect::OpenAiStrict | Dialect::DeepSeekStrict) => Dialect::OpenAi.check(p.schema()),
                        (Strictness::NotWith(_), Dialect::AnthropicStrict) => Dialect::Anthropic.check(p.schema()),
                        (Strictness::NotWith(_), Dialect::BedrockStrict) => Dialect::Bedrock.check(p.schema()),
                        _ => dialect.check(p.schema()),
                    }).unwrap();
                    let (s, why) = match projection.strictness() {
                        Strictness::NotAsked => ("-", String::new()),
                        Strictness::Holds => ("H", String::new()),
                        Strictness::NotWith(r) => ("N", r.join(" | ")),
                    };
                    writeln!(out, "{}\t{}/{}\t{}\t{}\t{}\t{:?}\t{}", dialect.name(), row["server"], row["name"], s, projection.losses().len(), faults.join(" | "), projection.losses().iter().map(ToString::to_string).collect::<Vec<_>>(), why).unwrap();
                }
                Err(e) => writeln!(out, "{}\t{}/{}\tE\t0\t\t[]\t{e}", dialect.name(), row["server"], row["name"]).unwrap(),
            }
        }
    }
    std::fs::write("/tmp/t/dialects/corpus.tsv", out).unwrap();
}
