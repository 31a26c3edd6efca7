//! What a type is, in our own terms: parsed once, then checked, then expanded.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, DeriveInput, LitStr, Member, Path, Type};

use super::serde::Serde;
use crate::attr::arg::Arg;
use crate::attr::docs::Docs;
use crate::attr::entry::Once;
use crate::attr::literal::Literal;

/// The keys of `#[tool_type(…)]`.
#[derive(Default)]
pub(super) struct Keys {
    pub(super) path: Once<Path>,
    pub(super) name: Once<LitStr>,
    pub(super) docs: Once<()>,
}

/// A struct or an enum with `#[tool_type]`.
pub(super) struct ToolType {
    /// The item, without our attributes and with those that serde needs.
    pub(super) item: DeriveInput,
    /// The name of its schema.
    pub(super) name: String,
    pub(super) name_given: Option<LitStr>,
    pub(super) docs: Docs,
    pub(super) serde: Serde,
    pub(super) body: Body,
}

pub(super) enum Body {
    Object(Vec<Field>),
    /// On the wire what its one field is.
    Newtype(Box<Field>),
    Union(Tagging, Vec<Variant>),
    /// Something else; the mistake has been reported.
    Broken,
}

/// How an enum says which variant it is.
pub(super) enum Tagging {
    External,
    Internal(LitStr),
    Adjacent(LitStr, LitStr),
    Untagged,
}

pub(super) struct Variant {
    pub(super) cfgs: Vec<Attribute>,
    pub(super) ident: Ident,
    pub(super) docs: Docs,
    pub(super) name: Name,
    pub(super) serde: Serde,
    pub(super) content: Content,
}

pub(super) enum Content {
    Unit,
    Newtype(Box<Field>),
    Object(Vec<Field>),
    /// Something else; the mistake has been reported.
    Broken,
}

/// A field of a struct or of a variant.
pub(super) struct Field {
    pub(super) cfgs: Vec<Attribute>,
    /// Where its name stands; its type, if it has none.
    pub(super) place: TokenStream,
    pub(super) member: Member,
    pub(super) ty: Type,
    pub(super) name: Name,
    pub(super) docs: Docs,
    pub(super) arg: Arg,
    pub(super) serde: Serde,
    pub(super) default: Fallback,
    /// The function that makes the default, where it is ours to write.
    pub(super) default_function: Option<Ident>,
}

/// A name on the wire.
pub(super) struct Name {
    pub(super) read: String,
    pub(super) write: String,
    /// Where it is given; `None` for one made of the Rust name.
    pub(super) given: Option<LitStr>,
}

/// Where the value of an absent field comes from.
pub(super) enum Fallback {
    Nothing,
    /// The field's type.
    Own,
    /// The struct's own default.
    Container,
    Function(syn::ExprPath),
    Literal(Literal),
    Expression,
}

impl ToolType {
    /// Whether the type has parameters, so that nothing about its fields is a constant.
    pub(super) fn is_generic(&self) -> bool {
        !self.item.generics.params.is_empty()
    }

    /// Every field that is read or written, with its siblings' list.
    pub(super) fn objects(&self) -> Vec<&[Field]> {
        match &self.body {
            Body::Object(fields) => vec![fields],
            Body::Newtype(field) => vec![std::slice::from_ref(field)],
            Body::Union(_, variants) => variants.iter().map(|variant| variant.content.fields()).collect(),
            Body::Broken => Vec::new(),
        }
    }
}

impl Content {
    pub(super) fn fields(&self) -> &[Field] {
        match self {
            Self::Object(fields) => fields,
            Self::Newtype(field) => std::slice::from_ref(field),
            Self::Unit | Self::Broken => &[],
        }
    }
}

impl Field {
    pub(super) fn is_flattened(&self) -> bool {
        self.arg.flatten.is_set()
    }

    /// Whether it stands on the wire when the type is read.
    pub(super) fn is_read(&self) -> bool {
        !self.serde.skip_reading
    }

    pub(super) fn has_default(&self) -> bool {
        !matches!(self.default, Fallback::Nothing)
    }

    /// The type whose schema counts.
    pub(super) fn schema_type(&self) -> &Type {
        self.serde.schema_of.get().unwrap_or(&self.ty)
    }

    pub(super) fn description(&self) -> TokenStream {
        self.arg.description.get().map_or_else(|| self.docs.expression(), ToTokens::to_token_stream)
    }
}
