//! What is wrong with a schema.

use std::error::Error;
use std::fmt;

use super::violation::place;

/// All that is wrong with a schema, one line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    violations: Vec<SchemaViolation>,
}

impl SchemaError {
    pub(crate) fn new(violations: Vec<SchemaViolation>) -> Self {
        Self { violations }
    }

    /// The violations of several schemas as one.
    pub(crate) fn join(errors: impl IntoIterator<Item = Self>) -> Self {
        Self { violations: errors.into_iter().flat_map(|error| error.violations).collect() }
    }

    /// The same, each pointer behind the name of its schema.
    pub(crate) fn within(mut self, schema: &str) -> Self {
        for violation in &mut self.violations {
            violation.pointer = format!("{schema}#{}", violation.pointer);
        }
        self
    }

    /// All of the violations, in the order of the schema.
    pub fn violations(&self) -> &[SchemaViolation] {
        &self.violations
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.violations.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{violation}")?;
        }
        Ok(())
    }
}

impl Error for SchemaError {}

/// One thing that is wrong with a schema: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaViolation {
    pointer: String,
    keyword: String,
    problem: String,
    hint: String,
}

impl SchemaViolation {
    pub(crate) fn new(
        pointer: impl Into<String>,
        keyword: impl Into<String>,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { pointer: pointer.into(), keyword: keyword.into(), problem: problem.into(), hint: hint.into() }
    }

    /// The JSON pointer to the place in the schema.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The keyword that is wrong; empty if it is the schema as a whole.
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// What is wrong.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// What to do.
    pub fn hint(&self) -> &str {
        &self.hint
    }
}

/// Keeps a violation, unless long pointers would make many of them cost more than they tell.
pub(super) fn note(out: &mut Vec<SchemaViolation>, violation: SchemaViolation) {
    const MANY: usize = 64;
    const LONG: usize = 1_024;
    if out.len() < MANY || violation.pointer.len() < LONG {
        out.push(violation);
    }
}

impl fmt::Display for SchemaViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", place(&self.pointer), self.problem, self.hint)
    }
}
