//! Each cell of the table, each field report of its kind, and laws.

mod cells;
mod corpus;
mod docs;
mod laws;
mod reports;

use super::{Dialect, Projection, Strictness};

/// A projection that must succeed and pass the checker of the dialect that it ended up in.
pub(super) fn projected(dialect: Dialect, schema: &str) -> Projection {
    match dialect.project(schema) {
        Ok(projection) => {
            let faults = landed(dialect, &projection).check(projection.schema());
            assert!(
                faults.is_empty(),
                "{} of {schema}: {}\n{faults:#?}",
                dialect.name(),
                projection.schema()
            );
            projection
        }
        Err(error) => panic!("{} of {schema}: {error}", dialect.name()),
    }
}

/// The dialect whose rules the projection keeps: the plain one where `strict` does not hold.
pub(super) fn landed(dialect: Dialect, projection: &Projection) -> Dialect {
    match (projection.strictness(), dialect) {
        (Strictness::NotWith(_), Dialect::OpenAiStrict | Dialect::DeepSeekStrict) => Dialect::OpenAi,
        (Strictness::NotWith(_), Dialect::AnthropicStrict) => Dialect::Anthropic,
        (Strictness::NotWith(_), Dialect::BedrockStrict) => Dialect::Bedrock,
        _ => dialect,
    }
}

/// What became of a schema, in lines.
pub(super) fn told(dialect: Dialect, schema: &str) -> String {
    let projection = match dialect.project(schema) {
        Ok(projection) => projection,
        Err(error) => return format!("refused: {error}\n"),
    };
    let mut out = format!("{}\n", projection.schema());
    match projection.strictness() {
        Strictness::NotAsked => {}
        Strictness::Holds => out.push_str("strict\n"),
        Strictness::NotWith(reasons) => out.extend(["not strict: ", &reasons.join(" · "), "\n"]),
    }
    for loss in projection.losses() {
        out.extend(["- ", &loss.to_string(), "\n"]);
    }
    out
}
