//! Real tool schemas, where the corpus is at hand.

use super::super::verbatim::verbatim;
use super::super::{Dialect, dialects};
use super::landed;
use crate::schema::Schema;

#[test]
fn real_schemas_that_go_out_as_they_are_are_their_projections() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpora/schemas/real_dev.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    for line in text.lines().step_by(3) {
        let Ok(row) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let Ok(schema) = Schema::parse(&row["input_schema"].to_string()) else { continue };
        for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::Bedrock] {
            if let Some(found) = verbatim(dialect, &schema) {
                assert_eq!(
                    Ok(found),
                    dialect.project(schema.text()),
                    "{} of {}",
                    dialect.name(),
                    row["name"]
                );
            }
        }
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a test of an optional corpus says whether it ran")]
fn real_schemas_project_to_what_the_checkers_take() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpora/schemas/real_dev.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: the optional corpus of real schemas is not at hand");
        return;
    };
    let mut cases = 0;
    for line in text.lines().step_by(13) {
        let Ok(row) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let schema = row["input_schema"].to_string();
        for dialect in dialects() {
            let Ok(projection) = dialect.project(&schema) else { continue };
            cases += 1;
            let faults = landed(*dialect, &projection).check(projection.schema());
            assert!(faults.is_empty(), "{} of {}: {faults:#?}", dialect.name(), row["name"]);
        }
    }
    eprintln!("{cases} projections of real schemas checked");
    assert!(cases > 0);
}
