//! One parameter: its constant data, its element, and how it is handed to the function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::ast::{Parameter, Passing};
use crate::attr::arg::{Applies, Arg, Constraint, Takes};
use crate::attr::literal::Literal;

impl Parameter {
    /// The span of the user's type, with names resolved as at the call site.
    fn type_span(&self) -> Span {
        self.passing.written().map_or(self.span, Spanned::span).resolved_at(Span::call_site())
    }

    /// `Parameter::new(…)`, for the tool's constant data.
    pub(crate) fn data(&self) -> TokenStream {
        let cfgs = &self.cfgs;
        let Some(ty) = self.passing.owned() else {
            return quote!(#(#cfgs)* __tool_rt::Parameter::injected());
        };
        let span = self.type_span();
        if self.arg.flatten.is_set() {
            return quote_spanned!(span=> #(#cfgs)* __tool_rt::Parameter::flattened(
                __tool_rt::flattened(__tool_rt::Probe::<#ty>::KIND)
            ));
        }
        let name = &self.name;
        let description = match (self.arg.description.get(), self.docs.literal()) {
            (Some(expression), _) => quote!(__tool_rt::trimmed(#expression)),
            (None, Some(text)) => quote!(#text),
            (None, None) => {
                let expression = self.docs.expression();
                quote!(__tool_rt::trimmed(#expression))
            }
        };
        let mut data = quote_spanned! {span=> __tool_rt::Parameter::new(
            #name, #description, __tool_rt::kind(__tool_rt::Probe::<#ty>::KIND), __tool_rt::Probe::<#ty>::OPTIONAL
        )};
        if !self.arg.constraints.is_empty() {
            let constraints = self.arg.constraints.iter().map(Constraint::data);
            data.extend(quote!(.constraints(&[#(#constraints),*])));
        }
        if let Some(default) = self.arg.default.get() {
            match Literal::of(default) {
                Some(literal) => {
                    let literal = literal.tokens();
                    data.extend(quote!(.default(#literal)));
                }
                None => data.extend(quote!(.computed_default())),
            }
        }
        if !self.arg.examples.is_empty() {
            let examples = self.arg.examples.iter().map(|(_, expression)| match Literal::of(expression) {
                Some(literal) => {
                    let literal = literal.tokens();
                    quote!(__tool_rt::Example::Literal(#literal))
                }
                None => quote!(__tool_rt::Example::Computed(|| {
                    let value: #ty = #expression;
                    __tool_rt::Value(&value).value()
                })),
            });
            data.extend(quote!(.examples(&[#(#examples),*])));
        }
        if self.arg.secret.is_set() {
            data.extend(quote!(.secret()));
        }
        quote!(#(#cfgs)* #data)
    }

    /// The element of the tuple that reads or makes the value.
    pub(crate) fn element(&self) -> TokenStream {
        let cfgs = &self.cfgs;
        let span = self.type_span();
        let element = match &self.passing {
            Passing::State(ty) => quote_spanned!(span=> __tool_rt::state::<#ty>()),
            Passing::SharedState(ty) | Passing::LentState(ty) => {
                quote_spanned!(span=> __tool_rt::shared::<#ty>())
            }
            Passing::LentContext | Passing::Context => quote!(__tool_rt::context()),
            Passing::Receiver | Passing::SharedReceiver => quote!(__tool_rt::receiver::<Self>()),
            argument => {
                let ty = argument.owned().unwrap_or_default();
                if self.arg.flatten.is_set() {
                    quote_spanned!(span=> __tool_rt::flat::<#ty>())
                } else {
                    let default = self.arg.default.get().filter(|default| Literal::of(default).is_none());
                    let or = default.map(|default| {
                        quote!(.or(|| -> #ty { #default }, |value| __tool_rt::Value(value).value()))
                    });
                    quote_spanned!(span=> __tool_rt::arg::<#ty>()#or)
                }
            }
        };
        quote!(#(#cfgs)* #element)
    }

    /// A name for the value inside the expansion.
    pub(crate) fn local(idx: usize, at: Span) -> Ident {
        format_ident!("__tool_{idx}", span = Span::mixed_site().located_at(at))
    }

    /// The parameter of the closure that owns the value for the body's time.
    pub(crate) fn closure_parameter(&self, idx: usize) -> TokenStream {
        let cfgs = &self.cfgs;
        let local = Self::local(idx, self.type_span());
        match &self.passing {
            passing @ (Passing::Lent(_) | Passing::LentOption(_)) => {
                let ty = passing.owned();
                quote!(#(#cfgs)* #local: #ty)
            }
            Passing::LentContext => quote!(#(#cfgs)* #local: __tool_rt::CallContext),
            Passing::LentState(ty) => quote!(#(#cfgs)* #local: ::std::sync::Arc<#ty>),
            Passing::Receiver => quote!(#(#cfgs)* #local: ::std::sync::Arc<Self>),
            _ => quote!(#(#cfgs)* #local),
        }
    }

    /// The argument of the function's call.
    pub(crate) fn handed(&self, idx: usize) -> TokenStream {
        let cfgs = &self.cfgs;
        let span = self.type_span();
        let local = Self::local(idx, self.type_span());
        let handed = match &self.passing {
            Passing::Lent(ty) => quote_spanned!(span=> __tool_rt::lend::<#ty>(&#local)),
            Passing::LentOption(ty) => quote_spanned!(span=> __tool_rt::lend_option::<#ty, _>(&#local)),
            Passing::LentContext | Passing::LentState(_) | Passing::Receiver => {
                quote_spanned!(span=> &#local)
            }
            _ => quote!(#local),
        };
        quote!(#(#cfgs)* #handed)
    }

    /// The argument of a function that judges a call: a borrow of what the tool gets.
    pub(crate) fn judged(&self, idx: usize, span: Span) -> Option<TokenStream> {
        let cfgs = &self.cfgs;
        let local = Self::local(idx, span);
        let handed = match &self.passing {
            Passing::Lent(ty) => quote_spanned!(span=> __tool_rt::lend::<#ty>(&#local)),
            Passing::LentOption(ty) => quote_spanned!(span=> &__tool_rt::lend_option::<#ty, _>(&#local)),
            Passing::Owned(_) | Passing::Cow(..) | Passing::CowOption(..) => quote_spanned!(span=> &#local),
            _ => return None,
        };
        Some(quote!(#(#cfgs)* #handed))
    }

    /// The check that the type can be an argument's, which is otherwise made where its data stands.
    pub(crate) fn kind_check(&self) -> Option<TokenStream> {
        let ty = self.passing.owned()?;
        let cfgs = &self.cfgs;
        let span = self.type_span();
        let check = Ident::new(if self.arg.flatten.is_set() { "flattened" } else { "kind" }, span);
        Some(quote_spanned! {span=>
            #(#cfgs)*
            const _: __tool_rt::Kind = __tool_rt::#check(__tool_rt::Probe::<#ty>::KIND);
        })
    }

    /// The checks that need the type, each a statement.
    pub(crate) fn checks(&self, names: &[String]) -> Vec<TokenStream> {
        let Some(ty) = self.passing.owned() else { return Vec::new() };
        let kind = quote_spanned!(self.type_span()=> __tool_rt::Probe::<#ty>::KIND);
        let mut checks = Vec::new();
        if self.arg.flatten.is_set() {
            let others = names.iter();
            let message = "a field of this struct and another argument have one name; rename one of them";
            checks.push(quote_spanned! {self.type_span()=>
                __tool_rt::distinct(__tool_rt::Probe::<#ty>::FIELDS, &[#(#others),*], #message)
            });
        }
        for constraint in &self.arg.constraints {
            checks.extend(constraint.checks(&kind, &self.name));
        }
        checks.extend(self.arg.between(&kind));
        let default = self.arg.default.get().map(|expression| ("default", expression));
        let examples = self.arg.examples.iter().map(|(_, expression)| ("example", expression));
        for (what, expression) in default.into_iter().chain(examples) {
            if let Some(literal) = Literal::of(expression) {
                let message = format!(
                    "this {what} does not fit the type of `{}`: {} is not one of its values",
                    self.name,
                    literal.shown()
                );
                let literal = literal.tokens();
                let span = expression.span().resolved_at(Span::call_site());
                checks.push(quote_spanned!(span=> __tool_rt::literal(#kind, #literal, #message)));
            }
        }
        let cfgs = &self.cfgs;
        checks.into_iter().map(|check| quote!(#(#cfgs)* const _: () = #check;)).collect()
    }
}

impl Arg {
    /// The check that an integer lies between two exclusive bounds; a fraction always does.
    pub(crate) fn between(&self, kind: &TokenStream) -> Option<TokenStream> {
        let (low, high) = (self.find("exclusive_minimum")?, self.find("exclusive_maximum")?);
        let (Literal::Integer(from), Literal::Integer(to)) = (&low.value, &high.value) else { return None };
        if from.saturating_add(1) != *to {
            return None;
        }
        let message = format!("no integer lies between {from} and {to}; raise this one or lower the other");
        let span = high.span().resolved_at(Span::call_site());
        // No integer holds this bound, and every number does.
        Some(
            quote_spanned!(span=> __tool_rt::bound(#kind, __tool_rt::Literal::Integer(::core::primitive::i128::MAX), #message)),
        )
    }
}

impl Constraint {
    /// The constraint as constant data.
    pub(crate) fn data(&self) -> TokenStream {
        let keyword = self.rule.keyword;
        match (&self.value, self.rule.takes) {
            (_, Takes::Flag) => quote!(__tool_rt::Constraint::Unique),
            (Literal::String(text), Takes::Pattern) => quote!(__tool_rt::Constraint::Pattern(#text)),
            (Literal::String(text), _) => quote!(__tool_rt::Constraint::Format(#text)),
            (value, _) => {
                let value = value.tokens();
                quote!(__tool_rt::Constraint::Bound(#keyword, #value))
            }
        }
    }

    /// The checks that need the type, each an expression of type `()`.
    pub(crate) fn checks(&self, kind: &TokenStream, owner: &str) -> Vec<TokenStream> {
        let key = self.rule.key;
        let applies = self.rule.applies;
        let variant = match applies {
            Applies::Numbers => quote!(Numbers),
            Applies::Strings => quote!(Strings),
            Applies::Arrays => quote!(Arrays),
        };
        let message = format!(
            "`{key}` applies to {}, and `{owner}` is something else; {} apply to {}",
            applies.words(),
            applies.kin(),
            applies.words(),
        );
        let span = self.key.span().resolved_at(Span::call_site());
        let mut checks =
            vec![quote_spanned!(span=> __tool_rt::applies(#kind, __tool_rt::Applies::#variant, #message))];
        if self.rule.takes == Takes::Number && key != "multiple_of" {
            let message = format!(
                "`{key}` of `{owner}` is {}, outside of what its type can hold; narrow it, or take a wider type",
                self.value.shown()
            );
            // An exclusive bound of an integer is the inclusive one beside it.
            let value = match (&self.value, key) {
                (Literal::Integer(value), "exclusive_minimum") => Literal::Integer(value.saturating_add(1)),
                (Literal::Integer(value), "exclusive_maximum") => Literal::Integer(value.saturating_sub(1)),
                (value, _) => value.clone(),
            };
            let value = value.tokens();
            let span = self.span().resolved_at(Span::call_site());
            checks.push(quote_spanned!(span=> __tool_rt::bound(#kind, #value, #message)));
        }
        checks
    }
}
