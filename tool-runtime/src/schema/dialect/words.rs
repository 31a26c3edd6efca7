//! Values and bounds in a dialect.

use super::super::node::Kind;
use super::LossKind;
use super::part::{Part, kind_of};
use super::project::{Out, Projector};
use super::table::{Fate, Feature, feature};
use crate::value::{Exact, Json};

impl Projector<'_> {
    /// `enum` and `const`.
    pub(super) fn values(&mut self, part: &Part, out: &mut Out) {
        let Some(values) = part.values() else { return };
        let is_const = part.constant.is_some();
        let has = |wanted: fn(&Kind) -> bool| values.iter().map(kind_of).any(|kind| wanted(&kind));
        let spells_null = self.rules.nullable && has(|kind| *kind == Kind::Null);
        let others = if spells_null {
            |kind: &Kind| !matches!(kind, Kind::String | Kind::Null)
        } else {
            |kind: &Kind| *kind != Kind::String
        };
        let row = if has(|kind| matches!(kind, Kind::Array | Kind::Object)) {
            Feature::EnumOfOthers
        } else if has(others) {
            Feature::EnumOfNumbers
        } else {
            Feature::EnumOfTexts
        };
        let keyword = if is_const { "const" } else { "enum" };
        if self.holds_renamed(values) {
            self.lose(part, keyword, LossKind::Loosened, "holds a property name that the provider refuses");
            return;
        }
        if self.rules.fate(row) != Fate::Keep {
            let told = if is_const {
                values.first().cloned().unwrap_or(Json::Null)
            } else {
                Json::Array(values.to_vec())
            };
            self.tell(part, out, keyword, &told);
            return;
        }
        let mut values = values.to_vec();
        if spells_null {
            out.nullable = true;
            values.retain(|value| *value != Json::Null);
        }
        match values.as_slice() {
            [] if spells_null => {}
            [only] if is_const && self.rules.fate(Feature::Const) == Fate::Keep => {
                out.push("const", only.clone());
            }
            _ => out.push("enum", Json::Array(values)),
        }
    }

    /// Keywords without subschemas.
    pub(super) fn words(&mut self, part: &Part, out: &mut Out) {
        for (word, value) in &part.words {
            if word == "description" {
                // Put together at the end; what is not text says nothing.
                continue;
            }
            let row = feature(word);
            if matches!(row, Feature::Default | Feature::Examples | Feature::Not)
                && self.holds_renamed(std::slice::from_ref(value))
            {
                self.lose(part, word, LossKind::Omitted, "holds a property name that the provider refuses");
                continue;
            }
            if row == Feature::NullableWord && self.rules.nullable {
                out.nullable |= *value == Json::Bool(true);
                continue;
            }
            match self.rules.fate(row) {
                Fate::Keep if word == "example" && self.rules.nullable => out.push(word, value.clone()),
                // OpenAPI's word; what keeps examples knows the list of them.
                Fate::Keep if word == "example" => {
                    if part.words.iter().any(|(other, _)| other == "examples") {
                        self.lose(part, word, LossKind::Omitted, "stands beside `examples`, which says it");
                    } else {
                        out.push("examples", Json::Array(vec![value.clone()]));
                    }
                }
                Fate::Keep if self.is_default_of_another_type(part, word, value) => {
                    self.tell(part, out, word, value);
                }
                Fate::Keep => out.push(word, value.clone()),
                Fate::Some if self.goes_as_it_is(part, word, value, out) => out.push(word, value.clone()),
                Fate::Some if self.as_inclusive(part, word, value, out) => {}
                Fate::Some | Fate::Describe | Fate::Respell => self.tell(part, out, word, value),
                Fate::Omit | Fate::NotStrict => {
                    self.lose(part, word, LossKind::Omitted, "was left out");
                }
            }
        }
    }

    /// Whether a value holds a property name that is written in another way.
    fn holds_renamed(&self, values: &[Json]) -> bool {
        values.iter().any(|value| match value {
            Json::Array(items) => self.holds_renamed(items),
            Json::Object(members) => members.iter().any(|(name, member)| {
                !self.rules.keys.allow(name) || self.holds_renamed(std::slice::from_ref(member))
            }),
            _ => false,
        })
    }

    /// A default of a wrong type refuses the request where schemas are typed messages.
    fn is_default_of_another_type(&self, part: &Part, word: &str, value: &Json) -> bool {
        let kind = kind_of(value);
        let fits =
            part.types.contains(&kind) || (kind == Kind::Integer && part.types.contains(&Kind::Number));
        self.rules.nullable && word == "default" && !fits
    }

    fn goes_as_it_is(&self, part: &Part, word: &str, value: &Json, _out: &Out) -> bool {
        let is_small = || match value {
            Json::Number(number) => number.as_u64().is_some_and(|number| number <= self.rules.largest),
            _ => false,
        };
        match feature(word) {
            Feature::Format => {
                let listed = value.as_str().is_some_and(|name| self.rules.formats.contains(&name));
                let of_number = matches!(value.as_str(), Some("int32" | "int64" | "float" | "double"));
                let is_number = part.types.iter().any(|kind| matches!(kind, Kind::Integer | Kind::Number));
                (listed && !is_number) || (self.rules.nullable && of_number && is_number)
            }
            Feature::Pattern => value.as_str().is_some_and(self.rules.pattern),
            // The table says "some" of bounds where only integers have any.
            Feature::Range | Feature::ExclusiveRange if self.rules.keeps(Feature::Range) => false,
            Feature::Range | Feature::ExclusiveRange => part.is_only(Kind::Integer) && word != "multipleOf",
            Feature::Items if self.rules.strict => word == "minItems" && is_small(),
            Feature::Items | Feature::Length => is_small(),
            Feature::Default => matches!(value, Json::Number(_)),
            Feature::PropertyNames => matches!(word, "minProperties" | "maxProperties"),
            _ => false,
        }
    }

    /// An exclusive bound of integers is an inclusive one, one further in.
    fn as_inclusive(&mut self, part: &Part, word: &str, value: &Json, out: &mut Out) -> bool {
        let (bound, is_lower) = match word {
            "exclusiveMinimum" => ("minimum", true),
            "exclusiveMaximum" => ("maximum", false),
            _ => return false,
        };
        let Json::Number(number) = value else { return false };
        let is_alone = part.word(bound).is_none() && part.is_only(Kind::Integer);
        let Exact::Integer(integer) = Exact::of(number) else { return false };
        if !is_alone || !self.rules.keeps(Feature::Range) {
            return false;
        }
        let inner = if is_lower { integer.checked_add(1) } else { integer.checked_sub(1) };
        let Some(number) = inner.and_then(|inner| Exact::Integer(inner).to_number()) else { return false };
        out.push(bound, Json::Number(number));
        true
    }
}
