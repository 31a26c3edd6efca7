//! Rules between constraints, defaults and examples that are all literals. What needs the type is checked by the
//! compiler, in the constants that the expansion writes.

use syn::Expr;

use super::ecma;
use super::format::Format;
use super::matches::matches;
use super::multiple::{Decimal, has_no_multiple};
use crate::attr::arg::{Applies, Arg, Constraint, FORMATS, Takes};
use crate::attr::literal::Literal;
use crate::diagnostics::{Diagnostics, list, nearest};

/// Checks everything that the literals alone decide.
pub(crate) fn check(diagnostics: &Diagnostics, arg: &Arg, owner: &str) {
    for constraint in &arg.constraints {
        alone(diagnostics, constraint);
    }
    families(diagnostics, arg, owner);
    ranges(diagnostics, arg);
    let default = arg.default.get().map(|expression| ("default", expression));
    let examples = arg.examples.iter().map(|(_, expression)| ("example", expression));
    for (what, expression) in default.into_iter().chain(examples) {
        value(diagnostics, arg, what, expression);
    }
    if arg.flatten.is_set() {
        flattened(diagnostics, arg);
    }
}

/// Whether nothing is wrong with what the literals alone decide.
pub(crate) fn are_in_order(arg: &Arg, owner: &str) -> bool {
    let diagnostics = Diagnostics::new();
    check(&diagnostics, arg, owner);
    diagnostics.finish().is_none()
}

fn alone(diagnostics: &Diagnostics, constraint: &Constraint) {
    match (&constraint.value, constraint.rule.takes) {
        (Literal::String(pattern), Takes::Pattern) => {
            if let Err(reason) = expression(pattern) {
                let hint = if reason.contains("look-around") || reason.contains("backreferences") {
                    "patterns run in linear time, so without look-around and backreferences"
                } else {
                    "patterns are those of JSON Schema (ECMA 262)"
                };
                diagnostics
                    .error(&constraint.tokens, format!("invalid regular expression: {reason}; {hint}"));
            }
        }
        (Literal::String(format), Takes::Format) if !FORMATS.contains(&format.as_str()) => {
            let near = nearest(format, FORMATS.iter().copied())
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            diagnostics.error(
                &constraint.tokens,
                format!(
                    "unknown format `{format}`{near}\nexpected one of: {}",
                    list(FORMATS.iter().copied())
                ),
            );
        }
        (value, Takes::Number)
            if constraint.rule.key == "multiple_of" && value.number().is_some_and(|number| number <= 0.0) =>
        {
            diagnostics.error(&constraint.tokens, "`multiple_of` must be greater than 0");
        }
        _ => {}
    }
}

/// A pattern, parsed as the runtime will; the error is the reason without the drawing of the pattern.
fn expression(pattern: &str) -> Result<regex_syntax::hir::Hir, String> {
    regex_syntax::Parser::new().parse(&ecma::translate(pattern)?).map_err(|error| match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        other => other.to_string(),
    })
}

/// One type cannot be a number and a string.
fn families(diagnostics: &Diagnostics, arg: &Arg, owner: &str) {
    let Some(first) = arg.constraints.first() else { return };
    for other in &arg.constraints {
        if other.rule.applies != first.rule.applies {
            diagnostics.error(
                &other.key,
                format!(
                    "`{}` applies to {}, but `{}` on `{owner}` applies to {}; keep one of them",
                    other.rule.key,
                    other.rule.applies.words(),
                    first.rule.key,
                    first.rule.applies.words(),
                ),
            );
        }
    }
}

fn ranges(diagnostics: &Diagnostics, arg: &Arg) {
    for (low, high, open) in [
        ("minimum", "maximum", false),
        ("minimum", "exclusive_maximum", true),
        ("exclusive_minimum", "maximum", true),
        ("exclusive_minimum", "exclusive_maximum", true),
        ("min_length", "max_length", false),
        ("min_items", "max_items", false),
    ] {
        let (Some(low), Some(high)) = (arg.find(low), arg.find(high)) else { continue };
        let empty = high.value.is_less(&low.value) == Some(true)
            || (open && low.value.is_less(&high.value) == Some(false));
        if empty {
            diagnostics.error(
                &high.tokens,
                format!(
                    "no value fits: `{}` is {} and `{}` is {}; raise this one or lower the other",
                    low.rule.key,
                    low.value.shown(),
                    high.rule.key,
                    high.value.shown(),
                ),
            );
        }
    }
    multiples(diagnostics, arg);
    for (bound, exclusive) in [("minimum", "exclusive_minimum"), ("maximum", "exclusive_maximum")] {
        if let (Some(_), Some(other)) = (arg.find(bound), arg.find(exclusive)) {
            diagnostics
                .error(&other.key, format!("`{bound}` and `{exclusive}` say the same thing twice; keep one"));
        }
    }
}

