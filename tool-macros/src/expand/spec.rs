//! The constant data of one tool.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::ast::{Parameter, ToolFn};
use crate::attr::literal::Literal;
use crate::attr::tool::{Parallel, Permission};

impl ToolFn {
    /// `ToolSpec::new(…)` with whatever differs from its defaults.
    pub(crate) fn spec(&self) -> TokenStream {
        let name = self.name();
        let description = self.description();
        let parameters = self.parameters.iter().map(Parameter::data);
        let output = &self.output;
        let span = output.span().resolved_at(Span::call_site());
        let kind = quote_spanned!(span=> __tool_rt::kind(__tool_rt::Probe::<#output>::KIND));
        let line = self.ident.span().resolved_at(Span::call_site());
        let line = quote_spanned!(line=> ::core::line!());
        let entry = self.entry();
        let options = self.options();
        quote! {
            __tool_rt::ToolSpec::new(
                #name,
                #description,
                &[#(#parameters),*],
                #kind,
                __tool_rt::Location::new(
                    ::core::file!(), #line, ::core::module_path!(), ::core::env!("CARGO_PKG_NAME")
                ),
                #entry,
            )#options
        }
    }

    fn description(&self) -> TokenStream {
        let expression = match self.keys.description.get() {
            Some(expression) => match Literal::of(expression) {
                Some(Literal::String(text)) => {
                    let text = text.trim();
                    return quote!(#text);
                }
                _ => expression.to_token_stream(),
            },
            None => match self.docs.literal() {
                Some(text) => {
                    let text = text.trim();
                    return quote!(#text);
                }
                None => self.docs.expression(),
            },
        };
        let span = expression.span().resolved_at(Span::call_site());
        quote_spanned!(span=> __tool_rt::description(#expression))
    }

    /// The closure that describes and calls the tool.
    fn entry(&self) -> TokenStream {
        let elements = self.parameters.iter().map(Parameter::element);
        let run = match (self.is_async, self.keys.blocking.is_set()) {
            (true, _) => "asynchronous",
            (false, true) => "blocking",
            (false, false) => "synchronous",
        };
        let function = self.function();
        let output = self.output();
        // This call is the only place that demands `Send`, so its error stands at the function's name.
        let span = self.ident.span().resolved_at(Span::call_site());
        let run = Ident::new(run, span);
        let request = Ident::new("__tool_request", Span::mixed_site());
        quote_spanned! {span=>
            |#request| __tool_rt::#run(#request, (#(#elements,)*), #output, #function)
        }
    }

    fn output(&self) -> TokenStream {
        let ty = &self.output;
        let span = ty.span().resolved_at(Span::call_site());
        let out = quote_spanned!(span=> __tool_rt::Out::<#ty, _>::new().peel().peel().peel());
        let showing = match self.keys.render.get() {
            Some(path) => {
                let span = path.span().resolved_at(Span::call_site());
                let value = Ident::new("__tool_value", Span::mixed_site().located_at(path.span()));
                quote_spanned!(span=> #out.showing_by(|#value| __tool_rt::IntoContent::into_content(#path(#value))))
            }
            None => quote_spanned!(span=> #out.showing()),
        };
        quote_spanned!(span=> __tool_rt::output(#showing))
    }

    /// The function itself, or a closure that owns for the body's time what the body borrows.
    fn function(&self) -> TokenStream {
        let path = &self.path;
        if !self.parameters.iter().any(|parameter| parameter.passing.is_lent()) {
            return path.clone();
        }
        let owned =
            self.parameters.iter().enumerate().map(|(idx, parameter)| parameter.closure_parameter(idx));
        let handed = self.parameters.iter().enumerate().map(|(idx, parameter)| parameter.handed(idx));
        if self.is_async {
            // At the name, since that is where a future that is not `Send` is reported.
            let span = self.ident.span().resolved_at(Span::call_site());
            quote_spanned!(span=> |#(#owned),*| async move { #path(#(#handed),*).await })
        } else {
            quote!(|#(#owned),*| #path(#(#handed),*))
        }
    }

    /// A closure that hands borrows of the arguments to a function that judges the call.
    fn judge(&self, run: &str, path: &syn::Path) -> TokenStream {
        let elements = self.parameters.iter().map(Parameter::element);
        let owned = self.parameters.iter().enumerate().map(|(idx, parameter)| {
            let ty = parameter.passing.owned();
            let cfgs = &parameter.cfgs;
            let local = Parameter::local(idx, path.span());
            match ty {
                Some(ty) => quote!(#(#cfgs)* #local: #ty),
                None => quote!(#(#cfgs)* _),
            }
        });
        let span = path.span().resolved_at(Span::call_site());
        let judged =
            self.parameters.iter().enumerate().filter_map(|(idx, parameter)| parameter.judged(idx, span));
        let run = Ident::new(run, span);
        let invocation = Ident::new("__tool_invocation", Span::mixed_site());
        quote_spanned! {span=>
            |#invocation| __tool_rt::#run(
                #invocation, (#(#elements,)*), |#(#owned),*| #path(#(#judged),*)
            )
        }
    }

    /// Everything that differs from the defaults.
    fn options(&self) -> TokenStream {
        let keys = &self.keys;
        let mut options = TokenStream::new();
        if let Some(title) = keys.title.get() {
            options.extend(quote!(.title(#title)));
        }
        if let Some(words) = keys.keywords.get() {
            options.extend(quote!(.keywords(&[#(#words),*])));
        }
        if let Some(words) = keys.tags.get() {
            options.extend(quote!(.tags(&[#(#words),*])));
        }
        if let Some(owner) = keys.owner.get() {
            options.extend(quote!(.owner(#owner)));
        }
        if let Some(effect) = keys.effect.get() {
            let effect = match effect.to_string().as_str() {
                "read" => quote!(Read),
                "exec" => quote!(Exec),
                _ => quote!(Write),
            };
            options.extend(quote!(.effect(__tool_rt::Effect::#effect)));
        }
        if keys.idempotent.is_set() {
            options.extend(quote!(.idempotent()));
        }
        if let Some(deferred) = keys.deferred.get() {
            options.extend(quote!(.deferred(#deferred)));
        }
        if let Some(background) = keys.background.get() {
            options.extend(quote!(.background(#background)));
        }
        if let Some(milliseconds) = keys.timeout.get() {
            options.extend(quote!(.timeout(#milliseconds)));
        }
        if let Some(annotations) = keys.annotations.get() {
            let annotations = annotations.iter().map(|(key, value)| quote!((#key, #value)));
            options.extend(quote!(.annotations(&[#(#annotations),*])));
        }
        match keys.parallel.get() {
            Some(Parallel::Always) => options.extend(quote!(.parallel(__tool_rt::Parallel::Always))),
            Some(Parallel::Judged(path)) => {
                let judge = self.judge("concurrency", path);
                options.extend(quote!(.parallel(__tool_rt::Parallel::Judged(#judge))));
            }
            None => {}
        }
        match keys.permission.get() {
            Some(Permission::Fixed(name)) => {
                options.extend(quote!(.permission(__tool_rt::Permission::Fixed(#name))));
            }
            Some(Permission::Judged(path)) => {
                let judge = self.judge("permissions", path);
                options.extend(quote!(.permission(__tool_rt::Permission::Judged(#judge))));
            }
            None => {}
        }
        if let Some(check) = keys.output.get() {
            let check = match check.to_string().as_str() {
                "warn" => quote!(Warn),
                "off" => quote!(Off),
                _ => quote!(Error),
            };
            options.extend(quote!(.output_check(__tool_rt::OutputCheck::#check)));
        }
        options
    }

    /// The checks of all parameters, each an item.
    pub(crate) fn checks(&self) -> Vec<TokenStream> {
        let names = self.names();
        self.parameters.iter().flat_map(|parameter| parameter.checks(&names)).collect()
    }

    /// The checks of some parameters, for the case that the tool has mistakes and nothing else looks at their types.
    pub(crate) fn checks_of(&self, parameters: &[&Parameter]) -> Vec<TokenStream> {
        let names = self.names();
        let checks =
            |parameter: &&Parameter| parameter.kind_check().into_iter().chain(parameter.checks(&names));
        parameters.iter().flat_map(checks).collect()
    }

    /// The names of all arguments but those of a flattened struct.
    fn names(&self) -> Vec<String> {
        self.parameters
            .iter()
            .filter(|parameter| !parameter.passing.is_injected() && !parameter.arg.flatten.is_set())
            .map(|parameter| parameter.name.clone())
            .collect()
    }
}

/// The names that every expansion works with.
pub(crate) fn imports(krate: &TokenStream) -> TokenStream {
    quote! {
        use #krate::__private as __tool_rt;
        #[allow(unused_imports, reason = "which of them is used depends on the types")]
        use #krate::__private::{Plain as _, Unshaped as _, ValueOf as _, Whole as _};
    }
}
