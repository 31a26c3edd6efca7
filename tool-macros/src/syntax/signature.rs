//! Signatures: from a function's parameters to where each gets its value from.

use proc_macro2::Span;
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Pat, Receiver, ReceiverKind, ReturnType, Signature, Type};

use super::spelling::{argument_of, bare, cow, find, has_lifetime, is_named, last, reference};
use crate::ast::{Parameter, Passing, cfgs};
use crate::attr::arg::Arg;
use crate::attr::docs::Docs;
use crate::diagnostics::Diagnostics;

/// The most parameters that a tool can have, the injected ones included.
pub(crate) const MAX_PARAMETERS: usize = 24;

/// Whether methods are allowed here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Free,
    Toolset,
}

/// Reads the parameters, and takes our helper attributes and the doc comments off them.
pub(crate) fn parameters(d: &Diagnostics, signature: &mut Signature, place: Place) -> Vec<Parameter> {
    let mut all = Vec::new();
    for input in &mut signature.inputs {
        match input {
            FnArg::Receiver(receiver) => all.extend(self::receiver(d, receiver, place)),
            FnArg::Typed(typed) => {
                let before = d.count();
                let docs = Docs::of(&typed.attrs);
                let arg = Arg::take(d, &mut typed.attrs);
                let injected = injection(d, &mut typed.attrs);
                let cfgs = cfgs(&typed.attrs);
                typed.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
                let name = name(d, &typed.pat, &typed.ty, &arg);
                let passing =
                    passing(d, &typed.ty, injected, name.as_ref().map_or("value", |(name, _)| name));
                if let (Some((name, span)), Some(passing)) = (name, passing) {
                    let is_understood = d.count() == before;
                    all.push(Parameter { cfgs, name, span, docs, arg, passing, is_understood });
                }
            }
        }
    }
    if let Some(variadic) = &signature.variadic {
        d.error(variadic, "a tool cannot be variadic; take a `Vec<…>`");
    }
    if all.len() > MAX_PARAMETERS {
        d.error(
            &signature.ident,
            format!(
                "a tool can have at most {MAX_PARAMETERS} parameters, this one has {}; take a struct with \
                 `#[arg(flatten)]`",
                all.len()
            ),
        );
    }
    all
}

/// `#[state]` or `#[context]` on a parameter, taken off it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Injection {
    State,
    Context,
}

fn injection(d: &Diagnostics, attributes: &mut Vec<Attribute>) -> Option<Injection> {
    let mut found = None;
    attributes.retain(|attribute| {
        let this = if attribute.path().is_ident("state") {
            Injection::State
        } else if attribute.path().is_ident("context") {
            Injection::Context
        } else {
            return true;
        };
        if !matches!(attribute.meta, syn::Meta::Path(_)) {
            d.error(attribute, "this attribute takes nothing; write `#[state]` or `#[context]`");
        }
        if found.is_some() {
            d.error(attribute, "a parameter is injected once; keep one of `#[state]` and `#[context]`");
        }
        found = Some(this);
        false
    });
    found
}

fn receiver(d: &Diagnostics, receiver: &Receiver, place: Place) -> Option<Parameter> {
    if place == Place::Free {
        d.error(
            receiver.self_token,
            "a tool with `self` is a method: put `#[toolset]` on its impl block, and `#[tool]` on the method",
        );
        return None;
    }
    let passing = match &receiver.kind {
        ReceiverKind::Typed(_, ty)
            if argument_of(ty, "Arc").is_some_and(|within| is_named(within, "Self")) =>
        {
            Passing::SharedReceiver
        }
        ReceiverKind::Reference(_, _, None) => Passing::Receiver,
        ReceiverKind::Typed(..) => {
            d.error(receiver, "a tool's method takes `&self` or `self: Arc<Self>`");
            return None;
        }
        ReceiverKind::Reference(..) => {
            d.error(
                receiver,
                "calls run side by side, so a tool cannot have `&mut self`; take `&self` and lock what changes",
            );
            return None;
        }
        _ => {
            d.error(
                receiver,
                "a tool is called more than once, so it cannot take `self` by value; take `&self`",
            );
            return None;
        }
    };
    Some(Parameter {
        cfgs: Vec::new(),
        name: String::new(),
        span: receiver.self_token.span(),
        docs: Docs::default(),
        arg: Arg::default(),
        passing,
        is_understood: true,
    })
}

