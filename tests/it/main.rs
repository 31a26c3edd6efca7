//! Behaviour across modules, as one binary.
//!
//! A test of a field report carries its number (`tests/cases/field-reports.md`); what belongs to later parts is
//! listed in `tests/cases/later.txt`. All free functions with `#[tool]` share one collection, so their names differ.

mod arguments;
mod arguments_reports;
mod cards;
mod deep;
mod derived;
mod descriptions;
mod dialects;
mod dispatch;
mod dynamic;
mod enums;
mod flatten;
mod formats;
mod hygiene;
mod laws;
mod linking;
mod names;
mod output;
mod output_cap;
mod panics;
mod pipeline;
mod pipeline_background;
mod pipeline_clocks;
mod pipeline_confirmed;
mod pipeline_leaks;
mod pipeline_nested;
mod pipeline_panics;
mod pipeline_review;
mod pipeline_schedules;
mod pipeline_seams;
mod pipeline_texts;
mod pipeline_threads;
mod pipeline_tower;
mod registry;
mod reviewed;
mod schema_shape;
mod scope_lives;
mod scope_reports;
mod scope_rules;
mod scope_texts;
mod scopes;
mod scopes_listing;
mod signatures;
mod structs;
mod support;
mod texts;
mod tool_types;
mod unions;
mod unloads;

#[test]
fn every_file_of_this_folder_is_declared() {
    let main = include_str!("main.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("it");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of this file")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    for file in files.iter().filter(|file| *file != "main.rs") {
        let module = file.trim_end_matches(".rs");
        assert!(main.lines().any(|line| line == format!("mod {module};")), "{file} is not declared");
    }
}