/// A range needs a multiple within. Whether only integers count, the type tells, and so the registry.
fn multiples(diagnostics: &Diagnostics, arg: &Arg) {
    let bound = |inclusive, exclusive| {
        let found = arg.find(inclusive).map(|bound| (bound, false));
        found.or_else(|| arg.find(exclusive).map(|bound| (bound, true)))
    };
    let (Some((low, above)), Some((high, below)), Some(of)) = (
        bound("minimum", "exclusive_minimum"),
        bound("maximum", "exclusive_maximum"),
        arg.find("multiple_of"),
    ) else {
        return;
    };
    // Bounds that cross are a mistake of their own.
    let crossed = low.value.is_less(&high.value) != Some(true) && (above || below || low.value != high.value);
    let is_positive = of.value.number().is_some_and(|of| of > 0.0);
    let (Some(from), Some(to), Some(step)) = (decimal(&low.value), decimal(&high.value), decimal(&of.value))
    else {
        return;
    };
    if is_positive && !crossed && has_no_multiple((from, above), (to, below), step) == Some(true) {
        let side = |bound: &Constraint, is_excluded| {
            if is_excluded { format!("{} (excluded)", bound.value.shown()) } else { bound.value.shown() }
        };
        diagnostics.error(
            &of.tokens,
            format!(
                "no value fits: there is no multiple of {} from {} to {}; widen the range, or lower this",
                of.value.shown(),
                side(low, above),
                side(high, below)
            ),
        );
    }
}

fn decimal(literal: &Literal) -> Option<Decimal> {
    match literal {
        Literal::Integer(value) => Some(Decimal::integer(*value)),
        Literal::Number(value) => Decimal::float(*value),
        Literal::Boolean(_) | Literal::String(_) => None,
    }
}

/// A default or an example must fulfil the constraints beside it.
fn value(diagnostics: &Diagnostics, arg: &Arg, what: &str, expression: &Expr) {
    let Some(literal) = Literal::of(expression) else { return };
    for constraint in &arg.constraints {
        if let Some(fault) = violation(&literal, constraint) {
            diagnostics.error(
                expression,
                format!("this {what} breaks its own constraint: {fault}; change one of the two"),
            );
        }
    }
}

fn violation(literal: &Literal, constraint: &Constraint) -> Option<String> {
    let key = constraint.rule.key;
    let bound = &constraint.value;
    let broken = match constraint.rule.applies {
        Applies::Numbers => match key {
            "minimum" => literal.is_less(bound)?,
            "maximum" => bound.is_less(literal)?,
            "exclusive_minimum" => !bound.is_less(literal)?,
            "exclusive_maximum" => !literal.is_less(bound)?,
            "multiple_of" => {
                bound.number().is_some_and(|of| of > 0.0) && {
                    let value = (decimal(literal)?, false);
                    has_no_multiple(value, value, decimal(bound)?)?
                }
            }
            _ => false,
        },
        Applies::Strings => {
            let Literal::String(text) = literal else { return None };
            let length = Literal::Integer(i128::try_from(text.chars().count()).unwrap_or(i128::MAX));
            match key {
                "min_length" => length.is_less(bound)?,
                "max_length" => bound.is_less(&length)?,
                "pattern" => match bound {
                    Literal::String(pattern) => !matches(&expression(pattern).ok()?, text)?,
                    _ => false,
                },
                "format" => match bound {
                    Literal::String(format) => {
                        let format = Format::from_name(format)?;
                        if format.fits(text) {
                            return None;
                        }
                        return Some(format!("`format` is {}, {}", bound.shown(), format.expected()));
                    }
                    _ => false,
                },
                _ => false,
            }
        }
        Applies::Arrays => false,
    };
    broken.then(|| format!("`{key}` is {}", bound.shown()))
}

fn flattened(diagnostics: &Diagnostics, arg: &Arg) {
    let others = [arg.rename.key(), arg.description.key(), arg.default.key(), arg.secret.key()]
        .into_iter()
        .flatten()
        .chain(arg.examples.iter().map(|(key, _)| key))
        .chain(arg.constraints.iter().map(|constraint| &constraint.key));
    for key in others {
        diagnostics.error(
            key,
            format!(
                "`{key}` has no place on a flattened struct, which is no argument itself; put it on a field"
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_runtime_has_the_same_rules_for_patterns_formats_and_multiples() {
        assert_eq!(include_str!("ecma.rs"), include_str!("../../../tool-runtime/src/schema/ecma.rs"));
        assert_eq!(include_str!("format.rs"), include_str!("../../../tool-runtime/src/schema/format.rs"));
        assert_eq!(include_str!("multiple.rs"), include_str!("../../../tool-runtime/src/schema/multiple.rs"));
    }
}
