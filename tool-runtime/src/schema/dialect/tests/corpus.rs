//! Real tool schemas, where the corpus is at hand.

use super::super::dialects;
use super::landed;

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
