//! The goals of the compile half, each against `plain` in the same run, for every tool beyond none.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::process::Result;

/// What a column is measured by, and the most it may cost for each tool, divided by what `plain` does.
const BOUNDS: [(&str, f64); 4] = [
    ("check, CPU ms", 0.4),
    ("debug build, CPU ms", 0.55),
    ("release build, CPU ms", 0.7),
    ("stripped release, bytes", 0.9),
];

/// One measured figure beside its bound; only the one-signature generator has bounds.
pub(super) struct Goal {
    what: &'static str,
    column: &'static str,
    plain: f64,
    own: f64,
    most: Option<f64>,
}

impl Goal {
    fn ratio(&self) -> f64 {
        self.own / self.plain
    }

    /// A figure that is no number (nothing was measured) misses, too.
    pub(super) fn is_missed(&self) -> bool {
        self.most.is_some_and(|most| self.ratio().is_nan() || self.ratio() > most)
    }
}

/// Reads the results of the compile half.
pub(super) fn measured(results: &Path) -> Result<Vec<Goal>> {
    let paired_text = fs::read_to_string(results.join("paired.tsv"))?;
    let release_text = fs::read_to_string(results.join("compile.jsonl"))?;
    let (paired, release) = (paired(&paired_text), release(&release_text));
    // In the order of the bounds; what was not measured is no number.
    let figures = |column: &str| {
        let built = release.get(column);
        [
            paired.get(&("check", column)).copied(),
            paired.get(&("build", column)).copied(),
            built.map(Release::milliseconds_a_tool),
            built.map(Release::bytes_a_tool),
        ]
        .map(|figure| figure.unwrap_or(f64::NAN))
    };
    let plain = figures("plain");
    let mut goals = Vec::new();
    for (column, is_bound) in [("ours", true), ("ours_varied", false)] {
        for (((what, most), plain), own) in BOUNDS.into_iter().zip(plain).zip(figures(column)) {
            goals.push(Goal { what, column, plain, own, most: is_bound.then_some(most) });
        }
    }
    Ok(goals)
}

/// The goals as a Markdown table.
pub(super) fn table(goals: &[Goal]) -> String {
    let mut text = "\n### Goals: cost of a tool, divided by plain's\n\n\
        | cost of a tool | column | plain | own | own ÷ plain | at most | |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    for goal in goals {
        let (most, verdict) = match goal.most {
            Some(most) if goal.is_missed() => (format!("{most}×"), "missed"),
            Some(most) => (format!("{most}×"), "met"),
            None => (String::new(), "reported"),
        };
        let row = [
            goal.what.to_owned(),
            goal.column.to_owned(),
            format!("{:.1}", goal.plain),
            format!("{:.1}", goal.own),
            format!("{:.2}×", goal.ratio()),
            most,
            verdict.to_owned(),
        ];
        text.extend(["| ", &row.join(" | "), " |\n"]);
    }
    text
}

/// `paired MODE COLUMN SECONDS-FOR-0 MILLISECONDS-A-TOOL RATIO`, by mode and column.
fn paired(text: &str) -> BTreeMap<(&str, &str), f64> {
    let rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter_map(|row| Some(((*row.get(1)?, *row.get(2)?), row.get(4)?.parse().ok()?))).collect()
}

/// The release builds of one column.
#[derive(Debug, Default)]
struct Release {
    seconds: BTreeMap<u32, Vec<f64>>,
    bytes: BTreeMap<u32, f64>,
}

impl Release {
    /// As the rig's report counts it: 1,000 ms times the difference of 100 tools, over 100.
    fn milliseconds_a_tool(&self) -> f64 {
        let median = |n| self.seconds.get(&n).map_or(f64::NAN, |seconds| median(seconds));
        10.0 * (median(100) - median(0))
    }

    fn bytes_a_tool(&self) -> f64 {
        let bytes = |n| self.bytes.get(&n).copied().unwrap_or(f64::NAN);
        (bytes(100) - bytes(0)) / 100.0
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.len() % 2, sorted.get(middle)) {
        (_, None) => f64::NAN,
        (0, Some(upper)) => f64::midpoint(sorted[middle - 1], *upper),
        (_, Some(value)) => *value,
    }
}

/// The lines of `compile.jsonl` that release.sh wrote, by column.
fn release(text: &str) -> BTreeMap<&str, Release> {
    let mut columns: BTreeMap<&str, Release> = BTreeMap::new();
    for line in text.lines().filter(|line| field(line, "what") == Some("release")) {
        let number = |name| field(line, name).and_then(|value| value.parse::<f64>().ok());
        let tools = field(line, "n").and_then(|value| value.parse().ok());
        if let (Some(column), Some(tools), Some(seconds), Some(bytes)) =
            (field(line, "column"), tools, number("s"), number("bytes"))
        {
            let release = columns.entry(column).or_default();
            release.seconds.entry(tools).or_default().push(seconds);
            release.bytes.insert(tools, bytes);
        }
    }
    columns
}

/// A field of one flat JSON object, whose strings hold no quotes; all that the rig writes.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = line.split_once(&format!("\"{name}\": "))?;
    match value.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => value.split([',', '}']).next().map(str::trim),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASES: &str = r#"{"column": "ours", "what": "clean_build_1", "s": 9.0, "wall": 9.0}
{"column": "ours", "what": "release", "n": 0, "s": 1.000, "bytes": 1000}
{"column": "ours", "what": "release", "n": 100, "s": 2.000, "bytes": 2000}
{"column": "ours", "what": "release", "n": 0, "s": 3.000, "bytes": 1000}
{"column": "ours", "what": "release", "n": 100, "s": 4.500, "bytes": 2500}
"#;

    #[test]
    fn release_builds_count_for_each_tool() {
        let columns = release(RELEASES);
        assert!((columns["ours"].milliseconds_a_tool() - 12.5).abs() < 1e-9);
        assert!((columns["ours"].bytes_a_tool() - 15.0).abs() < 1e-9);
    }

    #[test]
    fn paired_rows_are_read() {
        let rows = paired("paired\tcheck\tplain\t0.09\t17.9\t1.00\npaired\tcheck\tours\t0.12\t3.8\t0.21\n");
        assert_eq!(rows[&("check", "ours")].to_string(), "3.8");
    }

    #[test]
    fn a_goal_is_missed_over_its_bound_and_without_a_figure() {
        let goal = |own, most| Goal { what: BOUNDS[0].0, column: "ours", plain: 10.0, own, most };
        assert!(!goal(4.0, Some(0.4)).is_missed());
        assert!(goal(4.1, Some(0.4)).is_missed());
        assert!(goal(f64::NAN, Some(0.4)).is_missed());
        assert!(!goal(9.0, None).is_missed());
        assert!(table(&[goal(4.1, Some(0.4))]).contains("| 4.1 | 0.41× | 0.4× | missed |"));
    }
}