/// The wire name of a parameter and where it stands; `None` if it has no plain name.
fn name(d: &Diagnostics, pattern: &Pat, ty: &Type, arg: &Arg) -> Option<(String, Span)> {
    let own = match pattern {
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            (ident.ident.unraw().to_string(), ident.ident.span())
        }
        // The rule for names tells what to write, unless the parameter is injected.
        Pat::Wild(wild) => ("_".to_owned(), wild.span()),
        other => {
            self::pattern(d, other, ty);
            return None;
        }
    };
    Some(arg.rename.get().map_or(own, |rename| (rename.value(), rename.span())))
}

fn pattern(d: &Diagnostics, pattern: &Pat, ty: &Type) {
    const WRAPPERS: &[&str] = &["Parameters", "Json", "Args"];
    let wrapped = WRAPPERS.iter().find_map(|wrapper| argument_of(ty, wrapper));
    let shown = |ty: &Type| quote!(#ty).to_string().replace(" :: ", "::").replace("& ", "&");
    let message = match (pattern, wrapped) {
        (Pat::TupleStruct(_), Some(within)) => format!(
            "a parameter needs a plain name, and no wrapper; write the arguments as parameters of the function, or \
             `#[arg(flatten)] arguments: {}`",
            shown(within)
        ),
        _ => format!(
            "a parameter needs a plain name; write `value: {}` and take it apart in the body",
            shown(ty)
        ),
    };
    d.error(pattern, message);
}

fn passing(d: &Diagnostics, ty: &Type, injected: Option<Injection>, name: &str) -> Option<Passing> {
    match injected {
        Some(Injection::State) => return state(d, ty),
        Some(Injection::Context) => {
            return Some(if reference(ty).is_some() { Passing::LentContext } else { Passing::Context });
        }
        None => {}
    }
    if let Some(reference) = reference(ty) {
        if is_named(&reference.elem, "CallContext") {
            return Some(Passing::LentContext);
        }
        borrowed(d, reference, name)?;
        return Some(Passing::Lent(bare(&reference.elem).clone()));
    }
    if is_named(ty, "CallContext") {
        return Some(Passing::Context);
    }
    if let Some(within) = argument_of(ty, "State") {
        return Some(Passing::State(within.clone()));
    }
    if let Some((path, within)) = cow(ty) {
        return Some(Passing::Cow(path, within.clone()));
    }
    if let Some(within) = argument_of(ty, "Option") {
        if let Some(reference) = reference(within) {
            borrowed(d, reference, name)?;
            return Some(Passing::LentOption(bare(&reference.elem).clone()));
        }
        if let Some((path, within)) = cow(within) {
            return Some(Passing::CowOption(path, within.clone()));
        }
    }
    owned(d, ty, name).then(|| Passing::Owned(ty.clone()))
}

fn state(d: &Diagnostics, ty: &Type) -> Option<Passing> {
    if let Some(reference) = reference(ty) {
        if let Some(mutability) = &reference.mutability {
            d.error(
                mutability,
                "state is shared by all calls, so it cannot be `&mut`; take `&T` and lock what changes",
            );
            return None;
        }
        return Some(Passing::LentState(bare(&reference.elem).clone()));
    }
    if let Some(within) = argument_of(ty, "Arc") {
        return Some(Passing::SharedState(within.clone()));
    }
    if let Some(within) = argument_of(ty, "State") {
        return Some(Passing::State(within.clone()));
    }
    d.error(
        ty,
        "`#[state]` goes on `&T` or `Arc<T>`; write one of them, or `State<T>` without the attribute",
    );
    None
}

/// What is wrong with a borrowed parameter; `None` if something is.
fn borrowed(d: &Diagnostics, reference: &syn::TypeReference, name: &str) -> Option<()> {
    if let Some(mutability) = &reference.mutability {
        d.error(
            mutability,
            format!(
                "an argument cannot be `&mut`, since nobody would read the change; take `mut {name}` by value"
            ),
        );
        return None;
    }
    if let Some(lifetime) = reference.lifetime.as_ref().filter(|lifetime| lifetime.ident == "static") {
        d.error(
            lifetime,
            "an argument lives as long as its call, so it cannot be `'static`; leave the lifetime out, or take an \
             owned value",
        );
        return None;
    }
    owned(d, &reference.elem, name).then_some(())
}

/// Reports what can never be an argument, as far as the spelling tells.
fn owned(d: &Diagnostics, ty: &Type, name: &str) -> bool {
    if let Some(part) = find(ty, &|ty| matches!(ty, Type::ImplTrait(_))) {
        d.error(part, "a tool's parameter needs one concrete type, so it cannot be `impl Trait`");
        return false;
    }
    if let Some(part) = find(ty, &|ty| matches!(ty, Type::Infer(_))) {
        d.error(part, "a tool's parameter needs its type written out");
        return false;
    }
    if let Some(part) = find(ty, &|ty| matches!(ty, Type::Reference(_))) {
        d.error(
            part,
            "a borrow inside another type cannot be read from arguments; write the owned type, such as `String` for \
             `&str`",
        );
        return false;
    }
    if has_lifetime(ty) {
        d.error(
            ty,
            format!("`{name}` borrows from its arguments through a type; take a type that owns its data"),
        );
        return false;
    }
    if let Some(part) = find(ty, &|ty| matches!(ty, Type::TraitObject(_) | Type::Ptr(_) | Type::FnPtr(_))) {
        d.error(part, "this cannot be read from JSON; take a struct, or get the value by `#[state]`");
        return false;
    }
    refused(d, ty)
}

/// Reports types that JSON cannot hold or a model cannot write, where the spelling tells.
fn refused(d: &Diagnostics, ty: &Type) -> bool {
    if let Some(part) = find(ty, &|ty| matches!(ty, Type::Tuple(tuple) if !tuple.elems.is_empty())) {
        d.error(part, "a tuple has no names that a model could read; use a struct with named fields");
        return false;
    }
    if let Some(part) = find(ty, &|ty| is_named(ty, "u128") || is_named(ty, "i128")) {
        d.error(part, "128-bit integers do not survive JSON; use a 64-bit integer, or a string of digits");
        return false;
    }
    let keyed = |ty: &Type| {
        last(ty).is_some_and(|(name, arguments)| {
            (name == "HashMap" || name == "BTreeMap")
                && matches!(arguments.first(), Some(syn::GenericArgument::Type(key)) if is_number(key))
        })
    };
    if let Some(part) = find(ty, &keyed) {
        d.error(part, "a map's keys must be strings; use `String` keys, or a list of structs");
        return false;
    }
    true
}

fn is_number(ty: &Type) -> bool {
    const NUMBERS: &[&str] =
        &["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "bool", "char"];
    NUMBERS.iter().any(|name| is_named(ty, name))
}

/// The return type, with what is wrong about it reported.
pub(crate) fn output(d: &Diagnostics, signature: &Signature) -> Type {
    let unit = || syn::parse_quote!(());
    let ReturnType::Type(_, ty) = &signature.output else { return unit() };
    let ty = bare(ty);
    if matches!(ty, Type::Never(_)) {
        d.error(ty, "a tool must return, so that its call gets a result");
        return unit();
    }
    let is_future = |ty: &Type| {
        let text = quote!(#ty).to_string();
        text.contains("Future")
            && (matches!(ty, Type::ImplTrait(_)) || text.starts_with("Pin") || text.contains(":: Pin"))
    };
    if is_future(ty) {
        d.error(
            ty,
            "a tool that returns a future is written `async fn`; where another attribute such as `#[async_trait]` \
             made it one, put ours above that attribute",
        );
        return unit();
    }
    if let Some(part) = find(ty, &|ty| matches!(ty, Type::ImplTrait(_))) {
        d.error(
            part,
            "a tool's output needs one concrete type, whose schema is known; it cannot be `impl Trait`",
        );
        return unit();
    }
    let borrowed = |ty: &Type| {
        matches!(ty, Type::Reference(reference)
            if reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static"))
    };
    if let Some(part) = find(ty, &borrowed) {
        d.error(part, "a tool's output outlives its arguments, so it cannot borrow; return an owned value");
        return unit();
    }
    if has_lifetime(ty) {
        d.error(ty, "a tool's output outlives its arguments, so it cannot borrow; return an owned value");
        return unit();
    }
    if refused(d, ty) { ty.clone() } else { unit() }
}

/// Reports keywords and generics that a tool cannot have.
pub(crate) fn head(d: &Diagnostics, signature: &Signature) {
    if let Some(keyword) = &signature.constness {
        d.error(keyword, "a tool runs when a model calls it, never while compiling; remove `const`");
    }
    if let syn::Safety::Unsafe(keyword) = &signature.safety {
        d.error(
            keyword,
            "a model cannot promise what an `unsafe` function demands; wrap it in a safe function",
        );
    }
    if let Some(abi) = &signature.abi {
        d.error(abi, "a tool is called by Rust; remove the `extern`, or wrap the function");
    }
    for parameter in &signature.generics.params {
        match parameter {
            syn::GenericParam::Lifetime(_) => {}
            other => d.error(
                other,
                "a tool cannot be generic, since a model cannot choose a type; write one function for each type",
            ),
        }
    }
}
