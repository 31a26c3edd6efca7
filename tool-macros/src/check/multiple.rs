//! Whether a multiple lies between two bounds, in exact decimals.
//!
//! `tool-macros` has the same file, since a macro crate and its runtime can share no code; a test there compares the
//! two.

/// A number as its decimal digits and how many of them are behind the point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal {
    digits: i128,
    places: u32,
}

impl Decimal {
    pub(crate) fn integer(integer: i128) -> Self {
        Self { digits: integer, places: 0 }
    }

    /// The number that the shortest text of a float says; `None` if it has too many digits.
    pub(crate) fn float(float: f64) -> Option<Self> {
        let text = float.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { digits, places: u32::try_from(fraction.len()).ok()? })
    }

    /// The number in units of so many places.
    fn in_units(self, places: u32) -> Option<i128> {
        self.digits.checked_mul(10_i128.checked_pow(places.checked_sub(self.places)?)?)
    }

    /// The positive integer of which all integers are multiples that are multiples of this number.
    pub(crate) fn least_integer(self) -> Option<i128> {
        let unit = 10_i128.checked_pow(self.places)?;
        let (mut divisor, mut rest) = (unit, self.digits.checked_abs()?);
        while rest != 0 {
            (divisor, rest) = (rest, divisor.checked_rem(rest)?);
        }
        self.digits.checked_abs()?.checked_div(divisor)
    }
}

/// A bound, and whether it is excluded itself.
pub(crate) type Bound = (Decimal, bool);

/// Whether no multiple of a number above 0 lies between two bounds; `None` if the digits are too many to tell.
pub(crate) fn has_no_multiple(low: Bound, high: Bound, step: Decimal) -> Option<bool> {
    let places = low.0.places.max(high.0.places).max(step.places);
    let first = low.0.in_units(places)?.checked_add(i128::from(low.1))?;
    let last = high.0.in_units(places)?.checked_sub(i128::from(high.1))?;
    let step = step.in_units(places)?;
    let below = last.checked_sub(last.checked_rem_euclid(step)?)?;
    Some(below < first)
}
