//! Literals in attributes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

/// A literal, a minus before a number included.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Boolean(bool),
    Integer(i128),
    Number(f64),
    String(String),
}

impl Literal {
    /// The literal that an expression is, if it is one.
    pub(crate) fn of(expression: &Expr) -> Option<Self> {
        match expression {
            Expr::Lit(ExprLit { lit, .. }) => Self::of_lit(lit),
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match Self::of(expr)? {
                Self::Integer(value) => Some(Self::Integer(-value)),
                Self::Number(value) => Some(Self::Number(-value)),
                _ => None,
            },
            Expr::Group(group) => Self::of(&group.expr),
            Expr::Paren(paren) => Self::of(&paren.expr),
            _ => None,
        }
    }

    fn of_lit(lit: &Lit) -> Option<Self> {
        match lit {
            Lit::Bool(value) => Some(Self::Boolean(value.value)),
            Lit::Int(value) => value.base10_parse().ok().map(Self::Integer),
            Lit::Float(value) => {
                value.base10_parse().ok().filter(|value: &f64| value.is_finite()).map(Self::Number)
            }
            Lit::Str(value) => Some(Self::String(value.value())),
            Lit::Char(value) => Some(Self::String(value.value().to_string())),
            _ => None,
        }
    }

    /// The literal as the runtime's constant, under the alias that expansions use.
    pub(crate) fn tokens(&self) -> TokenStream {
        match self {
            Self::Boolean(value) => quote!(__tool_rt::Literal::Boolean(#value)),
            Self::Integer(value) => {
                let value = proc_macro2::Literal::i128_unsuffixed(*value);
                quote!(__tool_rt::Literal::Integer(#value))
            }
            Self::Number(value) => {
                let value = proc_macro2::Literal::f64_unsuffixed(*value);
                quote!(__tool_rt::Literal::Number(#value))
            }
            Self::String(value) => quote!(__tool_rt::Literal::String(#value)),
        }
    }

    /// The literal as a number, for comparisons.
    #[expect(clippy::cast_precision_loss, reason = "only compared with floats where one side is a float")]
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// How it reads in a message.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Boolean(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Number(value) => value.to_string(),
            Self::String(value) => value.to_token_stream().to_string(),
        }
    }

    /// Whether it is less than another number; `None` if one of the two is no number.
    pub(crate) fn is_less(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a < b),
            (a, b) => Some(a.number()? < b.number()?),
        }
    }
}
