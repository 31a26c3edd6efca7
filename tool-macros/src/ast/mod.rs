//! What a tool's function is, in our own terms: parsed once, then checked, then expanded.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Path, Signature, Type, Visibility};

use crate::attr::arg::Arg;
use crate::attr::docs::Docs;
use crate::attr::tool::ToolKeys;

/// A function with `#[tool]`.
pub(crate) struct ToolFn {
    pub(crate) keys: ToolKeys,
    pub(crate) docs: Docs,
    /// The `#[cfg]`s of the function.
    pub(crate) cfgs: Vec<Attribute>,
    /// The lints that the function allows or expects, which hold for what is repeated of it, too.
    pub(crate) allowed: Vec<TokenStream>,
    pub(crate) ident: Ident,
    pub(crate) is_async: bool,
    /// Whether it has parameters for types, which is a mistake.
    pub(crate) is_generic: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: Type,
    /// How the function is called: its name, `Self::name` or `<Self as Trait>::name`.
    pub(crate) path: TokenStream,
}

/// One parameter, the receiver included.
pub(crate) struct Parameter {
    /// The `#[cfg]`s of the parameter.
    pub(crate) cfgs: Vec<Attribute>,
    /// The wire name.
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) docs: Docs,
    pub(crate) arg: Arg,
    pub(crate) passing: Passing,
    /// Whether all that is said of it was understood.
    pub(crate) is_understood: bool,
}

/// How a parameter gets its value.
pub(crate) enum Passing {
    /// `T`: read and given.
    Owned(Type),
    /// `&U`: read as `<U as ToOwned>::Owned` and lent.
    Lent(Type),
    /// `Option<&U>`.
    LentOption(Type),
    /// `Cow<'_, U>`: read as `Cow<'static, U>` and given. The path without its arguments, then `U`.
    Cow(Path, Type),
    /// `Option<Cow<'_, U>>`.
    CowOption(Path, Type),
    /// `State<T>`: the type `T`.
    State(Type),
    /// `#[state] Arc<T>`: the type `T`.
    SharedState(Type),
    /// `#[state] &T`.
    LentState(Type),
    /// `&CallContext`.
    LentContext,
    /// `CallContext`.
    Context,
    /// `&self`.
    Receiver,
    /// `self: Arc<Self>`.
    SharedReceiver,
}

impl Passing {
    /// Whether the value comes from the program and not from the arguments.
    pub(crate) fn is_injected(&self) -> bool {
        matches!(
            self,
            Self::State(_)
                | Self::SharedState(_)
                | Self::LentState(_)
                | Self::LentContext
                | Self::Context
                | Self::Receiver
                | Self::SharedReceiver
        )
    }

    /// Whether the body borrows the value, so that something must own it meanwhile.
    pub(crate) fn is_lent(&self) -> bool {
        matches!(
            self,
            Self::Lent(_) | Self::LentOption(_) | Self::LentState(_) | Self::LentContext | Self::Receiver
        )
    }

    /// The type that the value is read as, for arguments.
    pub(crate) fn owned(&self) -> Option<TokenStream> {
        // All of it stands at the user's type, so that what is wrong with the type is said once, and there.
        let span = self.written()?.span().resolved_at(Span::call_site());
        match self {
            Self::Owned(ty) => Some(ty.to_token_stream()),
            Self::Lent(ty) => Some(quote_spanned!(span=> __tool_rt::Lent<#ty>)),
            Self::LentOption(ty) => Some(quote_spanned!(span=> ::core::option::Option<__tool_rt::Lent<#ty>>)),
            Self::Cow(path, ty) => Some(quote_spanned!(span=> #path<'static, #ty>)),
            Self::CowOption(path, ty) => {
                Some(quote_spanned!(span=> ::core::option::Option<#path<'static, #ty>>))
            }
            _ => None,
        }
    }

    /// The user's type, for spans.
    pub(crate) fn written(&self) -> Option<&Type> {
        match self {
            Self::Owned(ty)
            | Self::Lent(ty)
            | Self::LentOption(ty)
            | Self::Cow(_, ty)
            | Self::CowOption(_, ty)
            | Self::State(ty)
            | Self::SharedState(ty)
            | Self::LentState(ty) => Some(ty),
            _ => None,
        }
    }
}

/// The item as the user wrote it, without our helper attributes.
pub(crate) struct Item {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) body: TokenStream,
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for attribute in &self.attributes {
            attribute.to_tokens(tokens);
        }
        self.visibility.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// The `#[cfg]`s among attributes.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
}

/// The lints that attributes allow or expect. A model may still call what is deprecated for programs.
pub(crate) fn allowed(attributes: &[Attribute]) -> Vec<TokenStream> {
    let lints = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => {
            let tokens = &list.tokens;
            Some(quote!(#[allow(#tokens)]))
        }
        meta if meta.path().is_ident("deprecated") => Some(quote!(#[allow(deprecated)])),
        _ => None,
    });
    lints.collect()
}
