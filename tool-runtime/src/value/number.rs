//! Numbers compared exactly, whatever they are stored as.

use std::cmp::Ordering;

use serde_json::Number;

/// A JSON number without rounding: an integer wherever it is one, a float only with a fraction or beyond 2^126.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Exact {
    /// A number without a fraction.
    Integer(i128),
    /// A number with a fraction, or too large for [`Exact::Integer`].
    Float(f64),
}

const LARGEST: f64 = 8.507_059_173_023_462e37;

impl Exact {
    /// Reads a stored number.
    pub(crate) fn of(number: &Number) -> Self {
        if let Some(integer) = number.as_i64() {
            return Self::Integer(i128::from(integer));
        }
        if let Some(integer) = number.as_u64() {
            return Self::Integer(i128::from(integer));
        }
        if let Some(float) = number.as_f64().filter(|_| number.is_f64()) {
            return Self::from_f64(float);
        }
        // Only with `arbitrary_precision` can a number be more than a u64 and not a float.
        if let Ok(integer) = number.to_string().parse::<i128>() {
            return Self::Integer(integer);
        }
        match number.as_f64() {
            Some(float) => Self::from_f64(float),
            None if number.to_string().starts_with('-') => Self::Float(f64::NEG_INFINITY),
            None => Self::Float(f64::INFINITY),
        }
    }

    /// Reads a float.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the float is checked to be in range and without fraction"
    )]
    pub(crate) fn from_f64(float: f64) -> Self {
        if float.abs() <= LARGEST && is_whole(float) {
            Self::Integer(float as i128)
        } else {
            Self::Float(float)
        }
    }

    /// Whether JSON Schema calls the number an integer: `3.0` is one.
    pub(crate) fn is_integer(self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Float(float) => is_whole(float),
        }
    }

    /// Compares two numbers by value; NaN, which JSON has not, is above all.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(&b),
            (Self::Float(a), Self::Float(b)) => a.total_cmp(&b),
            (Self::Integer(a), Self::Float(b)) => compare_mixed(a, b),
            (Self::Float(a), Self::Integer(b)) => compare_mixed(b, a).reverse(),
        }
    }

    /// Whether the number is a multiple of the divisor: exact for integers, within rounding for fractions.
    pub(crate) fn is_multiple_of(self, divisor: Self) -> bool {
        match (self, divisor) {
            (_, Self::Integer(0)) => false,
            (Self::Integer(a), Self::Integer(b)) => a.checked_rem(b).is_none_or(|rest| rest == 0),
            (a, b) => {
                let (a, b) = (a.to_f64(), b.to_f64());
                let quotient = a / b;
                if !quotient.is_finite() {
                    return false;
                }
                let distance = (quotient - quotient.round()).abs();
                distance <= f64::EPSILON * 4.0 * quotient.abs().max(1.0)
            }
        }
    }

    /// The nearest float.
    #[expect(clippy::cast_precision_loss, reason = "the nearest float is what is asked for")]
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }

    /// The number as JSON stores it, if it fits.
    pub(crate) fn to_number(self) -> Option<Number> {
        match self {
            Self::Integer(integer) => i64::try_from(integer)
                .map(Number::from)
                .or_else(|_| u64::try_from(integer).map(Number::from))
                .ok()
                .or_else(|| Number::from_f64(self.to_f64())),
            Self::Float(float) => Number::from_f64(float),
        }
    }
}

#[expect(clippy::float_cmp, reason = "a float without fraction equals its truncation exactly")]
fn is_whole(float: f64) -> bool {
    float.is_finite() && float.trunc() == float
}

#[expect(clippy::cast_possible_truncation, reason = "the float is checked to be in range")]
fn compare_mixed(integer: i128, float: f64) -> Ordering {
    if float.is_nan() || float > LARGEST {
        return Ordering::Less;
    }
    if float < -LARGEST {
        return Ordering::Greater;
    }
    let floor = float.floor();
    match integer.cmp(&(floor as i128)) {
        Ordering::Equal if float > floor => Ordering::Less,
        order => order,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Exact {
        Exact::of(&text.parse().unwrap())
    }

    #[test]
    fn comparison_never_rounds() {
        for (less, more) in [
            ("9007199254740992.0", "9007199254740993"),
            ("18446744073709551614", "18446744073709551615"),
            ("-1", "0"),
            ("0", "0.5"),
            ("-0.5", "0"),
            ("18446744073709551615", "1e300"),
            ("-1e300", "-9223372036854775808"),
            ("0.1", "0.2"),
        ] {
            assert_eq!(number(less).compare(number(more)), Ordering::Less, "{less} {more}");
            assert_eq!(number(more).compare(number(less)), Ordering::Greater, "{less} {more}");
        }
        assert_eq!(number("3.0").compare(number("3")), Ordering::Equal);
        assert_eq!(number("-0.0").compare(number("0")), Ordering::Equal);
    }

    #[test]
    fn multiples_are_exact_for_integers_and_tolerant_for_fractions() {
        for (value, divisor, yes) in [
            ("18446744073709551615", "5", true),
            ("18446744073709551615", "2", false),
            ("6.0", "3", true),
            ("0.3", "0.1", true),
            ("19.99", "0.01", true),
            ("0.35", "0.1", false),
            ("7", "3.5", true),
            ("7", "0", false),
        ] {
            assert_eq!(number(value).is_multiple_of(number(divisor)), yes, "{value} {divisor}");
        }
    }

    #[test]
    fn three_point_zero_is_an_integer() {
        assert!(number("3.0").is_integer() && number("1e300").is_integer() && number("-7").is_integer());
        assert!(!number("3.5").is_integer());
    }
}
